/* Which crystals the points of a polycrystal begin with. */
#include <math.h>
#include <string.h>

#include "common/math/random.h"
#include "crystals.h"

/* Streams of random numbers of a seed: orientations, draws from a texture, turns of elements. */
enum { ORIENTATIONS, DRAWS, TURNS };

static uint64_t stream(const sw_fem_polycrystal *of, int which)
{
    return (uint64_t)of->seed + ((uint64_t)which << 62);
}

int sw_fem_is_weighted(const sw_fem_polycrystal *of)
{
    return of->weight != NULL && of->n_texture == of->each;
}

static sw_crystal random_crystal(const sw_fem_polycrystal *of, int64_t number, float s0)
{
    double euler[3];
    sw_random_orientation(stream(of, ORIENTATIONS), (uint64_t)number, euler);
    return (sw_crystal){{(float)euler[0], (float)euler[1], (float)euler[2]}, s0};
}

/* Number `draw` of the texture's crystals drawn by weight: by the weights themselves, turned down and drawn again. */
static int64_t drawn(const sw_fem_polycrystal *of, int64_t draw, float most)
{
    for (uint64_t again = 0;; again++) {
        double u[4];
        sw_random_uniform4(stream(of, DRAWS), (uint64_t)draw, again, u);
        const int64_t i = (int64_t)(u[0] * (double)of->n_texture * (1 - 1e-12));
        if (!of->weight || u[1] * most <= of->weight[i])
            return i;
    }
}

static float most_weight(const sw_fem_polycrystal *of)
{
    float most = 0;
    for (int64_t i = 0; of->weight && i < of->n_texture; i++)
        most = fmaxf(most, of->weight[i]);
    return most;
}

/* All are turned in the sample by the element's own rotation. */
static void turn(const sw_fem_polycrystal *of, int64_t e, int64_t n, sw_crystal *crystal)
{
    double euler[3], by[3][3];
    sw_random_orientation(stream(of, TURNS), (uint64_t)e, euler);
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

void sw_fem_first_crystals(const sw_fem_polycrystal *of, int64_t e, int corners, float s0,
                           sw_crystal *crystal)
{
    const int64_t n = of->each, all = corners * n;
    const float most = most_weight(of);
    for (int64_t i = 0; i < all; i++) {
        if (of->grain)
            crystal[i] = of->n_texture > 0 ? of->texture[of->grain[e]] : random_crystal(of, of->grain[e], s0);
        else if (of->n_texture == 0)
            crystal[i] = random_crystal(of, e * all + i, s0);
        else
            crystal[i] = of->texture[of->n_texture == n ? i % n : drawn(of, e * all + i, most)];
        if (of->slip_resistance)
            crystal[i].slip_resistance = (float)of->slip_resistance[e];
    }
    if (of->rotated)
        turn(of, e, all, crystal);
}

void sw_fem_first_weights(const sw_fem_polycrystal *of, int corners, float *weight)
{
    for (int q = 0; q < corners; q++)
        memcpy(weight + q * of->each, of->weight, (size_t)of->each * sizeof *weight);
}
