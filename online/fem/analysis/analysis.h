/* Private to this folder. */
#ifndef SW_ONLINE_FEM_ANALYSIS_ANALYSIS_H
#define SW_ONLINE_FEM_ANALYSIS_ANALYSIS_H

#include "online/fem/contact/contact.h"
#include "online/fem/linear/linear.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const sw_fem_backend sw_fem_cpu, sw_fem_cuda;

/* check.c: as sw_fem_open says. */
sw_status sw_fem_check_problem(const sw_fem_problem *p);
/* Whether it has what no GPU computes. */
int sw_fem_needs_cpu(const sw_fem_problem *p);
sw_status sw_fem_check_options(const sw_fem_problem *p, const sw_fem_options *o);
sw_status sw_fem_check_rigid(const sw_fem *fem); /* of fem->fixed and fem->contact */

/* Of this process' elements and nodes what whole.c takes and gives of the whole body: fields.c, fem.c. */
sw_status sw_fem_read_part(sw_fem *fem, const sw_fem_fields *fields);
sw_status sw_fem_save_part(sw_fem *fem, sw_fem_state *state);
sw_status sw_fem_restore_part(sw_fem *fem, const sw_fem_state *state);
/* Of contact, from displacements u [(N + T + M) c] and states [n] of entries. */
void sw_fem_read_contact(const sw_fem_contact_view *view, const double *u, const sw_fem_contact_point *state,
                         const sw_fem_fields *out);

/* check.c: a trial that no element can follow: SW_ERR_CONVERGENCE. */
sw_status sw_fem_refuse_element(const sw_fem *fem, int64_t element);

/* newton.c: fem->external: loads of factors [L], and pressures on the body under u. */
sw_status sw_fem_load_body(sw_fem *fem, const double *factor, const double *u);

#ifdef __cplusplus
}
#endif

#endif
