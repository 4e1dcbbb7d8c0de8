/* Dislocation densities of which some go back when slip reverses (Kitayama, Tome, Rauch, Gracio and Barlat, Int. J. Plast. 46 (2013) 54;
 * Wen, Borodachenkova, Tome, Vincze, Rauch, Barlat and Gracio, Int. J. Plast. 73 (2015) 171), as VPSC8 has them, of one phase: MPa,
 * m, 1/s. Shear modulus, mean free path and range of densities are those of the first mode. */
#include <math.h>
#include <stdlib.h>

#include "state.h"

/* Numbers of a mode in the order of the file; of all modes the back stress of each of slip, then these three. */
enum { MU, BURGERS, TAU0, K, F_SELF, F_LATENT, RHO_MIN, RHO_MAX, H_SELF, H_LATENT };
enum { Q_BACK, M_REVERSE, GRAIN_SIZE };

#define DENSITY_TINY 1e7 /* 1/m^2, of each kind at first */
#define RATE_TINY 1e-6   /* 1/s: below it a system does not slip */

/* [N][S] but path. */
struct sw_vpsc_reversal {
    double *forest,
        *back[2]; /* densities; those that go back, left by slip of either sense: of the positive one first */
    double *turn; /* the density when its slip last changed sense */
    double *crossing; /* what crosses it: how far it has forgotten to go back */
    double *share;    /* of new dislocations that may go back */
    int *sense;       /* of its slip: 1, -1, 0 */
    double *path;     /* [N] the mean free path, m */
};

static double number_of_all(const sw_vpsc_crystal *crystal, int which)
{
    return crystal->common[crystal->n_modes - crystal->n_twin_modes + which];
}

/* crossing 0 where it begins, whatever it is then. */
static double share_of(const sw_vpsc_crystal *crystal, double crossing)
{
    const double *x = crystal->mode[0].law, middle = 0.5 * (x[RHO_MAX] + x[RHO_MIN]);
    const double steep = 3 * (x[RHO_MAX] + x[RHO_MIN]) / (x[RHO_MAX] - x[RHO_MIN]);
    return 0.5 - 0.5 * tanh(steep * (sqrt(crossing) - middle) / middle);
}

static sw_status allocate(const sw_vpsc_grains_of *p, sw_vpsc_reversal *r)
{
    const int64_t n = p->n * p->systems;
    double **const array[] = {&r->forest, &r->back[0], &r->back[1], &r->turn, &r->crossing, &r->share};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        SW_TRY(SW_ALLOCATE(*array[k], n, "dislocation densities"));
    SW_TRY(SW_ALLOCATE(r->sense, n, "dislocation densities"));
    return SW_ALLOCATE(r->path, p->n, "dislocation densities");
}

sw_status sw_vpsc_reversal_make(sw_vpsc_grains_of *p)
{
    const sw_vpsc_crystal *crystal = &p->input->crystal;
    SW_TRY(SW_ALLOCATE(p->reversal, 1, "dislocation densities"));
    sw_vpsc_reversal *r = p->reversal;
    SW_TRY(allocate(p, r));
    for (int64_t k = 0; k < p->n * p->systems; k++) {
        r->forest[k] = r->back[0][k] = r->back[1][k] = r->turn[k] = r->crossing[k] = DENSITY_TINY;
        r->share[k] = share_of(crystal, 0);
        p->crss[k] = crystal->mode[crystal->mode_of[k % p->systems]].law[TAU0];
    }
    for (int64_t g = 0; g < p->n; g++)
        r->path[g] = number_of_all(crystal, GRAIN_SIZE);
    return SW_OK;
}

void sw_vpsc_reversal_free(sw_vpsc_reversal *r)
{
    if (r == NULL)
        return;
    double *const owned[] = {r->forest, r->back[0], r->back[1], r->turn, r->crossing, r->share, r->path};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        free(owned[k]);
    free(r->sense);
    free(r);
}

static double density_of(const sw_vpsc_reversal *r, int64_t k)
{
    return r->forest[k] + r->back[0][k] + r->back[1][k];
}

/* Slow systems do not slip: those below a thousandth of what VPSC8 takes for the fastest rate, which keeps its sign. Returns all
 * slip of a step. */
static double drop_slow(int systems, double *rate, double dt)
{
    double most = 0, slip = 0;
    for (int a = 0; a < systems; a++)
        if (fabs(rate[a]) > most)
            most = rate[a];
    for (int a = 0; a < systems; a++) {
        if (fabs(rate[a]) < 0.001 * most)
            rate[a] = 0;
        slip += fabs(rate[a]) * dt;
    }
    return slip;
}

