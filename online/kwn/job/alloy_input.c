/* Alloy files -> sw_kwn_alloy: names become indices, and the file's unit of concentration becomes atoms per
 * matrix atomic volume. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/text.h"
#include "alloy_file.h"
#include "online/kwn/model/model.h"
#include "online/kwn/model/shape.h"

/* A file that is being read, and the phase that is being filled. */
typedef struct {
    const sw_job *job;
    sw_kwn_alloy_file *file;
    int p;
} reader;

typedef char key_text[SW_KEY_SIZE];

/* ---- Names ---- */

/* A key of the present phase. */
static const char *phase_key(const reader *r, const char *name, key_text key)
{
    return sw_key_path(key, "phases[%d].%s", r->p, name);
}

/* Index of a solute; n_solutes for the matrix element, where `matrix_too`. */
static sw_status choose_element(const reader *r, const char *key, const char *element, int matrix_too,
                                int *index)
{
    const char *names[SW_KWN_SOLUTES + 1];
    const int n = r->file->alloy.n_solutes;
    for (int i = 0; i < n; i++)
        names[i] = r->file->solute[i].solute.element;
    names[n] = r->file->matrix;
    return sw_job_choose(r->job, key, element, n + matrix_too, names, index);
}

/* A list's numbers in the order of the alloy's solutes, 0 for those it has not; the matrix element's comes
 * last. */
static sw_status spread(const reader *r, const char *list, const char *name_key,
                        const sw_kwn_amounts *amounts, int matrix_too, double value[SW_KWN_SOLUTES + 1])
{
    int seen[SW_KWN_SOLUTES + 1] = {0};
    memset(value, 0, (SW_KWN_SOLUTES + 1) * sizeof *value);
    for (int i = 0; i < amounts->count; i++) {
        const sw_kwn_amount *entry = &amounts->entry[i];
        key_text key;
        int index;
        sw_key_path(key, "%s[%d].%s", list, i, name_key);
        SW_TRY(choose_element(r, key, entry->element, matrix_too, &index));
        if (seen[index]++)
            return sw_job_error(r->job, key, " = %s: need each element once", entry->element);
        value[index] = entry->value;
    }
    return SW_OK;
}

/* ---- Solutes ---- */

static sw_status check_element_is_new(const reader *r, int i)
{
    const char *element = r->file->solute[i].solute.element;
    int known = strcmp(element, r->file->matrix) == 0;
    for (int j = 0; j < i; j++)
        known |= strcmp(element, r->file->solute[j].solute.element) == 0;
    key_text key;
    sw_key_path(key, "solutes[%d].element", i);
    return known ? sw_job_error(r->job, key, " = %s: need an element that the alloy has not yet", element)
                 : SW_OK;
}

/* Whether no phase has a solvus, which is of a dilute matrix. */
static int has_tables_only(const reader *r)
{
    int all = 1;
    for (int p = 0; p < r->file->alloy.n_phases; p++)
        all = all && r->file->phase[p].chemistry.n_concentrations > 0;
    return all;
}

/* Weight percent of a product and of strength are those of a dilute matrix, where one factor serves. */
static void fill_unit(const reader *r, int i)
{
    sw_kwn_alloy *alloy = &r->file->alloy;
    const int by_weight = r->file->concentration_unit == SW_WEIGHT_PERCENT;
    const double own = r->file->solute[i].molar_mass, matrix = r->file->matrix_mass;
    alloy->solute[i].unit = by_weight ? matrix / (100 * own) : 1;
    alloy->molar_mass[i] = by_weight ? own : 0;
    alloy->molar_mass[alloy->n_solutes] = by_weight ? matrix : 0;
}

