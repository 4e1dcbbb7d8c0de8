#include "alloy_file.h"

/* Bounds leave an order of magnitude or more on either side of any alloy, and none for a value that was meant
 * in MPa, kJ/mol or nm. */

/* ---- Matrix and solutes ---- */

static const sw_key matrix_keys[] = {
    {SW_NAME("element", sw_kwn_alloy_file, matrix), .needed = 1},
    {SW_REAL("molar_volume", sw_kwn_alloy_file, matrix_volume, 1e-6, 1e-3), .unit = "m^3/mol", .needed = 1},
    {SW_REAL("molar_mass", sw_kwn_alloy_file, matrix_mass, 1e-3, 0.3), .unit = "kg/mol", .needed = 1},
    {SW_REAL("lattice_parameter", sw_kwn_alloy_file, alloy.lattice_parameter, 1e-10, 2e-9), .unit = "m",
     .needed = 1, .help = "a"},
    SW_KEYS_END};

static const char *const units[SW_CONCENTRATION_UNITS] = {
    [SW_WEIGHT_PERCENT] = "weight_percent", [SW_MOLE_FRACTION] = "mole_fraction"};

static const sw_key diffusivity_keys[] = {
    {SW_REAL("prefactor", sw_kwn_solute_entry, solute.prefactor, 1e-12, 1e2), .unit = "m^2/s", .needed = 1,
     .help = "D_0"},
    {SW_REAL("activation_energy", sw_kwn_solute_entry, solute.activation_energy, 0, 1e6), .smallest = 1e3,
     .unit = "J/mol", .needed = 1},
    SW_KEYS_END};
static const sw_key solute_keys[] = {
    {SW_NAME("element", sw_kwn_solute_entry, solute.element), .needed = 1, .help = "another one each"},
    {SW_REAL("molar_mass", sw_kwn_solute_entry, molar_mass, 1e-3, 0.3), .unit = "kg/mol", .needed = 1},
    {SW_REAL("concentration", sw_kwn_solute_entry, solute.concentration, 0, 100), .needed = 1,
     .help =
         "c_0; mole fraction of at most 0.5, of all solutes together too; less than 1 where every phase has "
         "chemistry"},
    {SW_SECTION("diffusivity", diffusivity_keys), .needed = 1},
    SW_KEYS_END};

/* ---- Phases ---- */

static const sw_key count_keys[] = {
    {SW_NAME("element", sw_kwn_amount, element), .needed = 1, .help = "a solute, or the matrix element"},
    {SW_REAL("count", sw_kwn_amount, value, 0, 200), .open = SW_OPEN_BELOW, .needed = 1},
    SW_KEYS_END};
static const sw_key exponent_keys[] = {{SW_NAME("solute", sw_kwn_amount, element), .needed = 1},
                                       {SW_REAL("exponent", sw_kwn_amount, value, 0.01, 200), .needed = 1},
                                       SW_KEYS_END};
static const sw_key table_keys[] = {{SW_REAL("temperature", sw_kwn_solvus_entry, temperature, 1, 5000),
                                     .unit = "K", .needed = 1, .help = "ascending"},
                                    {SW_REAL("product", sw_kwn_solvus_entry, product, 0, 1e60),
                                     .open = SW_OPEN_BELOW, .needed = 1,
                                     .help = "K; ln K is linear in 1/T between"},
                                    SW_KEYS_END};
static const sw_key solvus_keys[] = {
    {SW_PLACES("product", sw_kwn_phase_entry, product.entry, product.count, exponent_keys), .shortest = 1,
     .otherwise = "the stoichiometry",
     .help = "a solute that is left out has to be there in excess of the limiting one"},
    {SW_REAL("constant", sw_kwn_phase_entry, constant, 0, 1e60), .open = SW_OPEN_BELOW,
     .help = "K at any temperature, in the file's unit; this, prefactor and enthalpy, or table"},
    {SW_REAL("prefactor", sw_kwn_phase_entry, phase.solvus.prefactor, 0, 1e60), .open = SW_OPEN_BELOW,
     .help = "K = prefactor exp(-enthalpy / RT), in the same unit"},
    {SW_REAL("enthalpy", sw_kwn_phase_entry, phase.solvus.enthalpy, -1e6, 1e6), .smallest = 1e3,
     .unit = "J/mol", .help = "with prefactor"},
    {SW_PLACES("table", sw_kwn_phase_entry, table, phase.solvus.n_table, table_keys), .shortest = 2,
     .help = "2 to 32 temperatures"},
    SW_KEYS_END};

