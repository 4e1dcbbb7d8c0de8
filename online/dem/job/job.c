#include "job.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "loading.h"
#include "online/dem/backend/names.h"
#include "online/dem/backend/teams.h"
#include "online/dem/packing/packing.h"
#include "online/gpu/gpu.h"
#include "quantities.h"

/* ---- Keys ---- */

static const sw_key_case laws[] = {
#define LAW(id, text, function, numbers, overlap, keys, meaning) \
    [id] = {text, .takes = sizeof(keys) > 1 ? (keys) : NULL, .help = (meaning)},
    SW_DEM_LAW_LIST(LAW)
#undef LAW
        [SW_DEM_LAWS] = {0}};
static const char *const moment_radii[SW_DEM_MOMENT_RADII] = {
    [SW_DEM_MOMENT_MINIMUM] = "minimum", [SW_DEM_MOMENT_PRODUCT] = "product"};
static const sw_key_case distributions[] = {
    [SW_DEM_MONODISPERSE] = {"monodisperse", .needs = "radius", .help = "all alike"},
    [SW_DEM_UNIFORM] = {"uniform", .needs = "least largest", .help = "as many in equal steps of radius"},
    [SW_DEM_UNIFORM_MASS] = {"uniform_mass", .needs = "least largest",
                             .help = "as much mass in equal steps of radius"},
    [SW_DEM_LOGNORMAL] = {"lognormal", .needs = "radius deviation least largest",
                          .help = "ln r is normal by number, cut off"},
    [SW_DEM_GRADING] = {"grading", .needs = "grading",
                        .help = "sieve curve, straight over the logarithm of the diameter"},
    [SW_DEM_SIZES_KINDS] = {0}};
static const char *const damping_forms[SW_DEM_DAMPINGS] = {
    [SW_DEM_DAMPING_PREDICTED] = "predicted", [SW_DEM_DAMPING_CUNDALL] = "cundall"};
static const sw_key_case step_rules[] = {
    [SW_DEM_STEP_WAVE] = {"wave", .takes = "step", .help = "step times the least r sqrt(rho/E)"},
    [SW_DEM_STEP_STIFFNESS] = {"stiffness", .takes = "step", .help = "step times the least sqrt(m/K)"},
    [SW_DEM_STEP_FIXED] = {"fixed", .needs = "step", .help = "step in s"},
    [SW_DEM_STEP_RULES] = {0}};
static const sw_key_case methods[] = {
    [SW_DEM_SEQUENTIAL] = {"sequential",
                           .help = "one after the other where there is room, the largest first: loose"},
    [SW_DEM_FORCE_BIASED] = {"force_biased", .takes = "slowness",
                             .help = "they grow and push each other apart until they are jammed"},
    [SW_DEM_METHODS] = {0}};
static const char *const shear_stresses[] = {"zero", "free"};
static const char *const failures[] = {"omit", "zeros"};

#define PARAMETER(id, key, name, alias, unit, whole, least, most, ...) \
    SW_DEM_PARAMETER_ROW(sw_dem_job, parameter[id], key, unit, whole, least, most, __VA_ARGS__),
#define LENGTH(key, member) \
    SW_REAL(key, sw_dem_job, member, SW_DEM_LEAST_LENGTH, SW_DEM_MOST_LENGTH), .unit = "m"

static const sw_key material_keys[] = {
    {SW_CASES("law", sw_dem_job, material.law, laws)},
    SW_DEM_MATERIAL_PARAMETERS(PARAMETER){
        SW_WORD("moment_radius", sw_dem_job, material.moment_radius, moment_radii),
        .help = "rotational stiffnesses are K_T times the smaller radius squared, or times both radii"},
    {SW_YES("coupled", sw_dem_job, material.coupled),
     .help = "metal, N up to 0.1, on the CPU: contacts of a particle feel each other, to densities near 1"},
    SW_KEYS_END};
static const sw_key radii_keys[] = {
    {SW_CASES("distribution", sw_dem_job, sizes.kind, distributions), .needed = 1},
    {LENGTH("radius", sizes.radius), .help = "radius of all; the median"},
    {SW_REAL("deviation", sw_dem_job, sizes.deviation, 0, 3), .open = SW_OPEN_BELOW, .help = "of ln r"},
    {LENGTH("least", sizes.least), .help = "least radius"},
    {LENGTH("largest", sizes.largest), .help = "largest radius"},
    {SW_ROWS("grading", sw_dem_job, packing.grading, 2), .shortest = 2, .longest = 1000,
     .bound = "diameter (m), part of the mass that is finer: from 0 to 1", .help = "sieve curve"},
    SW_KEYS_END};
