#include "alloy_file.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* ---- Schema ---- */

#define NAME(key, structure, member) CYAML_FIELD_STRING(key, CYAML_FLAG_DEFAULT, structure, member, 1)
#define WORD(key, flags, structure, member) \
    CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | (flags), structure, member, 1, CYAML_UNLIMITED)
#define NUMBER(key, structure, member) CYAML_FIELD_FLOAT(key, CYAML_FLAG_DEFAULT, structure, member)
#define OPTIONAL(key, structure, member) CYAML_FIELD_FLOAT(key, CYAML_FLAG_OPTIONAL, structure, member)

#define AMOUNT_SCHEMA(name, name_key, value_key)                                                           \
    static const cyaml_schema_field_t name##_fields[] = {                                                  \
        NAME(name_key, sw_kwn_amount, element), NUMBER(value_key, sw_kwn_amount, value), CYAML_FIELD_END}; \
    static const cyaml_schema_value_t name##_schema = {                                                    \
        CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sw_kwn_amount, name##_fields)}

AMOUNT_SCHEMA(count, "element", "count");
AMOUNT_SCHEMA(exponent, "solute", "exponent");
AMOUNT_SCHEMA(coefficient, "solute", "coefficient");

static const cyaml_schema_field_t table_fields[] = {
    NUMBER("temperature", sw_kwn_solvus_entry, temperature),
    NUMBER("product", sw_kwn_solvus_entry, product),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t table_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sw_kwn_solvus_entry, table_fields),
};

static const cyaml_schema_field_t solvus_fields[] = {
    CYAML_FIELD_SEQUENCE("product", CYAML_FLAG_OPTIONAL, sw_kwn_phase_entry, product.entry, &exponent_schema,
                         1, SW_KWN_SOLUTES),
    OPTIONAL("constant", sw_kwn_phase_entry, constant),
    OPTIONAL("prefactor", sw_kwn_phase_entry, phase.solvus.prefactor),
    OPTIONAL("enthalpy", sw_kwn_phase_entry, phase.solvus.enthalpy),
    CYAML_FIELD_SEQUENCE_COUNT("table", CYAML_FLAG_OPTIONAL, sw_kwn_phase_entry, table, phase.solvus.n_table,
                               &table_schema, 2, SW_KWN_TABLE),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t nucleation_fields[] = {
    WORD("law", CYAML_FLAG_DEFAULT, sw_kwn_phase_entry, law),
    WORD("sites", CYAML_FLAG_OPTIONAL, sw_kwn_phase_entry, sites),
    OPTIONAL("dislocation_density", sw_kwn_phase_entry, dislocation_density),
    OPTIONAL("grain_size", sw_kwn_phase_entry, grain_size),
    OPTIONAL("barrier_factor", sw_kwn_phase_entry, phase.nucleation.barrier_factor),
    WORD("incubation", CYAML_FLAG_OPTIONAL, sw_kwn_phase_entry, incubation),
    OPTIONAL("nucleus_multiple", sw_kwn_phase_entry, phase.nucleation.nucleus_multiple),
    OPTIONAL("rate", sw_kwn_phase_entry, phase.nucleation.rate),
    OPTIONAL("barrier", sw_kwn_phase_entry, phase.nucleation.barrier),
    OPTIONAL("activation_energy", sw_kwn_phase_entry, phase.nucleation.activation_energy),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t phase_fields[] = {
    NAME("name", sw_kwn_phase_entry, phase.name),
    CYAML_FIELD_SEQUENCE("stoichiometry", CYAML_FLAG_DEFAULT, sw_kwn_phase_entry, stoichiometry.entry,
                         &count_schema, 1, SW_KWN_SOLUTES + 1),
    OPTIONAL("molar_volume", sw_kwn_phase_entry, phase.molar_volume),
    OPTIONAL("atomic_volume", sw_kwn_phase_entry, phase.atomic_volume),
    NUMBER("interfacial_energy", sw_kwn_phase_entry, phase.interfacial_energy),
    NAME("growth_limiting_solute", sw_kwn_phase_entry, limiting_solute),
    SW_YAML_SECTION("solvus", CYAML_FLAG_DEFAULT, sw_kwn_phase_entry, solvus_fields),
    SW_YAML_SECTION("nucleation", CYAML_FLAG_DEFAULT, sw_kwn_phase_entry, nucleation_fields),
    OPTIONAL("shearable_radius", sw_kwn_phase_entry, phase.shearable_radius),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t phase_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sw_kwn_phase_entry, phase_fields),
};

static const cyaml_schema_field_t diffusivity_fields[] = {
    NUMBER("prefactor", sw_kwn_solute_entry, solute.prefactor),
    NUMBER("activation_energy", sw_kwn_solute_entry, solute.activation_energy),
    CYAML_FIELD_END,
};
static const cyaml_schema_field_t solute_fields[] = {
    NAME("element", sw_kwn_solute_entry, solute.element),
    NUMBER("molar_mass", sw_kwn_solute_entry, molar_mass),
    NUMBER("concentration", sw_kwn_solute_entry, solute.concentration),
    SW_YAML_SECTION("diffusivity", CYAML_FLAG_DEFAULT, sw_kwn_solute_entry, diffusivity_fields),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t solute_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sw_kwn_solute_entry, solute_fields),
};

