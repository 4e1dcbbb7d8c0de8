/* A cup drawn from a round sheet by a punch through a die, under a holder: what the tools do is what the sheet takes. */
#include "tests/online/fem/job/texts.h"

#include <math.h>

/* Without friction and hardening, and next to rigid before it yields. */
static const char cup[] =
    "mesh: {body: box, cells: [25, 1], size: [0.050, 1.0e-3]}\nkinematics: axisymmetric\nstrain: finite\n"
    "materials:\n  - {young: 2.0e11, poisson: 0.3, yield_stress: 100.0e6, hardening: {law: none}%s}\n"
    "boundary:\n  - {nodes: x_min, x: 0}\ntools:\n"
    "  - {name: die, shape: plane, normal: [0, 1], point: [0, 0], radius: 0.0314, edge: 8.0e-3, hollow: "
    "yes,\n"
    "     penalty: 1, surfaces: [y_min]}\n"
    "  - {name: holder, shape: plane, normal: [0, -1], point: [0, 1.0e-3], radius: 0.031, edge: 5.0e-3,\n"
    "     hollow: yes, penalty: 1, surfaces: [y_max], force: [0, -2.0e3], factors: [1, 1]}\n"
    "  - {name: punch, shape: plane, normal: [0, -1], point: [0, 1.0e-3], radius: 0.030, edge: 6.0e-3,\n"
    "     penalty: 1, surfaces: [y_max], move: [0, -0.012], factors: [0, 1]}\n"
    "steps: [{factor: 1}, {factor: 1, increments: 18}]\n"
    "solver: {linear: direct, newton: 60, least_increment: 1.0e-4, tolerance: 1.0e-5}\n"
    "output: {file: cup.h5, fields: [none]}\n";

enum { ELEMENTS = 25, TOOLS = 3, UNKNOWNS = 2 * (26 * 2 + TOOLS), PUNCH = 2 * (26 * 2 + 2) + 1 };

typedef struct {
    double force[UNKNOWNS], displacement[UNKNOWNS];
    double plastic[ELEMENTS];
    double work;    /* of punch and holder, by their forces and ways */
    double largest; /* of the punch, N */
} drawn;

static void draw(const char *more, drawn *d)
{
    char text[4096];
    sw_fem_job *job;
    sw_fem *fem;
    sw_fem_report report = {0};
    double increment = 1, before[UNKNOWNS] = {0}, was[UNKNOWNS] = {0};
    snprintf(text, sizeof text, cup, more);
    CHECK_OK(read_job(text, NULL, NULL, NO_OPTIONS, &job));
    CHECK_OK(sw_fem_open(&job->problem, &job->options, &fem));
    d->work = d->largest = 0;
    for (int64_t i = 0; i < job->n_increments; i++) {
        CHECK_OK(sw_fem_advance(fem, job->factor + i * job->problem.n_cases, &increment, &report));
        CHECK_OK(sw_fem_read(fem, &(sw_fem_fields){.force = d->force,
                                                   .displacement = d->displacement,
                                                   .plastic_strain = d->plastic}));
        for (int t = PUNCH - 2; t <= PUNCH; t += 2) /* the holder, the punch */
            d->work += 0.5 * (d->force[t] + before[t]) * (d->displacement[t] - was[t]);
        d->largest = fmax(d->largest, -d->force[PUNCH]);
        memcpy(before, d->force, sizeof before);
        memcpy(was, d->displacement, sizeof was);
    }
    sw_fem_close(fem);
    sw_fem_job_free(job);
}

/* The yield stress times plastic strain, over rings of 1 mm: incompressible to 1e-4. The work is a sum of trapezia over 18
 * increments, in which forces bend by some percent: 1 %. Beyond the edge of the flange nothing else takes work. */
static void tools_do_what_the_sheet_takes(void **state)
{
    (void)state;
    const char *const laws[] = {"",
                                ", yield: {function: hill48, coefficients: [0.5, 0.5, 0.5, 1.5, 1.5, 1.5]}"};
    drawn d[2];
    for (int k = 0; k < 2; k++) {
        double taken = 0;
        draw(laws[k], &d[k]);
        for (int e = 0; e < ELEMENTS; e++) {
            const double low = 0.05 * e / ELEMENTS, high = 0.05 * (e + 1) / ELEMENTS;
            taken += 100e6 * d[k].plastic[e] * acos(-1) * (high * high - low * low) * 1e-3;
        }
        /* all forces of tools along the axis are in balance but for what Newton's method leaves */
        CHECK_CLOSE((d[k].force[PUNCH - 4] + d[k].force[PUNCH - 2] + d[k].force[PUNCH]) / d[k].largest, 0,
                    1e-4);
        print_message("punch %.4g N at most, work %.5g J, taken %.5g J\n", d[k].largest, d[k].work, taken);
        CHECK_CLOSE(d[k].work / taken, 1, 0.01);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tools_do_what_the_sheet_takes)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
