/* Bending that locks is said, and nothing else is. */
#include "programs.h"

#define FEM "slipwave fem -q "
#ifndef PI
#define PI 3.14159265358979323846
#endif

/* A strip of 100 x 1 and unit depth under a force across its end, elements a long: too stiff by 1 + 0.35 a^2 (bending.c), whose
 * shear is as much less 1 of the whole: of 20 elements 8.75 / 9.75, of 400 2 %. */
static void write_strip(int cells, const char *kinematics, double force, double turn)
{
    char text[1200];
    FILE *file = fopen("strip.inp", "w");
    assert_non_null(file);
    fprintf(file, "*NODE\n");
    for (int j = 0; j < 3; j++)
        for (int i = 0; i <= cells; i++) {
            const double x = 100.0 * i / cells, y = 0.5 * j;
            fprintf(file, "%d, %.12g, %.12g\n", 1 + i + j * (cells + 1), x * cos(turn) - y * sin(turn),
                    x * sin(turn) + y * cos(turn));
        }
    fprintf(file, "*ELEMENT, TYPE=%s, ELSET=STRIP\n",
            strncmp(kinematics, "plane_stress", 12) == 0 ? "CPS4" : "CPE4");
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < cells; i++) {
            const int a = 1 + i + j * (cells + 1), b = a + cells + 1;
            fprintf(file, "%d, %d, %d, %d, %d\n", 1 + i + j * cells, a, a + 1, b + 1, b);
        }
    fprintf(file, "*NSET, NSET=HELD\n%d, %d, %d\n*NSET, NSET=END\n%d, %d, %d\n", 1, cells + 2, 2 * cells + 3,
            cells + 1, 2 * cells + 2, 3 * cells + 3);
    assert_int_equal(fclose(file), 0);
    snprintf(
        text, sizeof text,
        "mesh: {file: strip.inp}\nkinematics: %s\nmaterials: [{young: 210000.0, poisson: 0.3}]\n"
        "boundary: [{nodes: HELD, x: 0, y: 0}]\nloads: [{nodes: END, force: [%.12g, %.12g]}]\ndevice: cpu\n"
        "solver: {preconditioner: block_jacobi}\noutput: {file: out.h5, fields: [none]}\n",
        kinematics, -force * sin(turn), force * cos(turn));
    write_text("strip.yaml", text);
}

