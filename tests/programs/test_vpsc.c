/* `slipwave vpsc`: small inputs of VPSC8 against VPSC8's own outputs, and inputs that it refuses. */
#include "programs.h"

#include "vpsc_reference.h"

enum { COLUMNS = 40 };

static const char *input_text(const char *name)
{
    for (size_t i = 0; i < sizeof vpsc_inputs / sizeof *vpsc_inputs; i++)
        if (strcmp(vpsc_inputs[i].name, name) == 0)
            return vpsc_inputs[i].text;
    fail_msg("no input %s", name);
    return NULL;
}

static void write_files(void)
{
    for (size_t i = 0; i < sizeof vpsc_files / sizeof *vpsc_files; i++)
        write_text(vpsc_files[i].name, vpsc_files[i].text);
}

static int setup(void **state)
{
    (void)state;
    if (enter_folder() != 0)
        return 1;
    write_files();
    return 0;
}

static void run_input(const char *name)
{
    result r;
    write_text("VPSC8.in", input_text(name));
    run("slipwave vpsc VPSC8.in -q -j 1", &r);
    if (r.status != 0)
        fail_msg("%s: exit status %d, stderr '%s'", name, r.status, r.err);
}

/* ---- Tables ---- */

/* The numbers of a line; 0: it has others, or none. */
static int parse_line(const char *line, double number[COLUMNS])
{
    int n = 0;
    for (;;) {
        char *end;
        line += strspn(line, " \t\r");
        if (*line == '\n' || *line == 0)
            return n;
        assert_true(n < COLUMNS);
        number[n++] = strtod(line, &end);
        if (end == line || strchr(" \t\r\n", *end) == NULL)
            return 0;
        line = end;
    }
}

static const char *next_line(const char *text)
{
    const char *end = strchr(text, '\n');
    return end == NULL ? text + strlen(text) : end + 1;
}

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

/* ---- Reading ---- */

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

static void refuse(const char *message)
{
    result r;
    run("slipwave vpsc VPSC8.in -q", &r);
    if (r.status != 1 || strstr(r.err, message) == NULL)
        fail_msg("need '%s': exit status %d, stderr '%s'", message, r.status, r.err);
    assert_int_not_equal(access("STR_STR.OUT", F_OK), 0);
}

