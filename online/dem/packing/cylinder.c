/* A cylinder cut out of a packing, with nodes of a membrane around it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/rotation.h"
#include "online/dem/element/cell.h"
#include "packing.h"

typedef struct {
    double radius, height, spacing, middle[3];
} cut;

/* What is asked for, or else what the cell has room for. */
static cut cut_of(const sw_dem_packing *p, double radius, double height, double spacing)
{
    cut c = {.radius = radius, .height = height, .spacing = spacing};
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

/* Whether images two cells away all round are all that the cylinder can reach: along each face's normal. */
static int in_reach(const cut *c, const sw_dem_cell *cell)
{
    for (int k = 0; k < 3; k++) {
        const double *n = cell->inverse[k], length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        const double reach = (c->radius * hypot(n[0], n[1]) + 0.5 * c->height * fabs(n[2])) / length;
        if (!(reach <= 2.5 * cell->height[k]))
            return 0;
    }
    return 1;
}

/* A sample is wider than a few grains, and no grain falls between nodes that touch none. */
static sw_status check_cut(const cut *c, const sw_dem_packing *p, const sw_dem_cell *cell)
{
    double least = INFINITY, largest = 0;
    for (int64_t i = 0; i < p->n_particles; i++) {
        least = fmin(least, p->radius[i]);
        largest = fmax(largest, p->radius[i]);
    }
    if (p->clump != NULL)
        return sw_error(SW_ERR_INPUT, "need a packing without clumps");
    if (!in_reach(c, cell))
        return sw_error(SW_ERR_INPUT,
                        "a cylinder of radius %g m and height %g m: need one within two and a half "
                        "cells of the packing about the middle of one, %g, %g and %g m from face to face",
                        c->radius, c->height, cell->height[0], cell->height[1], cell->height[2]);
    if (!(c->radius >= 3 * largest))
        return sw_error(SW_ERR_INPUT, "radius = %g m: need 3 of the largest grain's, %g m, or more",
                        c->radius, 3 * largest);
    if (!(c->spacing <= 3 * least)) /* least + s/4 = s/sqrt(3) */
        return sw_error(SW_ERR_INPUT,
                        "spacing = %g m of nodes: need 3 of the least grain's radius, %g m, or less, or it "
                        "falls through",
                        c->spacing, 3 * least);
    return SW_OK;
}

/* Grains, and their periodic images, that lie in the cylinder, into `to`, if it is there; how many. */
static int64_t cut_grains(const cut *c, const sw_dem_packing *p, const sw_dem_cell *cell, double width,
                          sw_dem_packing *to)
{
    int64_t n = 0;
    for (int64_t i = 0; i < p->n_particles; i++) {
        double s[3];
        sw_dem_cell_local(cell, p->position[i], s);
        for (int code = 0; code < 125; code++) {
            const double shift[3] = {code % 5 - 2 - floor(s[0]), code / 5 % 5 - 2 - floor(s[1]),
                                     code / 25 - 2 - floor(s[2])};
            double x[3];
            for (int k = 0; k < 3; k++)
                x[k] = p->position[i][k] - c->middle[k] + p->cell[k][0] * shift[0] +
                       p->cell[k][1] * shift[1] + p->cell[k][2] * shift[2];
            if (!(hypot(x[0], x[1]) + p->radius[i] <= c->radius &&
                  fabs(x[2]) + p->radius[i] <= 0.5 * c->height))
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
    }
    return n;
}

/* How far from the axis a node is that is pushed inward, at most to `least`, until it touches a grain. */
static double lay_on(const sw_dem_packing *p, int64_t grains, double middle, double angle, double height,
                     double radius, double least)
{
    const double c = cos(angle), s = sin(angle);
    double from_axis = least;
    for (int64_t i = 0; i < grains; i++) {
        const double x = p->position[i][0] - middle, y = p->position[i][1] - middle,
                     z = p->position[i][2] - height, across = y * c - x * s, reach = p->radius[i] + radius,
                     square = reach * reach - across * across - z * z;
        if (square > 0)
            from_axis = fmax(from_axis, x * c + y * s + sqrt(square));
    }
    return from_axis;
}

/* The membrane is laid on the grains, and unstretched at its mean radius. */
static void place_nodes(sw_dem_membrane *m, double width, double radius, double least, int material,
                        sw_dem_packing *to)
{
    const int64_t grains = to->n_particles - (int64_t)m->around * m->rows;
    int64_t at = grains;
    double sum = 0;
    for (int32_t j = 0; j < m->rows; j++)
        for (int32_t i = 0; i < m->around; i++, at++) {
            const double angle = 2 * SW_PI * (i + 0.5 * (j % 2)) / m->around,
                         height = m->height * j / (m->rows - 1),
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

sw_status sw_dem_packing_cut(sw_dem_packing *p, double radius, double height, double spacing, int material,
                             sw_dem_membrane *m)
{
    sw_dem_packing to = {0};
    const cut c = cut_of(p, radius, height, spacing);
    const double node = 0.25 * c.spacing, outer = c.radius + node, width = 2.5 * outer;
    const double mean = sw_dem_packing_mean_radius(p);
    sw_dem_cell cell;
    memcpy(cell.h, p->cell, sizeof cell.h);
    sw_dem_cell_update(&cell);
    SW_TRY(check_cut(&c, p, &cell));
    const int64_t grains = cut_grains(&c, p, &cell, width, NULL);
    const double around = 2 * SW_PI * outer / c.spacing, rows = c.height / (c.spacing * sqrt(0.75));
    if (!(grains >= 4 && around >= 6 && rows >= 2 && around * rows < 1e7))
        return sw_error(SW_ERR_INPUT,
                        "a cylinder of radius %g m and height %g m has %lld grains, and nodes %g m "
                        "apart: need 4 "
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
        cut_grains(&c, p, &cell, width, &to);
        place_nodes(m, width, node, c.radius - mean, material, &to);
        sw_dem_packing_free(p);
        *p = to;
    } else {
        sw_dem_packing_free(&to);
    }
    return status;
}
