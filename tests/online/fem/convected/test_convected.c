/* The rate law (rate.h) and its element against closed forms; the band matrix and its methods against dense ones. */
#include "billets.h"

#include "online/fem/element/element_matrix.h"

static const sw_fem_material elastic = {.young = 200e9, .poisson = 0.3, .yield_stress = INFINITY};

/* ---- Tensors of the plane, as 3 x 3 ---- */

enum { R, Z, T };

static void expand(const double s[4], double full[3][3])
{
    const double copy[3][3] = {
        {s[SW_FEM_RR], s[SW_FEM_RZ], 0}, {s[SW_FEM_RZ], s[SW_FEM_ZZ], 0}, {0, 0, s[SW_FEM_TT]}};
    memcpy(full, copy, sizeof copy);
}

static void gradient_of(const double full[3][3], double l[5])
{
    const double copy[5] = {full[R][R], full[R][Z], full[Z][R], full[Z][Z], full[T][T]};
    memcpy(l, copy, sizeof copy);
}

/* a b, or a b' */
static void times(const double a[3][3], const double b[3][3], int transposed, double product[3][3])
{
    for (int i = 0; i < 9; i++) {
        product[i / 3][i % 3] = 0;
        for (int j = 0; j < 3; j++)
            product[i / 3][i % 3] += a[i / 3][j] * (transposed ? b[i % 3][j] : b[j][i % 3]);
    }
}

static void turn(const double q[3][3], const double a[3][3], double turned[3][3])
{
    double qa[3][3];
    times(q, a, 0, qa);
    times((const double(*)[3])qa, q, 1, turned);
}

static sw_fem_convected_point stressed(const double full[3][3], double plastic)
{
    return (sw_fem_convected_point){{full[R][R], full[Z][Z], full[T][T], full[R][Z]}, plastic};
}

/* A point on steel's yield surface, and a gradient of size 1e-3 that makes it flow. */
static void flowing_point(uint64_t *seed, double s[3][3], double l[3][3], double *plastic)
{
    sw_fem_convected_point at, change;
    double along[5];
    do {
        double slope, S[4];
        for (int i = 0; i < 4; i++)
            at.stress[i] = number(seed);
        at.plastic = 0.1 + 0.1 * number(seed);
        *plastic = at.plastic;
        sw_fem_split(1, at.stress, S);
        const double size =
            sw_fem_yield_stress(&steel, at.plastic, &slope) / sqrt(1.5 * sw_fem_contract(S, S));
        for (int i = 0; i < 4; i++)
            at.stress[i] *= size;
        expand(at.stress, s);
        for (int i = 0; i < 9; i++)
            l[i / 3][i % 3] = (i / 3 == T) == (i % 3 == T) ? 1e-3 * number(seed) : 0;
        gradient_of((const double(*)[3])l, along);
    } while (!sw_fem_convected_rate(&steel, &at, &at, 1, along, &change));
}

/* ---- The law ---- */

/* Turned by Q and turning with W: Q ds Q' + W s* - s* W of s* = Q s Q', l* = Q l Q' + W. Round-off is of mu l. */
static void test_rate_is_objective(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int n = 0; n < 100; n++) {
        const double angle = 3 * number(&seed), w = 1e-2 * number(&seed), c = cos(angle), sn = sin(angle);
        const double q[3][3] = {{c, -sn, 0}, {sn, c, 0}, {0, 0, 1}},
                     spin[3][3] = {{0, w, 0}, {-w, 0, 0}, {0, 0, 0}};
        double s[3][3], l[3][3], s_turned[3][3], l_turned[3][3], ds[3][3], ws[3][3], sw[3][3], expected[3][3],
            plastic;
        double along[5], along_turned[5], change_turned[3][3];
        sw_fem_convected_point change, other;
        flowing_point(&seed, s, l, &plastic);
        turn(q, (const double(*)[3])s, s_turned);
        turn(q, (const double(*)[3])l, l_turned);
        times(spin, (const double(*)[3])s_turned, 0, ws);
        times((const double(*)[3])s_turned, spin, 0, sw);
        for (int i = 0; i < 9; i++)
            l_turned[i / 3][i % 3] += spin[i / 3][i % 3];
        gradient_of((const double(*)[3])l, along);
        gradient_of((const double(*)[3])l_turned, along_turned);
        const sw_fem_convected_point at = stressed((const double(*)[3])s, plastic),
                                     at_turned = stressed((const double(*)[3])s_turned, plastic);
        sw_fem_convected_rate(&steel, &at, &at, 1, along, &change);
        sw_fem_convected_rate(&steel, &at_turned, &at_turned, 1, along_turned, &other);
        expand(change.stress, ds);
        expand(other.stress, change_turned);
        turn(q, (const double(*)[3])ds, expected);
        for (int i = 0; i < 9; i++)
            CHECK_CLOSE(change_turned[i / 3][i % 3],
                        expected[i / 3][i % 3] + ws[i / 3][i % 3] - sw[i / 3][i % 3], 1e-14 * 1e-2 * 200e9);
        CHECK_CLOSE(other.plastic, change.plastic, 1e-14 * 1e-2);
    }
}

