/* Material files with families of slip systems: what is refused, what is written, what hashes tell apart. */
#include "tests/test.h"

#include "tests/families.h"
#include "tests/hexagonal.h"

#include "common/crystal/material_file.h"
#include "common/files/hash.h"

/* ---- What is refused ---- */

#define BASAL "    - {family: basal, initial_slip_resistance: 10.0e6, initial_hardening_rate: 0.5e9,"

static void bad_families_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *old, *new, *place, *what;
    } cases[] = {
        /* axes */
        {twinning_text, "1.6235", "16.2",
         "mg.yaml:3: ", "c_over_a = 16.2: need 1.4 to 2: hexagonal metals have 1.57 (Be)"},
        {twinning_text, "1.6235", "0.6235", "mg.yaml:3: ", "c_over_a = 0.6235: need 1.4 to 2"},
        {twinning_text, "1.6235", "nan", "mg.yaml:3: ", "c_over_a = nan: need a number"},
        {twinning_text, "c_over_a: 1.6235\n", "",
         "mg.yaml: ", "c_over_a is missing: crystal_structure = hexagonal needs it"},
        {twinning_text, "1.6235", "1.7320508",
         "mg.yaml:15: ", "slip.families[3].family = tension_twin: at c_over_a = 1.73205 it shears by"},
        /* elasticity */
        {twinning_text, "C44: 16.4e9, ", "", "mg.yaml:4: ", "elasticity.C44 is missing"},
        {twinning_text, ", C13: 21.4e9", "", "mg.yaml",
         "elasticity.C13 is missing: crystal_structure = hexagonal needs it"},
        {twinning_text, "C13: 21.4e9", "C13: 21.4e9, C66: 1e10",
         "mg.yaml:4: ", "elasticity.C66 has no place"},
        {twinning_text, "C13: 21.4e9", "C13: 61.4e9", "mg.yaml:4: ", "need (C11 + C12) C33 > 2 C13^2"},
        /* names and their order */
        {twinning_text, "family: basal", "family: basel",
         "mg.yaml:9: ", "slip.families[0].family = basel: need one of basal prismatic"},
        {twinning_text, "family: prismatic", "family: basal",
         "mg.yaml:11: ", "slip.families[1].family = basal stands twice"},
        {twinning_text, "  families:\n",
         "  families:\n    - {family: compression_twin, initial_slip_resistance: 4e7, "
         "initial_hardening_rate: 5e7, hardening_by_slip: 5e7}\n",
         "mg.yaml:10: ", "slip.families[1].family = basal: need families of slip before twins"},
        {twinning_text, "{family: basal,", "{", "mg.yaml:9: ", "slip.families[0].family is missing"},
        {twinning_text, "hexagonal", "bcc24", "mg.yaml", "has no place beside crystal_structure = bcc24"},
        /* latent */
        {twinning_text, "exponent: 2.25", "exponent: 2.25, latent: [1, 1, 1]",
         "mg.yaml:10: ", "slip.families[0].latent has 3 entries: need 4, one a family"},
        {twinning_text, "exponent: 2.25", "exponent: 2.25, latent: [1, 1, 1, -1]",
         "mg.yaml:10: ", "slip.families[0].latent[3] = -1"},
        {twinning_text, "exponent: 2.25", "exponent: 2.25, self: -1",
         "mg.yaml:10: ", "slip.families[0].self = -1"},
        {ratios_text, "resistance: 10.0e6", "resistance: 10.0e6, latent: [1, 1, 1, 1]",
         "mg.yaml:9: ", "slip.families[0].latent has no place beside law = voce"},
        {ratios_text, "resistance: 10.0e6", "resistance: 10.0e6, self: 1",
         "mg.yaml:9: ", "slip.families[0].self has no place"},
        {twinning_text, "exponent: 2.25", "exponent: 2.25, lomer: 1.4", "mg.yaml:10: ",
         "slip.families[0].lomer has no place but in family \"111\" of crystal_structure fcc"},
        {ratios_text, "resistance: 10.0e6", "resistance: 10.0e6, collinear: 1",
         "mg.yaml:9: ", "slip.families[0].collinear has no place beside law = voce"},
        {twinning_text, "initial_hardening_rate: 0.5e9", "initial_hardening_rate: 500",
         "mg.yaml:", "initial_hardening_rate = 500: need Pa, 0 or from 1000"},
        {twinning_text, "  families:\n",
         "  families:\n    - {family: floor, systems: [[0, 0, 0, 1, 2, -1, -1, 0], [0, 0, 0, 1, -1, 2, -1, "
         "0], [0, 0, 0, 1, -1, -1, 2, 0]], "
         "initial_slip_resistance: 4e7, initial_hardening_rate: 5e7, saturation_resistance: 5e7, exponent: "
         "2}\n",
         "mg.yaml:", "slip.families[1]: its systems are those of floor already"},
        /* numbers of laws */
        {twinning_text, ", exponent: 2.25", "", "mg.yaml:9: ",
         "slip.families[0].exponent is missing: law = phenopowerlaw needs it of a family of slip"},
        {twinning_text, "initial_slip_resistance: 10.0e6, ", "",
         "mg.yaml:9: ", "slip.families[0].initial_slip_resistance is missing"},
        {twinning_text, "10.0e6", "10.0",
         "mg.yaml:9: ", "slip.families[0].initial_slip_resistance = 10.0: need Pa, from 1e4"},
        {twinning_text, "saturation_resistance: 40.0e6", "saturation_resistance: 9.0e6", "mg.yaml:10: ",
         "slip.families[0].saturation_resistance = 9e+06: need more than initial_slip_resistance"},
        {twinning_text, ",\n       hardening_by_slip: 50.0e6", "", "mg.yaml",
         "is missing: law = phenopowerlaw needs it of a family of twins"},
        {twinning_text, "hardening_by_slip", "exponent: 2, hardening_by_slip", "mg.yaml:16: ",
         "slip.families[3].exponent has no place beside law = phenopowerlaw in a family of twins"},
        {twinning_text, "hardening_by_slip", "saturation_by_twins: 2e6, hardening_by_slip", "mg.yaml:16: ",
         "slip.families[3].saturation_by_twins has no place beside law = phenopowerlaw in a family of twins"},
        {twinning_text, "law: phenopowerlaw", "law: extended_voce", "mg.yaml:10: ",
         "slip.families[0].saturation_resistance has no place beside law = extended_voce in a family of "
         "slip"},
        {ratios_text, "resistance: 10.0e6", "resistance: 10.0e6, exponent: 2",
         "mg.yaml:9: ", "slip.families[0].exponent has no place beside law = voce"},
        {ratios_text, "saturation_resistance: 120.0e6", "saturation_resistance: 20.0e6",
         "mg.yaml:13: ", "need more than slip.initial_slip_resistance"},
        {hexagonal_text, "law: phenopowerlaw", "law: phenopowerlaw, exponent: 2",
         "mg.yaml:15: ", "hardening.exponent"},
        {hexagonal_text, "  families:\n" BASAL, "  families: 3\n  self:\n" BASAL,
         "mg.yaml:8: ", "slip.families"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_material material = {.name = "untouched"};
        if (sw_material_parse("mg.yaml", edited(cases[i].text, cases[i].old, cases[i].new), &material) !=
            SW_ERR_INPUT)
            fail_msg("'%s' instead of '%s' is taken", cases[i].new, cases[i].old);
        assert_message_has(cases[i].place);
        assert_message_has(cases[i].what);
        assert_string_equal(material.name, "untouched");
        assert_null(strchr(sw_error_message(), '\n'));
    }
}

