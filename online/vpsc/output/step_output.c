/* Rows of a step: RERR.OUT, STR_STR.OUT, STR_STR_STATS.OUT, ACT_PHn.OUT, STAT_AXES_PHn.OUT. */
#include <string.h>

#include "fortran.h"
#include "output.h"

/* Of a load or a history; else probes, which move nothing. */
static int is_path(const sw_vpsc_place *place)
{
    return place->process->kind == SW_VPSC_LOAD || place->process->kind == SW_VPSC_HISTORY;
}

void sw_vpsc_write_errors(sw_vpsc_output *output, const sw_vpsc_place *place,
                          const sw_vpsc_polycrystal *polycrystal, const sw_vpsc_convergence *convergence)
{
    FILE *file = sw_vpsc_output_file(output, "RERR.OUT");
    fprintf(file, "\n*******   STEP");
    sw_fortran_i(file, 4, place->step);
    fprintf(file, "      *** %-35s\n", place->title);
    if (polycrystal->input->interaction == SW_VPSC_FULL_CONSTRAINTS || place->elastic)
        return;
    sw_fortran_i(file, 5, convergence->iterations);
    sw_fortran_es(file, 1, 12, 3, &convergence->error[0]);
    sw_fortran_es(file, 1, 12, 3, &convergence->error[1]);
    sw_fortran_es(file, 1, 12, 3, &convergence->error[2]);
    fprintf(file, "\n");
}

/* ---- Stress and strain ---- */

static void put_columns(FILE *file, const char *before, const char *what, int wide)
{
    for (int k = 0; k < 6; k++)
        fprintf(file, "%*s%s%s", k == 0 ? wide + (int)strlen(before) : wide, "", what, sw_vpsc_component[k]);
}

static void write_stress_header(FILE *file, const sw_vpsc_place *place,
                                const sw_vpsc_polycrystal *polycrystal)
{
    const int path = is_path(place), creep = path && !place->strain_control;
    const int closed =
        polycrystal->rate_given[0][0] && polycrystal->rate_given[1][1] && polycrystal->rate_given[2][2];
    fprintf(file, "%10s%s%10s%s", "", path ? "Evm" : "Dvm", "", creep && !closed ? "Dvm" : "Svm");
    put_columns(file, "", path ? "E" : "D", 10);
    put_columns(file, "      ", closed ? "SDEV" : creep ? "DBAR" : "SCAU", 7);
    fprintf(file, path ? "      TEMP      TIME    TAYLAV      WORKAV" : "      TEMP    TAYLAV      WORKAV");
    fprintf(file, "      WRATE1      WRATE2 \n");
}

static void write_deviations(sw_vpsc_output *output, const sw_vpsc_place *place,
                             const sw_vpsc_polycrystal *polycrystal)
{
    FILE *file = sw_vpsc_output_file(output, "STR_STR_STATS.OUT");
    double stress[6], rate[6];
    sw_vpsc_deviations(polycrystal, stress, rate);
    const char d = place->elastic ? 'E' : 'D';
    if (place->step == !place->elastic)
        fprintf(file,
                "        EPSvm          Svm        SDEV1    SDEV2    SDEV3    SDEV4    SDEV5    SDEV6"
                "        %cDEV1    %cDEV2    %cDEV3    %cDEV4    %cDEV5    %cDEV6\n",
                d, d, d, d, d, d);
    sw_fortran_e(file, 13, 5, is_path(place) ? polycrystal->mises_strain : polycrystal->mises_rate);
    sw_fortran_e(file, 13, 5, polycrystal->mises_stress);
    fprintf(file, "    ");
    sw_fortran_fs(file, 6, 9, 3, stress);
    fprintf(file, "    ");
    sw_fortran_fs(file, 6, 9, 3, rate);
    fprintf(file, "\n");
}

void sw_vpsc_write_stress(sw_vpsc_output *output, const sw_vpsc_place *place,
                          const sw_vpsc_polycrystal *polycrystal)
{
    FILE *file = sw_vpsc_output_file(output, "STR_STR.OUT");
    const int path = is_path(place), creep = path && !place->strain_control;
    if (place->step == !place->elastic)
        write_stress_header(file, place, polycrystal);
    sw_fortran_e(file, 13, 5, path ? polycrystal->mises_strain : polycrystal->mises_rate);
    sw_fortran_e(file, 13, 5, creep ? polycrystal->mises_rate : polycrystal->mises_stress);
    fprintf(file, "   ");
    sw_fortran_es(file, 6, 13, 5, path ? polycrystal->strain : polycrystal->d);
    fprintf(file, "   ");
    sw_fortran_es(file, 6, 13, 5, creep ? polycrystal->d : polycrystal->stress);
    sw_fortran_f(file, 10, 0, polycrystal->temperature);
    if (path)
        sw_fortran_e(file, 10, 3, polycrystal->time);
    sw_fortran_f(file, 10, 3, polycrystal->taylor);
    sw_fortran_e(file, 12, 4, polycrystal->work);
    sw_fortran_es(file, 2, 12, 4, polycrystal->work_rate);
    fprintf(file, "\n");
    write_deviations(output, place, polycrystal);
}

