/* `slipwave fem` on one rank and on several: runs, and their results side by side. */
#ifndef SW_TESTS_PROGRAMS_FEM_RANKS_H
#define SW_TESTS_PROGRAMS_FEM_RANKS_H

#include "ranks.h"

enum { MOST = 60000 };

#define STEEL                                                                                              \
    "materials: [{young: 200.0e9, poisson: 0.3, yield_stress: 250.0e6, hardening: {law: linear, modulus: " \
    "2.0e9}}]\n"
#define SHARP "device: cpu\nsolver: {tolerance: 1.0e-11, linear_tolerance: 1.0e-12}\n"

/* arguments: those after `slipwave `. */
static inline void run_fem(int ranks, const char *arguments)
{
    result r;
    char command[512];
    snprintf(command, sizeof command, "slipwave %s", arguments);
    if (ranks == 1)
        run(command, &r);
    else
        run_on_ranks(ranks, arguments, &r);
    if (r.status != 0)
        fail_msg("%s on %d ranks: exit status %d, '%s'", arguments, ranks, r.status, r.err);
}

/* A dataset of any shape as doubles; their number. */
static inline int64_t read_numbers(const char *path, const char *name, double *value)
{
    hid_t file = open_results(path), set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0)
        fail_msg("%s: no %s", path, name);
    hid_t space = H5Dget_space(set);
    const int64_t n = H5Sget_simple_extent_npoints(space);
    assert_in_range(n, 1, MOST);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
    return n;
}

/* Two runs' numbers are the same but for `part` of the largest of them. */
static inline void compare(const char *one, const char *other, const char *name, double part)
{
    static double a[MOST], b[MOST];
    double most = 0;
    const int64_t n = read_numbers(one, name, a);
    assert_int_equal(read_numbers(other, name, b), n);
    for (int64_t i = 0; i < n; i++)
        most = greatest(most, fabs(a[i]));
    for (int64_t i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= part * most))
            fail_msg("%s, %s: number %lld is %.17g, not %.17g: need %g of %g", other, name, (long long)i,
                     b[i], a[i], part, most);
}

static inline void compare_histories(const char *one, const char *other, const char *const *name, double part)
{
    for (int i = 0; name[i] != NULL; i++) {
        char path[64];
        snprintf(path, sizeof path, "history/%s", name[i]);
        compare(one, other, path, part);
    }
}

/* Everything that runs have written. */
static inline void clear(void)
{
    struct dirent **entry;
    const int count = scandir(".", &entry, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        if (strncmp(entry[i]->d_name, "one", 3) == 0 || strncmp(entry[i]->d_name, "many", 4) == 0)
            unlink(entry[i]->d_name);
        free(entry[i]);
    }
    free(entry);
}

static const char *const solid_history[] = {"reaction",
                                            "displacement_least",
                                            "displacement_most",
                                            "external_work",
                                            "boundary_displacement",
                                            "plastic_points",
                                            "plastic_elements",
                                            NULL};

#endif
