/* Files of hexagonal crystals: which axis is along x in each, and how they are known for hexagonal. In the crystals' own axes a,
 * <2-1-10>, is along x; where a*, <10-10>, is, the same crystal has 30 degrees less of phi2, or more, which a sixfold axis makes
 * the same. */
#include "formats.h"

#include <string.h>

static const sw_point_group *const cubic = &sw_point_group_432;

static double angle_between(const double euler[3], const double degrees[3])
{
    const double reference[3] = {degrees[0] * DEGREE, degrees[1] * DEGREE, degrees[2] * DEGREE};
    double angle;
    CHECK_OK(sw_disorientation(&sw_point_group_622, 1, (const double(*)[3])euler, SW_SAMPLE_TRICLINIC,
                               reference, &angle));
    return angle / DEGREE;
}

#define ANG_HEAD \
    "# Phase 1\n# MaterialName Mg\n# Symmetry 62\n# LatticeConstants 3.209 3.209 5.211 90 90 120\n"
#define CTF_HEAD \
    "Phases\t1\n3.209;3.209;5.211\t90;90;120\tMg\t9\t194\nPhase\tX\tY\tEuler1\tEuler2\tEuler3\tMAD\n"
#define TABLE(symmetry) "% crystal symmetry: " symmetry "\n% phi1 Phi phi2\n20 40 10\n"
#define DAMASK_HEAD "phase: {Mg: {lattice: hP, c/a: 1.62387}}\n"

/* phi1 = 20, Phi = 40 and 10 degrees of phi2 where a is along x. */
static const struct {
    const char *suffix, *text;
    int hexagonal_x, is_known; /* the file says that it is hexagonal; 1: and c/a */
} files[] = {
    {".ang", ANG_HEAD "0.34906585 0.69813170 0.17453293 0 0 9 1 1\n", 0, 1},
    {".ang",
     "# Phase 1\n# Symmetry 6/mmm\n# LatticeConstants 3.209 3.209 5.211 90 90 120\n"
     "0.34906585 0.69813170 0.17453293 0 0 9 1 1\n",
     0, 1},
    {".ang",
     "# Phase 1\n# LatticeConstants 3.209 3.209 5.211 90 90 120\n0.34906585 0.69813170 0.17453293 0 0 9 1 "
     "1\n",
     0, 1},
    {".ctf", CTF_HEAD "1\t0\t0\t20\t40\t-20\t0.1\n", 0, 1},
    {".ctf", CTF_HEAD "1\t0\t0\t20\t40\t40\t0.1\n", 0, 1},
    {".ctf", CTF_HEAD "1\t0\t0\t20\t40\t10\t0.1\n", SW_HEXAGONAL_A, 1},
    {".ang", ANG_HEAD "0.34906585 0.69813170 0.69813170 0 0 9 1 1\n", SW_HEXAGONAL_A_STAR, 1},
    {".ori", "20 40 10\n", 0, 0},
    {".tex", "texture\n-\n-\nB 1\n20 40 10 1\n", 0, 0},
    {".tex", "texture by MTEX\n-\n-\nB 1\n20 40 40 1\n", SW_HEXAGONAL_A_STAR, 0},
    {".txt", "% crystal symmetry: 6/mmm, X||a*, Y||b, Z||c*\n% phi1 Phi phi2\n20 40 40\n", 0, 2},
    {".txt", "% crystal symmetry: 6/mmm, X||a, Y||b*, Z||c\n% phi1 Phi phi2\n20 40 10\n", 0, 2},
    {".txt", "# Crystal symmetry : Titanium (622, X||a*, Y||b, Z||c)\nphi1 Phi phi2\n20 40 40\n", 0, 2},
    {".txt", "% crystal symmetry: \"6/mmm\"\n% phi1 Phi phi2\n20 40 40\n", SW_HEXAGONAL_A_STAR, 2},
    {".txt", "% point group: Hexagonal\n% phi1 Phi phi2\n20 40 10\n", SW_HEXAGONAL_A, 2},
    {".txt", "% X||a*\n% phi1 Phi phi2\n20 40 40\n", 0, 2},
    {".txt", "phi1 Phi phi2\n20 40 10\n", SW_HEXAGONAL_A, 0},
    /* q of Z(20) X(40) Z(10): cos 20 cos 15, sin 20 cos 5, sin 20 sin 5, cos 20 sin 15 */
    {".yaml",
     DAMASK_HEAD
     "material: [{constituents: [{phase: Mg, v: 1, O: [0.90767337, 0.34071865, 0.02980909, 0.24321035]}]}]\n",
     0, 1},
};

