/* Numbers of a material that are sought: those of its hardening law and the initial slip resistance, by their keys in
 * material files, from whose table they and their bounds come. A search has free numbers x instead, about the logarithms
 * in the middle of the bounds, that never lead out of them. Dimension: P parameters. */
#ifndef SW_ONLINE_FORMING_FIT_PARAMETERS_H
#define SW_ONLINE_FORMING_FIT_PARAMETERS_H

#include "common/crystal/material.h"
#include "common/job/job.h"

enum { SW_FIT_PARAMETERS_MAX = 16 };

/* As a job has it. */
typedef struct {
    const char *key;    /* "hardening.exponent" */
    double least, most; /* NaN: the material file's */
} sw_fit_sought;

/* Rows of a job's table, of entries. */
extern const sw_key sw_fit_sought_keys[];

typedef struct {
    const char *key, *unit; /* unit NULL: a pure number */
    size_t to;              /* offset in a material */
    double least, most;
    int logarithmic; /* in the logarithm, which bounds > 0 have; else in the number itself */
} sw_fit_parameter;

/* The parameter of a material that a job seeks. entry: its number in the list at `prefix` ("fit.parameters"). SW_ERR_INPUT
 * for a key that the material's law has not, bounds out of the file's, and a beginning out of the bounds. */
sw_status sw_fit_parameter_of(const sw_job *job, const char *prefix, int entry, const sw_fit_sought *sought,
                              const sw_material *material, sw_fit_parameter *parameter);

double sw_fit_value(const sw_fit_parameter *parameter, const sw_material *material);
void sw_fit_set_value(const sw_fit_parameter *parameter, double value, sw_material *material);

/* x -> value within the bounds, and back; d value/dx. Where in the bounds a value is: 0 .. 1. */
double sw_fit_value_at(const sw_fit_parameter *parameter, double x);
double sw_fit_x_of(const sw_fit_parameter *parameter, double value);
double sw_fit_slope_at(const sw_fit_parameter *parameter, double x);
double sw_fit_place_of(const sw_fit_parameter *parameter, double value);

#endif
