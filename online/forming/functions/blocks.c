#include "blocks.h"

#include <math.h>

/* ---- Abaqus ---- */

/* Ratios of yield stresses to the reference; of shears to the reference over sqrt(3). Abaqus Theory Guide, "Stress
 * potentials for anisotropic metal plasticity"; order of the data line: Keywords Guide, *POTENTIAL. */
static void abaqus_hill48(FILE *out, const sw_yield *y)
{
    const double *c = y->coefficient, f = c[0], g = c[1], h = c[2];
    fprintf(out, "** Follows *PLASTIC, whose curve is that of the rolling direction, in a local "
                 "*ORIENTATION: 1 rolling,\n"
                 "** 2 transverse, 3 normal direction. R11 R22 R33 R12 R13 R23:\n*POTENTIAL\n");
    fprintf(out, "%.8g, %.8g, %.8g, %.8g, %.8g, %.8g\n", 1 / sqrt(g + h), 1 / sqrt(f + h), 1 / sqrt(f + g),
            sqrt(1.5 / c[5]), sqrt(1.5 / c[4]), sqrt(1.5 / c[3]));
}

/* ---- LS-DYNA: cards of eight fields of ten columns ---- */

/* Where the material's axis 1 is that of the mesh: AOPT 2, a along the global axis 1, d in the plane with it. */
static void axes(FILE *out)
{
    fprintf(out, "$#                                     a1        a2        a3\n"
                 "                                     1.0       0.0       0.0\n"
                 "$#      v1        v2        v3        d1        d2        d3\n"
                 "       0.0       0.0       0.0       0.0       1.0       0.0\n");
}

/* *MAT_HILL_3R (122), plane stress: r-values say the shape, a load curve (HR 3) the size. */
static void ls_dyna_hill48(FILE *out, const sw_yield *y)
{
    const double *c = y->coefficient, f = c[0], g = c[1], h = c[2];
    fprintf(out,
            "$ To be filled in: MID, RO, E, PR, and LCID, the stress against plastic strain along the "
            "rolling direction,\n"
            "$ times %.6g.\n*MAT_HILL_3R\n"
            "$#     mid        ro         e        pr        hr        p1        p2\n"
            "                                               3.0\n"
            "$#     r00       r45       r90      lcid        e0\n%10.6f%10.6f%10.6f\n"
            "$#    aopt\n       2.0\n",
            1 / sqrt(g + h), h / g, c[5] / (f + g) - 0.5, h / f);
    axes(out);
}

/* *MAT_BARLAT_YLD2000 (133): coefficients as they are (FIT 0), not scaled to the rolling direction (ISCALE 1); HARD < 0
 * is the number of a load curve. */
static void ls_dyna_yld2000(FILE *out, const sw_yield *y)
{
    fprintf(out, "$ To be filled in: MID, RO, E, PR, and HARD = -(number of the load curve), the stress "
                 "against plastic\n"
                 "$ strain along the rolling direction.\n*MAT_BARLAT_YLD2000\n"
                 "$#     mid        ro         e        pr       fit      beta      iter    iscale\n"
                 "                                               0.0       0.0       0.0       1.0\n"
                 "$#       k        e0         n         c         p      hard         a\n");
    fprintf(out,
            "%60s%10.4f\n$#  alpha1    alpha2    alpha3    alpha4    alpha5    alpha6    alpha7    alpha8\n",
            "", y->exponent);
    for (int i = 0; i < y->function->coefficients; i++)
        fprintf(out, "%10.6f", y->coefficient[i]);
    fprintf(
        out,
        "\n$#    aopt    offang        p4    htflag       hta       htb       htc       htd\n       2.0\n");
    axes(out);
}

/* ---- All ---- */

const sw_block_program sw_block_programs[SW_BLOCK_PROGRAMS] = {
    {"abaqus", "Abaqus", ".inp", "**", {[SW_YIELD_HILL48] = abaqus_hill48}},
    {"ls_dyna",
     "LS-DYNA",
     ".k",
     "$",
     {[SW_YIELD_HILL48] = ls_dyna_hill48, [SW_YIELD_YLD2000_2D] = ls_dyna_yld2000}},
};

void sw_block_write(FILE *out, const sw_block_program *program, const sw_yield *y)
{
    const sw_yield_function *f = y->function;
    void (*const card)(FILE *, const sw_yield *) = program->card[f - sw_yield_functions];
    fprintf(out, "%s %s, reference stress %.9g Pa%s\n", program->comment, f->title, y->reference,
            card == NULL             ? "; coefficients for a user material:"
            : !sw_yield_is_convex(y) ? "; not convex, so no card:"
                                     : "");
    if (f->has_exponent)
        fprintf(out, "%s a = %.6g\n", program->comment, y->exponent);
    for (int i = 0; i < f->coefficients; i++)
        fprintf(out, "%s %s = %.9g%s\n", program->comment, f->coefficient[i], y->coefficient[i],
                y->undetermined >> i & 1 ? " (isotropic: not determined by any data)" : "");
    if (card != NULL && sw_yield_is_convex(y))
        card(out, y);
}
