/* Alloys of the tests that follow histories, and points of them. */
#ifndef SW_TESTS_ONLINE_KWN_POINTS_ALLOYS_H
#define SW_TESTS_ONLINE_KWN_POINTS_ALLOYS_H

#include "tests/test.h"

#include "online/kwn/backend/backend.h"
#include "online/kwn/job/alloy_file.h"

static inline sw_kwn_alloy alloy_file(const char *name)
{
    sw_kwn_alloy alloy;
    CHECK_OK(sw_kwn_alloy_read(data_path("alloys/%s", name), &alloy));
    return alloy;
}

static inline sw_kwn_phase phase_of(const char *name, double mg, double si, double volume)
{
    return (sw_kwn_phase){.name = {name[0], name[1], name[2]},
                          .concentration = {mg, si},
                          .molar_volume = volume,
                          .atomic_volume = volume / SW_AVOGADRO_CONSTANT,
                          .nucleation = {.law = SW_NUCLEATION_CLASSICAL,
                                         .incubation = SW_INCUBATION_RUSSELL,
                                         .site_density = 1e25,
                                         .barrier_factor = 1,
                                         .nucleus_multiple = 1.1},
                          .shearable_radius = 5e-9};
}

/* M2S has the product solvus c_Mg^2 c_Si (600 K); MgX takes Mg as well (560 K). */
static inline sw_kwn_alloy two_phases(void)
{
    sw_kwn_alloy alloy = {
        .name = "two phases",
        .atomic_volume = 1e-5 / SW_AVOGADRO_CONSTANT,
        .lattice_parameter = 4.05e-10,
        .n_solutes = 2,
        .n_phases = 2,
        .solute = {{"Mg", 2.2e-4, 130e3, 0.007, 1}, {"Si", 2.02e-4, 136e3, 0.0096, 1}},
        .phase = {phase_of("M2S", 2 / 3.95, 1 / 3.95, 3.95e-5), phase_of("MgX", 0.5, 0, 2e-5)}};
    alloy.phase[0].interfacial_energy = 0.1;
    alloy.phase[0].solvus = (sw_kwn_solvus){.exponent = {2, 1}, .prefactor = 253, .enthalpy = 100e3};
    alloy.phase[1].interfacial_energy = 0.04;
    alloy.phase[1].solvus = (sw_kwn_solvus){.exponent = {1, 0}, .prefactor = 5.28, .enthalpy = 30e3};
    alloy.phase[1].nucleation.incubation = SW_INCUBATION_KAMPMANN_WAGNER;
    return alloy;
}

static inline sw_kwn_alloy product_solvus(void)
{
    sw_kwn_alloy alloy = two_phases();
    alloy.n_phases = 1;
    return alloy;
}

static inline sw_kwn_alloy aa6082(void) { return alloy_file("al-mg-si-6082.yaml"); }

static inline sw_kwn *open_points(const sw_kwn_alloy *alloy, int64_t n, const double *composition, double at)
{
    const sw_kwn_options options = sw_kwn_defaults();
    sw_kwn *kwn;
    CHECK_OK(sw_kwn_open(alloy, &options, n, composition, at, &kwn));
    return kwn;
}

#endif
