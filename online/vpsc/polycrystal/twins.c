/* Twins that turn whole grains, by the predominant one of each (PTR; Tome, Lebensohn and Kocks, Acta Metall. Mater. 39 (1991) 2667),
 * with the order of grains and the numbers that VPSC8 draws. */
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "state.h"
#include "twins.h"

enum { NO_TWIN = -1 };

static int twin_count(const sw_vpsc_grains_of *p) { return p->systems - p->input->crystal.n_slip; }
static int first_twin_mode(const sw_vpsc_crystal *c) { return c->n_modes - c->n_twin_modes; }

/* Fractions of all variants of grain g with this step's slip; by mode [twin modes]. */
static void add_fractions(sw_vpsc_polycrystal *polycrystal, sw_vpsc_grains_of *p, int64_t g, double *of_mode)
{
    const sw_vpsc_crystal *crystal = &p->input->crystal;
    double *variant = p->variant + g * (twin_count(p) + 1);
    for (int t = 0; t < crystal->n_twin_modes; t++) {
        const sw_vpsc_mode *mode = &crystal->mode[first_twin_mode(crystal) + t];
        double grown = 0;
        of_mode[t] = 0;
        for (int k = 0; k < mode->count; k++) {
            const int a = mode->first + k;
            const double slip = p->slip_rate[g * p->systems + a] * polycrystal->time_step / mode->twin_shear;
            double *fraction = &variant[a - crystal->n_slip];
            if (slip > 0) {
                *fraction += slip;
                grown += slip;
            }
            of_mode[t] += *fraction;
        }
        p->twins.fraction[t] += grown * p->weight[g] / p->fraction;
    }
}

/* The system by which a grain would turn. */
static int choose_twin(sw_vpsc_polycrystal *polycrystal, const sw_vpsc_grains_of *p, int64_t g,
                       const double *of_mode)
{
    const sw_vpsc_crystal *crystal = &p->input->crystal;
    const double *variant = p->variant + g * (twin_count(p) + 1);
    double all = 0, sum = 0, most = 0;
    int chosen = NO_TWIN;
    for (int t = 0; t < crystal->n_twin_modes; t++)
        all += of_mode[t];
    const double drawn = polycrystal->twin_law == SW_VPSC_MONTE_CARLO
                             ? sw_vpsc_draw(polycrystal->compatible, &polycrystal->drawn)
                             : 0;
    for (int v = 0; v < twin_count(p); v++) {
        sum += all > 0 ? variant[v] / all : 0;
        if (polycrystal->twin_law == SW_VPSC_MONTE_CARLO && sum > drawn)
            return crystal->n_slip + v;
        if (polycrystal->twin_law == SW_VPSC_MAXIMUM_FRACTION && variant[v] > most) {
            most = variant[v];
            chosen = crystal->n_slip + v;
        }
    }
    return chosen;
}

/* ---- Turns ---- */

/* Whether a grain turns by now: twins fill more of it than a threshold, which rises with what has turned already. */
static int is_due(const sw_vpsc_grains_of *p, int t, double of_mode)
{
    const sw_vpsc_mode *mode = &p->input->crystal.mode[first_twin_mode(&p->input->crystal) + t];
    const sw_vpsc_twins *twins = &p->twins;
    if (!(twins->effective[t] < twins->fraction[t]))
        return 0;
    return of_mode >
           mode->threshold + mode->threshold_rise * twins->effective[t] / (twins->fraction[t] + 1e-6);
}

