/* The user subroutines, called as Abaqus and CalculiX call them, against the material point that they are: order of
 * components, shears, columns, what is asked for and left alone. */
#include "tests/online/material_point/points.h"

#include <pthread.h>
#include <sys/wait.h>

#include "slipwave/material_point.h"
#include "slipwave/umat.h"

enum { N = 60, NUMBERS = SW_POINT_CRYSTALS + 9 * N, P = 6 };

static char folder[64];
static sw_point_model *model, *smooth; /* what POINT and SMOOTH are */

static void write_point(const char *name, const char *text)
{
    char path_of[128];
    snprintf(path_of, sizeof path_of, "%s/%s", folder, name);
    write_text(path_of, text);
}

static sw_point_model *read_point(const char *name)
{
    char path_of[128];
    sw_point_model *read;
    snprintf(path_of, sizeof path_of, "%s/%s", folder, name);
    CHECK_OK(sw_point_model_read(path_of, &read));
    return read;
}

static int set_up(void **state)
{
    (void)state;
    char path_of[128];
    snprintf(folder, sizeof folder, "/tmp/slipwave-umat-XXXXXX");
    if (mkdtemp(folder) == NULL || setenv("SLIPWAVE_MATERIALS", folder, 1) != 0)
        return -1;
    snprintf(path_of, sizeof path_of, "%s/material-copper.yaml", folder);
    write_copper(path_of, 0.012);
    snprintf(path_of, sizeof path_of, "%s/material-soft.yaml", folder);
    write_copper(path_of, 0.2);
    write_point("point.yaml", "material: material-copper.yaml\ncrystals: {count: 60, seed: 4}\n");
    write_point("smooth.yaml", "material: material-soft.yaml\ncrystals: {count: 60, seed: 4}\n");
    write_point("own.yaml", "material: material-copper.yaml\npoints: own\ncrystals: {count: 60, seed: 4}\n");
    model = read_point("point.yaml");
    smooth = read_point("smooth.yaml");
    return 0;
}