static void a_is_along_x_whatever_the_file(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        put(files[i].suffix, files[i].text);
        for (int asked = files[i].is_known ? 0 : 1; asked < 2; asked++) {
            sw_crystal_list list = read_with((sw_crystal_filter){
                .hexagonal_x = files[i].hexagonal_x, .group = asked ? &sw_point_group_622 : NULL});
            if (!(angle_between(list.euler[0], (double[]){20, 40, 10}) <= 1e-5))
                fail_msg("file %zu, %s: %g degrees off", i, files[i].suffix,
                         angle_between(list.euler[0], (double[]){20, 40, 10}));
            assert_ptr_equal(list.group, &sw_point_group_622);
            assert_string_equal(list.bravais, "hP");
            CHECK_CLOSE(list.c_over_a, files[i].is_known == 1 ? 5.211 / 3.209 : 0, 1e-4);
            sw_crystal_list_free(&list);
        }
    }
}

static void what_is_ambiguous_or_other_is_refused(void **state)
{
    (void)state;
    static const sw_point_group *const hexagonal = &sw_point_group_622;
    const struct {
        const char *suffix, *text;
        sw_crystal_filter filter;
        const char *message;
    } bad[] = {
        LINE(".txt", "phi1 Phi phi2\n20 40 10\n", {.group = hexagonal},
             "does not say which of their axes is along x"),
        LINE(".txt", "a\nb\nc\nB 1\n20 40 10 1\n", {.group = hexagonal}, "need hexagonal_x, a or a*"),
        /* VPSC's by MTEX */
        LINE(".ctf", CTF_HEAD "1\t0\t0\t20\t40\t10\t0.1\n", {.axes = "bruker"}, "need hexagonal_x, a or a*"),
        LINE(".ctf", CTF_HEAD "1\t0\t0\t20\t40\t10\t0.1\n", {.group = cubic}, "symmetry 9: need a cubic one"),
        LINE(".ori", "20 40 10\n", {.hexagonal_x = SW_HEXAGONAL_A},
             "hexagonal_x = a: need none of crystals that are cubic"),
        LINE(".txt", TABLE("\"6/mmm\""), {0}, "does not say which of their axes is along x"),
        LINE(".txt", TABLE("6/mmm, X||a"), {.group = cubic}, ":1: need the symmetry of a cubic crystal"),
        LINE(".txt", TABLE("432, Z||c"), {.group = hexagonal}, "need the symmetry of a hexagonal crystal"),
        LINE(".txt", TABLE("4/mmm"), {.group = hexagonal}, "need the symmetry of a hexagonal crystal"),
        LINE(".txt", TABLE("-3m1, X||a*"), {.group = hexagonal}, "need the symmetry of a hexagonal crystal"),
        LINE(".txt", TABLE("-3m1, X||a*"), {0},
             "need the symmetry of a cubic, tetragonal, hexagonal or orthorhombic crystal"),
        LINE(".txt", TABLE("m-3m"), {.hexagonal_x = SW_HEXAGONAL_A}, "need none of crystals that are cubic"),
        LINE(".ang", "# Phase 1\n# Symmetry 43\n1 1 1 0 0 9 1 1\n", {.group = hexagonal},
             "43: need a hexagonal one"),
        LINE(".ang", "# Phase 1\n# Symmetry 32\n1 1 1 0 0 9 1 1\n", {0},
             "32: need a cubic, tetragonal, hexagonal or orthorhombic one"),
        LINE(".ctf",
             "Phases\t1\n5;5;17\t90;90;120\tCalcite\t7\t167\nPhase\tEuler1\tEuler2\tEuler3\n1\t1\t2\t3\n",
             {0}, "symmetry 7: need a cubic, tetragonal, hexagonal or orthorhombic one"),
        LINE(".yaml",
             "phase: {A: {lattice: oP}}\nmaterial: [{constituents: [{phase: A, v: 1, O: [1, 0, 0, 0]}]}]\n",
             {0}, "lattice oP: need a cubic, tetragonal, hexagonal or orthorhombic one"),
        LINE(
            ".yaml",
            "phase: {A: {lattice: hP, c/a: -1}}\nmaterial: [{constituents: [{phase: A, O: [1, 0, 0, 0]}]}]\n",
            {0}, ":1: need c/a > 0"),
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put(bad[i].suffix, bad[i].text);
        refuse(bad[i].filter, bad[i].message);
    }
}

