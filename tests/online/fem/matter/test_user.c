/* A user's subroutine from a shared library: what it is told, and what its stresses and tangents become at small and
 * finite strains. It is compiled here (umat.c, by the compiler that CC names). */
#include "materials.h"

#include "common/files/hdf5_io.h"
#include "online/fem/deck/deck.h"

static char folder[64], library[128];

static int set_up(void **state)
{
    (void)state;
    char command[512];
    snprintf(folder, sizeof folder, "/tmp/slipwave-user-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(library, sizeof library, "%s/umat.so", folder);
    snprintf(
        command, sizeof command,
        "${CC:-cc} -std=c11 -O1 -shared -fPIC -o %s ${SW_DATA:-data}/../tests/online/fem/matter/umat.c -lm",
        library);
    return system(command);
}

static int tear_down(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static double numbers[3][3] = {{200e3, 0.3, 0}, {200e3, 0.3, 1}, {200e3, 0.3, 2}};

static sw_matter user(int mode)
{
    sw_matter made = {
        .name = (char *)"My steel", .n_constants = 3, .constant = numbers[mode], .n_states = 69};
    CHECK_OK(sw_matter_load(&made, library));
    return made;
}

static void forget(sw_matter *matter)
{
    matter->name = NULL;
    matter->constant = NULL;
    matter->expansion = (sw_matter_table){0};
    sw_matter_free(matter);
}

static void give(history *h, double size, uint64_t *seed)
{
    for (int k = 0; k < 9; k++)
        h->gradient[k / 3][k % 3] += size * number(seed);
}

/* It is called as the manual has it. */
static void test_told(void **state)
{
    (void)state;
    sw_matter matter = user(0);
    history h;
    const double first[6] = {1e-3, 2e-3, 3e-3, 4e-4, 5e-4, 6e-4}, second[6] = {2e-3, 2e-3, 2e-3, 8e-4, 0, 0};
    begin(&h, &matter);
    h.point.element = 17;
    h.point.point = 4;
    h.point.step = 2;
    h.point.length = 2.5;
    h.point.layer = 3;
    for (int i = 0; i < 3; i++)
        h.point.at[i] = 10 + i;
    for (int i = 0; i < 2; i++) {
        h.point.dt = 0.5;
        h.point.time = 3 + 0.5 * i;
        h.point.step_time = 1 + 0.5 * i;
        h.point.increment = 5 + i;
        h.point.temperature_before = 20 + 10 * i;
        h.point.temperature = 30 + 10 * i;
        set_strain(&h, i ? second : first);
        CHECK_OK(try_point(&h));
        CHECK_OK(try_point(&h)); /* a trial leaves nothing */
        accept(&h);
    }
    const double told[] = {2, 1, 3, 0.5, 30, 10, 3, 3, 6, 69, 3, 10, 11, 12, 17, 5, 2, 6, 80, 1, 2.5, 3};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        CHECK_CLOSE(h.old[i], told[i], 1e-12);
    static const int place[6] = {0, 1, 2, 5, 4, 3};
    for (int c = 0; c < 6; c++) {
        CHECK_CLOSE(h.old[30 + c], first[place[c]], 1e-15);
        CHECK_CLOSE(h.old[36 + c], second[place[c]] - first[place[c]], 1e-15);
    }
    for (int k = 0; k < 9; k++) {
        CHECK_CLOSE(h.old[42 + k], k % 4 == 0, 0);
        CHECK_CLOSE(h.old[60 + k], h.gradient[k % 3][k / 3], 0);
    }
    forget(&matter);
}

/* Elasticity of its own is ours, thermal strains and axes as well. */
static void test_small(void **state)
{
    (void)state;
    static double axes[3][3] = {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}};
    sw_matter matter = user(0), steel = {STEEL};
    history h, own;
    uint64_t seed = 1;
    matter.expansion_columns = steel.expansion_columns = 3;
    matter.expansion = steel.expansion = ROW(3, 1e-5, 2e-5, 3e-5);
    begin(&h, &matter);
    begin(&own, &steel);
    h.point.axes = own.point.axes = (const double(*)[3])axes;
    for (int step = 0; step < 3; step++) {
        give(&h, 1e-3, &seed);
        h.point.temperature += 30;
        memcpy(own.gradient, h.gradient, sizeof h.gradient);
        own.point.temperature = h.point.temperature;
        CHECK_OK(try_point(&h));
        CHECK_OK(try_point(&own));
        for (int i = 0; i < 6; i++) {
            CHECK_CLOSE(h.answer.stress[i], own.answer.stress[i], 1e-8);
            for (int j = 0; j < 6; j++)
                CHECK_CLOSE(h.answer.tangent[i][j], own.answer.tangent[i][j], 1e-7);
        }
        accept(&h);
        accept(&own);
    }
    forget(&matter);
}

/* Neo-Hooke's: S = G (1 - C^-1) + L ln J C^-1 whatever the axes, and the tangent by differences. */
static void test_finite(void **state)
{
    (void)state;
    static double axes[3][3] = {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}};
    sw_matter matter = user(1);
    const double shear = 200e3 / 2.6, lame = 200e3 * 0.3 / 1.3 / 0.4;
    for (int turned = 0; turned < 2; turned++) {
        history h;

        begin(&h, &matter);
        h.point.finite = 1;
        h.point.axes = turned ? (const double(*)[3])axes : NULL;
        /* F = [1.2 0.3 0; 0 0.9 0; 0 0 1.1]: C^-1 by hand */
        h.gradient[0][0] = 1.2, h.gradient[0][1] = 0.3, h.gradient[1][1] = 0.9;
        h.gradient[2][2] = 1.1;
        const double j = 1.2 * 0.9 * 1.1, a = 1 / 1.2, b = -0.3 / (1.2 * 0.9), c = 1 / 0.9;
        const double inverse[6] = {a * a + b * b, c * c, 1 / 1.21, 0, 0, b * c};
        CHECK_OK(try_point(&h));
        for (int i = 0; i < 6; i++)
            CHECK_CLOSE(h.answer.stress[i], shear * ((i < 3) - inverse[i]) + lame * log(j) * inverse[i],
                        1e-8);
        const sw_matter_answer at = h.answer;
        double moved[6], f[3][3];
        memcpy(f, h.gradient, sizeof f);
        for (int k = 0; k < 9; k++) {
            double change[6], stress[6] = {0};
            for (int side = -1; side < 2; side += 2) {
                memcpy(h.gradient, f, sizeof f);
                h.gradient[k / 3][k % 3] += side * 1e-6;
                CHECK_OK(try_point(&h));
                for (int i = 0; i < 6; i++) {
                    stress[i] = side < 0 ? h.answer.stress[i] : h.answer.stress[i] - stress[i];
                    moved[i] = side < 0 ? h.answer.strain[i] : h.answer.strain[i] - moved[i];
                }
            }
            for (int i = 0; i < 6; i++) {
                change[i] = 0;
                for (int l = 0; l < 6; l++)
                    change[i] += at.tangent[i][l] * moved[l];
                CHECK_CLOSE(stress[i], change[i], 1e-6 * 200e3 * 2e-6);
            }
        }
    }
    forget(&matter);
}