static sw_status fill_solutes(const reader *r)
{
    sw_kwn_alloy *alloy = &r->file->alloy;
    const int rich = has_tables_only(r);
    double total = 0, given[SW_KWN_SOLUTES], fraction[SW_KWN_SOLUTES];
    for (int i = 0; i < alloy->n_solutes; i++) {
        SW_TRY(check_element_is_new(r, i));
        alloy->solute[i] = r->file->solute[i].solute;
        given[i] = alloy->solute[i].concentration;
        fill_unit(r, i);
    }
    sw_kwn_to_fractions(alloy, given, fraction);
    for (int i = 0; i < alloy->n_solutes; i++) {
        sw_kwn_solute *solute = &alloy->solute[i];
        const double value = given[i];
        key_text key;
        solute->concentration = fraction[i];
        sw_key_path(key, "solutes[%d].concentration", i);
        SW_TRY(sw_job_need(r->job, key, value, solute->concentration <= (rich ? 0.999 : 0.5),
                           rich ? "a mole fraction of at most 0.999" : "a mole fraction of at most 0.5"));
        total += solute->concentration;
    }
    return sw_job_need(r->job, "solutes", total, total <= (rich ? 0.999 : 0.5),
                       rich ? "mole fractions of at most 0.999 in all"
                            : "mole fractions of at most 0.5 in all");
}

/* ---- Phases ---- */

static sw_status check_name_is_new(const reader *r)
{
    key_text key;
    const char *name = r->file->phase[r->p].phase.name;
    if (strpbrk(name, ",\"/\r\n\t") !=
        NULL) /* lists of names, columns of texts, and groups of results would break */
        return sw_job_error(r->job, phase_key(r, "name", key),
                            " = %s: need a name without commas, quotes, slashes and tabs", name);
    for (int p = 0; p < r->p; p++)
        if (strcmp(name, r->file->phase[p].phase.name) == 0)
            return sw_job_error(r->job, phase_key(r, "name", key),
                                " = %s: need a name that no other phase has", name);
    return SW_OK;
}

/* Volumes per formula unit and per atom, from the one that is given. */
static sw_status fill_volumes(const reader *r, double atoms, sw_kwn_phase *phase)
{
    static const char *const keys[] = {"molar_volume", "atomic_volume"};
    key_text key;
    int chosen;
    SW_TRY(sw_job_one_of(r->job, phase_key(r, "", key), "molar_volume atomic_volume", 1, &chosen));
    const double given = chosen == 0 ? phase->molar_volume : phase->atomic_volume;
    if (chosen == 1)
        phase->molar_volume = given * SW_AVOGADRO_CONSTANT * atoms;
    else
        phase->atomic_volume = given / (SW_AVOGADRO_CONSTANT * atoms);

    /* Hydrides are at 0.4: further away a volume is that of another formula unit, or in another unit. */
    const double matrix = r->file->alloy.atomic_volume;
    char bound[80];
    snprintf(bound, sizeof bound, "0.2 to 5 times the matrix's %.3g m^3 for each of %g atoms", matrix, atoms);
    return sw_job_need(r->job, phase_key(r, keys[chosen], key), given,
                       phase->atomic_volume >= 0.2 * matrix && phase->atomic_volume <= 5 * matrix, bound);
}

/* count: [S + 1], of the formula unit. */
static sw_status fill_composition(const reader *r, const sw_kwn_phase_entry *entry, sw_kwn_phase *phase,
                                  double *count)
{
    const sw_kwn_alloy *alloy = &r->file->alloy;
    double atoms = 0;
    key_text list;
    phase_key(r, "stoichiometry", list);
    SW_TRY(spread(r, list, "element", &entry->stoichiometry, 1, count));
    for (int i = 0; i <= alloy->n_solutes; i++)
        atoms += count[i];
    if (!(atoms > count[alloy->n_solutes]))
        return sw_job_error(r->job, list, ": need at least one of the solutes");
    SW_TRY(fill_volumes(r, atoms, phase));
    for (int i = 0; i < alloy->n_solutes; i++)
        phase->concentration[i] = count[i] * r->file->matrix_volume / phase->molar_volume;
    return SW_OK;
}

static sw_status fill_product(const reader *r, const sw_kwn_phase_entry *entry, const double *count,
                              sw_kwn_solvus *solvus)
{
    double exponent[SW_KWN_SOLUTES + 1];
    key_text list;
    SW_TRY(spread(r, phase_key(r, "solvus.product", list), "solute", &entry->product, 0, exponent));
    memcpy(solvus->exponent, entry->product.count > 0 ? exponent : count,
           (size_t)r->file->alloy.n_solutes * sizeof *exponent);
    return SW_OK;
}

