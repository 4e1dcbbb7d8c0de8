/* Which solver runs, with which settings, on which device: what a job asks for, or what a database's
 * certified errors say. */
#ifndef SW_ONLINE_RESPONSE_CERTIFICATE_CHOICE_H
#define SW_ONLINE_RESPONSE_CERTIFICATE_CHOICE_H

#include "certificate.h"
#include "common/job/command.h"
#include "online/response/homogenization/homogenization.h"
#include "online/response/solvers.h"
#include "slipwave/response.h"

/* What is asked for. All is borrowed. */
typedef struct {
    const sw_job *job; /* for complaints, of its keys `device`, `material` and `error` */
    int solver;        /* of sw_solver_names; SW_SOLVERS: auto */
    sw_device_choice device;
    double error;                  /* of auto */
    sw_certified_measure error_of; /* likewise: which error that is */
    sw_certified_work work;        /* likewise: what there is to do */
    int64_t terms, refinement;
    int nearest; /* these three of a solver by name; as in sw_response_options */
    int one_iteration;
    int packed;                                     /* of auto: crystals are of 8 bytes */
    const sw_homogenization_choice *homogenization; /* NULL: the standard one */
    const char *database_path, *material_path;      /* NULL: none */
    const sw_database *database;                    /* NULL when the solver needs none */
    const sw_material *material;                    /* the database's own, or another */
} sw_solver_request;

typedef struct {
    sw_response_options options; /* borrows what it was made from */
    const sw_solver_traits *solver;
    char device[160];       /* "cpu, 8 threads", "cuda, NVIDIA H200, 4 ranks": for people */
    double certified_error; /* of auto; NaN without */
    char why[640];          /* auto's reason; "" without */
} sw_solver_choice;

/* Called by all ranks together, with the same request. A GPU is used when every rank has one and the solver a
 * version for it, unless the request says otherwise. SW_ERR_INPUT for a device or an error that cannot be
 * met; SW_ERR_UNAVAILABLE for a database without certified errors. */
sw_status sw_solver_choose(const sw_solver_request *request, sw_solver_choice *choice);

#endif
