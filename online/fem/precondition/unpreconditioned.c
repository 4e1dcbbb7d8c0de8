/* None: z = r, on either device. */
#include "preconditioners.h"

static sw_status open_none(sw_fem *fem, const sw_fem_view *view, void **result)
{
    (void)view;
    *result = fem;
    return SW_OK;
}

static void close_none(void *fem) { (void)fem; }

static sw_status apply_none(void *opaque, const sw_fem_view *view, const double *r, double *z)
{
    sw_fem *fem = opaque;
    (void)view;
    SW_TRY(fem->backend->combine(fem, 1, r, 0, z));
    return fem->backend->free_part(fem, z);
}

const sw_fem_preconditioner_functions sw_fem_unpreconditioned = {open_none, close_none, NULL, apply_none};