/* Growth by all solutes of the product; by one, if that is all, in closed form. */
static sw_status use_all_solutes(const reader *r, sw_kwn_phase *phase)
{
    const sw_kwn_alloy *alloy = &r->file->alloy;
    key_text key;
    int counted = 0;
    double least = HUGE_VAL;
    for (int i = 0; i < alloy->n_solutes; i++) {
        const double c = alloy->solute[i].concentration, part = c / phase->concentration[i];
        if (!(phase->solvus.exponent[i] > 0))
            continue;
        if (!(phase->concentration[i] > c))
            return sw_job_error(
                r->job, phase_key(r, "stoichiometry", key),
                ": need more of %s, which the product counts, in the phase (%g) than in the alloy (%g)",
                alloy->solute[i].element, phase->concentration[i], c);
        phase->limiting_solute = part < least ? i : phase->limiting_solute;
        least = fmin(least, part);
        counted++;
    }
    phase->all_solutes = counted > 1;
    return counted > 0 ? SW_OK
                       : sw_job_error(r->job, phase_key(r, "solvus.product", key),
                                      ": need a solute of the stoichiometry");
}

/* The solute that there is least of, for what the phase takes beyond the matrix: its balance is solved for. */
static sw_status use_table(const reader *r, sw_kwn_phase *phase)
{
    const sw_kwn_alloy *alloy = &r->file->alloy;
    double most = 0;
    for (int i = 0; i < alloy->n_solutes; i++) {
        const double rise =
            phase->concentration[i] / fmax(alloy->solute[i].concentration, SW_KWN_LEAST_SOLUTE);
        if (rise > most) {
            most = rise;
            phase->limiting_solute = i;
        }
    }
    phase->all_solutes = 1;
    return SW_OK;
}

static sw_status fill_limiting_solute(const reader *r, const sw_kwn_phase_entry *entry, sw_kwn_phase *phase)
{
    key_text key;
    phase_key(r, "growth_limiting_solute", key);
    if (phase->chemistry.on && sw_job_given(r->job, key))
        return sw_job_error(r->job, key, ": goes with solvus: with chemistry all solutes count");
    if (phase->chemistry.on)
        return use_table(r, phase);
    if (!sw_job_given(r->job, key))
        return use_all_solutes(r, phase);
    SW_TRY(choose_element(r, key, entry->limiting_solute, 0, &phase->limiting_solute));
    const int i = phase->limiting_solute;
    const double alloy = r->file->alloy.solute[i].concentration;
    if (!(phase->concentration[i] > 0 && phase->solvus.exponent[i] > 0))
        return sw_job_error(r->job, key,
                            " = %s: need a solute of the stoichiometry and of the solvus' product",
                            entry->limiting_solute);
    if (!(phase->concentration[i] > alloy))
        return sw_job_error(r->job, key, " = %s: need more of it in the phase (%g) than in the alloy (%g)",
                            entry->limiting_solute, phase->concentration[i], alloy);
    return SW_OK;
}

/* Exactly one way to say K. */
static sw_status check_solvus_keys(const reader *r, int *chosen)
{
    static const char *const pair[] = {"solvus.prefactor", "solvus.enthalpy"};
    key_text key;
    for (int i = 0; i < 2; i++)
        if (sw_job_given(r->job, phase_key(r, pair[!i], key)) &&
            !sw_job_given(r->job, phase_key(r, pair[i], key)))
            return sw_job_error(r->job, key, " is missing: need prefactor and enthalpy");
    return sw_job_one_of(r->job, phase_key(r, "solvus.", key), "constant prefactor table", 1, chosen);
}

/* The solute of a product that is a concentration; -1: it has several. */
static int only_solute(const sw_kwn_solvus *solvus)
{
    int only = -1, counted = 0;
    for (int i = 0; i < SW_KWN_SOLUTES; i++)
        if (solvus->exponent[i] > 0) {
            only = i;
            counted++;
        }
    return counted == 1 ? only : -1;
}

/* ln K of a product in the file's unit: a concentration is converted as one, others by the units of all. */
static sw_status take_log_product(const reader *r, const char *name, const sw_kwn_solvus *solvus,
                                  double log_unit, double product, double *log_product)
{
    const sw_kwn_alloy *alloy = &r->file->alloy;
    const int only = only_solute(solvus);
    const double nu = only >= 0 ? solvus->exponent[only] : 1;
    double given[SW_KWN_SOLUTES] = {0};
    key_text key;
    *log_product = log(product) + log_unit;
    if (only < 0 || !(alloy->molar_mass[only] > 0))
        return SW_OK;
    given[only] = pow(product, 1 / nu);
    SW_TRY(sw_job_need(r->job, phase_key(r, name, key), product, given[only] < 100,
                       "the product of a concentration below 100 weight percent"));
    sw_kwn_to_fractions(alloy, given, given);
    *log_product = nu * log(given[only]);
    return SW_OK;
}