static void bending_that_locks_is_said(void **state)
{
    (void)state;
    static const struct {
        int cells;
        const char *kinematics;
        double turn;
        const char *says;
    } cases[] = {
        {20, "plane_stress", 0,
         "increment 1: 90 % of the strain energy is shear of elements that are bent, which locks: the "
         "body may be 9.97 times too stiff: need"},
        {20, "plane_stress", PI / 5, "the body may be 9.97 times too stiff"},
        {20, "plane_strain\nstrain: finite", PI / 5, " times too stiff"},
        {400, "plane_stress", PI / 5, NULL},
        {400, "plane_strain\nstrain: finite", 0, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        result r;
        write_strip(cases[i].cells, cases[i].kinematics, 0.01, cases[i].turn);
        run(FEM "strip.yaml", &r);
        assert_int_equal(r.status, 0);
        if ((strstr(r.err, "too stiff") != NULL) != (cases[i].says != NULL) ||
            (cases[i].says != NULL && strstr(r.err, cases[i].says) == NULL))
            fail_msg("%zu: '%s': need %s", i, r.err, cases[i].says != NULL ? cases[i].says : "no word of it");
    }
    unlink("out.h5");
    unlink("strip.inp");
    unlink("strip.yaml");
}

/* A thick block that is stretched beside a thin sheet that is bent, in one body, whose energy is the block's; it is let go
 * again, and what is left then is round-off. */
static const char parts_text[] = "*NODE\n1, 0, 0\n2, 4, 0\n3, 8, 0\n4, 12, 0\n5, 16, 0\n6, 20, 0\n"
                                 "11, 0, 1\n12, 4, 1\n13, 8, 1\n14, 12, 1\n15, 16, 1\n16, 20, 1\n"
                                 "17, 0, 41\n18, 4, 41\n"
                                 "*ELEMENT, TYPE=CPS4, ELSET=SHEET\n1, 2, 3, 13, 12\n2, 3, 4, 14, 13\n"
                                 "3, 4, 5, 15, 14\n4, 5, 6, 16, 15\n"
                                 "*ELEMENT, TYPE=CPS4, ELSET=BLOCK\n11, 1, 2, 12, 11\n12, 11, 12, 18, 17\n"
                                 "*NSET, NSET=HELD\n1, 2\n*NSET, NSET=TOP\n17, 18\n*NSET, NSET=END\n6, 16\n";
static const char parts_job[] =
    "mesh: {file: parts.inp}\nkinematics: plane_stress\nmaterials: [{young: 210000.0, poisson: 0.3}]\n"
    "boundary: [{nodes: HELD, x: 0, y: 0}, {nodes: TOP, y: 0.04}]\n"
    "loads: [{nodes: END, force: [0, 15.0]}]\n"
    "steps: [{factor: 1, increments: 2}, {factor: 0, increments: 2}]\n"
    "device: cpu\noutput: {file: out.h5, fields: [none]}\n";

static void parts_that_lock_are_said(void **state)
{
    (void)state;
    result r;
    write_text("parts.inp", parts_text);
    write_text("parts.yaml", parts_job);
    run(FEM "parts.yaml", &r);
    assert_int_equal(r.status, 0);
    if (strstr(r.err,
               "increment 1: 81.1 % of the strain energy of element set SHEET (6.45 % of the body's) is "
               "shear of elements that are bent, which locks: that part may be 5.3 times too stiff") ==
            NULL ||
        strchr(r.err, '\n') != r.err + strlen(r.err) - 1)
        fail_msg("'%s'", r.err);
    unlink("out.h5");
    unlink("parts.inp");
    unlink("parts.yaml");
}

/* A sheet one element thick, of elements ten times as long, that is stretched, and a block that barrels. */
static void what_does_not_bend_is_not_warned_of(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "mesh: {body: box, cells: [6, 4, 1], size: [60.0, 40.0, 1.0]}\n"
        "materials: [{young: 210000.0, poisson: 0.3}]\n"
        "boundary: [{nodes: x_min, x: 0, y: 0, z: 0}, {nodes: x_max, x: 0.1, y: 0.05, z: 0}]\n"
        "device: cpu\noutput: {file: out.h5, fields: [none]}\n",
        "mesh: {body: box, cells: [7, 2, 2], size: [0.7, 0.3, 0.3]}\n" /* by 10 %, which small strains are meant for */
        "materials: [{young: 210000.0, poisson: 0}]\n"
        "boundary: [{nodes: x_min, x: 0, y: 0, z: 0}, {nodes: x_max, x: 0.07}]\n"
        "device: cpu\noutput: {file: out.h5, fields: [none]}\n",
        "mesh: {body: box, cells: [4, 4, 4]}\nstrain: finite\n"
        "materials: [{young: 210.0e9, poisson: 0.3, yield_stress: 3.0e8, hardening: {law: linear, modulus: "
        "1.0e9}}]\n"
        "boundary: [{nodes: z_min, x: 0, y: 0, z: 0}, {nodes: z_max, x: 0, y: 0, z: -0.1}]\n"
        "steps: [{factor: 1, increments: 4}]\ndevice: cpu\noutput: {file: out.h5, fields: [none]}\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        result r;
        write_text("block.yaml", texts[i]);
        run_well(FEM "block.yaml", &r);
    }
    unlink("out.h5");
    unlink("block.yaml");
}

static int make_folder_of_bending(void **state)
{
    (void)state;
    return enter_folder() != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bending_that_locks_is_said),
        cmocka_unit_test(parts_that_lock_are_said),
        cmocka_unit_test(what_does_not_bend_is_not_warned_of),
    };
    return cmocka_run_group_tests(tests, make_folder_of_bending, remove_folder);
}