static const sw_key packing_keys[] = {
    {SW_PATH("file", sw_dem_job, packing.file), .otherwise = "it is generated",
     .help = "a packing, .txt or .vtkhdf, instead of the keys down to record"},
    {SW_YES("goes_on", sw_dem_job, packing.goes_on),
     .help = "time, steps, strain and work count on from those of a .vtkhdf file, as if a run had not been "
             "cut in two; refused where that cannot be"},
    {SW_SECTION("radii", radii_keys)},
    {SW_ROWS("clump", sw_dem_job, packing.clump, 4), .shortest = 2, .longest = 100,
     .bound = "x, y, z, radius of a sphere, over the size that radii give",
     .otherwise = "particles are spheres",
     .help = "rigid bodies of these spheres in place of each, turned at random"},
    {SW_CASES("method", sw_dem_job, packing.method, methods),
     .help = "where particles are before they are compressed"},
    {SW_REAL("slowness", sw_dem_job, packing.slowness, SW_DEM_LEAST_SLOWNESS, SW_DEM_MOST_SLOWNESS),
     .standard = 1e4, .help = "of the contraction: denser, and as much slower"},
    SW_DEM_PACKING_PARAMETERS(PARAMETER){
        SW_REAL("friction_decay", sw_dem_job, packing.target.friction_decay, 1e-6, 0.5), .standard = 0.005,
        .help = "part by which friction falls at each control interval"},
    {SW_WORD("shear_stress", sw_dem_job, packing.target.free_shear, shear_stresses),
     .help = "zero: the cell leans until shear stresses are; free: it stays upright and keeps them"},
    {SW_REAL("stress_tolerance", sw_dem_job, packing.target.stress_tolerance, 1e-6, 0.5), .standard = 1e-2,
     .help = "at the end, relative"},
    {SW_REAL("unbalanced_force", sw_dem_job, packing.target.unbalanced_force, 1e-9, 1), .standard = 1e-2,
     .help = "at the end, over the mean contact force"},
    {SW_WHOLE("most_steps", sw_dem_job, packing.target.max_steps, 1, 1e12), .standard = 1e7,
     .help = "of each of its three stages"},
    {SW_YES("record", sw_dem_job, packing.record), .otherwise = "no; without loading yes",
     .help = "records of the packing, too"},
    SW_KEYS_END};
static const sw_key rves_keys[] = {
    {SW_WHOLE("count", sw_dem_job, rves.count, 1, 1e6), .standard = 1,
     .help = "elements of each variation or sample: seeds count up"},
    {SW_ENTRIES("variations", sw_dem_job, rves.variations, sw_dem_variation_keys), .shortest = 1,
     .otherwise = "the job itself", .help = "what differs"},
    SW_KEYS_END};
static const sw_key numerics_keys[] = {
    {SW_WORD("damping_form", sw_dem_job, numerics.damping_form, damping_forms),
     .help = "Lubbe's Eq. 9, or against the velocity"},
    {SW_CASES("step_rule", sw_dem_job, numerics.step_rule, step_rules)},
    {SW_REAL("step", sw_dem_job, numerics.step, 1e-15, 1), .standard = 0.5,
     .bound = "a part of the critical step, from 1e-3 to 1; fixed: s, from 1e-15 to 1",
     .help = "the time step"},
    {SW_REAL("skin", sw_dem_job, numerics.skin, 1e-3, 2), .standard = 0.1,
     .bound = "a part of the least radius, from 1e-3 to 2", .help = "of the Verlet list"},
    {SW_REAL("servo_gain", sw_dem_job, numerics.servo_gain, 1e-4, 1), .standard = 0.5,
     .help = "part of the stress error that an interval corrects"},
    {SW_WHOLE("control_interval", sw_dem_job, numerics.control_interval, 1, 100000), .standard = 20,
     .help = "steps between measurements, which the servo follows"},
    {SW_WHOLE("record_interval", sw_dem_job, numerics.record_interval, 1, 1e12),
     .otherwise = "by record_strain", .help = "steps between records, a multiple of control_interval"},
    {SW_REAL("record_strain", sw_dem_job, record_strain, 1e-9, 1), .standard = 5e-4,
     .help = "strain between records, at the first test's rate"},
    {SW_YES("affine", sw_dem_job, numerics.affine), .help = "particles move with the cell alone"},
    {SW_REAL("time_scale", sw_dem_job, numerics.time_scale, 1e-12, 1e18), .standard = 1,
     .help = "seconds that pass for slip in one of motion: contacts flow this much slower"},
    SW_DEM_NUMERICS_PARAMETERS(PARAMETER) SW_KEYS_END};
