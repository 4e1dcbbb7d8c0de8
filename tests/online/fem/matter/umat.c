/* A user's subroutine for test_user.c, built by it: what Abaqus' manual has for isotropic elasticity, and what it was
 * told in its state variables. MODE, PROPS(3): 0 elastic by STRESS and DSTRAN; 1 neo-Hooke by DFGRD1; 2 PNEWDT 0.25. */
#include <math.h>
#include <string.h>

static double determinant(const double *f)
{
    return f[0] * (f[4] * f[8] - f[7] * f[5]) - f[3] * (f[1] * f[8] - f[7] * f[2]) +
           f[6] * (f[1] * f[5] - f[4] * f[2]);
}

/* Cauchy = G (b - 1) / J + L ln J / J, components 11 22 33 12 13 23; tangent of the Jaumann rate of Kirchhoff's over J:
 * L 1 x 1 + 2 (G - L ln J) I - and the rate's own. */
static void neo_hooke(double shear, double lame, const double *f, double *stress, double *ddsdde)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const double j = determinant(f);
    double tau[3][3];
    for (int a = 0; a < 9; a++) {
        const int p = a / 3, q = a % 3;
        double b = 0;
        for (int k = 0; k < 3; k++)
            b += f[3 * k + p] * f[3 * k + q];
        tau[p][q] = shear * (b - (p == q)) + (p == q ? lame * log(j) : 0);
    }
    for (int a = 0; a < 6; a++) {
        stress[a] = tau[row[a]][column[a]] / j;
        for (int c = 0; c < 6; c++) {
            const int p = row[a], q = column[a], r = row[c], s = column[c];
            ddsdde[6 * c + a] = (p == q) * (r == s) * lame +
                                (shear - lame * log(j)) * ((p == r) * (q == s) + (p == s) * (q == r)) +
                                0.5 * ((p == r) * tau[q][s] + (p == s) * tau[q][r] + (q == r) * tau[p][s] +
                                       (q == s) * tau[p][r]);
            ddsdde[6 * c + a] /= j;
        }
    }
}

static void elastic(double shear, double lame, const double *dstran, double *stress, double *ddsdde)
{
    for (int a = 0; a < 6; a++)
        for (int c = 0; c < 6; c++) {
            ddsdde[6 * c + a] = (a < 3 && c < 3 ? lame : 0) + (a == c ? shear * (a < 3 ? 2 : 1) : 0);
            stress[a] += ddsdde[6 * c + a] * dstran[c];
        }
}

void umat_(double *stress, double *statev, double *ddsdde, double *sse, double *spd, double *scd, double *rpl,
           double *ddsddt, double *drplde, double *drpldt, const double *stran, const double *dstran,
           const double *time, const double *dtime, const double *temp, const double *dtemp,
           const double *predef, const double *dpred, const char *cmname, const int *ndi, const int *nshr,
           const int *ntens, const int *nstatv, const double *props, const int *nprops, const double *coords,
           const double *drot, double *pnewdt, const double *celent, const double *dfgrd0,
           const double *dfgrd1, const int *noel, const int *npt, const int *layer, const int *kspt,
           const int *kstep, const int *kinc, unsigned long cmname_length)
{
    const int mode = (int)props[2];
    const double shear = props[0] / (2 * (1 + props[1])), lame = 2 * shear * props[1] / (1 - 2 * props[1]);
    const double told[] = {time[0],
                           time[1],
                           *dtime,
                           *temp,
                           *dtemp,
                           *ndi,
                           *nshr,
                           *ntens,
                           *nstatv,
                           *nprops,
                           coords[0],
                           coords[1],
                           coords[2],
                           *noel,
                           *npt,
                           kstep[0],
                           *kinc,
                           (double)cmname_length,
                           memcmp(cmname, "MY STEEL                     ", 20) == 0 && cmname[79] == ' ',
                           *celent,
                           *layer};
    (void)sse, (void)spd, (void)scd, (void)rpl, (void)ddsddt, (void)drplde, (void)drpldt, (void)predef,
        (void)dpred;
    (void)kspt;
    statev[0] += 1; /* accepted increments */
    memcpy(statev + 1, told, sizeof told);
    memcpy(statev + 30, stran, 6 * sizeof *stran);
    memcpy(statev + 36, dstran, 6 * sizeof *dstran);
    memcpy(statev + 42, drot, 9 * sizeof *drot);
    memcpy(statev + 51, dfgrd0, 9 * sizeof *dfgrd0);
    memcpy(statev + 60, dfgrd1, 9 * sizeof *dfgrd1);
    if (mode == 2)
        *pnewdt = 0.25;
    if (mode == 1)
        neo_hooke(shear, lame, dfgrd1, stress, ddsdde);
    else
        elastic(shear, lame, dstran, stress, ddsdde);
}