static const sw_key temperature_range_keys[] = {
    {SW_REAL("lowest", sw_kwn_phase_entry, chemistry.temperature.lowest, 1, 5000), .unit = "K", .needed = 1},
    {SW_REAL("highest", sw_kwn_phase_entry, chemistry.temperature.highest, 1, 5000), .unit = "K",
     .needed = 1},
    {SW_WHOLE("count", sw_kwn_phase_entry, chemistry.temperature.count, 2, 1000), .needed = 1,
     .help = "at even steps of 1/T"},
    SW_KEYS_END};
static const sw_key concentration_range_keys[] = {
    {SW_NAME("solute", sw_kwn_range, solute), .needed = 1, .help = "in the order of solutes"},
    {SW_REAL("lowest", sw_kwn_range, lowest, 1e-12, 1), .needed = 1, .help = "mole fraction"},
    {SW_REAL("highest", sw_kwn_range, highest, 1e-12, 1), .needed = 1, .help = "no matrix has more"},
    {SW_WHOLE("count", sw_kwn_range, count, 2, 1000), .needed = 1, .help = "at even steps of ln c"},
    SW_KEYS_END};
static const sw_key chemistry_keys[] = {
    {SW_SECTION("temperature", temperature_range_keys), .needed = 1},
    {SW_PLACES("concentration", sw_kwn_phase_entry, chemistry.concentration, chemistry.n_concentrations,
               concentration_range_keys),
     .shortest = 1, .needed = 1, .help = "of every solute"},
    {.name = "source", .type = SW_KEY_NOTE, .help = "database, date, elements; not read"},
    {SW_REALS("driving", sw_kwn_phase_entry, chemistry.driving, -1e4, 1e4), .needed = 1,
     .help = "of an atom of the phase from the matrix, over RT; from the lowest temperature (first) and "
             "concentrations on, the last solute runs fastest"},
    {SW_REALS("resistance", sw_kwn_phase_entry, chemistry.resistance, -100, 300), .needed = 1,
     .help = "ln of dx' (D dx/dmu)^-1 dx in s/m^2, per atom and RT"},
    {SW_REALS("breadth", sw_kwn_phase_entry, chemistry.breadth, 0, 1e6), .open = SW_OPEN_BELOW, .needed = 1,
     .help = "of driving, over which growth saturates"},
    SW_KEYS_END};

static const sw_key_case laws[] = {
#define LAW(name, text, function, needed, taken, meaning) \
    [name] = {(text), .needs = (needed), .takes = (taken), .help = (meaning)},
    SW_KWN_NUCLEATION_LIST(LAW)
#undef LAW
        [SW_NUCLEATIONS] = {0}};
static const sw_key_case sites[] = {
#define SITES(name, text, needed, ...) [name] = {(text), .needs = (needed)},
    SW_KWN_SITES_LIST(SITES)
#undef SITES
        [SW_SITES] = {0}};
static const char *const attachments[SW_ATTACHMENTS] = {[SW_ATTACHMENT_SLOWEST] = "slowest",
                                                        [SW_ATTACHMENT_BALANCE] = "balance",
                                                        [SW_ATTACHMENT_DIFFUSION] = "diffusion"};
static const char *const gibbs_thomsons[SW_GIBBS_THOMSONS] = {
    [SW_GIBBS_THOMSON_DILUTE] = "dilute", [SW_GIBBS_THOMSON_PEREZ] = "perez"};
static const char *const nuclei[SW_NUCLEI] = {
    [SW_NUCLEUS_MULTIPLE] = "multiple", [SW_NUCLEUS_THERMAL] = "thermal"};
