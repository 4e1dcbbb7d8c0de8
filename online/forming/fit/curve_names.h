/* What the name of a measured curve's column says: its unit, and whether it is true or engineering. */
#ifndef SW_ONLINE_FORMING_FIT_CURVE_NAMES_H
#define SW_ONLINE_FORMING_FIT_CURVE_NAMES_H

#include "curve_file.h"

/* A unit by its text, large and small letters alike, in brackets or not; NULL: none. */
const sw_curve_unit *sw_curve_find_unit(const char *text);

/* "stress (MPa)", "stress [MPa]", "stress_MPa", "stress/MPa", "stress in MPa", "MPa"; NULL: none. */
const sw_curve_unit *sw_curve_unit_of_name(const char *name);

/* 0: true, 1: engineering, -1: it does not say. */
int sw_curve_measure_of_name(const char *name);

#endif