static const sw_key execution_keys[] = {
    {SW_WORD("team", sw_dem_job, options.team, sw_dem_teams), .option = "team",
     .papers = SW_DEM_TEAMS_OF_PAPERS,
     .help = "who advances an element: thread on the CPU, the others on a GPU; launches of a paper, for "
             "comparison"},
    {SW_WORD("detection", sw_dem_job, options.detection, sw_dem_detections), .option = "detection",
     .papers = SW_DEM_DETECTIONS_OF_PAPERS,
     .help = "how neighbours are found; hash and bvh go with team launches"},
    {SW_WORD("images", sw_dem_job, options.images, sw_dem_image_names), .option = "images",
     .help = "how particles meet across the cell's faces"},
    {SW_REAL("memory", sw_dem_job, memory, 1e6, 1e15), .unit = "bytes", .otherwise = "most of what is free",
     .help = "on the device at most; elements that do not fit wait"},
    {SW_REAL("checkpoint", sw_dem_job, checkpoint, 0.1, 1e9), .unit = "s", .standard = 300,
     .help = "time between states kept in FILE.partial, at least 20 times what writing one takes"},
    SW_KEYS_END};
static const sw_key snapshots_keys[] = {{SW_REAL("strain", sw_dem_job, output.snapshot_strain, 1e-6, 10),
                                         .needed = 1,
                                         .help = "between two: logarithmic, since a stage's beginning, of "
                                                 "the component that strains most; and the ends of "
                                                 "stages that are recorded"},
                                        SW_KEYS_END};
static const sw_key output_keys[] = {
    {SW_OUTPUT("file", sw_dem_job, output.file), .needed = 1, .bound = "a file for the results",
     .option = "output", .letter = 'o', .help = "results file"},
    {SW_TEXTS("packings", sw_dem_job, output.packings), .longest = 2, .bound = "txt, vtkhdf",
     .otherwise = "none", .help = "elements as they are at the end, FILE-0000.txt on"},
    {SW_YES("contacts", sw_dem_job, output.contacts), .help = "theirs at the end, in the results file"},
    {SW_SECTION("snapshots", snapshots_keys),
     .help = "particles during the run, FILE-0000-0000.vtkhdf on, and FILE-0000.vtkhdf.series"},
    SW_KEYS_END};
static const sw_key probes_keys[] = {
    {SW_WHOLE("directions", sw_dem_job, probes.directions, 4, 10000), .standard = 24,
     .help = "of strain in the plane of volume and deviator, evenly around it"},
    {SW_WHOLE("axis", sw_dem_job, probes.axis, 1, 3), .standard = 3, .bound = "1, 2 or 3",
     .help = "of the deviator: the stress along it less the mean of the others"},
    {SW_REAL("unload", sw_dem_job, probes.unload, 0.01, 0.99), .standard = 0.5,
     .help = "part of the normal stresses that copies begin from"},
    {SW_REAL("offset", sw_dem_job, probes.offset, 1e-5, 0.1), .standard = 0.002,
     .help = "yield: work dissipated per volume over the pressure before unloading"},
    {SW_REAL("strain", sw_dem_job, probes.strain, 1e-4, 0.5), .standard = 0.03,
     .help = "sqrt(D:D / 2) times time, after which a copy has not yielded"},
    {SW_YES("stiffness", sw_dem_job, probes.stiffness), .help = "the tangent for small strains, too"},
    SW_KEYS_END};
