/* What a database's solvers are known to err by: measured by `slipwave certify`, kept in the database under
 * /accuracy/solvers, read by `solver: auto`. Dimensions: R rows, L loadings. */
#ifndef SW_ONLINE_RESPONSE_CERTIFICATE_CERTIFICATE_H
#define SW_ONLINE_RESPONSE_CERTIFICATE_CERTIFICATE_H

#include <stdint.h>

#include "set_up.h"

struct sw_homogenization;

enum { SW_CERTIFY_LOADINGS = 8, SW_CERTIFY_ROWS = 32 }; /* L and R at most */

typedef struct {
    char name[96]; /* for people */
    int is_plain;  /* random crystals, one velocity gradient; else a sharp texture or a change of path */
} sw_certified_loading;

/* One solver with its settings. Errors are relative L2 norms over the history of the average stress, against
 * `iterative`. */
typedef struct {
    char solver[16];
    int64_t terms, refinement; /* 0 where the solver takes none; the file has pairs of terms */
    int nearest;
    double curve_error[SW_CERTIFY_LOADINGS];  /* [L] of the component that the loading is judged by */
    double tensor_error[SW_CERTIFY_LOADINGS]; /* [L] of the deviator, Frobenius norm */
    double seconds_per_crystal_step;          /* wall clock of all threads, on the machine that certified */
    sw_set_up set_up;                         /* likewise, before the first step; 0 in older ones */
} sw_certified;

typedef struct {
    int64_t n_loadings; /* 1 .. SW_CERTIFY_LOADINGS */
    sw_certified_loading loading[SW_CERTIFY_LOADINGS];
    int64_t n_rows; /* 1 .. SW_CERTIFY_ROWS */
    sw_certified row[SW_CERTIFY_ROWS];
    int64_t crystals, threads;
    int64_t points; /* of the database's grid, a turn of phi1: a table has refinement times as many */
} sw_certificate;

/* Which of a row's errors is asked for. */
typedef enum {
    SW_CERTIFIED_CURVE,  /* the largest curve error of the plain loadings */
    SW_CERTIFIED_TENSOR, /* the largest tensor error of all loadings */
    SW_CERTIFIED_MEASURES
} sw_certified_measure;
extern const char *const sw_certified_measure_names[SW_CERTIFIED_MEASURES]; /* "curve", "tensor" */

/* A row's certified error; NaN when one of those that it is the largest of is. */
double sw_certified_error(const sw_certificate *certificate, const sw_certified *row,
                          sw_certified_measure measure);

/* Whether there are others than plain loadings in it: older ones have none. */
int sw_certificate_is_complete(const sw_certificate *certificate);

/* "grid, nearest, refinement 2" [size]. */
void sw_certified_describe(const sw_certified *row, char *text, int size);

/* Store it in a database, in place of an older one: in a copy that takes the database's place when complete.
 * SW_ERR_IO, SW_ERR_FORMAT; the database is then as it was. */
sw_status sw_certificate_store(const char *database, const sw_certificate *certificate);

/* Also one with the three plain loadings of former times. SW_ERR_UNAVAILABLE when the database has none, or one of another program version, whose solvers may differ;
 * SW_ERR_FORMAT for a damaged one. */
sw_status sw_certificate_read(const char *database, sw_certificate *certificate);

/* ---- Choice ---- */

typedef struct {
    const sw_certified *row; /* borrowed */
    int on_gpu;              /* where its cost was taken for */
    char why[512];           /* a sentence for people */
} sw_certified_choice;

/* What the work of a run is to those that choose: all of one process. */
typedef struct {
    double crystals; /* 0: not known; then very many */
    double steps;    /* of the whole run */
    double rates;    /* how often a given strain rate takes another theta, for which tables are filled anew */
    double
        sought; /* of the steps those under given stresses: trials of a search, each with a strain rate of its own,
                        which finds nothing where the stress jumps with it, as that of a series and of nearest entries */
} sw_certified_work;

typedef struct {
    sw_certified_measure measure;
    double error;
    int gpu, cpu; /* which may be used; a solver without a version for the GPU needs the CPU */
    sw_certified_work work;
    const struct sw_homogenization *homogenization; /* that it has to go with; NULL: any does */
    int packed; /* crystals are of 8 bytes: of those that look up in a table */
} sw_certified_wish;

/* The cheapest row whose certified error, by the wish's measure, is at most its error. Cost: set-up and steps of the
 * wish's work, or seconds a crystal-step where that is not known; with a GPU steps take what the solver says
 * (step/solver.h), without what the row says. The reference, whose error is 0 by definition, comes last whatever it
 * costs. At the same cost, the more accurate. SW_ERR_RANGE when none will do: the message names the best. */
sw_status sw_certificate_choose(const sw_certificate *certificate, const sw_certified_wish *wish,
                                sw_certified_choice *choice);

#endif