static sw_status fill_table(const reader *r, const sw_kwn_phase_entry *entry, double log_unit,
                            sw_kwn_solvus *solvus)
{
    for (int i = 0; i < solvus->n_table; i++) {
        const sw_kwn_solvus_entry *now = &entry->table[i];
        char name[48];
        solvus->inverse_temperature[i] = 1 / now->temperature;
        if (i > 0) { /* as inverses, by whose differences an interpolation divides */
            key_text key;
            char bound[64];
            snprintf(name, sizeof name, "solvus.table[%d].temperature", i);
            snprintf(bound, sizeof bound, "more than the entry before (%g K)", now[-1].temperature);
            SW_TRY(sw_job_need(r->job, phase_key(r, name, key), now->temperature,
                               solvus->inverse_temperature[i] < solvus->inverse_temperature[i - 1], bound));
        }
        snprintf(name, sizeof name, "solvus.table[%d].product", i);
        SW_TRY(take_log_product(r, name, solvus, log_unit, now->product, &solvus->log_product[i]));
    }
    return SW_OK;
}

static sw_status fill_solvus(const reader *r, const sw_kwn_phase_entry *entry, sw_kwn_solvus *solvus)
{
    const sw_kwn_alloy *alloy = &r->file->alloy;
    double log_unit = 0; /* of the product */
    int chosen;
    for (int i = 0; i < alloy->n_solutes; i++)
        log_unit += solvus->exponent[i] * log(alloy->solute[i].unit);
    SW_TRY(check_solvus_keys(r, &chosen));
    if (solvus->n_table > 0)
        return fill_table(r, entry, log_unit, solvus);
    key_text key;
    const double given = chosen == 0 ? entry->constant : solvus->prefactor;
    double log_product = log(given) + log_unit;
    if (chosen == 0)
        SW_TRY(take_log_product(r, "solvus.constant", solvus, log_unit, given, &log_product));
    solvus->prefactor = chosen == 0 && alloy->molar_mass[0] > 0 ? exp(log_product) : given * exp(log_unit);
    return sw_job_need(r->job, phase_key(r, chosen == 0 ? "solvus.constant" : "solvus.prefactor", key), given,
                       solvus->prefactor >= 1e-300 && solvus->prefactor <= 1e300,
                       "1e-300 to 1e300 as a product of mole fractions");
}

static sw_status fill_range(const reader *r, const char *name, const sw_kwn_range *range, double low,
                            double high, int d, sw_kwn_chemistry *table)
{
    key_text key;
    char full[96];
    snprintf(full, sizeof full, "chemistry.%s.highest", name);
    table->count[d] = (int32_t)range->count;
    table->first[d] = low;
    table->per_step[d] = (double)(range->count - 1) / (high - low);
    return sw_job_need(r->job, phase_key(r, full, key), range->highest, range->highest > range->lowest,
                       "more than lowest");
}

static sw_status fill_ranges(const reader *r, const sw_kwn_chemistry_entry *entry, sw_kwn_chemistry *table)
{
    const sw_kwn_alloy *alloy = &r->file->alloy;
    key_text key;
    char name[48];
    SW_TRY(fill_range(r, "temperature", &entry->temperature, 1 / entry->temperature.lowest,
                      1 / entry->temperature.highest, 0, table));
    if (entry->n_concentrations != alloy->n_solutes)
        return sw_job_error(r->job, phase_key(r, "chemistry.concentration", key),
                            ": %d entries: need one of each of %d solutes", entry->n_concentrations,
                            alloy->n_solutes);
    for (int i = 0; i < alloy->n_solutes; i++) {
        const sw_kwn_range *range = &entry->concentration[i];
        snprintf(name, sizeof name, "chemistry.concentration[%d].solute", i);
        if (strcmp(range->solute, r->file->solute[i].solute.element) != 0)
            return sw_job_error(r->job, phase_key(r, name, key), " = %s: need %s, in the order of solutes",
                                range->solute, r->file->solute[i].solute.element);
        snprintf(name, sizeof name, "concentration[%d]", i);
        SW_TRY(fill_range(r, name, range, log(range->lowest), log(range->highest), 1 + i, table));
        snprintf(name, sizeof name, "chemistry.concentration[%d].highest", i);
        SW_TRY(sw_job_need(r->job, phase_key(r, name, key), range->highest,
                           range->highest >= alloy->solute[i].concentration, "at least what the alloy has"));
    }
    return SW_OK;
}