/* Basal, prismatic and pyramidal slip along <a> leave c as it is; twins one way lengthen it, and what slips both ways does not hold
 * them up. */
static void open_yield_surfaces_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *text, *new;
        int open;
    } cases[] = {{hexagonal_text, "pyramidal2_ca", 0},
                 {hexagonal_text, "pyramidal_a", 1},
                 {twinning_text, "pyramidal_a", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_material material;
        CHECK_OK(
            sw_material_parse("mg.yaml", edited(cases[i].text, "pyramidal2_ca", cases[i].new), &material));
        assert_int_equal(sw_material_is_open(&material), cases[i].open);
        assert_int_equal(sw_material_check_closed("who", &material), cases[i].open ? SW_ERR_INPUT : SW_OK);
        if (cases[i].open)
            assert_message_has("who: slip.families of magnesium reach no five independent strains");
    }
}

/* What lies on bounds, and metals on both sides of where the twin turns round. */
static void good_families_are_taken(void **state)
{
    (void)state;
    static const char *const edits[][2] = {{"1.6235", "1.568"},
                                           {"1.6235", "1.886"},
                                           {"exponent: 2.25", "exponent: 2.25, latent: [0, 1, 2, 1000]"},
                                           {"exponent: 2.25", "exponent: 2.25, saturation_by_twins: 1e6"},
                                           {"  families", "  initial_slip_resistance: 80.0e6\n  families"}};
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        sw_material material;
        CHECK_OK(sw_material_parse("mg.yaml", edited(twinning_text, edits[i][0], edits[i][1]), &material));
        CHECK_CLOSE(material.slip.initial_slip_resistance,
                    i == 4 ? 80e6 : (3 * 10e6 + 3 * 55e6 + 6 * 60e6 + 6 * 40e6) / 18, 1e-6);
    }
}

