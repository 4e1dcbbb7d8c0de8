/* Material files: schema, bounds, and the struct they fill. */
#include "common/job/yaml.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A material as its file spells it: names where sw_material has members of an enum. */
typedef struct {
    sw_material material;
    char *crystal_structure;
    char *law;
} material_file;

#define MATERIAL_NUMBER(key, member) \
    CYAML_FIELD_FLOAT(key, CYAML_FLAG_DEFAULT, material_file, material.member)

static const cyaml_schema_field_t elasticity_fields[] = {
    MATERIAL_NUMBER("C11", elasticity.c11),
    MATERIAL_NUMBER("C12", elasticity.c12),
    MATERIAL_NUMBER("C44", elasticity.c44),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t slip_fields[] = {
    MATERIAL_NUMBER("reference_slip_rate", slip.reference_slip_rate),
    MATERIAL_NUMBER("rate_sensitivity", slip.rate_sensitivity),
    MATERIAL_NUMBER("initial_slip_resistance", slip.initial_slip_resistance),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t hardening_fields[] = {
    CYAML_FIELD_STRING_PTR("law", CYAML_FLAG_POINTER, material_file, law, 1, CYAML_UNLIMITED),
    MATERIAL_NUMBER("initial_hardening_rate", hardening.initial_hardening_rate),
    MATERIAL_NUMBER("saturation_resistance", hardening.saturation_resistance),
    MATERIAL_NUMBER("exponent", hardening.exponent),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t material_fields[] = {
    CYAML_FIELD_STRING("name", CYAML_FLAG_DEFAULT, material_file, material.name, 1),
    CYAML_FIELD_IGNORE("source", CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_STRING_PTR("crystal_structure", CYAML_FLAG_POINTER, material_file, crystal_structure, 1,
                           CYAML_UNLIMITED),
    SW_YAML_SECTION("elasticity", CYAML_FLAG_DEFAULT, material_file, elasticity_fields),
    SW_YAML_SECTION("slip", CYAML_FLAG_DEFAULT, material_file, slip_fields),
    SW_YAML_SECTION("hardening", CYAML_FLAG_DEFAULT, material_file, hardening_fields),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t material_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, material_file, material_fields),
};

static sw_status choose(const sw_yaml *yaml, const char *key, const char *value, int count,
                        const char *const *names, int *index)
{
    char bound[256];
    *index = sw_yaml_choose(value, count, names, bound, sizeof bound);
    return *index >= 0 ? SW_OK : sw_yaml_error(yaml, key, " = %.80s: need %s", value, bound);
}

static sw_status translate_names(const sw_yaml *yaml, const material_file *file, sw_material *material)
{
    static const char *const laws[] = {[SW_HARDENING_VOCE] = "voce"};
    const char *structures[SW_CRYSTAL_STRUCTURE_COUNT];
    for (int i = 0; i < SW_CRYSTAL_STRUCTURE_COUNT; i++)
        structures[i] = sw_slip_systems_of((sw_crystal_structure)i)->name;

    int structure, law;
    SW_TRY(choose(yaml, "crystal_structure", file->crystal_structure, SW_CRYSTAL_STRUCTURE_COUNT, structures,
                  &structure));
    SW_TRY(choose(yaml, "hardening.law", file->law, (int)CYAML_ARRAY_LEN(laws), laws, &law));
    material->crystal_structure = (sw_crystal_structure)structure;
    material->hardening.law = (sw_hardening_law)law;
    return SW_OK;
}

static int within(double value, double least, double most) { return value >= least && value <= most; }

/* Bounds of physics first, then of sense: the ranges in Pa leave an order of magnitude or more on
 * either side of any metal, and none for a value that was meant in MPa or GPa. */
static sw_status check_material(const sw_yaml *yaml, const sw_material *material)
{
    const double c11 = material->elasticity.c11, c12 = material->elasticity.c12,
                 c44 = material->elasticity.c44;
    const double rate = material->slip.reference_slip_rate, m = material->slip.rate_sensitivity;
    const double s0 = material->slip.initial_slip_resistance, s_s = material->hardening.saturation_resistance;
    const double h0 = material->hardening.initial_hardening_rate, a = material->hardening.exponent;
    char above_c12[64], above_c11[64], above_s0[64];
    snprintf(above_c12, sizeof above_c12, "C11 > |C12| (C12 = %g)", c12);
    snprintf(above_c11, sizeof above_c11, "C11 + 2 C12 > 0 (C11 = %g)", c11);
    snprintf(above_s0, sizeof above_s0, "more than slip.initial_slip_resistance (%g)", s0);
    const struct {
        const char *key;
        double value;
        int holds;
        const char *bound;
    } rules[] = {
        {"elasticity.C44", c44, c44 > 0, "C44 > 0"},
        {"elasticity.C11", c11, c11 > fabs(c12), above_c12},
        {"elasticity.C12", c12, c11 + 2 * c12 > 0, above_c11},
        {"elasticity.C11", c11, within(c11, 1e6, 1e13), "Pa, from 1e6 to 1e13"},
        {"elasticity.C44", c44, within(c44, 1e6, 1e13), "Pa, from 1e6 to 1e13"},
        {"slip.reference_slip_rate", rate, rate > 0, "reference_slip_rate > 0"},
        {"slip.reference_slip_rate", rate, within(rate, 1e-20, 1e20), "1/s, from 1e-20 to 1e20"},
        {"slip.rate_sensitivity", m, m > 0 && m <= 1, "0 < m <= 1"},
        {"slip.rate_sensitivity", m, m >= 1e-4, "m >= 1e-4, to converge"},
        {"slip.initial_slip_resistance", s0, s0 > 0, "initial_slip_resistance > 0"},
        {"slip.initial_slip_resistance", s0, within(s0, 1e4, 1e11), "Pa, from 1e4 to 1e11"},
        {"hardening.initial_hardening_rate", h0, h0 >= 0, "initial_hardening_rate >= 0"},
        {"hardening.initial_hardening_rate", h0, h0 == 0 || within(h0, 1e4, 1e13),
         "Pa, 0 or from 1e4 to 1e13"},
        {"hardening.saturation_resistance", s_s, s_s > s0, above_s0},
        {"hardening.saturation_resistance", s_s, within(s_s, 1e4, 1e12), "Pa, from 1e4 to 1e12"},
        {"hardening.exponent", a, within(a, 1, 100), "1 <= exponent <= 100"},
    };
    for (size_t i = 0; i < CYAML_ARRAY_LEN(rules); i++)
        SW_TRY(sw_yaml_need(yaml, rules[i].key, rules[i].value, rules[i].holds, rules[i].bound));
    return SW_OK;
}

sw_status sw_material_parse(const char *path, const char *text, sw_material *material)
{
    sw_yaml *yaml;
    void *data;
    SW_TRY(sw_yaml_load(path, text, &material_schema, &yaml, &data));
    material_file *file = data;
    sw_status status = translate_names(yaml, file, &file->material);
    if (status == SW_OK)
        status = check_material(yaml, &file->material);
    if (status == SW_OK)
        *material = file->material;
    sw_yaml_free_data(&material_schema, data);
    sw_yaml_close(yaml);
    return status;
}

sw_status sw_material_read(const char *path, sw_material *material)
{
    char *text;
    SW_TRY(sw_read_text(path, &text));
    sw_status status = sw_material_parse(path, text, material);
    free(text);
    return status;
}

sw_status sw_material_open(const char *path, sw_material **material)
{
    sw_material read;
    *material = NULL;
    SW_TRY(sw_material_read(path, &read));
    SW_TRY(SW_ALLOCATE(*material, 1, "a material"));
    **material = read;
    return SW_OK;
}

void sw_material_close(sw_material *material) { free(material); }