/* lambda Theta I + 2 mu A of Almansi's strain A = (I - F^-T F^-1) / 2, F = I + t G in the plane and a stretch across. */
static void almansi_stress(const double g[5], double t, double stress[4], double inverse[5])
{
    const double f[4] = {1 + t * g[0], t * g[1], t * g[2], 1 + t * g[3]}, det = f[0] * f[3] - f[1] * f[2];
    const double i[5] = {f[3] / det, -f[1] / det, -f[2] / det, f[0] / det, 1 / (1 + t * g[4])};
    const double strain[4] = {0.5 * (1 - i[0] * i[0] - i[2] * i[2]), 0.5 * (1 - i[1] * i[1] - i[3] * i[3]),
                              0.5 * (1 - i[4] * i[4]), -0.5 * (i[0] * i[1] + i[2] * i[3])};
    const double mu = sw_fem_shear(&elastic), lambda = sw_fem_bulk(&elastic) - 2 * mu / 3;
    for (int k = 0; k < 4; k++)
        stress[k] = 2 * mu * strain[k] + (k < 3 ? lambda * (strain[0] + strain[1] + strain[2]) : 0);
    memcpy(inverse, i, sizeof i);
}

/* Without flow: the rate of that stress, at strains of tens of percent. Differences over 2 e are off by e^2 / 6 of a
 * third derivative, some tens of mu here, and by round-off over e. */
static void test_elastic_rate_is_almansis(void **state)
{
    (void)state;
    uint64_t seed = 7;
    const double e = 1e-5;
    for (int n = 0; n < 100; n++) {
        double g[5], inverse[5], unused[5], before[4], after[4], l[5];
        sw_fem_convected_point at = {{0}, 0}, change;
        for (int i = 0; i < 5; i++)
            g[i] = 0.3 * number(&seed);
        almansi_stress(g, 1, at.stress, inverse);
        almansi_stress(g, 1 - e, before, unused);
        almansi_stress(g, 1 + e, after, unused);
        const double l_there[5] = {
            g[0] * inverse[0] + g[1] * inverse[2], g[0] * inverse[1] + g[1] * inverse[3],
            g[2] * inverse[0] + g[3] * inverse[2], g[2] * inverse[1] + g[3] * inverse[3], g[4] * inverse[4]};
        memcpy(l, l_there, sizeof l);
        assert_false(sw_fem_convected_rate(&elastic, &at, &at, 0, l, &change));
        for (int i = 0; i < 4; i++)
            CHECK_CLOSE(change.stress[i], (after[i] - before[i]) / (2 * e),
                        200e9 * (100 * e * e + 1e-14 / e));
        assert_true(change.plastic == 0);
    }
}

