/* Crystals with families of slip systems, by hand: Schmid factors, what the groups 622 and 422 leave alone, the law at the end of a
 * step of the model, twins one way. */
#include "tests/test.h"

#include "common/crystal/crystal_integrator.h"
#include "common/crystal/material_file.h"
#include "common/math/quaternion.h"
#include "common/math/rotation.h"
#include "common/math/tensor.h"

enum { ALL_FAMILIES = 9, NUMBERS_MAX = SW_SLIP_SYSTEMS_MAX + SW_FAMILIES_MAX };

static const double root3 = 1.73205080756887729353;
static const double along_c[1][3][3] = {{{-5e-4, 0, 0}, {0, -5e-4, 0}, {0, 0, 1e-3}}};

/* ---- Schmid factors ---- */

/* Numbers of systems with each factor: what a family has of them under tension along a direction. */
typedef struct {
    int count;
    double factor;
} share;

/* Of twins with their sign. */
static void check_factors(int family, double c_over_a, const double load[3], const share expected[3])
{
    sw_slip_systems s;
    int known = 0;
    CHECK_OK(sw_slip_systems_of(&sw_lattice_hexagonal, c_over_a, 1, &family, &s));
    for (int k = 0; k < 3; k++) {
        int count = 0;
        for (int a = 0; a < s.count; a++) {
            double factor = 0, normal = 0;
            for (int i = 0; i < 3; i++) {
                factor += s.direction[a][i] * load[i];
                normal += s.normal[a][i] * load[i];
            }
            factor *= normal;
            count += fabs((s.two_way > 0 ? fabs(factor) : factor) - expected[k].factor) < 1e-12;
        }
        if (expected[k].count > 0 && count != expected[k].count)
            fail_msg("%s: %d systems with a Schmid factor of %g: need %d",
                     sw_lattice_hexagonal.family[family].name, count, expected[k].factor, expected[k].count);
        known += expected[k].count;
    }
    assert_int_equal(known, s.count);
}

/* With g = c/a: <a> lies across c, <c+a> at an angle to it of cosine g/root(1 + g^2); normals of {10-1l} are at one of tangent 2 g/(l root 3),
 * those of {11-2l} of 2 g/l. A family along c has all its systems alike, f = sin cos where plane, direction and c are in one plane. Along
 * a1 = [2-1-10] the planes of a kind are at 30, 90 and 150 degrees, or 0 and 60, about c. */
static void schmid_factors_are_those_by_hand(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        const double g = (const double[]){1.5, 1.6235, 1.7}[k], c[3] = {0, 0, 1}, a1[3] = {1, 0, 0};
        const double slant = sqrt(1 + g * g), t = 2 * g / root3, up = 1 / sqrt(1 + t * t), out = t * up;
        const double half = g / root3, twice = 2 * g;
        const share c_has[ALL_FAMILIES][3] = {
            {{3, 0}},
            {{3, 0}},
            {{6, 0}},
            {{12, g / slant * up}},
            {{6, g / (slant * slant)}},
            {{6, half / (1 + half * half)}},    /* {10-12}, pulled open along c */
            {{6, twice / (1 + twice * twice)}}, /* {11-21}, likewise */
            {{6, -t / (1 + t * t)}},            /* {10-11} and {11-22}: pressed */
            {{6, -g / (1 + g * g)}},
        };
        const share a1_has[ALL_FAMILIES][3] = {
            {{3, 0}},
            {{2, root3 / 4}, {1, 0}},
            {{4, out * root3 / 4}, {2, 0}},
            /* plane normals at 30 degrees from a1, and across it: its directions a1's and a2's */
            {{4, 1 / slant * out * root3 / 2}, {4, 0.5 / slant * out * root3 / 2}, {4, 0}},
            {{2, g / (slant * slant)}, {4, 0.25 * g / (slant * slant)}},
            {{4, -0.75 * half / (1 + half * half)}, {2, 0}},
            {{2, -twice / (1 + twice * twice)}, {4, -0.25 * twice / (1 + twice * twice)}},
            {{4, 0.75 * t / (1 + t * t)}, {2, 0}},
            {{2, g / (1 + g * g)}, {4, 0.25 * g / (1 + g * g)}},
        };
        for (int f = 0; f < ALL_FAMILIES; f++) {
            check_factors(f, g, c, c_has[f]);
            check_factors(f, g, a1, a1_has[f]);
        }
    }
}