static const cyaml_schema_field_t matrix_fields[] = {
    NAME("element", sw_kwn_alloy_file, matrix),
    NUMBER("molar_volume", sw_kwn_alloy_file, matrix_volume),
    NUMBER("molar_mass", sw_kwn_alloy_file, matrix_mass),
    NUMBER("lattice_parameter", sw_kwn_alloy_file, alloy.lattice_parameter),
    CYAML_FIELD_END,
};
static const cyaml_schema_field_t strength_fields[] = {
    NUMBER("lattice_resistance", sw_kwn_alloy_file, alloy.strength.lattice_resistance),
    NUMBER("taylor_factor", sw_kwn_alloy_file, alloy.strength.taylor_factor),
    NUMBER("shear_modulus", sw_kwn_alloy_file, alloy.strength.shear_modulus),
    NUMBER("burgers_vector", sw_kwn_alloy_file, alloy.strength.burgers_vector),
    NUMBER("line_tension_factor", sw_kwn_alloy_file, alloy.strength.line_tension_factor),
    CYAML_FIELD_SEQUENCE("solid_solution", CYAML_FLAG_OPTIONAL, sw_kwn_alloy_file, solid_solution.entry,
                         &coefficient_schema, 1, SW_KWN_SOLUTES),
    OPTIONAL("solid_solution_exponent", sw_kwn_alloy_file, alloy.strength.solid_solution_exponent),
    OPTIONAL("particle_sum_exponent", sw_kwn_alloy_file, alloy.strength.particle_sum_exponent),
    OPTIONAL("hardness_slope", sw_kwn_alloy_file, alloy.strength.hardness_slope),
    OPTIONAL("hardness_intercept", sw_kwn_alloy_file, alloy.strength.hardness_intercept),
    CYAML_FIELD_END,
};
static const cyaml_schema_field_t alloy_fields[] = {
    NAME("name", sw_kwn_alloy_file, alloy.name),
    CYAML_FIELD_IGNORE("source", CYAML_FLAG_OPTIONAL),
    SW_YAML_SECTION("matrix", CYAML_FLAG_DEFAULT, sw_kwn_alloy_file, matrix_fields),
    WORD("concentration_unit", CYAML_FLAG_DEFAULT, sw_kwn_alloy_file, concentration_unit),
    CYAML_FIELD_SEQUENCE_COUNT("solutes", CYAML_FLAG_DEFAULT, sw_kwn_alloy_file, solute, alloy.n_solutes,
                               &solute_schema, 1, SW_KWN_SOLUTES),
    CYAML_FIELD_SEQUENCE_COUNT("phases", CYAML_FLAG_DEFAULT, sw_kwn_alloy_file, phase, alloy.n_phases,
                               &phase_schema, 1, SW_KWN_PHASES),
    SW_YAML_SECTION("strength", CYAML_FLAG_OPTIONAL, sw_kwn_alloy_file, strength_fields),
    CYAML_FIELD_END,
};
const cyaml_schema_value_t sw_kwn_alloy_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, sw_kwn_alloy_file, alloy_fields),
};

/* ---- Bounds ---- */

/* least <= value <= most (least = DBL_MIN: > 0), and a value that is not 0 is at least `smallest` in size:
 * one meant in MPa or kJ/mol is not. `standard`: of a key that is absent. */
typedef struct {
    const char *key, *unit;
    size_t member;
    double least, most, smallest, standard;
} number;

