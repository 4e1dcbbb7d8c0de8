#include "blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/rotation.h"

/* ---- Hardening ---- */

/* Plastic strain from which a tension is plastic as a whole: that of the usual offset over ten. */
static const double PLASTIC = 2e-4;

/* To plastic strain 0, where programs want it to begin: straight on, but not above the first stress and not below half of
 * it. */
static double stress_at_zero(const double a[2], const double *b)
{
    const double slope = b != NULL ? fmax((b[1] - a[1]) / (b[0] - a[0]), 0) : 0;
    return fmax(a[1] - slope * a[0], 0.5 * a[1]);
}

int64_t sw_block_curve(const sw_sheet_curve *curve, double scale, double (*row)[2])
{
    int64_t n = 1;
    for (int64_t i = 0; i < curve->n; i++) {
        const double *now = curve->row[i];
        if ((now[0] < PLASTIC && i + 1 < curve->n) || (n > 1 && now[0] <= row[n - 1][0]) || !(now[0] > 0))
            continue;
        row[n][0] = now[0];
        row[n++][1] = scale * now[1];
    }
    if (n == 1)
        return 0;
    row[0][0] = 0;
    row[0][1] = stress_at_zero(row[1], n > 2 ? row[2] : NULL);
    return n;
}

/* Rows of the curve on lines of a format, which has their numbers in its order: strain first, or stress. */
typedef void put_row(FILE *out, const double row[2]);

static sw_status put_curve(FILE *out, const sw_block *b, double scale, put_row *put)
{
    double(*row)[2];
    SW_TRY(SW_ALLOCATE(row, b->sheet->curve.n + 1, "a hardening curve"));
    const int64_t n = sw_block_curve(&b->sheet->curve, scale, row);
    for (int64_t i = 0; i < n; i++)
        put(out, row[i]);
    free(row);
    return SW_OK;
}

/* How far it goes, beyond which programs go on in their own ways. */
static double end_of(const sw_block *b)
{
    const sw_sheet_curve *curve = &b->sheet->curve;
    return curve->n > 0 ? curve->row[curve->n - 1][0] : 0;
}

/* ---- What a function misses ---- */

/* Where an item is, in words. */
static void place_of(const sw_sheet *sheet, const sw_calibration_item *item, char text[64])
{
    if (item->kind == SW_CALIBRATION_POINT)
        snprintf(text, 64, "at point %d of the yield surface", item->number + 1);
    else if (item->kind == SW_CALIBRATION_STRESS || item->kind == SW_CALIBRATION_R)
        snprintf(text, 64, "at %.4g degrees", sheet->tension[item->number].angle * 180 / SW_PI);
    else
        snprintf(text, 64, "in balanced biaxial tension");
}

void sw_block_misses(const sw_calibration *fit, const sw_sheet *sheet,
                     char text[SW_BLOCK_MISSES][SW_BLOCK_MISS_TEXT])
{
    char place[64];
    double miss;
    const sw_calibration_item *item = sw_calibration_worst(fit, SW_CALIBRATION_STRESSES, &miss);
    text[0][0] = text[1][0] = '\0';
    if (miss > SW_BLOCK_STRESS_MISS) {
        place_of(sheet, item, place);
        snprintf(text[0], SW_BLOCK_MISS_TEXT, "the stress %s is %.3f of what was computed", place,
                 item->fitted / item->given);
    }
    item = sw_calibration_worst(fit, SW_CALIBRATION_RS, &miss);
    if (!(miss > SW_BLOCK_R_MISS))
        return;
    place_of(sheet, item, place);
    snprintf(text[1], SW_BLOCK_MISS_TEXT, "r %s is %.3f where %.3f was computed: r/(1+r) %.3f for %.3f",
             place, sw_r_of_q(item->fitted), sw_r_of_q(item->given), item->fitted, item->given);
}

static void put_misses(FILE *out, const sw_block_program *program, const sw_block *b)
{
    char text[SW_BLOCK_MISSES][SW_BLOCK_MISS_TEXT];
    sw_block_misses(b->fit, b->sheet, text);
    for (int k = 0; k < SW_BLOCK_MISSES; k++)
        if (text[k][0] != '\0')
            fprintf(out, "%s MISSES what was computed: %s\n", program->comment, text[k]);
}

/* ---- Abaqus ---- */

static void put_abaqus_row(FILE *out, const double row[2]) { fprintf(out, "%.8g, %.8g\n", row[1], row[0]); }

/* Ratios of yield stresses to the reference; of shears to the reference over sqrt(3). Abaqus Theory Guide, "Stress
 * potentials for anisotropic metal plasticity"; order of the data line: Keywords Guide, *POTENTIAL. */
static sw_status abaqus_hill48(FILE *out, const sw_block *b)
{
    const double *c = b->fit->surface.coefficient, f = c[0], g = c[1], h = c[2];
    fprintf(out,
            "** Elastic constants are those of a random polycrystal. *PLASTIC is tension along the rolling "
            "direction to\n** a plastic strain of %.4g, beyond which Abaqus holds the stress: longer is "
            "functions.curve_strain.\n"
            "** In a local *ORIENTATION: 1 rolling, 2 transverse, 3 normal direction.\n",
            end_of(b));
    fprintf(out, "*MATERIAL, NAME=HILL48-%d\n*ELASTIC\n%.8g, %.8g\n*PLASTIC\n", b->number, b->young,
            b->poisson);
    SW_TRY(put_curve(out, b, 1, put_abaqus_row));
    fprintf(out, "** R11 R22 R33 R12 R13 R23:\n*POTENTIAL\n%.8g, %.8g, %.8g, %.8g, %.8g, %.8g\n",
            1 / sqrt(g + h), 1 / sqrt(f + h), 1 / sqrt(f + g), sqrt(1.5 / c[5]), sqrt(1.5 / c[4]),
            sqrt(1.5 / c[3]));
    return SW_OK;
}

