/* `elastoplastic` and `rigid_plastic` against DAMASK's Taylor polycrystals with families of slip systems, twins one way and latent
 * hardening: data/reference/damask-families.csv says which. */
#include "reference_crystals.h"

enum { ROWS = 60, FAMILIES = 4 };

#define FAMILY(name, s0, h0, saturation, rest)                                                \
    "    - {family: " name ", initial_slip_resistance: " s0 "e6, initial_hardening_rate: " h0 \
    "e6, saturation_resistance: " saturation "e6, exponent: " rest "}\n"
#define LAW(m) "slip:\n  reference_slip_rate: 1.0e-3\n  rate_sensitivity: " m "\n  families:\n"
#define END "hardening: {law: phenopowerlaw}\n"
#define MAGNESIUM                                                                                  \
    "crystal_structure: hexagonal\nc_over_a: 1.6235\n"                                             \
    "elasticity: {C11: 59.3e9, C12: 25.7e9, C13: 21.4e9, C33: 61.5e9, C44: 16.4e9}\n" LAW("0.05")  \
        FAMILY("basal", "10", "500", "40", "2.25") FAMILY("prismatic", "55", "500", "135", "2.25") \
            FAMILY("pyramidal2_ca", "60", "500", "150", "2.25")

/* bound: of the deviator, over von Mises' stress, and of the mean turn between orientations, degrees. DAMASK's increments leave most of
 * it: A's own limit with short ones (scripts/dev/damask_increments.py) is up to 0.39 % off its run, and we are within 0.05 % of that. */
static const struct {
    const char *run, *crystals, *material;
    int steps; /* of 1e-3 after the first 0.01 */
    double bound, turn;
} runs[] = {
    {"A", "damask-cubic.ori",
     "name: A\ncrystal_structure: fcc\nelasticity: {C11: 168.7e9, C12: 121.7e9, C44: 75.0e9}\n" LAW("0.02")
         FAMILY("\"111\"", "16", "180", "148", "2.25, latent: [1.4], self: 1, coplanar: 1") END,
     490, 0.0045, 0.05},
    {"B", "damask-hexagonal.ori", "name: B\n" MAGNESIUM END, 190, 0.0025, 0.05},
    {"C", "damask-hexagonal.ori",
     "name: C\n" MAGNESIUM
     "    - {family: tension_twin, initial_slip_resistance: 40e6, initial_hardening_rate: 50e6, "
     "hardening_by_slip: 150e6}\n" END,
     40, 0.0025, 0.02},
    {"D", "damask-hexagonal.ori",
     "name: D\ncrystal_structure: hexagonal\nc_over_a: 1.587\n"
     "elasticity: {C11: 162.4e9, C12: 92.0e9, C13: 69.0e9, C33: 180.7e9, C44: 46.7e9}\n" LAW("0.05")
         FAMILY("basal", "150", "200", "220", "2") FAMILY("prismatic", "100", "200", "160", "2")
             FAMILY("pyramidal_ca", "300", "200", "420", "2") END,
     190, 0.0025, 0.06},
    {"E", "damask-cubic.ori",
     "name: E\ncrystal_structure: bcc24\nelasticity: {C11: 231.4e9, C12: 134.7e9, C44: 116.4e9}\n" LAW("0.05")
         FAMILY("\"110\"", "90", "1000", "220", "2.25") FAMILY("\"112\"", "120", "800", "300", "2.25") END,
     290, 0.0025, 0.04},
};
enum { RUNS = sizeof runs / sizeof *runs };

/* A row of the file: strain, deviator 11 22 33 23 13 12 (MPa), slips of families. */
typedef struct {
    double strain, deviator[6], slip[FAMILIES];
} row;

static int read_rows(const char *run, const char *elasticity, row rows[ROWS])
{
    char line[400], start[40];
    int found = 0;
    FILE *const file = fopen(data_path("reference/damask-families.csv"), "r");
    assert_non_null(file);
    snprintf(start, sizeof start, "%s,%s", run, elasticity);
    while (fgets(line, sizeof line, file) != NULL) {
        char *at = line + strlen(start);
        double value[1 + 6 + FAMILIES];
        if (strncmp(line, start, strlen(start)) != 0)
            continue;
        for (int k = 0; k < 1 + 6 + FAMILIES; k++)
            value[k] = *at == ',' && at[1] != ',' && at[1] != '\n' ? strtod(at + 1, &at) : (at++, 0);
        const double pressure = (value[1] + value[2] + value[3]) / 3;
        for (int k = 1; k <= 3; k++)
            value[k] -= pressure;
        assert_true(found < ROWS);
        memcpy(&rows[found++], value, sizeof value);
    }
    fclose(file);
    assert_true(found > 5);
    return found;
}

static void advance(polycrystal *p, int k, double *strain, double deviator[6])
{
    static const double gradient[3][3] = {{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}};
    const double by = k < 50 ? 2e-4 : 1e-3;
    step_polycrystal(p, gradient, by / 1e-3, deviator);
    *strain += by;
}

static const double none[6] = {0};

/* Of grains at the end, degrees. */
static double mean_turn(const polycrystal *p, const char *run)
{
    char line[200];
    double sum = 0;
    int64_t n = 0;
    FILE *const file = fopen(data_path("reference/damask-families-final.csv"), "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        double euler[3], a[3][3], b[3][3], square = 0;
        if (line[0] != run[0] || sscanf(line + 1, ",%lf,%lf,%lf", &euler[0], &euler[1], &euler[2]) != 3)
            continue;
        for (int i = 0; i < 3; i++)
            euler[i] *= SW_PI / 180;
        sw_rotation_from_euler(euler, a);
        rotation_of(p, n++, b);
        for (int i = 0; i < 9; i++)
            square += (a[i / 3][i % 3] - b[i / 3][i % 3]) * (a[i / 3][i % 3] - b[i / 3][i % 3]);
        sum += sqrt(square / 2) * 180 /
               SW_PI; /* 2 sqrt(2) sin of half the angle is the size of the difference */
    }
    fclose(file);
    assert_int_equal(n, p->crystals.n);
    return sum / (double)n;
}