/* On the yield surface b is the printed one; dchi = b k / mu; S : dS is 2 k dk. Round-off of mu l kappa. */
static void test_flow_is_as_printed(void **state)
{
    (void)state;
    uint64_t seed = 11;
    const double mu = sw_fem_shear(&steel);
    for (int n = 0; n < 100; n++) {
        double s[3][3], l[3][3], S[3][3], ss[3][3], plastic, along[5], slope, sd = 0, ssd = 0, work = 0,
                                                                              dev[4];
        sw_fem_convected_point change;
        flowing_point(&seed, s, l, &plastic);
        const sw_fem_convected_point at = stressed((const double(*)[3])s, plastic);
        const double theta = (s[R][R] + s[Z][Z] + s[T][T]) / 3 / sw_fem_bulk(&steel);
        const double k = sw_fem_yield_stress(&steel, plastic, &slope) / sqrt(3);
        sw_fem_split(1, at.stress, dev);
        expand(dev, S);
        times((const double(*)[3])S, (const double(*)[3])S, 0, ss);
        for (int i = 0; i < 9; i++) {
            const double d = 0.5 * (l[i / 3][i % 3] + l[i % 3][i / 3]);
            sd += S[i / 3][i % 3] * d;
            ssd += ss[i / 3][i % 3] * d;
        }
        const double b = (mu * (1 - 2 * theta / 3) * sd - ssd) / (k * k * (1 + slope / 3 / mu));
        gradient_of((const double(*)[3])l, along);
        sw_fem_convected_rate(&steel, &at, &at, 1, along, &change);
        CHECK_CLOSE(sqrt(3) * change.plastic, b * k / mu, 1e-12 * 1e-3);
        work = sw_fem_contract(dev, change.stress);
        CHECK_CLOSE(work, 2 * k * slope / 3 * sqrt(3) * change.plastic, 1e-12 * mu * 1e-3 * k);
    }
}

/* From inside, with the middle iterated: the end lies on the yield surface, after steps as long as the yield strain.
 * Iterations gain (s - s_0) / (s + s_0), s_0 and s the sizes of S at the start and at the end. */
static void test_first_yield_ends_on_surface(void **state)
{
    (void)state;
    uint64_t seed = 13;
    for (int n = 0; n < 50; n++) {
        sw_fem_convected_point start = {{500e6, 0, 0, 0}, 0}, middle = start, end = start, change;
        double l[5];
        for (int i = 0; i < 5; i++)
            l[i] = 0.002 * (number(&seed) + 3 * (i == 0));
        int flows = 0;
        for (int i = 0; i < 300; i++) {
            flows = sw_fem_convected_rate(&steel, &start, &middle, flows, l, &change);
            for (int j = 0; j < 4; j++) {
                end.stress[j] = start.stress[j] + change.stress[j];
                middle.stress[j] = start.stress[j] + 0.5 * change.stress[j];
            }
            end.plastic = change.plastic;
            middle.plastic = 0.5 * change.plastic;
        }
        CHECK_CLOSE(sw_fem_convected_yield(&steel, &end), 0, 1e-12 * 200e9 * 700e6);
        assert_true(end.plastic > 0);
    }
}

/* ---- The element ---- */

static const double corners[8] = {0.8e-2, 0, 2e-2, 0.1e-2, 1.9e-2, 1.1e-2, 1e-2, 1e-2};

/* Record of one element: all points stressed alike, with a middle of their own. */
static void make_record(const double s[4], double plastic, int flows, double record[SW_FEM_CONVECTED_INPUT])
{
    memcpy(record, corners, sizeof corners);
    for (int q = 0; q < 4; q++) {
        double *at = record + 8 + q * SW_FEM_CONVECTED_POINT_INPUT;
        for (int i = 0; i < 4; i++) {
            at[i] = s[i];
            at[5 + i] = s[i] * (1 + 0.01 * q);
        }
        at[4] = plastic;
        at[9] = plastic + 0.001 * q;
        at[10] = flows;
    }
}

/* Without stress and flow it is the linear element's. */
static void test_element_is_linear_ones(void **state)
{
    (void)state;
    const double none[4] = {0}, bulk = sw_fem_bulk(&elastic), shear = sw_fem_shear(&elastic);
    const int32_t node[4] = {0, 1, 2, 3}, slot = -1;
    const uint8_t material = 0;
    for (int axisymmetric = 0; axisymmetric < 2; axisymmetric++) {
        const sw_fem_convected_model model = {elastic, axisymmetric, 1};
        const sw_fem_kinematics k = axisymmetric ? SW_FEM_AXISYMMETRIC : SW_FEM_PLANE_STRAIN;
        const sw_fem_view view = {.kinematics = k,
                                  .thickness = 1,
                                  .n_nodes = 4,
                                  .n_elements = 1,
                                  .position = (double *)corners,
                                  .node = (int32_t *)node,
                                  .material_of = (uint8_t *)&material,
                                  .bulk = (double *)&bulk,
                                  .shear = (double *)&shear,
                                  .slot = (int32_t *)&slot};
        double record[SW_FEM_CONVECTED_INPUT], result[SW_FEM_CONVECTED_OUTPUT], matrix[64], most = 0;
        make_record(none, 0, 0, record);
        sw_fem_convected_element(&model, record, 1, result);
        SW_FEM_WITH(k, sw_fem_element_matrix, &view, 0, matrix);
        for (int i = 0; i < 64; i++)
            most = greatest(most, fabs(matrix[i]));
        for (int i = 0; i < 72; i++)
            CHECK_CLOSE(result[i], i < 64 ? matrix[i] : 0, 1e-14 * 8 * most);
    }
}