/* ---- Activities ---- */

static void write_twin_activity(FILE *file, const sw_vpsc_polycrystal *polycrystal,
                                const sw_vpsc_grains_of *p, int header)
{
    const int modes = p->input->crystal.n_modes, twins = p->input->crystal.n_twin_modes;
    const int transfer = polycrystal->twin_law == SW_VPSC_FRACTION_TRANSFER;
    if (header) {
        fprintf(file, "   STRAIN    AVACS    PRITW    SECTW");
        for (int m = 1; m <= modes; m++)
            fprintf(file, "    MODE%d", m);
        for (int m = modes - twins + 1; m <= modes; m++)
            fprintf(file, transfer ? "    TWFR%d" : "    TWFR%d    EFFR%d", m, m);
        fprintf(file, transfer ? "    VFPH1    VFPH2\n" : "\n");
    }
    sw_fortran_f(file, 9, 4, polycrystal->control_strain);
    sw_fortran_f(file, 9, 4, p->active_systems);
    sw_fortran_f(file, 9, 4, p->twins.primary);
    sw_fortran_f(file, 9, 4, p->twins.secondary);
    sw_fortran_fs(file, modes, 9, 4, p->activity);
    for (int t = 0; t < twins; t++) {
        sw_fortran_f(file, 9, 4, p->twins.fraction[t]);
        if (!transfer)
            sw_fortran_f(file, 9, 4, p->twins.effective[t]);
    }
    for (int i = 0; i < 2 && transfer; i++)
        sw_fortran_f(file, 9, 4, polycrystal->phase[i].fraction);
    fprintf(file, "\n");
}

static void write_slip_activity(FILE *file, const sw_vpsc_place *place,
                                const sw_vpsc_polycrystal *polycrystal, const sw_vpsc_grains_of *p)
{
    const int modes = p->input->crystal.n_modes, path = is_path(place);
    if (place->step == 1) {
        fprintf(file, path ? "   STRAIN    AVACS" : "    STEP   AVACS");
        for (int m = 1; m <= modes; m++)
            fprintf(file, path ? "    MODE%d" : "   MODE%d", m);
        fprintf(file, "\n");
    }
    if (path)
        sw_fortran_f(file, 9, 4, polycrystal->control_strain);
    else
        sw_fortran_i(file, 8, place->step);
    sw_fortran_f(file, path ? 9 : 8, path ? 4 : 3, p->active_systems);
    sw_fortran_fs(file, modes, path ? 9 : 8, path ? 4 : 3, p->activity);
    fprintf(file, "\n");
}

void sw_vpsc_write_activity(sw_vpsc_output *output, const sw_vpsc_place *place,
                            const sw_vpsc_polycrystal *polycrystal)
{
    for (int i = 0; i < polycrystal->n_phases; i++) {
        const sw_vpsc_grains_of *p = &polycrystal->phase[i];
        FILE *file = sw_vpsc_output_file(output, "ACT_PH%d.OUT", i + 1);
        if (p->input->crystal.n_twin_modes > 0 && is_path(place))
            write_twin_activity(file, polycrystal, p, place->step == 1);
        else
            write_slip_activity(file, place, polycrystal, p);
    }
}

/* ---- Twins ---- */

