/* What the library says of a history that moves nothing, and when it says nothing. */
#include "tests/test.h"

#include "online/kwn/job/alloy_file.h"
#include "slipwave/kwn.h"
#include "slipwave/status.h"

static int frozen, cold;

static void listen(void *context, sw_notice kind, const char *text)
{
    (void)context;
    if (kind == SW_WARNING) {
        frozen += strstr(text, "no solute has moved") != NULL;
        cold += strstr(text, "nothing moves") != NULL;
    }
}

/* Two points under knots of two temperatures each, K. */
static void run(int n, const double *time, const float *temperature)
{
    const char *data = getenv("SW_DATA");
    char path[4096];
    const sw_kwn_options options = sw_kwn_defaults();
    sw_kwn_alloy alloy;
    sw_kwn *kwn;
    snprintf(path, sizeof path, "%s/alloys/al-sc.yaml", data ? data : "data");
    CHECK_OK(sw_kwn_alloy_read(path, &alloy));
    frozen = cold = 0;
    sw_listen(listen, NULL);
    CHECK_OK(sw_kwn_open(&alloy, &options, 2, NULL, temperature[0], &kwn));
    CHECK_OK(sw_kwn_advance(kwn, n, time, temperature, 1));
    sw_kwn_close(kwn);
    sw_listen(NULL, NULL);
}

/* Nowhere and never warm for longer than a moment; each knot counts with its own temperature. */
static void what_moves_nothing_is_told(void **state)
{
    (void)state;
    const double time[3] = {0, 1e-6, 8000};
    run(3, time, (const float[]){260, 260, 260, 260, 260, 260});
    assert_int_equal(frozen, 1);
    run(3, time, (const float[]){600, 260, 260, 260, 260, 260}); /* a microsecond of heat */
    assert_int_equal(frozen, 1);
    run(3, time, (const float[]){260, 260, 260, 260, 260, 700}); /* one of the points */
    assert_int_equal(frozen, 0);
    run(3, time, (const float[]){260, 260, 600, 260, 600, 260});
    assert_int_equal(frozen, 0);
    assert_int_equal(cold, 0);
    run(2, time, (const float[]){260, 260, 260, 260}); /* of a moment nobody expects it */
    assert_int_equal(frozen, 0);
    run(3, time, (const float[]){300, 300, 300, 300, 300, 180}); /* the last number of all */
    assert_int_equal(cold, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_moves_nothing_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
