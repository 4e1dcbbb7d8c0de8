/* A cylinder cut out of a packing from a file, with nodes of a membrane around it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/rotation.h"
#include "input.h"
#include "online/dem/packing/memory.h"
#include "online/dem/packing/packing.h"

static const char *const end_names[] = {"sliding", "fixed"};
#define NUMBER(m, least, most) SW_REAL(#m, sw_dem_job, membrane.m, least, most), .standard = NAN
const sw_key sw_dem_membrane_keys[] = {
    {NUMBER(radius, SW_DEM_LEAST_LENGTH, SW_DEM_MOST_LENGTH), .unit = "m", .otherwise = "what the packing's cell has room for",
     .help = "of the cylinder that is cut out of the packing, about the middle of its cell, along axis 3"},
    {NUMBER(height, SW_DEM_LEAST_LENGTH, SW_DEM_MOST_LENGTH), .unit = "m", .otherwise = "the cell's"},
    {NUMBER(spacing, SW_DEM_LEAST_LENGTH, SW_DEM_MOST_LENGTH), .unit = "m", .otherwise = "the grains' mean radius",
     .help = "of nodes: spheres of half of it in radius"},
    {NUMBER(stiffness, 0, 1e9), .unit = "N/m", .otherwise = "10 times packing.pressure times the grains' mean radius",
     .help = "Young's modulus times thickness"},
    {SW_REAL("friction", sw_dem_job, membrane.friction, 0, 10), .bound = "a tangent, from 0 to 10",
     .help = "of the membrane with grains"},
    {SW_WORD("ends", sw_dem_job, membrane.ends, end_names), .help = "what holds its outermost rings on the platens"},
    SW_KEYS_END};

sw_status sw_dem_check_membrane(sw_dem_job *job)
{
    static const int sides[3] = {SW_DEM_OPEN, SW_DEM_OPEN, SW_DEM_WALLED};
    char key[SW_KEY_SIZE];
    job->has_membrane = sw_job_given(job->source, "membrane");
    if (!job->has_membrane)
        return SW_OK;
    if (job->run.device == SW_DEVICE_CUDA)
        return sw_job_error(job->source, "membrane", ": runs on the CPU, but device = cuda");
    if (job->packing.file == NULL && job->rves.variations_count == 0)
        return sw_job_error(job->source, "membrane", ": need packing.file, of which it cuts a cylinder");
    for (int k = 0; k < 3; k++) {
        sw_key_path(key, "sides.%d", k + 1);
        if (sw_job_given(job->source, key) && job->side[k] != sides[k])
            return sw_job_error(job->source, key, ": need %s beside a membrane", k < 2 ? "open" : "walls");
        job->side[k] = sides[k];
    }
    if (job->walls_count > 0 || job->material.coupled || sw_job_given(job->source, "crystals"))
        return sw_job_error(job->source, "membrane", ": need neither walls, crystals nor coupled contacts beside it");
    if (job->others_count == SW_DEM_MATERIALS - 1)
        return sw_job_error(job->source, "others", ": %d of them: need at most %d beside a membrane", SW_DEM_MATERIALS - 1,
                            SW_DEM_MATERIALS - 2);
    return SW_OK;
}

/* ---- Cut ---- */

typedef struct {
    double radius, height, spacing, middle[3];
} cut;

static cut cut_of(const sw_dem_job *job, const sw_dem_packing *p)
{
    cut c = {.radius = job->membrane.radius, .height = job->membrane.height, .spacing = job->membrane.spacing};
    for (int k = 0; k < 3; k++)
        c.middle[k] = 0.5 * (p->cell[k][0] + p->cell[k][1] + p->cell[k][2]);
    if (isnan(c.radius))
        c.radius = 0.5 * fmin(p->cell[0][0], p->cell[1][1]);
    if (isnan(c.height))
        c.height = p->cell[2][2];
    if (isnan(c.spacing))
        c.spacing = sw_dem_packing_mean_radius(p);
    return c;
}