/* ---- Interactions ---- */

#define JUNCTIONS \
    "latent: [9], self: 1, coplanar: 2, collinear: 3, hirth: 4, glissile: 5, own_glissile: 6, lomer: 7"

/* Three rows of DAMASK's table of {111}<110> (src/crystal.f90, after Madec and Kubin 2017), whose kinds are numbered so: of BA(d),
 * BD(c) and CD(a). (In its rows AC(d) and CB(d) of 3.0.2 the pair with AB(c) is of the other glissile kind, as no cube has it.) */
static const double octahedral[12][2][3] = {
    {{0, 1, -1}, {1, 1, 1}},    {{-1, 0, 1}, {1, 1, 1}},    {{1, -1, 0}, {1, 1, 1}},
    {{0, -1, -1}, {-1, -1, 1}}, {{1, 0, 1}, {-1, -1, 1}},   {{-1, 1, 0}, {-1, -1, 1}},
    {{0, -1, 1}, {1, -1, -1}},  {{-1, 0, -1}, {1, -1, -1}}, {{1, 1, 0}, {1, -1, -1}},
    {{0, 1, 1}, {-1, 1, -1}},   {{1, 0, -1}, {-1, 1, -1}},  {{-1, -1, 0}, {-1, 1, -1}}};
static const struct {
    int row, kind[12];
} kinds[] = {{2, {2, 2, 1, 5, 5, 3, 6, 7, 4, 7, 6, 4}},
             {3, {4, 7, 6, 1, 2, 2, 4, 6, 7, 3, 5, 5}},
             {11, {7, 6, 4, 6, 7, 4, 5, 5, 3, 2, 2, 1}}};

static int system_like(const sw_slip_systems *s, const double like[2][3])
{
    for (int a = 0; a < s->count; a++) {
        double normal = 0, direction = 0;
        for (int i = 0; i < 3; i++) {
            direction += s->direction[a][i] * like[0][i] / sqrt(2);
            normal += s->normal[a][i] * like[1][i] / sqrt(3);
        }
        if (fabs(fabs(normal) - 1) < 1e-9 && fabs(fabs(direction) - 1) < 1e-9)
            return a;
    }
    fail_msg("no such system");
    return -1;
}

static void junctions_are_those_of_the_octahedron(void **state)
{
    (void)state;
    sw_material m;
    sw_slip_systems s;
    sw_slip_law law;
    CHECK_OK(sw_material_parse("cu.yaml",
                               edited(copper_latent, "latent: [1.4], coplanar: 1, self: 1", JUNCTIONS), &m));
    CHECK_OK(sw_material_systems(&m, &s));
    CHECK_OK(sw_slip_law_prepare(&m, &law));
    assert_int_equal(law.groups, 12);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const int a = system_like(&s, octahedral[kinds[k].row]);
        for (int j = 0; j < 12; j++) {
            const int b = system_like(&s, octahedral[j]);
            if (law.interaction[law.group[a]][law.group[b]] != (float)kinds[k].kind[j])
                fail_msg("row %d: %g with %d: need %d", kinds[k].row + 1,
                         law.interaction[law.group[a]][law.group[b]], j + 1, kinds[k].kind[j]);
        }
    }
    for (int a = 0; a < 12; a++) { /* all are alike to the cube */
        int count[8] = {0};
        for (int b = 0; b < 12; b++)
            count[(int)law.interaction[law.group[a]][law.group[b]]]++;
        assert_memory_equal(count, ((const int[8]){0, 1, 2, 1, 2, 2, 2, 2}), sizeof count);
    }
    CHECK_OK(sw_material_parse("cu.yaml", edited(copper_latent, "coplanar: 1, self: 1", "glissile: 3"), &m));
    CHECK_OK(sw_slip_law_prepare(&m, &law));
    for (int a = 0; a < 12; a++) { /* those that are not said are as latent */
        int glissile = 0;
        for (int b = 0; b < 12; b++)
            glissile += law.interaction[law.group[a]][law.group[b]] == 3;
        assert_int_equal(glissile, 4);
    }
}

/* ---- What is written ---- */

/* s0 is written only where it is not the families' mean, so that who edits them gets what follows. */
static void a_written_material_has_its_families(void **state)
{
    (void)state;
    static const char *const texts[] = {twinning_text, ratios_text};
    static char text[SW_MATERIAL_TEXT];
    for (int i = 0; i < 6; i++) {
        sw_material made, again;
        CHECK_OK(sw_material_parse("hexagonal", texts[i % 2], &made));
        made.c_over_a = 1 + 2.0 / 3;
        if (i % 2 == 0) {
            made.slip.family[2].self = 1.0 / 3;
            made.slip.family[0].latent_count = made.slip.family_count;
        }
        made.slip.initial_slip_resistance *= i / 2 == 1 ? 1.5 : 1;
        CHECK_OK((i / 2 == 2 ? sw_material_write_lines : sw_material_write_text)(&made, sizeof text, text));
        const char *const slip = strstr(text, "rate_sensitivity");
        assert_true((strstr(slip, "initial_slip_resistance") < strstr(slip, "families")) == (i / 2 == 1));
        CHECK_OK(sw_material_parse("again", text, &again));
        assert_memory_equal(&again, &made, sizeof made);
    }
}