static sw_status fill_chemistry(const reader *r, const sw_kwn_phase_entry *entry, sw_kwn_phase *phase)
{
    static const char *const names[SW_CHEMISTRY_VALUES] = {"chemistry.driving", "chemistry.resistance",
                                                           "chemistry.breadth"};
    const double *const value[SW_CHEMISTRY_VALUES] = {entry->chemistry.driving, entry->chemistry.resistance,
                                                      entry->chemistry.breadth};
    const unsigned given[SW_CHEMISTRY_VALUES] = {
        entry->chemistry.driving_count, entry->chemistry.resistance_count, entry->chemistry.breadth_count};
    sw_kwn_chemistry *table = &phase->chemistry;
    double nodes = 1;
    key_text key;
    SW_TRY(fill_ranges(r, &entry->chemistry, table));
    for (int d = 0; d <= r->file->alloy.n_solutes; d++)
        nodes *= table->count[d];
    for (int v = 0; v < SW_CHEMISTRY_VALUES; v++)
        if (given[v] != nodes)
            return sw_job_error(r->job, phase_key(r, names[v], key), ": %u numbers: need %g, one a node",
                                given[v], nodes);
    if (!(r->file->n_table + nodes * SW_CHEMISTRY_VALUES <= SW_KWN_CHEMISTRY))
        return sw_job_error(r->job, phase_key(r, names[0], key),
                            ": %g nodes: need no more than %d of all phases together", nodes,
                            SW_KWN_CHEMISTRY / SW_CHEMISTRY_VALUES);
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (int32_t n = 0; n < (int32_t)nodes; n++) {
        least = fmin(least, value[SW_CHEMISTRY_DRIVING][n]);
        most = fmax(most, value[SW_CHEMISTRY_DRIVING][n]);
    }
    if (!(most > least)) /* nothing would end growth */
        return sw_job_error(r->job, phase_key(r, names[SW_CHEMISTRY_DRIVING], key),
                            ": %g at all nodes: need one that changes with the composition", most);
    table->on = 1;
    table->at = r->file->n_table;
    for (int v = 0; v < SW_CHEMISTRY_VALUES; v++)
        for (int32_t n = 0; n < (int32_t)nodes; n++)
            r->file->alloy.table[table->at + n * SW_CHEMISTRY_VALUES + v] = (float)value[v][n];
    r->file->n_table += (int)nodes * SW_CHEMISTRY_VALUES;
    return SW_OK;
}

/* N0 of sites, by their line of the list. */
static sw_status fill_sites(const reader *r, const sw_kwn_phase_entry *entry, sw_kwn_nucleation *nucleation)
{
    static const struct {
        double dimension, factor, power;
    } of[SW_SITES] = {
#define SITES(name, text, needed, d, factor, power) [name] = {(d), (factor), (power)},
        SW_KWN_SITES_LIST(SITES)
#undef SITES
    };
    const sw_kwn_sites sites = nucleation->sites;
    int solute = 0;
    if (sites == SW_SITES_SOLUTE) {
        key_text name;
        SW_TRY(
            choose_element(r, phase_key(r, "nucleation.site_solute", name), entry->site_solute, 0, &solute));
    }
    const double value = sites == SW_SITES_DISLOCATIONS  ? entry->dislocation_density
                         : sites == SW_SITES_GIVEN       ? entry->site_density
                         : sites == SW_SITES_SOLUTE      ? r->file->alloy.solute[solute].concentration
                         : sites == SW_SITES_HOMOGENEOUS ? 1
                                                         : entry->grain_size;
    key_text key;
    nucleation->site_density = of[sites].factor *
                               pow(1 / r->file->alloy.atomic_volume, of[sites].dimension / 3) *
                               pow(value, of[sites].power);
    if (!sw_job_given(r->job, phase_key(r, "nucleation.contact_angle", key)))
        return SW_OK;
    phase_key(r, "nucleation.contact_angle", key);
    if (sites != SW_SITES_GRAIN_BOUNDARIES && sites != SW_SITES_GRAIN_EDGES &&
        sites != SW_SITES_GRAIN_CORNERS)
        return sw_job_error(r->job, key, ": goes with sites: grain_boundaries, grain_edges or grain_corners");
    if (sw_job_given(r->job, phase_key(r, "nucleation.barrier_factor", key)))
        return sw_job_error(r->job, key, ": goes without contact_angle");
    nucleation->barrier_factor =
        sw_kwn_barrier_factor(sites, entry->contact_angle * 3.14159265358979323846 / 180);
    return sw_job_need(r->job, phase_key(r, "nucleation.contact_angle", key), entry->contact_angle,
                       nucleation->barrier_factor > 0,
                       "degrees above which a nucleus has a volume, 30 at edges, 35.3 at corners");
}