#define ALLOY(member) offsetof(sw_kwn_alloy_file, member)
#define STRENGTH(member) offsetof(sw_kwn_alloy_file, alloy.strength.member)
#define SOLUTE(member) offsetof(sw_kwn_solute_entry, member)
#define PHASE(member) offsetof(sw_kwn_phase_entry, member)
#define TABLE(member) offsetof(sw_kwn_solvus_entry, member)
#define AMOUNT(member) offsetof(sw_kwn_amount, member)
#define NUCLEATION(member) offsetof(sw_kwn_phase_entry, phase.nucleation.member)

static const number alloy_numbers[] = {
    {"matrix.molar_volume", "m^3/mol", ALLOY(matrix_volume), 1e-6, 1e-3, 0, 0},
    {"matrix.molar_mass", "kg/mol", ALLOY(matrix_mass), 1e-3, 0.3, 0, 0},
    {"matrix.lattice_parameter", "m", ALLOY(alloy.lattice_parameter), 1e-10, 2e-9, 0, 0},
};

static const number solute_numbers[] = {
    {"molar_mass", "kg/mol", SOLUTE(molar_mass), 1e-3, 0.3, 0, 0},
    {"concentration", "", SOLUTE(solute.concentration), 0, 100, 0, 0},
    {"diffusivity.prefactor", "m^2/s", SOLUTE(solute.prefactor), 1e-12, 1e2, 0, 0},
    {"diffusivity.activation_energy", "J/mol", SOLUTE(solute.activation_energy), 0, 1e6, 1e3, 0},
};

static const number phase_numbers[] = {
    {"molar_volume", "m^3/mol", PHASE(phase.molar_volume), 1e-6, 1e-3, 0, 0},
    {"atomic_volume", "m^3", PHASE(phase.atomic_volume), 1e-30, 1e-27, 0, 0},
    {"interfacial_energy", "J/m^2", PHASE(phase.interfacial_energy), 1e-4, 5, 0, 0},
    {"solvus.constant", "", PHASE(constant), DBL_MIN, 1e60, 0, 0},
    {"solvus.prefactor", "", PHASE(phase.solvus.prefactor), DBL_MIN, 1e60, 0, 0},
    {"solvus.enthalpy", "J/mol", PHASE(phase.solvus.enthalpy), -1e6, 1e6, 1e3, 0},
    {"nucleation.dislocation_density", "1/m^2", PHASE(dislocation_density), 1e6, 1e18, 0, 0},
    {"nucleation.grain_size", "m", PHASE(grain_size), 1e-9, 1, 0, 0},
    {"nucleation.barrier_factor", "", NUCLEATION(barrier_factor), DBL_MIN, 1, 0, 1},
    {"nucleation.nucleus_multiple", "", NUCLEATION(nucleus_multiple), 1, 3, 0, 1.05},
    {"nucleation.rate", "1/(m^3 s)", NUCLEATION(rate), DBL_MIN, 1e60, 0, 0},
    {"nucleation.barrier", "J/mol", NUCLEATION(barrier), 100, 1e6, 0, 0},
    {"nucleation.activation_energy", "J/mol", NUCLEATION(activation_energy), 0, 1e6, 1e3, 0},
    {"shearable_radius", "m", PHASE(phase.shearable_radius), 1e-10, 1e-6, 0, 5e-9},
};

static const number table_numbers[] = {
    {"temperature", "K", TABLE(temperature), 1, 5000, 0, 0},
    {"product", "", TABLE(product), DBL_MIN, 1e60, 0, 0},
};

static const number strength_numbers[] = {
    {"strength.lattice_resistance", "Pa", STRENGTH(lattice_resistance), 0, 1e10, 1e3, 0},
    {"strength.taylor_factor", "", STRENGTH(taylor_factor), 1, 10, 0, 0},
    {"strength.shear_modulus", "Pa", STRENGTH(shear_modulus), 1e8, 1e12, 0, 0},
    {"strength.burgers_vector", "m", STRENGTH(burgers_vector), 1e-11, 1e-8, 0, 0},
    {"strength.line_tension_factor", "", STRENGTH(line_tension_factor), 1e-3, 2, 0, 0},
    {"strength.solid_solution_exponent", "", STRENGTH(solid_solution_exponent), 0.1, 2, 0, 2.0 / 3},
    {"strength.particle_sum_exponent", "", STRENGTH(particle_sum_exponent), 0.5, 4, 0, 2},
    {"strength.hardness_slope", "HV/Pa", STRENGTH(hardness_slope), 0, 1e-4, 0, 0},
    {"strength.hardness_intercept", "HV", STRENGTH(hardness_intercept), -1e3, 1e3, 0, 0},
};