/* The power of what the law makes of displacements u at each point. */
static void element_force(const sw_fem_convected_model *model, const double *record, const double u[8],
                          double f[8])
{
    memset(f, 0, 8 * sizeof *f);
    for (int q = 0; q < 4; q++) {
        const double *at = record + 8 + q * SW_FEM_CONVECTED_POINT_INPUT;
        sw_fem_convected_place place;
        sw_fem_convected_point start, middle, change;
        double l[5], P[5];
        memcpy(start.stress, at, sizeof start.stress);
        memcpy(middle.stress, at + 5, sizeof middle.stress);
        start.plastic = at[4];
        middle.plastic = at[9];
        sw_fem_convected_locate(model->axisymmetric, q, record, &place);
        sw_fem_convected_gradient(&place, u, l);
        sw_fem_convected_rate(&model->material, &start, &middle, at[10] != 0, l, &change);
        sw_fem_convected_tensor(model, &start, &change, l, P);
        sw_fem_convected_spread(&place, P, f);
    }
}

/* Its matrix is the difference of forces; round-off of forces that unit displacements (over 1 cm) make. */
static void test_element_is_difference_of_forces(void **state)
{
    (void)state;
    const double s[4] = {-100e6, -760e6, -120e6, 50e6}, zero[8] = {0};
    double asymmetry = 0;
    for (int kind = 0; kind < 8; kind++) {
        const sw_fem_convected_model model = {steel, kind & 1, kind >> 1 & 1};
        double record[SW_FEM_CONVECTED_INPUT], result[SW_FEM_CONVECTED_OUTPUT], at_rest[8], f[8], most = 0;
        make_record(s, 0.05, kind >> 2, record);
        sw_fem_convected_element(&model, record, 1, result);
        element_force(&model, record, zero, at_rest);
        for (int i = 0; i < 64; i++)
            most = greatest(most, fabs(result[i]));
        for (int j = 0; j < 8; j++) {
            double u[8] = {0};
            u[j] = 1e-5;
            element_force(&model, record, u, f);
            CHECK_CLOSE(result[64 + j], -at_rest[j], 1e-14 * 1e-2 * most);
            for (int i = 0; i < 8; i++) {
                CHECK_CLOSE(result[8 * i + j], (f[i] - at_rest[i]) / 1e-5, 1e-10 * most);
                asymmetry = greatest(asymmetry, fabs(result[8 * i + j] - result[8 * j + i]) / most);
            }
        }
    }
    print_message("not symmetric by %.1e of the largest number\n", asymmetry);
    assert_true(asymmetry > 1e-4);
}

/* A stressed element that turns: forces turn with it when the power is the nominal one. */
static void test_nominal_forces_turn(void **state)
{
    (void)state;
    const sw_fem_convected_model model = {elastic, 0, 1};
    const double s[4] = {-100e6, -760e6, -120e6, 50e6}, w = 1e-4, zero[8] = {0};
    double record[SW_FEM_CONVECTED_INPUT], f[8], turned[8], u[8];
    make_record(s, 0, 0, record);
    for (int q = 0; q < 4; q++)
        memcpy(record + 8 + q * SW_FEM_CONVECTED_POINT_INPUT + 5, s, sizeof s);
    for (int a = 0; a < 4; a++) {
        u[2 * a] = w * corners[2 * a + 1];
        u[2 * a + 1] = -w * corners[2 * a];
    }
    element_force(&model, record, zero, f);
    element_force(&model, record, u, turned);
    for (int a = 0; a < 4; a++) {
        CHECK_CLOSE(turned[2 * a], f[2 * a] + w * f[2 * a + 1], 1e-12 * 760e6 * 1e-2);
        CHECK_CLOSE(turned[2 * a + 1], f[2 * a + 1] - w * f[2 * a], 1e-12 * 760e6 * 1e-2);
    }
}