/* What the laws of a phase cannot be asked together. */
static sw_status check_laws(const reader *r, const sw_kwn_phase *phase)
{
    key_text key;
    if (phase->chemistry.on && sw_job_given(r->job, phase_key(r, "misfit_energy", key)))
        return sw_job_error(r->job, key,
                            ": goes with a solvus: the driving force of a table has it in it, or none");
    if (phase->chemistry.on && sw_job_given(r->job, phase_key(r, "nucleation.attachment", key)) &&
        phase->nucleation.attachment != SW_ATTACHMENT_BALANCE)
        return sw_job_error(r->job, key, " = slowest: with chemistry atoms attach by the balance of all");
    if (phase->nucleation.nucleus == SW_NUCLEUS_THERMAL &&
        sw_job_given(r->job, phase_key(r, "nucleation.nucleus_multiple", key)))
        return sw_job_error(r->job, key, ": goes with nucleus: multiple");
    if (phase->gibbs_thomson == SW_GIBBS_THOMSON_PEREZ) {
        int solutes = 0;
        for (int i = 0; i < r->file->alloy.n_solutes; i++)
            solutes += phase->solvus.exponent[i] > 0;
        if (phase->chemistry.on || phase->all_solutes || solutes > 1)
            return sw_job_error(r->job, phase_key(r, "gibbs_thomson", key),
                                " = perez: need a solvus whose product is of one solute");
    }
    if (phase->nucleation.law == SW_NUCLEATION_ARRHENIUS && phase->all_solutes)
        return sw_job_error(r->job, phase_key(r, "nucleation.law", key),
                            " = arrhenius: is of one solute: need growth_limiting_solute");
    return SW_OK;
}

static sw_status fill_phase(const reader *r)
{
    const sw_kwn_phase_entry *entry = &r->file->phase[r->p];
    sw_kwn_phase *phase = &r->file->alloy.phase[r->p];
    double count[SW_KWN_SOLUTES + 1];
    key_text key;
    *phase = entry->phase;
    phase->interfacial_energy *= sw_kwn_spheroid_area(entry->aspect_ratio);
    phase->flux_excess = sw_kwn_spheroid_capacity(entry->aspect_ratio) - 1;
    SW_TRY(check_name_is_new(r));
    SW_TRY(fill_composition(r, entry, phase, count));
    int chosen;
    SW_TRY(sw_job_one_of(r->job, phase_key(r, "", key), "tolman_length neighbour_distance", 0, &chosen));
    SW_TRY(sw_job_one_of(r->job, phase_key(r, "", key), "solvus chemistry", 1, &chosen));
    if (chosen == 1)
        SW_TRY(fill_chemistry(r, entry, phase));
    SW_TRY(fill_product(r, entry, count, &phase->solvus));
    SW_TRY(fill_limiting_solute(r, entry, phase));
    if (chosen == 0)
        SW_TRY(fill_solvus(r, entry, &phase->solvus));
    phase->atom_fraction =
        phase->concentration[phase->limiting_solute] * phase->atomic_volume / r->file->alloy.atomic_volume;
    SW_TRY(check_laws(r, phase));
    if (sw_job_given(r->job, phase_key(r, "nucleation.sites", key)))
        return fill_sites(r, entry, &phase->nucleation);
    return SW_OK;
}