void sw_vpsc_write_twins(sw_vpsc_output *output, const sw_vpsc_place *place,
                         const sw_vpsc_polycrystal *polycrystal)
{
    const int phases = polycrystal->twin_law == SW_VPSC_FRACTION_TRANSFER ? 1 : polycrystal->n_phases;
    for (int i = 0; i < phases; i++) {
        const sw_vpsc_grains_of *p = &polycrystal->phase[i];
        for (int t = 0; t < p->input->crystal.n_twin_modes && p->fraction > 0; t++) {
            FILE *schmid = sw_vpsc_output_file(output, "TW_SCH_STATS_PH%d_MODE%d.OUT", i + 1, t + 1);
            FILE *rank = sw_vpsc_output_file(output, "TW_VAR_STATS_PH%d_MODE%d.OUT", i + 1, t + 1);
            double counted = 0, share[21];
            if (place->step == 1) {
                fprintf(schmid, "   SCHMID FACTOR DISTRIBUTION FOR TWIN MODE:%2d\nISTEP STRAIN  #TWGR",
                        t + 1);
                for (int k = 0; k < 21; k++)
                    sw_fortran_f(schmid, 8, 3, 0.025 + 0.05 * (k - 6));
                fprintf(rank, "   VARIANT FREQ & VOL FRACT DISTRIB FOR TWIN MODE:%2d\nISTEP STRAIN  #TWGR",
                        t + 1);
                for (int k = 0; k < 12; k++)
                    sw_fortran_i(rank, 8, k % 6 + 1);
                fprintf(schmid, "\n");
                fprintf(rank, "\n");
            }
            for (int k = 0; k < 21; k++)
                counted += p->twins.schmid[t][k];
            for (int f = 0; f < 2; f++) {
                FILE *file = f == 0 ? schmid : rank;
                const double *count = f == 0 ? p->twins.schmid[t] : p->twins.rank[t];
                sw_fortran_i(file, 4, place->step);
                sw_fortran_f(file, 8, 3, polycrystal->control_strain);
                sw_fortran_i(file, 7, (long long)counted);
                for (int k = 0; k < (f == 0 ? 21 : 6); k++)
                    share[k] = counted > 0 ? count[k] / counted : 0;
                sw_fortran_fs(file, f == 0 ? 21 : 6, 8, 4, share);
            }
            sw_fortran_fs(rank, 6, 8, 4, p->twins.rank_weight[t]);
            fprintf(schmid, "\n");
            fprintf(rank, "\n");
        }
    }
}

/* ---- Dislocation densities ---- */

static void write_reversal(FILE *file, const sw_vpsc_polycrystal *polycrystal)
{
    const sw_vpsc_grains_of *p = &polycrystal->phase[0];
    double forest, back, of_mode[SW_VPSC_MODES];
    sw_vpsc_reversal_means(p, &forest, &back, of_mode);
    if (ftell(file) == 0)
        fprintf(file, "    EPSACU     EPSVM   EPSctrl    RHOforest     RHOreverse      RHOtotal       "
                      "RHOmod1       RHOmod2\n");
    sw_fortran_f(file, 10, 4, polycrystal->control_strain);
    sw_fortran_f(file, 10, 4, polycrystal->mises_strain);
    sw_fortran_f(file, 10, 4, polycrystal->control > 0 ? polycrystal->strain[polycrystal->control - 1] : 0);
    sw_fortran_e(file, 14, 4, forest);
    sw_fortran_e(file, 14, 4, back);
    sw_fortran_e(file, 14, 4, forest + back);
    sw_fortran_es(file, p->input->crystal.n_modes - p->input->crystal.n_twin_modes, 14, 4, of_mode);
    fprintf(file, "\n");
}

void sw_vpsc_write_densities(sw_vpsc_output *output, const sw_vpsc_polycrystal *polycrystal)
{
    const sw_vpsc_grains_of *p = &polycrystal->phase[0];
    const sw_vpsc_crystal *crystal = &p->input->crystal;
    if (crystal->law == SW_VPSC_REVERSAL) {
        write_reversal(sw_vpsc_output_file(output, "DIS_DEN.OUT"), polycrystal);
        return;
    }
    const int modes = crystal->n_modes - crystal->n_twin_modes;
    FILE *file = sw_vpsc_output_file(output, "DIS_DEN.OUT");
    double mean[SW_VPSC_MODES] = {0}, debris = 0, all;
    if (ftell(file) == 0) {
        fprintf(file, "    EPSACU   ");
        for (int m = 0; m < modes; m++)
            fprintf(file, "Rho_for_mod ");
        fprintf(file, "    Rho_deb     Rho_tot\n");
    }
    for (int64_t g = 0; g < p->n; g++) {
        debris += p->weight[g] * p->debris[g];
        for (int a = 0; a < crystal->n_slip; a++)
            mean[crystal->mode_of[a]] += p->weight[g] * p->density[g * p->systems + a];
    }
    all = debris;
    for (int m = 0; m < modes; m++)
        all += mean[m];
    sw_fortran_e(file, 12, 4, polycrystal->control_strain);
    sw_fortran_es(file, modes, 12, 4, mean);
    sw_fortran_e(file, 12, 4, debris);
    sw_fortran_e(file, 12, 4, all);
    fprintf(file, "\n");
}