/* ---- Materials ---- */

#define FAMILY(name, s0)                                                                        \
    "    - {family: " name ", initial_slip_resistance: " s0 ", initial_hardening_rate: 0.5e9, " \
    "saturation_resistance: 900.0e6, exponent: 2"
#define TWIN(name)         \
    "    - {family: " name \
    ", initial_slip_resistance: 80.0e6, initial_hardening_rate: 50.0e6, hardening_by_slip: 150.0e6}\n"
#define HEXAGONAL                                                                     \
    "name: all\ncrystal_structure: hexagonal\nc_over_a: 1.6235\n"                     \
    "elasticity: {C11: 59.3e9, C33: 71.5e9, C44: 16.4e9, C12: 25.7e9, C13: 21.4e9}\n" \
    "slip:\n  reference_slip_rate: 1.0e-3\n  rate_sensitivity: 0.05\n  families:\n"
#define SOME_SLIP                                                                          \
    FAMILY("basal", "10.0e6")                                                              \
    "}\n" FAMILY("prismatic", "55.0e6") ", latent: [2, 1, 1.5, 1.2], self: 0.5}\n" FAMILY( \
        "pyramidal2_ca", "90.0e6") ", saturation_by_twins: 50.0e6}\n"
#define LAW "hardening: {law: phenopowerlaw}\n"

static const char all_families[] =
    HEXAGONAL FAMILY("basal", "10.0e6") "}\n" FAMILY("prismatic", "55.0e6") "}\n" FAMILY(
        "pyramidal_a", "70.0e6") "}\n" FAMILY("pyramidal_ca",
                                              "95.0e6") "}\n" FAMILY("pyramidal2_ca",
                                                                     "90.0e6") "}\n" TWIN("tension_twin")
        TWIN("tension_twin2") TWIN("compression_twin") LAW;
static const char one_twin[] = HEXAGONAL SOME_SLIP TWIN("tension_twin") LAW;
static const char tetragonal[] =
    "name: tin\ncrystal_structure: tetragonal\nc_over_a: 0.546\n"
    "elasticity: {C11: 72.3e9, C33: 88.4e9, C44: 22.0e9, C66: 24.0e9, C12: 59.4e9, C13: 35.8e9}\n"
    "slip:\n  reference_slip_rate: 1.0e-3\n  rate_sensitivity: 0.05\n  families:\n";

static sw_material material_of(const char *text)
{
    sw_material m;
    CHECK_OK(sw_material_parse("test", text, &m));
    return m;
}

/* All of its slip families, with resistances of 10, 13, 16, ... MPa; as many as there is room for. */
static sw_material material_of_lattice(const char *head, const sw_lattice *lattice)
{
    static char text[4096];
    snprintf(text, sizeof text, "%s", head);
    for (int k = 0; k < lattice->n_families; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), FAMILY("\"%s\"", "%d.0e6") "}\n",
                 lattice->family[k].name, 10 + 3 * k);
    strcat(text, LAW);
    return material_of(text);
}

/* ---- Groups ---- */

/* g c for every c of the group: the same response, of a crystal whose systems are counted in another order. Round-off, 1e-16 times a
 * condition of 1e4 or so of Newton's equations, and what the two levels leave of stress and resistances: 1e-6. */
