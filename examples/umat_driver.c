/* What Abaqus does with a user subroutine, at one point: `SLIPWAVE_MATERIALS=data/points umat_driver COPPER`.
 * Compression by given deformation gradients that keep volume, to 20 %; where the subroutine asks for a smaller
 * increment, by PNEWDT, it gets one. Prints what is between the stress along the axis and across. From an installed
 * Slipwave:
 *
 *     cc umat_driver.c -o umat_driver $(pkg-config --cflags --libs slipwave) -lm */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <slipwave/umat.h>

enum { NSTATV = 904, NTENS = 6 }; /* *DEPVAR, as `slipwave point` prints it */

static double stress[NTENS], statev[NSTATV], ddsdde[NTENS * NTENS], pnewdt;

/* An increment from strain e0 to e1 of the axis 3. */
static void increment(const char cmname[80], double e0, double e1)
{
    double dfgrd0[9] = {exp(-e0 / 2), 0, 0, 0, exp(-e0 / 2), 0, 0, 0, exp(e0)},
           dfgrd1[9] = {exp(-e1 / 2), 0, 0, 0, exp(-e1 / 2), 0, 0, 0, exp(e1)};
    double dtime = fabs(e1 - e0) / 1e-3; /* s */
    double sse = 0, spd = 0, scd = 0, rpl = 0, ddsddt[6] = {0}, drplde[6] = {0}, drpldt = 0, stran[6] = {0},
           dstran[6] = {0}, time[2] = {0}, temp = 0, dtemp = 0, predef[1] = {0}, dpred[1] = {0},
           props[1] = {0}, coords[3] = {0}, drot[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, celent = 1;
    int ndi = 3, nshr = 3, ntens = NTENS, nstatv = NSTATV, nprops = 1, one = 1;
    pnewdt = 1;
    umat_(stress, statev, ddsdde, &sse, &spd, &scd, &rpl, ddsddt, drplde, &drpldt, stran, dstran, time,
          &dtime, &temp, &dtemp, predef, dpred, cmname, &ndi, &nshr, &ntens, &nstatv, props, &nprops, coords,
          drot, &pnewdt, &celent, dfgrd0, dfgrd1, &one, &one, &one, &one, &one, &one, 80);
}

int main(int argc, char **argv)
{
    char cmname[80]; /* of Fortran: no zero at the end, but blanks */
    double strain = 0, step = 0.2;
    if (argc != 2 || strlen(argv[1]) > sizeof cmname) {
        fprintf(stderr, "usage: umat_driver MATERIAL\n");
        return 1;
    }
    memset(cmname, ' ', sizeof cmname);
    memcpy(cmname, argv[1], strlen(argv[1]));
    while (strain < 0.2 - 1e-9) {
        increment(cmname, -strain, -(strain + step));
        if (pnewdt < 1) {
            printf("an increment of %.3g is too large\n", step);
            step *= pnewdt;
            continue;
        }
        strain += step;

        printf("%.2f  %.1f MPa  slip resistance %.1f MPa\n", strain,
               1e-6 * (stress[2] - (stress[0] + stress[1]) / 2), 1e-6 * statev[1]);
    }
    return 0;
}
