/* What a call of sw_response_advance costs, as CSV: language,crystals,us. bench/bench_calls.py does the same from Python.
 *
 *     OMP_NUM_THREADS=1 build/bench/bench_calls && OMP_NUM_THREADS=1 python3 bench/bench_calls.py
 *
 * Or one of a command, whose job is a mapping in JSON: build/bench/bench_calls fem JOB.json, and the same for the other.
 *
 * `rigid_plastic`, copper in tension, the same crystals again and again; the least of 41 times of 50 to 2,000 calls,
 * processor time, which other work on the machine disturbs least. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "slipwave/call.h"
#include "slipwave/response.h"

enum { TIMES = 41 };

static void check(sw_status status)
{
    if (status != SW_OK) {
        fprintf(stderr, "bench_calls: %s\n", sw_error_message());
        exit(1);
    }
}

static double time_calls(sw_response *response, const sw_crystals *c, int calls)
{
    const double tension[3][3] = {{1e-3, 0, 0}, {0, -0.5e-3, 0}, {0, 0, -0.5e-3}}; /* 1/s */
    sw_response_average average;
    double least = HUGE_VAL;
    for (int t = 0; t < TIMES; t++) {
        const clock_t start = clock();
        for (int k = 0; k < calls; k++)
            check(sw_response_advance(response, tension, 1e-3, c, c, &average));
        least = fmin(least, (double)(clock() - start) / CLOCKS_PER_SEC / calls);
    }
    return least;
}

/* A job that is read once, as a mapping in Python is there. */
static double time_command(const char *command, const char *path)
{
    static char text[1 << 16];
    FILE *file = fopen(path, "r");
    const size_t size = file != NULL ? fread(text, 1, sizeof text, file) : 0;
    const sw_file job = {"job", text, size};
    double least = HUGE_VAL;
    for (int t = 0; t < 10 * TIMES; t++) {
        sw_call *call;
        const clock_t start = clock();
        check(sw_call_command(
            &(sw_call_inputs){.command = command, .job = "job", .files = 1, .file = &job, .interruptible = 1},
            &call));
        sw_call_close(call);
        least = fmin(least, (double)(clock() - start) / CLOCKS_PER_SEC);
    }
    return least;
}

int main(int argc, char **argv)
{
    if (argc == 3) {
        printf("C,%s,%.1f\n", argv[1], 1e6 * time_command(argv[1], argv[2]));
        return 0;
    }
    static const int64_t crystals[] = {1, 10, 100, 1000};
    sw_material *material;
    sw_response *response;
    check(sw_material_open("data/materials/copper-ofhc.yaml", &material));
    check(
        sw_response_open(&(sw_response_options){.solver = "rigid_plastic", .material = material}, &response));
    printf("language,crystals,us\n");
    for (size_t i = 0; i < sizeof crystals / sizeof *crystals; i++) {
        sw_crystals c;
        check(sw_crystals_make(response, crystals[i], &c));
        check(sw_crystals_randomise(SW_CPU, crystals[i], c.crystal, 1, 0, 16e6F));
        const int calls = crystals[i] < 100 ? 2000 : 50;
        printf("C,%lld,%.2f\n", (long long)crystals[i], 1e6 * time_calls(response, &c, calls));
        sw_crystals_release(&c);
    }
    sw_response_close(response);
    sw_material_close(material);
    return 0;
}
