/* A cup drawn from a round sheet by a punch through a die, under a holder: what the tools do is what the sheet takes. */
#include "tests/online/fem/job/texts.h"

#include <math.h>

/* Without friction and hardening, and next to rigid before it yields. */
static const char cup[] =
    "mesh: {file: sheet.inp, scale: 1.0e-3}\nkinematics: axisymmetric\nstrain: finite\n"
    "materials:\n"
    "  - {elements: SHEET, young: 2.0e11, poisson: 0.3, yield_stress: 100.0e6, hardening: {law: none}%s}\n"
    "  - {elements: BLOCK, young: 2.0e11, poisson: 0.3}\n"
    "boundary:\n  - {nodes: axis, x: 0}\n  - {nodes: foot, x: 0, y: 0}\ntools:\n"
    "  - {name: die, shape: plane, normal: [0, 1], point: [0, 0], radius: 0.0314, edge: 8.0e-3, hollow: "
    "yes,\n"
    "     penalty: 1, surfaces: [bottom]}\n"
    "  - {name: holder, shape: plane, normal: [0, -1], point: [0, 1.0e-3], radius: 0.031, edge: 5.0e-3,\n"
    "     hollow: yes, penalty: 1, surfaces: [top, stop], force: [0, -2.0e3], factors: [1, 1]}\n"
    "  - {name: punch, shape: plane, normal: [0, -1], point: [0, 1.0e-3], radius: 0.030, edge: 6.0e-3,\n"
    "     penalty: 1, surfaces: [top], move: [0, %g], factors: [0, 1]}\n"
    "steps: [{factor: 1}, {factor: 1, increments: %d}]\n"
    "solver: {linear: direct, newton: 60, least_increment: 1.0e-4, tolerance: 1.0e-5}\n"
    "output: {file: cup.h5, fields: [none]}\n";

enum {
    ELEMENTS = 25,
    NODES = 2 * (ELEMENTS + 1) + 4,
    TOOLS = 3,
    UNKNOWNS = 2 * (NODES + TOOLS),
    PUNCH = UNKNOWNS - 1,
    HOLDER = PUNCH - 2,
    DIE = PUNCH - 4
};
#define STOP 0.9e-3 /* m, height of a ring beyond the rim that the holder comes to rest on */

/* 25 rings of 2 by 1 mm, and the block. */
static void write_sheet(const char *path)
{
    enum { UPPER = ELEMENTS + 1, RING = 2 * UPPER };
    char text[8192];
    size_t at = (size_t)snprintf(text, sizeof text, "*NODE\n");
#define ADD(...) at += (size_t)snprintf(text + at, sizeof text - at, __VA_ARGS__)
    for (int i = 0; i < RING; i++)
        ADD("%d, %d, %d\n", i + 1, 2 * (i % UPPER), i / UPPER);
    for (int i = 0; i < 4; i++)
        ADD("%d, %d, %g\n", RING + i + 1, i == 1 || i == 2 ? 70 : 60, i < 2 ? 0 : 1e3 * STOP);
    ADD("*ELEMENT, TYPE=CAX4, ELSET=SHEET\n");
    for (int e = 1; e <= ELEMENTS; e++)
        ADD("%d, %d, %d, %d, %d\n", e, e, e + 1, e + UPPER + 1, e + UPPER);
    ADD("*ELEMENT, TYPE=CAX4, ELSET=BLOCK\n99, %d, %d, %d, %d\n", RING + 1, RING + 2, RING + 3, RING + 4);
    ADD("*NSET, NSET=axis\n1, %d\n*NSET, NSET=foot\n%d, %d\n", UPPER + 1, RING + 1, RING + 2);
    ADD("*SURFACE, NAME=bottom\nSHEET, S1\n*SURFACE, NAME=top\nSHEET, S3\n*SURFACE, NAME=stop\nBLOCK, S3\n");
#undef ADD
    write_text(path, text);
}

typedef struct {
    double force[UNKNOWNS], displacement[UNKNOWNS];
    double plastic[ELEMENTS + 1];
    double work;    /* of punch and holder, by their forces and ways */
    double largest; /* of the punch, N */
    double taken;   /* by the sheet: its yield stress times plastic strain, over rings of 1 mm */
} drawn;