/* A table's header says of which group its crystals are, by any of its names. */
static void tables_say_their_group(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const sw_point_group *group;
    } tables[] = {
        {TABLE("m-3m"), &sw_point_group_432},          {TABLE("\"432\""), &sw_point_group_432},
        {TABLE("Copper (M-3M)"), &sw_point_group_432}, {TABLE("cubic"), &sw_point_group_432},
        {TABLE("4/mmm"), &sw_point_group_422},         {TABLE("tetragonal"), &sw_point_group_422},
        {TABLE("mmm"), &sw_point_group_222},           {TABLE("222"), &sw_point_group_222},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        put(".txt", tables[i].text);
        for (int asked = 0; asked < 2; asked++) {
            sw_crystal_list list = read_with((sw_crystal_filter){.group = asked ? tables[i].group : NULL});
            assert_ptr_equal(list.group, tables[i].group);
            CHECK_CLOSE(list.euler[0][2], 10 * DEGREE, 1e-12);
            sw_crystal_list_free(&list);
        }
    }
}

/* 60 degrees about c, and half turns across it, are the same grain; 30 degrees are another, of cubic crystals as well. */
static void grains_are_joined_by_the_group(void **state)
{
    (void)state;
    put(".ctf", "XCells\t4\nYCells\t1\nXStep\t1\nYStep\t1\n" CTF_HEAD
                "1\t0\t0\t20\t40\t0\t0.1\n1\t1\t0\t20\t40\t60.5\t0.1\n1\t2\t0\t200\t140\t0\t0.1\n"
                "1\t3\t0\t20\t40\t30\t0.1\n");
    sw_crystal_list list = read_with((sw_crystal_filter){.grain_angle = 2});
    assert_int_equal(list.count, 2);
    CHECK_CLOSE(list.weight[0], 1.5, 1e-6);
    CHECK_CLOSE(list.weight[1], 0.5, 1e-6);
    CHECK_CLOSE(angle_between(list.euler[0], (double[]){20, 40, 30.1667}), 0, 0.01);
    sw_crystal_list_free(&list);
}

/* An ODF of MTEX's, phi2 to 60 degrees: of one value all directions of c are as frequent, to the square of its steps, 5 degrees; one
 * peak is where it is, with a* along x. */
static void odfs_end_at_sixty_degrees(void **state)
{
    (void)state;
    for (int peak = 0; peak < 2; peak++) {
        FILE *file = begin(".txt");
        fputs("% crystal symmetry: 6/mmm, X||a*, Y||b, Z||c*\n% phi1 Phi phi2 value\n", file);
        for (int k = 0; k < 12; k++)
            for (int j = 0; j < 19; j++)
                for (int i = 0; i < 72; i++)
                    fprintf(file, "%d %d %d %d\n", 5 * i, 5 * j, 5 * k,
                            !peak || (i == 4 && j == 8 && k == 8));
        assert_int_equal(fclose(file), 0);
        sw_crystal_list list = read_with((sw_crystal_filter){.group = &sw_point_group_622});
        double sum = 0, weight = 0;
        for (int64_t n = 0; n < list.count; n++) {
            const double w = list.weight != NULL ? (double)list.weight[n] : 1, c = cos(list.euler[n][1]);
            weight += w;
            sum += w * c * c;
        }
        if (peak) {
            assert_int_equal(list.count, 1);
            CHECK_CLOSE(angle_between(list.euler[0], (double[]){20, 40, 10}), 0, 1e-5);
        } else
            CHECK_CLOSE(sum / weight, 1 / 3., 1e-3);
        sw_crystal_list_free(&list);
    }
    FILE *file = begin(".txt");
    fputs("X||a\nphi1 Phi phi2 value\n", file);
    for (int k = 0; k < 9; k++)
        for (int j = 0; j < 10; j++)
            for (int i = 0; i < 36; i++)
                fprintf(file, "%d %d %d 1\n", 10 * i, 10 * j, 10 * k);
    assert_int_equal(fclose(file), 0);
    refuse((sw_crystal_filter){.group = &sw_point_group_622},
           "needs even steps from 0 to 60, 120, 180 or 360");
}

/* ---- Written ---- */

