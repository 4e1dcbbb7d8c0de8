/* Each formulation alone: constant strains, rigid motions and nothing else without force, tangents against differences,
 * large rotations. */
#include "patches.h"

enum { UNKNOWNS = SW_FORMULATION_UNKNOWNS, POINTS = SW_FORMULATION_POINTS };

typedef struct {
    double state[MOST_STATE], force[UNKNOWNS], stiffness[UNKNOWNS * UNKNOWNS], stress[POINTS][6],
        strain[POINTS][6], volume[POINTS];
} whole;

static sw_element_answer all_of(whole *w)
{
    return (sw_element_answer){.state = w->state,
                               .force = w->force,
                               .stiffness = w->stiffness,
                               .stress = w->stress,
                               .strain = w->strain,
                               .volume = w->volume};
}

static void ask(const sw_element *e, whole *w)
{
    sw_element_answer answer = all_of(w);
    if (e->formulation->evaluate(e, &answer) != SW_OK)
        fail_msg("%s: %s", e->formulation->name, sw_error_message());
}

static int unknowns_of(const sw_element *e)
{
    return sw_formulation_components(e->formulation) * e->formulation->topology->n_nodes;
}

static void test_finding(void **unused)
{
    (void)unused;
    assert_non_null(sw_formulation_find("c3d20r", 0));
    assert_ptr_equal(sw_formulation_find("c3d20", 0), sw_formulation_find("C3D20", 1));
    assert_null(sw_formulation_find("C3D8H", 0));
    assert_null(sw_formulation_find("C3D10M", 0));
    assert_null(sw_formulation_find("C3D20RH", 0));
    assert_null(sw_formulation_find("", 0));
    for (int k = 0; k < N_KNOWN; k++)
        assert_string_equal(sw_formulation_find(all_known[k].name, all_known[k].dialect)->name,
                            all_known[k].name);
}

/* The constant stress on the faces: pressure -1 there has the area vectors, stress times them are the forces. */
static void check_forces(const sw_element *e, const whole *w)
{
    double force[UNKNOWNS] = {0}, area[UNKNOWNS] = {0};
    const double *s = w->stress[0],
                 stress[3][3] = {{s[0], s[5], s[4]}, {s[5], s[1], s[3]}, {s[4], s[3], s[2]}};
    const int c = sw_formulation_components(e->formulation);
    for (int face = 0; face < e->formulation->topology->n_faces; face++)
        sw_element_press(e, face, -1, 0, area, NULL);
    for (int k = 0; k < unknowns_of(e); k++)
        for (int j = 0; j < c; j++)
            force[k] += stress[k % c][j] * area[k - k % c + j];
    for (int i = 0; i < unknowns_of(e); i++)
        CHECK_CLOSE(w->force[i], force[i], 1e-13 * 200);
}

/* u = G x strains every point by the symmetric part of G, the hoop of rings by u_r / r; and nodal forces are those of the
 * constant stress on the faces. */
static void test_constant_strain(void **unused)
{
    (void)unused;
    uint64_t seed = 1;
    for (int k = 0; k < N_KNOWN; k++) {
        static whole w;
        sw_element e = distorted(&all_known[k], steel(), all_known[k].off ? 0 : 0.2, &seed);
        const int solid = e.formulation->kinematics == SW_FEM_SOLID,
                  ring = e.formulation->kinematics == SW_FEM_AXISYMMETRIC;
        const double g[3][3] = {
            {0.012, ring ? 0 : 0.003, -0.004}, {0.005, -0.006, 0.002}, {0.001, -0.007, 0.009}};
        displace(g, &e);
        ask(&e, &w);
        for (int q = 0; q < e.formulation->rule->n; q++) {
            const double wanted[6] = {g[0][0],
                                      g[1][1],
                                      solid  ? g[2][2]
                                      : ring ? g[0][0]
                                             : w.strain[q][2],
                                      solid ? g[1][2] + g[2][1] : 0,
                                      solid ? g[0][2] + g[2][0] : 0,
                                      g[0][1] + g[1][0]};
            for (int i = 0; i < 6; i++)
                CHECK_CLOSE(w.strain[q][i], wanted[i], 1e-14);
        }
        if (!ring && !(e.formulation->fewer && e.formulation->topology == &sw_wedge6))
            check_forces(&e, &w);
    }
}

