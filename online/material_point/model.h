/* What all points of a material share, and where a state's numbers are; slipwave/material_point.h. */
#ifndef SW_ONLINE_MATERIAL_POINT_MODEL_H
#define SW_ONLINE_MATERIAL_POINT_MODEL_H

#include "online/texture/population.h"
#include "slipwave/material_point.h"

#define SW_POINT_STRAIN_STANDARD 0.1
enum { SW_POINT_CRYSTALS_MOST = 100000 };

struct sw_point_model {
    sw_database *database; /* NULL: none */
    sw_material *material; /* NULL: the database's */
    sw_response *response; /* prepared */
    sw_crystals_source source;
    sw_population population; /* of every point, if not `own`: the first n */
    int64_t crystals, kept;   /* n, K */
    int own;
    const sw_lattice *lattice;
    double b_over_a, c_over_a; /* of the material */
    float slip_resistance;
    double bulk_modulus, largest_strain_increment;
};

/* sw_point_model_open with crystals of a source, instead of the options' own: borrowed, not kept. */
sw_status sw_point_model_open_with(const sw_point_options *options, const sw_crystals_source *crystals,
                                   sw_point_model **model);

/* Numbers of a crystal in a state. */
static inline int64_t sw_point_stride(const sw_point_model *model) { return 4 + model->kept; }

#endif