static void turn_if_due(sw_vpsc_polycrystal *polycrystal, sw_vpsc_grains_of *p, int64_t g, int a,
                        const double *of_mode)
{
    const sw_vpsc_crystal *crystal = &p->input->crystal;
    if (a == NO_TWIN || p->tagged[g] != 0)
        return;
    const int t = crystal->mode_of[a] - first_twin_mode(crystal);
    const double share = p->weight[g] / p->fraction;
    if (!is_due(p, t, of_mode[t]))
        return;
    p->twins.effective[t] += share;
    p->twins.rank_weight[t][sw_vpsc_count_twin(polycrystal, p, g, t, a)] += p->weight[g];
    sw_vpsc_twinned(crystal, a, (const double(*)[3])p->turn[g], p->turn[g]);
    memset(p->variant + g * (twin_count(p) + 1), 0, (size_t)twin_count(p) * sizeof *p->variant);
    *(p->turned[g] == 0 ? &p->twins.primary : &p->twins.secondary) += share;
    p->turned[g]++;
    polycrystal->twinned = 1;
    p->tagged[g] = crystal->mode[crystal->mode_of[a]].secondary == 1 && p->turned[g] <= 1 ? 0 : -(a + 1);
    p->crss[g * p->systems + a] *= 0.5; /* so that it may untwin */
}

/* Grains in VPSC8's order: of those that are left the one at a drawn place. That is grain N/... of a list that shrinks: the place
 * is found by a tree of counts, in log N. */
typedef struct {
    int64_t size;   /* a power of 2 */
    int64_t *count; /* [2 size]: how many are left below each node */
} left_list;

static int64_t take(left_list *list, int64_t place)
{
    int64_t node = 1;
    list->count[1]--;
    while (node < list->size) {
        node *= 2;
        if (place >= list->count[node])
            place -= list->count[node++];
        list->count[node]--;
    }
    return node - list->size;
}

static sw_status make_list(int64_t n, left_list *list)
{
    list->size = 1;
    while (list->size < n)
        list->size *= 2;
    SW_TRY(SW_ALLOCATE(list->count, 2 * list->size, "an order of grains"));
    for (int64_t i = 0; i < n; i++)
        list->count[list->size + i] = 1;
    for (int64_t node = list->size - 1; node > 0; node--)
        list->count[node] = list->count[2 * node] + list->count[2 * node + 1];
    return SW_OK;
}

static void twin_phase(sw_vpsc_polycrystal *polycrystal, sw_vpsc_grains_of *p, left_list *list, int *chosen,
                       double *of_mode)
{
    for (int64_t g = 0; g < p->n; g++) {
        add_fractions(polycrystal, p, g, of_mode + g * SW_VPSC_TWIN_MODES);
        chosen[g] = choose_twin(polycrystal, p, g, of_mode + g * SW_VPSC_TWIN_MODES);
    }
    for (int64_t left = p->n; left > 0; left--) {
        const int64_t place =
            (int64_t)(sw_vpsc_draw(polycrystal->compatible, &polycrystal->drawn) * (double)left);
        const int64_t g = take(list, place);
        turn_if_due(polycrystal, p, g, chosen[g], of_mode + g * SW_VPSC_TWIN_MODES);
    }
}

sw_status sw_vpsc_twin(sw_vpsc_polycrystal *polycrystal)
{
    sw_status status = SW_OK;
    if (polycrystal->twin_law == SW_VPSC_FRACTION_TRANSFER) {
        sw_vpsc_transfer(polycrystal);
        return SW_OK;
    }
    for (int i = 0; i < polycrystal->n_phases && status == SW_OK; i++) {
        sw_vpsc_grains_of *p = &polycrystal->phase[i];
        left_list list = {0};
        int *chosen = NULL;
        double *of_mode = NULL;
        if (p->input->crystal.n_twin_modes == 0 || p->fraction == 0)
            continue;
        status = make_list(p->n, &list);
        if (status == SW_OK)
            status = SW_ALLOCATE(chosen, p->n, "twins");
        if (status == SW_OK)
            status = SW_ALLOCATE(of_mode, p->n * SW_VPSC_TWIN_MODES, "twins");
        if (status == SW_OK)
            twin_phase(polycrystal, p, &list, chosen, of_mode);
        free(list.count);
        free(chosen);
        free(of_mode);
    }
    return status;
}