/* ---- LS-DYNA: cards of eight fields of ten columns ---- */

/* As many digits as the field takes. */
static void put_field(FILE *out, double value)
{
    char text[32];
    int digits = 7;
    do
        snprintf(text, sizeof text, "%.*g", digits--, value);
    while (strlen(text) > 10 && digits > 0);
    fprintf(out, "%10s", text);
}

static void put_ls_dyna_row(FILE *out, const double row[2])
{
    fprintf(out, "%20.8g%20.8g\n", row[0], row[1]);
}

static sw_status ls_dyna_curve(FILE *out, const sw_block *b, double scale)
{
    fprintf(out,
            "*DEFINE_CURVE\n"
            "$#    lcid      sidr       sfa       sfo      offa      offo    dattyp\n"
            "%10d         0       1.0       1.0       0.0       0.0         0\n"
            "$#                a1                  o1\n",
            b->number);
    return put_curve(out, b, scale, put_ls_dyna_row);
}

/* Comments, and the first four fields of a card: MID, RO, E, PR. */
static void ls_dyna_begin(FILE *out, const sw_block *b, const char *keyword, const char *more)
{
    fprintf(
        out,
        "$ To be filled in: RO. Units are Pa and 1. E and PR are those of a random polycrystal. The curve is "
        "tension along\n"
        "$ the rolling direction to a plastic strain of %.4g, beyond which LS-DYNA goes straight on: longer "
        "is "
        "functions.curve_strain.\n"
        "%s\n$#     mid        ro         e        pr%s\n%10d          ",
        end_of(b), keyword, more, b->number);
    put_field(out, b->young);
    put_field(out, b->poisson);
}

/* Where the material's axis 1 is that of the mesh: AOPT 2, a along the global axis 1, d in the plane with it. */
static void axes(FILE *out)
{
    fprintf(out, "$#                                     a1        a2        a3\n"
                 "                                     1.0       0.0       0.0\n"
                 "$#      v1        v2        v3        d1        d2        d3\n"
                 "       0.0       0.0       0.0       0.0       1.0       0.0\n");
}

/* *MAT_HILL_3R (122), plane stress: r-values say the shape, a load curve (HR 3) the size. An r of 0 would be taken for the
 * default, 1. */
static sw_status ls_dyna_hill48(FILE *out, const sw_block *b)
{
    static const double LEAST = 1e-6, LARGEST = 1e6;
    const double *c = b->fit->surface.coefficient, f = c[0], g = c[1], h = c[2];
    const double r[3] = {h / g, c[5] / (f + g) - 0.5, h / f};
    ls_dyna_begin(out, b, "*MAT_HILL_3R", "        hr        p1        p2");
    fprintf(out, "       3.0\n$#     r00       r45       r90      lcid        e0\n");
    for (int i = 0; i < 3; i++)
        put_field(out, fmin(fmax(r[i], LEAST), LARGEST));
    fprintf(out, "%10d\n$#    aopt\n       2.0\n", b->number);
    axes(out);
    return ls_dyna_curve(out, b, 1 / sqrt(g + h));
}

/* *MAT_BARLAT_YLD2000 (133): coefficients as they are (FIT 0), not scaled to the rolling direction (ISCALE 1); HARD < 0
 * is the number of a load curve. */
static sw_status ls_dyna_yld2000(FILE *out, const sw_block *b)
{
    const sw_yield *y = &b->fit->surface;
    ls_dyna_begin(out, b, "*MAT_BARLAT_YLD2000", "       fit      beta      iter    iscale");
    fprintf(out, "       0.0       0.0       0.0       1.0\n"
                 "$#       k        e0         n         c         p      hard         a\n");
    fprintf(
        out,
        "%50s%10d%10.4f\n$#  alpha1    alpha2    alpha3    alpha4    alpha5    alpha6    alpha7    alpha8\n",
        "", -b->number, y->exponent);
    for (int i = 0; i < y->function->coefficients; i++)
        put_field(out, y->coefficient[i]);
    fprintf(
        out,
        "\n$#    aopt    offang        p4    htflag       hta       htb       htc       htd\n       2.0\n");
    axes(out);
    return ls_dyna_curve(out, b, 1);
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

int sw_block_has_card(const sw_block_program *program, const sw_calibration *fit)
{
    const sw_yield *y = &fit->surface;
    return program->card[y->function - sw_yield_functions] != NULL && sw_yield_is_convex(y);
}

static void put_coefficients(FILE *out, const sw_block_program *program, const sw_block *b)
{
    const sw_yield *y = &b->fit->surface;
    const sw_yield_function *f = y->function;
    if (f->has_exponent)
        fprintf(out, "%s a = %.6g\n", program->comment, y->exponent);
    for (int i = 0; i < f->coefficients; i++)
        fprintf(out, "%s %s = %.9g%s\n", program->comment, f->coefficient[i], y->coefficient[i],
                y->undetermined >> i & 1 ? " (isotropic: not determined by any data)" : "");
}

sw_status sw_block_write(FILE *out, const sw_block_program *program, const sw_block *b)
{
    const sw_yield *y = &b->fit->surface;
    const int number = (int)(y->function - sw_yield_functions);
    fprintf(out, "%s %s, reference stress %.9g Pa%s\n", program->comment, y->function->title, y->reference,
            program->card[number] == NULL ? "; coefficients for a user material:"
            : !sw_yield_is_convex(y)      ? "; not convex, so no card:"
                                          : "");
    put_coefficients(out, program, b);
    put_misses(out, program, b);
    return sw_block_has_card(program, b->fit) ? program->card[number](out, b) : SW_OK;
}
