/* The periodic cell: a parallelepiped whose columns are the vectors that images are apart by. Lubbe et al.
 * 2022, Eqs. 14-19. Matrices are [3][3], row-major; lengths in m. */
#ifndef SW_ONLINE_DEM_ELEMENT_CELL_H
#define SW_ONLINE_DEM_ELEMENT_CELL_H

#include <math.h>

#include "common/system/device.h"

typedef struct {
    double h[3][3];       /* columns: cell vectors */
    double inverse[3][3]; /* of h */
    double volume;
    double height[3]; /* distances of opposite faces */
} sw_dem_cell;

/* What follows from h. Returns 0 when the volume is not positive. */
SW_HD static inline int sw_dem_cell_update(sw_dem_cell *cell)
{
    double(*h)[3] = cell->h, (*v)[3] = cell->inverse;
    for (int i = 0; i < 3; i++) {
        const int a = (i + 1) % 3, b = (i + 2) % 3;
        /* row i of the inverse: cross product of the other two columns over the volume */
        v[i][0] = h[1][a] * h[2][b] - h[2][a] * h[1][b];
        v[i][1] = h[2][a] * h[0][b] - h[0][a] * h[2][b];
        v[i][2] = h[0][a] * h[1][b] - h[1][a] * h[0][b];
    }
    cell->volume = h[0][0] * v[0][0] + h[1][0] * v[0][1] + h[2][0] * v[0][2];
    if (!(cell->volume > 0))
        return 0;
    for (int i = 0; i < 3; i++) {
        const double area = sqrt(v[i][0] * v[i][0] + v[i][1] * v[i][1] + v[i][2] * v[i][2]);
        cell->height[i] = cell->volume / area;
        for (int j = 0; j < 3; j++)
            v[i][j] /= cell->volume;
    }
    return 1;
}

/* x += dt L x, for the cell's columns and for particles alike: Eq. 19. */
SW_HD static inline void sw_dem_affine(const double l[3][3], double dt, const double x[3], double moved[3])
{
    for (int i = 0; i < 3; i++)
        moved[i] = x[i] + dt * (l[i][0] * x[0] + l[i][1] * x[1] + l[i][2] * x[2]);
}

/* Deform by one step; call sw_dem_cell_update after. */
SW_HD static inline void sw_dem_cell_deform(sw_dem_cell *cell, const double l[3][3], double dt)
{
    double old[3], moved[3];
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++)
            old[i] = cell->h[i][j];
        sw_dem_affine(l, dt, old, moved);
        for (int i = 0; i < 3; i++)
            cell->h[i][j] = moved[i];
    }
}

/* Cell coordinates of a point. */
SW_HD static inline void sw_dem_cell_local(const sw_dem_cell *cell, const double x[3], double s[3])
{
    for (int i = 0; i < 3; i++)
        s[i] = cell->inverse[i][0] * x[0] + cell->inverse[i][1] * x[1] + cell->inverse[i][2] * x[2];
}

/* Image shifts are numbered 0 .. 26: shift k_i in {-1, 0, 1} of vector i, code = sum (k_i + 1) 3^i; 13 is no
 * shift. */
enum { SW_DEM_IMAGES = 27, SW_DEM_NO_SHIFT = 13 };

/* The vector h k of a code. */
SW_HD static inline void sw_dem_cell_shift(const sw_dem_cell *cell, int code, double shift[3])
{
    const int k[3] = {code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1};
    for (int i = 0; i < 3; i++)
        shift[i] = cell->h[i][0] * k[0] + cell->h[i][1] * k[1] + cell->h[i][2] * k[2];
}

/* Code of the image of b nearest to a, from cell coordinates in [0, 1): right for distances up to half the
 * least height, where each coordinate of the difference is below a half. closed: bit i where vector i has no
 * images. */
SW_HD static inline int sw_dem_nearest_image(const double a[3], const double b[3], int closed)
{
    int code = 0, power = 1;
    for (int i = 0; i < 3; i++, power *= 3) {
        const double d = closed >> i & 1 ? 0 : b[i] - a[i];
        code += power * (d > 0.5 ? 0 : d < -0.5 ? 2 : 1);
    }
    return code;
}

/* Cell vectors that lean over by more than this part of another are replaced by shorter ones of the same
 * lattice: the cell flips before its heights shrink. Returns whether it did; update after. */
SW_HD static inline int sw_dem_cell_flip(sw_dem_cell *cell)
{
    const double lean = 0.6; /* above 1/2, or a cell at the edge would flip to and fro */
    int flipped = 0;
    for (int pass = 0; pass < 8; pass++) {
        int again = 0;
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                double ab = 0, aa = 0;
                for (int i = 0; i < 3; i++) {
                    ab += cell->h[i][a] * cell->h[i][b];
                    aa += cell->h[i][a] * cell->h[i][a];
                }
                if (a == b || fabs(ab) <= lean * aa)
                    continue;
                const double turns = rint(ab / aa);
                for (int i = 0; i < 3; i++)
                    cell->h[i][b] -= turns * cell->h[i][a];
                again = flipped = 1;
            }
        if (!again)
            break;
    }
    return flipped;
}

#endif