/* Eigenvalues of a symmetric matrix by Jacobi's rotations. */
static void eigenvalues(int n, double *a)
{
    for (int sweep = 0; sweep < 30; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                if (a[p * n + q] == 0)
                    continue;
                const double theta = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
                const double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1)),
                             c = 1 / sqrt(t * t + 1), s = t * c;
                for (int i = 0; i < n; i++) {
                    const double x = a[i * n + p], y = a[i * n + q];
                    a[i * n + p] = c * x - s * y;
                    a[i * n + q] = s * x + c * y;
                }
                for (int i = 0; i < n; i++) {
                    const double x = a[p * n + i], y = a[q * n + i];
                    a[p * n + i] = c * x - s * y;
                    a[q * n + i] = s * x + c * y;
                }
            }
}

static void test_rank(void **unused)
{
    (void)unused;
    uint64_t seed = 2;
    for (int k = 0; k < N_KNOWN; k++) {
        static whole w;
        const sw_element e = distorted(&all_known[k], steel(), 0.2, &seed);
        const int n = unknowns_of(&e);
        int zeros = 0;
        double largest = 0;
        ask(&e, &w);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                CHECK_CLOSE(w.stiffness[i * n + j], w.stiffness[j * n + i], 1e-11);
        eigenvalues(n, w.stiffness);
        for (int i = 0; i < n; i++)
            largest = greatest(largest, w.stiffness[i * n + i]);
        for (int i = 0; i < n; i++) {
            assert_true(w.stiffness[i * n + i] > -1e-12 * largest);
            zeros += w.stiffness[i * n + i] < 1e-10 * largest;
        }
        if (zeros != all_known[k].zeros)
            fail_msg("%s: %d zero eigenvalues in place of %d", all_known[k].name, zeros, all_known[k].zeros);
    }
}

static void test_tangent(void **unused)
{
    (void)unused;
    uint64_t seed = 3;
    for (int k = 0; k < 4 * N_KNOWN; k++) {
        static whole w, high, low;
        static double by[SW_FORMULATION_UNKNOWNS][SW_FORMULATION_UNKNOWNS];
        sw_element e = distorted(&all_known[k / 4], k % 2 ? soft() : steel(), 0.15, &seed);
        e.finite = k / 2 % 2;
        const int n = unknowns_of(&e), c = sw_formulation_components(e.formulation);
        const double step = 1e-5;
        for (int a = 0; a < e.formulation->topology->n_nodes; a++)
            for (int i = 0; i < c; i++)
                e.u[a][i] = 0.02 * number(&seed);
        ask(&e, &w);
        double size = 0, worst = 0;
        for (int j = 0; j < n; j++) {
            double *u = &e.u[j / c][j % c];
            *u += step;
            ask(&e, &high);
            *u -= 2 * step;
            ask(&e, &low);
            *u += step;
            for (int i = 0; i < n; i++)
                by[i][j] = (high.force[i] - low.force[i]) / (2 * step);
        }
        /* what flows at finite strains has the symmetric part, condensed ones with an error of (stress / stiffness)^2, some 2e-2 here */
        const int half = e.finite && k % 2;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                const double want = half ? 0.5 * (by[i][j] + by[j][i]) : by[i][j];
                size = greatest(size, fabs(w.stiffness[i * n + j]));
                worst = greatest(worst, fabs(want - w.stiffness[i * n + j]));
            }
        /* plane stress is found to 1e-9 of the stress, 1e-2 of the stiffness: over steps of 1e-5. Where CalculiX' springs go
         * by the tangent the derivative of that is left out: they are some 1e-3 of the stiffness, of rings, whose sector is thin, a
         * seventh. */
        const int left_out = k % 2 && all_known[k / 4].dialect && e.formulation->n_own == 2;
        const double springs = e.formulation->kinematics == SW_FEM_AXISYMMETRIC ? 0.2 : 5e-3;
        if (!(worst <= (left_out ? springs : half ? 1e-3 : 5e-6) * size))
            fail_msg("%s, finite %d, flows %d: tangent off by %g of %g", all_known[k / 4].name, e.finite,
                     k % 2, worst, size);
    }
}

