/* Results of an analysis: a row of numbers for each increment, fields for ParaView, and states to go on from.
 *
 *     FILE.h5                 /history, /run; written when all is done
 *     FILE.h5.partial         the same so far with /restart, now and then before the last increment
 *     FILE-0003.vtkhdf        fields after increment 3
 *     FILE-0003.textures.h5   textures of element sets after increment 3
 *     FILE-0003.restart.h5    as the partial file, kept
 *
 * Dimensions: N nodes, c unknowns of a node, E elements, Q points of an element, n increments. */
#ifndef SW_ONLINE_FEM_OUTPUT_OUTPUT_H
#define SW_ONLINE_FEM_OUTPUT_OUTPUT_H

#include "common/files/hdf5_io.h"
#include "online/fem/crystal/families.h"
#include "online/fem/job/job.h"
#include "online/fem/mesh/mesh.h"
#include "writer.h"

/* ---- VTKHDF ---- */

typedef struct {
    const char *name;
    int of_cells;     /* else of points */
    int components;   /* 1, 3 or 6 */
    int bytes;        /* the data are uint8_t, else double */
    const void *data; /* [N or E][components] */
} sw_fem_vtk_field;

/* An unstructured grid with fields, complete or not there at all. VTKHDF 1.0. SW_ERR_IO, SW_ERR_MEMORY. */
sw_status sw_fem_vtkhdf_write(const char *path, const sw_fem_mesh *mesh, int n_fields,
                              const sw_fem_vtk_field *field);

/* Fields of an increment on their way into a file: what is theirs alone, and pointers to what stays. */
typedef struct {
    int64_t increment; /* from 1; 0: none */
    char *path;
    int n;
    sw_fem_vtk_field *field; /* [n] */
    double (*displacement)[3], (*force)[3];
    struct sw_fem_crystal_fields *of_crystals;
} sw_fem_frame;

/* ---- Results ---- */

enum { SW_FEM_TIMINGS = 8 };

typedef struct {
    const sw_fem_job *job; /* borrowed */
    int c;
    int64_t row_size;
    int64_t done;                                           /* increments */
    double *row;                                            /* [n][row_size] */
    double increment;                                       /* what sw_fem_advance tries next */
    int64_t n_contact;                                      /* nodes of tools' surfaces */
    sw_fem_state state;                                     /* as read, or kept: */
    int64_t state_of;                                       /* of how many increments done; 0: of none */
    sw_fem_fields field;                                    /* caller's arrays of sw_fem_read */
    sw_fem_families families;                               /* what is told of them */
    double seconds[SW_FEM_TIMINGS], before[SW_FEM_TIMINGS]; /* by stage: of this process, of earlier ones */
    double most_bytes;
    char device[128];
    const char *linear, *preconditioner; /* what solved the equations; NULL: nothing has */
    sw_fem_writer writer;                /* of what is written beside the analysis */
    sw_fem_frame frame;                  /* which it may be at */
    int64_t listed;                      /* increments in the list of fields, as this run wrote it */
    int warned;                          /* of more deformation than small strains are meant for */
    double told_of,
        deepest; /* how deep tools were in the body, over an element's depth: as told last, at most */
    int64_t deepest_at;
    int deepest_tool;
    int warned_of_bending;
    double most_energy; /* elastic, of an increment so far, J */
} sw_fem_results;

/* Nothing done yet; or, with `from`, what that partial or restart file holds: then `state` is to be restored.
 * SW_ERR_FORMAT when it is of another problem or its increments are not the job's first ones; SW_ERR_IO;
 * SW_ERR_MEMORY. Released with sw_fem_results_free in any case. */
sw_status sw_fem_results_begin(const sw_fem_job *job, const char *from, sw_fem_results *results);
void sw_fem_results_free(sw_fem_results *results);

/* The next increment is done, in `seconds`: its row, and its fields where the job asks for them, which may still be being
 * written: before the next ones, and before anything says that the increment is done, sw_fem_results_settle. */
sw_status sw_fem_results_add(sw_fem_results *results, sw_fem *fem, const sw_fem_report *report,
                             double seconds);

/* Waits for what is being written. After an error results->frame.increment is that whose fields are not there; 0: it was no
 * field. */
sw_status sw_fem_results_settle(sw_fem_results *results);

/* After increments were taken back, a list of fields that this run has written is that of what is done, and gone where it would
 * be empty. */
sw_status sw_fem_results_list(sw_fem_results *results);

/* `state` as it is now, at the end of the last increment done; nothing where it is that already. Of several processes all
 * take part. SW_ERR_MEMORY, after which it is of none. */
sw_status sw_fem_results_keep(sw_fem_results *results, sw_fem *fem);

/* Bytes of a state. */
double sw_fem_results_state_bytes(const sw_fem_results *results);

/* All rows so far, with the state or without, to a file that is complete or not there at all. */
sw_status sw_fem_results_write(const sw_fem_results *results, const char *path, int with_state);

/* "3 increments, 12.5 % of elements plastic, ..." [size], of what is done. */
void sw_fem_results_describe(const sw_fem_results *results, char *text, size_t size);

/* "increment 2 of 3: factor 0.667, ..." [size], of the last one. */
void sw_fem_results_describe_last(const sw_fem_results *results, char *text, size_t size);

/* ---- deformation.c ---- */

/* A warning, once, where the job has small strains and the displacements of r->field strain or turn an element by more
 * than these are meant for. */
void sw_fem_warn_of_deformation(sw_fem_results *r);

/* ---- bending.c ---- */

/* A warning, once, where elements lock as the displacements of r->field bend them: of the body, of the worst element set. */
void sw_fem_warn_of_bending(sw_fem_results *r);

/* ---- tools.c ---- */

/* A warning where the last row's displacements leave the body so deep in a tool that its forces are wrong, or how far it
 * goes; again where that is twice as deep. */
void sw_fem_warn_of_sunk_tools(sw_fem_results *r);
/* SW_ERR_CONVERGENCE, with increment and tool, where one is deeper in the body than the element behind. */
sw_status sw_fem_check_tools(const sw_fem_results *r);
/* At the end: warnings of the deepest, and of each tool that touches nothing in any of the rows. */
void sw_fem_warn_of_tools(const sw_fem_results *r);

/* ---- crystals.c ---- */

/* Fields of elements with crystals; 0 elsewhere; grains, where the job has any, -1. `data` is released with
 * sw_fem_crystal_fields_free. */
typedef struct sw_fem_crystal_fields {
    int n;                   /* 0: the job has no crystals */
    sw_fem_vtk_field *field; /* [n] */
    char (*name)[96];        /* [n] */
    double *value;           /* [n][E], of families the values of each element together */
} sw_fem_crystal_fields;

/* SW_ERR_MEMORY; errors of textures. To be freed in any case. */
sw_status sw_fem_crystal_fields_make(const sw_fem_results *results, sw_fem *fem,
                                     sw_fem_crystal_fields *fields);
void sw_fem_crystal_fields_free(sw_fem_crystal_fields *fields);

/* FILE-0003.textures.h5 where the job asks for textures: /texture/K of its K-th set, from 0. */
sw_status sw_fem_textures_write(const sw_fem_results *results, sw_fem *fem, int64_t increment);

/* FILE-0003.vtkhdf, FILE-0003.restart.h5 of an increment, from 1. As of sw_file_name. */
char *sw_fem_numbered_name(const sw_fem_job *job, int64_t increment, const char *end);

#endif