/* Stress and strain move with the body: a pull, then a turn, and nothing else. */
static void test_turns(void **state)
{
    (void)state;
    sw_matter matter = user(0);
    double cauchy[6];
    history h;
    begin(&h, &matter);
    h.point.finite = 1;
    h.gradient[0][0] = 1.001;
    CHECK_OK(try_point(&h));
    accept(&h);
    const double first = h.answer.stress[0];
    for (int step = 1; step <= 30; step++) { /* to a right angle about the third axis */
        const double angle = step * acos(0) / 30, c = cos(angle), s = sin(angle);
        const double f[3][3] = {{1.001 * c, -s, 0}, {1.001 * s, c, 0}, {0, 0, 1}};
        memcpy(h.gradient, f, sizeof f);
        CHECK_OK(try_point(&h));
        CHECK_CLOSE(h.answer.stress[0], first, 1e-6);
        accept(&h);
    }
    sw_matter_push_forward((const double(*)[3])h.gradient, h.answer.stress, cauchy);
    const double strain = 2 * 0.001 / 2.001, factor = 200e3 / (1.3 * 0.4);
    CHECK_CLOSE(cauchy[1], factor * 0.7 * strain, 1e-6);
    CHECK_CLOSE(cauchy[0], factor * 0.3 * strain, 1e-6);
    CHECK_CLOSE(cauchy[5], 0, 1e-6);
    CHECK_CLOSE(h.old[31] + h.old[37], strain, 1e-12); /* STRAN + DSTRAN of 22 */
    forget(&matter);
}