/* A body that is strained and then turned has the forces turned. */
static void test_large_rotation(void **unused)
{
    (void)unused;
    uint64_t seed = 4;
    const double turn[2][3][3] = {{{0.6, -0.8, 0}, {0.8, 0.6, 0}, {0, 0, 1}},
                                  {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}}};
    for (int k = 0; k < 2 * N_KNOWN; k++) {
        static whole w, turned;
        sw_element e = distorted(&all_known[k / 2], k % 2 ? soft() : steel(), 0.15, &seed);
        const int n = e.formulation->topology->n_nodes, c = sw_formulation_components(e.formulation);
        const double(*r)[3] = turn[c == 3];
        if (e.formulation->kinematics == SW_FEM_AXISYMMETRIC)
            continue;
        if (all_known[k / 2].off && strcmp(e.formulation->name, "C3D8I") != 0)
            continue; /* springs see the rotation */
        e.finite = 1;
        for (int a = 0; a < n; a++)
            for (int i = 0; i < c; i++)
                e.u[a][i] = 0.02 * number(&seed);
        ask(&e, &w);
        for (int a = 0; a < n; a++) {
            double x[3];
            for (int i = 0; i < 3; i++)
                x[i] = e.x[a][i] + e.u[a][i];
            for (int i = 0; i < c; i++)
                e.u[a][i] = r[i][0] * x[0] + r[i][1] * x[1] + r[i][2] * x[2] - e.x[a][i];
        }
        ask(&e, &turned);
        for (int a = 0; a < n; a++)
            for (int i = 0; i < c; i++) {
                double wanted = 0;
                for (int j = 0; j < c; j++)
                    wanted += r[i][j] * w.force[c * a + j];
                /* what is iterated on ends within 1e-11 of forces of some 10 */
                CHECK_CLOSE(turned.force[c * a + i], wanted, 1e-10);
            }
    }
}

/* A bar of area A and length L along (1, 2, 2) / 3: small strains E A / L times elongation; finite ones by Green's strain,
 * S = E e, N = S l / L A. */
static void test_trusses(void **unused)
{
    (void)unused;
    const char *names[] = {"T3D2", "T3D3"};
    static const double part[2][3] = {{0, 1}, {0, 0.5, 1}};
    for (int k = 0; k < 4; k++) {
        static whole w;
        sw_element e = {.formulation = sw_formulation_find(names[k / 2], 0),
                        .matter = steel(),
                        .thickness = 0.5,
                        .state = no_state,
                        .finite = k % 2};
        const double along[3] = {1 / 3.0, 2 / 3.0, 2 / 3.0}, length = 4, pull = 0.2;
        for (int a = 0; a < e.formulation->topology->n_nodes; a++)
            for (int i = 0; i < 3; i++) {
                e.x[a][i] = 1 + along[i] * length * part[k / 2][a];
                e.u[a][i] = along[i] * pull * part[k / 2][a];
            }
        ask(&e, &w);
        const double stretch = 1 + pull / length,
                     force = 200 * 0.5 * (k % 2 ? 0.5 * (stretch * stretch - 1) * stretch : stretch - 1);
        for (int i = 0; i < 3; i++) {
            CHECK_CLOSE(w.force[i], -force * along[i], 1e-12);
            CHECK_CLOSE(w.force[3 * e.formulation->topology->n_nodes - 3 + i], force * along[i], 1e-12);
        }
        CHECK_CLOSE(w.volume[0] * e.formulation->rule->n, 0.5 * length, 1e-14);
    }
}