static void edit_file(const char *name, const char *old, const char *new)
{
    for (size_t i = 0; i < sizeof vpsc_files / sizeof *vpsc_files; i++)
        if (strcmp(vpsc_files[i].name, name) == 0)
            write_edited(name, vpsc_files[i].text, old, new);
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *file; /* NULL: VPSC8.in of "rolled" */
        const char *old, *new, *message;
    } edits[] = {
        {NULL, "1 10\n1 1 1", "1   interaction\n1 1 1", "VPSC8.in:27: \"interaction\": need neff"},
        {NULL, "fcc.sx", "bcc.sx", "VPSC8.in:11: \"bcc.sx\": no such file"},
        {NULL, "0 0 25", "0 0 x", "VPSC8.in:5: \"x\": need the critical ratio"},
        {NULL, "1  iregime", "2  iregime", "VPSC8.in:1: iregime = 2: need 1"},
        {NULL, "1 10\n", "7 10\n", "interaction = 7"},
        {NULL, "2\n1 2\n", "2\n2 2\n", "section 2 2: need two different components"},
        {NULL, "3\n45\n", "5\n45\n", "ivgvar = 5"},
        {NULL, "3\n45\n", "3\n1e-9\n", "VPSC8.in:39: angle 1e-09: need 0.01 to 90 degrees"},
        {NULL, "3\n45\n", "3\n45.0000000000000000000000000000000000000000000000000000000000000\n",
         "VPSC8.in:39: \"45.0000000000000...\": need the angle between directions of tension"},
        {"fcc.sx", "CUBIC", "Cubic", "fcc.sx:2: \"Cubic"},
        {"fcc.sx", "1 1 1   0 1 -1", "1 1 1   0 1 1", "fcc.sx:19: the direction is not in the plane"},
        {"fcc.sx", " 0  Voce", " 31  Voce",
         "ihardlaw = 31: growth and creep under irradiation are not taken"},
        {"fcc.sx", "1 12 1 0", "2 12 1 0", "modex = 2: need 1"},
        {"fcc.sx", "1.0, 0.5", "0.0, 0.5", "tau0 = 0"},
        {"grains.tex", "B 8", "C 8", "grains.tex:4: \"C 8"},
        {"grains.tex", "B 8", "B 9", "and the file ends"},
        {"roll", "2 3 0.05", "2 7 0.05", "roll:1: ictrl = 7"},
        {"roll", "1 1 1\n1 1 1\n1 1 1", "1 1 1\n1 0 1\n1 1 1", "two of 11, 22, 33 of L are given"},
        {"roll", "0. 0. -1.", "0. 0. -0.5", "the trace of L is 0.5: need 0"},
        {NULL, "1 10\n1 1 1", "1\n1 1 1", "VPSC8.in:27: need neff behind it"},
        {NULL, "1 10\n1 1 1", "1\n10\n1 1 1", "VPSC8.in:27: need neff behind it"},
        {NULL, "0 0 25", "0 2 25", "VPSC8.in:5: ifrag = 2: need 0 or 1"},
        {NULL, "*\n0\ndummy\n*", "*\n2\ndummy\n*", "VPSC8.in:15: idiff = 2: need 0 or 1"},
        {NULL, "0 2 10 2", "2 2 10 2", "VPSC8.in:20: irsvar = 2: need 0 or 1"},
        {NULL, "10\n1 1 1", "10\n2 1 1", "VPSC8.in:28: iupdori = 2: need 0 or 1"},
        {NULL, "10\n1 1 1", "10\n1 -1 1", "VPSC8.in:28: iupdshp = -1: need 0 or 1"},
        {NULL, "10\n1 1 1", "10\n1 1 3", "VPSC8.in:28: iupdhar = 3: need 0 or 1"},
        {NULL, "10\n1 1 1", "10\n0 1 1", "iupdshp = 1 with iupdori = 0"},
        {NULL, "*\n0\n0\n0\n1\n*", "*\n2\n0\n0\n1\n*", "VPSC8.in:22: irecover = 2: need 0 or 1"},
        {NULL, "*\n0\n0\n0\n1\n*", "*\n0\n-2\n0\n1\n*", "VPSC8.in:23: isave = -2: need a step, or 0"},
        {NULL, "*\n0\n0\n0\n1\n*", "*\n0\n0\n2\n1\n*", "VPSC8.in:24: icubcomp = 2: need 0 or 1"},
        {NULL, "1 1 1\n0\n0\n*", "1 1 1\n0\n2\n*", "VPSC8.in:30: iflu = 2: need 0 or 1"},
        {NULL, "1\n1.0\n", "2\n0. 1.\n", "VPSC8.in:3: wph = 0 of phase 1, and phase 2 has 1"},
        {"fcc.sx", " 1  iratesens", " 2  iratesens", "fcc.sx:33: iratesens = 2: need 0 or 1"},
        {"fcc.sx", "1 12 1 0", "1 12 2 0", "fcc.sx:18: isensex = 2: need 0 or 1"},
        {"fcc.sx", " 168.7  121.7  121.7  0", " 168.7  100.7  121.7  0", "fcc.sx:10: elastic constants C, "},
        {"fcc.sx", " 168.7  121.7  121.7  0", " -168.7  121.7  121.7  0", "C11 = -168.7, leave -168.7"},
        {"fcc.sx", " 168.7  121.7  121.7  0", " 68.7  121.7  121.7  0", "are not positive definite: row and"},
        {"fcc.sx", " 3*0. 75. 0. 0.", " 3*0. 0. 0. 0.", "C44 = 0, leave 0"},
        {"fcc.sx", "1 1 1   0 1 -1", "0 0 0   0 1 -1", "fcc.sx:19: the plane is 0 in all indices"},
        {"fcc.sx", "1 1 1   0 1 -1", "1 1 1   0 0 0", "fcc.sx:19: the direction is 0 in all indices"},
        {"grains.tex", "44.24   61.08  106.27  1.44", "44.24   61.08  106.27",
         "grains.tex:5: need a grain's weight"},
        {"roll", "1. 0. 0.\n0. 0. 0.\n0. 0. -1.", "0. 0. 0.\n0. 0. 0.\n0. 0. 0.", "roll:17: "},
        {"roll",
         "2 3 0.05 298. 400.  nsteps ictrl eqincr temp\n*\n1 1 1\n1 1 1\n1 1 1\n\n1. 0. 0.\n0. 0. 0.\n0. 0. "
         "-1.",
         "2 0 0.05 298. 400.\n*\n1 1 1\n1 1 1\n1 1 1\n\n0. 1. 0.\n-1. 0. 0.\n0. 0. 0.",
         "roll:17: iudot and L: the strain rates given are 0"},
        {"roll", "2 3 0.05", "2 3 1.5", "roll:17: eqincr is a strain of 1.5 in one step"},
        {"roll", "0 0 0\n  0 0\n    0\n", "1 0 0\n  0 0\n    0\n",
         "of component 11 strain rate and stress are given"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        write_files();
        unlink("STR_STR.OUT");
        if (edits[i].file == NULL)
            write_edited("VPSC8.in", input_text("rolled"), edits[i].old, edits[i].new);
        else {
            write_text("VPSC8.in", input_text("rolled"));
            edit_file(edits[i].file, edits[i].old, edits[i].new);
        }
        refuse(edits[i].message);
    }
    write_files();
}

