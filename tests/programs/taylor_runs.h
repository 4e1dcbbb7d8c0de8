/* What tests of `slipwave taylor` with free sides and with goals share: a run, and its history. */
#ifndef SW_TESTS_PROGRAMS_TAYLOR_RUNS_H
#define SW_TESTS_PROGRAMS_TAYLOR_RUNS_H

#include "programs.h"

#define TENSION                                                       \
    "  - velocity_gradient: [[1.0e-3, 0, 0], [0, x, 0], [0, 0, x]]\n" \
    "    stress: [[x, x, x], [x, 0, x], [x, x, 0]]\n"

enum { MOST_ROWS = 512 };

typedef struct {
    int64_t rows;
    double time[MOST_ROWS], strain[MOST_ROWS], resistance[MOST_ROWS], stress[MOST_ROWS][3][3],
        l[MOST_ROWS][3][3];
} history;

static inline void read_history(const char *path, history *h)
{
    int64_t shape[3];
    hid_t file = open_results(path);
    CHECK_OK(sw_h5_shape(file, "history/cauchy_stress", 3, shape));
    assert_in_range(shape[0], 2, MOST_ROWS);
    h->rows = shape[0];
    CHECK_OK(sw_h5_read(file, "history/time", H5T_NATIVE_DOUBLE, 1, shape, h->time));
    CHECK_OK(sw_h5_read(file, "history/strain", H5T_NATIVE_DOUBLE, 1, shape, h->strain));
    CHECK_OK(sw_h5_read(file, "history/slip_resistance", H5T_NATIVE_DOUBLE, 1, shape, h->resistance));
    CHECK_OK(sw_h5_read(file, "history/cauchy_stress", H5T_NATIVE_DOUBLE, 3, shape, h->stress));
    CHECK_OK(sw_h5_read(file, "history/velocity_gradient", H5T_NATIVE_DOUBLE, 3, shape, h->l));
    H5Fclose(file);
}

/* Run a job, from its lines after the material. */
static inline void run_job(const char *text, history *h)
{
    char job[2000];
    result r;
    snprintf(job, sizeof job, "material: material.yaml\n%s", text);
    write_text("mixed.yaml", job);
    run("slipwave taylor -q --device cpu mixed.yaml", &r); /* may warn */
    if (r.status != 0)
        fail_msg("%s", r.err);
    read_history("out.h5", h);
    unlink("out.h5");
    unlink("mixed.yaml");
}

#endif
