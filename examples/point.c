/* A material point of a finite element program: `point MATERIAL.yaml`. 500 crystals, pulled along axis 1 with free
 * sides. Newton's method finds the velocity gradient with which the stress across vanishes, by tries of the step from
 * one state to another; where the last one ends the next step begins. From an installed Slipwave:
 *
 *     cc point.c -o point $(pkg-config --cflags --libs slipwave) */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <slipwave/response.h>

enum { CRYSTALS = 500, STEPS = 10, ITERATIONS = 20 };

static double stress[1][6], tangent[1][6][6]; /* Pa; Pa s */

/* D22 such that the deviatoric stresses 22 and 33 are equal: pressure then takes both away. *iterations: how many. */
static sw_status stretch(sw_response *response, sw_points *point, double l[1][3][3], int *iterations)
{
    for (*iterations = 1; *iterations <= ITERATIONS; ++*iterations) {
        const sw_status status = sw_response_step_each(response, point);
        if (status != SW_OK)
            return status;
        const double off = stress[0][1] - stress[0][2];
        const double slope = tangent[0][1][1] - tangent[0][1][2] - tangent[0][2][1] + tangent[0][2][2];
        if (fabs(off) < 1e-4 * fabs(stress[0][0]))
            return SW_OK;
        l[0][1][1] -= off / slope; /* and D33 the other way: volume is kept */
        l[0][2][2] += off / slope;
    }
    return SW_ERR_CONVERGENCE;
}

int main(int argc, char **argv)
{
    double l[1][3][3] = {{{1e-3, 0, 0}, {0, -0.5e-3, 0}, {0, 0, -0.5e-3}}}; /* 1/s */
    sw_material *material = NULL;
    sw_response *response = NULL;
    sw_crystals begun = {.n = 0}, ended = {.n = 0}; /* of a step */
    sw_points point = {.points = 1,
                       .each = CRYSTALS,
                       .from = &begun,
                       .to = &ended,
                       .velocity_gradient = (const double(*)[3][3])l,
                       .dt = 10,
                       .stress = stress,
                       .by_strain_rate = tangent};
    int iterations = 0;
    sw_status status = argc == 2 ? sw_material_open(argv[1], &material) : SW_ERR_INPUT;
    if (status == SW_OK)
        status = sw_response_open(&(sw_response_options){.solver = "elastoplastic", .material = material},
                                  &response);
    if (status == SW_OK)
        status = sw_crystals_make(response, CRYSTALS, &begun);
    if (status == SW_OK)
        status = sw_crystals_make(response, CRYSTALS, &ended);
    if (status == SW_OK)
        status = sw_crystals_randomise(SW_CPU, CRYSTALS, begun.crystal, 1, 0, 16e6F);
    for (int step = 1; step <= STEPS && status == SW_OK; step++) { /* 1 % each */
        status = stretch(response, &point, l, &iterations);
        sw_crystals_swap(&begun, &ended);
        if (status == SW_OK)
            printf("%.2f  %.1f MPa  D22/D33 %.3f  %d iterations\n", 0.01 * step,
                   1e-6 * (stress[0][0] - stress[0][1]), l[0][1][1] / l[0][2][2], iterations);
    }
    if (status != SW_OK)
        fprintf(stderr, "point: %s\n", argc == 2 ? sw_error_message() : "usage: point MATERIAL.yaml");
    sw_crystals_release(&begun);
    sw_crystals_release(&ended);
    sw_response_close(response);
    sw_material_close(material);
    return status != SW_OK;
}