/* Grains, and their periodic images, that lie in the cylinder, into `to`, if it is there; how many. */
static int64_t cut_grains(const cut *c, const sw_dem_packing *p, double width, sw_dem_packing *to)
{
    int64_t n = 0;
    for (int64_t i = 0; i < p->n_particles; i++)
        for (int code = 0; code < 125; code++) {
            const int shift[3] = {code % 5 - 2, code / 5 % 5 - 2, code / 25 - 2};
            double x[3];
            for (int k = 0; k < 3; k++)
                x[k] = p->position[i][k] - c->middle[k] + p->cell[k][0] * shift[0] + p->cell[k][1] * shift[1] +
                       p->cell[k][2] * shift[2];
            if (!(hypot(x[0], x[1]) + p->radius[i] <= c->radius && fabs(x[2]) + p->radius[i] <= 0.5 * c->height))
                continue;
            if (to != NULL) {
                to->position[n][0] = x[0] + 0.5 * width;
                to->position[n][1] = x[1] + 0.5 * width;
                to->position[n][2] = x[2] + 0.5 * c->height;
                to->radius[n] = p->radius[i];
                to->material[n] = p->material != NULL ? p->material[i] : 0;
            }
            n++;
        }
    return n;
}

/* How far from the axis a node is that is pushed inward, at most to `least`, until it touches a grain. */
static double lay_on(const sw_dem_packing *p, int64_t grains, double middle, double angle, double height, double radius,
                     double least)
{
    const double c = cos(angle), s = sin(angle);
    double from_axis = least;
    for (int64_t i = 0; i < grains; i++) {
        const double x = p->position[i][0] - middle, y = p->position[i][1] - middle, z = p->position[i][2] - height,
                     across = y * c - x * s, reach = p->radius[i] + radius,
                     square = reach * reach - across * across - z * z;
        if (square > 0)
            from_axis = fmax(from_axis, x * c + y * s + sqrt(square));
    }
    return from_axis;
}

/* The membrane is laid on the grains, and unstretched at its mean radius. */
static void place_nodes(sw_dem_membrane *m, double width, double radius, double least, int material, sw_dem_packing *to)
{
    const int64_t grains = to->n_particles - (int64_t)m->around * m->rows;
    int64_t at = grains;
    double sum = 0;
    for (int32_t j = 0; j < m->rows; j++)
        for (int32_t i = 0; i < m->around; i++, at++) {
            const double angle = 2 * SW_PI * (i + 0.5 * (j % 2)) / m->around, height = m->height * j / (m->rows - 1),
                         from_axis = lay_on(to, grains, 0.5 * width, angle, height, radius, least);
            to->position[at][0] = 0.5 * width + from_axis * cos(angle);
            to->position[at][1] = 0.5 * width + from_axis * sin(angle);
            to->position[at][2] = height;
            to->radius[at] = radius;
            to->material[at] = (uint8_t)material;
            sum += from_axis;
        }
    m->radius = sum / ((double)m->around * m->rows);
}

