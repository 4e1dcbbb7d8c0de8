/* Hardening laws of VPSC8's crystal files. Only those of the modes in use are there, in their order. */
#include <math.h>
#include <string.h>

#include "crystal.h"

/* ---- Twins ---- */

static sw_status read_twins(sw_vpsc_records *records, sw_vpsc_mode *mode)
{
    const sw_vpsc_item item[] = {
        SW_VPSC_WHOLES("isectw, 0 or 1", 1, &mode->secondary),
        SW_VPSC_WHOLES("itwinlaw, 0 (none turns), 1 (maximum), 2 (Monte Carlo) or 3 (VFT)", 1,
                       &mode->twin_law),
        SW_VPSC_REALS("thres1", 1, &mode->threshold), SW_VPSC_REALS("thres2", 1, &mode->threshold_rise)};
    SW_TRY(sw_vpsc_read(records, 4, item));
    SW_TRY(sw_vpsc_check_flag(records, "isectw", mode->secondary));
    if (mode->twin_law < 0 || mode->twin_law > SW_VPSC_FRACTION_TRANSFER)
        return sw_vpsc_bad(records, "itwinlaw = %d: need 0 to 3", mode->twin_law);
    return SW_OK;
}

/* ---- Voce ---- */

/* What VPSC8 makes of numbers that do not fit each other, where it waits for a key; a number of less than a ten-thousandth of
 * tau0 is none. */
static sw_status mend_voce(const sw_vpsc_records *records, sw_vpsc_mode *mode)
{
    const double least = 1e-4 * mode->tau0;
    if (!(mode->tau0 > 0))
        return sw_vpsc_bad(records, "tau0 = %g: need a resistance above 0", mode->tau0);
    if (fabs(mode->theta1) <= least)
        mode->theta1 = 0;
    if (mode->theta1 < 0 || mode->tau1 < 0)
        sw_warn("%s:%d: mode %s: tau1 = %g, theta1 = %g: resistances may fall below 0", records->path,
                records->line, mode->name, mode->tau1, mode->theta1);
    if (fabs(mode->theta0) <= least && fabs(mode->tau1) > least) {
        sw_warn("%s:%d: mode %s: theta0 = %g: tau1 and theta1 are taken as 0, as in VPSC8", records->path,
                records->line, mode->name, mode->theta0);
        mode->theta0 = mode->theta1 = mode->tau1 = 0;
    }
    if (fabs(mode->tau1) <= least) {
        mode->tau1 = 0;
        mode->theta0 = mode->theta1;
    }
    if (mode->theta0 < 0)
        sw_warn("%s:%d: mode %s: theta0 = %g is taken as %g, as in VPSC8", records->path, records->line,
                mode->name, mode->theta0, fabs(mode->theta0));
    mode->theta0 = fabs(mode->theta0);
    if (mode->tau1 != 0 && fabs(mode->theta1) >= mode->theta0)
        sw_warn("%s:%d: mode %s: |theta1| = %g is not below theta0 = %g", records->path, records->line,
                mode->name, fabs(mode->theta1), mode->theta0);
    return SW_OK;
}

static sw_status read_voce_mode(sw_vpsc_records *records, int n_modes, sw_vpsc_mode *mode)
{
    SW_TRY(sw_vpsc_skip(records, 1));
    SW_TRY(sw_vpsc_wholes(records, "nrsx, the exponent n", 1, &mode->exponent));
    if (mode->exponent < 1 || mode->exponent > 200)
        return sw_vpsc_bad(records, "nrsx = %d: need an exponent of 1 to 200", mode->exponent);
    const sw_vpsc_item item[] = {
        SW_VPSC_REALS("tau0x", 1, &mode->tau0), SW_VPSC_REALS("tau1x", 1, &mode->tau1),
        SW_VPSC_REALS("thet0", 1, &mode->theta0), SW_VPSC_REALS("thet1", 1, &mode->theta1),
        SW_VPSC_REALS("hpfac", 1, &mode->hall_petch)};
    SW_TRY(sw_vpsc_read(records, 5, item));
    SW_TRY(mend_voce(records, mode));
    SW_TRY(sw_vpsc_reals(records, "hlatex, latent hardening by each mode in use", n_modes, mode->latent));
    for (int m = 0; m < n_modes; m++)
        if (mode->latent[m] < 0)
            sw_warn("%s:%d: mode %s: hlatex(%d) = %g: resistances may fall below 0", records->path,
                    records->line, mode->name, m + 1, mode->latent[m]);
    return mode->twin_type == 0 ? SW_OK : read_twins(records, mode);
}

