/* Linear elasticity: isotropic, orthotropic, anisotropic. At finite strains St. Venant's and Kirchhoff's. */
#include <string.h>

#include "matter.h"

/* Of 11 22 33 12 13 23, as decks have them: the place in 11 22 33 23 13 12. */
static const int place[6] = {0, 1, 2, 5, 4, 3};

static void isotropic(const double value[2], double d[6][6])
{
    const double shear = value[0] / (2 * (1 + value[1])), lame = 2 * shear * value[1] / (1 - 2 * value[1]);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            d[i][j] = lame + (i == j ? 2 * shear : 0);
        d[i + 3][i + 3] = shear;
    }
}

static void orthotropic(const double value[9], double d[6][6])
{
    static const int at[9][2] = {{0, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}, {2, 2}, {5, 5}, {4, 4}, {3, 3}};
    for (int k = 0; k < 9; k++)
        d[at[k][0]][at[k][1]] = d[at[k][1]][at[k][0]] = value[k];
}

static void anisotropic(const double value[21], double d[6][6])
{
    for (int j = 0, k = 0; j < 6; j++)
        for (int i = 0; i <= j; i++, k++)
            d[place[i]][place[j]] = d[place[j]][place[i]] = value[k];
}

void sw_matter_stiffness(const sw_matter *matter, double temperature, double d[6][6])
{
    double value[21];
    memset(d, 0, 36 * sizeof(double));
    sw_matter_look_up(&matter->elastic, temperature, value);
    switch (matter->elasticity) {
    case SW_MATTER_ISOTROPIC:
        isotropic(value, d);
        break;
    case SW_MATTER_ORTHOTROPIC:
        orthotropic(value, d);
        break;
    case SW_MATTER_ANISOTROPIC:
        anisotropic(value, d);
        break;
    }
}

double sw_matter_young(const sw_matter *matter, double temperature)
{
    const sw_matter_ask ask = {.temperature = temperature};
    double stress[6], d[6][6];
    if (matter->hyper.n_rows == 0 && matter->deformation.n_rows == 0 && matter->elastic.n_rows == 0)
        return 0;
    if (matter->hyper.n_rows > 0)
        (void)sw_matter_hyper.respond(matter, &ask, NULL, NULL, stress, d);
    else if (matter->deformation.n_rows > 0)
        (void)sw_matter_deformation.respond(matter, &ask, NULL, NULL, stress, d);
    else
        sw_matter_stiffness(matter, temperature, d);
    if (matter->elastic.n_rows > 0 && matter->elasticity != SW_MATTER_ISOTROPIC)
        return d[0][0];
    const double lame = d[0][1], shear = d[3][3];
    return shear * (3 * lame + 2 * shear) / (lame + shear);
}

static int is_elastic(const sw_matter *matter)
{
    (void)matter;
    return 1;
}

static int is_hencky(const sw_matter *matter) { return matter->hencky; }

static sw_status respond(const sw_matter *matter, const sw_matter_ask *ask, const double *old,
                         double *new_state, double stress[6], double tangent[6][6])
{
    (void)old;
    (void)new_state;
    sw_matter_stiffness(matter, ask->temperature, tangent);
    for (int i = 0; i < 6; i++) {
        stress[i] = 0;
        for (int j = 0; j < 6; j++)
            stress[i] += tangent[i][j] * ask->strain[j];
    }
    return SW_OK;
}

const sw_matter_law sw_matter_elastic = {.name = "elastic",
                                         .measure = SW_MATTER_GREEN,
                                         .symmetric = 1,
                                         .linear = 1,
                                         .is = is_elastic,
                                         .n_state = sw_matter_keeps_nothing,
                                         .respond = respond};

const sw_matter_law sw_matter_hencky = {.name = "elastic, logarithmic",
                                        .measure = SW_MATTER_TRUE,
                                        .symmetric = 1,
                                        .linear = 1,
                                        .is = is_hencky,
                                        .n_state = sw_matter_keeps_nothing,
                                        .respond = respond};
