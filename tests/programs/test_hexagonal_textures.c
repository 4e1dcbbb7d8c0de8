/* Hexagonal crystals through the programs: drawn about components, their textures in results, and into the files of other
 * programs and back. */
#include "programs.h"

#include "common/math/rotation.h"
#include "online/texture/crystal_file.h"
#include "online/texture/texture.h"

static const char magnesium[] =
    "name: Mg\ncrystal_structure: hexagonal\nc_over_a: 1.624\n"
    "elasticity: {C11: 59.3e9, C33: 61.5e9, C44: 16.4e9, C12: 25.7e9, C13: 21.4e9}\n"
    "slip:\n  reference_slip_rate: 1.0e-3\n  rate_sensitivity: 0.05\n  families:\n"
    "    - {family: basal, initial_slip_resistance: 10.0e6, initial_hardening_rate: 0.5e9, "
    "saturation_resistance: 40.0e6, exponent: 2.25}\n"
    "    - {family: prismatic, initial_slip_resistance: 55.0e6, initial_hardening_rate: 0.5e9, "
    "saturation_resistance: 135.0e6, exponent: 2.25}\n"
    "    - {family: pyramidal2_ca, initial_slip_resistance: 60.0e6, initial_hardening_rate: 0.5e9, "
    "saturation_resistance: 150.0e6, exponent: 2.25}\n"
    "hardening: {law: phenopowerlaw}\n";

static const char job[] =
    "material: mg.yaml\nsolver: rigid_plastic\nstrain_increment: 0.02\n"
    "crystals: {count: 600, components: [{name: basal, fraction: 0.5, halfwidth: 5}, "
    "{plane: [1, 0, -1, 2], direction: [-1, 0, 1, 1], fraction: 0.25, halfwidth: 0}]}\n"
    "loading:\n- velocity_gradient: [[1e-3, 0, 0], [0, 0, 0], [0, 0, -1e-3]]\n  duration: 30\n"
    "output: {file: out.h5, orientations: [0, last]}\n";

static void make_results(void)
{
    result r;
    write_text("mg.yaml", magnesium);
    write_text("mg-job.yaml", job);
    run("slipwave taylor -q --device cpu mg-job.yaml", &r);
    if (r.status != 0)
        fail_msg("exit status %d: %s", r.status, r.err);
}

/* Kearns factors of a step are those of its orientations, whose c is the third column of g; poles and sections are there. */
static void textures_are_of_the_orientations(void **state)
{
    (void)state;
    make_results();
    sw_crystal_list list;
    CHECK_OK(sw_crystal_file_read_with("out.h5", &(sw_crystal_filter){.step = "0"}, &list));
    assert_string_equal(list.bravais, "hP");
    CHECK_CLOSE(list.c_over_a, 1.624, 0);
    double factor[3], mean[3] = {0}, tilted = 0;
    for (int64_t n = 0; n < list.count; n++) {
        double g[3][3];
        sw_rotation_from_euler(list.euler[n], g);
        for (int i = 0; i < 3; i++)
            mean[i] += g[i][2] * g[i][2] / (double)list.count;
        tilted += fabs(fabs(g[2][2]) - cos(atan(1.624 / sqrt(3)))) < 1e-5;
    }
    assert_in_range(tilted, 150, 155); /* the quarter, and of 150 random ones those within a few 1e-5 */
    sw_crystal_list_free(&list);
    hid_t file = open_results("out.h5");
    CHECK_OK(sw_h5_read(file, "texture/0/kearns_factor", H5T_NATIVE_DOUBLE, 1, (int64_t[]){3}, factor));
    for (int i = 0; i < 3; i++)
        CHECK_CLOSE(factor[i], mean[i], 1e-5);
    static const char *const poles[] = {"0002", "10-10", "10-11"};
    for (int i = 0; i < 3; i++) {
        char name[64];
        snprintf(name, sizeof name, "texture/0/pole_figure/%s", poles[i]);
        assert_true(sw_h5_exists(file, name));
    }
    H5Fclose(file);
}

/* To each format and from it into another: the same orientations, to the formats' digits, under 622. */
static void formats_come_back(void **state)
{
    (void)state;
    static const char *const command[] = {
        "slipwave export -q out.h5 -o a.ctf",
        "slipwave export -q a.ctf -o b.ang",
        "slipwave export -q b.ang -o c.yaml",
        "slipwave export -q c.yaml -o d.tex",
        "slipwave export -q d.tex -o e.txt --crystal-structure hexagonal",
        "slipwave export -q e.txt -o f.ori --crystal-structure hexagonal",
        "slipwave export -q f.ori -o g.ctf --crystal-structure hexagonal --c-over-a 1.624"};
    sw_crystal_list from, to;
    result r;
    make_results();
    for (size_t i = 0; i < sizeof command / sizeof *command; i++) {
        run(command[i], &r);
        if (r.status != 0 || *r.err != '\0')
            fail_msg("%s: exit status %d: %s", command[i], r.status, r.err);
    }
    CHECK_OK(sw_crystal_file_read_with("out.h5", &(sw_crystal_filter){0}, &from));
    CHECK_OK(sw_crystal_file_read_with("g.ctf", &(sw_crystal_filter){0}, &to));
    assert_int_equal(from.count, to.count);
    for (int64_t n = 0; n < from.count; n++) {
        double angle;
        CHECK_OK(sw_disorientation(&sw_point_group_622, 1, (const double(*)[3])from.euler + n,
                                   SW_SAMPLE_TRICLINIC, to.euler[n], &angle));
        CHECK_CLOSE(angle, 0, 1e-6); /* six files of six or seven decimals */
    }
    sw_crystal_list_free(&from);
    sw_crystal_list_free(&to);
}

