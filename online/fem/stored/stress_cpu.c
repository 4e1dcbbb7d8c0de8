/* The parts of stress.h on the CPU: OpenMP over elements. */
#include <stdlib.h>
#include <string.h>

#include "common/system/threads.h"
#include "stress_parts.h"

static void close_stress(void *work)
{
    sw_fem_split_stress *s = work;
    if (!s)
        return;
    free(s->material);
    free(s->states.state);
    free(s->states.yielded);
    free(s->kept.state);
    free(s);
}

static sw_status open_stress(const sw_fem_view *view, int n_materials, const sw_fem_material *material,
                             const sw_fem_point *point, void **work)
{
    const int64_t n = view->n_elements * 8;
    sw_fem_split_stress *s;
    SW_TRY(SW_ALLOCATE(s, 1, "stresses"));
    *work = s;
    s->view = *view;
    s->states = (sw_fem_states){NULL, NULL, 1, SW_FEM_POINT_SIZE, 8 * SW_FEM_POINT_SIZE};
    s->kept = (sw_fem_states){NULL, NULL, 1, SW_FEM_KEPT_SIZE, 8 * SW_FEM_KEPT_SIZE};
    SW_TRY(SW_ALLOCATE(s->material, n_materials, "materials"));
    SW_TRY(SW_ALLOCATE(s->states.state, n * SW_FEM_POINT_SIZE, "states of points"));
    SW_TRY(SW_ALLOCATE(s->states.yielded, n, "states of points"));
    SW_TRY(SW_ALLOCATE(s->kept.state, n * SW_FEM_KEPT_SIZE, "stresses of points"));
    memcpy(s->material, material, (size_t)n_materials * sizeof *material);
    if (point)
        memcpy(s->states.state, point, (size_t)n * sizeof *point);
    return SW_OK;
}

static void sum_forces(const sw_fem_split_stress *s, double *force)
{
    const int64_t *first = s->view.colour_first;
    memset(force, 0, (size_t)(3 * s->view.n_nodes) * sizeof *force);
    for (int colour = 0; colour < s->view.n_colours; colour++)
#pragma omp parallel for schedule(static) \
    num_threads(sw_threads_for(first[colour + 1] - first[colour], SW_FEM_STATE_NS))
        for (int64_t i = first[colour]; i < first[colour + 1]; i++)
            sw_fem_stress_part_of(SW_FEM_FORCES, s, s->view.coloured[i], NULL, force);
}

static sw_status run_part(void *work, sw_fem_stress_part part, const double *u, double *force)
{
    const sw_fem_split_stress *s = work;
    if (part == SW_FEM_FORCES) {
        sum_forces(s, force);
        return SW_OK;
    }
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(s->view.n_elements, SW_FEM_STATE_NS))
    for (int64_t e = 0; e < s->view.n_elements; e++)
        sw_fem_stress_part_of(part, s, e, u, NULL);
    return SW_OK;
}

const sw_fem_stress_functions sw_fem_stress_cpu = {open_stress, close_stress, run_part};
