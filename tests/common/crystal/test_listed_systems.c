/* Families whose systems a material file lists: the same as the lattice's of that kind, and lists that are refused. The lists are those
 * of VPSC8's crystal files where it has them. */
#include "tests/test.h"

#include "common/crystal/material_file.h"
#include "common/files/hash.h"

#define CUBIC "crystal_structure: fcc\nelasticity: {C11: 168.7e9, C12: 121.7e9, C44: 75e9}\n"
#define HEXAGONAL                                     \
    "crystal_structure: hexagonal\nc_over_a: 1.624\n" \
    "elasticity: {C11: 59.5e9, C33: 65.6e9, C44: 16.3e9, C12: 26.1e9, C13: 21.8e9}\n"
#define ORTHORHOMBIC                                                                                  \
    "crystal_structure: orthorhombic\nb_over_a: 2.056\nc_over_a: 1.736\n"                             \
    "elasticity: {C11: 215e9, C22: 199e9, C33: 267e9, C44: 124e9, C55: 73e9, C66: 74e9, C12: 46e9,\n" \
    "  C13: 22e9, C23: 108e9}\n"
#define SLIP "name: a metal\nslip:\n  reference_slip_rate: 1e-3\n  rate_sensitivity: 0.05\n  families:\n"
#define LAW                                                                                   \
    ", initial_slip_resistance: 1e7, initial_hardening_rate: 1e8, saturation_increase: 1e7, " \
    "final_hardening_rate: 0}\n"
#define END "hardening: {law: extended_voce}\n"

#define OCTAHEDRAL                                                                                \
    "[[1,1,1,0,1,-1], [1,1,1,1,0,-1], [1,1,1,1,-1,0], [-1,1,1,0,1,-1], [-1,1,1,1,0,1],\n"         \
    "      [-1,1,1,1,1,0], [-1,-1,1,0,1,1], [-1,-1,1,1,0,1], [-1,-1,1,1,-1,0], [1,-1,1,0,1,1],\n" \
    "      [1,-1,1,1,0,-1], [1,-1,1,1,1,0]]"
#define BASAL "[[0,0,0,1,2,-1,-1,0], [0,0,0,1,-1,2,-1,0], [0,0,0,2,-1,-1,2,0]]"
#define PYRAMIDAL                                                              \
    "[[1,1,-2,2,1,1,-2,-3], [-1,-1,2,2,-1,-1,2,-3], [2,-1,-1,2,2,-1,-1,-3],\n" \
    "      [-2,1,1,2,-2,1,1,-3], [1,-2,1,2,1,-2,1,-3], [-1,2,-1,2,-1,2,-1,-3]]"
#define TWINS                                                           \
    "[[1,0,-1,2,-1,0,1,1], [0,1,-1,2,0,-1,1,1], [-1,1,0,2,1,-1,0,1],\n" \
    "      [-1,0,1,2,1,0,-1,1], [0,-1,1,2,0,1,-1,1], [1,-1,0,2,-1,1,0,1]]"
#define CHIMNEY "[[0,2,1,1,-1,2], [0,2,1,-1,-1,2], [0,2,-1,1,-1,-2], [0,2,-1,-1,-1,-2]]"
#define WALL "[[1,1,0,1,-1,0], [1,-1,0,1,1,0]]"
/* Twins of {10-12} at this c/a: (3 - x^2)/(root(3) x). */
#define SHEAR "0.128917"

static const char octahedral[] = SLIP "    - {family: mine, systems: " OCTAHEDRAL LAW END CUBIC;
static const char twinning[] =
    SLIP "    - {family: flat, systems: " BASAL LAW "    - {family: steep, systems: " PYRAMIDAL LAW
         "    - {family: open, twin_shear: " SHEAR ", systems: " TWINS LAW END HEXAGONAL;

static const struct {
    const char *listed, *named;
} pairs[] = {
    {octahedral, SLIP "    - {family: 111" LAW END CUBIC},
    {twinning, SLIP "    - {family: basal" LAW "    - {family: pyramidal2_ca" LAW
                    "    - {family: tension_twin" LAW END HEXAGONAL},
    {SLIP "    - {family: chimney, systems: " CHIMNEY LAW "    - {family: wall, systems: " WALL LAW
          "    - {family: 010_100" LAW END ORTHORHOMBIC,
     SLIP "    - {family: 021_1-12" LAW "    - {family: 110_1-10" LAW
          "    - {family: 010_100" LAW END ORTHORHOMBIC},
};

