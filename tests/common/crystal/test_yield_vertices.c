/* Vertices of yield surfaces: Bishop and Hill's for fcc, properties for all. */
#include "tests/test.h"

#include "common/math/random.h"
#include "common/math/rotation.h"
#include "common/math/strain_rate.h"
#include "common/crystal/yield_vertices.h"

typedef struct {
    double schmid[SW_SLIP_SYSTEMS_MAX][5], spin[SW_SLIP_SYSTEMS_MAX][3];
    double vertex[SW_YIELD_VERTICES_MAX][5];
    int systems, count;
} surface;

static const double tolerance = 1e-12; /* numbers of order one, some hundred operations */

static const surface *surface_of(int lattice)
{
    static surface s;
    const sw_slip_systems *systems = systems_of(lattice);
    s.systems = systems->count;
    sw_schmid_vectors(systems, s.schmid, s.spin);
    CHECK_OK(sw_yield_vertices(systems, s.vertex, &s.count));
    return &s;
}

static double dot(const double a[5], const double b[5])
{
    double sum = 0;
    for (int i = 0; i < 5; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Some vertex is +-v. */
static int has(const surface *s, const double v[5])
{
    for (int k = 0; k < s->count; k++) {
        double same = 0, opposite = 0;
        for (int i = 0; i < 5; i++) {
            same = greatest(same, fabs(s->vertex[k][i] - v[i]));
            opposite = greatest(opposite, fabs(s->vertex[k][i] + v[i]));
        }
        if (same <= tolerance || opposite <= tolerance)
            return 1;
    }
    return 0;
}

static int rank_of(int n, double (*row)[5])
{
    int rank = 0;
    for (int c = 0; c < 5; c++) {
        int pivot = rank;
        for (int r = rank; r < n; r++)
            if (fabs(row[r][c]) > fabs(row[pivot][c]))
                pivot = r;
        if (rank == n || !(fabs(row[pivot][c]) > 1e-9))
            continue;
        for (int i = 0; i < 5; i++) {
            const double swapped = row[rank][i];
            row[rank][i] = row[pivot][i];
            row[pivot][i] = swapped;
        }
        for (int r = rank + 1; r < n; r++)
            for (int i = 4; i >= c; i--)
                row[r][i] -= row[rank][i] * row[r][c] / row[rank][c];
        rank++;
    }
    return rank;
}

static void counts_are_known(void **state)
{
    (void)state;
    const int count[SW_LATTICE_bcc48 + 1] = {28, 28, 216, 1104};
    for (int c = 0; c <= SW_LATTICE_bcc48; c++)
        assert_int_equal(surface_of(c)->count, count[c]);
}

/* Pairs of vertices of hexagonal crystals, c/a of zirconium and magnesium: half of what Qhull's HalfspaceIntersection (scipy 1.10) finds of
 * the same planes and directions, written out by hand. */
static void hexagonal_counts_are_those_of_qhull(void **state)
{
    (void)state;
    enum { BASAL, PRISMATIC, PYRAMIDAL_A, PYRAMIDAL_CA, PYRAMIDAL2_CA };
    static const struct {
        int n, family[4], pairs[2];
    } sets[] = {{3, {BASAL, PRISMATIC, PYRAMIDAL_CA}, {121, 121}},
                {2, {PRISMATIC, PYRAMIDAL_CA}, {85, 85}},
                {3, {BASAL, PRISMATIC, PYRAMIDAL2_CA}, {64, 64}},
                {4, {BASAL, PRISMATIC, PYRAMIDAL_A, PYRAMIDAL_CA}, {253, 241}},
                {2, {BASAL, PYRAMIDAL2_CA}, {28, 28}}};
    static double schmid[SW_SLIP_SYSTEMS_MAX][5], spin[SW_SLIP_SYSTEMS_MAX][3],
        vertex[SW_YIELD_VERTICES_MAX][5];
    for (size_t k = 0; k < 2 * sizeof sets / sizeof *sets; k++) {
        sw_slip_systems s;
        int count;
        CHECK_OK(sw_slip_systems_of(&sw_lattice_hexagonal, k % 2 ? 1.6235 : 1.594, sets[k / 2].n,
                                    sets[k / 2].family, &s));
        sw_schmid_vectors(&s, schmid, spin);
        CHECK_OK(sw_yield_vertices(&s, vertex, &count));
        assert_int_equal(count, sets[k / 2].pairs[k % 2]);
    }
}

static void the_basis_is_orthonormal(void **state)
{
    (void)state;
    const double t[3][3] = {{1, -2, 3}, {-2, 5, 0.5}, {3, 0.5, -6}},
                 shifted[3][3] = {{8, 0, 3}, {-4, 12, 1}, {3, 0, 1}};
    double v[5], w[5], squares = 0;
    sw_deviator_vector(t, v);
    sw_deviator_vector(shifted, w); /* t + 7, and something skew */
    for (int k = 0; k < 9; k++)
        squares += t[k / 3][k % 3] * t[k / 3][k % 3];
    CHECK_CLOSE(dot(v, v), squares, 1e-12);
    for (int i = 0; i < 5; i++)
        CHECK_CLOSE(w[i], v[i], 1e-12);
}

static void every_vertex_is_one(void **state)
{
    (void)state;
    for (int c = 0; c <= SW_LATTICE_bcc48; c++) {
        const surface *s = surface_of(c);
        for (int k = 0; k < s->count; k++) {
            double face[SW_SLIP_SYSTEMS_MAX][5];
            int n = 0;
            for (int a = 0; a < s->systems; a++) {
                const double tau = fabs(dot(s->schmid[a], s->vertex[k]));
                assert_true(tau <= 1 + tolerance);
                if (tau >= 1 - tolerance)
                    memcpy(face[n++], s->schmid[a], sizeof face[0]);
            }
            assert_int_equal(rank_of(n, face), 5);
        }
    }
}

static void no_vertex_is_there_twice(void **state)
{
    (void)state;
    for (int c = 0; c <= SW_LATTICE_bcc48; c++) {
        const surface *s = surface_of(c);
        for (int k = 0; k < s->count; k++)
            for (int j = 0; j < k; j++) {
                const double *a = s->vertex[k], *b = s->vertex[j];
                /* |a -+ b|^2 */
                assert_true(dot(a, a) + dot(b, b) - 2 * fabs(dot(a, b)) > 1e-4);
            }
    }
}

/* The cubic group's generators: a quarter turn about axis 3, and the exchange of axes 1, 2, 3 in a circle. */
static void the_cubic_group_keeps_the_set(void **state)
{
    (void)state;
    const int axis[2][3] = {{1, 0, 2}, {1, 2, 0}}, sign[2][3] = {{-1, 1, 1}, {1, 1, 1}};
    for (int c = 0; c <= SW_LATTICE_bcc48; c++) {
        const surface *s = surface_of(c);
        for (int k = 0; k < s->count; k++)
            for (int g = 0; g < 2; g++) {
                const double *v = s->vertex[k], r2 = sqrt(0.5), r6 = sqrt(1.0 / 6);
                const double t[3][3] = {{v[0] * r2 - v[1] * r6, v[4] * r2, v[3] * r2},
                                        {v[4] * r2, -v[0] * r2 - v[1] * r6, v[2] * r2},
                                        {v[3] * r2, v[2] * r2, 2 * v[1] * r6}};
                double image[3][3], u[5];
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 3; j++)
                        image[i][j] = sign[g][i] * sign[g][j] * t[axis[g][i]][axis[g][j]];
                sw_deviator_vector((const double(*)[3])image, u);
                assert_true(has(s, u));
            }
    }
}

/* Bishop and Hill 1951, in Bunge's notation (Kocks, Tome and Wenk 1998, table of the 56 states): A = (s22 -
 * s33) / sqrt6 tau, B = (s33 - s11) / sqrt6 tau, C = (s11 - s22) / sqrt6 tau, F, G, H = s23, s13, s12 / sqrt6
 * tau; the 28 pairs are the permutations and signs of five. */
static void fcc_has_bishop_and_hills_states(void **state)
{
    (void)state;
    static const double group[5][6] = {{1, -1, 0, 0, 0, 0},
                                       {0, 0, 0, 1, 0, 0},
                                       {0.5, -1, 0.5, 0, 0.5, 0},
                                       {0.5, -0.5, 0, 0.5, 0.5, 0},
                                       {0, 0, 0, 0.5, 0.5, 0.5}};
    static const int pairs[5] = {3, 3, 6, 12, 4};
    static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const surface *s = surface_of(SW_LATTICE_fcc);
    int found[28] = {0}, total = 0;
    for (int g = 0; g < 5; g++) {
        int members = 0;
        for (int k = 0; k < 6 * 8; k++) {
            const double diagonal[3] = {-group[g][1] * sqrt(6), group[g][0] * sqrt(6), 0};
            const double off[3] = {group[g][3] * sqrt(6), group[g][4] * sqrt(6), group[g][5] * sqrt(6)};
            double t[3][3], u[5];
            for (int i = 0; i < 3; i++) {
                const int p = order[k / 8][i], q = order[k / 8][(i + 1) % 3], r = 3 - p - q;
                t[i][i] = diagonal[p];
                t[i][(i + 1) % 3] = t[(i + 1) % 3][i] = (k >> i & 1 ? -1 : 1) * off[r];
            }
            sw_deviator_vector((const double(*)[3])t, u);
            for (int v = 0; v < s->count; v++) {
                double same = 0, opposite = 0;
                for (int i = 0; i < 5; i++) {
                    same = greatest(same, fabs(s->vertex[v][i] - u[i]));
                    opposite = greatest(opposite, fabs(s->vertex[v][i] + u[i]));
                }
                if (same <= tolerance || opposite <= tolerance) {
                    assert_true(found[v] == 0 || found[v] == g + 1);
                    members += found[v] == 0;
                    found[v] = g + 1;
                }
            }
        }
        if (members != pairs[g])
            fail_msg("group %d: %d of %d pairs", g + 1, members, pairs[g]);
        total += members;
    }
    assert_int_equal(total, 28);
}

/* The mean over all orientations of the largest work of a vertex in tension: Taylor's factor of fcc, and of
 * bcc with 12 systems, 3.067 (Taylor 1938; Bishop and Hill 1951). The factor of a crystal scatters by 0.27: 3
 * sigma of the mean. */
static void taylor_factor_is_known(void **state)
{
    (void)state;
    enum { CRYSTALS = 65536 };
    const int lattices[] = {SW_LATTICE_fcc, SW_LATTICE_bcc};
    for (int c = 0; c < 2; c++) {
        const surface *s = surface_of(lattices[c]);
        double mean = 0;
        for (uint64_t n = 0; n < CRYSTALS; n++) {
            double euler[3], g[3][3], d[3][3], v[5], most = 0;
            sw_random_orientation(3, n, euler);
            sw_rotation_from_euler(euler, g);
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    d[i][j] = 1.5 * g[2][i] * g[2][j]; /* g^T diag(-1/2, -1/2, 1) g, but for its trace */
            sw_deviator_vector((const double(*)[3])d, v);
            for (int k = 0; k < s->count; k++)
                most = greatest(most, fabs(dot(v, s->vertex[k])));
            mean += most / CRYSTALS;
        }
        CHECK_CLOSE(mean, 3.067, 3 * 0.27 / 256 + 5e-4);
    }
}

static void too_few_systems_are_refused(void **state)
{
    (void)state;
    static double vertex[SW_YIELD_VERTICES_MAX][5];
    int count;
    sw_slip_systems few = *systems_of(SW_LATTICE_fcc);
    few.count = 3; /* one plane */
    assert_int_equal(sw_yield_vertices(&few, vertex, &count), SW_ERR_CONVERGENCE);
    assert_non_null(strstr(sw_error_message(), "3 slip systems"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_known),
        cmocka_unit_test(hexagonal_counts_are_those_of_qhull),
        cmocka_unit_test(the_basis_is_orthonormal),
        cmocka_unit_test(every_vertex_is_one),
        cmocka_unit_test(no_vertex_is_there_twice),
        cmocka_unit_test(the_cubic_group_keeps_the_set),
        cmocka_unit_test(fcc_has_bishop_and_hills_states),
        cmocka_unit_test(taylor_factor_is_known),
        cmocka_unit_test(too_few_systems_are_refused),
    };
    return cmocka_run_group_tests_name("yield vertices", tests, NULL, NULL);
}