/* ---- Band and methods ---- */

/* Inverse [n][n] of a dense matrix by Gauss-Jordan with rows exchanged. */
static double *invert(int64_t n, const double *matrix)
{
    double *a = zeros(2 * n * n, sizeof *a), *inverse = zeros(n * n, sizeof *inverse);
    for (int64_t i = 0; i < n; i++) {
        memcpy(a + 2 * n * i, matrix + n * i, (size_t)n * sizeof *a);
        a[2 * n * i + n + i] = 1;
    }
    for (int64_t c = 0; c < n; c++) {
        int64_t pivot = c;
        for (int64_t i = c; i < n; i++)
            if (fabs(a[2 * n * i + c]) > fabs(a[2 * n * pivot + c]))
                pivot = i;
        assert_true(fabs(a[2 * n * pivot + c]) > 0);
        for (int64_t j = 0; j < 2 * n; j++) {
            const double keep = a[2 * n * c + j];
            a[2 * n * c + j] = a[2 * n * pivot + j];
            a[2 * n * pivot + j] = keep;
        }
        for (int64_t i = 0; i < n; i++) {
            const double factor = a[2 * n * i + c] / a[2 * n * c + c];
            for (int64_t j = 0; j < 2 * n && i != c; j++)
                a[2 * n * i + j] -= factor * a[2 * n * c + j];
        }
    }
    for (int64_t i = 0; i < n * n; i++)
        inverse[i] = a[2 * n * (i / n) + n + i % n] / a[2 * n * (i / n) + i / n];
    free(a);
    return inverse;
}

static double *dense_of(const sw_fem_band *band)
{
    double *dense = zeros(band->n * band->n, sizeof *dense);
    for (int64_t i = 0; i < band->n; i++)
        for (int64_t j = sw_fem_band_first(band, i); j <= sw_fem_band_last(band, i); j++)
            dense[i * band->n + j] = *sw_fem_band_at(band, i, j);
    return dense;
}

/* The system of a sticking billet after some steps: the first ones elastic, the later ones plastic. */
static void open_system(int64_t across, int64_t up, int steps, sw_fem_billet *b)
{
    const sw_fem_convected problem = billet_of(across, up, INFINITY, 0.02);
    const sw_fem_convected_options options = fast_options(20);
    sw_fem_convected_row row;
    CHECK_OK(sw_fem_billet_open(&problem, &options, b));
    for (int i = 0; i < steps; i++)
        CHECK_OK(sw_fem_billet_step(b, &row));
    sw_fem_billet_prescribe(b);
    sw_fem_billet_pack(b);
    CHECK_OK(sw_fem_billet_elements(b));
    sw_fem_billet_assemble(b);
}

static void test_product_is_dense_ones(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int wide = 0; wide < 2; wide++) {
        sw_fem_billet b;
        open_system(wide ? 7 : 3, wide ? 3 : 7, 10, &b);
        sw_fem_band_space *space = &b.system;
        const int64_t n = space->band.n;
        double *dense = dense_of(&space->band), *x = space->work[0], *y = space->work[1];
        assert_int_equal(2 * space->band.half + 1, 2 * (2 * (3 + 2) + 1) + 1);
        for (int64_t i = 0; i < n; i++)
            x[i] = number(&seed);
        for (int transposed = 0; transposed < 2; transposed++) {
            CHECK_OK(space->on->product(space, transposed, x, y));
            for (int64_t i = 0; i < n; i++) {
                double sum = 0, size = 0;
                for (int64_t j = 0; j < n; j++) {
                    const double part = dense[transposed ? j * n + i : i * n + j] * x[j];
                    sum += part;
                    size += fabs(part);
                }
                CHECK_CLOSE(y[i], sum, 1e-15 * 30 * size);
            }
        }
        free(dense);
        sw_fem_billet_close(&b);
    }
}