static sw_slip_systems read_systems(const char *text, sw_material *m)
{
    sw_slip_systems systems;
    CHECK_OK(sw_material_parse("metal.yaml", text, m));
    CHECK_OK(sw_material_systems(m, &systems));
    return systems;
}

/* The same Schmid tensors in the same order: of slip up to their sign, of twins with it. */
static void listed_systems_are_those_of_the_lattice(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        sw_material mine, named;
        const sw_slip_systems a = read_systems(pairs[i].listed, &mine),
                              b = read_systems(pairs[i].named, &named);
        assert_int_equal(a.count, b.count);
        assert_int_equal(a.two_way, b.two_way);
        for (int s = 0; s < a.count; s++) {
            double same = 0;
            assert_int_equal(a.family[s], b.family[s]);
            for (int k = 0; k < 9; k++)
                same +=
                    a.direction[s][k / 3] * a.normal[s][k % 3] * b.direction[s][k / 3] * b.normal[s][k % 3];
            CHECK_CLOSE(s < a.two_way ? fabs(same) : same, 1, 1e-12);
        }
        for (int f = 0; f < mine.slip.family_count; f++)
            CHECK_CLOSE(sw_material_twin_shear(&mine, f), sw_material_twin_shear(&named, f), 5e-6);
    }
}

/* A twin's, with its sense. */
static void systems_are_those_by_hand(void **state)
{
    (void)state;
    sw_material m;
    const sw_slip_systems a = read_systems(twinning, &m);
    int found = 0;
    for (int s = a.two_way; s < a.count; s++) {
        /* (10-12)[-1011]: n along (1, 1/root(3), 2/x), b along (-1.5, -root(3)/2, x); pulled along c it shears forwards */
        const double x = 1.624, n[3] = {1, 1 / sqrt(3), 2 / x}, b[3] = {-1.5, -sqrt(3) / 2, x};
        double nn = 0, bb = 0, size_n = 0, size_b = 0;
        for (int i = 0; i < 3; i++) {
            nn += n[i] * a.normal[s][i];
            bb += b[i] * a.direction[s][i];
            size_n += n[i] * n[i];
            size_b += b[i] * b[i];
        }
        found += fabs(nn - sqrt(size_n)) < 1e-12 && fabs(bb - sqrt(size_b)) < 1e-12;
        assert_true(a.normal[s][2] * a.direction[s][2] > 0);
    }
    assert_int_equal(found, 1);
}

static void lists_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *old, *new, *what;
    } cases[] = {
        {octahedral, "1,0,1,-1]", "1,0,1,1]",
         "slip.families[0].systems: system 1: the direction is not in the plane: their unit vectors' "
         "product"},
        {octahedral, "[1,1,1,0,1,-1]", "[0,0,0,0,1,-1]", "system 1: need a plane and a direction, not all"},
        {octahedral, "[1,1,1,0,1,-1]", "[1,1,1,0,0,0]", "system 1: need a plane and a direction, not all"},
        {octahedral, "[1,1,1,0,1,-1]", "[1,1,1,-1,0,1]", "system 2: is the same as number 1"},
        {octahedral, "[1,1,1,0,1,-1]", "[-2,-2,-2,2,-2,0]", "system 3: is the same as number 1"},
        {octahedral, "[1,1,1,0,1,-1], ", "",
         "its symmetry makes 12 systems of number 1, and of these not all"},
        {octahedral, "[1,1,1,0,1,-1]", "[1,1,1,0,1]", "systems[0] has 5 entries: need 6 or 8"},
        {octahedral, "[1,1,1,0,1,-1]", "[1,1,-2,1,0,0,0,1]",
         "system 1: crystal_structure = fcc: need h k l and u v w"},
        {octahedral, "[1,1,1,0,1,-1]", "[1,1,1,0,1,-0.5]", "systems[0][5] = -0.5: need a whole number"},
        {octahedral, "[1,1,1,0,1,-1]", "[1,1,1,0,1,101]", "systems[0][5] = 101: need [h, k, l, u, v, w]"},
        {octahedral, "{family: mine, systems: " OCTAHEDRAL, "{family: mine",
         "families[0].family = mine: need one of 111"},
        {octahedral, "{family: mine, systems: " OCTAHEDRAL, "{family: 111, twin_shear: 0.7",
         "families[0].twin_shear has no place without systems"},
        {twinning, "[0,0,0,1,2,-1,-1,0]", "[0,0,1,2,-1,0]", "need h k i l and u v t w, 8 numbers"},
        {twinning, "[0,0,0,1,2,-1,-1,0]", "[0,0,0,1,2,-1,0,0]", "need h + k + i = 0 and u + v + t = 0"},
        {twinning, "[1,0,-1,2,-1,0,1,1]", "[1,0,-1,2,1,0,-1,-1]", "or not in the same sense"},
        {twinning, "twin_shear: " SHEAR ", ", "twin_shear: 0.001, ", "twin_shear = 0.001"},
        {twinning, "family: flat", "twin_shear: 0.1, family: flat",
         "slip.families[0].systems: crystal_structure = hexagonal: its symmetry makes 6 systems of number 1"},
        {twinning, "family: steep", "family: flat", "families[1].family = flat stands twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_material m;
        if (sw_material_parse("m.yaml", edited(cases[i].text, cases[i].old, cases[i].new), &m) !=
            SW_ERR_INPUT)
            fail_msg("'%s' instead of '%s' is taken", cases[i].new, cases[i].old);
        assert_message_has("m.yaml:");
        assert_message_has(cases[i].what);
    }
}

