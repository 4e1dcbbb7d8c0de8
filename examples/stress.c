/* The stress of 1,000 randomly oriented crystals in tension: `stress MATERIAL.yaml`. From an installed Slipwave:
 *
 *     cc stress.c -o stress $(pkg-config --cflags --libs slipwave) */
#include <stdio.h>

#include <slipwave/response.h>

enum { CRYSTALS = 1000 };

int main(int argc, char **argv)
{
    const double tension[3][3] = {{1e-3, 0, 0}, {0, -0.5e-3, 0}, {0, 0, -0.5e-3}}; /* 1/s */
    sw_material *material = NULL;
    sw_response *response = NULL;
    sw_crystals crystals = {.n = 0};
    sw_response_average average;
    sw_status status = argc == 2 ? sw_material_open(argv[1], &material) : SW_ERR_INPUT;
    if (status == SW_OK)
        status = sw_response_open(&(sw_response_options){.solver = "rigid_plastic", .material = material},
                                  &response);
    if (status == SW_OK)
        status = sw_crystals_make(response, CRYSTALS, &crystals);
    if (status == SW_OK)
        status = sw_crystals_randomise(SW_CPU, CRYSTALS, crystals.crystal, 1, 0, 16e6F);
    for (int step = 0; step < 10 && status == SW_OK; step++) { /* strain increments of 1 % */
        status = sw_response_step(response, tension, 10, &crystals, &crystals, &average);
        if (status == SW_OK)
            printf("%.2f  %.1f MPa\n", 0.01 * (step + 1),
                   1e-6 * (average.cauchy_stress[0][0] - average.cauchy_stress[2][2]));
    }
    if (status != SW_OK)
        fprintf(stderr, "stress: %s\n", argc == 2 ? sw_error_message() : "usage: stress MATERIAL.yaml");
    sw_crystals_release(&crystals);
    sw_response_close(response);
    sw_material_close(material);
    return status != SW_OK;
}