/* Histories of a spin alone, or of steps too large; stresses that are a pressure, or too large. */
static void refused_rates(void **state)
{
    (void)state;
    static const struct {
        const char *input, *file, *old, *new, *message;
    } edits[] = {
        {"history", "history", "1 1. 0. 0. 0. 0. 0. 0.2 0. -1. 0.05", "1 0. 1. 0. -1. 0. 0. 0. 0. 0. 0.05",
         "history:3: step 1: L has no strain rate"},
        {"history", "history", "-1. 0.05\n2", "-1. 5.\n2", "history:3: tincr times L is a strain of 7."},
        {"tangent", "creep", "0. 0. 0.\n   0. 0.\n      2.7", "2. 0. 0.\n   2. 0.\n      2.",
         "creep:17: iudot and L: the strain rates given are 0"},
        {"tangent", "creep", "      2.7", "      9.", "VPSC8.in:34: process, step 1: "},
        {"tangent", "creep", "      2.7", "      1e30", "VPSC8.in:34: process, step 1: "},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        write_files();
        unlink("STR_STR.OUT");
        write_text("VPSC8.in", input_text(edits[i].input));
        edit_file(edits[i].file, edits[i].old, edits[i].new);
        refuse(edits[i].message);
    }
    write_files();
}

/* What VPSC8 takes, with a word: cells that names contradict, a system twice, a list that goes on in the next line. */
static void warnings(void **state)
{
    (void)state;
    static const struct {
        const char *file, *old, *new, *message;
    } edits[] = {
        {"fcc.sx", "1.0  1.0  1.0 ", "1.0  1.0  1.3 ",
         "fcc.sx:3: axes 1 1 1.3 and angles 90 90 90 are not those of"},
        {"fcc.sx", "1 1 1   1 0 -1\n", "1 1 1   0 -1 1\n",
         "fcc.sx:20: mode {111}<110> SLIP: system 2 is system 1"},
        {"roll", "298. 400.", "-20. 400.", "roll:1: temperature -20: K are meant"},
        {"fcc.sx", " 1.4   hlatex", " -1.4   hlatex", "fcc.sx:38: mode {111}<110> SLIP: hlatex(1) = -1.4"},
        {"roll", "0. 0. -1.", "0. 0. -3.", "roll:17: the trace of L is -2: 0 is meant"},
        {NULL, "*\n0\n0\n0\n1\n*", "*\n0\n4\n0\n1\n*",
         "VPSC8.in: isave = 4: no load and no history has more than 3 steps"},
        {NULL, "100 100 25", "100 100\n25", "VPSC8.in:19: the line ends before itmaxso, its 3. number"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        result r;
        write_files();
        write_text("VPSC8.in", input_text("rolled"));
        if (edits[i].file == NULL)
            write_edited("VPSC8.in", input_text("rolled"), edits[i].old, edits[i].new);
        else
            edit_file(edits[i].file, edits[i].old, edits[i].new);
        run("slipwave vpsc VPSC8.in --check", &r);
        if (r.status != 0 || strstr(r.err, edits[i].message) == NULL)
            fail_msg("need '%s': exit status %d, stderr '%s'", edits[i].message, r.status, r.err);
    }
    write_files();
}

/* Resistances that latent hardening takes away end a run at the step that needs them. */
static void lost_resistances(void **state)
{
    (void)state;
    unlink("STR_STR.OUT");
    write_text("VPSC8.in", input_text("rolled"));
    edit_file("fcc.sx", " 1.4   hlatex", " -9.   hlatex");
    refuse("fcc.sx:38: mode {111}<110> SLIP: hlatex(1) = -9");
    refuse("VPSC8.in:34: process, step 2: the resistance of system ");
    write_files();
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

/* A grain of weight 0 never turns, and has no say: VPSC8 gives it no part in its own rotation. */
static void without_weight(void **state)
{
    (void)state;
    size_t size;
    edit_file("grains.tex", "-169.56  0.97", "-169.56  0");
    run_input("taylor");
    char *text = read_bytes("TEX_PH1.OUT", &size);
    assert_non_null(strstr(text, "   86.36   32.37 -169.56   0.0000000"));
    assert_null(strstr(text, "   44.24   61.08  106.27")); /* others turn */
    free(text);
    write_files();
}

/* --check reads, says what it understood, and writes nothing. */
static void checks(void **state)
{
    (void)state;
    result r;
    unlink("STR_STR.OUT");
    write_text("VPSC8.in", input_text("twins"));
    run("slipwave vpsc VPSC8.in --check", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(
        strstr(r.out, "mode 4, TENSILE TWIN: 6 systems, one way; twins of type 2, shear 0.13, law 1"));
    assert_non_null(strstr(r.out, "stresses given: 11 = 0 22 = 0 23 = 0"));
    assert_int_not_equal(access("STR_STR.OUT", F_OK), 0);
}

/* ---- States that are kept ---- */

/* Von Mises' stresses of STR_STR.OUT's rows. */
static int read_mises(double mises[COLUMNS])
{
    size_t size;
    char *text = read_bytes("STR_STR.OUT", &size);
    double number[COLUMNS];
    int n = 0;
    for (const char *row = text; *row != 0 && n < COLUMNS; row = next_line(row))
        if (parse_line(row, number) > 14)
            mises[n++] = number[1];
    free(text);
    return n;
}

#define FLAGS "10 2\n*\n0\n0\n0\n0\n" /* irecover, isave, icubcomp, nwrite */

/* Run an input with other flags, and its load with another number of steps. */
static int run_steps(const char *name, const char *flags, const char *load, const char *old, const char *new,
                     double mises[COLUMNS])
{
    result r;
    write_edited("VPSC8.in", input_text(name), FLAGS, flags);
    edit_file(load, old, new);
    run("slipwave vpsc VPSC8.in -q -j 1", &r);
    if (r.status != 0)
        fail_msg("%s: exit status %d, stderr '%s'", name, r.status, r.err);
    return read_mises(mises);
}

/* From the state that a run of four steps kept after two, a run of two comes to the same stresses. */
static void check_going_on(const char *name, const char *load, const char *old, const char *four,
                           const char *two)
{
    double whole[COLUMNS], rest[COLUMNS];
    assert_int_equal(run_steps(name, "10 2\n*\n0\n2\n0\n0\n", load, old, four, whole), 5);
    assert_int_equal(rename("POSTMORT.OUT", "POSTMORT.IN"), 0);
    assert_int_equal(run_steps(name, "10 2\n*\n1\n0\n0\n0\n", load, old, two, rest), 3);
    for (int k = 0; k < 3; k++)
        CHECK_CLOSE(rest[k], whole[k + 2], 1e-3 * whole[k + 2]);
    write_files();
}

static void goes_on(void **state)
{
    (void)state;
    check_going_on("taylor", "roll", "2 3 0.05", "4 3 0.05", "2 3 0.05");
    check_going_on("twins", "long", "6 3 0.04", "4 3 0.04", "2 3 0.04");
    unlink("POSTMORT.IN");
}

/* Numbers of bytes before a record's own, from 1 on: each stands between two counts. */
static size_t find_record(const char *bytes, int number)
{
    size_t at = 0;
    for (int k = 1; k < number; k++) {
        int32_t count;
        memcpy(&count, bytes + at, sizeof count);
        at += 8 + (size_t)count;
    }
    return at + 4;
}

/* One number of a state that is none: of the twins' input, whose phase has its weights in record 14. */
static void refused_states(void **state)
{
    (void)state;
    static const struct {
        int record, is_real, whole;
        double real;
        const char *message;
    } edits[] = {
        {2, 1, 0, NAN, "POSTMORT.IN: record 2, the mean strain rate: number 1 is nan: need a finite one"},
        {7, 1, 0, INFINITY, "POSTMORT.IN: record 7, the grains' stresses: number 1 is inf"},
        {13, 1, 0, NAN, "POSTMORT.IN: record 13, orientations: number 1"},
        {14, 1, 0, -0.5, "POSTMORT.IN: record 14, weights: number 1 is -0.5: need a finite one of 0 or more"},
        {16, 1, 0, 0, "POSTMORT.IN: record 16, slip resistances: number 1 is 0: need a finite one above 0"},
        {18, 0, 2000000000, 0, "record 18, how often grains turned: grain 1: 2000000000: need 0 to 2"},
        {18, 0, -1, 0, "record 18, how often grains turned: grain 1: -1"},
        {21, 0, -2000000000, 0,
         "record 21, twins that turned grains: grain 1: -2000000000: need 0, or a twin"},
        {21, 0, 1, 0, "record 21, twins that turned grains: grain 1: 1: need 0, or a twin"},
    };
    double mises[COLUMNS];
    size_t size;
    run_steps("twins", "10 2\n*\n0\n2\n0\n0\n", "long", "6 3 0.04", "4 3 0.04", mises);
    char *bytes = read_bytes("POSTMORT.OUT", &size);
    write_edited("VPSC8.in", input_text("twins"), FLAGS, "10 2\n*\n1\n0\n0\n0\n");
    unlink("STR_STR.OUT");
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        char kept[8], *at = bytes + find_record(bytes, edits[i].record);
        memcpy(kept, at, sizeof kept);
        if (edits[i].is_real)
            memcpy(at, &edits[i].real, sizeof edits[i].real);
        else
            memcpy(at, &edits[i].whole, sizeof edits[i].whole);
        write_bytes("POSTMORT.IN", bytes, size);
        refuse(edits[i].message);
        memcpy(at, kept, sizeof kept);
    }
    free(bytes);
    write_bytes("POSTMORT.IN", "\x04\0\0\0", 4);
    refuse("POSTMORT.IN: record 1");
    unlink("POSTMORT.IN");
    write_files();
}

/* ---- Files and options that do not go together ---- */

/* Twins that are grains of a second phase: it has as many, and their systems. */
static void refused_transfers(void **state)
{
    (void)state;
    static char input[1 << 13];
    const char *text = input_text("transfer"), *second = strstr(text, "few.tex") + 1;
    const char *grains = strstr(second, "few.tex"), *crystal = strstr(grains, "hcp3.sx");
    unlink("STR_STR.OUT");
    snprintf(input, sizeof input, "%.*sgrains.tex%s", (int)(grains - text), text, grains + 7);
    write_text("VPSC8.in", input);
    refuse("itwinlaw = 3: phase 2 has 8 grains, phase 1 has 6: need as many");
    snprintf(input, sizeof input, "%.*shcp.sx%s", (int)(crystal - text), text, crystal + 7);
    write_text("VPSC8.in", input);
    refuse("itwinlaw = 3: hcp3.sx and hcp.sx: need the same modes of slip and twins");
}

/* No output takes the place of an input. */
static void inputs_stay(void **state)
{
    (void)state;
    result r;
    size_t size;
    unlink("STR_STR.OUT");
    unlink("TEX_PH1.OUT");
    assert_int_equal(rename("grains.tex", "TEX_PH1.OUT"), 0);
    write_edited("VPSC8.in", input_text("taylor"), "grains.tex", "TEX_PH1.OUT");
    refuse("TEX_PH1.OUT: is an input of VPSC8.in and an output: need another folder");
    assert_int_equal(rename("TEX_PH1.OUT", "phase1.tex"), 0);
    write_edited("VPSC8.in", input_text("taylor"), "grains.tex", "phase1.tex");
    run("slipwave vpsc VPSC8.in --to-job .", &r);
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.err, "phase1.tex: is an input of VPSC8.in and an output"));
    char *text = read_bytes("phase1.tex", &size);
    assert_non_null(strstr(text, "   44.24   61.08  106.27"));
    free(text);
    assert_int_not_equal(access("phase1.yaml", F_OK), 0);
    unlink("phase1.tex");
    write_files();
    write_text("VPSC8.in", input_text("taylor"));
    run("slipwave vpsc VPSC8.in --check --to-job .", &r);
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.err, "--check and --to-job: need one of them"));
}

