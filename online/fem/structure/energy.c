/* What stresses, springs and loads have done; analysis.h. */
#include <string.h>

#include "fields.h"

const char *const sw_structure_energy_names[SW_STRUCTURE_ENERGIES] = {
    [SW_STRUCTURE_ELASTIC] = "elastic_energy",       [SW_STRUCTURE_PLASTIC] = "plastic_dissipation",
    [SW_STRUCTURE_CREEP] = "creep_dissipation",      [SW_STRUCTURE_HEAT] = "thermal_work",
    [SW_STRUCTURE_ARTIFICIAL] = "artificial_energy", [SW_STRUCTURE_SPRINGS] = "spring_energy",
    [SW_STRUCTURE_CONTACT] = "contact_work",         [SW_STRUCTURE_EXTERNAL] = "external_work"};

/* Of a spring's forces at u and at the trial. */
static double spring_work(sw_structure *s, int64_t k)
{
    double force[2][6], stiffness[36], sum = 0, *const trial = s->trial;
    int64_t unknown[SW_FORMULATION_UNKNOWNS];
    const int n = sw_structure_unknowns_of(s->problem, s->problem->n_elements + k, unknown);
    sw_structure_spring_at(s, k, force[1], stiffness);
    s->trial = s->u;
    sw_structure_spring_at(s, k, force[0], stiffness);
    s->trial = trial;
    for (int i = 0; i < n; i++)
        if (unknown[i] >= 0)
            sum += 0.5 * (force[0][i] + force[1][i]) * (s->trial[unknown[i]] - s->u[unknown[i]]);
    return sum;
}

void sw_structure_add_energies(sw_structure *s)
{
    const int64_t n = s->ties.n_unknowns;
    double *const force = s->du, sum = 0;
    sw_structure_held(s, force);
    for (int64_t i = 0; i < n; i++) {
        force[i] += s->external[i];
        sum += 0.5 * (s->outside[i] + force[i]) * (s->trial[i] - s->u[i]);
    }
    memcpy(s->outside, force, (size_t)n * sizeof *force);
    memcpy(s->energy, s->trial_energy, sizeof s->trial_energy);
    s->energy[SW_STRUCTURE_EXTERNAL] += sum;
    for (int64_t k = 0; k < s->problem->n_springs; k++)
        s->energy[SW_STRUCTURE_SPRINGS] += spring_work(s, k);
    s->energy[SW_STRUCTURE_CONTACT] += sw_structure_contacts_work(s);
}

void sw_structure_read_energies(const sw_structure *s, double energy[SW_STRUCTURE_ENERGIES])
{
    memcpy(energy, s->energy, sizeof s->energy);
}