/* Fixed unknowns have their values in the solution, and the others' equations hold with them. */
static void test_constrained_rows(void **state)
{
    (void)state;
    uint64_t seed = 17;
    sw_fem_band_space space;
    CHECK_OK(sw_fem_band_open_cpu(20, 3, &space));
    uint8_t fixed[20] = {0};
    double value[20] = {0}, right[20];
    for (int64_t i = 0; i < 20; i++) {
        for (int64_t j = sw_fem_band_first(&space.band, i); j <= sw_fem_band_last(&space.band, i); j++)
            *sw_fem_band_at(&space.band, i, j) = number(&seed) + (i == j ? 5 : 0);
        right[i] = space.right[i] = number(&seed);
        fixed[i] = i % 3 == 0;
        value[i] = fixed[i] ? number(&seed) : 0;
    }
    double *dense = dense_of(&space.band);
    for (int64_t i = 0; i < 20; i++)
        sw_fem_band_constrain(&space.band, fixed, value, i, space.right);
    int64_t iterations;
    CHECK_OK(sw_fem_band_solve(&space, SW_FEM_BICONJUGATE, 1e-13, 1000, &iterations));
    for (int64_t i = 0; i < 20; i++) {
        double sum = 0;
        for (int64_t j = 0; j < 20; j++)
            sum += dense[20 * i + j] * space.solution[j];
        if (fixed[i])
            CHECK_CLOSE(space.solution[i], value[i], 1e-12);
        else
            CHECK_CLOSE(sum, right[i], 1e-11);
    }
    free(dense);
    sw_fem_band_close_cpu(&space);
}

/* |z - A^-1 b| <= |A^-1| |A z - b|, with Frobenius' norm; to 1e-8, so that the dense inverse's round-off is less. */
static void test_methods_reach_the_answer(void **state)
{
    (void)state;
    for (int plastic = 0; plastic < 2; plastic++) {
        sw_fem_billet b;
        open_system(5, 5, plastic ? 15 : 1, &b);
        sw_fem_band_space *space = &b.system;
        const int64_t n = space->band.n;
        double *dense = dense_of(&space->band), *inverse = invert(n, dense), norm = 0, size = 0;
        int flowing = 0;
        for (int64_t i = 0; i < 4 * b.n_elements; i++)
            flowing += b.flows[i];
        assert_true(plastic ? flowing > 50 : flowing == 0);
        for (int64_t i = 0; i < n * n; i++)
            norm += inverse[i] * inverse[i];
        for (int64_t i = 0; i < n; i++)
            size += space->right[i] * space->right[i];
        for (sw_fem_band_method m = SW_FEM_SIMPLE; m < SW_FEM_BAND_METHODS; m++) {
            int64_t iterations;
            const sw_status status = sw_fem_band_solve(space, m, 1e-8, 1000000, &iterations);
            if (m == SW_FEM_DIRECT && status == SW_ERR_UNAVAILABLE)
                continue;
            CHECK_OK(status);
            print_message("%s, %d points flow: %lld iterations\n", sw_fem_band_method_names[m], flowing,
                          (long long)iterations);
            for (int64_t i = 0; i < n; i++) {
                double exact = 0;
                for (int64_t j = 0; j < n; j++)
                    exact += inverse[i * n + j] * space->right[j];
                CHECK_CLOSE(space->solution[i], exact, sqrt(norm * size) * 1e-8);
            }
        }
        free(dense);
        free(inverse);
        sw_fem_billet_close(&b);
    }
}

static void test_too_few_iterations_are_an_error(void **state)
{
    (void)state;
    sw_fem_billet b;
    open_system(5, 5, 1, &b);
    for (sw_fem_band_method m = SW_FEM_SIMPLE; m < SW_FEM_DIRECT; m++) {
        int64_t iterations;
        assert_int_equal(sw_fem_band_solve(&b.system, m, 1e-8, 5, &iterations), SW_ERR_CONVERGENCE);
        assert_int_equal(iterations, 5);
        assert_message_has(sw_fem_band_method_names[m]);
    }
    sw_fem_billet_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rate_is_objective),
        cmocka_unit_test(test_elastic_rate_is_almansis),
        cmocka_unit_test(test_flow_is_as_printed),
        cmocka_unit_test(test_first_yield_ends_on_surface),
        cmocka_unit_test(test_element_is_linear_ones),
        cmocka_unit_test(test_element_is_difference_of_forces),
        cmocka_unit_test(test_nominal_forces_turn),
        cmocka_unit_test(test_product_is_dense_ones),
        cmocka_unit_test(test_constrained_rows),
        cmocka_unit_test(test_methods_reach_the_answer),
        cmocka_unit_test(test_too_few_iterations_are_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