/* However small displacements are, forces have all their digits: those of small strains, to which finite ones come down, too. */
static void test_tiny_displacements(void **unused)
{
    (void)unused;
    static const known trusses[] = {{"T3D2", 0, 0, 1, 0}, {"T2D3", 0, 0, 2, 0}};
    uint64_t seed = 11;
    sw_matter hencky = *steel();
    hencky.hencky = 1;
    CHECK_OK(sw_matter_prepare(&hencky, "test"));
    for (int k = 0; k < 3 * (N_KNOWN + 2); k++) {
        static whole large, tiny;
        const int which = k / 3;
        sw_element e =
            distorted(which < N_KNOWN ? &all_known[which] : &trusses[which - N_KNOWN], steel(), 0.2, &seed);
        const int c = sw_formulation_components(e.formulation), n = c * e.formulation->topology->n_nodes;
        sw_element_answer answer = all_of(&large), other = all_of(&tiny);
        double most = 0;
        for (int j = 0; j < n; j++)
            e.u[j / c][j % c] = number(&seed);
        CHECK_OK(e.formulation->evaluate(&e, &answer));
        for (int j = 0; j < n; j++) {
            e.u[j / c][j % c] *= 0x1p-60;
            most = greatest(most, fabs(large.force[j]));
        }
        e.finite = k % 3 > 0;
        e.matter = k % 3 > 1 ? &hencky : e.matter;
        CHECK_OK(e.formulation->evaluate(&e, &other));
        for (int j = 0; j < n; j++)
            CHECK_CLOSE(tiny.force[j] * 0x1p60, large.force[j], 1e-10 * most);
    }
}

/* Stiffness of a truss aslant against differences of its forces. */
static void test_truss_tangent(void **unused)
{
    (void)unused;
    static const char *names[] = {"T3D2", "T3D3", "T2D2", "T2D3"};
    for (int k = 0; k < 8; k++) {
        static whole w, high, low;
        uint64_t seed = 7;
        sw_element e = {.formulation = sw_formulation_find(names[k / 2], 0),
                        .matter = steel(),
                        .thickness = 0.5,
                        .state = no_state,
                        .finite = k % 2};
        const int n = e.formulation->topology->n_nodes, c = sw_formulation_components(e.formulation);
        for (int a = 0; a < n; a++)
            for (int i = 0; i < c; i++) {
                e.x[a][i] = (i + 1) * a;
                e.u[a][i] = 0.1 * number(&seed);
            }
        ask(&e, &w);
        for (int j = 0; j < n * c; j++) {
            double *u = &e.u[j / c][j % c];
            *u += 1e-5;
            ask(&e, &high);
            *u -= 2e-5;
            ask(&e, &low);
            *u += 1e-5;
            for (int i = 0; i < n * c; i++)
                CHECK_CLOSE(w.stiffness[i * n * c + j], (high.force[i] - low.force[i]) / 2e-5, 1e-6);
        }
    }
}

/* Amplitudes of modes are kept: of an elastic body that rests where it was they are what they were, and not nothing. */
static void test_modes_are_kept(void **unused)
{
    (void)unused;
    uint64_t seed = 8;
    for (int k = 0; k < N_KNOWN; k++) {
        static whole first, second;
        sw_element e = distorted(&all_known[k], steel(), 0.15, &seed);
        const int c = sw_formulation_components(e.formulation);
        for (int a = 0; a < e.formulation->topology->n_nodes; a++)
            for (int i = 0; i < c; i++)
                e.u[a][i] = 0.02 * number(&seed);
        e.finite = 1;
        ask(&e, &first);
        e.state = first.state;
        memcpy(e.u_before, e.u, sizeof e.u);
        ask(&e, &second);
        for (int i = 0; i < e.formulation->n_own; i++) {
            assert_true(fabs(first.state[i]) > 1e-6);
            CHECK_CLOSE(second.state[i], first.state[i], 1e-9);
        }
        for (int i = 0; i < unknowns_of(&e); i++)
            CHECK_CLOSE(second.force[i], first.force[i], 1e-9);
    }
}

