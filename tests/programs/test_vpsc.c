/* `slipwave vpsc`: small inputs of VPSC8 against VPSC8's own outputs. */
#include "vpsc_runs.h"

#include "common/math/rotation.h"
#include "common/math/tensor.h"

/* Where in a text the first row is that looks like this one: as long, its first number the same. */
static const char *find_row(const char *text, int n, const double *number)
{
    double found[COLUMNS];
    for (; *text != 0; text = next_line(text))
        if (parse_line(text, found) == n && found[0] == number[0])
            return text;
    return NULL;
}

/* The size that differences of a column are measured by: the largest number of its kind in all rows. */
static double size_of(const char *rows, const char *file, int column)
{
    int first = column, last = column;
    if (strcmp(file, "STR_STR.OUT") == 0 && column >= 2 && column < 14) {
        first = column < 8 ? 2 : 8; /* six of strain, six of stress */
        last = first + 5;
    }
    double most = 1e-30, number[COLUMNS];
    for (; *rows != 0; rows = next_line(rows)) {
        const int n = parse_line(rows, number);
        for (int c = first; c <= last && c < n; c++)
            most = greatest(most, fabs(number[c]));
    }
    return most;
}

/* How far a number may be from VPSC8's: 1e-4 of the largest of its kind, or two digits of what is printed; iterations not at
 * all, and the errors beside them, which are small differences of large numbers, 2 %. */
static double allowed(const vpsc_rows *reference, int column)
{
    const double size = size_of(reference->rows, reference->file, column);
    if (strcmp(reference->file, "RERR.OUT") == 0)
        return column == 0 ? 0 : 0.02 * size;
    if (strncmp(reference->file, "TEX", 3) == 0 || strncmp(reference->file, "MOR", 3) == 0)
        return 0.0201;
    if (strncmp(reference->file, "ACT", 3) == 0)
        return 2.01e-4;
    return strncmp(reference->file, "LANK", 4) == 0 ? 1e-3 * size : 1e-4 * size;
}

/* Rows of a reference stand in a file one after the other, from the first that looks like the first on. */
static void check_rows(const vpsc_rows *reference)
{
    size_t size;
    char *text = read_bytes(reference->file, &size);
    double number[COLUMNS], found[COLUMNS];
    const char *at = text;
    for (const char *row = reference->rows; *row != 0; row = next_line(row)) {
        const int n = parse_line(row, number);
        assert_true(n > 0);
        at = find_row(at, n, number);
        if (at == NULL)
            fail_msg("%s of %s: no row that begins with %g", reference->file, reference->input, number[0]);
        parse_line(at, found);
        for (int c = 0; c < n; c++)
            if (!(fabs(found[c] - number[c]) <= allowed(reference, c)))
                fail_msg("%s of %s, row of %g, column %d: %g: need %g within %g", reference->file,
                         reference->input, number[0], c + 1, found[c], number[c], allowed(reference, c));
        at = next_line(at);
    }
    free(text);
}

static void check_input(const char *name)
{
    int checked = 0;
    run_input(name);
    for (size_t i = 0; i < sizeof vpsc_outputs / sizeof *vpsc_outputs; i++)
        if (strcmp(vpsc_outputs[i].input, name) == 0) {
            check_rows(&vpsc_outputs[i]);
            checked++;
        }
    assert_true(checked > 0);
}

/* ---- Against VPSC8 ---- */

/* Rolling at a rising temperature, affine; the yield surface and Lankford's tensions afterwards. */
static void rolled(void **state)
{
    (void)state;
    check_input("rolled");
}

/* Turned by a matrix of three digits, which leaves crystals' axes not quite of length 1 and at right angles. */
static void askew(void **state)
{
    (void)state;
    check_input("askew");
}

/* Tension with free sides, neff 10, shapes followed and soon kept; turned by a quarter, and pulled again. */
static void pulled(void **state)
{
    (void)state;
    check_input("pulled");
}

static void full_constraints(void **state)
{
    (void)state;
    check_input("taylor");
}

/* Under a stress: times are given, and rates come out. */
static void creep(void **state)
{
    (void)state;
    check_input("tangent");
}

/* A history of L, in axes that turn with the ellipsoid; secant. */
static void history(void **state)
{
    (void)state;
    check_input("history");
}

/* Numbers of a file of rows, in its order. */
static int read_numbers(const char *file, double *number, int most)
{
    size_t size;
    int n = 0;
    double row[COLUMNS];
    char *text = read_bytes(file, &size);
    for (const char *line = text; *line != 0; line = next_line(line)) {
        const int columns = parse_line(line, row);
        for (int c = 0; c < columns && n < most; c++)
            number[n++] = row[c];
    }
    free(text);
    return n;
}

/* Not as VPSC8, L and grains stay in the sample's axes: a history is the load of the same L, whose rows are as many; by an L whose
 * longest axis is the last and turns. Orientations to what is printed of them. */