static const sw_key samples_keys[] = {
    {SW_PATH("table", sw_dem_job, samples.table), .otherwise = "none", .option = "samples",
     .argument = "TABLE", .help = "run GrainLearning's table of samples"},
    {SW_TEXT("folder", sw_dem_job, samples.folder), .otherwise = "working folder",
     .help = "for the samples' files"},
    {SW_TEXT("control", sw_dem_job, samples.control), .otherwise = "needed with table",
     .bound = "a quantity, as strain_33", .help = "along which curves are written"},
    {SW_WORD("on_failure", sw_dem_job, samples.zeros_on_failure, failures),
     .help = "no files of a sample that fails, or all quantities 0"},
    {SW_REALS("values", sw_dem_job, samples.values, -INFINITY, INFINITY), .shortest = 1, .longest = 1000000,
     .bound = "numbers that rise or fall", .otherwise = "by count", .help = "of the control"},
    {SW_WHOLE("count", sw_dem_job, samples.count, 2, 1000000), .otherwise = "by values",
     .help = "values from first to last"},
    {SW_REAL("first", sw_dem_job, samples.first, -1e15, 1e15), .otherwise = "0"},
    {SW_REAL("last", sw_dem_job, samples.last, -1e15, 1e15), .standard = NAN,
     .otherwise = "needed with count"},
    {SW_TEXTS("columns", sw_dem_job, samples.columns), .shortest = 1, .longest = 64,
     .otherwise = "needed with table", .bound = "quantities, as [stress_ratio]"},
    SW_KEYS_END};

const sw_key sw_dem_keys[] = {
    {SW_SECTION("material", material_keys), .needed = 1},
    {SW_ENTRIES("others", sw_dem_job, others, sw_dem_other_keys), .longest = SW_DEM_MATERIALS - 1,
     .otherwise = "none: one material", .help = "materials of other particles, drawn by `part`"},
    {SW_SECTION("crystals", sw_dem_crystals_keys), .help = "that particles are made of"},
    {SW_SECTION("packing", packing_keys), .needed = 1},
    {SW_SECTION("sides", sw_dem_sides_keys)},
    {SW_PLACES("walls", sw_dem_job, walls, walls_count, sw_dem_wall_keys), .otherwise = "none",
     .help = "rigid bodies beside the sides"},
    {SW_SECTION("membrane", sw_dem_membrane_keys),
     .help = "a flexible one around a cylinder of the packing.file between platens; on the CPU"},
    {SW_REAL_PLACES("gravity", sw_dem_job, gravity, gravity_count, -1e9, 1e9), .shortest = 3,
     .bound = "3 numbers", .unit = "m/s^2", .otherwise = "none",
     .help = "with it particles need not be pressed: "
             "without packing.pressure they are strewn, and fall"},
    {SW_SECTION("rves", rves_keys)},
    {SW_SECTION("numerics", numerics_keys)},
    {SW_ENTRIES("loading", sw_dem_job, loading, sw_dem_loading_keys), .longest = 1000,
     .otherwise = "none: packings alone", .help = "tests"},
    SW_DEVICE_KEY(sw_dem_job, run),
    SW_THREADS_KEY(sw_dem_job, run),
    {SW_SECTION("execution", execution_keys)},
    {SW_SECTION("output", output_keys), .needed = 1},
    {SW_SECTION("probes", probes_keys), .help = "yield surfaces at the end, by copies of each element"},
    {SW_SECTION("samples", samples_keys)},
    SW_RESUME_KEY(sw_dem_job, run),
    SW_QUIET_KEY(sw_dem_job, run),
    SW_KEYS_END};

/* ---- Checks ---- */

static sw_status check_numerics(const sw_dem_job *job)
{
    const sw_dem_numerics *n = &job->numerics;
    int records;
    if (n->step_rule != SW_DEM_STEP_FIXED)
        SW_TRY(sw_job_need(job->source, "numerics.step", n->step, n->step >= 1e-3,
                           "a part of the critical step, from 1e-3 to 1"));
    SW_TRY(sw_job_one_of(job->source, "numerics.", "record_strain record_interval", 0, &records));
    if (n->record_interval % n->control_interval != 0)
        return sw_job_error(job->source, "numerics.record_interval",
                            " = %lld: need a multiple of control_interval = %lld",
                            (long long)n->record_interval, (long long)n->control_interval);
    return SW_OK;
}

/* Where the team runs, and whether the detection is its own. */
static sw_status check_team(const sw_dem_job *job)
{
    const sw_dem_options *o = &job->options;
    const char *team = sw_dem_teams[o->team];
    if (job->run.device == SW_DEVICE_CPU && o->team != SW_DEM_AUTO && o->team != SW_DEM_THREAD)
        return sw_job_error(job->source, "execution.team", " = %s: runs on a GPU, but device = cpu", team);
    if (job->run.device == SW_DEVICE_CUDA && o->team == SW_DEM_THREAD)
        return sw_job_error(job->source, "execution.team", " = %s: runs on the CPU, but device = cuda", team);
    if (o->detection != SW_DEM_GRID && o->team != SW_DEM_LAUNCHES)
        return sw_job_error(job->source, "execution.detection",
                            " = %s: need team = launches, others have grid", sw_dem_detections[o->detection]);
    return SW_OK;
}

