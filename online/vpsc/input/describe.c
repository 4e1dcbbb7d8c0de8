/* What was understood of a run's inputs. */
#include "common/math/six.h"
#include "input.h"

static void describe_voce(const sw_vpsc_mode *mode, int n_modes, FILE *out)
{
    fprintf(out, "    n %d, tau0 %g, tau1 %g, theta0 %g, theta1 %g, Hall-Petch %g; latent", mode->exponent,
            mode->tau0, mode->tau1, mode->theta0, mode->theta1, mode->hall_petch);
    for (int m = 0; m < n_modes; m++)
        fprintf(out, " %g", mode->latent[m]);
    fprintf(out, "\n");
}

static void describe_mode(const sw_vpsc_crystal *crystal, const sw_vpsc_mode *mode, FILE *out)
{
    fprintf(out, "  mode %d, %s: %d systems, %s", mode->number, mode->name, mode->count,
            mode->one_way ? "one way" : "both ways");
    if (mode->twin_type > 0)
        fprintf(out, "; twins of type %d, shear %g, law %d, thresholds %g %g%s", mode->twin_type,
                mode->twin_shear, mode->twin_law, mode->threshold, mode->threshold_rise,
                mode->secondary ? ", secondary" : "");
    fprintf(out, "\n");
    if (crystal->law == SW_VPSC_VOCE)
        describe_voce(mode, crystal->n_modes, out);
}

static const char *law_name(sw_vpsc_law law)
{
    return law == SW_VPSC_VOCE      ? "Voce"
           : law == SW_VPSC_MTS     ? "mechanical threshold stress"
           : law == SW_VPSC_DENSITY ? "dislocation densities"
                                    : "dislocation densities that reverse";
}

static void describe_phase(const sw_vpsc_input *input, int p, FILE *out)
{
    const sw_vpsc_phase *phase = &input->phase[p];
    const sw_vpsc_crystal *crystal = &phase->crystal;
    double total = 0;
    for (int64_t g = 0; g < phase->grains.count; g++)
        total += phase->grains.weight[g];
    fprintf(out, "phase %d: fraction %g\n", p + 1, phase->fraction);
    fprintf(out, "  texture %s: %lld grains of weight %g\n", phase->texture, (long long)phase->grains.count,
            total);
    fprintf(out, "  shape %d, axes %g %g %g, critical ratio %g%s\n", phase->shape, phase->axes[0],
            phase->axes[1], phase->axes[2], phase->critical_ratio,
            phase->fragmentation ? ", then halved" : ", then kept");
    fprintf(out, "  crystal %s: %s, axes %g %g %g, angles %g %g %g\n", phase->crystal_file,
            sw_vpsc_symmetry_names[crystal->symmetry], crystal->cell[0], crystal->cell[1], crystal->cell[2],
            crystal->angle[0], crystal->angle[1], crystal->angle[2]);
    if (!input->elastic)
        fprintf(out, "  %s, %s\n", law_name(crystal->law),
                crystal->rate_sensitive ? "reference rate 1" : "reference rate: the strain rate's");
    for (int m = 0; m < crystal->n_modes; m++)
        describe_mode(crystal, &crystal->mode[m], out);
    if (phase->diffraction.n > 0)
        fprintf(out, "  diffraction %s: %d planes, within %g degrees\n", phase->diffraction_file,
                phase->diffraction.n, phase->diffraction.spread);
}

static void describe_load(const sw_vpsc_load *load, FILE *out)
{
    fprintf(out, "%d steps of %g by %s%d; L", load->steps, load->increment,
            load->control == SW_VPSC_BY_MISES         ? "von Mises, "
            : load->control == SW_VPSC_BY_TEMPERATURE ? "temperature, "
                                                      : "component ",
            load->control);
    for (int k = 0; k < 9; k++)
        if (load->rate_given[k / 3][k % 3])
            fprintf(out, " %g", load->rate[k / 3][k % 3]);
        else
            fprintf(out, " free");
    fprintf(out, "; stresses given:");
    int any = 0;
    for (int k = 0; k < 6; k++)
        if (load->stress_given[k]) {
            fprintf(out, " %s = %g", sw_vpsc_component[k], load->stress[sw_six_row(k)][sw_six_column(k)]);
            any = 1;
        }
    fprintf(out, any ? "\n" : " none\n");
}

static void describe_process(const sw_vpsc_process *process, int number, FILE *out)
{
    fprintf(out, "process %d: ", number);
    switch (process->kind) {
    case SW_VPSC_LOAD:
        fprintf(out, "load %s: ", process->path);
        describe_load(&process->load, out);
        break;
    case SW_VPSC_HISTORY:
        fprintf(out, "history %s: %d steps\n", process->path, process->n_steps);
        break;
    case SW_VPSC_SURFACE:
        fprintf(out, "yield surface, section %d %d\n", process->section[0], process->section[1]);
        break;
    case SW_VPSC_SURFACE_5D:
        fprintf(out, "yield surface in five dimensions\n");
        break;
    case SW_VPSC_LANKFORD:
        fprintf(out, "Lankford coefficients every %g degrees\n", process->angle);
        break;
    case SW_VPSC_ROTATION:
        fprintf(out, "rotation %s\n", process->path);
        break;
    }
}

void sw_vpsc_describe(const sw_vpsc_input *input, FILE *out)
{
    fprintf(out, "%s: %s", input->path, input->elastic ? "elastic" : "viscoplastic, ");
    if (!input->elastic)
        fprintf(out, "%s", sw_vpsc_interaction_names[input->interaction]);
    if (!input->elastic && input->interaction == SW_VPSC_NEFF) {
        if (input->neff > 0)
            fprintf(out, " %g", input->neff);
        else
            fprintf(out, " by relative directional compliances");
    }
    fprintf(out, "\n");
    for (int p = 0; p < input->n_phases; p++)
        describe_phase(input, p, out);
    if (!input->elastic)
        fprintf(out, "tolerances %g (stress) %g (rate) %g (moduli), at most %d and %d iterations\n",
                input->stress_tolerance, input->rate_tolerance, input->moduli_tolerance, input->outer,
                input->inner);
    for (int i = 0; i < input->n_processes; i++)
        describe_process(&input->process[i], i + 1, out);
}
