/* Given stresses of crystals whose volume makes deviators: elastic polycrystals in closed form. */
#include "tests/test.h"

#include "common/math/elimination.h"
#include "common/math/rotation.h"
#include "common/math/six.h"
#include "online/loading/mixed.h"
#include "online/response/trial.h"

#define X NAN

/* Zinc, whose c axis is three times as soft as a: elastic constants of Ledbetter, J. Phys. Chem. Ref. Data 6 (1977) 1181, which no
 * stress of the test makes slip. */
static const char zinc[] =
    "name: zinc\ncrystal_structure: hexagonal\nc_over_a: 1.856\n"
    "elasticity: {C11: 163e9, C12: 30.6e9, C13: 48.1e9, C33: 60.3e9, C44: 39.4e9}\n"
    "slip:\n  reference_slip_rate: 1e-3\n  rate_sensitivity: 0.05\n  families:\n"
    "    - {family: basal, initial_slip_resistance: 1e11}\n"
    "    - {family: prismatic, initial_slip_resistance: 1e11}\n"
    "    - {family: pyramidal2_ca, initial_slip_resistance: 1e11}\n"
    "hardening: {law: voce, initial_hardening_rate: 0, saturation_resistance: 2e11, exponent: 1}\n";

typedef struct {
    sw_response *response;
    sw_crystals begun, ended;
    double dt;
} body;

static sw_status respond(void *context, const double l[3][3], sw_response_average *average)
{
    body *b = context;
    return sw_response_advance_within(b->response, 0.1, l, b->dt, &b->begun, &b->ended, average);
}

/* The crystals' mean stiffness [6][6], sample frame, Pa: what equal strains make of them; shears of strain doubled. */
static void stiffness_of(const sw_material *m, int n, const sw_crystal *crystal, double c[6][6])
{
    const sw_stiffness own = sw_material_stiffness(m);
    memset(c, 0, sizeof(double[6][6]));
    for (int k = 0; k < n; k++) {
        const double euler[3] = {crystal[k].euler[0], crystal[k].euler[1], crystal[k].euler[2]};
        double g[3][3];
        sw_rotation_from_euler(euler, g);
        for (int of = 0; of < 36 * 81; of++) {
            const int a = of / 81 / 6, b = of / 81 % 6;
            const int p = of / 27 % 3, q = of / 9 % 3, r = of / 3 % 3, s = of % 3;
            c[a][b] += g[sw_six_row(a)][p] * g[sw_six_column(a)][q] * g[sw_six_row(b)][r] *
                       g[sw_six_column(b)][s] * own.c6[sw_six_of(p, q)][sw_six_of(r, s)] / n;
        }
    }
}

/* Strain [6], shears doubled, and stress [6] of such a stiffness where `given` says which stresses are given; the others' strains
 * are. */
static void solve(const double c[6][6], const int given[6], double strain[6], double stress[6])
{
    double a[6][6] = {{0}}, b[6], x[6];
    for (int i = 0; i < 6; i++) { /* unknowns: strains where stresses are given, else stresses */
        b[i] = given[i] ? stress[i] : 0;
        for (int j = 0; j < 6; j++)
            if (given[j])
                a[i][j] = c[i][j];
            else
                b[i] -= c[i][j] * strain[j];
        a[i][i] -= given[i] ? 0 : 1;
    }
    assert_true(sw_solve_by_elimination(6, 6, a[0], b, x));
    for (int i = 0; i < 6; i++)
        *(given[i] ? &strain[i] : &stress[i]) = x[i];
}

