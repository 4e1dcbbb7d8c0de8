/* What is known of nodes and points at the end of an increment, before its state is accepted.
 *
 * Dimensions: N nodes, Q points of an element. */
#ifndef SW_ONLINE_FEM_STRUCTURE_FIELDS_H
#define SW_ONLINE_FEM_STRUCTURE_FIELDS_H

#include "analysis.h"
#include "common/files/hdf5_io.h"

/* Of an element's points: Cauchy stress; strains (tensor components along space's axes): Green's or small, what of it gives
 * stress (in the law's measure), of laws that flow what has flowed; equivalent plastic and creep strain; place, volume, works. */
typedef struct {
    int n;
    double stress[SW_FORMULATION_POINTS][6], strain[SW_FORMULATION_POINTS][6],
        mechanical[SW_FORMULATION_POINTS][6], flowed[SW_FORMULATION_POINTS][6],
        plastic[SW_FORMULATION_POINTS], creep[SW_FORMULATION_POINTS], at[SW_FORMULATION_POINTS][3],
        volume[SW_FORMULATION_POINTS], work[SW_FORMULATION_POINTS][SW_WORKS],
        artificial; /* artificial: of the element */
} sw_structure_points;
sw_status sw_structure_points_of(sw_structure *s, int64_t e, sw_structure_points *points);
int sw_structure_places_move(const sw_structure *s); /* COORD is where the body is now */

/* Means over the elements of a node of what their points give it, and of nodes of shells and beams over those that they became; 0 where there are none. of_nodes [N]: those that are asked for (at
 * others something); NULL: all. Released with
 * sw_structure_nodal_free. */
typedef struct {
    double (*stress)[6], (*strain)[6], (*flowed)[6], *plastic, *energy; /* [N] energy: ENER */
} sw_structure_nodal;
sw_status sw_structure_nodal_make(sw_structure *s, const uint8_t *of_nodes, sw_structure_nodal *nodal);
void sw_structure_nodal_free(sw_structure_nodal *nodal);

/* Of user materials: how many state variables the one that has most has, n, 0: there are none; into zeros [N][n] their means as
 * above, where the trial's state is that of all elements. SW_ERR_MEMORY. */
int sw_structure_state_variables(const sw_structure_problem *problem);
sw_status sw_structure_recover_states(const sw_structure *s, int n, double *value);

/* Forces from outside [U] on prescribed unknowns, for themselves and what follows from them. */
void sw_structure_held(const sw_structure *s, double *force);
/* Reactions [U]: what holds prescribed unknowns; with reactions_hold_loads the forces of the node's elements, and of nodes
 * without any what holds those that follow from them. */
void sw_structure_reactions(const sw_structure *s, double *reaction);

/* Of a surface's print: force, moment about the origin, centre, mean normal, moment about the centre, area, normal
 * force (tension is positive), size of the shear force. Of what is outside on the elements on the surface's side. */
enum { SW_STRUCTURE_SECTION_COLUMNS = 18 };
extern const char sw_structure_section_columns[]; /* their names, with blanks between */
sw_status sw_structure_section_row(sw_structure *s, const sw_structure_print *print,
                                   double row[SW_STRUCTURE_SECTION_COLUMNS]);

/* prints.c: tables of a step. */
typedef struct sw_numbers { /* a list of numbers that grows */
    int64_t n, capacity;
    double *value;
} sw_numbers;
sw_status sw_numbers_append(sw_numbers *list, int64_t n, const double *value);
void sw_numbers_drop(sw_numbers *list);
typedef struct {
    const sw_structure_step *of; /* whose prints these are; NULL: of none yet */
    sw_numbers *value, *time;    /* [prints] */
} sw_structure_tables;
/* Those of a step, empty. */
sw_status sw_structure_tables_begin(const sw_structure_step *step, sw_structure_tables *tables);
/* Rows of the trial, where they are due; last: of its step. */
sw_status sw_structure_tables_add(sw_structure *s, int last, sw_structure_tables *tables);
/* Under prints/0001 and so on, after `*n` that are there. */
sw_status sw_structure_tables_write(const sw_structure_tables *tables, hid_t file, int *n);
void sw_structure_tables_drop(sw_structure_tables *tables);
/* A list as a dataset, and back into one that is empty. */
sw_status sw_numbers_keep(const sw_numbers *list, hid_t where, const char *name);
sw_status sw_numbers_restore(sw_numbers *list, hid_t where, const char *name);
/* The same of unfinished tables, which have been begun. */
sw_status sw_structure_tables_keep(const sw_structure_tables *tables, hid_t where);
sw_status sw_structure_tables_restore(sw_structure_tables *tables, hid_t where);
#endif
