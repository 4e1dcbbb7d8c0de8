/* Of the tests of `slipwave kwn`'s files: a folder with an alloy, and files that are refused. */
#ifndef SW_TESTS_ONLINE_KWN_JOB_JOBS_H
#define SW_TESTS_ONLINE_KWN_JOB_JOBS_H

#include "tests/job_files.h"

#include "online/kwn/job/job.h"
#include "online/kwn/job/map_job.h"

static char history_path[PATH_MAX + 16];

static const char alloy_text[] =
    "name: Al-Mg-Si\n"
    "matrix: {element: Al, molar_volume: 1.0e-5, molar_mass: 0.027,\n"
    "         lattice_parameter: 4.05e-10}\n"
    "concentration_unit: mole_fraction\n"
    "solutes:\n"
    "  - {element: Mg, molar_mass: 0.0243, concentration: 0.007,\n"
    "     diffusivity: {prefactor: 2.2e-4, activation_energy: 130.0e3}}\n"
    "  - {element: Si, molar_mass: 0.0281, concentration: 0.009,\n"
    "     diffusivity: {prefactor: 2.0e-4, activation_energy: 136.0e3}}\n"
    "phases:\n"
    "  - name: Mg2Si\n"
    "    stoichiometry: [{element: Mg, count: 2}, {element: Si, count: 1}]\n"
    "    molar_volume: 3.95e-5\n"
    "    interfacial_energy: 0.26\n"
    "    growth_limiting_solute: Mg\n"
    "    solvus: {product: [{solute: Mg, exponent: 1}], prefactor: 9.7, enthalpy: "
    "47175.0}\n"
    "    nucleation: {law: arrhenius, rate: 9.66e34, barrier: 16220.0,\n"
    "                 activation_energy: 130.0e3}\n"
    "    shearable_radius: 5.0e-9\n";

static inline int make_kwn_folder(void **state)
{
    char path[PATH_MAX + 16];
    if (make_job_folder(state))
        return 1;
    snprintf(history_path, sizeof history_path, "%s/history.h5", folder);
    snprintf(path, sizeof path, "%s/alloy.yaml", folder);
    write_text(path, alloy_text);
    return 0;
}

static inline int remove_kwn_folder(void **state)
{
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/alloy.yaml", folder);
    unlink(history_path);
    return unlink(path) | remove_job_folder(state);
}

typedef struct {
    const char *old, *new;
    const char *place, *key, *bound; /* parts of the message: file and line, key and value, what is needed */
} refusal;

static inline void refuse(const char *text, const refusal *c, int map)
{
    void *job = NULL;
    write_job(text, c->old, c->new);
    const sw_arguments arguments = {.file = job_path};
    const sw_status status = map ? sw_kwn_map_job_read(&arguments, (sw_kwn_map_job **)(void *)&job)
                                 : sw_kwn_job_read(&arguments, (sw_kwn_job **)(void *)&job);
    if (status == SW_OK)
        fail_msg("'%s' was taken", c->new);
    assert_int_equal(status, SW_ERR_INPUT);
    assert_null(job);
    assert_message_has(c->place);
    assert_message_has(c->key);
    assert_message_has(c->bound);
}

#endif
