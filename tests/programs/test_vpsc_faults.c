/* `slipwave vpsc`: inputs that it refuses or warns of, states that are no states, files that stay what they are. */
#include "vpsc_runs.h"

/* An input with one thing changed in a file; NULL: in VPSC8.in. */
static void edit_input(const char *input, const char *file, const char *old, const char *new)
{
    write_files();
    unlink("STR_STR.OUT");
    write_edited("VPSC8.in", input_text(input), file == NULL ? old : NULL, new);
    if (file != NULL)
        edit_file(file, old, new);
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
        {"roll", "1. 0. 0.", "1e300 0. 0.",
         "roll:7: \"1e300\": need a row of L, a number of at most 1e100, the 1. of this line"},
        {"roll", "298. 400.", "298. 1e30", "roll:1: temperature 1e+30: need at most 100000 K"},
        {"fcc.sx", "1.0, 0.5, 3.0", "1.0, 0.5, -1e101",
         "fcc.sx:37: \"-1e101\": need thet0, a number of at most"},
        {NULL, "1.e-3 1.e-3 1.e-3", "1.e-3 1.e-3 1.e30",
         "errm = 1e+30: need a tolerance above 0, of at most 1"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        edit_input("rolled", edits[i].file, edits[i].old, edits[i].new);
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
        {"history", "history", "1 1. 0. 0. 0. 0. 0. 0.2 0. -1. 0.05", "1 -.5 0 0 0 -.5 0 0 0 1 0.05",
         "VPSC8.in:34: process, step 1: nothing is left of L as VPSC8 turns it"},
        {"tangent", "creep", "0. 0. 0.\n   0. 0.\n      2.7", "2. 0. 0.\n   2. 0.\n      2.",
         "creep:17: iudot and L: the strain rates given are 0"},
        {"tangent", "creep", "      2.7", "      9.", "VPSC8.in:34: process, step 1: "},
        {"tangent", "creep", "      2.7", "      1e30", "VPSC8.in:34: process, step 1: "},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        edit_input(edits[i].input, edits[i].file, edits[i].old, edits[i].new);
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
        {"roll", "1 1 1\n1 1 1\n1 1 1\n\n1. 0. 0.\n0. 0. 0.\n0. 0. -1.\n\n0 0 0\n  0 0\n    0",
         "0 1 1\n1 0 1\n1 1 1\n\n1. 0. 0.\n0. .6 0.\n0. 0. -1.\n\n1 0 0\n  1 0\n    0",
         "roll:17: L33 = -1 is given, and the trace is 0.6 with what holds the place of free components: "
         "that "
         "counts nothing here, and VPSC8 takes L33 = -1.2"},
        {NULL, "*\n0\n0\n0\n1\n*", "*\n0\n4\n0\n1\n*",
         "VPSC8.in: isave = 4: no load and no history has more than 3 steps"},
        {NULL, "100 100 25", "100 100\n25", "VPSC8.in:19: the line ends before itmaxso, its 3. number"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        result r;
        edit_input("rolled", edits[i].file, edits[i].old, edits[i].new);
        run("slipwave vpsc VPSC8.in --check", &r);
        if (r.status != 0 || strstr(r.err, edits[i].message) == NULL)
            fail_msg("need '%s': exit status %d, stderr '%s'", edits[i].message, r.status, r.err);
    }
    write_files();
}

/* A history whose longest axis is not the first. */
static void turned_history(void **state)
{
    (void)state;
    result r;
    write_text("VPSC8.in", input_text("history"));
    run("slipwave vpsc VPSC8.in -q -j 1", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(
        strstr(r.err, "VPSC8.in:34: process, step 1: L is turned to the axes of what has deformed"));
    assert_non_null(strstr(r.err, "--compatible no has both in the sample's axes"));
    edit_file("history",
              "0.2 0. -1. 0.05\n2 1. 0. 0.1 0. 0. 0. 0.4 0. -1. 0.05\n3 1. 0. 0.2 0.1 0. 0. 0.6 0. -1.",
              "0. 0. -1. 0.05\n2 1. 0. 0. 0. .2 0. 0. 0. -1. 0.05\n3 1. 0. 0. 0. 0. 0. 0. 0. -1.");
    run("slipwave vpsc VPSC8.in -q -j 1", &r);
    assert_int_equal(r.status, 0);
    assert_string_equal(r.err, "");
    unlink("STR_STR.OUT");
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

/* Numbers of laws with a sign of their own, a -0 that VPSC8 divides by, and loads and laws that lead out of all numbers: never to outputs. */
static void numbers_that_lead_nowhere(void **state)
{
    (void)state;
    static const struct {
        const char *input, *file, *old, *new, *message;
    } edits[] = {
        {"densities", "dd.sx", "280. 0. 100.", "280. 0. -0",
         "dd.sx:43: deb0, deb1, deb2: number 3 is 0: need one above 0"},
        {"densities", "dd.sx", "2.546e-10 3.8E-3", "0 3.8E-3",
         "dd.sx:38: BURG, ACTENER: number 1 is 0: need one above 0"},
        {"densities", "dd.sx", "1.0E+11 298", "-1.0E+11 298",
         "dd.sx:36: RHO_DEB, TEMPref, EDOTref: number 1 is -1e+11"},
        {"densities", "dd.sx", "1.0E+11 298", "1.0E+11 1e30",
         "VPSC8.in:34: process, step 1: the densities of grain 1 come to"},
        {"cooled", "cool", "2 8 -50.", "2 8 -1e20", "cool:1: eqincr = -1e+20: need at most 100000 K"},
        {"reversed", "reverse.sx", " 2.46d-10", " -0", "reverse.sx:39: b: number 1 is 0: need one above 0"},
        {"reversed", "reverse.sx", "3.5 0.5", "3.5 -0.5",
         "qBS, mREV: number 2 is -0.5: need one of 0 or more"},
        {"pulled", "free", "0. 0. 0.\n   0. 0.\n", "0. 0. 0.\n   1e99 0.\n",
         "VPSC8.in:34: process, step 2: elastic moduli have not converged"},
        {"pulled", "free", "-0.5 0.3 0.", "-0.5 1e30 0.", "VPSC8.in:34: process, step 1: "},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        edit_input(edits[i].input, edits[i].file, edits[i].old, edits[i].new);
        refuse(edits[i].message);
    }
    write_files();
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

/* Steps that are said to come are those that came: 3 of a load, 36 of a section, 3 of Lankford's; in five
 * dimensions 9 4^3 and those whose last angles are 0, 4^2, 4 and 1. */
static void counted_steps(void **state)
{
    (void)state;
    result r;
    write_text("VPSC8.in", input_text("rolled"));
    run("slipwave vpsc VPSC8.in -j 1", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "VPSC8.in: 8 grains, 42 steps"));
    assert_non_null(strstr(r.err, "vpsc: 336 grain-steps in "));
    run("slipwave vpsc VPSC8.in -j 1 -q", &r);
    assert_string_equal(r.err, "");
    write_edited("VPSC8.in", input_text("rolled"), "3\n*\n0\nroll\n2\n1 2\n3\n45\n", "1\n*\n-2\n");
    run("slipwave vpsc VPSC8.in -j 1", &r);
    assert_non_null(strstr(r.out, "VPSC8.in: 8 grains, 597 steps"));
    assert_non_null(strstr(r.err, "vpsc: 4776 grain-steps in "));
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

/* Von Mises' strain of the first row. */
static double first_strain(void)
{
    size_t size;
    double number[COLUMNS];
    char *text = read_bytes("STR_STR.OUT", &size);
    assert_true(parse_line(next_line(text), number) > 14);
    free(text);
    return number[0];
}

/* From the state that a run of four steps kept after two, a run of two comes to the same stresses; its strains are from there on, as VPSC8
 * has it, or from the first run's beginning. */
static void check_going_on(const char *name, const char *load, const char *old, const char *four,
                           const char *two)
{
    double whole[COLUMNS], rest[COLUMNS];
    assert_int_equal(run_steps(name, "10 2\n*\n0\n2\n0\n0\n", load, old, four, whole), 5);
    assert_int_equal(rename("POSTMORT.OUT", "POSTMORT.IN"), 0);
    assert_int_equal(run_steps(name, "10 2\n*\n1\n0\n0\n0\n", load, old, two, rest), 3);
    for (int k = 0; k < 3; k++)
        CHECK_CLOSE(rest[k], whole[k + 2], 1e-3 * whole[k + 2]);
    assert_true(first_strain() == 0);
    result r;
    run("slipwave vpsc VPSC8.in -q -j 1 --compatible no", &r);
    assert_int_equal(r.status, 0);
    assert_true(first_strain() > 0.04);
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
        {13, 1, 0, 1.2, "POSTMORT.IN: record 13, orientations: grain 1: need a rotation"},
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
        cmocka_unit_test(refusals),         cmocka_unit_test(refused_rates),
        cmocka_unit_test(warnings),         cmocka_unit_test(turned_history),
        cmocka_unit_test(lost_resistances), cmocka_unit_test(numbers_that_lead_nowhere),
        cmocka_unit_test(without_weight),   cmocka_unit_test(checks),
        cmocka_unit_test(counted_steps),    cmocka_unit_test(goes_on),
        cmocka_unit_test(refused_states),   cmocka_unit_test(refused_transfers),
        cmocka_unit_test(inputs_stay),      cmocka_unit_test(folders_that_are_not_listed),
    };
    return cmocka_run_group_tests(tests, setup, remove_folder);
}