/* The longest that there can be: all families, all keys, all digits. */
static void the_longest_material_has_room(void **state)
{
    (void)state;
    static char text[SW_MATERIAL_TEXT];
    sw_material m;
    CHECK_OK(sw_material_parse("hexagonal", twinning_text, &m));
    const sw_lattice *lattice = sw_material_lattice(&m);
    memset(m.name, '"', sizeof m.name - 1);
    m.slip.family_count = SW_FAMILIES_MAX;
    for (int k = 0; k < SW_FAMILIES_MAX; k++) {
        sw_slip_family *f = &m.slip.family[k];
        for (size_t i = 0; i < sizeof *f / sizeof(double); i++)
            ((double *)f)[i] = -1.2345678901234567e-300;
        snprintf(f->family, sizeof f->family, "%s", lattice->family[k % lattice->n_families].name);
        f->latent_count = SW_FAMILIES_MAX;
        f->system_count = SW_SLIP_SYSTEMS_MAX / SW_FAMILIES_MAX;
        for (int i = 0; i < 8 * f->system_count; i++)
            f->system[i / 8][i % 8] = -100;
    }
    CHECK_OK(sw_material_write_text(&m, sizeof text, text));
    CHECK_OK(sw_material_write_lines(&m, sizeof text, text));
}

/* ---- Hashes ---- */

static uint64_t hash_with(const char *old, const char *new)
{
    sw_material material;
    CHECK_OK(sw_material_parse("changed", edited(twinning_text, old, new), &material));
    return sw_material_hash(SW_HASH_START, &material);
}

/* Every number of a family and its name; a number of another key is another one. */
static void hashes_tell_families_apart(void **state)
{
    (void)state;
    static const char *const changes[][2] = {
        {"1.6235", "1.6235000000000002"},
        {"C33: 61.5e9", "C33: 61.500000000000008e9"},
        {"family: prismatic", "family: pyramidal_a"},
        {"initial_slip_resistance: 55.0e6", "initial_slip_resistance: 55.000000000000008e6"},
        {"exponent: 2.25", "exponent: 2.2500000000000004"},
        {"hardening_by_slip: 50.0e6", "hardening_by_slip: 50.000000000000008e6"},
        {"exponent: 2.25", "exponent: 2.25, self: 1.4"},
        {"exponent: 2.25", "exponent: 2.25, coplanar: 1.4"},
        {"exponent: 2.25", "exponent: 2.25, collinear: 1.4"},
        {"exponent: 2.25", "exponent: 2.25, latent: [1, 1, 1, 1.4]"},
        {"exponent: 2.25", "exponent: 2.25, latent: [1, 1, 1.4, 1]"},
        {"exponent: 2.25", "exponent: 2.25, saturation_by_twins: 1.4e6"},
        {"hardening_by_slip: 50.0e6", "hardening_by_slip: 50.0e6, self: 1.4"},
        {"hardening_by_slip: 50.0e6}",
         "hardening_by_slip: 50.0e6}\n    - {family: compression_twin, "
         "initial_slip_resistance: 40.0e6, initial_hardening_rate: 50.0e6, hardening_by_slip: 50.0e6}"},
        {"  families", "  initial_slip_resistance: 80.0e6\n  families"},
        {"mag", "mag"}};
    enum { CHANGES = sizeof changes / sizeof *changes };
    uint64_t h[CHANGES];
    for (size_t i = 0; i < CHANGES; i++) {
        h[i] = hash_with(changes[i][0], changes[i][1]);
        for (size_t k = 0; k < i; k++)
            if (h[k] == h[i])
                fail_msg("'%s' and '%s' have one hash", changes[k][1], changes[i][1]);
    }
    assert_true(h[CHANGES - 1] == hash_with("magnesium", "another name"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_families_are_refused_with_their_place),
        cmocka_unit_test(open_yield_surfaces_are_told),
        cmocka_unit_test(good_families_are_taken),
        cmocka_unit_test(junctions_are_those_of_the_octahedron),
        cmocka_unit_test(a_written_material_has_its_families),
        cmocka_unit_test(the_longest_material_has_room),
        cmocka_unit_test(hashes_tell_families_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