/* 24 of twins, and 48 in all. */
static void too_many_are_refused(void **state)
{
    (void)state;
    static char text[16384];
    sw_material m;
    int n = snprintf(text, sizeof text, "%s", SLIP "    - {family: steep, systems: " PYRAMIDAL LAW);
    for (int k = 0; k < 5; k++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "    - {family: t%d, twin_shear: 0.1, systems: " TWINS LAW, k);
    snprintf(text + n, sizeof text - (size_t)n, END HEXAGONAL);
    assert_int_equal(sw_material_parse("m.yaml", text, &m), SW_ERR_INPUT);
    assert_message_has("slip.families: slip.families: 30 systems of twins: need at most 24");
    n = snprintf(text, sizeof text, "%s", SLIP);
    for (int k = 0; k < 5; k++)
        n += snprintf(text + n, sizeof text - (size_t)n, "    - {family: f%d, systems: " OCTAHEDRAL LAW, k);
    snprintf(text + n, sizeof text - (size_t)n, END CUBIC);
    assert_int_equal(sw_material_parse("m.yaml", text, &m), SW_ERR_INPUT);
    assert_message_has("families of more than 48 slip systems");
}

/* What is written is read to the same, and hashes and comparisons see systems. */
static void they_are_kept_and_told_apart(void **state)
{
    (void)state;
    static char text[SW_MATERIAL_TEXT];
    const char *const texts[] = {octahedral, twinning};
    for (int i = 0; i < 4; i++) {
        sw_material made, again;
        CHECK_OK(sw_material_parse("m.yaml", texts[i / 2], &made));
        CHECK_OK((i % 2 ? sw_material_write_lines : sw_material_write_text)(&made, sizeof text, text));
        CHECK_OK(sw_material_parse("again", text, &again));
        assert_memory_equal(&again, &made, sizeof made);
    }
    static const char *const changes[][2] = {{"family: open", "family: open"},
                                             {"[0,0,0,2,", "[0,0,0,1,"},
                                             {"twin_shear: " SHEAR, "twin_shear: 0.13"},
                                             {"[-1,0,1,2,1,0,-1,1]", "[1,0,-1,-2,-1,0,1,-1]"}};
    uint64_t hash[4];
    sw_material first;
    for (int i = 0; i < 4; i++) {
        sw_material m;
        sw_key_difference difference;
        CHECK_OK(sw_material_parse("m.yaml", edited(twinning, changes[i][0], changes[i][1]), &m));
        hash[i] = sw_material_hash(SW_HASH_START, &m);
        first = i == 0 ? m : first;
        assert_int_equal(sw_material_suits(&m, &first, &difference), i == 0);
        for (int k = 0; k < i; k++)
            assert_true(hash[k] != hash[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listed_systems_are_those_of_the_lattice),
        cmocka_unit_test(systems_are_those_by_hand),
        cmocka_unit_test(lists_are_refused_with_their_place),
        cmocka_unit_test(too_many_are_refused),
        cmocka_unit_test(they_are_kept_and_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
