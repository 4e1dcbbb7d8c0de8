/* Ideal components: where they are, and how many crystals are near them. */
#include "test_texture.h"

/* ---- Disorientation and components ---- */

static void disorientations_are_the_smallest_turns(void **state)
{
    (void)state;
    enum { N = 500 };
    srand48(10);
    for (int n = 0; n < N; n++) {
        /* A turn by less than 45 degrees is the smallest that does: equivalents are 90 degrees apart. */
        const double angle = 44 * DEGREE * drand48();
        vector from, axis, to[1], equivalent;
        double g[3][3], turn[3][3], turned[3][3] = {{0}}, found;
        random_orientation(from);
        random_direction(axis);
        sw_rotation_from_euler(from, g);
        sw_rotation_from_spin((const double[]){angle * axis[0], angle * axis[1], angle * axis[2]}, turn);
        for (int i = 0; i < 9; i++)
            for (int k = 0; k < 3; k++)
                turned[i / 3][i % 3] += turn[i / 3][k] * g[k][i % 3];
        sw_euler_from_rotation(turned, equivalent);
        crystal_equivalent(equivalent, n % 3, n / 3 % 4, to[0]);
        ok(sw_disorientation(&sw_point_group_432, 1, (vectors)to, SW_SAMPLE_TRICLINIC, from, &found));
        near(found, angle, 5e-8);
    }
    /* No two are more than 62.8 degrees apart (Handscomb 1958). */
    vector *euler = vectors_of(10000, random_orientation);
    double *angle = malloc(10000 * sizeof *angle), largest = 0;
    ok(sw_disorientation(&sw_point_group_432, 10000, (vectors)euler, SW_SAMPLE_TRICLINIC, euler[0], angle));
    for (int n = 0; n < 10000; n++)
        largest = greatest(largest, angle[n]);
    near(largest, 60 * DEGREE, 2.8 * DEGREE);
    free(euler);
    free(angle);
}

enum { MOST = 14 }; /* components of a structure */

static int find_component(const char *name)
{
    const sw_texture_component *component = sw_lattice_fcc.ideal;
    const int count = sw_lattice_fcc.n_ideals;
    for (int i = 0; i < count; i++)
        if (strcmp(component[i].name, name) == 0)
            return i;
    fail_msg("no component %s", name);
    return -1;
}