static void history_of_a_load(void **state)
{
    (void)state;
    enum { MOST = 512 };
    double load[MOST], history[MOST], load_texture[MOST], texture[MOST];
    result r;
    write_text("tilted", "2 5 0.02 298. 298.\n*\n1 1 1\n1 1 1\n1 1 1\n\n-.5 0 1\n0 -.5 0\n0 0 1\n\n0 0 0\n"
                         "0 0\n0\n\n0 0 0\n0 0\n0\n");
    write_text("history", "3\n*\n1 -.5 0 1 0 -.5 0 0 0 1 .04\n2 -.5 0 1 0 -.5 0 0 0 1 .04\n"
                          "3 -.5 0 1 0 -.5 0 0 0 1 .04\n");
    write_edited("VPSC8.in", input_text("history"), "1\nhistory", "0\ntilted");
    run("slipwave vpsc VPSC8.in -q -j 1 --compatible no", &r);
    assert_int_equal(r.status, 0);
    const int n = read_numbers("STR_STR.OUT", load, MOST),
              m = read_numbers("TEX_PH1.OUT", load_texture, MOST);
    assert_true(n > 3 * 14 && n < MOST && m >= 8 * 4 && m < MOST);
    write_text("VPSC8.in", input_text("history"));
    run("slipwave vpsc VPSC8.in -q -j 1 --compatible no", &r);
    if (r.status != 0 || *r.err != 0)
        fail_msg("exit status %d, stderr '%s'", r.status, r.err);
    assert_int_equal(read_numbers("STR_STR.OUT", history, MOST), n);
    assert_int_equal(read_numbers("TEX_PH1.OUT", texture, MOST), m);
    for (int k = 0; k < 3; k++)
        for (int c = 1; c < 14; c++)
            CHECK_CLOSE(history[k * (n / 3) + c], load[k * (n / 3) + c], 2e-5 * load[k * (n / 3) + 1]);
    for (int k = 0; k < m; k++)
        CHECK_CLOSE(texture[k], load_texture[k], 0.0201);
    write_files();
}

/* Twins that turn grains, by the largest fraction, and a second time. */
static void twins(void **state)
{
    (void)state;
    check_input("twins");
}

/* By VPSC8's numbers, which are drawn once; relative directional compliances; no rate sensitivity. */
static void drawn(void **state)
{
    (void)state;
    check_input("drawn");
}

/* Two phases whose grains have ellipsoids of their own, affine: M is not symmetric, and M~ that follows from it. */
static void shapes(void **state)
{
    (void)state;
    check_input("shapes");
}

/* Those of the second phase have their phase's, by which they turn; neff 10. */
static void mixed_shapes(void **state)
{
    (void)state;
    check_input("mixed");
}

/* Twins that are grains of a second phase, which is empty to begin with, and take volume from their parents. */
static void transfer(void **state)
{
    (void)state;
    check_input("transfer");
}

/* Without VPSC8's order: grains that twins turn have a first guess of their own, and all steps converge. VPSC8: 225.33, 229.41. */
static void transfer_of_ours(void **state)
{
    (void)state;
    result r;
    size_t size;
    write_text("VPSC8.in", input_text("transfer"));
    run("slipwave vpsc VPSC8.in --compatible no -j 1", &r);
    assert_int_equal(r.status, 0);
    assert_null(strstr(r.out, "did not converge"));
    char *text = read_bytes("STR_STR.OUT", &size);
    double number[COLUMNS];
    const char *row = next_line(next_line(text));
    assert_true(parse_line(row, number) > 14);
    CHECK_CLOSE(number[1], 225.33, 2);
    assert_true(parse_line(next_line(row), number) > 14);
    CHECK_CLOSE(number[1], 229.41, 6);
    free(text);
}

static void densities(void **state)
{
    (void)state;
    check_input("densities");
}

/* Rolled, and back: dislocations that reverse. */
static void reversed(void **state)
{
    (void)state;
    check_input("reversed");
}

/* Elastic: stresses are given, and heat strains. */
static void cooled(void **state)
{
    (void)state;
    check_input("cooled");
}

/* ---- Elastic moduli ---- */

/* The 60 rotations of the icosahedron, which make every tensor of fourth order isotropic, as a texture: all products of a fifth of a turn
 * about (0, 1, (1 + sqrt 5)/2) and a third about (1, 1, 1). */
