/* Materials whose families of slip systems have their own resistances. */
#ifndef SW_TESTS_FAMILIES_H
#define SW_TESTS_FAMILIES_H

#include "test.h"

#include <limits.h>

#include "common/crystal/material_file.h"

#define FAMILY(name, s0, h0, saturation, rest)                                              \
    "    - {family: " name ", initial_slip_resistance: " s0 ", initial_hardening_rate: " h0 \
    ", saturation_resistance: " saturation ", exponent: 2.25" rest "}\n"
#define HEXAGONAL                                                                           \
    "crystal_structure: hexagonal\n"                                                        \
    "c_over_a: 1.6235\n"                                                                    \
    "elasticity: {C11: 59.3e9, C33: 61.5e9, C44: 16.4e9, C12: 25.7e9, C13: 21.4e9}\n"       \
    "slip:\n  reference_slip_rate: 1.0e-3\n  rate_sensitivity: 0.05\n  families:\n" FAMILY( \
        "basal", "10.0e6", "0.5e9", "40.0e6", "") FAMILY("prismatic", "55.0e6", "0.5e9", "135.0e6", "")

/* 12 systems; 18, six of them twins; 24, likewise. */
static const char hexagonal_12[] = "name: hexagonal 12\n" HEXAGONAL FAMILY(
    "pyramidal2_ca", "60.0e6", "0.5e9", "150.0e6", "") "hardening: {law: phenopowerlaw}\n";
#define TWIN                                                                                         \
    "    - {family: tension_twin, initial_slip_resistance: 40.0e6, initial_hardening_rate: 50.0e6, " \
    "hardening_by_slip: 150.0e6}\nhardening: {law: phenopowerlaw}\n"
static const char hexagonal_18[] =
    "name: hexagonal 18\n" HEXAGONAL FAMILY("pyramidal2_ca", "60.0e6", "0.5e9", "150.0e6", "") TWIN;
static const char hexagonal_24[] =
    "name: hexagonal 24\n" HEXAGONAL FAMILY("pyramidal_ca", "60.0e6", "0.5e9", "150.0e6", "") TWIN;

/* 18, whose twins turn crystals. */
static const char hexagonal_turning[] = "name: hexagonal turning\n" HEXAGONAL FAMILY(
    "pyramidal2_ca", "60.0e6", "0.5e9", "150.0e6",
    "") "    - {family: tension_twin, initial_slip_resistance: 40.0e6, initial_hardening_rate: 50.0e6, "
        "hardening_by_slip: 150.0e6, twin_threshold: 0.3, twin_threshold_rise: 0.5}\nhardening: {law: "
        "phenopowerlaw}\n";

/* From which volume goes to twins. */
#define VOCE_FAMILY(name, s0, rest)                                                           \
    "    - {family: " name ", initial_slip_resistance: " s0 ", saturation_increase: 30.0e6, " \
    "initial_hardening_rate: 0.5e9, final_hardening_rate: 10.0e6" rest "}\n"
static const char hexagonal_transferring[] =
    "name: hexagonal transferring\ncrystal_structure: hexagonal\nc_over_a: 1.6235\n"
    "elasticity: {C11: 59.3e9, C33: 61.5e9, C44: 16.4e9, C12: 25.7e9, C13: 21.4e9}\n"
    "slip:\n  reference_slip_rate: 1.0e-3\n  rate_sensitivity: 0.05\n  families:\n" VOCE_FAMILY("basal",
                                                                                                "10.0e6", "")
        VOCE_FAMILY("prismatic", "55.0e6", "") VOCE_FAMILY("pyramidal2_ca", "60.0e6", "") VOCE_FAMILY(
            "tension_twin", "40.0e6", ", twin_threshold: 0.1, twin_transfer: yes") "hardening: {law: "
                                                                                   "extended_voce}\n";

/* Copper with latent hardening, and with one resistance in one family. */
#define COPPER                                                \
    "crystal_structure: fcc\n"                                \
    "elasticity: {C11: 168.7e9, C12: 121.7e9, C44: 75.0e9}\n" \
    "slip:\n  reference_slip_rate: 1.0e-3\n  rate_sensitivity: 0.02\n"
static const char copper_latent[] =
    "name: latent\n" COPPER
    "  families:\n" FAMILY("\"111\"", "16.0e6", "180.0e6", "148.0e6",
                           ", latent: [1.4], coplanar: 1, self: 1") "hardening: {law: phenopowerlaw}\n";
#define VOCE                                                                                             \
    "hardening: {law: voce, initial_hardening_rate: 180.0e6, saturation_resistance: 148.0e6, exponent: " \
    "2.25}\n"
static const char copper_alone[] = "name: alone\n" COPPER "  initial_slip_resistance: 16.0e6\n" VOCE;
static const char copper_scaled[] =
    "name: scaled\n" COPPER "  families: [{family: \"111\", initial_slip_resistance: 16.0e6}]\n" VOCE;
static const char copper_alike[] =
    "name: alike\n" COPPER
    "  families:\n" FAMILY("\"111\"", "16.0e6", "180.0e6", "148.0e6", "") "hardening: {law: phenopowerlaw}\n";

/* Zinc's elastic constants, of which the coupling is the largest among metals; it yields late, or early. */
#define ZINC(resistance)                                                                                    \
    "name: zinc\ncrystal_structure: hexagonal\nc_over_a: 1.856\n"                                           \
    "elasticity: {C11: 163.7e9, C12: 36.4e9, C13: 53.0e9, C33: 63.5e9, C44: 38.8e9}\n"                      \
    "slip:\n  reference_slip_rate: 1.0e-3\n  rate_sensitivity: 0.05\n  families:\n"                         \
    "    - {family: basal, initial_slip_resistance: " resistance ", initial_hardening_rate: 0.1e9, "        \
    "saturation_resistance: 2000.0e6, exponent: 2.25}\n"                                                    \
    "    - {family: pyramidal_ca, initial_slip_resistance: " resistance ", initial_hardening_rate: 0.1e9, " \
    "saturation_resistance: 2000.0e6, exponent: 2.25}\nhardening: {law: phenopowerlaw}\n"

static inline sw_material material_of(const char *text)
{
    sw_material m;
    CHECK_OK(sw_material_parse("families.yaml", text, &m));
    return m;
}

#endif