static const sw_key_case incubations[] = {[SW_INCUBATION_NONE] = {"none"},
                                          [SW_INCUBATION_KAMPMANN_WAGNER] = {"kampmann_wagner"},
                                          [SW_INCUBATION_RUSSELL] = {"russell"},
                                          [SW_INCUBATION_FACTOR] = {"factor", .needs = "incubation_factor"},
                                          [SW_INCUBATIONS] = {0}};
static const sw_key nucleation_keys[] = {
    {SW_CASES("law", sw_kwn_phase_entry, phase.nucleation.law, laws), .needed = 1},
    {SW_CASES("sites", sw_kwn_phase_entry, phase.nucleation.sites, sites), .otherwise = ""},
    {SW_REAL("dislocation_density", sw_kwn_phase_entry, dislocation_density, 1e6, 1e18), .unit = "1/m^2"},
    {SW_REAL("grain_size", sw_kwn_phase_entry, grain_size, 1e-9, 1), .unit = "m",
     .help = "mean linear intercept"},
    {SW_REAL("site_density", sw_kwn_phase_entry, site_density, 1, 1e32), .unit = "1/m^3", .help = "N0"},
    {SW_NAME("site_solute", sw_kwn_phase_entry, site_solute),
     .help = "each atom of it in the alloy is a site"},
    {SW_REAL("contact_angle", sw_kwn_phase_entry, contact_angle, 0, 90), .open = SW_OPEN_BELOW,
     .unit = "degrees", .otherwise = "",
     .help = "at grain boundaries, edges (more than 30) and corners (more than 35.3), its cosine half the "
             "boundary's energy over the interface's: the barrier's S, in place of barrier_factor"},
    {SW_REAL("barrier_factor", sw_kwn_phase_entry, phase.nucleation.barrier_factor, 0, 1),
     .open = SW_OPEN_BELOW, .standard = 1, .help = "S of the barrier"},
    {SW_CASES("incubation", sw_kwn_phase_entry, phase.nucleation.incubation, incubations),
     .standard = SW_INCUBATION_KAMPMANN_WAGNER},
    {SW_REAL("incubation_factor", sw_kwn_phase_entry, phase.nucleation.incubation_factor, 0.01, 100),
     .help = "of tau = 1 / (factor Z^2 beta*)"},
    {SW_WORD("attachment", sw_kwn_phase_entry, phase.nucleation.attachment, attachments),
     .standard = SW_ATTACHMENT_SLOWEST,
     .help =
         "atoms that join a nucleus: of the slowest or limiting solute; by the balance of all; or what its "
         "field of diffusion brings"},
    {SW_REAL("zeldovich", sw_kwn_phase_entry, phase.nucleation.zeldovich, 0, 1), .open = SW_OPEN_BELOW,
     .otherwise = "by the barrier's curvature", .help = "Z"},
    {SW_WORD("nucleus", sw_kwn_phase_entry, phase.nucleation.nucleus, nuclei),
     .standard = SW_NUCLEUS_MULTIPLE,
     .help = "radius of nuclei: nucleus_multiple r*, or r* + sqrt(kT / (pi S gamma)) / 2, at a barrier lower "
             "by kT"},
    {SW_REAL("nucleus_multiple", sw_kwn_phase_entry, phase.nucleation.nucleus_multiple, 1, 3),
     .standard = 1.05, .help = "radius of nuclei over r*"},
    {SW_REAL("rate", sw_kwn_phase_entry, phase.nucleation.rate, 0, 1e60), .open = SW_OPEN_BELOW,
     .unit = "1/(m^3 s)", .help = "j_0"},
    {SW_REAL("barrier", sw_kwn_phase_entry, phase.nucleation.barrier, 100, 1e6), .unit = "J/mol",
     .help = "A_0"},
    {SW_REAL("activation_energy", sw_kwn_phase_entry, phase.nucleation.activation_energy, 0, 1e6),
     .smallest = 1e3, .unit = "J/mol", .help = "Q_d"},
    SW_KEYS_END};

