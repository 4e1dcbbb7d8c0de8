/* ask.h on the CPU. */
#include "ask.h"

#include <stdlib.h>
#include <string.h>

#include "common/system/status.h"
#include "common/system/threads.h"

enum { CRYSTALS = 1 << 18 }; /* that are asked at a time */

void sw_dem_asking_free(sw_dem_asking *a)
{
    if (a->copies.device == SW_CUDA) {
        sw_dem_asking_free_cuda(a);
        return;
    }
    free(a->gradient);
    free(a->stress);
    sw_crystals_release(&a->copies);
    *a = (sw_dem_asking){0};
}

static sw_status reserve(sw_dem_asking *a, const sw_response *response, int64_t each, int64_t questions)
{
    if (questions <= a->questions && questions * each <= a->copies.n)
        return SW_OK;
    sw_dem_asking_free(a);
    SW_TRY(sw_crystals_make(response, questions * each, &a->copies));
    SW_TRY(SW_ALLOCATE(a->gradient, questions, "contacts"));
    SW_TRY(SW_ALLOCATE(a->stress, questions, "contacts"));
    a->questions = questions;
    return SW_OK;
}

/* Question q's. */
static void copy_crystals(const sw_dem_asking *a, int64_t each, const sw_crystals *crystals, int64_t particle,
                          int64_t q)
{
    const int64_t numbers = each * crystals->layout->numbers;
    memcpy(a->copies.crystal + q * each, crystals->crystal + particle * each,
           (size_t)each * sizeof *crystals->crystal);
    if (numbers > 0)
        memcpy(a->copies.state + q * numbers, crystals->state + particle * numbers,
               (size_t)numbers * sizeof *crystals->state);
}

sw_status sw_dem_ask(sw_dem_asking *a, sw_response *response, int64_t each, const sw_crystals *crystals,
                     int64_t questions, const int32_t *particle, const double (*normal)[3], double *work)
{
    if (crystals->device == SW_CUDA)
        return sw_dem_ask_cuda(a, response, each, crystals, questions, particle, normal, work);
    const int64_t most = CRYSTALS / each > 1 ? CRYSTALS / each : 1;
    const int64_t room = most < questions ? most : questions;
    SW_TRY(reserve(a, response, each, room));
    for (int64_t first = 0; first < questions; first += room) {
        const int64_t left = questions - first, n = left < room ? left : room;
        const sw_crystals copies = sw_crystals_part(&a->copies, 0, n * each);
#pragma omp parallel for num_threads(sw_threads_for(n, 20 + (double)each))
        for (int64_t q = 0; q < n; q++) {
            copy_crystals(a, each, crystals, particle[first + q], q);
            sw_dem_compress(normal[first + q], SW_DEM_ASKED_RATE, a->gradient[q]);
        }
        SW_TRY(sw_dem_ask_copies(response, n, each, &copies, (const double(*)[3][3])a->gradient, a->stress));
        for (int64_t q = 0; q < n; q++)
            work[first + q] = sw_dem_power(a->stress[q], (const double(*)[3])a->gradient[q]);
    }
    return SW_OK;
}

#ifndef SW_HAVE_CUDA

sw_status sw_dem_ask_cuda(sw_dem_asking *a, sw_response *response, int64_t each, const sw_crystals *crystals,
                          int64_t questions, const int32_t *particle, const double (*normal)[3], double *work)
{
    (void)a, (void)response, (void)each, (void)crystals, (void)questions, (void)particle, (void)normal,
        (void)work;
    return sw_error(SW_ERR_UNAVAILABLE, "device = cuda: this build has no CUDA");
}

void sw_dem_asking_free_cuda(sw_dem_asking *a) { (void)a; }

#endif