/* Elements of edges 2, 2 and 2 (a line of 2), moved by 1 along x: a line across them, of those of curved edges half of it; where
 * their first point is, with NLGEOM now. */
static void test_elements(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double size;
        int simplex; /* coordinates whose reference edge is 1, not 2 */
    } cases[] = {{"C3D8", 2, 0},
                 {"C3D8R", 2, 0},
                 {"C3D20", 1, 0},
                 {"C3D20R", 1, 0},
                 {"CPE4", 2, 0},
                 {"CPS4R", 2, 0},
                 {"CAX4R", 2, 0},
                 {"CPE8R", 1, 0},
                 {"T3D2", 2, 0},
                 {"T3D3", 1, 0},
                 {"C3D6", 1.587401051968199, 2},
                 {"C3D4", 1.100642416298209, 3},
                 {"CPE3", 1.414213562373095, 2}};
    sw_matter matter = user(0);
    CHECK_OK(sw_matter_prepare(&matter, "test"));
    for (size_t k = 0; k < 2 * sizeof cases / sizeof *cases; k++) {
        sw_element e = {.formulation = sw_formulation_find(cases[k / 2].name, 0),
                        .matter = &matter,
                        .thickness = 0.3,
                        .finite = k % 2};
        const sw_topology *t = e.formulation->topology;
        double force[SW_FORMULATION_UNKNOWNS];
        static double old[SW_FORMULATION_POINTS * 300], new_state[SW_FORMULATION_POINTS * 300];
        for (int a = 0; a < t->n_nodes; a++) {
            for (int i = 0; i < t->dimension; i++)
                e.x[a][i] = t->node[a][i] * (i < cases[k / 2].simplex ? 2 : 1) + (i == 0 ? 5 : 0);
            e.u[a][0] = e.u_before[a][0] = 1;
        }
        e.state = old;
        sw_element_answer answer = {.state = new_state, .force = force};
        CHECK_OK(e.formulation->evaluate(&e, &answer));
        const double *told = new_state + e.formulation->n_own;
        CHECK_CLOSE(told[20], cases[k / 2].size, 1e-12);
        double x = 0, value[SW_FORMULATION_NODES];
        t->shape(e.formulation->rule->point[0], value, NULL);
        for (int a = 0; a < t->n_nodes; a++)
            x += value[a] * (e.x[a][0] + k % 2);
        CHECK_CLOSE(told[11], x, 1e-12);
    }
    forget(&matter);
}

/* Two cubes, one of a user material with 69 state variables; its results' state variables. */
static void run_cubes(const char *more, double value[16][69], double u[16][3])
{
    char path[160], output[160];
    const sw_structure_problem *problem;
    sw_deck *deck;
    hid_t file;
    snprintf(path, sizeof path, "%s/states.inp", folder);
    snprintf(output, sizeof output, "%s/states.h5", folder);
    FILE *text = fopen(path, "w");
    assert_non_null(text);
    fprintf(text, "*NODE, NSET=ALL\n");
    for (int n = 0; n < 16; n++)
        fprintf(text, "%d, %d, %d, %d\n", n + 1, (n + 1) / 2 % 2, n / 2 % 2, n / 4 % 2 + 3 * (n / 8));
    fprintf(
        text,
        "*ELEMENT, TYPE=C3D8, ELSET=A\n1, 1, 2, 3, 4, 5, 6, 7, 8\n*ELEMENT, TYPE=C3D8, ELSET=B\n"
        "2, 9, 10, 11, 12, 13, 14, 15, 16\n*MATERIAL, NAME=U\n*USER MATERIAL, CONSTANTS=3\n2e5, .3, 0.\n"
        "*DEPVAR\n69\n*MATERIAL, NAME=M\n*ELASTIC\n2e5, .3\n*SOLID SECTION, ELSET=A, MATERIAL=U\n"
        "*SOLID SECTION, ELSET=B, MATERIAL=M\n*NSET, NSET=OTHER, GENERATE\n9, 16\n*BOUNDARY\nOTHER, 1, 3\n"
        "1, 1, 3\n2, 2, 3\n3, 3\n4, 1\n4, 3\n5, 1, 2\n6, 2\n8, 1\n");
    fprintf(text, "%s*STEP\n*STATIC, DIRECT\n.25, 1.\n*END STEP\n", more);
    fclose(text);
    CHECK_OK(sw_deck_read(path, SW_DECK_ABAQUS, &deck));
    deck->umat = library;
    CHECK_OK(sw_deck_make_problem(deck, &problem));
    const sw_structure_options options = {.output = output, .quiet = 1};
    CHECK_OK(sw_structure_run(problem, &options));
    sw_deck_free(deck);
    CHECK_OK(sw_h5_open(output, 0, &file));
    CHECK_OK(
        sw_h5_read(file, "fields/0001/state_variables", H5T_NATIVE_DOUBLE, 2, (int64_t[]){16, 69}, value));
    CHECK_OK(sw_h5_read(file, "fields/0001/displacement", H5T_NATIVE_DOUBLE, 2, (int64_t[]){16, 3}, u));
    H5Fclose(file);
}