static const sw_key phase_keys[] = {
    {SW_NAME("name", sw_kwn_phase_entry, phase.name), .needed = 1, .help = "another one each"},
    {SW_PLACES("stoichiometry", sw_kwn_phase_entry, stoichiometry.entry, stoichiometry.count, count_keys),
     .shortest = 1, .needed = 1, .help = "the formula unit, matrix atoms too; one solute at least"},
    {SW_REAL("molar_volume", sw_kwn_phase_entry, phase.molar_volume, 1e-6, 1e-3), .unit = "m^3/mol",
     .help = "of the formula unit; this or atomic_volume; 0.2 to 5 times the matrix's for each atom"},
    {SW_REAL("atomic_volume", sw_kwn_phase_entry, phase.atomic_volume, 1e-30, 1e-27), .unit = "m^3",
     .help = "of each atom of the formula unit"},
    {SW_REAL("interfacial_energy", sw_kwn_phase_entry, phase.interfacial_energy, 1e-4, 5), .unit = "J/m^2",
     .needed = 1},
    {SW_REAL("aspect_ratio", sw_kwn_phase_entry, aspect_ratio, 0.01, 100), .standard = 1,
     .help = "of spheroids, the axis of rotation over the others: needles above 1, plates below; sizes are "
             "radii of spheres of their volume"},
    {SW_REAL("misfit_energy", sw_kwn_phase_entry, phase.misfit_energy, 0, 1e10), .smallest = 1e3,
     .unit = "J/m^3", .otherwise = "0",
     .help = "elastic, of a coherent particle: taken from its driving force"},
    {SW_REAL("tolman_length", sw_kwn_phase_entry, phase.tolman_length, 0, 1e-8), .smallest = 1e-13,
     .unit = "m", .otherwise = "0",
     .help = "delta: the interface of a particle has the energy over 1 + 2 delta / r"},
    {SW_REAL("neighbour_distance", sw_kwn_phase_entry, phase.neighbour_distance, 0, 1e-9), .smallest = 1e-11,
     .unit = "m", .otherwise = "0",
     .help =
         "a, in place of tolman_length: that energy times 1 - 6/11 a / r + 0.045 (a / r)^2 ln(r / 0.3 a), "
         "MatCalc's with a of 0.248 nm; on the CPU"},
    {SW_WORD("gibbs_thomson", sw_kwn_phase_entry, phase.gibbs_thomson, gibbs_thomsons),
     .help = "what a particle's surface holds in solution: perez, of a product of one solute, counts the "
             "matrix's own part, for solutes that are not dilute beside the phase"},
    {SW_NAME("growth_limiting_solute", sw_kwn_phase_entry, limiting_solute),
     .otherwise = "all of the product",
     .help = "whose diffusion alone is to limit growth; in the stoichiometry and in the product; more of it "
             "in the phase than in the alloy"},
    {SW_SECTION("solvus", solvus_keys), .otherwise = "by chemistry", .help = "this or chemistry"},
    {SW_SECTION("chemistry", chemistry_keys), .otherwise = "by solvus",
     .help = "a table from a thermodynamic database: scripts/slipwave-chemistry"},
    {SW_SECTION("nucleation", nucleation_keys), .needed = 1},
    {SW_REAL("shearable_radius", sw_kwn_phase_entry, phase.shearable_radius, 1e-10, 1e-6), .unit = "m",
     .standard = 5e-9, .help = "r_c"},
    SW_KEYS_END};

/* ---- Vacancies ---- */

static const sw_key vacancy_diffusivity_keys[] = {
    {SW_REAL("prefactor", sw_kwn_alloy_file, alloy.vacancies.prefactor, 1e-12, 1e2), .unit = "m^2/s",
     .needed = 1},
    {SW_REAL("activation_energy", sw_kwn_alloy_file, alloy.vacancies.activation_energy, 0, 1e6),
     .smallest = 1e3, .unit = "J/mol", .needed = 1},
    SW_KEYS_END};