/* One percent is passed by 1.6; the sign of a mistaken phase. */
static void another_c_over_a_is_said(void **state)
{
    (void)state;
    static const char scan[] =
        "Phases\t1\n2.95;2.95;4.72\t90;90;120\tTi\t9\t194\nPhase\tEuler1\tEuler2\tEuler3\n1\t10\t20\t30\n";
    result r;
    make_results();
    write_text("ti.ctf", scan);
    write_edited(
        "other.yaml", job,
        "{count: 600, components: [{name: basal, fraction: 0.5, halfwidth: 5}, {plane: [1, 0, -1, 2], "
        "direction: [-1, 0, 1, 1], fraction: 0.25, halfwidth: 0}]}",
        "{file: ti.ctf}");
    run("slipwave taylor -q --device cpu other.yaml", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.err, "ti.ctf: c/a = 1.6 of its crystals, Ti, 1.624 of the material"));
    write_edited("ti.ctf", scan, "4.72", "4.79");
    run("slipwave taylor -q --device cpu other.yaml", &r);
    assert_string_equal(r.err, "");
}

static void what_does_not_suit_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *part;
    } bad[] = {
        {"name: basal", "name: Goss", "bad.yaml:4: crystals.components[0]: name = Goss: need one of basal"},
        {"plane: [1, 0, -1, 2], direction: [-1, 0, 1, 1]", "plane: [0, 0, 1], direction: [1, 0, 0]",
         "bad.yaml:4: crystals.components[1]: plane: 3 indices: need four"},
        {"plane: [1, 0, -1, 2]", "plane: [1, 0, 1, 2]", "the first three make 2 together: need 0"},
        {"{count: 600", "{hexagonal_x: a, count: 600", "crystals.hexagonal_x without crystals.file"},
        {"crystals: {count: 600, components: [{name: basal, fraction: 0.5, halfwidth: 5}, {plane: [1, 0, -1, "
         "2], "
         "direction: [-1, 0, 1, 1], fraction: 0.25, halfwidth: 0}]}",
         "crystals: {file: cubic.ctf}", "cubic.ctf: phase 1 Fe has the symmetry 11: need a hexagonal one"},
        {"crystals: {count: 600, components: [{name: basal, fraction: 0.5, halfwidth: 5}, {plane: [1, 0, -1, "
         "2], "
         "direction: [-1, 0, 1, 1], fraction: 0.25, halfwidth: 0}]}",
         "crystals: {file: unsaid.txt}", "unsaid.txt: hexagonal crystals, and the file does not say"},
    };
    static const char *const axes[] = {"f.ori", "hexagonal crystals: need c/a"};
    write_text("mg.yaml", magnesium);
    write_text("cubic.ctf",
               "Phases\t1\n2.9;2.9;2.9\t90;90;90\tFe\t11\t229\nPhase\tEuler1\tEuler2\tEuler3\n1\t1\t2\t3\n");
    write_text("unsaid.txt", "phi1 Phi phi2\n10 20 30\n");
    write_text("f.ori", "10 20 30\n");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_edited("bad.yaml", job, bad[i].old, bad[i].new);
        assert_refused("slipwave taylor -q bad.yaml -o bad.h5", 1, &bad[i].part);
    }
    assert_refused("slipwave export -q f.ori -o f.ang --crystal-structure hexagonal", 1, &axes[1]);
    assert_refused("slipwave export -q f.ori -o f.ang --crystal-structure hcp", 1,
                   (const char *const[]){"--crystal-structure = hcp: need one of fcc, bcc"});
}

/* By the bounds of material files; where there is no such axis it would mean nothing. */
static void axes_are_those_of_the_lattice(void **state)
{
    (void)state;
    static const struct {
        const char *options, *part;
    } bad[] = {
        {"f.ori --crystal-structure hexagonal --c-over-a 0.6", "--c-over-a = 0.6: need 1.4 to 2"},
        {"said.txt --c-over-a 0.6", "--c-over-a = 0.6: need 1.4 to 2"},
        {"f.ori --crystal-structure tetragonal --c-over-a 0.2", "--c-over-a = 0.2: need 0.3 to"},
        {"f.ori --crystal-structure fcc --c-over-a 1.6", "--c-over-a = 1.6: has no place beside cubic"},
        {"f.ori --c-over-a 1.6",
         "--c-over-a = 1.6: has no place beside cubic crystals: need --crystal-structure"},
    };
    write_text("f.ori", "10 20 30\n");
    write_text("said.txt", "% crystal symmetry: 6/mmm, X||a*\nphi1 Phi phi2\n10 20 30\n");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char command[160];
        snprintf(command, sizeof command, "slipwave export -q %s -o out.ori", bad[i].options);
        assert_refused(command, 1, &bad[i].part);
        assert_int_equal(access("out.ori", F_OK), -1);
    }
    result r;
    run("slipwave export -q said.txt --c-over-a 1.6 -o out.ctf", &r);
    assert_int_equal(r.status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(textures_are_of_the_orientations), cmocka_unit_test(formats_come_back),
        cmocka_unit_test(another_c_over_a_is_said),         cmocka_unit_test(what_does_not_suit_is_refused),
        cmocka_unit_test(axes_are_those_of_the_lattice),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