static const number count_number = {"count", "", AMOUNT(value), DBL_MIN, 200, 0, 0};
static const number exponent_number = {"exponent", "", AMOUNT(value), 0.01, 200, 0, 0};
static const number coefficient_number = {"coefficient", "Pa", AMOUNT(value), 0, 1e13, 1e3, 0};

static sw_status check_number(const sw_oldyaml *yaml, const char *prefix, const number *number, void *structure)
{
    double *value = (double *)(void *)((char *)structure + number->member);
    char key[SW_KWN_KEY_SIZE], bound[128], smallest[48] = "";
    snprintf(key, sizeof key, "%s%s", prefix, number->key);
    if (!sw_oldyaml_has(yaml, key)) {
        *value = number->standard;
        return SW_OK;
    }
    if (number->smallest > 0)
        snprintf(smallest, sizeof smallest, ", %g or more in size unless 0", number->smallest);
    const char *comma = *number->unit == '\0' ? "" : ", ";
    if (number->least == DBL_MIN)
        snprintf(bound, sizeof bound, "%s%smore than 0, at most %g%s", number->unit, comma, number->most,
                 smallest);
    else
        snprintf(bound, sizeof bound, "%s%sfrom %g to %g%s", number->unit, comma, number->least, number->most,
                 smallest);
    const int holds = *value >= number->least && *value <= number->most &&
                      (*value == 0 || fabs(*value) >= number->smallest);
    return sw_oldyaml_need(yaml, key, *value, holds, bound);
}

/* n structures of `size` bytes. */
static sw_status check_list(const sw_oldyaml *yaml, const char *list, int n, void *structures, size_t size,
                            size_t n_numbers, const number *numbers)
{
    for (int i = 0; i < n; i++) {
        char prefix[SW_KWN_KEY_SIZE];
        snprintf(prefix, sizeof prefix, "%s[%d].", list, i);
        for (size_t k = 0; k < n_numbers; k++)
            SW_TRY(check_number(yaml, prefix, &numbers[k], (char *)structures + size * (size_t)i));
    }
    return SW_OK;
}

static sw_status check_amounts(const sw_oldyaml *yaml, const char *list, sw_kwn_amounts *amounts,
                               const number *number)
{
    return check_list(yaml, list, amounts->entry_count, amounts->entry, sizeof *amounts->entry, 1, number);
}

static sw_status check_phase_lists(const sw_oldyaml *yaml, int p, sw_kwn_phase_entry *phase)
{
    char list[64];
    snprintf(list, sizeof list, "phases[%d].stoichiometry", p);
    SW_TRY(check_amounts(yaml, list, &phase->stoichiometry, &count_number));
    snprintf(list, sizeof list, "phases[%d].solvus.product", p);
    SW_TRY(check_amounts(yaml, list, &phase->product, &exponent_number));
    snprintf(list, sizeof list, "phases[%d].solvus.table", p);
    return check_list(yaml, list, phase->phase.solvus.n_table, phase->table, sizeof *phase->table,
                      CYAML_ARRAY_LEN(table_numbers), table_numbers);
}

sw_status sw_kwn_alloy_check_numbers(const sw_oldyaml *yaml, sw_kwn_alloy_file *file)
{
    for (size_t k = 0; k < CYAML_ARRAY_LEN(alloy_numbers); k++)
        SW_TRY(check_number(yaml, "", &alloy_numbers[k], file));
    SW_TRY(check_list(yaml, "solutes", file->alloy.n_solutes, file->solute, sizeof *file->solute,
                      CYAML_ARRAY_LEN(solute_numbers), solute_numbers));
    SW_TRY(check_list(yaml, "phases", file->alloy.n_phases, file->phase, sizeof *file->phase,
                      CYAML_ARRAY_LEN(phase_numbers), phase_numbers));
    for (int p = 0; p < file->alloy.n_phases; p++)
        SW_TRY(check_phase_lists(yaml, p, &file->phase[p]));
    if (!sw_oldyaml_has(yaml, "strength"))
        return SW_OK;
    for (size_t k = 0; k < CYAML_ARRAY_LEN(strength_numbers); k++)
        SW_TRY(check_number(yaml, "", &strength_numbers[k], file));
    return check_amounts(yaml, "strength.solid_solution", &file->solid_solution, &coefficient_number);
}