static int tear_down(void **state)
{
    char command[96];
    (void)state;
    sw_point_model_close(model);
    sw_point_model_close(smooth);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

/* ---- Calls ---- */

static void name_of(const char *text, char name[80])
{
    memset(name, ' ', 80);
    memcpy(name, text, strlen(text));
}

/* Fortran's (i, j) is j times 3 and i. */
static void to_columns(const double f[3][3], double columns[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            columns[j * 3 + i] = f[i][j];
}

typedef struct {
    double stress[6], ddsdde[36], pnewdt;
} abaqus_answer;

static abaqus_answer call_abaqus(const char *material, int element, int nshr, double dt,
                                 const double f0[3][3], const double f1[3][3], int numbers, double *state)
{
    abaqus_answer a = {.pnewdt = 1};
    char name[80];
    double old[9], new[9], none[9] = {0}, scalar = 0;
    const int three = 3, ntens = 3 + nshr, one = 1;
    memset(a.stress, 7, sizeof a.stress);
    memset(a.ddsdde, 7, sizeof a.ddsdde);
    name_of(material, name);
    to_columns(f0, old);
    to_columns(f1, new);
    umat_(a.stress, state, a.ddsdde, &scalar, &scalar, &scalar, &scalar, none, none, &scalar, none, none,
          none, &dt, &scalar, &scalar, none, none, name, &three, &nshr, &ntens, &numbers, none, &one, none,
          none, &a.pnewdt, &scalar, old, new, &element, &one, &one, &one, &one, &one, 80);
    return a;
}

typedef struct {
    double stre[6], stiff[21], pnewdt;
} calculix_answer;

/* Point 2 of element 3, of 4 points an element. states [NUMBERS]: before and after. */
static calculix_answer call_calculix_at(const char *material, int icmd, int ielas, double dt,
                                        const double f0[3][3], const double f1[3][3], const double *before,
                                        double *after)
{
    enum { ELEMENT = 3, POINT = 2, POINTS = 4, ALL = ELEMENT * POINTS };
    static double all_before[ALL][NUMBERS], all_after[ALL][NUMBERS];
    calculix_answer a = {.pnewdt = -1};
    char name[80];
    double old[9], new[9], none[9] = {0}, scalar = 0;
    const int element = ELEMENT, point = POINT, points = POINTS, numbers = NUMBERS, zero = 0,
              at = (ELEMENT - 1) * POINTS + 1;
    memset(a.stre, 7, sizeof a.stre);
    memset(a.stiff, 7, sizeof a.stiff);
    memset(all_before, 0, sizeof all_before);
    memset(all_after, 0, sizeof all_after);
    memcpy(all_before[at], before, sizeof all_before[at]);
    name_of(material, name);
    to_columns(f0, old);
    to_columns(f1, new);
    umat_user_(name, &element, &point, &zero, none, none, none, none, old, &scalar, new, &scalar, &zero,
               &scalar, &dt, &scalar, &scalar, &icmd, &ielas, &points, &numbers, all_before[0], all_after[0],
               a.stre, a.stiff, &zero, none, none, &a.pnewdt, &zero, 80);
    memcpy(after, all_after[at], sizeof all_after[at]);
    for (int k = 0; k < ALL * NUMBERS; k++) /* nobody else's */
        assert_true(k / NUMBERS == at || all_after[k / NUMBERS][k % NUMBERS] == 0);
    return a;
}

static calculix_answer call_calculix(const char *material, int icmd, double dt, const double f0[3][3],
                                     const double f1[3][3], const double *before, double *after)
{
    return call_calculix_at(material, icmd, 0, dt, f0, f1, before, after);
}

/* ---- The material point ---- */

typedef struct {
    double f[1][3][3], state[NUMBERS], stress[1][6], by_strain[1][6][6];
} point;

static void begin(const sw_point_model *of, point *p)
{
    memset(p, 0, sizeof *p);
    memcpy(p->f[0], unit, sizeof unit);
    CHECK_OK(sw_point_begin(of, 0, p->state));
}

static void advance(const sw_point_model *of, point *p, const double f1[3][3], double dt)
{
    const sw_point_update update = {.points = 1,
                                    .dt = dt,
                                    .old_gradient = (const double(*)[3][3])p->f,
                                    .new_gradient = (const double(*)[3][3])f1,
                                    .old_state = p->state,
                                    .new_state = p->state,
                                    .stress = p->stress,
                                    .by_strain = p->by_strain};
    CHECK_OK(sw_point_advance(of, &update));
    memcpy(p->f[0], f1, 9 * sizeof(double));
}

static void next_gradient(int step, const double f0[3][3], double f1[3][3])
{
    double l[3][3];
    path(step, l);
    l[0][0] += 2e-6; /* and some volume */
    follow((const double(*)[3])l, 10, f0, f1);
}

/* Components of 11 22 33 23 13 12, in the codes' order. */
static const int order[6] = {0, 1, 2, 5, 4, 3};

/* ---- Abaqus ---- */

/* Along a path with six different stresses, from zeroed state variables on. */
static void abaqus_calls_are_the_point(void **state)
{
    (void)state;
    point p;
    double statev[NUMBERS + 3] = {0};
    begin(model, &p);
    statev[NUMBERS] = 17; /* more of them than are needed: not touched */
    for (int k = 0; k < 9; k++) {
        double f0[3][3], f1[3][3];
        memcpy(f0, p.f[0], sizeof f0);
        next_gradient(k, (const double(*)[3])f0, f1);
        const abaqus_answer a = call_abaqus("POINT", 1, 3, 10, (const double(*)[3])f0, (const double(*)[3])f1,
                                            NUMBERS + 3, statev);
        advance(model, &p, (const double(*)[3])f1, 10);
        assert_memory_equal(statev, p.state, sizeof p.state);
        assert_true(statev[NUMBERS] == 17 && a.pnewdt == 1);
        for (int i = 0; i < 6; i++) {
            CHECK_CLOSE(a.stress[i], p.stress[0][order[i]], 0);
            for (int j = 0; j < 6; j++)
                CHECK_CLOSE(a.ddsdde[j * 6 + i], p.by_strain[0][order[i]][order[j]], 0);
        }
    }
    for (int i = 3; i < 6; i++) /* or an exchange of shears would not show */
        for (int j = 0; j < i; j++)
            assert_true(fabs(p.stress[0][i] - p.stress[0][j]) > 1e5);
}

/* Simple shears of the whole body: 12, 13 and 23 are where Abaqus has them, and a column of DDSDDE is by gamma. At the
 * first step the crystals are elastic, to a few per cent: C1212 + pressureless, about the mean shear modulus. */
static void shears_are_engineers(void **state)
{
    (void)state;
    static const int pair[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    const double gamma = 1e-5;
    for (int k = 0; k < 3; k++) {
        double f1[3][3], statev[NUMBERS] = {0};
        memcpy(f1, unit, sizeof unit);
        f1[pair[k][0]][pair[k][1]] = gamma;
        const abaqus_answer a =
            call_abaqus("POINT", 1, 3, 1e-3, unit, (const double(*)[3])f1, NUMBERS, statev);
        const double modulus = a.ddsdde[(3 + k) * 6 + 3 + k];
        CHECK_CLOSE(modulus, (2 * 23.5e9 + 3 * 75e9) / 5, 3e9); /* Voigt's mean; of 60 crystals, not quite */
        CHECK_CLOSE(a.stress[3 + k], modulus * gamma, 0.01 * modulus * gamma);
        for (int i = 0; i < 3; i++)
            assert_true(i == k || fabs(a.stress[3 + i]) < 0.1 * a.stress[3 + k]);
    }
}

/* Four components: 11 22 33 12, and a matrix of 4 x 4. */
static void plane_strain_has_four(void **state)
{
    (void)state;
    double f1[3][3], three[NUMBERS] = {0}, plane[NUMBERS] = {0};
    next_gradient(3, unit, f1);
    const abaqus_answer a = call_abaqus("POINT", 1, 3, 10, unit, (const double(*)[3])f1, NUMBERS, three),
                        b = call_abaqus("POINT", 1, 1, 10, unit, (const double(*)[3])f1, NUMBERS, plane);
    abaqus_answer untouched;
    memset(&untouched, 7, sizeof untouched);
    for (int i = 0; i < 4; i++) {
        CHECK_CLOSE(b.stress[i], a.stress[i], 0);
        for (int j = 0; j < 4; j++)
            CHECK_CLOSE(b.ddsdde[j * 4 + i], a.ddsdde[j * 6 + i], 0);
    }
    assert_memory_equal(b.stress + 4, untouched.stress, 2 * sizeof(double));
    assert_memory_equal(b.ddsdde + 16, untouched.ddsdde, 20 * sizeof(double));
}

static double volume_of(const double f[3][3])
{
    return f[0][0] * (f[1][1] * f[2][2] - f[1][2] * f[2][1]) -
           f[0][1] * (f[1][0] * f[2][2] - f[1][2] * f[2][0]) +
           f[0][2] * (f[1][0] * f[2][1] - f[1][1] * f[2][0]);
}

/* As in test_material_point: 1e-6 of 50 MPa over 2 h, and h^2 over the square of a step of 1 %, of slopes of 1e11 Pa.
 * */
static const double h = 3e-5, slope_error = 4e6;

/* A start after flow, and the next gradient. */
static void start_of(point *p, double f1[3][3])
{
    begin(smooth, p);
    for (int k = 0; k < 4; k++) {
        next_gradient(k, (const double(*)[3])p->f[0], f1);
        advance(smooth, p, (const double(*)[3])f1, 10);
    }
    next_gradient(4, (const double(*)[3])p->f[0], f1);
}

/* J sigma by symmetric deformations in Abaqus' order. */
static void ddsdde_is_a_difference(void **state)
{
    (void)state;
    static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    point start;
    double f1[3][3], statev[NUMBERS];
    start_of(&start, f1);
    memcpy(statev, start.state, sizeof statev);
    const abaqus_answer a = call_abaqus("SMOOTH", 1, 3, 10, (const double(*)[3])start.f[0],
                                        (const double(*)[3])f1, NUMBERS, statev);
    for (int j = 0; j < 6; j++) {
        abaqus_answer side[2];
        double volume[2];
        for (int s = 0; s < 2; s++) {
            double strain[3][3], f[3][3];
            memcpy(strain, unit, sizeof unit);
            strain[pair[j][0]][pair[j][1]] += (s ? h : -h) / 2;
            strain[pair[j][1]][pair[j][0]] += (s ? h : -h) / 2;
            times((const double(*)[3])strain, (const double(*)[3])f1, f);
            memcpy(statev, start.state, sizeof statev);
            side[s] = call_abaqus("SMOOTH", 1, 3, 10, (const double(*)[3])start.f[0], (const double(*)[3])f,
                                  NUMBERS, statev);
            volume[s] = volume_of((const double(*)[3])f);
        }
        for (int i = 0; i < 6; i++)
            CHECK_CLOSE((volume[1] * side[1].stress[i] - volume[0] * side[0].stress[i]) /
                            (2 * h * volume_of((const double(*)[3])f1)),
                        a.ddsdde[j * 6 + i], slope_error);
    }
}

/* ---- CalculiX ---- */

/* Cauchy stress from the second Piola-Kirchhoff one, F S F^T / J: the point's. */
static void calculix_stress_is_pulled_back(void **state)
{
    (void)state;
    static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    point p;
    double before[NUMBERS] = {0}, after[NUMBERS];
    begin(model, &p);
    for (int k = 0; k < 9; k++) {
        double f0[3][3], f1[3][3], s[3][3], turned[3][3], transposed[3][3];
        memcpy(f0, p.f[0], sizeof f0);
        next_gradient(k, (const double(*)[3])f0, f1);
        const calculix_answer a =
            call_calculix(k % 2 ? "POINT" : "@SLIPWAVE_UMAT_USER@POINT", 0, 10, (const double(*)[3])f0,
                          (const double(*)[3])f1, before, after);
        advance(model, &p, (const double(*)[3])f1, 10);
        assert_memory_equal(after, p.state, sizeof p.state);
        assert_true(a.pnewdt == -1);
        memcpy(before, after, sizeof before);
        for (int i = 0; i < 6; i++)
            s[pair[i][0]][pair[i][1]] = s[pair[i][1]][pair[i][0]] = a.stre[i];
        for (int i = 0; i < 9; i++)
            transposed[i / 3][i % 3] = f1[i % 3][i / 3];
        times((const double(*)[3])f1, (const double(*)[3])s, turned);
        times((const double(*)[3])turned, (const double(*)[3])transposed, turned);
        for (int i = 0; i < 6; i++) /* a double's digits of K ln J and of 100 MPa */
            CHECK_CLOSE(turned[pair[i][0]][pair[i][1]] / volume_of((const double(*)[3])f1),
                        p.stress[0][order[i]], 1e-3);
    }
}

/* F^T F = 1 + 2 E. */
static void green_of(const double f[3][3], double e[3][3])
{
    double transposed[3][3];
    for (int k = 0; k < 9; k++)
        transposed[k / 3][k % 3] = f[k % 3][k / 3];
    times((const double(*)[3])transposed, f, e);
    for (int k = 0; k < 9; k++)
        e[k / 3][k % 3] = (e[k / 3][k % 3] - unit[k / 3][k % 3]) / 2;
}

/* S of both sides of F1 (1 + h g), over the E of both sides: for random g, against C dE with CalculiX' components,
 * S_12 = sum of C_12kl E_kl over all nine kl, of the symmetric part. So that the skew part of the tangent does not
 * count, what is compared is g . S. */
static void stiff_is_a_difference(void **state)
{
    (void)state;
    static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    point start;
    double f1[3][3], after[NUMBERS], inverse_transposed[3][3];
    start_of(&start, f1);
    const calculix_answer a = call_calculix("SMOOTH", 0, 10, (const double(*)[3])start.f[0],
                                            (const double(*)[3])f1, start.state, after);
    for (int k = 0; k < 9; k++) {
        const int i = k / 3, j = k % 3;
        inverse_transposed[i][j] = (f1[(i + 1) % 3][(j + 1) % 3] * f1[(i + 2) % 3][(j + 2) % 3] -
                                    f1[(i + 1) % 3][(j + 2) % 3] * f1[(i + 2) % 3][(j + 1) % 3]) /
                                   volume_of((const double(*)[3])f1);
    }
    for (int c = 0; c < 21; c++) { /* single components, and pairs of them */
        int first = 0, second = 0;
        for (int n = 0; n < c; n++)
            if (++first > second)
                first = 0, second++;
        double strain[3][3] = {{0}}, df[3][3], green[2][3][3], along = 0, expected = 0;
        calculix_answer side[2];
        for (int one = 0; one < 2; one++) {
            const int *at = pair[one ? second : first];
            strain[at[0]][at[1]] = strain[at[1]][at[0]] = 1;
        }
        times((const double(*)[3])inverse_transposed, (const double(*)[3])strain, df);
        for (int s = 0; s < 2; s++) {
            double f[3][3];
            for (int k = 0; k < 9; k++)
                f[k / 3][k % 3] = f1[k / 3][k % 3] + (s ? h : -h) * df[k / 3][k % 3];
            side[s] = call_calculix("SMOOTH", 3, 10, (const double(*)[3])start.f[0], (const double(*)[3])f,
                                    start.state, after);
            green_of((const double(*)[3])f, green[s]);
        }
        for (int i = 0; i < 6; i++) {
            const double weight = i < 3 ? 1 : 2, own = strain[pair[i][0]][pair[i][1]];
            along += weight * own * (side[1].stre[i] - side[0].stre[i]) / (2 * h);
            for (int j = 0; j < 6; j++) {
                const int low = i < j ? i : j, high = i < j ? j : i;
                const double de =
                    (green[1][pair[j][0]][pair[j][1]] - green[0][pair[j][0]][pair[j][1]]) / (2 * h);
                expected += weight * own * a.stiff[high * (high + 1) / 2 + low] * (j < 3 ? 1 : 2) * de;
            }
        }
        CHECK_CLOSE(along, expected, 16 * slope_error); /* sums of up to 16 components */
    }
}

static void stress_alone_leaves_the_stiffness(void **state)
{
    (void)state;
    double f1[3][3], before[NUMBERS] = {0}, after[NUMBERS];
    next_gradient(0, unit, f1);
    calculix_answer untouched;
    memset(&untouched, 7, sizeof untouched);
    const calculix_answer a = call_calculix("POINT", 3, 10, unit, (const double(*)[3])f1, before, after);
    assert_memory_equal(a.stiff, untouched.stiff, sizeof a.stiff);
    assert_memory_not_equal(a.stre, untouched.stre, sizeof a.stre);
}

/* An increment's first call has a stiffness whatever it is of, as of a step at rest; but not without time. */
static void first_calls_have_a_stiffness(void **state)
{
    (void)state;
    const double too_far[3][3] = {{1.3, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double f1[3][3], before[NUMBERS] = {0}, after[NUMBERS], rest[NUMBERS];
    const calculix_answer a = call_calculix_at("POINT", 0, 1, 10, unit, too_far, before, after),
                          b = call_calculix("POINT", 0, 10, unit, unit, before, rest);
    assert_memory_equal(&a, &b, sizeof a);
    assert_memory_equal(after, rest, sizeof rest);
    assert_true(a.pnewdt == -1 && a.stiff[0] > 100e9);
    CHECK_CLOSE(call_calculix_at("POINT", 0, 1, 0, unit, unit, before, after).pnewdt, 0.5, 0);
    next_gradient(0, unit, f1); /* what can be made is */
    const calculix_answer c = call_calculix_at("POINT", 0, 1, 10, unit, (const double(*)[3])f1, before,
                                               after),
                          d = call_calculix("POINT", 0, 10, unit, (const double(*)[3])f1, before, rest);
    assert_memory_equal(&c, &d, sizeof c);
}

/* ---- Failures ---- */

static void failed_steps_ask_for_smaller_ones(void **state)
{
    (void)state;
    abaqus_answer untouched;
    calculix_answer others;
    memset(&untouched, 7, sizeof untouched);
    memset(&others, 7, sizeof others);
    for (int c = 0; c < 8; c++) {
        double f1[3][3], statev[NUMBERS] = {0}, before[NUMBERS], after[NUMBERS], nothing[NUMBERS] = {0};
        if (c >= 4) /* one that has begun, too */
            CHECK_OK(sw_point_begin(model, 0, statev));
        memcpy(before, statev, sizeof before);
        next_gradient(0, unit, f1);
        if (c % 4 == 0)
            f1[0][0] = NAN;
        if (c % 4 == 1)
            f1[0][0] = 1.3;
        if (c % 4 == 2)
            f1[2][2] = -0.1;
        const double dt = c % 4 == 3 ? 0 : 10;
        const abaqus_answer a = call_abaqus("POINT", 1, 3, dt, unit, (const double(*)[3])f1, NUMBERS, statev);
        CHECK_CLOSE(a.pnewdt, 0.5, 0);
        assert_memory_equal(statev, before, sizeof before);
        assert_memory_equal(a.stress, untouched.stress, sizeof a.stress);
        assert_memory_equal(a.ddsdde, untouched.ddsdde, sizeof a.ddsdde);
        const calculix_answer b = call_calculix("POINT", 0, dt, unit, (const double(*)[3])f1, before, after);
        CHECK_CLOSE(b.pnewdt, 0.5, 0);
        assert_memory_equal(after, nothing, sizeof after);
        assert_memory_equal(b.stre, others.stre, sizeof b.stre);
        assert_memory_equal(b.stiff, others.stiff, sizeof b.stiff);
    }
}

/* What no smaller step helps ends the program, with a line: in a child. */
static void hopeless_calls_end_the_program(void **state)
{
    (void)state;
    static const struct {
        const char *material;
        int ndi, numbers, iorien;
        double beta;
        const char *message;
    } cases[] = {{"ABSENT", 3, NUMBERS, 0, 0, "absent.yaml"},
                 {"  ", 3, NUMBERS, 0, 0, "need a name"},
                 {"POINT", 3, NUMBERS - 1, 0, 0, "*DEPVAR = 543: need at least 544"},
                 {"POINT", 2, NUMBERS, 0, 0, "NDI = 2"},
                 {"POINT", 3, NUMBERS, 1, 0, "*ORIENTATION"},
                 {"POINT", 3, NUMBERS, 0, 1e6, "TYPE=STRESS"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int pipes[2], status;
        char said[512] = "";
        assert_int_equal(pipe(pipes), 0);
        const pid_t child = fork();
        if (child == 0) {
            static double state_of[NUMBERS];
            char name[80];
            double f[9], out[36], dt = 1, pnewdt = 1, beta[6] = {cases[i].beta};
            const int three = 3, six = 6, one = 1;
            dup2(pipes[1], STDERR_FILENO);
            name_of(cases[i].material, name);
            to_columns(unit, f);
            if (cases[i].iorien > 0 || cases[i].beta != 0)
                umat_user_(name, &one, &one, &one, out, out, out, beta, f, &dt, f, &dt, &one, &dt, &dt, &dt,
                           &dt, &one, &one, &one, &cases[i].numbers, state_of, state_of, out, out,
                           &cases[i].iorien, out, out, &pnewdt, &one, 80);
            else
                umat_(out, state_of, out, out, out, out, out, out, out, out, out, out, out, &dt, out, out,
                      out, out, name, &cases[i].ndi, &three, &six, &cases[i].numbers, out, &one, out, out,
                      &pnewdt, out, f, f, &one, &one, &one, &one, &one, &one, 80);
            _exit(0);
        }
        close(pipes[1]);
        const ssize_t got = read(pipes[0], said, sizeof said - 1);
        close(pipes[0]);
        assert_true(got > 0 && waitpid(child, &status, 0) == child);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
        if (strstr(said, cases[i].message) == NULL || strncmp(said, "slipwave: ", 10) != 0)
            fail_msg("no '%s' in '%s'", cases[i].message, said);
    }
}

/* ---- Threads, and points of their own ---- */

typedef struct {
    int element;
    const char *material;
    double statev[NUMBERS];
    abaqus_answer answer;
} worker;

static void *work(void *its)
{
    worker *w = its;
    double f[2][3][3];
    memcpy(f[0], unit, sizeof unit);
    for (int k = 0; k < 6; k++) {
        next_gradient(k + w->element, (const double(*)[3])f[k % 2], f[(k + 1) % 2]);
        w->answer = call_abaqus(w->material, w->element, 3, 10, (const double(*)[3])f[k % 2],
                                (const double(*)[3])f[(k + 1) % 2], NUMBERS, w->statev);
    }
    return NULL;
}

/* The material's first calls come at once, too: nobody called it OWN before. */
static void threads_are_alone(void **state)
{
    (void)state;
    static worker shared[P], alone[P];
    pthread_t thread[P];
    for (int p = 0; p < P; p++) {
        shared[p] = (worker){.element = p + 1, .material = "OWN"};
        assert_int_equal(pthread_create(&thread[p], NULL, work, &shared[p]), 0);
    }
    for (int p = 0; p < P; p++)
        assert_int_equal(pthread_join(thread[p], NULL), 0);
    for (int p = 0; p < P; p++) {
        alone[p] = (worker){.element = p + 1, .material = "OWN"};
        work(&alone[p]);
        assert_true(alone[p].answer.pnewdt == 1);
        assert_memory_equal(shared[p].statev, alone[p].statev, sizeof alone[p].statev);
        assert_memory_equal(&shared[p].answer, &alone[p].answer, sizeof alone[p].answer);
    }
    worker same = {.element = 1, .material = "POINT"}, others = {.element = 2, .material = "POINT"};
    double f1[3][3];
    next_gradient(0, unit, f1);
    call_abaqus("POINT", 1, 3, 10, unit, (const double(*)[3])f1, NUMBERS, same.statev);
    call_abaqus("POINT", 2, 3, 10, unit, (const double(*)[3])f1, NUMBERS, others.statev);
    assert_memory_equal(same.statev, others.statev, sizeof same.statev);
    worker first = {.element = 1}, second = {.element = 2};
    call_abaqus("OWN", 1, 3, 10, unit, (const double(*)[3])f1, NUMBERS, first.statev);
    call_abaqus("OWN", 2, 3, 10, unit, (const double(*)[3])f1, NUMBERS, second.statev);
    assert_memory_not_equal(first.statev, second.statev, sizeof first.statev);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(abaqus_calls_are_the_point),
        cmocka_unit_test(shears_are_engineers),
        cmocka_unit_test(plane_strain_has_four),
        cmocka_unit_test(ddsdde_is_a_difference),
        cmocka_unit_test(calculix_stress_is_pulled_back),
        cmocka_unit_test(stiff_is_a_difference),
        cmocka_unit_test(stress_alone_leaves_the_stiffness),
        cmocka_unit_test(first_calls_have_a_stiffness),
        cmocka_unit_test(failed_steps_ask_for_smaller_ones),
        cmocka_unit_test(hopeless_calls_end_the_program),
        cmocka_unit_test(threads_are_alone),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