/* The packing becomes the cylinder with its nodes. */
static sw_status cut_packing(const sw_dem_job *job, sw_dem_sample *sample, sw_dem_membrane *m)
{
    sw_dem_packing *p = &sample->packing, to = {0};
    const cut c = cut_of(job, p);
    const double node = 0.5 * c.spacing, outer = c.radius + node, width = 2.5 * outer;
    const double mean = sw_dem_packing_mean_radius(p);
    const int64_t grains = cut_grains(&c, p, width, NULL);
    const double around = 2 * SW_PI * outer / c.spacing, rows = c.height / (c.spacing * sqrt(0.75));
    if (p->clump != NULL)
        return sw_error(SW_ERR_INPUT, "membrane: need a packing without clumps");
    if (!(grains >= 4 && around >= 6 && rows >= 2 && around * rows < 1e7))
        return sw_error(SW_ERR_INPUT,
                        "membrane: a cylinder of radius %g m and height %g m has %lld grains, and nodes %g m apart: need 4 "
                        "grains, and 6 x 3 to 1e7 nodes",
                        c.radius, c.height, (long long)grains, c.spacing);
    m->around = (int32_t)rint(around);
    m->rows = (int32_t)rint(rows) + 1;
    m->height = c.height;
    to.n_particles = grains + (int64_t)m->around * m->rows;
    to.cell[0][0] = to.cell[1][1] = width;
    to.cell[2][2] = c.height;
    sw_status status = SW_ALLOCATE(to.position, to.n_particles, "particles");
    if (status == SW_OK)
        status = SW_ALLOCATE(to.radius, to.n_particles, "particles");
    if (status == SW_OK)
        status = SW_ALLOCATE(to.material, to.n_particles, "particles");
    if (status == SW_OK) {
        cut_grains(&c, p, width, &to);
        place_nodes(m, width, node, c.radius - mean, sample->n_others + 1, &to);
        sw_dem_packing_free(p);
        *p = to;
    } else {
        sw_dem_packing_free(&to);
    }
    return status;
}

/* That of nodes: as stiff as grains, and so heavy that they are no faster than the least grain; with its springs. */
static sw_status add_material(const sw_dem_job *job, const sw_dem_membrane *m, sw_dem_sample *sample)
{
    const sw_dem_packing *p = &sample->packing;
    const int64_t grains = p->n_particles - (int64_t)m->around * m->rows;
    sw_dem_material *other = realloc((sw_dem_material *)sample->other, (size_t)(sample->n_others + 1) * sizeof *other),
                    *of;
    double least = INFINITY;
    if (other == NULL)
        return sw_error(SW_ERR_MEMORY, "materials of an element");
    sample->other = other;
    of = &other[sample->n_others++];
    *of = sample->material;
    for (int64_t i = 0; i < grains; i++)
        least = fmin(least, p->radius[i]);
    of->friction = job->membrane.friction;
    of->roll_strength = of->twist_strength = of->roll_stiffness = of->twist_stiffness = 0;
    of->density *= (2 + 6 * m->stiffness / (of->young * least)) * pow(least / p->radius[grains], 3);
    return SW_OK;
}

sw_status sw_dem_make_membrane(const sw_dem_job *job, const sw_dem_element *e, sw_dem_sample *sample, int64_t *nodes)
{
    const sw_dem_memory *memory = sample->packing.memory;
    const double *known = memory != NULL ? memory->of[SW_DEM_MEMORY_MEMBRANE].number : NULL;
    sw_dem_membrane *m;
    *nodes = 0;
    if (!job->has_membrane)
        return known == NULL ? SW_OK : sw_error(SW_ERR_INPUT, "%s: has a membrane: need the section membrane", e->file);
    SW_TRY(SW_ALLOCATE(m, 1, "a membrane"));
    sample->membrane = m;
    if (known != NULL)
        *m = (sw_dem_membrane){(int32_t)known[0], (int32_t)known[1], known[2], known[3], known[4], known[5] > 0};
    else
        SW_TRY(cut_packing(job, sample, m));
    const double pressure = e->value[SW_DEM_PRESSURE], radius = sw_dem_packing_mean_radius(&sample->packing);
    if (!isnan(job->membrane.stiffness))
        m->stiffness = job->membrane.stiffness;
    else if (known == NULL)
        m->stiffness = isnan(pressure) ? 0 : 10 * pressure * radius;
    m->fixed = job->membrane.ends;
    *nodes = (int64_t)m->around * m->rows;
    if (*nodes >= sample->packing.n_particles)
        return sw_error(SW_ERR_INPUT, "%s: a membrane of %lld nodes of %lld particles: need grains, too", e->file,
                        (long long)*nodes, (long long)sample->packing.n_particles);
    return add_material(job, m, sample);
}