static sw_status read_voce(sw_vpsc_records *records, sw_vpsc_crystal *crystal)
{
    SW_TRY(sw_vpsc_reals(records, "grsze, the grain size", 1, &crystal->grain_size));
    int needs_size = 0;
    for (int m = 0; m < crystal->n_modes; m++) {
        SW_TRY(read_voce_mode(records, crystal->n_modes, &crystal->mode[m]));
        needs_size = needs_size || crystal->mode[m].hall_petch != 0;
    }
    if (needs_size && !(crystal->grain_size > 0))
        return sw_vpsc_bad(records, "grsze = %g: need a grain size above 0 where hpfac is not 0",
                           crystal->grain_size);
    return SW_OK;
}

/* ---- Laws of tables: records of so many numbers each ---- */

typedef struct {
    const char *name;
    int count; /* of a record; 0: of each mode of slip; -1: a line that says nothing; -2: isectw, itwinlaw, thres1, thres2 */
    const char *
        sign; /* of each number, the last of those that follow, too: + above 0, 0 not below, any other: either */
} law_record;

static const law_record mts[] = {{"", -1, NULL},
                                 {"KOVB3, MU0, D0, T0", 4, "++.+"},
                                 {"TAUa, TAUi, TAUeini, TH0, KAP", 5, "....+"},
                                 {"G0i, ED0i, QQi, PPi", 4, "+"},
                                 {"G0e, ED0e, QQe, PPe", 4, "+"},
                                 {"G0esat, EDesat0, TAUesat0", 3, "+"},
                                 {"PSI, RHO", 2, ".+"},
                                 {"Cp1, Cp2, Cp3", 3, "."},
                                 {NULL, 0, NULL}};
static const law_record density[] = {{"SHEAR_MOD, GRAIN SIZE", 2, ".+"},
                                     {"CHIfor, CHIsub", 2, "0"},
                                     {"RHO_DEB, TEMPref, EDOTref", 3, "00."},
                                     {NULL, 0, NULL}};
static const law_record density_slip[] = {
    {"", -1, NULL},    {"BURG, ACTENER", 2, "+"},      {"KGENER, DRAG", 2, "0+"},      {"EDOT_0", 1, "+"},
    {"RHO_S", 1, "0"}, {"tau0, tau1, tau2", 3, "..0"}, {"deb0, deb1, deb2", 3, "..+"}, {"HPFAC", 1, "."},
    {NULL, 0, NULL}};
static const law_record density_twin[] = {{"", -1, NULL},
                                          {"BURG", 1, "+"},
                                          {"T0crit, T1crit, T2crit", 3, "..0"},
                                          {"T0prop, T1prop, T2prop", 3, "..0"},
                                          {"coupling with each mode of slip", 0, "."},
                                          {"", -2, NULL},
                                          {NULL, 0, NULL}};
static const law_record reversal[] = {{"fBS, back stress of each mode of slip", 0, "."},
                                      {"qBS, mREV", 2, "0"},
                                      {"D, the grain size", 1, "+"},
                                      {NULL, 0, NULL}};
static const law_record reversal_slip[] = {{"", -1, NULL},
                                           {"mu", 1, "+"},
                                           {"b", 1, "+"},
                                           {"tau0", 1, "+"},
                                           {"K", 1, "+"},
                                           {"f_self", 1, "0"},
                                           {"f_lat", 1, "0"},
                                           {"rho_min", 1, "0"},
                                           {"rho_max", 1, "+"},
                                           {"hself", 1, "0"},
                                           {"hlat of each mode of slip", 0, "0"},
                                           {NULL, 0, NULL}};