static void components_are_orientations(void **state)
{
    (void)state;
    const sw_texture_component *component = sw_lattice_fcc.ideal;
    const int count = sw_lattice_fcc.n_ideals;
    assert_int_equal(count, 13);
    for (int i = 0; i < count; i++) {
        const double *h = component[i].hkl, *u = component[i].uvw;
        near(h[0] * u[0] + h[1] * u[1] + h[2] * u[2], 0, 0);
        assert_int_equal(find_component(component[i].name), i);
        /* hkl and uvw lie along their sample axes. */
        const int normal = strcmp(component[i].family, "shear") == 0 ? 1 : 2;
        double euler[3], g[3][3];
        sw_texture_component_euler(&component[i], euler);
        sw_rotation_from_euler(euler, g);
        const double h_length = sqrt(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
        const double u_length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        for (int k = 0; k < 3; k++) {
            near(g[normal][k], h[k] / h_length, 1e-14);
            near(g[0][k], u[k] / u_length, 1e-14);
        }
    }
}

/* The angles that textbooks give: Cube (0, 0, 0), Goss (0, 45, 0), Brass (35.26, 45, 0), Copper (90, 35.26,
 * 45), S (58.98, 36.70, 63.43), to the digits printed there. */
static void rolling_components_are_the_textbooks(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double degrees[3];
    } known[] = {{"Cube", {0, 0, 0}},
                 {"Goss", {0, 45, 0}},
                 {"Brass", {35.26, 45, 0}},
                 {"Copper", {90, 35.26, 45}},
                 {"S", {58.98, 36.70, 63.43}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double fraction[13];
        vector euler[1];
        for (int k = 0; k < 3; k++)
            euler[0][k] = known[i].degrees[k] * DEGREE;
        ok(sw_component_fractions(&sw_lattice_fcc, 1, (vectors)euler, NULL, 0.02 * DEGREE, fraction));
        near(fraction[find_component(known[i].name)], 1, 0);
    }
}

/* An exact component, and each of its equivalents under crystal and sample symmetry, is all of it; with
 * the half turn of simple shear, A and A-bar, B and B-bar change places and the others stay. */
static void exact_components_are_all_of_themselves(void **state)
{
    (void)state;
    static const char *const pair[][2] = {{"A", "A-bar"}, {"A-bar", "A"}, {"B", "B-bar"}, {"B-bar", "B"}};
    const sw_texture_component *component = sw_lattice_fcc.ideal;
    const int count = sw_lattice_fcc.n_ideals;
    for (int c = 0; c < count; c++) {
        const int shear = strcmp(component[c].family, "shear") == 0;
        double ideal[3], fraction[13];
        sw_texture_component_euler(&component[c], ideal);
        for (int axis = shear ? 2 : -1; axis < 3; axis++) {
            vector half_turned, euler[12];
            sample_equivalent(ideal, axis, half_turned);
            for (int k = 0; k < 12; k++)
                crystal_equivalent(half_turned, k / 4, k % 4, euler[k]);
            int wanted = c;
            for (int k = 0; k < 4 && shear; k++)
                if (strcmp(component[c].name, pair[k][0]) == 0)
                    wanted = find_component(pair[k][1]);
            ok(sw_component_fractions(&sw_lattice_fcc, 12, (vectors)euler, NULL, 0.001 * DEGREE, fraction));
            for (int k = 0; k < count; k++)
                if (strcmp(component[k].family, component[c].family) == 0)
                    near(fraction[k], k == wanted, 0);
        }
        ok(sw_component_fractions(&sw_lattice_fcc, 1, (vectors)&ideal, NULL, 0.001 * DEGREE, fraction));
        near(fraction[c], 1, 0);
    }
}

/* Where the variants stay apart (15 degrees), V 24 (w - sin w) / pi exactly. */
static void random_fractions_are_volumes(void **state)
{
    (void)state;
    static const int variants[13] = {1, 1, 2, 2, 4, 2, 1, 1, 1, 1, 1, 1, 1};
    const double w = 15 * DEGREE;
    double fraction[13];
    ok(sw_component_fractions_random(&sw_lattice_fcc, w, fraction));
    for (int c = 0; c < 13; c++)
        near(fraction[c], variants[c] * 24 * (w - sin(w)) / SW_PI, 1e-13);
}

/* Random crystals: six standard deviations of the binomial law, and the quadrature's 2e-3 where variants
 * overlap. */
static void check_random(const sw_lattice *lattice)
{
    enum { N = 100000 };
    const int count = lattice->n_ideals;
    srand48(11);
    vector *euler = vectors_of(N, random_orientation);
    for (double tolerance = 10 * DEGREE; tolerance < 46 * DEGREE; tolerance += 7 * DEGREE) {
        double expected[MOST], found[MOST];
        ok(sw_component_fractions_random(lattice, tolerance, expected));
        ok(sw_component_fractions(lattice, N, (vectors)euler, NULL, tolerance, found));
        for (int c = 0; c < count; c++) {
            assert_true(expected[c] > 0 && expected[c] <= 1); /* 45 degrees about <110> are all there is */
            near(found[c], expected[c], 6 * sqrt(expected[c] * (1 - expected[c]) / N) + 2e-3 * expected[c]);
        }
    }
    free(euler);
}

static void random_fractions_are_found(void **state)
{
    (void)state;
    check_random(&sw_lattice_fcc);
    check_random(&sw_lattice_bcc24);
}

/* ---- Of body-centred metals ---- */

static int find_bcc(const char *name)
{
    const sw_texture_component *component = sw_lattice_bcc.ideal;
    const int count = sw_lattice_bcc.n_ideals;
    for (int i = 0; i < count; i++)
        if (strcmp(component[i].name, name) == 0)
            return i;
    fail_msg("no component %s", name);
    return -1;
}

/* Textbook angles of rolled sheet (phi2 = 45 section), and in simple shear of orientations given by their Miller indices:
 * which components and fibres they are, and no other. Each name's place is a bit. */
static void bcc_components_are_the_textbooks(void **state)
{
    (void)state;
    static const struct {
        double degrees[3];
        const char *name[4];
    } known[] = {{{0, 0, 45}, {"alpha", "rotated_cube"}},
                 {{0, 35.26439, 45}, {"alpha", "I"}},
                 {{0, 54.73561, 45}, {"alpha", "gamma", "E"}},
                 {{60, 54.73561, 45}, {"alpha", "gamma", "E"}},
                 {{90, 54.73561, 45}, {"gamma", "F"}},
                 {{0, 90, 45}, {"alpha"}},
                 {{0, 45, 0}, {"Goss"}},
                 {{0, 0, 0}, {"Cube"}},
                 {{180, 90, 0}, {"Cube"}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double fraction[MOST];
        vector euler[1];
        int wanted = 0, found = 0;
        for (int k = 0; k < 3; k++)
            euler[0][k] = known[i].degrees[k] * DEGREE;
        for (int k = 0; k < 4 && known[i].name[k] != NULL; k++)
            wanted |= 1 << find_bcc(known[i].name[k]);
        ok(sw_component_fractions(&sw_lattice_bcc, 1, (vectors)euler, NULL, 1 * DEGREE, fraction));
        for (int k = 0; k < find_bcc("shear_111"); k++)
            found |= (fraction[k] == 1) << k;
        assert_int_equal(found, wanted);
    }
}

/* Every orientation of the table, after each half turn of the sample and each cubic rotation, is all of itself; those
 * of shear lie on the fibres that their indices name. */
static void bcc_orientations_are_all_of_themselves(void **state)
{
    (void)state;
    const int count = sw_lattice_bcc.n_ideals, along_direction = find_bcc("shear_111"),
              along_normal = find_bcc("shear_110");
    const sw_texture_component *component = sw_lattice_bcc.ideal;
    for (int c = 0; c < count; c++) {
        double ideal[3], fraction[MOST];
        sw_texture_fibre fibre;
        const double *h = component[c].hkl, *u = component[c].uvw;
        near(h[0] * u[0] + h[1] * u[1] + h[2] * u[2], 0, 0);
        sw_texture_component_fibre(&sw_point_group_432, &component[c], &fibre);
        if (fibre.n_along > 0)
            continue;
        sw_texture_component_euler(&component[c], ideal);
        for (int axis = -1; axis < 3; axis++) {
            vector half_turned, euler[12];
            sample_equivalent(ideal, axis, half_turned);
            for (int k = 0; k < 12; k++)
                crystal_equivalent(half_turned, k / 4, k % 4, euler[k]);
            ok(sw_component_fractions(&sw_lattice_bcc, 12, (vectors)euler, NULL, 0.001 * DEGREE, fraction));
            near(fraction[c], 1, 0);
            if (c <= along_normal)
                continue;
            near(fraction[along_direction], u[0] * u[0] + u[1] * u[1] + u[2] * u[2] == 3, 0);
            near(fraction[along_normal], h[0] * h[0] + h[1] * h[1] + h[2] * h[2] == 2, 0);
        }
    }
}

/* Caps of 15 degrees about the 12 <110> and the 8 <111> do not overlap. A spiral of n points finds a cap's area to its
 * rim over the points' distance, 0.7 / sqrt(n) of a hemisphere's 2^17 points: 0.002 of a cap at the very most. */
static void random_fibres_are_caps(void **state)
{
    (void)state;
    const double cap = (1 - cos(15 * DEGREE)) / 2;
    double fraction[MOST];
    ok(sw_component_fractions_random(&sw_lattice_bcc48, 15 * DEGREE, fraction));
    near(fraction[find_bcc("alpha")], 12 * cap, 12 * cap * 2e-3);
    near(fraction[find_bcc("gamma")], 8 * cap, 8 * cap * 2e-3);
    near(fraction[find_bcc("shear_111")], 8 * cap, 8 * cap * 2e-3);
    near(fraction[find_bcc("shear_110")], 12 * cap, 12 * cap * 2e-3);
    near(fraction[find_bcc("Cube")], 24 * (15 * DEGREE - sin(15 * DEGREE)) / SW_PI, 1e-13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disorientations_are_the_smallest_turns),
        cmocka_unit_test(components_are_orientations),
        cmocka_unit_test(rolling_components_are_the_textbooks),
        cmocka_unit_test(exact_components_are_all_of_themselves),
        cmocka_unit_test(random_fractions_are_volumes),
        cmocka_unit_test(random_fractions_are_found),
        cmocka_unit_test(bcc_components_are_the_textbooks),
        cmocka_unit_test(bcc_orientations_are_all_of_themselves),
        cmocka_unit_test(random_fibres_are_caps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
