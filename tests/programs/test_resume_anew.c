/* --resume where nothing is kept: every command that has it says so, and begins. */
#include "programs.h"

static const char cube_text[] =
    "mesh: {body: box, cells: [1, 1, 1]}\n"
    "materials: [{young: 200.0e9, poisson: 0.3}]\n"
    "boundary: [{nodes: x_min, x: 0}, {nodes: y_min, y: 0}, {nodes: z_min, z: 0}]\n"
    "loads: [{surface: z_max, traction: [0, 0, 600.0e6]}]\n"
    "device: cpu\n"
    "output: {file: out.h5, fields: [none]}\n";
static const char deck_text[] =
    "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
    "*ELEMENT,TYPE=C3D8,ELSET=E\n1,1,2,3,4,5,6,7,8\n*MATERIAL,NAME=M\n*ELASTIC\n2e5,.3\n"
    "*SOLID SECTION,ELSET=E,MATERIAL=M\n*BOUNDARY\n1,1,3\n2,2,3\n3,3,3\n4,1,1\n4,3,3\n5,1,2\n8,1,1\n6,2,2\n"
    "*STEP\n*STATIC\n*CLOAD\n7,1,1.\n*END STEP\n";
static const char steps_text[] =
    "material: material.yaml\n"
    "solver: iterative\n"
    "crystals: {count: 4}\n"
    "strain_increment: 0.02\n"
    "loading: [{velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 20}]\n"
    "output: {file: out.h5}\n";
static const char grains_text[] =
    "material: {young: 4.3e9, poisson: 0.5, friction: 0.5, roll_stiffness: 1.0, roll_strength: 0.2,\n"
    "           density: 2600}\n"
    "packing: {particles: 100, radii: {distribution: uniform, least: 5.0e-5, largest: 1.25e-4},\n"
    "          pressure: 200.0e3, friction: 0.1, inertia_number: 3.0e-2}\n"
    "device: cpu\n"
    "output: {file: out.h5}\n";
static const char ageing_text[] = "alloy: alloy.yaml\n"
                                  "device: cpu\n"
                                  "size_axis: {classes: 64}\n"
                                  "initial_temperature: 803.0\n"
                                  "temperature: [{quench_to: 458.0}, {hold: 100.0}]\n"
                                  "output: {file: out.h5, times: [100.0]}\n";
static const char sheet_text[] = "material: rolled.yaml\n"
                                 "crystals: {count: 10, seed: 2}\n"
                                 "r_values: {strain: 0.02, angles: [0, 90]}\n"
                                 "output: {file: out.h5}\n";
static const char rolled_text[] =
    "name: an aluminium\n"
    "crystal_structure: fcc\n"
    "elasticity: {C11: 107.3e9, C12: 60.8e9, C44: 28.3e9}\n"
    "slip: {reference_slip_rate: 1.0e-3, rate_sensitivity: 0.01, initial_slip_resistance: 25.0e6}\n"
    "hardening: {law: voce, initial_hardening_rate: 200.0e6, saturation_resistance: 60.0e6, exponent: 1.5}\n";

static const struct {
    const char *command, *file, *text;
    const char *kept; /* what it would go on with; NULL: so short a run keeps nothing */
} rows[] = {
    {"slipwave taylor steps.yaml", "steps.yaml", steps_text, "out.h5.partial"},
    {"slipwave fem cube.yaml", "cube.yaml", cube_text, "out.h5.partial"},
    {"slipwave fem cube.inp -o out.h5", "cube.inp", deck_text, "out.h5.partial"},
    {"slipwave dem grains.yaml", "grains.yaml", grains_text, "out.h5.partial"},
    {"slipwave kwn ageing.yaml", "ageing.yaml", ageing_text, NULL},
    {"slipwave forming sheet.yaml", "sheet.yaml", sheet_text, "out.h5.partial"},
    {"slipwave-db generate --grid 8,8,8,12 --terms 4 --device cpu material.yaml -o out.h5", "material.yaml",
     NULL, "out.h5.checkpoint"},
};

static void what_begins_anew_says_so(void **state)
{
    (void)state;
    char *alloy = read_data("alloys/al-mg-si-6082.yaml");
    write_text("alloy.yaml", alloy);
    write_text("rolled.yaml", rolled_text);
    free(alloy);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char command[256];
        result r;
        if (rows[i].text != NULL)
            write_text(rows[i].file, rows[i].text);
        snprintf(command, sizeof command, "%s --resume", rows[i].command);
        run(command, &r);
        const char *said = strstr(r.err, "resume: nothing is kept");
        if (r.status != 0 || said == NULL || (rows[i].kept != NULL && strstr(said, rows[i].kept) == NULL))
            fail_msg("%s: status %d, '%s'", command, r.status, r.err);
        assert_null(strstr(said + 1, "resume: ")); /* once */
        assert_int_equal(unlink("out.h5"), 0);
        snprintf(command, sizeof command, "%s --resume -q", rows[i].command);
        run(command, &r);
        if (r.status != 0 || strstr(r.err, "resume: ") != NULL)
            fail_msg("%s: status %d, '%s'", command, r.status, r.err);
        assert_int_equal(unlink("out.h5"), 0);
        run(rows[i].command, &r);
        if (r.status != 0 || strstr(r.err, "resume: ") != NULL)
            fail_msg("%s: status %d, '%s'", rows[i].command, r.status, r.err);
        assert_int_equal(unlink("out.h5"), 0);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(what_begins_anew_says_so)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
