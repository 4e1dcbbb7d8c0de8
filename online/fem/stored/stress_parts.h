/* The four parts of stress.h for one element, for the host and CUDA. */
#ifndef SW_ONLINE_FEM_STORED_STRESS_PARTS_H
#define SW_ONLINE_FEM_STORED_STRESS_PARTS_H

#include "online/fem/element/element_state.h"
#include "stress.h"

/* What a point keeps between kernels: tensors 11 22 33 23 13 12, Pa; the strain with engineering shears. */
enum {
    SW_FEM_KEPT_STRAIN,
    SW_FEM_KEPT_TRIAL = SW_FEM_KEPT_STRAIN + 6,
    SW_FEM_KEPT_DEVIATOR = SW_FEM_KEPT_TRIAL + 6,
    SW_FEM_KEPT_EQUIVALENT = SW_FEM_KEPT_DEVIATOR + 6,
    SW_FEM_KEPT_STRESS,
    SW_FEM_KEPT_SIZE = SW_FEM_KEPT_STRESS + 6
};

typedef struct {
    sw_fem_view view;
    sw_fem_material *material;  /* [n_materials] */
    sw_fem_states states, kept; /* accepted, and between kernels; states.yielded: now */
} sw_fem_split_stress;

/* Where number 0 of a point is; the others are `component` apart. */
SW_FEM_INLINE double *sw_fem_kept_at(const sw_fem_states *kept, int64_t e, int q)
{
    return kept->state + q * kept->point + e * kept->element;
}

SW_FEM_INLINE const sw_fem_material *sw_fem_material_at(const sw_fem_split_stress *s, int64_t e)
{
    return &s->material[s->view.material_of[e]];
}

SW_FEM_INLINE void sw_fem_predict(const sw_fem_split_stress *s, int64_t e, const double *u)
{
    const int64_t next = s->kept.component;
    const double bulk = sw_fem_bulk(sw_fem_material_at(s, e)), shear = sw_fem_shear(sw_fem_material_at(s, e));
    double x[3][8], h[3][8];
    sw_fem_element_shape(SW_FEM_SOLID, &s->view, e, x);
    sw_fem_gather(3, s->view.node + e * 8, u, 3, h);
    for (int q = 0; q < 8; q++) {
        const sw_fem_point old = sw_fem_load_point(&s->states, e, q);
        double strain[6], *to = sw_fem_kept_at(&s->kept, e, q);
        sw_fem_place place;
        sw_fem_locate(SW_FEM_SOLID, q, (const double(*)[8])x, 1, &place);
        sw_fem_strain(SW_FEM_SOLID, q, &place, (const double(*)[8])h, strain);
        const double trace = strain[0] + strain[1] + strain[2], pressure = (bulk - 2 * shear / 3) * trace;
        SW_UNROLL
        for (int i = 0; i < 6; i++) {
            const double elastic = (i < 3 ? strain[i] : 0.5 * strain[i]) - old.strain[i];
            to[(SW_FEM_KEPT_STRAIN + i) * next] = strain[i];
            to[(SW_FEM_KEPT_TRIAL + i) * next] = 2 * shear * elastic + (i < 3 ? pressure : 0);
        }
    }
}

SW_FEM_INLINE void sw_fem_decompose(const sw_fem_split_stress *s, int64_t e)
{
    const int64_t next = s->kept.component;
    for (int q = 0; q < 8; q++) {
        double *at = sw_fem_kept_at(&s->kept, e, q), stress[6], square = 0;
        SW_UNROLL
        for (int i = 0; i < 6; i++)
            stress[i] = at[(SW_FEM_KEPT_TRIAL + i) * next];
        sw_fem_take_pressure(stress);
        SW_UNROLL
        for (int i = 0; i < 6; i++) {
            at[(SW_FEM_KEPT_DEVIATOR + i) * next] = stress[i];
            square += (i < 3 ? 1 : 2) * stress[i] * stress[i];
        }
        at[SW_FEM_KEPT_EQUIVALENT * next] = sqrt(1.5 * square);
    }
}

SW_FEM_INLINE void sw_fem_correct(const sw_fem_split_stress *s, int64_t e)
{
    const sw_fem_material *material = sw_fem_material_at(s, e);
    const double shear = sw_fem_shear(material);
    const int64_t next = s->kept.component;
    for (int q = 0; q < 8; q++) {
        const double p = sw_fem_load_point(&s->states, e, q).equivalent;
        double *at = sw_fem_kept_at(&s->kept, e, q), slope, part = 0;
        const double equivalent = at[SW_FEM_KEPT_EQUIVALENT * next];
        const int yields = equivalent > sw_fem_yield_stress(material, p, &slope);
        if (yields)
            part = 3 * shear * sw_fem_plastic_increment(material, shear, p, equivalent, &slope) / equivalent;
        s->states.yielded[e * 8 + q] = (uint8_t)yields;
        SW_UNROLL
        for (int i = 0; i < 6; i++)
            at[(SW_FEM_KEPT_STRESS + i) * next] =
                at[(SW_FEM_KEPT_TRIAL + i) * next] - part * at[(SW_FEM_KEPT_DEVIATOR + i) * next];
    }
}

/* Added to force; no two elements of a colour share a node. */
SW_FEM_INLINE void sw_fem_add_forces(const sw_fem_split_stress *s, int64_t e, double *force)
{
    double x[3][8], f[3][8] = {{0}}, nodal[8];
    sw_fem_element_shape(SW_FEM_SOLID, &s->view, e, x);
    for (int q = 0; q < 8; q++) {
        const double *at = sw_fem_kept_at(&s->kept, e, q);
        double stress[6];
        sw_fem_place place;
        SW_UNROLL
        for (int i = 0; i < 6; i++)
            stress[i] = at[(SW_FEM_KEPT_STRESS + i) * s->kept.component];
        sw_fem_locate(SW_FEM_SOLID, q, (const double(*)[8])x, 1, &place);
        sw_fem_spread(SW_FEM_SOLID, q, &place, stress, f);
    }
    SW_UNROLL
    for (int i = 0; i < 3; i++) {
        sw_fem_coefficients_back(3, f[i], nodal);
        SW_UNROLL
        for (int a = 0; a < 8; a++)
            force[(int64_t)s->view.node[e * 8 + a] * 3 + i] += nodal[a];
    }
}

SW_FEM_INLINE void sw_fem_stress_part_of(sw_fem_stress_part part, const sw_fem_split_stress *s, int64_t e,
                                         const double *u, double *force)
{
    if (part == SW_FEM_PREDICTOR)
        sw_fem_predict(s, e, u);
    else if (part == SW_FEM_DEVIATOR)
        sw_fem_decompose(s, e);
    else if (part == SW_FEM_CORRECTOR)
        sw_fem_correct(s, e);
    else
        sw_fem_add_forces(s, e, force);
}

#endif