static void draw(const char *more, double way, int increments, drawn *d)
{
    char text[4096], path[sizeof folder + 16];
    sw_fem_job *job;
    sw_fem *fem;
    sw_fem_report report = {0};
    double increment = 1, before[UNKNOWNS] = {0}, was[UNKNOWNS] = {0};
    snprintf(path, sizeof path, "%s/sheet.inp", folder);
    write_sheet(path);
    snprintf(text, sizeof text, cup, more, way, increments);
    CHECK_OK(read_job(text, NULL, NULL, NO_OPTIONS, &job));
    unlink(path);
    CHECK_OK(sw_fem_open(&job->problem, &job->options, &fem));
    d->work = d->largest = 0;
    for (int64_t i = 0; i < job->n_increments; i++) {
        CHECK_OK(sw_fem_advance(fem, job->factor + i * job->problem.n_cases, &increment, &report));
        CHECK_OK(sw_fem_read(fem, &(sw_fem_fields){.force = d->force,
                                                   .displacement = d->displacement,
                                                   .plastic_strain = d->plastic}));
        for (int t = HOLDER; t <= PUNCH; t += 2)
            d->work += 0.5 * (d->force[t] + before[t]) * (d->displacement[t] - was[t]);
        d->largest = fmax(d->largest, -d->force[PUNCH]);
        memcpy(before, d->force, sizeof before);
        memcpy(was, d->displacement, sizeof was);
    }
    sw_fem_close(fem);
    sw_fem_job_free(job);
    d->taken = 0;
    for (int e = 0; e < ELEMENTS; e++)
        d->taken += 100e6 * d->plastic[e] * acos(-1) * (2 * e + 1) * 4e-6 * 1e-3;
    print_message("punch %.4g N at most, work %.5g J, taken %.5g J\n", d->largest, d->work, d->taken);
}

/* The yield stress times plastic strain: incompressible to 1e-4. The work is a sum of trapezia over 18
 * increments, in which forces bend by some percent: 1 %. Beyond the edge of the flange nothing else takes work. */
static void tools_do_what_the_sheet_takes(void **state)
{
    (void)state;
    const char *const laws[] = {"",
                                ", yield: {function: hill48, coefficients: [0.5, 0.5, 0.5, 1.5, 1.5, 1.5]}"};
    drawn d[2];
    for (int k = 0; k < 2; k++) {
        draw(laws[k], -0.012, 18, &d[k]);
        /* all forces of tools along the axis are in balance but for what Newton's method leaves */
        CHECK_CLOSE((d[k].force[DIE] + d[k].force[HOLDER] + d[k].force[PUNCH]) / d[k].largest, 0, 1e-4);
        CHECK_CLOSE(d[k].work / d[k].taken, 1, 0.01);
        CHECK_CLOSE(d[k].displacement[PUNCH], -0.012, 1e-12);
    }
    /* Cauchy's stress yields instead of Kirchhoff's */
    CHECK_CLOSE(d[1].largest / d[0].largest, 1, 2e-3);
    /* a flange that Mises' law draws in from 50 mm to the wall carries at least what Tresca's does: 2 pi r t s ln(R / r) of the
     * rim where it has come to, 47 mm at most; and at most 2 / root 3 of that from the first rim, and bending over the die,
     * there and back, s t / (2 (8 + t / 2)) of stress twice */
    const double wall = 2 * acos(-1) * 0.0307 * 1e-3 * 100e6, bending = 1. / (8.5 * 2) * 2;
    assert_true(d[0].largest > wall * log(0.045 / 0.0307) &&
                d[0].largest < 2 / sqrt(3) * wall * (log(0.050 / 0.0307) + bending));
}

/* Drawn to its end: the holder's force is on the rim until it has passed, then on the block, which gives way by a few nm, and
 * so do the springs of contact. The rim is in the wall, between punch and die. */
static void a_holder_comes_to_rest(void **state)
{
    (void)state;
    drawn d;
    draw("", -0.034, 40, &d);
    CHECK_CLOSE(d.displacement[HOLDER], STOP - 1e-3, 1e-7);
    for (int node = ELEMENTS; node <= 2 * ELEMENTS + 1; node += ELEMENTS + 1)
        CHECK_CLOSE(0.050 + d.displacement[2 * node], 0.0307, 0.0008);
    CHECK_CLOSE(d.work / d.taken, 1, 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tools_do_what_the_sheet_takes),
                                       cmocka_unit_test(a_holder_comes_to_rest)};
    return cmocka_run_group_tests(tests, make_job_folder, remove_job_folder);
}