/* Families' slips within 1 % where they are of any size. */
static void check_slips(const polycrystal *p, const row *r, double *worst)
{
    double slip[SW_FAMILIES_MAX];
    measure_slip(p, slip);
    for (int f = 0; f < p->material.slip.family_count; f++)
        if (r->slip[f] > 1e-3) {
            *worst = fmax(*worst, fabs(slip[f] / r->slip[f] - 1));
            CHECK_CLOSE(slip[f] / r->slip[f], 1, 0.01);
        }
}

/* Against the rows of a kind; the polycrystal is left as it ends. */
static void compare(int run, const char *elasticity, double bound, polycrystal *p)
{
    row rows[ROWS];
    double strain = 0, deviator[6], worst = 0, slips = 0;
    const int count = read_rows(runs[run].run, elasticity, rows);
    int next = 0;
    CHECK_OK(sw_material_parse(runs[run].run, runs[run].material, &p->material));
    open_polycrystal("elastoplastic", runs[run].crystals, p);
    for (int k = 0; k < 50 + runs[run].steps; k++) {
        advance(p, k, &strain, deviator);
        if (next < count && fabs(strain - rows[next].strain) < 1e-5) {
            const double error = von_mises_between(deviator, rows[next].deviator) /
                                 von_mises_between(none, rows[next].deviator);
            worst = greatest(worst, error);
            CHECK_CLOSE(error, 0, bound);
            check_slips(p, &rows[next++], &slips);
        }
    }
    assert_int_equal(next, count);
    print_message("%s, %s: deviator within %.3f %%, families' slips %.2f %%\n", runs[run].run, elasticity,
                  100 * worst, 100 * slips);
}

static void elastoplastic_is_as_damask(void **state)
{
    (void)state;
    for (int i = 0; i < RUNS; i++) {
        polycrystal p;
        compare(i, "elastic", runs[i].bound, &p);
        const double turn = mean_turn(&p, runs[i].run);
        print_message("%s: orientations %.3f degrees on average\n", runs[i].run, turn);
        CHECK_CLOSE(turn, 0, runs[i].turn);
        close_polycrystal(&p);
    }
}

static void and_what_it_tends_to(void **state)
{
    (void)state;
    polycrystal p;
    compare(0, "limit", 0.0005, &p);
    close_polycrystal(&p);
}

/* Without elastic strains: against what the elastic ones and those of a tenth lead to, stiff + (stiff - elastic)/9. From a strain of
 * 0.01 on von Mises' stress within 0.3 %; 0.2 % was found. Where that leads misses the whole deviator of crystals that are rigid by up to
 * 0.9 %, as corners of the yield surface are not straight; of A these are there, too (scripts/dev/damask_increments.py), by which all of it is
 * within 0.43 %. */
static void rigid_plastic_is_as_damask_would_be(void **state)
{
    (void)state;
    for (int i = 0; i < RUNS; i++) {
        row elastic[ROWS], stiff[ROWS], rigid[ROWS];
        polycrystal p;
        double strain = 0, deviator[6], worst = 0, tensor = 0;
        const int known = i == 0 ? read_rows(runs[i].run, "rigid", rigid) : 0;
        const int count = read_rows(runs[i].run, "elastic", elastic);
        int compared = 0;
        assert_int_equal(read_rows(runs[i].run, "stiff", stiff), count);
        CHECK_OK(sw_material_parse(runs[i].run, runs[i].material, &p.material));
        open_polycrystal("rigid_plastic", runs[i].crystals, &p);
        for (int k = 0; k < 50 + runs[i].steps; k++) {
            advance(&p, k, &strain, deviator);
            for (int n = 0; n < count; n++)
                if (strain > 0.0099 && fabs(strain - elastic[n].strain) < 1e-5) {
                    double limit[6];
                    assert_true(fabs(stiff[n].strain - elastic[n].strain) < 1e-5);
                    for (int c = 0; c < 6; c++)
                        limit[c] = stiff[n].deviator[c] + (stiff[n].deviator[c] - elastic[n].deviator[c]) / 9;
                    const double ratio = von_mises_between(none, deviator) / von_mises_between(none, limit);
                    worst = greatest(worst, fabs(ratio - 1));
                    CHECK_CLOSE(ratio, 1, 0.003);
                    compared++;
                    if (known > 0)
                        tensor = greatest(tensor, von_mises_between(deviator, rigid[n].deviator) /
                                                      von_mises_between(none, deviator));
                }
        }
        assert_true(compared >= 8 && (known == 0 || known == count));
        print_message("%s: von Mises within %.3f %%\n", runs[i].run, 100 * worst);
        if (known > 0)
            print_message("%s: deviator of rigid crystals within %.3f %%\n", runs[i].run, 100 * tensor);
        assert_true(tensor <= 0.005);
        close_polycrystal(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elastoplastic_is_as_damask),
        cmocka_unit_test(and_what_it_tends_to),
        cmocka_unit_test(rigid_plastic_is_as_damask_would_be),
    };
    return cmocka_run_group_tests_name("families of slip systems against DAMASK", tests, NULL, NULL);
}
