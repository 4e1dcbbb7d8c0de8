#include "fabric.h"

#include <stdlib.h>
#include <string.h>

#include "common/math/rotation.h"
#include "common/math/six.h"
#include "common/system/status.h"
#include "online/dem/contact/contact.h"

static const int plane_axes[SW_DEM_PLANES][2] = {{0, 1}, {0, 2}, {1, 2}};

/* 36 cells in rings of 6, 12 and 18: a ring's share of the hemisphere is the difference of its heights. */
enum { RINGS = 3 };
static const int ring_cells[RINGS] = {6, 12, 18}, ring_first[RINGS] = {0, 6, 18};
static const double ring_bottom[RINGS] = {5.0 / 6.0, 0.5, 0};

/* Of the two directions of a line in a plane, the one with an angle in [0, pi), as a part of pi. */
static double part_of_half_turn(double x, double y)
{
    const int other = y < 0 || (y == 0 && x < 0);
    return atan2(other ? -y : y, other ? -x : x) / SW_PI;
}

/* The last cell for a part of 1, by round-off, and for what is no number. */
static int place(double part, int cells) { return part < 1 ? (int)(part * cells) : cells - 1; }

int sw_dem_plane_bin(const double n[3], int plane)
{
    const double x = n[plane_axes[plane][0]], y = n[plane_axes[plane][1]];
    if (!(x * x + y * y > 1e-18))
        return -1;
    return place(part_of_half_turn(x, y), SW_DEM_BINS);
}

int sw_dem_sphere_bin(const double n[3])
{
    const int below = n[2] < 0 || (n[2] == 0 && (n[1] < 0 || (n[1] == 0 && n[0] < 0)));
    const double sign = below ? -1 : 1, turn = atan2(sign * n[1], sign * n[0]) / (2 * SW_PI);
    int ring = 0;
    while (ring < RINGS - 1 && sign * n[2] < ring_bottom[ring])
        ring++;
    return ring_first[ring] + place(turn < 0 ? turn + 1 : turn, ring_cells[ring]);
}

/* ---- Pearson's test ---- */

/* A finite sum for whole degrees of freedom, all terms positive: with y = x / 2, and j from 1/2 or 1 up to
 * freedoms / 2 - 1, Q = Q0 + sum y^j e^-y / Gamma(j + 1); Q0 is erfc(sqrt(y)) or e^-y. By its exponent a term
 * is good to some eps of the largest part of it, which is below 750 where the term is not zero. */
double sw_dem_chi_squared_chance(int64_t freedoms, double x)
{
    if (x <= 0)
        return 1;
    if (isinf(x))
        return 0;
    const double y = 0.5 * x;
    const int odd = freedoms % 2 != 0;
    double chance = odd ? erfc(sqrt(y)) : exp(-y);
    for (int64_t i = 0; i < (odd ? freedoms / 2 : freedoms / 2 - 1); i++) {
        const double j = (double)i + (odd ? 0.5 : 1);
        chance += exp(j * log(y) - y - lgamma(j + 1));
    }
    return chance < 1 ? chance : isnan(chance) ? chance : 1;
}

sw_status sw_dem_chi_squared_make(int64_t bins, const int64_t *count, const double *expected,
                                  sw_dem_chi_squared *test)
{
    if (bins < 2)
        return sw_error(SW_ERR_RANGE, "%lld bins: need at least 2", (long long)bins);
    sw_dem_chi_squared t = {.bins = bins};
    for (int64_t i = 0; i < bins; i++) {
        if (count[i] < 0)
            return sw_error(SW_ERR_RANGE, "bin %lld counts %lld: need >= 0", (long long)i,
                            (long long)count[i]);
        t.counts += count[i];
    }
    const double freedoms = (double)(bins - 1), counts = (double)t.counts;
    t.p_value = 1;
    if (t.counts > 0) {
        t.least = INFINITY;
        for (int64_t i = 0; i < bins; i++) {
            const double e = expected != NULL ? expected[i] : counts / (double)bins;
            if (!(e > 0 && e < INFINITY))
                return sw_error(SW_ERR_RANGE, "bin %lld expects %g: need a finite number > 0", (long long)i,
                                e);
            t.chi_squared += ((double)count[i] - e) * ((double)count[i] - e) / e;
            t.least = fmin(t.least, e);
        }
        t.p_value = sw_dem_chi_squared_chance(bins - 1, t.chi_squared);
        t.reduced = t.chi_squared / freedoms;
        t.cramer = sqrt(t.reduced / counts);
        t.excess = (t.chi_squared - freedoms) / counts;
    }
    *test = t;
    return SW_OK;
}