static const sw_key vacancy_keys[] = {
    {SW_REAL("formation_energy", sw_kwn_alloy_file, alloy.vacancies.formation_energy, 1e3, 1e6),
     .unit = "J/mol", .needed = 1, .help = "E of their fraction at rest"},
    {SW_SECTION("diffusivity", vacancy_diffusivity_keys), .needed = 1},
    {SW_REAL("sink_strength", sw_kwn_alloy_file, alloy.vacancies.sink_strength, 1, 1e20), .unit = "1/m^2",
     .needed = 1, .help = "k^2: about the dislocation density, or 60 / L^2 of grains"},
    SW_KEYS_END};

/* ---- Strength ---- */

static const sw_key coefficient_keys[] = {{SW_NAME("solute", sw_kwn_amount, element), .needed = 1},
                                          {SW_REAL("coefficient", sw_kwn_amount, value, 0, 1e13),
                                           .smallest = 1e3, .unit = "Pa", .needed = 1,
                                           .help = "k, for one of the file's unit"},
                                          SW_KEYS_END};
static const sw_key strength_keys[] = {
    {SW_REAL("lattice_resistance", sw_kwn_alloy_file, alloy.strength.lattice_resistance, 0, 1e10),
     .smallest = 1e3, .unit = "Pa", .needed = 1, .help = "sigma_0"},
    {SW_REAL("taylor_factor", sw_kwn_alloy_file, alloy.strength.taylor_factor, 1, 10), .needed = 1,
     .help = "M"},
    {SW_REAL("shear_modulus", sw_kwn_alloy_file, alloy.strength.shear_modulus, 1e8, 1e12), .unit = "Pa",
     .needed = 1, .help = "G"},
    {SW_REAL("burgers_vector", sw_kwn_alloy_file, alloy.strength.burgers_vector, 1e-11, 1e-8), .unit = "m",
     .needed = 1, .help = "b"},
    {SW_REAL("line_tension_factor", sw_kwn_alloy_file, alloy.strength.line_tension_factor, 1e-3, 2),
     .needed = 1, .help = "beta"},
    {SW_PLACES("solid_solution", sw_kwn_alloy_file, solid_solution.entry, solid_solution.count,
               coefficient_keys),
     .shortest = 1, .otherwise = "none"},
    {SW_REAL("solid_solution_exponent", sw_kwn_alloy_file, alloy.strength.solid_solution_exponent, 0.1, 2),
     .standard = 2.0 / 3, .otherwise = "2/3", .help = "n"},
    {SW_REAL("particle_sum_exponent", sw_kwn_alloy_file, alloy.strength.particle_sum_exponent, 0.5, 4),
     .standard = 2, .help = "m of the sum over phases"},
    {SW_REAL("hardness_slope", sw_kwn_alloy_file, alloy.strength.hardness_slope, 0, 1e-4), .unit = "HV/Pa",
     .help = "HV = slope sigma_y + intercept"},
    {SW_REAL("hardness_intercept", sw_kwn_alloy_file, alloy.strength.hardness_intercept, -1e3, 1e3),
     .unit = "HV"},
    SW_KEYS_END};

const sw_key sw_kwn_alloy_keys[] = {
    {SW_NAME("name", sw_kwn_alloy_file, alloy.name), .needed = 1, .help = "copied to results"},
    {.name = "source", .type = SW_KEY_NOTE, .help = "where the values come from; not read"},
    {SW_SECTION("matrix", matrix_keys), .needed = 1},
    {SW_WORD("concentration_unit", sw_kwn_alloy_file, concentration_unit, units), .needed = 1,
     .help = "of all concentrations, solubility products and solid_solution in the file"},
    {SW_PLACES("solutes", sw_kwn_alloy_file, solute, alloy.n_solutes, solute_keys), .shortest = 1,
     .needed = 1},
    {SW_PLACES("phases", sw_kwn_alloy_file, phase, alloy.n_phases, phase_keys), .shortest = 1, .needed = 1},
    {SW_SECTION("vacancies", vacancy_keys), .otherwise = "those at rest",
     .help = "what quenches leave of them: they speed up all solutes alike until sinks have taken them"},
    {SW_SECTION("strength", strength_keys)},
    SW_KEYS_END};
