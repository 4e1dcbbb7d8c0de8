/* Options that are not given, in sw_fem_default_options and in job files. */
#ifndef SW_ONLINE_FEM_ANALYSIS_DEFAULTS_H
#define SW_ONLINE_FEM_ANALYSIS_DEFAULTS_H

#define SW_FEM_TOLERANCE 1e-6
#define SW_FEM_LINEAR_TOLERANCE 1e-7
#define SW_FEM_LEAST_INCREMENT 1e-4
enum { SW_FEM_NEWTON = 25, SW_FEM_CG = 20000, SW_FEM_LINE_SEARCH = 5 };

#endif
