#include "job.h"

#include <string.h>

#include "common/files/text.h"
#include "common/system/phases.h"
#include "online/fem/contact/triangles.h"
#include "online/fem/analysis/defaults.h"
#include "online/fem/operators/operators.h"
#include "online/gpu/gpu.h"
#include "online/fem/element/laws/matter_points.h"
#include "parts.h"

/* ---- Keys ---- */

const char *const sw_fem_dialect_names[SW_FEM_DIALECTS] = {"abaqus", "calculix"};

static const sw_key solver_keys[] = {
    {SW_WORD("operator", sw_fem_job, options.operator_, sw_fem_operator_names), .option = "operator",
     .papers = SW_FEM_OPERATORS_OF_PAPERS,
     .help = "how products with the tangent are computed; all but points are of papers, for comparison"},
    {SW_WORD("storage", sw_fem_job, options.storage, sw_fem_storage_names), .option = "storage",
     .standard = -1, .otherwise = "improved on bodies of boxes, else own",
     .papers = SW_FEM_STORAGES_OF_PAPERS, .help = "which element matrices nbn to ebe_sym keep"},
    {SW_WORD("staging", sw_fem_job, options.staging, sw_fem_staging_names), .option = "staging",
     .papers = SW_FEM_STAGINGS_OF_PAPERS,
     .help = "what products with stored matrices keep near a GPU's cores: all, the matrix and the vector; "
             "elastic: "
             "with storage single the elastic matrix, too"},
    {SW_WORD("scatter", sw_fem_job, options.scatter, sw_fem_scatter_names), .option = "scatter",
     .help = "how element results are added up"},
    {SW_WORD("preconditioner", sw_fem_job, options.preconditioner, sw_fem_preconditioner_names),
     .option = "preconditioner", .standard = -1,
     .otherwise =
         "multigrid on bodies in space (periodic: where cells halve), else amg on the CPU where tangents "
         "are symmetric (no pressures at finite strains, friction, crystals), else block_jacobi",
     .help = "multigrid is for bodies in space, amg for the CPU"},
    {SW_WORD("linear", sw_fem_job, options.linear, sw_fem_linear_names), .option = "linear",
     .help =
         "how the tangent's equations are solved; auto: direct at finite strains, or of slow elastic boxes, "
         "where that is faster and no preconditioner is given, mixed of others from a Poisson's ratio of "
         "0.4994 on, else cg, or bicgstab of tangents that are not symmetric; auto of a deck: direct up to "
         "5,000 unknowns "
         "of solids (175,000 at a Poisson's ratio of 0.4999), 50,000 in contact, 300,000 of shells and "
         "beams, "
         "a million in the plane, and of tangents that are not symmetric but for friction's, else cg, with "
         "friction bicgstab; direct: by SuiteSparse, on the CPU; mixed: pressures as unknowns, of elastic "
         "boxes "
         "with b_bar, on the CPU"},
    {SW_REAL("tolerance", sw_fem_job, options.tolerance, 1e-12, 0.1), .standard = SW_FEM_TOLERANCE,
     .option = "tolerance",
     .help =
         "where Newton's method ends: residual over external forces with reactions; of crystals, in single "
         "precision, 1e-5 unless given"},
    {SW_REAL("linear_tolerance", sw_fem_job, options.linear_tolerance, 1e-14, 0.1),
     .standard = SW_FEM_LINEAR_TOLERANCE, .option = "linear-tolerance",
     .help = "of linear solves: residual over the first one"},
    {SW_WORD("forcing", sw_fem_job, options.forcing, sw_fem_forcing_names), .option = "forcing",
     .help =
         "how well linear systems are solved: residual, no better than Newton's method can use; fixed, to "
         "linear_tolerance throughout"},
    {SW_WHOLE("newton", sw_fem_job, options.most_newton, 1, SW_FEM_MOST_RECORDED), .standard = SW_FEM_NEWTON,
     .help = "iterations at most"},
    {SW_WHOLE("cg", sw_fem_job, options.most_cg, 1, 1e9), .standard = SW_FEM_CG,
     .help = "iterations of cg at most; products of bicgstab and gmres. By multigrid at finite strains a "
             "substep that can be shorter ends sooner: at 500, and 25 times those of its first solution"},
    {SW_WHOLE("line_search", sw_fem_job, options.line_search, 0, 100), .standard = SW_FEM_LINE_SEARCH,
     .help = "steps of it at most; 0: none"},
    {SW_REAL("least_increment", sw_fem_job, options.least_increment, 1e-9, 1),
     .standard = SW_FEM_LEAST_INCREMENT,
     .help = "part of an increment that is tried at least, before giving up"},
    {SW_REAL("first_increment", sw_fem_job, first_increment, 1e-6, 1),
     .otherwise = "1; of crystals beside tools 0.1",
     .help = "part of the first increment that is tried first"},
    SW_KEYS_END};