/* Two steps to a strain of 4e-5, whose square is beyond what is looked at, and digits of single precision. */
/* far: what is of the order of strains squared, of 1e-4, for a solver of finite ones. */
static void check_solver(const char *solver, double far, const char *text, int n, const sw_crystal *crystal,
                         const sw_loading *loading)
{
    sw_material *material;
    sw_mixed_state mixed = {.mean_stress = 0};
    double c[6][6], strain[6] = {0}, stress[6] = {0}, found[6] = {0}, largest = 0;
    int given[6];
    body b = {.dt = 2e-2};
    sw_crystal begun[4];
    sw_response_average average;
    memcpy(begun, crystal, (size_t)n * sizeof *begun);
    CHECK_OK(sw_material_parse_text("zinc.yaml", text, &material));
    CHECK_OK(sw_response_open(&(sw_response_options){.solver = solver, .material = material}, &b.response));
    CHECK_OK(sw_crystals_of(b.response, n, begun, NULL, &b.ended));
    CHECK_OK(sw_crystals_make(b.response, n, &b.begun));
    sw_mixed_begin(loading, &mixed);
    const sw_elastic_volume volume = sw_elastic_volume_of(b.response);
    for (int step = 0; step < 2; step++) {
        double l[3][3];
        CHECK_OK(sw_crystals_assign(&b.begun, &b.ended));
        CHECK_OK(sw_mixed_step(loading, volume, b.dt, respond, &b, &mixed, l, &average));
        for (int k = 0; k < 6; k++)
            found[k] += sw_loading_component((const double(*)[3])l, k) * b.dt * (k < 3 ? 1 : 2);
    }
    stiffness_of(material, n, crystal, c);
    for (int k = 0; k < 6; k++) {
        given[k] = sw_loading_is_free(loading, k);
        strain[k] = given[k] ? 0 : found[k];
        stress[k] = given[k] ? loading->stress[sw_six_row(k)][sw_six_column(k)] : 0;
    }
    solve((const double(*)[6])c, given, strain, stress);
    for (int k = 0; k < 6; k++)
        largest = greatest(largest, fabs(stress[k]));
    for (int k = 0; k < 6; k++) {
        CHECK_CLOSE(average.cauchy_stress[sw_six_row(k)][sw_six_column(k)], stress[k], 2e-4 * largest);
        CHECK_CLOSE(found[k], strain[k], 2e-4 * 4e-5 + far);
    }
    sw_crystals_release(&b.begun);
    sw_crystals_release(&b.ended);
    sw_response_close(b.response);
    sw_material_close(material);
}

static void check(const char *text, int n, const sw_crystal *crystal, const sw_loading *loading)
{
    check_solver("elastoplastic", 0, text, n, crystal, loading);
    check_solver("iterative", 3e-8, text, n, crystal, loading);
}

static const sw_loading tension = {.velocity_gradient = {{1e-3, X, X}, {X, X, X}, {X, X, X}},
                                   .stress = {{X, 0, 0}, {0, 0, 0}, {0, 0, 0}},
                                   .duration = 1};
/* Pressed on one side, squeezed on another, the third still. */
static const sw_loading pressed = {.velocity_gradient = {{-1e-3, X, X}, {X, X, X}, {X, X, 0}},
                                   .stress = {{X, 1e6, 0}, {1e6, -3e6, -5e5}, {0, -5e5, X}},
                                   .duration = 1};

static void one_crystal_strains_by_its_compliance(void **state)
{
    (void)state;
    static const sw_crystal along_c = {{0, (float)(SW_PI / 2), (float)(SW_PI / 2)}, 1e11F},
                            across = {{0, 0, 0}, 1e11F}, askew = {{0.3F, 0.8F, 1.1F}, 1e11F};
    check(zinc, 1, &along_c, &tension);
    check(zinc, 1, &across, &tension);
    check(zinc, 1, &askew, &tension);
    check(zinc, 1, &askew, &pressed);
}

static void crystals_together_by_their_mean_stiffness(void **state)
{
    (void)state;
    static const sw_crystal four[] = {{{0.3F, 0.8F, 1.1F}, 1e11F},
                                      {{2.3F, 1.8F, 0.1F}, 1e11F},
                                      {{4.3F, 0.2F, 0.7F}, 1e11F},
                                      {{1.3F, 1.4F, 2.1F}, 1e11F}};
    check(zinc, 4, four, &tension);
    check(zinc, 4, four, &pressed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_crystal_strains_by_its_compliance),
                                       cmocka_unit_test(crystals_together_by_their_mean_stiffness)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
