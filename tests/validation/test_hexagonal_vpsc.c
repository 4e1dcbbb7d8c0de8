/* `rigid_plastic` against VPSC8's full constraints of hexagonal polycrystals with the extended Voce law by families and twins one way:
 * data/reference/vpsc-hexagonal.csv says how they were made, of the materials of data/materials. */
#include "tests/crystals.h"

#include "common/crystal/material_file.h"
#include "common/math/rotation.h"
#include "common/math/tensor.h"
#include "online/texture/crystal_file.h"

enum { STEPS = 30, ACTIVITIES = 4, COLUMNS = 1 + 6 + ACTIVITIES + 3 };

static const char *const order[ACTIVITIES] = {"prismatic", "basal", "pyramidal_ca", "tension_twin"};

/* A row of the file: von Mises (MPa), deviator 11 22 33 23 13 12, shares of families, Kearns' factors. */
typedef struct {
    double von_mises, deviator[6], share[ACTIVITIES], kearns[3];
} row;

typedef struct {
    sw_response *response;
    sw_material material;
    sw_crystal_list list;
    sw_crystals crystals;
} polycrystal;

static const char *path_of(const char *folder, const char *name)
{
    static char path[4096];
    const char *data = getenv("SW_DATA");
    snprintf(path, sizeof path, "%s/%s/%s", data ? data : "data", folder, name);
    return path;
}

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

static void open_polycrystal(const char *material, const char *texture, polycrystal *p)
{
    const sw_crystal_filter all = {0};
    sw_crystal *crystal;
    CHECK_OK(sw_material_read(path_of("materials", material), &p->material));
    CHECK_OK(sw_crystal_file_read_with(path_of("reference", texture), &all, &p->list));
    const sw_response_options options = {.solver = "rigid_plastic", .material = &p->material};
    CHECK_OK(sw_response_open(&options, &p->response));
    crystal = calloc((size_t)p->list.count, sizeof *crystal);
    for (int64_t n = 0; n < p->list.count; n++) {
        for (int i = 0; i < 3; i++)
            crystal[n].euler[i] = (float)p->list.euler[n][i];
        crystal[n].slip_resistance = (float)p->material.slip.initial_slip_resistance;
    }
    CHECK_OK(sw_crystals_of(p->response, p->list.count, crystal, p->list.weight, &p->crystals));
}

static void close_polycrystal(polycrystal *p)
{
    sw_crystal *crystal = p->crystals.crystal;
    sw_crystals_release(&p->crystals);
    free(crystal);
    sw_crystal_list_free(&p->list);
    sw_response_close(p->response);
}

/* Means over crystals: mean squares of c, and the accumulated slip of each family, the last numbers of a state. */
static void measure(const polycrystal *p, double kearns[3], double slip[SW_FAMILIES_MAX])
{
    const int families = p->material.slip.family_count, numbers = p->crystals.layout->numbers;
    double total = 0;
    memset(kearns, 0, 3 * sizeof *kearns);
    memset(slip, 0, SW_FAMILIES_MAX * sizeof *slip);
    for (int64_t n = 0; n < p->crystals.n; n++) {
        const sw_crystal *one = &p->crystals.crystal[n];
        const double euler[3] = {one->euler[0], one->euler[1], one->euler[2]}, w = p->list.weight[n];
        double g[3][3];
        sw_rotation_from_euler(euler, g);
        for (int i = 0; i < 3; i++)
            kearns[i] += w * g[i][2] * g[i][2];
        for (int f = 0; f < families; f++)
            slip[f] += w * p->crystals.state[n * numbers + numbers - families + f];
        total += w;
    }
    for (int i = 0; i < 3; i++)
        kearns[i] /= total;
    for (int f = 0; f < families; f++)
        slip[f] /= total;
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

/* Steps of 0.01 under diag(1, -1/2, -1/2) times `sign` on `axis`, at the material's reference rate, as there. Worst of all rows. VPSC8
 * slips by the resistances of a step's beginning, we by those of its end, and its tolerances are 1e-3. */
static void compare(const char *name, const char *material, const char *texture, int axis, double sign)
{
    row rows[STEPS + 1];
    polycrystal p;
    double kearns[3], before[SW_FAMILIES_MAX], after[SW_FAMILIES_MAX], gradient[3][3] = {{0}};
    double worst[4] = {0};
    read_rows(name, rows);
    open_polycrystal(material, texture, &p);
    const double rate = p.material.slip.reference_slip_rate;
    for (int i = 0; i < 3; i++)
        gradient[i][i] = sign * rate * (i == axis ? 1 : -0.5);
    measure(&p, kearns, before);
    for (int k = 1; k <= STEPS; k++) {
        static const int of[6] = {0, 1, 2, 1, 0, 0}, with[6] = {0, 1, 2, 2, 2, 1};
        sw_response_average mean;
        double deviator[3][3], square = 0;
        CHECK_OK(sw_response_step(p.response, (const double(*)[3])gradient, 0.01 / rate, &p.crystals,
                                  &p.crystals, &mean));
        measure(&p, kearns, after);
        memcpy(deviator, mean.cauchy_stress, sizeof deviator);
        const double pressure = (deviator[0][0] + deviator[1][1] + deviator[2][2]) / 3;
        for (int i = 0; i < 3; i++)
            deviator[i][i] -= pressure;
        for (int i = 0; i < 9; i++)
            square += deviator[i / 3][i % 3] * deviator[i / 3][i % 3];
        const row *r = &rows[k], *begun = &rows[k - 1];
        const double von_mises = 1e-6 * sqrt(1.5 * square);
        worst[0] = fmax(worst[0], fabs(von_mises / r->von_mises - 1));
        CHECK_CLOSE(von_mises / r->von_mises, 1, 0.002);
        for (int i = 0; i < 6; i++) {
            const double found = 1e-6 * deviator[of[i]][with[i]] / r->von_mises;
            worst[1] = fmax(worst[1], fabs(found - r->deviator[i] / r->von_mises));
            CHECK_CLOSE(found, r->deviator[i] / r->von_mises, 0.003);
        }
        for (int f = 0; f < ACTIVITIES; f++) {
            const double found = share_of(&p, order[f], before, after), expected = begun->share[f];
            worst[2] = fmax(worst[2], fabs(found - expected));
            CHECK_CLOSE(found, expected, 0.01);
        }
        for (int i = 0; i < 3; i++) {
            worst[3] = fmax(worst[3], fabs(kearns[i] - r->kearns[i]));
            CHECK_CLOSE(kearns[i], r->kearns[i], 0.005);
        }
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
