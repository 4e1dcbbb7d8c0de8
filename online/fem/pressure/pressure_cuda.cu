/* Pressures on the GPU: a thread a loaded node. */
#include "online/fem/backend/on_device.cuh"
#include "online/gpu/gpu.h"
#include "online/gpu/launch.cuh"
#include "pressure.h"

namespace
{

struct pressure_work {
    sw_fem *fem;
    sw_fem_pressure_view view; /* owns what it points to, on the device */
    double *factor;            /* [L] of the present tangent */
    double *other;             /* [L] of other forces */
    double (*at)[4][3];        /* [F] where the present tangent has the faces' nodes, m */
};

pressure_work *work_of(void *opaque) { return (pressure_work *)opaque; }

void close_pressures(void *opaque)
{
    pressure_work *w = work_of(opaque);
    if (!w)
        return;
    const void *const device[] = {
        w->view.face_node, w->view.case_of,  w->view.pressure, w->view.node, w->view.first,
        w->view.corner,    w->view.position, w->factor,        w->other,     w->at};
    for (const void *pointer : device)
        cudaFree((void *)pointer);
    free(w);
}

sw_status place_all(pressure_work *w)
{
    sw_fem *fem = w->fem;
    const sw_fem_pressure_view *from = &fem->pressures->view;
    w->view = *from;
    w->view.face_node = w->view.case_of = w->view.node = NULL;
    w->view.pressure = w->view.position = NULL;
    w->view.first = w->view.corner = NULL;
    SW_TRY(sw_fem_on_device(fem, w->view.face_node, 4 * from->n_faces, from->face_node, "pressures"));
    SW_TRY(sw_fem_on_device(fem, w->view.case_of, from->n_faces, from->case_of, "pressures"));
    SW_TRY(sw_fem_on_device(fem, w->view.pressure, from->n_faces, from->pressure, "pressures"));
    SW_TRY(sw_fem_on_device(fem, w->view.node, from->n, from->node, "pressures"));
    SW_TRY(sw_fem_on_device(fem, w->view.first, from->n + 1, from->first, "pressures"));
    SW_TRY(sw_fem_on_device(fem, w->view.corner, from->first[from->n], from->corner, "pressures"));
    SW_TRY(
        sw_fem_on_device(fem, w->view.position, fem->n_nodes * fem->dimension, from->position, "pressures"));
    SW_TRY(sw_fem_on_device(fem, w->factor, from->n_cases, "pressures"));
    SW_TRY(sw_fem_on_device(fem, w->other, from->n_cases, "pressures"));
    return sw_fem_on_device(fem, w->at, from->n_faces, "pressures");
}

sw_status open_pressures(sw_fem *fem, void **result)
{
    pressure_work *w;
    SW_TRY(SW_ALLOCATE(w, 1, "pressures"));
    *result = w;
    w->fem = fem;
    return place_all(w);
}

/* Factors to the device, in the stream's order. */
sw_status place_factors(const pressure_work *w, const double *from, double *to)
{
    SW_CUDA_TRY(cudaMemcpyAsync(to, from, w->view.n_cases * sizeof *to, cudaMemcpyHostToDevice));
    return SW_OK;
}

sw_status forces(void *opaque, const double *factor, const double *u, double *force)
{
    const pressure_work *w = work_of(opaque);
    const sw_fem_pressure_view view = w->view;
    const int d = w->fem->dimension;
    const double *with = w->other;
    SW_TRY(place_factors(w, factor, w->other));
    return sw_each(view.n, [=] __device__(int64_t i) {
        double f[3];
        sw_fem_pressure_force(&view, i, with, u, f);
        for (int j = 0; j < d; j++)
            force[(int64_t)view.node[i] * d + j] += f[j];
    });
}

sw_status tangent(void *opaque, const double *u, double *nodal)
{
    const pressure_work *w = work_of(opaque);
    const sw_fem_pressure_view view = w->view;
    const int d = w->fem->dimension;
    const double *factor = w->factor;
    double(*at)[4][3] = w->at;
    w->fem->symmetric = 0;
    SW_TRY(place_factors(w, w->fem->goal, w->factor));
    SW_TRY(sw_each(view.n_faces, [=] __device__(int64_t f) { sw_fem_pressure_place(&view, f, u, at[f]); }));
    return sw_each(view.n, [=] __device__(int64_t i) {
        double *block = nodal + (int64_t)view.node[i] * d * d;
        for (int k = 0; k < d; k++) {
            double column[3];
            sw_fem_pressure_column(&view, i, factor, at, k, column);
            for (int j = 0; j < d; j++)
                block[j * d + k] += column[j];
        }
    });
}

sw_status product(void *opaque, const double *p, double *g)
{
    const pressure_work *w = work_of(opaque);
    const sw_fem_pressure_view view = w->view;
    const int d = w->fem->dimension;
    const double *factor = w->factor;
    const double(*at)[4][3] = w->at;
    return sw_each(view.n, [=] __device__(int64_t i) {
        double row[3];
        sw_fem_pressure_row(&view, i, factor, at, p, row);
        for (int j = 0; j < d; j++)
            g[(int64_t)view.node[i] * d + j] += row[j];
    });
}

} // namespace

extern "C" const sw_fem_pressure_functions sw_fem_pressure_cuda = {open_pressures, close_pressures, forces,
                                                                   tangent, product};
