/* Texts but jobs: textures, scans, meshes, packings, tables, lists of numbers; materials and alloys. */
#include <math.h>
#include <stdlib.h>

#include "common/crystal/material_file.h"
#include "harness.h"
#include "offline/checkpoint.h"
#include "online/dem/element/mesh.h"
#include "online/dem/job/input.h"
#include "online/fem/deck/deck.h"
#include "online/dem/packing/packing.h"
#include "online/fem/grains/grains.h"
#include "online/fem/mesh/mesh.h"
#include "online/forming/fit/curve_file.h"
#include "online/kwn/job/alloy_file.h"
#include "online/vpsc/input/input.h"
#include "tests/online/texture/crystal_files.h"

static int all_finite(int64_t n, const double *number)
{
    int good = 1;
    for (int64_t i = 0; i < n; i++)
        good &= isfinite(number[i]) != 0;
    return good;
}

/* ---- Textures and scans ---- */

/* A deck, and the problem that it becomes: what it names is there. */
static void read_deck(const char *path)
{
    sw_deck *deck;
    const sw_structure_problem *p;
    if (!sw_fuzz_is_read(sw_deck_read(path, -1, &deck)))
        return;
    if (sw_fuzz_is_read(sw_deck_make_problem(deck, &p))) {
        for (int64_t i = 0; i < p->n_members; i++)
            sw_fuzz_need(p->node[i] >= 0 && p->node[i] < p->n_nodes, "a node of an element");
        for (int64_t e = 0; e < p->n_elements; e++)
            sw_fuzz_need(p->element[e].section >= 0 && p->element[e].section < p->n_sections, "a section");
        for (int k = 0; k < p->n_steps; k++)
            for (int64_t i = 0; i < p->step[k].n_fixed; i++)
                sw_fuzz_need(p->step[k].fixed[i].unknown >= 0 && p->step[k].fixed[i].unknown < 3 * p->n_nodes,
                             "what is prescribed");
    }
    sw_deck_free(deck);
}

static void read_crystals(const char *path)
{
    static const sw_crystal_filter filters[] = {
        {.phase = NULL},
        {.phase = "1"},
        {.phase = "Copper"},
        {.group = &sw_point_group_432},
        {.group = &sw_point_group_622, .hexagonal_x = SW_HEXAGONAL_A_STAR},
        {.group = &sw_point_group_622, .grain_angle = 5}};
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        sw_crystal_list list = {0};
        if (!sw_fuzz_is_read(sw_crystal_file_read_with(path, &filters[i], &list)))
            continue;
        sw_fuzz_need(list.count >= 1 && all_finite(3 * list.count, list.euler[0]), "crystals that are none");
        for (int64_t k = 0; list.weight != NULL && k < list.count; k++)
            sw_fuzz_need(list.weight[k] > 0 && isfinite(list.weight[k]), "a weight that is none");
        free(list.euler);
        free(list.weight);
    }
}

/* ---- Packings, walls, tables ---- */

static void read_walls(const char *path)
{
    sw_dem_mesh *mesh;
    sw_dem_mesh_contact contact[SW_DEM_MESH_CONTACTS];
    if (!sw_fuzz_is_read(sw_dem_mesh_read(path, 1, &mesh)))
        return;
    for (int64_t i = 0; i < mesh->n; i++) {
        const sw_dem_triangle *t = &mesh->triangle[i];
        sw_fuzz_need(all_finite(9, t->corner[0]) && all_finite(3, t->normal), "a triangle that is none");
        const int n = sw_dem_mesh_contacts(mesh, t->corner[0], 1e-3, 1.5, contact);
        sw_fuzz_need(n >= 0 && n <= SW_DEM_MESH_CONTACTS, "contacts");
    }
    sw_dem_mesh_free(mesh);
}

static void read_packing(const char *path)
{
    sw_dem_packing packing = {0};
    if (!sw_fuzz_is_read(sw_dem_packing_read(path, &packing)))
        return;
    sw_fuzz_need(packing.n_particles >= 1 && all_finite(3 * packing.n_particles, packing.position[0]),
                 "a packing without places");
    for (int64_t i = 0; i < packing.n_particles; i++)
        sw_fuzz_need(packing.radius[i] > 0 && isfinite(packing.radius[i]), "a radius that is none");
    sw_dem_packing_free(&packing);
}

static void read_curve(const char *path)
{
    static const char *const columns[][2] = {{NULL, NULL}, {"strain", "stress"}, {"3", "1"}};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        sw_curve curve;
        if (!sw_fuzz_is_read(sw_curve_read(path, columns[i], &curve)))
            continue;
        sw_fuzz_need(curve.n >= 1 && all_finite(curve.n, curve.strain) && all_finite(curve.n, curve.stress),
                     "a curve without points");
        sw_curve_free(&curve);
    }
}