static void check_group(const sw_material *material)
{
    const sw_point_group *group = sw_material_lattice(material)->group;
    const double l[1][3][3] = {{{1e-3, 4e-4, 0}, {0, -3e-4, 0}, {2e-4, 0, -7e-4}}},
                 euler[3] = {0.7, 1.1, 0.4};
    const sw_integration_control control = sw_integration_history();
    const int numbers = sw_integration_slip(material);
    sw_crystal_state crystal[SW_POINT_GROUP_ORDER];
    double g[3][3], c[3][3], gc[3][3];
    sw_rotation_from_euler(euler, g);
    for (int r = 0; r < group->order; r++) {
        sw_point_group_matrix(group, r, c);
        sw_multiply(g, c, gc);
        crystal[r] = sw_crystal_state_initial(gc, material->slip.initial_slip_resistance);
    }
    assert_true(numbers > material->slip.family_count);
    CHECK_OK(sw_integrate(material, &control, group->order, l, 1, 0, 0.05, crystal, NULL, NULL, NULL));
    const sw_crystal_output first = sw_crystal_state_output(&crystal[0]);
    for (int r = 1; r < group->order; r++) {
        const sw_crystal_output o = sw_crystal_state_output(&crystal[r]);
        CHECK_CLOSE(crystal[r].slip_rate / crystal[0].slip_rate, 1, 2e-5);
        CHECK_CLOSE(crystal[r].slip_resistance / crystal[0].slip_resistance, 1, 2e-6);
        for (int i = 0; i < 9; i++) {
            CHECK_CLOSE(o.cauchy_stress[i / 3][i % 3], first.cauchy_stress[i / 3][i % 3], 1e-5 * 200e6);
            CHECK_CLOSE(o.plastic_gradient[i / 3][i % 3], first.plastic_gradient[i / 3][i % 3], 2e-5 * 1e-3);
        }
    }
}

static void responses_have_their_groups(void **state)
{
    (void)state;
    const sw_material hexagonal = material_of(all_families),
                      other = material_of_lattice(tetragonal, &sw_lattice_tetragonal);
    check_group(&hexagonal);
    check_group(&other);
}