/* Its first state variable counts increments, at its nodes; the body beside it has none. */
static void test_states_are_results(void **state)
{
    (void)state;
    double value[16][69], u[16][3];
    run_cubes("", value, u);
    for (int n = 0; n < 16; n++) {
        CHECK_CLOSE(value[n][0], n < 8 ? 4 : 0, 1e-12);
        CHECK_CLOSE(value[n][14], n < 8 ? 1 : 0, 1e-12); /* NOEL */
    }
}

/* What it begins with: a stress, which the free body loses, and state variables, of which those from the 23rd on stay as they are. */
static void test_first_states(void **state)
{
    (void)state;
    double value[16][69], u[16][3];
    run_cubes(
        "*INITIAL CONDITIONS, TYPE=STRESS\nA, 0., -200.\n*INITIAL CONDITIONS, TYPE=SOLUTION\n"
        "A, 10., 0., 0., 0., 0., 0., 0.\n0., 0., 0., 0., 0., 0., 0., 0.\n0., 0., 0., 0., 0., 0., 0., 24.,\n"
        "25., 26.\n",
        value, u);
    CHECK_CLOSE(value[0][0], 14, 1e-12);
    CHECK_CLOSE(value[7][22], 24, 1e-12);
    CHECK_CLOSE(value[7][23], 25, 1e-12);
    CHECK_CLOSE(value[7][24], 26, 1e-12);
    CHECK_CLOSE(value[15][22], 0, 0);
    CHECK_CLOSE(u[6][1], 200 / 2e5, 1e-12);
    CHECK_CLOSE(u[6][0], -0.3 * 200 / 2e5, 1e-12);
}

static void test_smaller_increment(void **state)
{
    (void)state;
    sw_matter matter = user(2);
    history h;
    begin(&h, &matter);
    assert_int_equal(try_point(&h), SW_ERR_CONVERGENCE);
    assert_message_has("0.25 times");
    forget(&matter);
}

/* Beyond the states that the deck gives it. */
static void test_too_few_states(void **state)
{
    (void)state;
    sw_matter matter = user(0);
    history h;
    matter.n_states = 66;
    begin(&h, &matter);
    CHECK_CLOSE(h.old[0], 0, 0);
    assert_int_equal(try_point(&h), SW_ERR_INPUT);
    assert_message_has("state variable 69 of 66");
    forget(&matter);
}

static void test_libraries(void **state)
{
    (void)state;
    char path[160], command[400];
    sw_matter matter = {.name = (char *)"STEEL"};
    assert_int_equal(sw_matter_load(&matter, "/nowhere/umat.so"), SW_ERR_IO);
    assert_message_has("/nowhere/umat.so");
    snprintf(path, sizeof path, "%s/empty.so", folder);
    snprintf(command, sizeof command, "echo 'int nothing;' | ${CC:-cc} -shared -fPIC -x c -o %s -", path);
    assert_int_equal(system(command), 0);
    assert_int_equal(sw_matter_load(&matter, path), SW_ERR_IO);
    assert_message_has("no umat_");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_told),           cmocka_unit_test(test_small),
        cmocka_unit_test(test_finite),         cmocka_unit_test(test_turns),
        cmocka_unit_test(test_elements),       cmocka_unit_test(test_states_are_results),
        cmocka_unit_test(test_first_states),   cmocka_unit_test(test_smaller_increment),
        cmocka_unit_test(test_too_few_states), cmocka_unit_test(test_libraries)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