#define INCREMENTS "increments: numbers from 1 on, `last`, `all` or `none`"
static const sw_key output_keys[] = {
    {SW_OUTPUT("file", sw_fem_job, output.file), .needed = 1, .bound = "a file for the results",
     .option = "output", .letter = 'o', .help = "results file"},
    {SW_TEXTS("fields", sw_fem_job, output.fields), .bound = INCREMENTS, .otherwise = "last",
     .help = "after which fields are written"},
    {SW_TEXTS("restart", sw_fem_job, output.restart), .bound = INCREMENTS, .otherwise = "none",
     .help = "after which the state is saved"},
    {SW_TEXTS("textures", sw_fem_job, output.textures), .bound = "names of element sets", .otherwise = "none",
     .help = "whose crystals are written, as a texture of each set, where "
             "fields are"},
    {SW_YES("components", sw_fem_job, output.components), .otherwise = "no",
     .help = "fields have the fractions of ideal texture components, too"},
    {SW_YES("resumable", sw_fem_job, output.resumable), .standard = 1,
     .help = "states are kept now and then, for --resume; of many crystals "
             "they are large"},
    SW_KEYS_END};

const sw_key sw_fem_keys[] = {
    {SW_SECTION("upsetting", sw_fem_upsetting_keys),
     .help =
         "a round billet between plates: in place of mesh, kinematics, strain, boundary, tools and steps"},
    {SW_SECTION("mesh", sw_fem_mesh_keys), .help = "needed without upsetting"},
    {SW_WORD("kinematics", sw_fem_job, problem.kinematics, sw_fem_kinematics_names), .standard = -1,
     .otherwise = "solid of a mesh in space",
     .help = "the others are of plane meshes, and needed there; axisymmetric: x the radius, y the axis"},
    {SW_WORD("strain", sw_fem_job, problem.strain, sw_fem_strain_names),
     .help = "finite: logarithmic strain, equilibrium of the deformed body; for solid, plane_strain and "
             "axisymmetric, "
             "operator points; pressures follow the surface, other loads keep their size and "
             "direction"},
    {SW_YES("b_bar", sw_fem_job, problem.b_bar),
     .otherwise = "yes if a material yields or its `poisson` is 0.4 or more",
     .help = "mean dilatation over an element, without which elements lock; not with plane_stress and heat"},
    {SW_REAL("thickness", sw_fem_job, problem.thickness, 1e-9, 1e9), .unit = "m", .standard = 1,
     .help = "of plane bodies but axisymmetric ones"},
    {SW_ENTRIES("materials", sw_fem_job, materials, sw_fem_material_keys), .shortest = 1, .longest = 255,
     .needed = 1},
    {SW_ENTRIES("boundary", sw_fem_job, boundary, sw_fem_boundary_keys), .shortest = 1,
     .help = "what is prescribed; needed without upsetting and periodic"},
    {SW_ENTRIES("loads", sw_fem_job, loads, sw_fem_load_keys), .otherwise = "none"},
    {SW_ENTRIES("tools", sw_fem_job, tools, sw_fem_tool_keys), .longest = 255, .otherwise = "none",
     .help = "rigid ones that the body meets; with strain finite"},
    {SW_SECTION("periodic", sw_fem_periodic_keys),
     .help = "opposite faces of a box move alike but for a mean deformation: in place of boundary, loads and "
             "tools"},
    {SW_ENTRIES("steps", sw_fem_job, steps, sw_fem_step_keys), .shortest = 1,
     .otherwise = "one to factor 1 in one increment"},
    SW_DEVICE_KEY(sw_fem_job, run),
    {SW_SECTION("solver", solver_keys)},
    {SW_SECTION("output", output_keys), .needed = 1},
    SW_THREADS_KEY(sw_fem_job, run),
    SW_RESUME_KEY(sw_fem_job, run),
    {SW_PATH(NULL, sw_fem_job, restart), .option = "restart",
     .help = "go on from a saved increment, FILE-0003.restart.h5"},
    SW_QUIET_KEY(sw_fem_job, run),
    {SW_YES(NULL, sw_fem_job, timings), .option = "timings",
     .help = "tell how long each part of the run took: mesh, loads, checks, device, increments, files"},
    {SW_WORD(NULL, sw_fem_job, dialect, sw_fem_dialect_names), .option = "dialect", .standard = -1,
     .otherwise = "by the deck's keywords",
     .help = "of a deck: whose meaning its keywords have where the two differ"},
    {SW_PATH(NULL, sw_fem_job, umat), .option = "umat",
     .help = "of a deck: shared library whose umat_ is the material of *USER MATERIAL"},
    {SW_YES(NULL, sw_fem_job, as_job), .option = "as-job",
     .help = "of a deck: write it as a job, DECK.yaml, instead of running it"},
    SW_KEYS_END};

