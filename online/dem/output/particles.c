#include "particles.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/math/rotation.h"
#include "online/response/step/solver.h"
#include "online/texture/orientation_histogram.h"
#include "online/texture/texture.h"

/* The next field's array [P]. */
static double *add(sw_dem_particle_fields *fields, int64_t particles, const char *prefix, const char *name)
{
    double *value = fields->value + fields->n * particles;
    snprintf(fields->name[fields->n], sizeof fields->name[0], "%s%s", prefix, name);
    fields->field[fields->n] = (sw_dem_packing_field){fields->name[fields->n], 1, value};
    fields->n++;
    return value;
}

static sw_status add_contacts(sw_dem *dem, int64_t r, sw_dem_particle_fields *fields)
{
    const int64_t p = dem->rve[r].n_particles;
    double *contacts = add(fields, p, "", "contacts"), *force = add(fields, p, "", "normal_force");
    sw_dem_contact_record *contact;
    int64_t n;
    SW_TRY(sw_dem_get_contacts(dem, r, &n, &contact));
    for (int64_t c = 0; c < n; c++) {
        double normal = 0;
        for (int i = 0; i < 3; i++)
            normal += contact[c].force[i] * contact[c].normal[i];
        contacts[contact[c].a]++;
        contacts[contact[c].b]++;
        force[contact[c].a] += normal;
        force[contact[c].b] += normal;
    }
    free(contact);
    return SW_OK;
}

static void add_metal(const sw_dem_rve *rve, sw_dem_particle_fields *fields)
{
    double *strength = add(fields, rve->n_particles, "", "strength");
    for (int64_t i = 0; i < rve->n_particles; i++)
        strength[i] = rve->strength[i];
}

/* Component fractions of n crystals. SW_ERR_MEMORY. */
static sw_status find_fractions(const sw_lattice *lattice, int64_t n, const sw_crystal *crystal,
                                double (*euler)[3], double *fraction)
{
    for (int64_t k = 0; k < n; k++)
        for (int j = 0; j < 3; j++)
            euler[k][j] = crystal[k].euler[j];
    return sw_component_fractions(lattice, n, (const double(*)[3])euler, NULL,
                                  SW_HISTOGRAM_TOLERANCE_DEGREES * SW_PI / 180, fraction);
}

static sw_status add_texture(const sw_dem_polycrystals *poly, int64_t particles,
                             sw_dem_particle_fields *fields)
{
    double fraction[SW_HISTOGRAM_COMPONENTS], (*euler)[3];
    const sw_lattice *lattice = sw_material_lattice(poly->response->material);
    const int n = lattice->n_ideals;
    double *first = NULL;
    for (int k = 0; k < n; k++) {
        double *own = add(fields, particles, "fraction_", lattice->ideal[k].name);
        first = k == 0 ? own : first;
    }
    SW_TRY(SW_ALLOCATE(euler, poly->each, "crystals"));
    sw_status status = SW_OK;
    for (int64_t i = 0; i < particles && status == SW_OK; i++) {
        status = find_fractions(lattice, poly->each, poly->crystal + i * poly->each, euler, fraction);
        for (int k = 0; k < n && status == SW_OK; k++)
            first[k * particles + i] = fraction[k];
    }
    free(euler);
    return status;
}

static sw_status add_crystals(const sw_dem_polycrystals *poly, int64_t particles,
                              sw_dem_particle_fields *fields)
{
    double *strain = add(fields, particles, "", "strain"), *work = add(fields, particles, "", "crystal_work"),
           *resistance = add(fields, particles, "", "slip_resistance");
    for (int64_t i = 0; i < particles; i++) {
        strain[i] = poly->strain[i];
        work[i] = poly->work[i];
        for (int64_t k = 0; k < poly->each; k++)
            resistance[i] += (double)poly->crystal[i * poly->each + k].slip_resistance / (double)poly->each;
    }
    return add_texture(poly, particles, fields);
}

sw_status sw_dem_make_particle_fields(sw_dem *dem, int64_t r, sw_dem_particle_fields *fields)
{
    const sw_dem_rve *rve = &dem->rve[r];
    fields->n = 0;
    SW_TRY(SW_ALLOCATE(fields->value, SW_DEM_PARTICLE_FIELDS * rve->n_particles, "fields of particles"));
    SW_TRY(add_contacts(dem, r, fields));
    if (rve->material[0].law == SW_DEM_METAL)
        add_metal(rve, fields);
    return dem->crystals[r].each > 0 ? add_crystals(&dem->crystals[r], rve->n_particles, fields) : SW_OK;
}

void sw_dem_particle_fields_free(sw_dem_particle_fields *fields)
{
    free(fields->value);
    fields->value = NULL;
}