static const law_record reversal_twin[] = {{"", -1, NULL},
                                           {"mu", 1, "."},
                                           {"b", 1, "."},
                                           {"tau0", 1, "+"},
                                           {"K", 1, "."},
                                           {"", -2, NULL},
                                           {"cts of each mode of slip", 0, "."},
                                           {NULL, 0, NULL}};

static sw_status check_signs(const sw_vpsc_records *records, const law_record *of, int count,
                             const double *number)
{
    const int last = (int)strlen(of->sign) - 1;
    for (int i = 0; i < count; i++) {
        const char sign = of->sign[i < last ? i : last];
        if (sign == '+' ? !(number[i] > 0) : sign == '0' && !(number[i] >= 0))
            return sw_vpsc_bad(records, "%s: number %d is %g: need one %s", of->name, i + 1, number[i],
                               sign == '+' ? "above 0" : "of 0 or more");
    }
    return SW_OK;
}

/* The number of them that a law asks for is below that of places in both. */
static sw_status read_records(sw_vpsc_records *records, const law_record *table, int n_slip_modes,
                              sw_vpsc_mode *mode, double *to)
{
    for (; table->name != NULL; table++) {
        const int count = table->count == 0 ? n_slip_modes : table->count;
        if (table->count == -1)
            SW_TRY(sw_vpsc_skip(records, 1));
        else if (table->count == -2)
            SW_TRY(read_twins(records, mode));
        else {
            SW_TRY(sw_vpsc_reals(records, table->name, count, to));
            SW_TRY(check_signs(records, table, count, to));
            to += count;
        }
    }
    return SW_OK;
}

static sw_status read_tables(sw_vpsc_records *records, sw_vpsc_crystal *crystal, const law_record *common,
                             const law_record *slip, const law_record *twin)
{
    const int n_slip_modes = crystal->n_modes - crystal->n_twin_modes;
    SW_TRY(read_records(records, common, n_slip_modes, NULL, crystal->common));
    for (int m = 0; m < crystal->n_modes; m++) {
        sw_vpsc_mode *mode = &crystal->mode[m];
        mode->exponent = 20;
        const law_record *table = mode->twin_type == 0 ? slip : twin;
        if (table != NULL)
            SW_TRY(read_records(records, table, n_slip_modes, mode, mode->law));
        if (crystal->law == SW_VPSC_REVERSAL)
            mode->secondary = 0; /* whatever the file says, as in VPSC8 */
    }
    return SW_OK;
}

sw_status sw_vpsc_read_hardening(sw_vpsc_records *records, sw_vpsc_crystal *crystal)
{
    int law;
    SW_TRY(sw_vpsc_skip(records, 1));
    SW_TRY(sw_vpsc_wholes(records, "ihardlaw, the hardening law", 1, &law));
    if (law >= 30 && law <= 32)
        return sw_vpsc_bad(records, "ihardlaw = %d: growth and creep under irradiation are not taken", law);
    if (law != SW_VPSC_VOCE && law != SW_VPSC_MTS && law != SW_VPSC_DENSITY && law != SW_VPSC_REVERSAL)
        return sw_vpsc_bad(records, "ihardlaw = %d: need 0 (Voce), 1 (MTS), 20 or 23 (dislocation densities)",
                           law);
    crystal->law = (sw_vpsc_law)law;
    SW_TRY(sw_vpsc_flag(records, "iratesens", &crystal->rate_sensitive));
    if (law != SW_VPSC_VOCE)
        crystal->rate_sensitive = 0;
    switch (crystal->law) {
    case SW_VPSC_MTS:
        return read_tables(records, crystal, mts, NULL, NULL);
    case SW_VPSC_DENSITY:
        return read_tables(records, crystal, density, density_slip, density_twin);
    case SW_VPSC_REVERSAL:
        return read_tables(records, crystal, reversal, reversal_slip, reversal_twin);
    default:
        return read_voce(records, crystal);
    }
}