/* ---- Checks ---- */

/* Of Newton's method: crystals are in single precision, and residuals often stop falling at some 1e-6. */
static const double crystal_tolerance = 1e-5;

/* What follows from the mesh and the materials where it is not given. */
static void complete_options(sw_fem_job *job)
{
    static const sw_fem_device devices[SW_DEVICES] = {[SW_DEVICE_AUTO] = SW_FEM_DEVICE_AUTO,
                                                      [SW_DEVICE_CPU] = SW_FEM_DEVICE_CPU,
                                                      [SW_DEVICE_CUDA] = SW_FEM_DEVICE_CUDA};
    const sw_fem_options standard = sw_fem_default_options(&job->problem, devices[job->run.device]);
    sw_fem_options *o = &job->options;
    o->device = standard.device;
    if (!sw_job_given(job->source, "solver.storage"))
        o->storage = standard.storage;
    o->iterative = sw_job_given(job->source, "solver.preconditioner");
    if (!o->iterative)
        o->preconditioner = standard.preconditioner;
    for (int i = 0; i < job->materials_count && !sw_job_given(job->source, "solver.tolerance"); i++)
        if (job->material[i].crystals != NULL)
            o->tolerance = crystal_tolerance;
}

/* A list of increments, "all" or "last" -> flags [n]. */
static sw_status check_increments(const sw_fem_job *job, const char *list, int count, const char *const *word,
                                  const char *standard, unsigned char **flag)
{
    const int64_t n = job->n_increments;
    char key[SW_KEY_SIZE];
    int64_t number;
    if (!sw_job_given(job->source, list)) {
        word = &standard;
        count = 1;
    }
    SW_TRY(SW_FEM_TAKE(job, *flag, n, "increments"));
    for (int i = 0; i < count; i++)
        if (strcmp(word[i], "all") == 0)
            memset(*flag, 1, (size_t)n);
        else if (strcmp(word[i], "last") == 0)
            (*flag)[n - 1] = 1;
        else if (sw_parse_whole(word[i], &number) == NULL && number >= 1 && number <= n)
            (*flag)[number - 1] = 1;
        else if (strcmp(word[i], "none") != 0)
            return sw_job_error(job->source, sw_key_path(key, "%s[%d]", list, i),
                                " = %.80s: need all, last, none, or an increment from 1 to %lld", word[i],
                                (long long)n);
    return SW_OK;
}

/* Axes of other lengths: NaN where they have none. */
static int differ(double a, double b) { return !(a == b) && !(isnan(a) && isnan(b)); }

