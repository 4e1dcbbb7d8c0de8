/* Loads of elastic polycrystals, by stress, strain or temperature. */
#include <math.h>
#include <string.h>

#include "common/math/elimination.h"
#include "common/math/six.h"
#include "run.h"

/* What of the load is given; what is not is 0. */
static void begin(sw_vpsc_run *run, const sw_vpsc_load *load)
{
    sw_vpsc_polycrystal *p = &run->polycrystal;
    memcpy(p->rate_given, load->rate_given, sizeof p->rate_given);
    for (int k = 0; k < 6; k++) {
        const int i = sw_six_row(k), j = sw_six_column(k);
        p->d[k] = load->stress_given[k] ? 0 : 0.5 * (load->rate[i][j] + load->rate[j][i]);
        p->stress[k] = load->stress_given[k] ? load->stress[i][j] : 0;
    }
    const int by_heat = load->control == SW_VPSC_BY_TEMPERATURE, k = load->control - 1;
    const int by_stress = !by_heat && load->stress_given[k];
    if (!by_heat)
        run->place.strain_control = !by_stress; /* else it stays what it was: at first 0, as in VPSC8 */
    p->temperature = load->temperature[0];
    run->temperature_step =
        by_heat ? load->increment : (load->temperature[1] - load->temperature[0]) / load->steps;
    p->time_step = by_heat ? 1 : by_stress ? load->increment : load->increment / fabs(p->d[k]);
}

/* Strain by the stress that there is at first. */
static void set_strain(sw_vpsc_run *run)
{
    double s[6][6];
    sw_vpsc_polycrystal *p = &run->polycrystal;
    sw_vpsc_moduli_components(sw_vpsc_moduli_of(run->elastic)->compliance, s);
    for (int i = 0; i < 6; i++) {
        p->strain[i] = 0;
        for (int j = 0; j < 6; j++)
            p->strain[i] += s[i][j] * p->stress[j] * (j < 3 ? 1 : 2);
    }
}

/* Increments of elastic strain [6] and stress [6], of which one of each component is given: strain = S stress. */
static void solve_increment(const double s[6][6], const int stress_given[6], double strain[6],
                            double stress[6])
{
    double a[36] = {0}, b[6] = {0}, x[6];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            const double of_stress = s[i][j] * (j < 3 ? 1 : 2);
            if (stress_given[j]) { /* its strain is not known */
                a[6 * i + j] = i == j;
                b[i] += of_stress * stress[j];
            } else
                a[6 * i + j] = -of_stress;
            if (i == j && !stress_given[i])
                b[i] -= strain[i];
        }
    sw_solve_by_elimination(6, 6, a, b, x);
    for (int i = 0; i < 6; i++)
        *(stress_given[i] ? &strain[i] : &stress[i]) = x[i];
}

static void solve(sw_vpsc_run *run, const sw_vpsc_load *load)
{
    sw_vpsc_polycrystal *p = &run->polycrystal;
    const sw_vpsc_moduli *moduli = sw_vpsc_moduli_of(run->elastic);
    double s[6][6], expansion[6], strain[6], stress[6] = {0};
    sw_vpsc_moduli_components(moduli->compliance, s);
    sw_vpsc_from_basis(moduli->expansion, expansion);
    for (int k = 0; k < 6; k++)
        strain[k] = p->d[k] * p->time_step - expansion[k] * run->temperature_step;
    solve_increment((const double(*)[6])s, load->stress_given, strain, stress);
    for (int k = 0; k < 6; k++) {
        p->d[k] = (strain[k] + expansion[k] * run->temperature_step) / p->time_step;
        p->stress[k] += stress[k];
    }
}

/* Grains' stresses, and their elastic strains in place of rates, for statistics. */
static void localise(sw_vpsc_run *run, double warmed)
{
    double stress[6], of_grain[6], strain[6];
    sw_vpsc_to_basis(run->polycrystal.stress, stress);
    for (int i = 0; i < run->polycrystal.n_phases; i++) {
        sw_vpsc_grains_of *p = &run->polycrystal.phase[i];
        for (int64_t g = 0; g < p->n; g++) {
            sw_vpsc_elastic_stress(run->elastic, p, g, stress, warmed, of_grain);
            sw_vpsc_elastic_strain(run->elastic, p, g, of_grain, strain);
            p->pressure[g] = of_grain[5] / sqrt(3);
            of_grain[5] = 0;
            sw_vpsc_from_basis(of_grain, p->stress[g]);
            sw_vpsc_from_basis(strain, p->rate[g]);
        }
    }
}

static void write(sw_vpsc_run *run)
{
    sw_vpsc_write_stress(run->output, &run->place, &run->polycrystal);
    sw_vpsc_write_lattice_strains(run->output, &run->polycrystal, run->elastic);
}

sw_status sw_vpsc_run_elastic(sw_vpsc_run *run, const sw_vpsc_process *process)
{
    const sw_vpsc_load *load = &process->load;
    sw_vpsc_polycrystal *p = &run->polycrystal;
    begin(run, load);
    set_strain(run);
    run->place.step = 0;
    write(run);
    for (run->place.step = 1; run->place.step <= load->steps; run->place.step++) {
        SW_TRY(sw_interrupt_check());
        SW_TRY(sw_vpsc_output_status(run->output));
        sw_vpsc_write_errors(run->output, &run->place, p, &run->convergence);
        solve(run, load);
        sw_vpsc_find_mises(p);
        localise(run, p->temperature + run->temperature_step - load->temperature[0]);
        for (int k = 0; k < 6; k++)
            p->strain[k] += p->d[k] * p->time_step;
        p->mises_strain += p->mises_rate * p->time_step;
        p->temperature += run->temperature_step;
        sw_vpsc_end_step(run);
        write(run);
        SW_TRY(sw_vpsc_keep_row(run));
    }
    return SW_OK;
}