static void read_table(const char *path)
{
    sw_dem_table *table = NULL;
    if (!sw_fuzz_is_read(sw_dem_table_read(path, &table)))
        return;
    for (int64_t i = 0; i < table->n_rows; i++)
        for (int64_t k = 0; k < table->n_columns; k++) {
            double value;
            if (sw_fuzz_is_read(sw_dem_table_number(table, i, k, &value)))
                sw_fuzz_need(isfinite(value), "a number that is none");
        }
    sw_dem_table_free(table);
}

static void read_path(const char *path)
{
    static const sw_key no_keys[] = {SW_KEYS_END};
    sw_dem_path read = {0};
    sw_job *job;
    void *values;
    sw_fuzz_need(sw_job_parse(no_keys, 8, "job.yaml", "{}\n", &job, &values) == SW_OK, "no job");
    if (sw_fuzz_is_read(sw_dem_path_read(job, path, &read)))
        sw_fuzz_need(read.n_rows >= 2 && all_finite(read.n_rows, read.time) &&
                         all_finite(SW_DEM_SIX * read.n_rows, read.value[0]),
                     "a stress path that is none");
    sw_job_close(job);
}

/* ---- Meshes, grains ---- */

static void read_mesh(const char *path)
{
    sw_fem_mesh *mesh = NULL;
    if (sw_fuzz_is_read(sw_fem_mesh_read(path, &mesh)))
        sw_fuzz_need(mesh->n_nodes > 0 && mesh->n_elements > 0, "a mesh without elements");
    sw_fem_mesh_free(mesh);
}

static sw_fem_mesh *box;

static void make_box(void)
{
    const sw_fem_voxels voxels = {.body = "box", .cells = {2, 3, 2}};
    sw_fuzz_need(sw_fem_voxel_mesh(&voxels, &box) == SW_OK, "no box");
}

static void read_seeds(const char *path)
{
    double(*place)[3] = NULL;
    int64_t n;
    if (sw_fuzz_is_read(sw_fem_grain_seeds_read(path, box, &n, &place)))
        sw_fuzz_need(n > 0 && all_finite(3 * n, place[0]), "seeds that are none");
    free(place);
}

static void read_grains(const char *path)
{
    enum { ELEMENTS = 12 };
    int32_t grain[ELEMENTS];
    int64_t n;
    if (sw_fuzz_is_read(sw_fem_grains_read(path, NULL, ELEMENTS, grain, &n)))
        for (int i = 0; i < ELEMENTS; i++)
            sw_fuzz_need(grain[i] >= 0 && grain[i] < n, "a grain that is none");
}

/* ---- Materials ---- */

static void read_material(const char *path)
{
    sw_material material;
    if (sw_fuzz_is_read(sw_material_read(path, &material)))
        sw_fuzz_need(material.slip.initial_slip_resistance > 0, "a material without strength");
}

static void read_alloy(const char *path)
{
    sw_kwn_alloy *alloy = NULL;
    (void)sw_fuzz_is_read(sw_kwn_alloy_open(path, &alloy));
    sw_kwn_alloy_close(alloy);
}

/* ---- Inputs of VPSC8 ---- */

static void read_vpsc(const char *path)
{
    sw_vpsc_input input = {0};
    if (sw_fuzz_is_read(sw_vpsc_read_input(path, &input))) {
        sw_fuzz_need(input.n_phases >= 1 && input.n_processes >= 0, "a run of nothing");
        for (int i = 0; i < input.n_phases; i++) {
            const sw_vpsc_phase *phase = &input.phase[i];
            sw_fuzz_need(phase->grains.count >= 1 &&
                             all_finite(3 * phase->grains.count, phase->grains.euler[0]),
                         "a phase without grains");
            sw_fuzz_need(input.elastic ||
                             (phase->crystal.n_systems >= 1 && all_finite(3, phase->crystal.normal[0])),
                         "a crystal without systems");
        }
    }
    sw_vpsc_input_free(&input);
}

static void write_vpsc(const char *crystal, int kind, const char *process)
{
    char text[1024];
    const int n =
        snprintf(text, sizeof text,
                 "1\n1\n1.\n*\n0 0 25\n1. 1. 1.\n0. 0. 0.\n*\nvpsc.tex\n*\n%s\n*\nnone\n*\n0\nnone\n"
                 "*\n1e-3 1e-3 1e-3 .01\n100 100 25\n0 2 10 2\n*\n0\n0\n0\n0\n*\n1 1.\n1 1 1\n0\n0\n"
                 "*\n1\n*\n%d\n%s\n",
                 crystal, kind, process);
    sw_fuzz_write("VPSC8.in", text, (size_t)n);
}