/* The crystals of a set's elements, of one structure: what a texture is of. */
static sw_status check_texture(const sw_fem_job *job, const char *key, const sw_fem_set *set)
{
    const sw_material *first = NULL;
    for (int64_t i = 0; i < set->n; i++) {
        const sw_fem_polycrystal *of = job->material[job->material_of[set->member[i]]].crystals;
        const sw_material *m = of != NULL ? of->response.material : first;
        first = first != NULL ? first : m;
        if (m != first && (m->crystal_structure != first->crystal_structure ||
                           differ(m->b_over_a, first->b_over_a) || differ(m->c_over_a, first->c_over_a)))
            return sw_job_error(
                job->source, key,
                " = %.80s: its elements have crystals of %s (%s) and of %s (%s): need a set of one "
                "lattice",
                set->name, first->name, sw_material_lattice(first)->name, m->name,
                sw_material_lattice(m)->name);
    }
    return first != NULL
               ? SW_OK
               : sw_job_error(job->source, key, " = %.80s: its elements have no crystals", set->name);
}

static sw_status check_textures(const sw_fem_job *job)
{
    for (int k = 0; k < job->output.textures_count; k++) {
        const sw_fem_set *set;
        char key[SW_KEY_SIZE];
        sw_key_path(key, "output.textures[%d]", k);
        SW_TRY(sw_fem_find_set(job, key, SW_FEM_ELEMENTS, job->output.textures[k], &set));
        SW_TRY(check_texture(job, key, set));
    }
    return SW_OK;
}

static sw_status check_output(sw_fem_job *job)
{
    SW_TRY(check_textures(job));
    SW_TRY(check_increments(job, "output.fields", job->output.fields_count, job->output.fields, "last",
                            &job->with_fields));
    int64_t fields = 0;
    for (int64_t i = 0; i < job->n_increments; i++)
        fields += job->with_fields[i];
    if (job->output.textures_count > 0 && fields == 0)
        return sw_job_error(job->source, "output.textures",
                            ": are written where fields are, and output.fields has none");
    return check_increments(job, "output.restart", job->output.restart_count, job->output.restart, "none",
                            &job->with_restart);
}

/* ---- Reading ---- */

/* Bodies in space are for a GPU, where there is one, unless they are kept from it. */
static void wake_gpu(const sw_fem_job *job)
{
    const int may = job->run.device == SW_DEVICE_AUTO && job->geometry.cells_count == 3;
    if ((may || job->run.device == SW_DEVICE_CUDA) && job->options.linear != SW_FEM_SOLVE_DIRECT)
        sw_gpu_wake();
}

static sw_status complete(void *values)
{
    sw_fem_job *job = values;
    sw_use_threads(&job->run);
    if (job->run.resume && job->restart != NULL)
        return sw_error(SW_ERR_INPUT, "--restart beside --resume: need only one of them");
    SW_TRY(sw_fem_make_upsetting(job));
    wake_gpu(job);
    sw_phase("mesh");
    SW_TRY(sw_fem_make_body(job));
    sw_phase("loads");
    SW_TRY(sw_fem_make_loads(job));
    sw_phase("job");
    complete_options(job);
    if (!sw_job_given(job->source, "solver.first_increment"))
        job->first_increment =
            job->tools_count > 0 && sw_fem_crystal_counts(&job->problem).points > 0 ? 0.1 : 1;
    return check_output(job);
}

static void release(void *values)
{
    sw_fem_job *job = values;
    if (job->identity != NULL)
        sw_fem_job_identity(job);
    for (int i = 0; job->crystals != NULL && i < job->materials_count; i++)
        sw_fem_free_crystals(&job->crystals[i]);
    for (int i = 0; job->matter != NULL && i < job->materials_count; i++)
        sw_matter_free(&job->matter[i].law);
    for (int i = 0; job->tool != NULL && i < job->tools_count; i++)
        sw_fem_triangles_free((sw_fem_triangles *)job->tool[i].triangles);
    sw_fem_mesh_free(job->mesh);
}

sw_status sw_fem_job_read(const sw_arguments *arguments, sw_fem_job **job)
{
    static const sw_job_kind kind = {sw_fem_keys, sizeof **job, offsetof(sw_fem_job, source), complete,
                                     release};
    sw_status status;
    *job = sw_job_open(&kind, arguments, &status);
    return status;
}

void sw_fem_job_free(sw_fem_job *job)
{
    if (job != NULL)
        sw_job_close(job->source);
}