/* ---- Fabric ---- */

static void add_to_rose(sw_dem_rose *rose, int bin, double force)
{
    if (bin < 0)
        return;
    rose->count[bin]++;
    rose->force[bin] += force;
}

static sw_status end_rose(sw_dem_rose *rose)
{
    for (int i = 0; i < SW_DEM_BINS; i++)
        if (rose->count[i] > 0)
            rose->force[i] /= (double)rose->count[i];
    return sw_dem_chi_squared_make(SW_DEM_BINS, rose->count, NULL, &rose->test);
}

/* How much a fabric tensor (six components, trace 1) differs from the third of the unit tensor F0: with the
 * density of directions (1 + a_ij n_i n_j) / 4 pi, a = 15/2 (F - F0), this is sqrt(3/2 a_ij a_ij); 15/2 (F_1
 * - F_3) when two principal values are equal. */
static double anisotropy(const double fabric[SW_DEM_SIX])
{
    double square = 0;
    for (int k = 0; k < SW_DEM_SIX; k++) {
        const double d = k < 3 ? fabric[k] - 1.0 / 3.0 : fabric[k];
        square += (k < 3 ? 1 : 2) * d * d;
    }
    return 7.5 * sqrt(1.5 * square);
}

/* Numbers of contacts of each particle -> how many have 0, 1, ... */
static sw_status count_particles(int64_t n_particles, int64_t n_contacts,
                                 const sw_dem_contact_record *contact, int64_t *particles)
{
    for (int64_t c = 0; c < n_contacts; c++)
        for (int side = 0; side < 2; side++) {
            const int32_t p = side == 0 ? contact[c].a : contact[c].b;
            if (p < 0 || p >= n_particles)
                return sw_error(SW_ERR_RANGE, "contact %lld is of particle %d: need 0 <= particle < %lld",
                                (long long)c, (int)p, (long long)n_particles);
        }
    int32_t *of;
    SW_TRY(SW_ALLOCATE(of, n_particles > 0 ? n_particles : 1, "contacts of particles"));
    for (int64_t c = 0; c < n_contacts; c++) {
        of[contact[c].a]++;
        of[contact[c].b]++;
    }
    for (int64_t p = 0; p < n_particles; p++)
        particles[of[p] < SW_DEM_MOST_CONTACTS ? of[p] : SW_DEM_MOST_CONTACTS]++;
    free(of);
    return SW_OK;
}

sw_status sw_dem_fabric_make(int64_t n_particles, int64_t n_contacts, const sw_dem_contact_record *contact,
                             sw_dem_fabric *fabric)
{
    memset(fabric, 0, sizeof *fabric);
    SW_TRY(count_particles(n_particles, n_contacts, contact, fabric->particles));
    double forces = 0;
    for (int64_t c = 0; c < n_contacts; c++) {
        const double *n = contact[c].normal, force = sw_dem_dot(contact[c].force, n);
        for (int k = 0; k < SW_DEM_SIX; k++) {
            fabric->fabric[k] += n[sw_six_row(k)] * n[sw_six_column(k)];
            fabric->force_fabric[k] += force * n[sw_six_row(k)] * n[sw_six_column(k)];
        }
        forces += force;
        for (int plane = 0; plane < SW_DEM_PLANES; plane++)
            add_to_rose(&fabric->plane[plane], sw_dem_plane_bin(n, plane), force);
        add_to_rose(&fabric->sphere, sw_dem_sphere_bin(n), force);
    }
    for (int k = 0; k < SW_DEM_SIX; k++) {
        fabric->fabric[k] = n_contacts > 0 ? fabric->fabric[k] / (double)n_contacts : 0;
        fabric->force_fabric[k] = forces > 0 ? fabric->force_fabric[k] / forces : 0;
    }
    for (int plane = 0; plane < SW_DEM_PLANES; plane++)
        SW_TRY(end_rose(&fabric->plane[plane]));
    SW_TRY(end_rose(&fabric->sphere));
    fabric->n_particles = n_particles;
    fabric->n_contacts = n_contacts;
    fabric->anisotropy = n_contacts > 0 ? anisotropy(fabric->fabric) : 0;
    fabric->force_anisotropy = forces > 0 ? anisotropy(fabric->force_fabric) : 0;
    fabric->coordination = n_particles > 0 ? 2 * (double)n_contacts / (double)n_particles : 0;
    return SW_OK;
}