static void write_icosahedron(void)
{
    double g[60][3][3] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, by[2][3][3];
    const double golden = (1 + sqrt(5)) / 2, length = sqrt(1 + golden * golden), fifth = 0.4 * SW_PI,
                 third = 2 * SW_PI / 3 / sqrt(3);
    const double spin[2][3] = {{-fifth * golden / length, fifth / length, 0}, {-third, third, -third}};
    for (int k = 0; k < 2; k++)
        sw_rotation_from_spin(spin[k], by[k]);
    int n = 1;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2; k++) {
            double next[3][3], least = 9;
            sw_multiply(by[k], g[i], next);
            for (int j = 0; j < n; j++) {
                double off = 0;
                for (int c = 0; c < 9; c++)
                    off = greatest(off, fabs(next[c / 3][c % 3] - g[j][c / 3][c % 3]));
                least = fmin(least, off);
            }
            if (least > 1e-6) {
                assert_true(n < 60);
                memcpy(g[n++], next, sizeof next);
            }
        }
    assert_int_equal(n, 60);
    FILE *file = fopen("ico.tex", "w");
    assert_non_null(file);
    fprintf(file, "\n\n\nB 60\n");
    for (int i = 0; i < n; i++) {
        double euler[3];
        sw_euler_from_rotation(g[i], euler);
        for (int k = 0; k < 3; k++)
            fprintf(file, "%.8f ", euler[k] * 180 / SW_PI);
        fprintf(file, "1\n");
    }
    fclose(file);
}

/* Bulk and shear modulus of so oriented crystals with these C11 C12 C13 C33 C44, by the elastic scheme. */
static void elastic_moduli(const char *crystal, const double c[5], double *bulk, double *shear)
{
    char text[8192], rows[512];
    double number[COLUMNS] = {0};
    size_t size;
    const char *old = NULL;
    for (size_t i = 0; i < sizeof vpsc_files / sizeof *vpsc_files; i++)
        if (strcmp(vpsc_files[i].name, crystal) == 0)
            old = vpsc_files[i].text;
    const char *at = next_line(strstr(old, "*Elastic")), *rest = strstr(old, "*Thermal");
    snprintf(rows, sizeof rows,
             "%g %g %g 0 0 0\n%g %g %g 0 0 0\n%g %g %g 0 0 0\n3*0. %g 0. 0.\n4*0. %g 0.\n5*0. %g\n", c[0],
             c[1], c[2], c[1], c[0], c[2], c[2], c[2], c[3], c[4], c[4],
             strcmp(crystal, "fcc.sx") == 0 ? c[4] : 0.5 * (c[0] - c[1]));
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - old), old, rows, rest);
    write_text(crystal, text);
    write_edited("VPSC8.in", input_text("cooled"), "few.tex\n*\nhcp.sx",
                 strcmp(crystal, "fcc.sx") == 0 ? "ico.tex\n*\nfcc.sx" : "ico.tex\n*\nhcp.sx");
    result r;
    run("slipwave vpsc VPSC8.in -q -j 1", &r);
    if (r.status != 0)
        fail_msg("%s", r.err);
    char *out = read_bytes("EL-TH-MODULI.OUT", &size);
    assert_true(parse_line(next_line(out), number) >= 10);
    free(out);
    *shear = (number[7] + number[8] + number[9]) / 3;
    *bulk = (number[1] + number[2] + number[3] + 2 * (number[4] + number[5] + number[6])) / 9;
    for (int k = 0; k < 3; k++) { /* isotropic, as far as a hundred directions are */
        CHECK_CLOSE(number[1 + k], *bulk + 4 * *shear / 3, 5e-4 * *bulk);
        CHECK_CLOSE(number[7 + k], *shear, 1e-3 * *shear);
    }
    write_files();
}

/* Cubic crystals' shear modulus solves Kroner's equation (Z. Physik 151 (1958) 504): with G of the medium and what a sphere strains in it,
 * 2/5 of (C11 - C12)/2 and 3/5 of C44 are off it by nothing. */
static double kroner(double half, double c44, double k)
{
    double low = fmin(half, c44), high = greatest(half, c44);
    for (int i = 0; i < 60; i++) {
        const double g = 0.5 * (low + high), sphere = 6 * (k + 2 * g) / (5 * (3 * k + 4 * g));
        const double off =
            0.4 * (half - g) / (1 + sphere * (half / g - 1)) + 0.6 * (c44 - g) / (1 + sphere * (c44 / g - 1));
        *(off > 0 ? &low : &high) = g;
    }
    return 0.5 * (low + high);
}

