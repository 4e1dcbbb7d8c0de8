/* `rigid_plastic` against VPSC8's full constraints of hexagonal polycrystals with the extended Voce law by families and twins one way:
 * data/reference/vpsc-hexagonal.csv says how they were made, of the materials of data/materials. */
#include "reference_crystals.h"

enum { STEPS = 30, ACTIVITIES = 4, COLUMNS = 1 + 6 + ACTIVITIES + 3 };

static const char *const order[ACTIVITIES] = {"prismatic", "basal", "pyramidal_ca", "tension_twin"};

/* A row of the file: von Mises (MPa), deviator 11 22 33 23 13 12, shares of families, Kearns' factors. */
typedef struct {
    double von_mises, deviator[6], share[ACTIVITIES], kearns[3];
} row;

static void read_rows(const char *name, row rows[STEPS + 1])
{
    char line[400];
    int found = 0;
    FILE *file = fopen(path_of("reference", "vpsc-hexagonal.csv"), "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        const size_t length = strlen(name);
        double value[COLUMNS];
        char *at = line + length + 1;
        if (strncmp(line, name, length) != 0 || line[length] != ',')
            continue;
        assert_int_equal(strtol(at, &at, 10), found);
        for (int k = 0; k < COLUMNS; k++)
            value[k] = *at == ',' ? strtod(at + 1, &at) : NAN;
        memcpy(&rows[found++], value, sizeof value);
    }
    fclose(file);
    assert_int_equal(found, STEPS + 1);
}

/* Kearns' factors: mean squares of c. */
static void measure_kearns(const polycrystal *p, double kearns[3])
{
    double total = 0;
    memset(kearns, 0, 3 * sizeof *kearns);
    for (int64_t n = 0; n < p->crystals.n; n++) {
        double g[3][3];
        rotation_of(p, n, g);
        for (int i = 0; i < 3; i++)
            kearns[i] += p->list.weight[n] * g[i][2] * g[i][2];
        total += p->list.weight[n];
    }
    for (int i = 0; i < 3; i++)
        kearns[i] /= total;
}

static double share_of(const polycrystal *p, const char *family, const double before[], const double after[])
{
    double sum = 0, own = 0;
    for (int f = 0; f < p->material.slip.family_count; f++) {
        sum += after[f] - before[f];
        own += strcmp(p->material.slip.family[f].family, family) == 0 ? after[f] - before[f] : 0;
    }
    return own / sum;
}

static void check(double found, double expected, double bound, double *worst)
{
    *worst = fmax(*worst, fabs(found - expected));
    CHECK_CLOSE(found, expected, bound);
}

/* Steps of 0.01 under diag(1, -1/2, -1/2) times `sign` on `axis`, at the material's reference rate, as there; every row. VPSC8 slips by
 * the resistances of a step's beginning, we by those of its end, which differ most in zirconium's first, and its tolerances are 1e-3. */
static void compare(const char *name, const char *material, const char *texture, int axis, double sign)
{
    row rows[STEPS + 1];
    polycrystal p;
    double before[SW_FAMILIES_MAX], gradient[3][3] = {{0}}, worst[4] = {0};
    read_rows(name, rows);
    CHECK_OK(sw_material_read(path_of("materials", material), &p.material));
    open_polycrystal("rigid_plastic", texture, &p);
    const double rate = p.material.slip.reference_slip_rate;
    for (int i = 0; i < 3; i++)
        gradient[i][i] = sign * rate * (i == axis ? 1 : -0.5);
    measure_slip(&p, before);
    for (int k = 1; k <= STEPS; k++) {
        double deviator[6], kearns[3], after[SW_FAMILIES_MAX];
        const double size = rows[k].von_mises;
        check(step_polycrystal(&p, (const double(*)[3])gradient, 0.01 / rate, deviator) / size, 1, 0.002,
              &worst[0]);
        for (int i = 0; i < 6; i++)
            check(deviator[i] / size, rows[k].deviator[i] / size, 0.003, &worst[1]);
        measure_slip(&p, after);
        for (int f = 0; f < ACTIVITIES; f++)
            check(share_of(&p, order[f], before, after), rows[k - 1].share[f], 0.01, &worst[2]);
        measure_kearns(&p, kearns);
        for (int i = 0; i < 3; i++)
            check(kearns[i], rows[k].kearns[i], 0.005, &worst[3]);
        memcpy(before, after, sizeof before);
    }
    print_message("%s: von Mises within %.2f %%, components %.2f %%, activities %.4f, Kearns' factors %.5f\n",
                  name, 100 * worst[0], 100 * worst[1], worst[2], worst[3]);
    close_polycrystal(&p);
}

static void magnesium_is_compressed(void **state)
{
    (void)state;
    compare("az31_compression", "az31.yaml", "vpsc-az31-extruded.tex", 2, -1);
}

static void magnesium_is_pulled(void **state)
{
    (void)state;
    compare("az31_tension", "az31.yaml", "vpsc-az31-extruded.tex", 2, 1);
}

static void zirconium_is_compressed(void **state)
{
    (void)state;
    compare("zirconium", "zirconium-293K.yaml", "vpsc-zirconium-plate.tex", 0, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(magnesium_is_compressed),
        cmocka_unit_test(magnesium_is_pulled),
        cmocka_unit_test(zirconium_is_compressed),
    };
    return cmocka_run_group_tests_name("hexagonal polycrystals against VPSC8", tests, NULL, NULL);
}