/* ---- The whole ---- */

/* Of a file without strength all of it is 0, exponents too. */
static sw_status fill_strength(const reader *r)
{
    sw_kwn_alloy *alloy = &r->file->alloy;
    double coefficient[SW_KWN_SOLUTES + 1];
    if (!sw_job_given(r->job, "strength")) {
        alloy->strength = (sw_kwn_strength){0};
        return SW_OK;
    }
    SW_TRY(spread(r, "strength.solid_solution", "solute", &r->file->solid_solution, 0, coefficient));
    for (int i = 0; i < alloy->n_solutes; i++)
        alloy->strength.solid_solution[i] =
            coefficient[i] / pow(alloy->solute[i].unit, alloy->strength.solid_solution_exponent);
    return SW_OK;
}

static sw_status fill(reader *r)
{
    r->file->alloy.atomic_volume = r->file->matrix_volume / SW_AVOGADRO_CONSTANT;
    SW_TRY(fill_solutes(r));
    for (r->p = 0; r->p < r->file->alloy.n_phases; r->p++)
        SW_TRY(fill_phase(r));
    return fill_strength(r);
}

const char *sw_kwn_weights_text(const sw_kwn_alloy *alloy, const double *fraction,
                                char text[SW_KWN_WEIGHTS_TEXT])
{
    const double matrix = alloy->molar_mass[alloy->n_solutes];
    int linear = 0;
    double mean = matrix;
    for (int p = 0; p < alloy->n_phases; p++) {
        const sw_kwn_phase *phase = &alloy->phase[p];
        linear |= !phase->chemistry.on && (only_solute(&phase->solvus) < 0 ||
                                           (phase->solvus.n_table == 0 && phase->solvus.enthalpy != 0));
    }
    for (int i = 0; i < alloy->n_solutes; i++) {
        linear |= alloy->strength.solid_solution[i] > 0;
        mean += fraction[i] * (alloy->molar_mass[i] - matrix);
    }
    if (!linear || !(fabs(mean / matrix - 1) > 0.01))
        return NULL;
    snprintf(text, SW_KWN_WEIGHTS_TEXT,
             ": concentration_unit = weight_percent: of a dilute matrix are taken solubility products of "
             "several solutes or with an enthalpy, and solid_solution: their concentrations are off by %.2g "
             "%% at this composition: mole_fraction is exact",
             100 * fabs(mean / matrix - 1));
    return text;
}

sw_status sw_kwn_alloy_parse(const char *path, const char *text, sw_kwn_alloy *alloy)
{
    sw_job *job;
    void *values;
    SW_TRY(sw_job_parse(sw_kwn_alloy_keys, sizeof(sw_kwn_alloy_file), path, text, &job, &values));
    reader r = {.job = job, .file = values};
    const sw_status status = fill(&r);
    if (status == SW_OK)
        *alloy = r.file->alloy;
    sw_job_close(job);
    return status;
}

static void note_weights(const char *path, const sw_kwn_alloy *alloy)
{
    double own[SW_KWN_SOLUTES];
    char text[SW_KWN_WEIGHTS_TEXT];
    for (int i = 0; i < alloy->n_solutes; i++)
        own[i] = alloy->solute[i].concentration;
    if (sw_kwn_weights_text(alloy, own, text) != NULL)
        sw_warn("%s%s", path, text);
}

sw_status sw_kwn_alloy_read(const char *path, sw_kwn_alloy *alloy)
{
    char *text;
    SW_TRY(sw_read_text(path, &text));
    const sw_status status = sw_kwn_alloy_parse(path, text, alloy);
    free(text);
    if (status == SW_OK)
        note_weights(path, alloy);
    return status;
}

sw_status sw_kwn_alloy_open(const char *path, sw_kwn_alloy **alloy)
{
    *alloy = NULL;
    SW_TRY(SW_ALLOCATE(*alloy, 1, "an alloy"));
    const sw_status status = sw_kwn_alloy_read(path, *alloy);
    if (status != SW_OK) {
        sw_kwn_alloy_close(*alloy);
        *alloy = NULL;
    }
    return status;
}

void sw_kwn_alloy_close(sw_kwn_alloy *alloy) { free(alloy); }