/* C_ijkl of c6; a rotation R of the group gives R R R R C = C. About c a hexagonal stiffness stays at any angle. */
static void check_stiffness(const sw_material *material, const double q[4])
{
    static const int place[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
    const sw_stiffness s = sw_material_stiffness(material);
    double r[3][3];
    sw_rotation_from_quaternion(q, r);
    for (int n = 0; n < 81; n++) {
        const int i = n / 27, j = n / 9 % 3, k = n / 3 % 3, l = n % 3;
        double sum = 0;
        for (int m = 0; m < 81; m++) {
            const int a = m / 27, b = m / 9 % 3, c = m / 3 % 3, d = m % 3;
            sum += r[i][a] * r[j][b] * r[k][c] * r[l][d] * s.c6[place[a][b]][place[c][d]];
        }
        CHECK_CLOSE(sum, s.c6[place[i][j]][place[k][l]], 1e-13 * 81e9);
    }
}

static void stiffnesses_have_their_groups(void **state)
{
    (void)state;
    const sw_material m[2] = {material_of(all_families),
                              material_of_lattice(tetragonal, &sw_lattice_tetragonal)};
    for (int k = 0; k < 2; k++)
        for (int r = 0; r < sw_material_lattice(&m[k])->group->order; r++)
            check_stiffness(&m[k], sw_material_lattice(&m[k])->group->q[r]);
    check_stiffness(&m[0], (const double[]){cos(0.3), 0, 0, sin(0.3)});
}

/* ---- The law at the end of a step ---- */

/* What a crystal that has not slipped begins with. */
static void begin_slip(const sw_material *m, double *number)
{
    float begun[SW_SLIP_SYSTEMS_MAX + SW_FAMILIES_MAX];
    sw_slip_law law;
    CHECK_OK(sw_slip_law_prepare(m, &law));
    const sw_slip_law_start start = sw_slip_law_start_of(&law);
    sw_slip_law_begin(&start, (float)m->slip.initial_slip_resistance, begun);
    for (int k = 0; k < sw_integration_slip(m); k++)
        number[k] = begun[k];
}

/* A slip state with the resistance of each system: [S + F]. */
static void by_system(const sw_material *m, const double *number, double *each)
{
    sw_slip_law law;
    CHECK_OK(sw_slip_law_prepare(m, &law));
    for (int a = 0; a < law.systems; a++)
        each[a] = number[law.group[a]];
    for (int f = 0; f < law.families; f++)
        each[law.systems + f] = number[law.groups + f];
}

/* A twinning crystal on its way; number [K] its slip state. */
static sw_crystal_state twinned(const sw_material *m, double strain, double *number)
{
    const sw_integration_control control = sw_integration_history();
    const double euler[3] = {0.3, 0.25, 0.2};
    double g[3][3];
    sw_rotation_from_euler(euler, g);
    sw_crystal_state crystal = sw_crystal_state_initial(g, m->slip.initial_slip_resistance);
    begin_slip(m, number);
    CHECK_OK(sw_integrate(m, &control, 1, along_c, 1, 0, strain, &crystal, number, NULL, NULL));
    return crystal;
}

/* Slips are (1 - f) v0 (tau/xi)^n of the stress and the resistances at the step's end, n = 20 times off what these are, of 1e-6 each;
 * resistances grow by h0 (1 - xi/xi_inf)^a sum h |dgamma| of the step, to the order of a step, 1e-4 of strain. The indices of systems:
 * basal 0-2, prismatic 3-5, pyramidal 6-11, twins 12-17. */
static void a_step_ends_by_the_law(void **state)
{
    (void)state;
    enum { S = 18, F = 4 };
    static const double h[3] = {0.5e9, 0.5e9, 0.5e9},
                        latent[4][4] = {{1, 1, 1, 1}, {2, 1, 1.5, 1.2}, {1, 1, 1, 1}, {1, 1, 1, 1}};
    const sw_material m = material_of(one_twin);
    const sw_integration_control control = sw_integration_history();
    const double strain = 1e-4, dt = strain / sqrt(1.5e-6), shear = (3 - 1.6235 * 1.6235) / (root3 * 1.6235);
    double number[2][S + F], before[S + F], after[S + F], slip[S], family[F] = {0};
    sw_slip_systems s;
    CHECK_OK(sw_material_systems(&m, &s));
    sw_crystal_state crystal = twinned(&m, 0.03, number[0]);
    memcpy(number[1], number[0], sizeof number[1]);
    CHECK_OK(sw_integrate(&m, &control, 1, along_c, 1, 0.03, strain, &crystal, number[1], NULL, NULL));
    by_system(&m, number[0], before);
    by_system(&m, number[1], after);
    const double fraction = after[S + 3] / shear, begun = before[S + 3] / shear, *t = crystal.stress;
    const double tensor[3][3] = {{t[0], t[5], t[4]}, {t[5], t[1], t[3]}, {t[4], t[3], t[2]}};
    assert_true(fraction > 0.1); /* so that it matters */
    for (int a = 0; a < S; a++) {
        double tau = 0;
        for (int i = 0; i < 9; i++)
            tau += s.direction[a][i / 3] * s.normal[a][i % 3] * tensor[i / 3][i % 3];
        slip[a] =
            dt * 1e-3 * pow((a < 12 ? fabs(tau) : fmax(tau, 0)) / after[a], 20) * (a < 12 ? 1 : 1 - fraction);
        family[s.family[a]] += slip[a];
    }
    for (int f = 0; f < F; f++)
        CHECK_CLOSE(after[S + f] - before[S + f], family[f], 1e-4 * (after[S + 3] - before[S + 3]));
    for (int a = 0; a < S; a++) {
        const int f = s.family[a];
        const double slipped = before[S] + before[S + 1] + before[S + 2];
        double by_slip = 0, by_twins = 0;
        for (int b = 0; b < S; b++)
            *(b < 12 ? &by_slip : &by_twins) += (a == b && f == 1 ? 0.5 : latent[f][s.family[b]]) * slip[b];
        const double limit = 900e6 + (f == 2 ? 50e6 * sqrt(begun) : 0);
        const double grows = f < 3 ? h[f] * pow(1 - before[a] / limit, 2) * by_slip
                                   : 150e6 * slipped * by_slip + 50e6 * by_twins;
        assert_true(grows > 0);
        CHECK_CLOSE((after[a] - before[a]) / grows, 1, 5e-3);
    }
}

/* The same by VPSC's law, of which V(Gamma) is written out; Gamma is of all systems, twins too, which here slip in the whole crystal and
 * go on past f = 1. */
static void a_step_ends_by_vpscs_law(void **state)
{
    (void)state;
    enum { F = 3 }; /* basal, <c+a>, tension twins */
    static const double v[F][3] = {{20e6, 0.5e9, 30e6},
                                   {0, 0, 80e6},
                                   {40e6, 0.2e9, 10e6}}, /* tau1 theta0 theta1 */
        latent[F][F] = {{1, 1, 1}, {3, 1, 2}, {1, 1, 1}};
    static const char text[] = HEXAGONAL "    - {family: basal, initial_slip_resistance: 10.0e6, "
                                         "saturation_increase: 20.0e6, initial_hardening_rate: 0.5e9, "
                                         "final_hardening_rate: 30.0e6}\n"
                                         "    - {family: pyramidal2_ca, initial_slip_resistance: 60.0e6, "
                                         "saturation_increase: 0, initial_hardening_rate: 0, "
                                         "final_hardening_rate: 80.0e6, latent: [3, 1, 2]}\n"
                                         "    - {family: tension_twin, initial_slip_resistance: 20.0e6, "
                                         "saturation_increase: 40.0e6, initial_hardening_rate: "
                                         "0.2e9, final_hardening_rate: 10.0e6}\n"
                                         "hardening: {law: extended_voce}\n";
    const sw_material m = material_of(text);
    const sw_integration_control control = sw_integration_history();
    const double strain = 1e-3, dt = strain / sqrt(1.5e-6);
    double number[2][NUMBERS_MAX], before[NUMBERS_MAX], after[NUMBERS_MAX];
    sw_slip_systems s;
    CHECK_OK(sw_material_systems(&m, &s));
    sw_crystal_state crystal = twinned(&m, 0.25, number[0]);
    memcpy(number[1], number[0], sizeof number[1]);
    CHECK_OK(sw_integrate(&m, &control, 1, along_c, 1, 0.25, strain, &crystal, number[1], NULL, NULL));
    by_system(&m, number[0], before);
    by_system(&m, number[1], after);
    const int systems = s.count;
    double begun = 0, ended = 0, slip[SW_SLIP_SYSTEMS_MAX], family[F] = {0}, *t = crystal.stress;
    const double tensor[3][3] = {{t[0], t[5], t[4]}, {t[5], t[1], t[3]}, {t[4], t[3], t[2]}};
    assert_int_equal(systems, 15);
    for (int f = 0; f < F; f++) {
        begun += before[systems + f];
        ended += after[systems + f];
    }
    assert_true(before[systems + 2] > 0.13); /* more than the twins' shear */
    for (int a = 0; a < systems; a++) {
        double tau = 0;
        for (int i = 0; i < 9; i++)
            tau += s.direction[a][i / 3] * s.normal[a][i % 3] * tensor[i / 3][i % 3];
        slip[a] = dt * 1e-3 * pow((a < s.two_way ? fabs(tau) : fmax(tau, 0)) / after[a], 20);
        family[s.family[a]] += slip[a];
    }
    for (int f = 0; f < F; f++)
        CHECK_CLOSE(after[systems + f] - before[systems + f], family[f], 1e-4 * (ended - begun));
    for (int a = 0; a < systems; a++) {
        const double *one = v[s.family[a]];
        double voce[2], sum = 0;
        for (int end = 0; end < 2; end++) {
            const double gamma = end ? ended : begun;
            voce[end] =
                one[0] > 0 ? (one[0] + one[2] * gamma) * (1 - exp(-gamma * one[1] / one[0])) : one[2] * gamma;
        }
        for (int b = 0; b < systems; b++)
            sum += latent[s.family[a]][s.family[b]] * slip[b];
        /* single precision of the law's numbers; slips to 1e-4 */
        CHECK_CLOSE((after[a] - before[a]) / ((voce[1] - voce[0]) / (ended - begun) * sum), 1, 3e-4);
    }
}

/* Crystals in the same bundle, and threads, change nothing: to the same bits, though each needs another number of passes. */
static void neighbours_change_nothing(void **state)
{
    (void)state;
    enum { N = 2 * SW_SLIP_SYSTEMS_MAX };
    const sw_material m = material_of(one_twin);
    const sw_integration_control control = sw_integration_history();
    const int k = sw_integration_slip(&m);
    sw_crystal_state together[N], alone[N];
    double *slip = calloc((size_t)(2 * N * k), sizeof *slip), *own = slip + N * k;
    for (int i = 0; i < N; i++) {
        const double euler[3] = {0.1 * i, 0.03 * i, 0.07 * i};
        double g[3][3];
        sw_rotation_from_euler(euler, g);
        together[i] = alone[i] = sw_crystal_state_initial(g, m.slip.initial_slip_resistance);
        begin_slip(&m, slip + i * k);
        begin_slip(&m, own + i * k);
    }
    CHECK_OK(sw_integrate(&m, &control, N, along_c, 1, 0, 0.05, together, slip, NULL, NULL));
    for (int i = 0; i < N; i++)
        CHECK_OK(sw_integrate(&m, &control, 1, along_c, 1, 0, 0.05, &alone[i], own + i * k, NULL, NULL));
    assert_memory_equal(together, alone, sizeof together);
    assert_memory_equal(slip, own, (size_t)(N * k) * sizeof *slip);
    free(slip);
}

/* Pulled along c it twins, pressed it does not; and its stress is larger then. */
static void twins_shear_one_way(void **state)
{
    (void)state;
    const sw_material m = material_of(one_twin);
    const sw_integration_control control = sw_integration_history();
    double number[NUMBERS_MAX], each[NUMBERS_MAX], pressed[1][3][3], g[3][3], stress[2];
    const double euler[3] = {0.3, 0.05, 0.2};
    sw_rotation_from_euler(euler, g);
    for (int way = 0; way < 2; way++) {
        sw_crystal_state crystal = sw_crystal_state_initial(g, m.slip.initial_slip_resistance);
        begin_slip(&m, number);
        for (int i = 0; i < 9; i++)
            pressed[0][i / 3][i % 3] = (way == 0 ? 1 : -1) * along_c[0][i / 3][i % 3];
        CHECK_OK(sw_integrate(&m, &control, 1, (const double(*)[3][3])pressed, 1, 0, 0.02, &crystal, number,
                              NULL, NULL));
        const sw_crystal_output o = sw_crystal_state_output(&crystal);
        by_system(&m, number, each);
        stress[way] = fabs(o.cauchy_stress[2][2] - o.cauchy_stress[0][0]);
        assert_true(way == 0 ? each[21] > 0.01 : each[21] < 1e-12);
        assert_true(way == 0 ? each[20] < each[21] : each[20] > 0.02);
    }
    assert_true(stress[1] > 1.2 * stress[0]);
}

/* ---- One resistance, said three ways ---- */

/* Copper whose twelve systems harden alike: one resistance; one family in a fixed ratio of 1; a resistance a system, in which every slip
 * counts as much. Single precision holds the numbers of laws by system: 6e-8, times 1/m = 83. */
static void one_resistance_may_be_said_three_ways(void **state)
{
    (void)state;
    static const char *const slip[3] = {
        "initial_slip_resistance: 16.0e6}\n",
        "families: [{family: \"111\", initial_slip_resistance: 16.0e6}]}\n",
        "families: [{family: \"111\", initial_slip_resistance: 16.0e6, initial_hardening_rate: 180.0e6, "
        "saturation_resistance: 148.0e6, exponent: 2.25}]}\n"};
    const double l[1][3][3] = {{{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}}}, euler[3] = {0.7, 1.1, 0.4};
    const sw_integration_control control = sw_integration_history();
    sw_crystal_output first;
    double slipped = 0, g[3][3];
    sw_rotation_from_euler(euler, g);
    for (int k = 0; k < 3; k++) {
        char text[1024];
        double number[NUMBERS_MAX];
        snprintf(
            text, sizeof text,
            "name: copper\ncrystal_structure: fcc\nelasticity: {C11: 168.7e9, C12: 121.7e9, C44: 75.0e9}\n"
            "slip: {reference_slip_rate: 1.0e-3, rate_sensitivity: 0.012, %shardening: {law: %s}\n",
            slip[k],
            k < 2 ? "voce, initial_hardening_rate: 180.0e6, saturation_resistance: 148.0e6, exponent: 2.25"
                  : "phenopowerlaw");
        const sw_material m = material_of(text);
        sw_crystal_state crystal = sw_crystal_state_initial(g, 16e6);
        assert_int_equal(sw_integration_slip(&m), k);
        number[0] = k == 2 ? 16e6 : 0;
        number[1] = 0;
        CHECK_OK(sw_integrate(&m, &control, 1, l, 1, 0, 0.1, &crystal, k == 0 ? NULL : number, NULL, NULL));
        const sw_crystal_output o = sw_crystal_state_output(&crystal);
        if (k == 0)
            first = o;
        if (k == 1)
            slipped = number[0];
        for (int i = 0; i < 9; i++)
            CHECK_CLOSE(o.cauchy_stress[i / 3][i % 3], first.cauchy_stress[i / 3][i % 3],
                        k == 1 ? 1e-3 : 1e-5 * 100e6);
        if (k == 2) {
            CHECK_CLOSE(number[1] / slipped, 1, 1e-5);
            CHECK_CLOSE(number[0], crystal.slip_resistance, 1e-6 * 50e6);
        }
    }
    assert_true(slipped > 0.1);
}

/* ---- Above saturation, and twins ---- */

/* dg = h0 |1 - g/s|^a sgn(1 - g/s) dG + h_tw dG_tw, by DAMASK, in 200 steps of 2e-4 against 1000 of Heun's in each: a step takes one after
 * the other, which leaves h0 a/s of a step's product of both: 1e-4. */
static void resistances_fall_above_saturation_and_grow_by_twins(void **state)
{
    (void)state;
    static const char text[] = HEXAGONAL FAMILY("basal", "10.0e6") ", hardening_by_twins: 80.0e6}\n" FAMILY(
        "pyramidal2_ca", "90.0e6") "}\n" TWIN("tension_twin") LAW;
    const sw_material m = material_of(text);
    sw_slip_law law;
    sw_slip_state now, next;
    sw_law_slips slips;
    double slip[SW_SLIP_SYSTEMS_MAX] = {0}, g = 1500e6, alone = 1500e6;
    const double h0 = 0.5e9, s = 900e6, by = 2e-4;
    CHECK_OK(sw_slip_law_prepare(&m, &law));
    memset(&now, 0, sizeof now);
    now.g[0] = now.g[1] = g;
    now.g[2] = 80e6;
    slip[0] = by;
    slip[law.two_way] = by;
    for (int k = 0; k < 200; k++) {
        sw_law_slips_of(&law, slip, &slips);
        sw_slip_law_harden(&law, &now, &slips, &next);
        now = next;
        for (int fine = 0; fine < 2000; fine++) {
            double *const one = fine < 1000 ? &g : &alone;
            const double twins = fine < 1000 ? 80e6 : 0, dx = by / 1000, u = 1 - *one / s;
            const double first = h0 * u * fabs(u) + twins, v = 1 - (*one + dx * first) / s;
            *one += dx * (first + h0 * v * fabs(v) + twins) / 2;
        }
    }
    CHECK_CLOSE(now.g[0], g, 1e-4 * fabs(g - 1500e6));
    CHECK_CLOSE(now.g[1], alone, 1e-6 * alone); /* no hardening by twins */
    assert_true(now.g[1] < 1495e6 && now.g[0] > now.g[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schmid_factors_are_those_by_hand),
        cmocka_unit_test(responses_have_their_groups),
        cmocka_unit_test(stiffnesses_have_their_groups),
        cmocka_unit_test(a_step_ends_by_the_law),
        cmocka_unit_test(a_step_ends_by_vpscs_law),
        cmocka_unit_test(neighbours_change_nothing),
        cmocka_unit_test(twins_shear_one_way),
        cmocka_unit_test(one_resistance_may_be_said_three_ways),
        cmocka_unit_test(resistances_fall_above_saturation_and_grow_by_twins),
    };
    return cmocka_run_group_tests_name("families of slip systems", tests, NULL, NULL);
}