static void what_is_written_reads_back(void **state)
{
    (void)state;
    static const char *const suffixes[] = {".ori", ".tex", ".txt", ".ang", ".ctf", ".yaml"};
    static const double euler[2][3] = {{0.3, 0.7, 0.2}, {4, 2, 5.9}};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(fclose(begin(suffixes[i])), 0);
        CHECK_OK(sw_crystal_file_write_content(
            path, &(sw_crystal_content){
                      .count = 2, .euler = euler, .material = "Mg", .bravais = "hP", .c_over_a = 1.624}));
        sw_crystal_list list = read_with((sw_crystal_filter){.group = &sw_point_group_622});
        assert_int_equal(list.count, 2);
        for (int n = 0; n < 2; n++)
            CHECK_CLOSE(angle_between(list.euler[n], (double[]){euler[n][0] / DEGREE, euler[n][1] / DEGREE,
                                                                euler[n][2] / DEGREE}),
                        0, 1e-5);
        CHECK_CLOSE(list.c_over_a, i < 3 ? 0 : 1.624, 1e-6);
        sw_crystal_list_free(&list);
    }
}

static char *text_of(const char *suffix, const char *bravais, const double euler[1][3])
{
    static char text[4096];
    assert_int_equal(fclose(begin(suffix)), 0);
    CHECK_OK(sw_crystal_file_write_content(
        path, &(sw_crystal_content){
                  .count = 1, .euler = euler, .material = "X", .bravais = bravais, .c_over_a = 1.5}));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    assert_int_equal(fclose(file), 0);
    return text;
}

/* As their own programs want them: by the letter. */
static void formats_say_the_lattice(void **state)
{
    (void)state;
    static const double euler[1][3] = {{0, 0, 40 * DEGREE}};
    static const struct {
        const char *suffix, *bravais, *part[3];
    } wanted[] = {
        {".ang",
         "hP",
         {"# Symmetry          62\n", "1.000 1.000 1.5  90.000  90.000 120.000", " 0.6981317 0 0"}},
        {".ang",
         "tI",
         {"# Symmetry          42\n", "1.000 1.000 1.5  90.000  90.000  90.000", " 0.6981317 0 0"}},
        {".ctf",
         "hP",
         {"1.000;1.000;1.5\t90.000;90.000;120.000\tX\t9\t194", "\t0.000000\t0.000000\t10.000000", ""}},
        {".ctf",
         "tI",
         {"1.000;1.000;1.5\t90.000;90.000;90.000\tX\t5\t0", "\t0.000000\t0.000000\t40.000000", ""}},
        {".yaml", "hP", {"{lattice: hP, c/a: 1.5}", "O: [0.939692621, 0.0", ""}},
        {".yaml", "cI", {"{lattice: cI}", "", ""}},
        {".txt", "hP", {"hexagonal", " symmetry: 6/mmm, X||a,", "0.000000 0.000000 40.000000"}},
        {".txt", "cF", {"of X, cubic;", "% crystal symmetry: m-3m\n", "0.000000 0.000000 40.000000"}},
        {".txt", "tI", {"of X, tetragonal;", "% crystal symmetry: 4/mmm\n", ""}},
        {".txt", "oS", {"of X, orthorhombic;", "% crystal symmetry: mmm\n", ""}},
        {".txt", "", {"of X; Bunge", "", ""}},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        for (int k = 0; k < 3; k++)
            if (strstr(text_of(wanted[i].suffix, wanted[i].bravais, euler), wanted[i].part[k]) == NULL)
                fail_msg("%s of %s lacks %s:\n%s", wanted[i].suffix, wanted[i].bravais, wanted[i].part[k],
                         text_of(wanted[i].suffix, wanted[i].bravais, euler));
}

static void axes_are_needed(void **state)
{
    (void)state;
    static const double euler[1][3] = {{0, 0, 0}};
    assert_int_equal(fclose(begin(".ang")), 0);
    sw_crystal_content content = {.count = 1, .euler = euler, .bravais = "hP"};
    assert_int_equal(sw_crystal_file_write_content(path, &content), SW_ERR_INPUT);
    assert_message_has("hexagonal crystals: need c/a of their axes to write a file .ang");
    content = (sw_crystal_content){.count = 1, .euler = euler, .bravais = "oS", .c_over_a = 1.7};
    assert_int_equal(sw_crystal_file_write_content(path, &content), SW_ERR_INPUT);
    assert_message_has("orthorhombic crystals: a file .ang would need b/a");
    content.bravais = "oP";
    assert_int_equal(sw_crystal_file_write_content(path, &content), SW_ERR_INPUT);
    assert_message_has("the lattice oP");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_is_along_x_whatever_the_file),
        cmocka_unit_test(what_is_ambiguous_or_other_is_refused),
        cmocka_unit_test(tables_say_their_group),
        cmocka_unit_test(grains_are_joined_by_the_group),
        cmocka_unit_test(odfs_end_at_sixty_degrees),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(formats_say_the_lattice),
        cmocka_unit_test(axes_are_needed),
    };
    return cmocka_run_group_tests(tests, NULL, remove_last);
}