/* Copper is Kroner's; zirconium is between Reuss's and Voigt's bounds, and its scheme nearly in their middle. Four digits are printed: of a bulk modulus to 0.05, and shear moduli to 0.005. */
static void elastic_polycrystals(void **state)
{
    (void)state;
    const double copper[5] = {168.7, 121.7, 121.7, 168.7, 75},
                 zirconium[5] = {143.5, 72.5, 65.4, 164.9, 32.1};
    double k, g;
    write_icosahedron();
    elastic_moduli("fcc.sx", copper, &k, &g);
    CHECK_CLOSE(k, (168.7 + 2 * 121.7) / 3, 0.06);
    CHECK_CLOSE(g, kroner(0.5 * (168.7 - 121.7), 75, k), 5e-4 * g);
    elastic_moduli("hcp.sx", zirconium, &k, &g);
    const double c66 = 0.5 * (143.5 - 72.5), sum = 143.5 + 72.5 + 2 * 164.9 - 4 * 65.4,
                 square = (143.5 + 72.5) * 164.9 - 2 * 65.4 * 65.4,
                 k_voigt = (2 * (143.5 + 72.5) + 164.9 + 4 * 65.4) / 9,
                 g_voigt = (sum + 12 * 32.1 + 12 * c66) / 30, k_reuss = square / sum,
                 g_reuss = 2.5 * square * 32.1 * c66 / (3 * k_voigt * 32.1 * c66 + square * (32.1 + c66));
    print_message("bulk %.4f in [%.4f, %.4f], shear %.4f in [%.4f, %.4f]\n", k, k_reuss, k_voigt, g, g_reuss,
                  g_voigt);
    assert_true(k_reuss - 0.05 <= k && k <= k_voigt + 0.05);
    assert_true(g_reuss < g && g < g_voigt);
    CHECK_CLOSE(g, 0.5 * (g_reuss + g_voigt), 0.2 * (g_voigt - g_reuss));
}

/* The means of axes in MOR_PH1.OUT are those of the last row of STAT_AXES_PH1.OUT, as in VPSC8. */
static void counted_axes(void **state)
{
    (void)state;
    size_t size;
    double row[COLUMNS], mean[3];
    run_input("pulled");
    char *counted = read_bytes("STAT_AXES_PH1.OUT", &size), *shapes = read_bytes("MOR_PH1.OUT", &size);
    const char *at = strstr(shapes, "<-- AXES OF PHASE"), *last = counted;
    for (const char *line = counted; *line != 0; line = next_line(line))
        if (parse_line(line, row) == 8 && row[0] == 0.04)
            last = line;
    assert_int_equal(parse_line(last, row), 8);
    at = next_line(
        next_line(at)); /* the last step of the first load has been taken; its state was counted before */
    assert_int_equal(sscanf(at, "%lf %lf %lf", mean, mean + 1, mean + 2), 3);
    for (int i = 0; i < 3; i++)
        CHECK_CLOSE(mean[i], row[2 + i], 1e-9);
    free(counted);
    free(shapes);
}

/* Windows' line ends, an end-of-file mark, names in another case, behind a folder, with backslashes. */
static void as_from_windows(void **state)
{
    (void)state;
    static char dos[1 << 14], renamed[1 << 13];
    const char *text = input_text("taylor");
    size_t n = 0;
    assert_int_equal(mkdir("Deck", 0777), 0);
    write_text("Deck/Metal.SX", vpsc_files[2].text);
    snprintf(renamed, sizeof renamed, "%s", text);
    char *at = strstr(renamed, "fcc.sx\n");
    assert_non_null(at);
    memmove(at + strlen("DECK\\metal.sx\n"), at + 7, strlen(at + 7) + 1);
    memcpy(at, "DECK\\metal.sx\n", strlen("DECK\\metal.sx\n"));
    for (const char *c = renamed; *c != 0; c++) {
        if (*c == '\n')
            dos[n++] = '\r';
        dos[n++] = *c;
    }
    dos[n++] = 0x1A;
    result r;
    write_bytes("VPSC8.in", dos, n);
    run("slipwave vpsc VPSC8.in -q -j 1", &r);
    if (r.status != 0)
        fail_msg("exit status %d, stderr '%s'", r.status, r.err);
    for (size_t i = 0; i < sizeof vpsc_outputs / sizeof *vpsc_outputs; i++)
        if (strcmp(vpsc_outputs[i].input, "taylor") == 0)
            check_rows(&vpsc_outputs[i]);
    unlink("Deck/Metal.SX");
    assert_int_equal(rmdir("Deck"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rolled),
        cmocka_unit_test(pulled),
        cmocka_unit_test(askew),
        cmocka_unit_test(full_constraints),
        cmocka_unit_test(creep),
        cmocka_unit_test(history),
        cmocka_unit_test(history_of_a_load),
        cmocka_unit_test(twins),
        cmocka_unit_test(drawn),
        cmocka_unit_test(transfer),
        cmocka_unit_test(transfer_of_ours),
        cmocka_unit_test(elastic_polycrystals),
        cmocka_unit_test(shapes),
        cmocka_unit_test(mixed_shapes),
        cmocka_unit_test(densities),
        cmocka_unit_test(reversed),
        cmocka_unit_test(cooled),
        cmocka_unit_test(counted_axes),
        cmocka_unit_test(as_from_windows),
    };
    return cmocka_run_group_tests(tests, setup, remove_folder);
}
