#include "draw.h"

#include <math.h>
#include <string.h>

#include "common/math/random.h"

/* Streams of random numbers of a seed: orientations, draws from a texture, turns of bodies. */
enum { ORIENTATIONS, DRAWS, TURNS };

static uint64_t stream(const sw_polycrystal_draw *from, int which)
{
    return (uint64_t)from->seed + ((uint64_t)which << 62);
}

float sw_polycrystal_heaviest(int64_t n_texture, const float *weight)
{
    float most = 0;
    for (int64_t i = 0; weight && i < n_texture; i++)
        most = fmaxf(most, weight[i]);
    return most;
}

int sw_polycrystal_is_weighted(const sw_polycrystal_draw *from)
{
    return from->weight != NULL && from->n_texture == from->each;
}

static sw_crystal random_crystal(const sw_polycrystal_draw *from, int64_t number)
{
    double euler[3];
    sw_random_orientation(stream(from, ORIENTATIONS), (uint64_t)number, euler);
    return (sw_crystal){{(float)euler[0], (float)euler[1], (float)euler[2]}, from->slip_resistance};
}

/* Number `draw` of the texture's crystals drawn by weight: by the weights themselves, turned down and drawn again. */
static int64_t drawn(const sw_polycrystal_draw *from, int64_t draw)
{
    for (uint64_t again = 0;; again++) {
        double u[4];
        sw_random_uniform4(stream(from, DRAWS), (uint64_t)draw, again, u);
        const int64_t i = (int64_t)(u[0] * (double)from->n_texture * (1 - 1e-12));
        if (!from->weight || u[1] * from->heaviest <= from->weight[i])
            return i;
    }
}

/* All are turned in the sample by the body's own rotation. */
static void turn(const sw_polycrystal_draw *from, int64_t body, int64_t n, sw_crystal *crystal)
{
    double euler[3], by[3][3];
    sw_random_orientation(stream(from, TURNS), (uint64_t)body, euler);
    sw_rotation_from_euler(euler, by);
    for (int64_t i = 0; i < n; i++) {
        double angle[3], g[3][3], turned[3][3];
        for (int j = 0; j < 3; j++)
            angle[j] = crystal[i].euler[j];
        sw_rotation_from_euler(angle, g);
        for (int j = 0; j < 9; j++)
            turned[j / 3][j % 3] =
                by[j / 3][0] * g[0][j % 3] + by[j / 3][1] * g[1][j % 3] + by[j / 3][2] * g[2][j % 3];
        sw_euler_from_rotation(turned, angle);
        for (int j = 0; j < 3; j++)
            crystal[i].euler[j] = (float)angle[j];
    }
}

void sw_polycrystal_draw_crystals(const sw_polycrystal_draw *from, int64_t body, int64_t points,
                                  sw_crystal *crystal)
{
    const int64_t n = from->each, all = points * n;
    for (int64_t i = 0; i < all; i++)
        if (from->n_texture == 0)
            crystal[i] = random_crystal(from, body * all + i);
        else
            crystal[i] = from->texture[from->n_texture == n ? i % n : drawn(from, body * all + i)];
    if (from->rotated)
        turn(from, body, all, crystal);
}

void sw_polycrystal_draw_weights(const sw_polycrystal_draw *from, int64_t points, float *weight)
{
    for (int64_t p = 0; p < points; p++)
        memcpy(weight + p * from->each, from->weight, (size_t)from->each * sizeof *weight);
}
