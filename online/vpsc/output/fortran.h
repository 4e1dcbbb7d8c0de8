/* Numbers as Fortran's formats print them. */
#ifndef SW_ONLINE_VPSC_OUTPUT_FORTRAN_H
#define SW_ONLINE_VPSC_OUTPUT_FORTRAN_H

#include <stdio.h>

/* Fw.d: what is too wide is asterisks. */
void sw_fortran_f(FILE *file, int width, int decimals, double value);
/* Ew.d: 0.12345E+01. */
void sw_fortran_e(FILE *file, int width, int decimals, double value);
/* Iw */
void sw_fortran_i(FILE *file, int width, long long value);
/* n of them */
void sw_fortran_fs(FILE *file, int n, int width, int decimals, const double *value);
void sw_fortran_es(FILE *file, int n, int width, int decimals, const double *value);

#endif