/* A file by its whole name, in a folder that may be passed and not listed. */
static void folders_that_are_not_listed(void **state)
{
    (void)state;
    assert_int_equal(mkdir("closed", 0777), 0);
    write_text("closed/metal.sx", vpsc_files[2].text);
    write_edited("VPSC8.in", input_text("taylor"), "fcc.sx", "closed/metal.sx");
    assert_int_equal(chmod("closed", 0311), 0);
    result r;
    run("slipwave vpsc VPSC8.in --check", &r);
    chmod("closed", 0777);
    unlink("closed/metal.sx");
    assert_int_equal(rmdir("closed"), 0);
    if (r.status != 0)
        fail_msg("exit status %d, stderr '%s'", r.status, r.err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rolled),
        cmocka_unit_test(pulled),
        cmocka_unit_test(full_constraints),
        cmocka_unit_test(creep),
        cmocka_unit_test(history),
        cmocka_unit_test(twins),
        cmocka_unit_test(drawn),
        cmocka_unit_test(transfer),
        cmocka_unit_test(transfer_of_ours),
        cmocka_unit_test(densities),
        cmocka_unit_test(reversed),
        cmocka_unit_test(cooled),
        cmocka_unit_test(as_from_windows),
        cmocka_unit_test(refusals),
        cmocka_unit_test(checks),
        cmocka_unit_test(goes_on),
        cmocka_unit_test(refused_states),
        cmocka_unit_test(refused_transfers),
        cmocka_unit_test(inputs_stay),
        cmocka_unit_test(folders_that_are_not_listed),
        cmocka_unit_test(refused_rates),
        cmocka_unit_test(warnings),
        cmocka_unit_test(without_weight),
        cmocka_unit_test(lost_resistances),
        cmocka_unit_test(counted_axes),
    };
    return cmocka_run_group_tests(tests, setup, remove_folder);
}