static void with_crystal(void) { write_vpsc("input.txt", 0, "vpsc.load"); }
static void with_load(void) { write_vpsc("vpsc.sx", 0, "input.txt"); }
static void with_history(void) { write_vpsc("vpsc.sx", 1, "input.txt"); }

static void read_vpsc_part(const char *path)
{
    (void)path;
    read_vpsc("VPSC8.in");
}

/* ---- What generate keeps: no text, but read as bytes ---- */

enum { BLOCKS = 4, NUMBERS = 6 };

static void read_checkpoint(const char *path)
{
    sw_checkpoint *checkpoint;
    double block[NUMBERS];
    if (!sw_fuzz_is_read(sw_checkpoint_open(path, 7, BLOCKS, NUMBERS, 1, &checkpoint)))
        return;
    for (int i = 0; i < BLOCKS; i++)
        (void)sw_checkpoint_read(checkpoint, i, block, NUMBERS);
    sw_checkpoint_close(checkpoint);
}

const sw_fuzz_harness sw_fuzz_texts[] = {
    {.name = "ori", .file = "input.ori", .read = read_crystals},
    {.name = "tex", .file = "input.tex", .read = read_crystals},
    {.name = "ang",
     .file = "input.ang",
     .read = read_crystals,
     .words = "#  Phase  MaterialName  Formula  NumberFeatures COLUMN_COUNT: COLUMN_HEADERS: GRID:"},
    {.name = "ctf",
     .file = "input.ctf",
     .read = read_crystals,
     .words = "Phase Euler1 Euler2 Euler3 Phases Channel Bands Error MAD XCells"},
    {.name = "packing",
     .file = "input.txt",
     .read = read_packing,
     .words = "cell particles contacts law contact"},
    {.name = "stl",
     .file = "input.stl",
     .read = read_walls,
     .words = "solid facet normal outer loop vertex endloop endfacet endsolid"},
    {.name = "table", .file = "input.txt", .read = read_table},
    {.name = "curve", .file = "input.txt", .read = read_curve},
    {.name = "path",
     .file = "input.txt",
     .read = read_path,
     .words = "time stress_11 stress_22 stress_33 stress_23 strain_rate_11 strain_rate_33 strain_rate_13"},
    {.name = "inp",
     .file = "input.inp",
     .read = read_mesh,
     .words =
         "*NODE *ELEMENT *NSET *ELSET *SURFACE *PART *ASSEMBLY *INSTANCE *END ,TYPE=C3D8 ,TYPE=CPS4 ,TYPE=S4 "
         ",ELSET= ,NSET= ,GENERATE ,NAME= ,INSTANCE= ,INTERNAL ,UNSORTED ,TYPE=ELEMENT ,TYPE=NODE S1 S6"},
    {.name = "deck",
     .file = "input.inp",
     .read = read_deck,
     .words = "*NODE *ELEMENT *NSET *ELSET *SURFACE *PART *ASSEMBLY *INSTANCE *END ,TYPE=C3D20R ,TYPE=S8R "
              ",TYPE=B32 "
              ",TYPE=SPRINGA *MATERIAL *ELASTIC *PLASTIC *EXPANSION *SOLID *SHELL *BEAM SECTION *STEP "
              "*STATIC *CLOAD "
              "*DLOAD ,GRAV, ,CENTRIF, *BOUNDARY ,OP=NEW *TEMPERATURE *AMPLITUDE *EQUATION *TIE *COUPLING "
              "*KINEMATIC "
              "*DISTRIBUTING *RIGID BODY *TRANSFORM *ORIENTATION *NGEN *NFILL *ELGEN *NCOPY *ELCOPY ,ELSET= "
              ",NSET= "
              ",GENERATE ,NAME= ,INPUT="},
    {.name = "seeds", .file = "input.txt", .read = read_seeds, .prepare = make_box},
    {.name = "grains", .file = "input.txt", .read = read_grains},
    {.name = "material", .file = "input.yaml", .read = read_material, .keys = sw_material_keys},
    {.name = "alloy", .file = "input.yaml", .read = read_alloy, .keys = sw_kwn_alloy_keys},
    {.name = "vpsc",
     .file = "VPSC8.in",
     .read = read_vpsc,
     .words = "vpsc.sx vpsc.tex vpsc.load vpsc.history"},
    {.name = "vpsc_crystal",
     .file = "input.txt",
     .read = read_vpsc_part,
     .prepare = with_crystal,
     .words = "CUBIC HEXAGONAL TRIGONAL TETRAGONAL ORTHORHOMBIC MONOCLINIC TRICLINIC"},
    {.name = "vpsc_load", .file = "input.txt", .read = read_vpsc_part, .prepare = with_load},
    {.name = "vpsc_history", .file = "input.txt", .read = read_vpsc_part, .prepare = with_history},
    {.name = "checkpoint", .file = "input.checkpoint", .read = read_checkpoint},
    {0}};
