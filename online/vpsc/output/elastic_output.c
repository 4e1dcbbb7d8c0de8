/* EL-TH-MODULI.OUT, DIF_STR_PHn.OUT, DIF_WGT_PHn.OUT. */
#include <math.h>

#include "common/math/rotation.h"
#include "common/math/six.h"
#include "fortran.h"
#include "output.h"

void sw_vpsc_write_moduli(sw_vpsc_output *output, const sw_vpsc_polycrystal *polycrystal,
                          const sw_vpsc_elastic *elastic)
{
    static const int shown[9][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}, {3, 3}, {4, 4}, {5, 5}};
    const sw_vpsc_moduli *moduli = sw_vpsc_moduli_of(elastic);
    FILE *file = sw_vpsc_output_file(output, "EL-TH-MODULI.OUT");
    double c[6][6], expansion[6];
    if (ftell(file) == 0)
        fprintf(file, "     Evm         C11  C22  C33  C23  C13  C12   C44  C55  C66%67sA1  A2  A3\n", "");
    sw_vpsc_moduli_components(moduli->stiffness, c);
    sw_vpsc_from_basis(moduli->expansion, expansion);
    sw_fortran_f(file, 12, 5, polycrystal->mises_strain);
    fprintf(file, "   ");
    for (int k = 0; k < 9; k++)
        sw_fortran_e(file, 12, 4, c[shown[k][0]][shown[k][1]]);
    fprintf(file, "   ");
    sw_fortran_es(file, 3, 12, 4, expansion);
    fprintf(file, "\n");
}

/* ---- Lattice strains ---- */

/* How many of a reflection's planes have their normal along its direction, within so much. */
static int count_planes(const sw_vpsc_reflection *r, const double turn[3][3], double least)
{
    int n = 0;
    for (int k = 0; k < r->n; k++) {
        double cosine = 0;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                cosine += r->along[i] * turn[i][j] * r->normal[k][j];
        n += fabs(cosine) >= least;
    }
    return n;
}

static double strain_along(const sw_vpsc_elastic *elastic, const sw_vpsc_grains_of *p, int64_t g,
                           const double along[3])
{
    double stress[6], strain[6], six[6], sum = 0;
    sw_vpsc_to_basis(p->stress[g], stress);
    stress[5] = sqrt(3) * p->pressure[g];
    sw_vpsc_elastic_strain(elastic, p, g, stress, strain);
    sw_vpsc_from_basis(strain, six);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum += along[i] * along[j] * six[sw_six_of(i, j)];
    return sum;
}

static void write_phase(FILE *file[2], const sw_vpsc_polycrystal *polycrystal, const sw_vpsc_elastic *elastic,
                        const sw_vpsc_grains_of *p)
{
    const sw_vpsc_diffraction *d = &p->input->diffraction;
    const double least = fabs(cos(d->spread * SW_PI / 180));
    for (int f = 0; f < 2; f++) {
        if (ftell(file[f]) == 0) {
            fprintf(file[f],
                    "    EPSTOT11    EPSTOT22    EPSTOT33      SBAR11      SBAR22      SBAR33   TEMP      ");
            for (int k = 0; k < d->n; k++)
                fprintf(file[f], "%s", d->reflection[k].label);
            fprintf(file[f], "\n");
        }
        sw_fortran_es(file[f], 3, 12, 4, polycrystal->strain);
        sw_fortran_es(file[f], 3, 12, 4, polycrystal->stress);
        sw_fortran_f(file[f], 7, 0, polycrystal->temperature);
        fprintf(file[f], "    ");
    }
    for (int k = 0; k < d->n; k++) {
        double weight = 0, strain = 0;
        for (int64_t g = 0; g < p->n; g++) {
            const int planes = count_planes(&d->reflection[k], (const double(*)[3])p->turn[g], least);
            if (planes == 0)
                continue;
            weight += planes * p->weight[g];
            strain += planes * p->weight[g] * strain_along(elastic, p, g, d->reflection[k].along);
        }
        sw_fortran_e(file[0], 12, 4, weight > 0 ? strain / weight : 0);
        sw_fortran_e(file[1], 12, 4, weight);
    }
    fprintf(file[0], "\n");
    fprintf(file[1], "\n");
}

void sw_vpsc_write_lattice_strains(sw_vpsc_output *output, const sw_vpsc_polycrystal *polycrystal,
                                   const sw_vpsc_elastic *elastic)
{
    for (int i = 0; i < polycrystal->n_phases; i++) {
        const sw_vpsc_grains_of *p = &polycrystal->phase[i];
        if (p->input->diffraction.n == 0)
            continue;
        FILE *file[2] = {sw_vpsc_output_file(output, "DIF_STR_PH%d.OUT", i + 1),
                         sw_vpsc_output_file(output, "DIF_WGT_PH%d.OUT", i + 1)};
        write_phase(file, polycrystal, elastic, p);
    }
}