/* A system's densities after a step; all: the slip of all systems. */
static void grow(const sw_vpsc_crystal *crystal, const double *x, double rate, double dt, double all,
                 double path, sw_vpsc_reversal *r, int64_t k)
{
    const int sense = rate > RATE_TINY ? 1 : rate < -RATE_TINY ? -1 : 0;
    const double stored = fabs(rate) * dt / (x[BURGERS] * path);
    double grown[3];
    if (sense != 0 && r->sense[k] != sense)
        r->turn[k] = density_of(r, k);
    r->sense[k] = sense;
    if (sense == 0) {
        grown[0] = -x[F_LATENT] * r->forest[k] * all;
        for (int s = 0; s < 2; s++)
            grown[1 + s] = -x[F_LATENT] * r->back[s][k] * all;
    } else {
        const int with = sense < 0;
        grown[0] = (1 - r->share[k]) * stored - x[F_SELF] * r->forest[k] * all;
        grown[1 + with] = r->share[k] * stored - x[F_SELF] * r->back[with][k] * all;
        grown[2 - with] = -stored * pow(r->back[!with][k] / r->turn[k], number_of_all(crystal, M_REVERSE));
    }
    r->forest[k] = fmax(0, r->forest[k] + grown[0]);
    for (int s = 0; s < 2; s++)
        r->back[s][k] = fmax(0, r->back[s][k] + grown[1 + s]);
}

/* A slip system's resistance, less what those that go back push it by. first: of the grain's numbers. */
static double resistance(const sw_vpsc_crystal *crystal, const sw_vpsc_reversal *r, int64_t first, int a,
                         double rate)
{
    const int m = crystal->mode_of[a];
    const double *x = crystal->mode[m].law;
    double near = 0;
    for (int b = 0; b < crystal->n_slip; b++)
        near += (a == b ? x[H_SELF] : x[H_LATENT + crystal->mode_of[b]]) * density_of(r, first + b);
    const double tau = x[TAU0] + crystal->mode[0].law[MU] * x[BURGERS] * sqrt(fmax(0, near));
    if (!(fabs(rate) > RATE_TINY))
        return tau;
    const double against = r->back[rate > 0][first + a] / density_of(r, first + a);
    return tau - crystal->common[m] * tau * pow(against, number_of_all(crystal, Q_BACK));
}

/* How much planes cross. */
static double crossing_of(const sw_vpsc_crystal *crystal, int a, int b)
{
    const double *n = crystal->normal[a], *m = crystal->normal[b];
    const double cross = 1 - fabs(n[0] * m[0] + n[1] * m[1] + n[2] * m[2]);
    return fabs(cross) < 1e-5 ? 0 : cross;
}

/* before [S]: densities when the step began. */
static void forget(const sw_vpsc_crystal *crystal, sw_vpsc_reversal *r, int64_t first, const double *before)
{
    for (int a = 0; a < crystal->n_slip; a++) {
        double *crossing = &r->crossing[first + a], near = 0;
        for (int b = 0; b < crystal->n_slip; b++)
            near += density_of(r, first + b) * crossing_of(crystal, a, b);
        *crossing += near * (density_of(r, first + a) - before[a]);
        if (*crossing < 0)
            *crossing = 0.01;
        r->share[first + a] = share_of(crystal, *crossing);
    }
}

static void harden_grain(sw_vpsc_grains_of *p, int64_t g, double dt)
{
    const sw_vpsc_crystal *crystal = &p->input->crystal;
    sw_vpsc_reversal *r = p->reversal;
    const int64_t first = g * p->systems;
    double before[SW_VPSC_SYSTEMS], *rate = p->slip_rate + first, all = drop_slow(p->systems, rate, dt),
                                    total = 0;
    for (int a = 0; a < crystal->n_slip; a++) {
        before[a] = density_of(r, first + a);
        grow(crystal, crystal->mode[crystal->mode_of[a]].law, rate[a], dt, all, r->path[g], r, first + a);
        total += density_of(r, first + a);
    }
    for (int a = 0; a < p->systems; a++)
        p->crss[first + a] = a < crystal->n_slip ? resistance(crystal, r, first, a, rate[a])
                                                 : crystal->mode[crystal->mode_of[a]].law[TAU0];
    r->path[g] = 1 / (sqrt(total) / crystal->mode[0].law[K] + 1 / number_of_all(crystal, GRAIN_SIZE));
    forget(crystal, r, first, before);
}

void sw_vpsc_reversal_harden(sw_vpsc_polycrystal *polycrystal)
{
    for (int64_t g = 0; g < polycrystal->phase[0].n; g++)
        harden_grain(&polycrystal->phase[0], g, polycrystal->time_step);
}

void sw_vpsc_reversal_means(const sw_vpsc_grains_of *p, double *forest, double *back, double *of_mode)
{
    const sw_vpsc_crystal *crystal = &p->input->crystal;
    const sw_vpsc_reversal *r = p->reversal;
    *forest = *back = 0;
    for (int m = 0; m < crystal->n_modes; m++)
        of_mode[m] = 0;
    for (int64_t g = 0; g < p->n; g++)
        for (int a = 0; a < crystal->n_slip; a++) {
            const int64_t k = g * p->systems + a;
            *forest += p->weight[g] * r->forest[k];
            *back += p->weight[g] * (r->back[0][k] + r->back[1][k]);
            of_mode[crystal->mode_of[a]] += p->weight[g] * density_of(r, k);
        }
}