/* The device, and what it has. */
static sw_status choose_device(sw_dem_job *job)
{
    sw_dem_options *o = &job->options;
    char gpu[sizeof job->device - 8];
    SW_TRY(check_team(job));
    o->memory = (int64_t)job->memory;
    snprintf(job->device, sizeof job->device, "cpu");
    int stays = job->material.coupled || job->has_membrane;
    if (job->material.coupled && job->run.device == SW_DEVICE_CUDA)
        return sw_job_error(job->source, "material.coupled", " = yes: runs on the CPU, but device = cuda");
    for (int i = 0; i < SW_DEM_WALLS; i++)
        stays |= job->mesh[i] != NULL;
    if (job->run.device == SW_DEVICE_CPU || o->team == SW_DEM_THREAD || (stays && o->team == SW_DEM_AUTO))
        return SW_OK;
    o->cuda = sw_gpu_describe(gpu, sizeof gpu) > 0;
    if (o->cuda)
        snprintf(job->device, sizeof job->device, "cuda, %s", gpu);
    const char *why = strncmp(gpu, "none: ", 6) == 0 ? gpu + 6 : gpu;
    if (!o->cuda && job->run.device == SW_DEVICE_CUDA)
        return sw_job_error(job->source, "device", " = cuda: no GPU: %s", why);
    if (!o->cuda && o->team != SW_DEM_AUTO)
        return sw_job_error(job->source, "execution.team", " = %s: no GPU: %s", sw_dem_teams[o->team], why);
    return SW_OK;
}

static sw_status check_output(sw_dem_job *job)
{
    static const char *const kinds[] = {"txt", "vtkhdf"};
    for (unsigned i = 0; i < job->output.packings_count; i++) {
        char key[SW_KEY_SIZE];
        int kind;
        sw_key_path(key, "output.packings[%u]", i);
        SW_TRY(sw_job_choose(job->source, key, job->output.packings[i], 2, kinds, &kind));
        *(kind == 0 ? &job->write_txt : &job->write_vtkhdf) = 1;
    }
    return SW_OK;
}

static sw_status check(void *values)
{
    sw_dem_job *job = values;
    int friction;
    SW_TRY(sw_job_one_of(job->source, "material.", "friction friction_angle", 1, &friction));
    SW_TRY(check_numerics(job));
    SW_TRY(sw_dem_check_membrane(job));
    SW_TRY(sw_dem_check_walls(job));
    SW_TRY(sw_dem_check_clump(job));
    SW_TRY(sw_dem_read_crystals(job));
    SW_TRY(sw_dem_check_loading(job));
    SW_TRY(sw_dem_make_elements(job));
    SW_TRY(sw_dem_check_idle(job));
    if (job->numerics.affine && !job->packed_by_file)
        return sw_job_error(job->source, "numerics.affine",
                            " = yes: need packing.file: strewn particles that do not move are never packed");
    SW_TRY(check_output(job));
    job->has_probes = sw_job_given(job->source, "probes");
    if (job->has_probes && job->loading_count == 0)
        return sw_job_error(job->source, "probes", ": need a loading before them");
    SW_TRY(choose_device(job));
    return sw_dem_open_response(job);
}

/* ---- Reading ---- */

static void release(void *values)
{
    sw_dem_job *job = values;
    sw_dem_table_free(job->table);
    sw_response_close(job->response);
    for (int i = 0; i < SW_DEM_WALLS; i++)
        sw_dem_mesh_free(job->mesh[i]);
    sw_polycrystal_free(&job->polycrystal);
}

sw_status sw_dem_job_read(const sw_arguments *arguments, sw_dem_job **job)
{
    static const sw_job_kind kind = {sw_dem_keys, sizeof **job, offsetof(sw_dem_job, source), check, release};
    sw_status status;
    *job = sw_job_open(&kind, arguments, &status);
    return status;
}

void sw_dem_job_free(sw_dem_job *job)
{
    if (job != NULL)
        sw_job_close(job->source);
}
