/* Which crystals elements begin with: a body of points each, but for those of grains. */
#include "crystals.h"

sw_polycrystal_draw sw_fem_draw_of(const sw_fem_polycrystal *of, float s0)
{
    return (sw_polycrystal_draw){.each = of->each,
                                 .seed = of->seed,
                                 .slip_resistance = s0,
                                 .n_texture = of->n_texture,
                                 .texture = of->texture,
                                 .weight = of->weight,
                                 .heaviest = sw_polycrystal_heaviest(of->n_texture, of->weight),
                                 .rotated = of->rotated};
}

/* With grains points have one crystal, and are not rotated. */
static sw_crystal crystal_of_grain(const sw_polycrystal_draw *draw, int32_t grain)
{
    sw_crystal crystal;
    if (draw->n_texture > 0)
        return draw->texture[grain];
    sw_polycrystal_draw_crystals(draw, grain, 1, &crystal);
    return crystal;
}

void sw_fem_first_crystals(const sw_fem_polycrystal *of, const sw_polycrystal_draw *draw, int64_t e,
                           int corners, sw_crystal *crystal)
{
    if (of->grain)
        for (int q = 0; q < corners; q++)
            crystal[q] = crystal_of_grain(draw, of->grain[e]);
    else
        sw_polycrystal_draw_crystals(draw, e, corners, crystal);
    for (int64_t i = 0; of->slip_resistance && i < corners * of->each; i++)
        crystal[i].slip_resistance = (float)of->slip_resistance[e];
}