/* Mean dilatation: one pressure, the bulk modulus times what the volume grows by, which is what the faces sweep (of a flow
 * out of them: forces of pressures). Finite ones have one det F. */
static void test_mean_dilatation(void **unused)
{
    (void)unused;
    static const known those[] = {{"C3D8", 0, 0, 0, 0}, {"CPE4", 0, 0, 0, 0}, {"CAX4", 0, 0, 0, 0}};
    uint64_t seed = 6;
    for (int k = 0; k < 6; k++) {
        static whole w;
        sw_element e = distorted(&those[k / 2], steel(), 0.2, &seed);
        const int c = sw_formulation_components(e.formulation);
        double swept = 0, volume = 0, first = 0, flow[UNKNOWNS] = {0};
        e.finite = k % 2;
        for (int a = 0; a < e.formulation->topology->n_nodes; a++)
            for (int i = 0; i < c; i++)
                e.u[a][i] = 0.02 * number(&seed);
        ask(&e, &w);
        for (int face = 0; face < e.formulation->topology->n_faces; face++)
            sw_element_press(&e, face, -1, 0, flow, NULL);
        for (int j = 0; j < unknowns_of(&e); j++)
            swept += flow[j] * e.u[j / c][j % c];
        for (int q = 0; q < e.formulation->rule->n; q++)
            volume += w.volume[q];
        for (int q = 0; q < e.formulation->rule->n; q++) {
            const double *s = w.stress[q], *g = w.strain[q];
            if (!e.finite) {
                CHECK_CLOSE((s[0] + s[1] + s[2]) / 3, 200 / (3 * 0.4) * swept / volume, 1e-11);
                continue;
            }
            const double det = (1 + 2 * g[0]) * ((1 + 2 * g[1]) * (1 + 2 * g[2]) - g[3] * g[3]) -
                               g[5] * (g[5] * (1 + 2 * g[2]) - g[3] * g[4]) +
                               g[4] * (g[5] * g[3] - (1 + 2 * g[1]) * g[4]);
            first = q == 0 ? det : first;
            CHECK_CLOSE(det, first, 1e-13);
        }
    }
}

static void test_inside_out(void **unused)
{
    (void)unused;
    uint64_t seed = 5;
    static whole w;
    for (int k = 0; k < N_KNOWN; k++) {
        sw_element e = distorted(&all_known[k], steel(), 0.1, &seed);
        sw_element_answer answer = all_of(&w);
        const double crushed[3][3] = {{0, 0, 0}, {0, -2, 0}, {0, 0, 0}};
        e.finite = 1;
        displace(crushed, &e);
        assert_int_equal(e.formulation->evaluate(&e, &answer), SW_ERR_CONVERGENCE);
        for (int a = 0; a < e.formulation->topology->n_nodes; a++)
            e.x[a][1] *= -1;
        assert_int_equal(e.formulation->evaluate(&e, &answer), SW_ERR_RANGE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finding),
        cmocka_unit_test(test_constant_strain),
        cmocka_unit_test(test_rank),
        cmocka_unit_test(test_tangent),
        cmocka_unit_test(test_large_rotation),
        cmocka_unit_test(test_inside_out),
        cmocka_unit_test(test_tiny_displacements),
        cmocka_unit_test(test_trusses),
        cmocka_unit_test(test_mean_dilatation),
        cmocka_unit_test(test_truss_tangent),
        cmocka_unit_test(test_modes_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
