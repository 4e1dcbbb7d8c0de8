#include "slip_planes.h"

#include <math.h>
#include <string.h>

#include "common/crystal/material.h"

/* n1 n3, n2 n3, n1 n2 of a normal (n1, n2, n3)/sqrt(3); 0: it is none. */
static int along_of(const double normal[3], float along[3])
{
    for (int i = 0; i < 3; i++)
        if (!(fabs(fabs(normal[i]) * sqrt(3) - 1) < 1e-6))
            return 0;
    along[0] = normal[0] * normal[2] > 0 ? 1 : -1;
    along[1] = normal[1] * normal[2] > 0 ? 1 : -1;
    along[2] = normal[0] * normal[1] > 0 ? 1 : -1;
    return 1;
}

/* The plane of system a, added if it is new; -1: it is none of four {111}. */
static int plane_of(const sw_slip_systems *s, int a, int *planes, float along[SW_PLANES][3])
{
    float own[3];
    int k = 0;
    if (!along_of(s->normal[a], own))
        return -1;
    while (k < *planes && memcmp(along[k], own, sizeof own) != 0)
        k++;
    if (k == *planes) /* there are no more than four */
        memcpy(along[(*planes)++], own, sizeof own);
    return k;
}

static void set_resolve(const double m[3], const double n[3], double resolve[6])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        resolve[i] = m[i] * n[i];
        resolve[3 + i] = m[j] * n[k] + m[k] * n[j]; /* 23, 13, 12 */
    }
}

void sw_slip_planes_of(const sw_material *material, sw_slip_planes *planes)
{
    sw_slip_systems s;
    int count = 0, systems[SW_PLANES] = {0};
    memset(planes, 0, sizeof *planes);
    if (sw_material_lattice(material)->group != &sw_point_group_432 ||
        sw_material_systems(material, &s) != SW_OK || s.count != SW_PLANE_SYSTEMS || s.two_way != s.count)
        return;
    for (int a = 0; a < s.count; a++) {
        const int k = plane_of(&s, a, &count, planes->along);
        if (k < 0 || ++systems[k] > SW_PLANE_SYSTEMS / SW_PLANES)
            return;
        planes->plane[a] = k;
        set_resolve(s.direction[a], s.normal[a], planes->resolve[a]);
    }
    planes->exponent = 1 / material->slip.rate_sensitivity;
    planes->systems = s.count;
}

/* Of a law in which systems of a plane are a group, or all of them are. */
static int has_plane_groups(const sw_slip_law *law, const sw_slip_planes *planes)
{
    int same = (law->groups == SW_PLANES || law->groups == 1) && !sw_slip_law_wants_all(law);
    for (int a = 0; a < planes->systems && same; a++)
        same = law->groups == 1 || law->group[a] == planes->plane[a];
    for (int k = 0; k < law->groups && same; k++)
        for (int j = 0; j < law->groups && same; j++)
            same = law->interaction[k][j] == law->interaction[0][k != j];
    return same;
}

int sw_plane_law_of(const sw_material *material, sw_plane_law *law)
{
    sw_slip_planes planes;
    sw_slip_law all;
    if (material->hardening.law != SW_LAW_phenopowerlaw || material->slip.family_count != 1 ||
        material->slip.rate_of_step)
        return 0;
    sw_slip_planes_of(material, &planes);
    if (planes.systems == 0 || sw_slip_law_prepare(material, &all) != SW_OK ||
        !has_plane_groups(&all, &planes))
        return 0;
    if (law == NULL)
        return 1;
    const sw_slip_family *f = &material->slip.family[0];
    memset(law, 0, sizeof *law);
    law->hardening.law = SW_LAW_voce;
    law->hardening.voce.initial_hardening_rate = f->initial_hardening_rate;
    law->hardening.voce.saturation_resistance = f->saturation_resistance;
    law->hardening.voce.exponent = f->exponent;
    law->own = all.interaction[0][0];
    law->latent = all.groups > 1 ? all.interaction[0][1] : law->own;
    memcpy(law->along, planes.along, sizeof law->along);
    return 1;
}

void sw_material_equal_planes(sw_material *material)
{
    sw_plane_law law;
    if (!sw_plane_law_of(material, &law))
        return;
    material->hardening = law.hardening;
    material->slip.family_count = 0;
}

sw_status sw_plane_law_check(const char *what, const sw_plane_law *law)
{
    const double ratio = law->latent / law->own;
    if (!(law->own > 0 && law->latent > 0))
        return sw_error(SW_ERR_RANGE,
                        "%s: slip.families[0]: own hardening %g, latent %g: a database needs both above 0",
                        what, law->own, law->latent);
    return ratio <= SW_PLANE_RATIO_MOST && ratio >= 1 / SW_PLANE_RATIO_MOST
               ? SW_OK
               : sw_error(
                     SW_ERR_RANGE,
                     "%s: latent hardening is %.4g times own: a database answers as if the resistances of "
                     "planes were equal, which then is more than %d %% of the stress: need %g to %g, or "
                     "solver elastoplastic",
                     what, ratio, SW_PLANE_ERROR, 1 / SW_PLANE_RATIO_MOST, SW_PLANE_RATIO_MOST);
}
