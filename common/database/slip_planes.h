/* How slip is shared among four planes: what a law of four coplanar resistances wants of a response (Malahe 2018, section 4.6).
 * docs/theory.md, section 8h.
 *
 * With G_k, slip rates of the three systems of plane k summed, and its normal (n1, n2, n3)/sqrt(3), n = +-1, the symmetric tensor
 * T = sum over k of G_k n n^T has G = sum G_k on its diagonal and, beside it, three numbers that with G are the four sums:
 *
 *     4 G_k = G + n1 n3 T13 + n2 n3 T23 + n1 n2 T12
 *
 * The crystal's turns exchange planes, and so T's components. After the turn phi2 about axis 3, T' = Z(phi2) T Z(phi2)^T, they
 * have the period of all other outputs: a quarter turn. T'13, T'23, T'12 and (T'11 - T'22)/2 are kept, over the rate; the last two
 * are T12 times cos 2 phi2 and - sin 2 phi2, of which neither alone would do. */
#ifndef SW_COMMON_DATABASE_SLIP_PLANES_H
#define SW_COMMON_DATABASE_SLIP_PLANES_H

#include "common/crystal/laws.h"
#include "common/crystal/symmetry.h"
#include "common/system/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sw_material;

enum { SW_PLANES = 4, SW_PLANE_SYSTEMS = 12, SW_PLANE_OUTPUTS = SW_OUTPUTS_MOST - SW_OUTPUTS };

/* The planes of a crystal, in the order in which its slip systems name them. */
typedef struct {
    int systems;                         /* 12; 0: its systems are not three each of four {111} */
    int plane[SW_PLANE_SYSTEMS];         /* of each system */
    double resolve[SW_PLANE_SYSTEMS][6]; /* tau = resolve . T, crystal frame; 11 22 33 23 13 12 */
    double exponent;                     /* 1/m */
    float along[SW_PLANES][3];           /* n1 n3, n2 n3, n1 n2 of each plane */
} sw_slip_planes;

/* A law of four coplanar resistances: s_k grows by Voce's law with `own` times its own plane's slip and `latent` times the others'. */
typedef struct {
    sw_hardening hardening; /* of one resistance, voce */
    float own, latent;
    float along[SW_PLANES][3];
} sw_plane_law;

void sw_slip_planes_of(const struct sw_material *material, sw_slip_planes *planes);

/* Whether the material's law is one: phenopowerlaw of one family, {111}<110> of cubic crystals, whose systems harden as their planes
 * do, or all alike. law: or NULL. */
int sw_plane_law_of(const struct sw_material *material, sw_plane_law *law);

/* The material with one resistance for all, that hardens by the slip of all: what databases of such a law are integrated with; else it is
 * as it was. */
void sw_material_equal_planes(struct sw_material *material);

/* Latent over own hardening, or own over latent, at most: up to there stresses of polycrystals were within 6 % of those of
 * `elastoplastic`, whose answers know the ratios of resistances; docs/validation.md. */
#define SW_PLANE_RATIO_MOST 2.0
#define SW_PLANE_ERROR 6 /* % */

/* SW_ERR_RANGE, with what it would do to the stress, where a law's latent hardening is beyond. */
sw_status sw_plane_law_check(const char *what, const sw_plane_law *law);

/* Of a crystal under a stress T [6], Pa, crystal frame, whose systems slip by G together, over the rate: outputs 9 to 12, by the slip law. phi2: rad. */
SW_HD static inline void sw_plane_outputs(const sw_slip_planes *p, const double stress[6], double slip_rate,
                                          double phi2, double output[SW_PLANE_OUTPUTS])
{
    double size[SW_PLANE_SYSTEMS], most = 0, sum = 0, t[3] = {0};
    for (int a = 0; a < p->systems; a++) {
        double tau = 0;
        for (int i = 0; i < 6; i++)
            tau += p->resolve[a][i] * stress[i];
        size[a] = fabs(tau);
        most = size[a] > most ? size[a] : most;
    }
    for (int a = 0; a < p->systems; a++) {
        const double rate = pow(size[a] / most, p->exponent);
        sum += rate;
        for (int i = 0; i < 3; i++)
            t[i] += (double)p->along[p->plane[a]][i] * rate;
    }
    for (int i = 0; i < 3; i++)
        t[i] *= p->systems > 0 ? slip_rate / sum : 0;
    output[0] = cos(phi2) * t[0] - sin(phi2) * t[1];
    output[1] = sin(phi2) * t[0] + cos(phi2) * t[1];
    output[2] = cos(2 * phi2) * t[2];
    output[3] = -sin(2 * phi2) * t[2];
}

#ifdef __cplusplus
}
#endif

#endif
