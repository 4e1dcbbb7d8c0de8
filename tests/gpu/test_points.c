/* Points with a loading each: the GPU against the CPU; resident and passing arrays; any number of crystals a
 * point, and any batch. Skipped, saying so, where there is no GPU. */
#include "tests/copper_database.h"
#include "tests/gpu/gpu.h"

#include "online/response/points/points.h"
#include "online/response/step/crystals.h"

enum { P = 37, MOST = 9000 };

static int set_up_with_database(void **state)
{
    set_up(state);
    return gpus == 0 ? 0 : make_copper_database(16, 12);
}

static sw_response *open_solver(sw_device device, const char *name)
{
    return open_on(device, (sw_response_options){.solver = name, .database = &database});
}

/* Bytes where a response computes: as crystals, 16 at a time. */
static void *memory(sw_device device, size_t bytes)
{
    sw_crystal *room;
    CHECK_OK(sw_crystals_allocate(device, (int64_t)(bytes + 15) / 16, &room));
    return room;
}

static void copy(sw_device device, size_t bytes, void *to, const void *from)
{
    CHECK_OK(sw_crystals_copy(device, (int64_t)(bytes + 15) / 16, to, from));
}

typedef struct {
    double stress[P + 1][6], slip_resistance[P + 1], slip_rate[P + 1], by_strain_rate[P + 1][6][6],
        by_spin[P + 1][6][3]; /* one more than is used: copies are of whole crystals */
} results;

/* P points of n crystals: a step that is taken, then one that is tried, with its tangent. */
typedef struct {
    int64_t points, n;
    double l[P + 1][3][3];
    sw_crystal
        *crystal; /* [points n], their weights [points n], and what is remembered of them [points n][KEPT] */
    float *weight, *kept;
    int elsewhere;                      /* the step taken ends in other memory than it begins in */
    const sw_material *const *material; /* [points] whose hardening law each has; NULL: the response's */
    const double *dt_each;              /* [points]; NULL: steps, for all */
    results *r;
} batch;

enum { KEPT = 5 };

static const double steps[2] = {15, 5};

/* Crystals of a response in memory of the host, or of the GPU; what they hold is any. */
static sw_crystals crystals_in(sw_device arrays, const sw_response *response, int64_t n)
{
    const sw_state_layout *layout = sw_response_layout(response);
    sw_crystals c = sw_crystals_alone(response, n, memory(arrays, (size_t)n * sizeof *c.crystal));
    c.state = layout->numbers > 0 ? memory(arrays, (size_t)(n * layout->numbers) * sizeof *c.state) : NULL;
    return c;
}

static void free_crystals_in(sw_device arrays, sw_crystals *c)
{
    sw_crystals_free(arrays, c->crystal);
    sw_crystals_free(arrays, (sw_crystal *)c->state);
}

static void walk(sw_response *response, sw_device arrays, const batch *b)
{
    sw_points points = {.points = b->points, .each = b->n, .dt = steps[0], .dt_each = b->dt_each};
    const size_t n = (size_t)(b->points * b->n);
    results *r = memory(arrays, sizeof *r);
    void *l = memory(arrays, sizeof b->l);
    sw_crystals from = crystals_in(arrays, response, (int64_t)n),
                to = crystals_in(arrays, response, (int64_t)n);
    float *weight = memory(arrays, n * sizeof *weight);
    memset(b->r, 0, sizeof *b->r);
    copy(arrays, sizeof *r, r, b->r);
    copy(arrays, sizeof b->l, l, b->l);
    copy(arrays, n * sizeof *b->crystal, from.crystal, b->crystal);
    copy(arrays, n * sizeof *weight, weight, b->weight);
    if (from.state != NULL)
        copy(arrays, n * KEPT * sizeof *from.state, from.state, b->kept);
    from.weight = weight;
    points.material = b->material;
    points.velocity_gradient = l;
    points.from = &from;
    points.to = b->elsewhere ? &to : &from;
    points.stress = r->stress;
    points.slip_resistance = r->slip_resistance;
    points.slip_rate = r->slip_rate;
    CHECK_OK(sw_response_step_each(response, &points));
    if (b->elsewhere)
        sw_crystals_swap(&from, &to);
    points.to = NULL;
    points.dt = steps[1];
    points.by_strain_rate = r->by_strain_rate;
    points.by_spin = r->by_spin;
    CHECK_OK(sw_response_step_each(response, &points));
    copy(arrays, sizeof *r, b->r, r);
    copy(arrays, n * sizeof *b->crystal, b->crystal, from.crystal);
    if (from.state != NULL)
        copy(arrays, n * KEPT * sizeof *from.state, b->kept, from.state);
    free_crystals_in(arrays, &from);
    free_crystals_in(arrays, &to);
    sw_crystals_free(arrays, (sw_crystal *)r);
    sw_crystals_free(arrays, l);
    sw_crystals_free(arrays, (sw_crystal *)weight);
}

static void begin(batch *b, int64_t n)
{
    const int64_t all = P * n;
    b->points = P;
    b->n = n;
    memset(b->l, 0, sizeof b->l);
    for (int p = 0; p < P; p++) {
        b->l[p][0][0] = 1e-3;
        b->l[p][2][2] = -1e-3;
        b->l[p][0][1] = 5e-5 * p;
        b->l[p][1][2] = -3e-5 * p;
    }
    CHECK_OK(sw_crystals_randomise(SW_CPU, all, b->crystal, 7, 0, 16e6F));
    for (int64_t i = 0; i < all; i++)
        b->weight[i] = (float)(1 + i % 4);
    memset(b->kept, 0, (size_t)(all * KEPT) * sizeof *b->kept);
}

static batch make_batch(int64_t most)
{
    return (batch){.crystal = memory(SW_CPU, (size_t)(P * most + 1) * sizeof(sw_crystal)),
                   .weight = memory(SW_CPU, (size_t)(P * most + 4) * sizeof(float)),
                   .kept = memory(SW_CPU, (size_t)(P * most * KEPT + 4) * sizeof(float)),
                   .r = memory(SW_CPU, sizeof(results))};
}

static void free_batch(batch *b)
{
    sw_crystals_free(SW_CPU, b->crystal);
    sw_crystals_free(SW_CPU, (sw_crystal *)b->weight);
    sw_crystals_free(SW_CPU, (sw_crystal *)b->kept);
    sw_crystals_free(SW_CPU, (sw_crystal *)b->r);
}

/* Largest difference over the largest number. */
static double difference(int64_t n, const double *a, const double *b)
{
    double worst = 0, largest = 0;
    for (int64_t i = 0; i < n; i++) {
        worst = greatest(worst, fabs(a[i] - b[i]));
        largest = greatest(largest, fabs(a[i]));
    }
    return worst / largest;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of the points' tangents, each over its size: the middle one, and the largest. */
static void tangents_off(const results *a, const results *b, double *middle, double *most)
{
    double off[P];
    for (int p = 0; p < P; p++) {
        double size = 0, square = 0;
        for (int k = 0; k < 36; k++) {
            const double x = a->by_strain_rate[p][k / 6][k % 6], y = b->by_strain_rate[p][k / 6][k % 6];
            size += x * x;
            square += (x - y) * (x - y);
        }
        off[p] = sqrt(square / size);
    }
    qsort(off, P, sizeof *off, compare);
    *middle = off[P / 2];
    *most = off[P - 1];
}

static const char *const names[] = {"elastoplastic", "rigid_plastic", "grid"};
static const int64_t each[] = {1, 8, 100, 1000, MOST};

/* To single precision, of `grid` to its table's half precision, of which slopes within cells of 22 degrees make 2.5 times as much. Single crystals of
 * `rigid_plastic` that hardly resist in some direction have tangents of few digits. */
static void points_as_on_the_cpu(void **state)
{
    NEED_GPU();
    static const double stress[3] = {1e-4, 1e-3, 2e-3}, tangent[3] = {1e-3, 2e-3, 0.05},
                        worst[3] = {1e-3, 0.1, 0.2};
    for (int s = 0; s < 3; s++)
        for (int e = 0; e < 4; e++) {
            batch a = make_batch(each[e]), b = make_batch(each[e]);
            sw_response *cpu = open_solver(SW_CPU, names[s]), *gpu = open_solver(SW_CUDA, names[s]);
            begin(&a, each[e]);
            begin(&b, each[e]);
            walk(cpu, SW_CPU, &a);
            walk(gpu, SW_CUDA, &b);
            double slope, largest;
            const double off = difference(6 * P, a.r->stress[0], b.r->stress[0]),
                         flow = difference(P, a.r->slip_rate, b.r->slip_rate);
            tangents_off(a.r, b.r, &slope, &largest);
            print_message("%s, %lld a point: stress %.1e slip rate %.1e tangent %.1e, at most %.1e\n",
                          names[s], (long long)each[e], off, flow, slope, largest);
            assert_true(off < stress[s] && flow < 10 * stress[s] && slope < tangent[s] && largest < worst[s]);
            if (s == 0)
                CHECK_CLOSE(difference(18 * P, a.r->by_spin[0][0], b.r->by_spin[0][0]), 0, tangent[s]);
            sw_response_close(cpu);
            sw_response_close(gpu);
            free_batch(&a);
            free_batch(&b);
        }
}

/* In the GPU's memory, from the host, and each point alone: the same bits. */
static void points_have_the_same_bits(void **state)
{
    NEED_GPU();
    for (int s = 0; s < 3; s++)
        for (int e = 0; e < 5; e++) {
            const int64_t n = each[e];
            batch a = make_batch(n), b = make_batch(n), c = make_batch(n);
            sw_response *here = open_solver(SW_CUDA, names[s]), *passing = open_solver(SW_CUDA, names[s]);
            begin(&a, n);
            begin(&b, n);
            walk(here, SW_CUDA, &a);
            walk(passing, SW_CPU, &b);
            assert_memory_equal(a.crystal, b.crystal, (size_t)(P * n) * sizeof *a.crystal);
            assert_memory_equal(a.r->stress, b.r->stress, P * sizeof *a.r->stress);
            assert_memory_equal(a.r->by_strain_rate, b.r->by_strain_rate, P * sizeof *a.r->by_strain_rate);
            assert_memory_equal(a.r->by_spin, b.r->by_spin, P * sizeof *a.r->by_spin);
            sw_response_close(passing);
            for (int p = 0; p < P; p += 12) {
                sw_response *alone = open_solver(SW_CUDA, names[s]);
                begin(&c, n);
                c.points = 1;
                memcpy(c.l[0], c.l[p], sizeof c.l[0]);
                memmove(c.crystal, c.crystal + p * n, (size_t)n * sizeof *c.crystal);
                memmove(c.weight, c.weight + p * n, (size_t)n * sizeof *c.weight);
                walk(alone, SW_CUDA, &c);
                assert_memory_equal(c.r->stress[0], a.r->stress[p], sizeof *a.r->stress);
                assert_memory_equal(c.r->by_strain_rate[0], a.r->by_strain_rate[p],
                                    sizeof *a.r->by_strain_rate);
                sw_response_close(alone);
            }
            sw_response_close(here);
            free_batch(&a);
            free_batch(&b);
            free_batch(&c);
        }
}

/* The same bits, whether a step ends where it began or elsewhere, in the GPU's memory or the host's; one response for one
 * batch after the other. */
static void states_may_be_anywhere(void **state)
{
    NEED_GPU();
    for (int s = 0; s < 3; s++)
        for (int e = 0; e < 4; e++) {
            const int64_t n = each[e];
            batch own = make_batch(n), here = make_batch(n), passing = make_batch(n);
            sw_response *first = open_solver(SW_CUDA, names[s]), *second = open_solver(SW_CUDA, names[s]);
            here.elsewhere = passing.elsewhere = 1;
            begin(&own, n);
            begin(&here, n);
            begin(&passing, n);
            walk(first, SW_CUDA, &own);
            walk(second, SW_CUDA, &here);
            walk(second, SW_CPU, &passing);
            const batch *const others[] = {&here, &passing};
            for (int k = 0; k < 2; k++) {
                assert_memory_equal(own.crystal, others[k]->crystal, (size_t)(P * n) * sizeof *own.crystal);
                assert_memory_equal(own.kept, others[k]->kept, (size_t)(P * n * KEPT) * sizeof(float));
                assert_memory_equal(own.r->stress, others[k]->r->stress, P * sizeof *own.r->stress);
                assert_memory_equal(own.r->by_strain_rate, others[k]->r->by_strain_rate,
                                    P * sizeof *own.r->by_strain_rate);
            }
            double size = 0;
            for (int64_t i = 0; i < P * n * KEPT; i++)
                size += fabsf(here.kept[i]);
            assert_true(s > 0 || size > 0.1 * (double)(P * n * KEPT)); /* stresses over s */
            sw_response_close(first);
            sw_response_close(second);
            free_batch(&own);
            free_batch(&here);
            free_batch(&passing);
        }
}

/* P laws from soft to hard, and from hardly to sharply bent. */
static void hardening_laws(sw_material law[P], const sw_material *of[P])
{
    for (int p = 0; p < P; p++) {
        law[p] = database.material;
        law[p].hardening.voce.initial_hardening_rate *= 0.2 + 0.1 * p;
        law[p].hardening.voce.saturation_resistance *= 1.5 - 0.02 * p;
        law[p].hardening.voce.exponent = 1 + 0.1 * p;
        of[p] = &law[p];
    }
}

/* A hardening law each, in the GPU's memory and from the host: the bits of points alone in responses of one
 * material. */
static void points_have_laws_of_their_own(void **state)
{
    NEED_GPU();
    static sw_material law[P];
    const sw_material *of[P];
    hardening_laws(law, of);
    for (int s = 0; s < 3; s++)
        for (int e = 0; e < 4; e++) {
            const int64_t n = each[e];
            batch a = make_batch(n), b = make_batch(n), c = make_batch(n);
            sw_response *here = open_solver(SW_CUDA, names[s]), *passing = open_solver(SW_CUDA, names[s]);
            a.material = b.material = of;
            begin(&a, n);
            begin(&b, n);
            walk(here, SW_CUDA, &a);
            walk(passing, SW_CPU, &b);
            assert_memory_equal(a.crystal, b.crystal, (size_t)(P * n) * sizeof *a.crystal);
            assert_memory_equal(a.r->stress, b.r->stress, P * sizeof *a.r->stress);
            assert_memory_equal(a.r->by_strain_rate, b.r->by_strain_rate, P * sizeof *a.r->by_strain_rate);
            sw_response_close(here);
            sw_response_close(passing);
            for (int p = 0; p < P; p += 12) {
                const sw_response_options options = {
                    .solver = names[s], .database = &database, .material = of[p], .device = SW_CUDA};
                sw_response *alone;
                CHECK_OK(sw_response_open(&options, &alone));
                begin(&c, n);
                c.points = 1;
                memcpy(c.l[0], c.l[p], sizeof c.l[0]);
                memmove(c.crystal, c.crystal + p * n, (size_t)n * sizeof *c.crystal);
                memmove(c.weight, c.weight + p * n, (size_t)n * sizeof *c.weight);
                walk(alone, SW_CUDA, &c);
                assert_memory_equal(c.r->stress[0], a.r->stress[p], sizeof *a.r->stress);
                assert_memory_equal(&c.r->slip_resistance[0], &a.r->slip_resistance[p], sizeof(double));
                assert_memory_equal(c.r->by_strain_rate[0], a.r->by_strain_rate[p],
                                    sizeof *a.r->by_strain_rate);
                sw_response_close(alone);
            }
            assert_true(a.r->slip_resistance[P - 1] > 1.05 * a.r->slip_resistance[0]); /* the laws tell */
            free_batch(&a);
            free_batch(&b);
            free_batch(&c);
        }
}

/* A duration each: the bits of as many calls, each of one. */
static void points_have_durations_of_their_own(void **state)
{
    NEED_GPU();
    for (int s = 0; s < 3; s++) {
        const int64_t n = 100;
        double dt[P];
        batch a = make_batch(n), b = make_batch(n), c = make_batch(n);
        sw_response *all = open_solver(SW_CUDA, names[s]), *alike = open_solver(SW_CUDA, names[s]);
        for (int p = 0; p < P; p++)
            dt[p] = steps[0] * (1 + 0.02 * p);
        a.dt_each = dt;
        begin(&a, n);
        walk(all, SW_CUDA, &a);
        sw_response_close(all);
        begin(&b, n);
        walk(alike, SW_CUDA, &b);
        sw_response_close(alike);
        for (int p = 0; p < P; p += 12) {
            sw_response *alone = open_solver(SW_CUDA, names[s]);
            begin(&c, n);
            c.points = 1;
            c.dt_each = dt + p;
            memcpy(c.l[0], c.l[p], sizeof c.l[0]);
            memmove(c.crystal, c.crystal + p * n, (size_t)n * sizeof *c.crystal);
            memmove(c.weight, c.weight + p * n, (size_t)n * sizeof *c.weight);
            walk(alone, SW_CUDA, &c);
            assert_memory_equal(c.r->stress[0], a.r->stress[p], sizeof *a.r->stress);
            assert_memory_equal(c.r->by_strain_rate[0], a.r->by_strain_rate[p], sizeof *a.r->by_strain_rate);
            sw_response_close(alone);
        }
        assert_true(a.r->slip_resistance[P - 1] > b.r->slip_resistance[P - 1]); /* it strained for longer */
        free_batch(&a);
        free_batch(&b);
        free_batch(&c);
    }
}

/* What a response keeps on the GPU from one call to the next grows and shows nowhere: 1 point, all, 1 again, from the
 * host and from the GPU's memory. */
static void memory_grows(void **state)
{
    NEED_GPU();
    sw_response *gpu = open_solver(SW_CUDA, "rigid_plastic");
    batch first = make_batch(100), all = make_batch(100), again = make_batch(100);
    begin(&first, 100);
    begin(&all, 100);
    begin(&again, 100);
    first.points = again.points = 1;
    walk(gpu, SW_CPU, &first);
    walk(gpu, SW_CUDA, &all);
    walk(gpu, SW_CPU, &again);
    assert_memory_equal(first.r->stress[0], again.r->stress[0], sizeof *first.r->stress);
    assert_memory_equal(first.r->stress[0], all.r->stress[0], sizeof *first.r->stress);
    assert_memory_equal(first.r->by_strain_rate[0], again.r->by_strain_rate[0],
                        sizeof *first.r->by_strain_rate);
    sw_response_close(gpu);
    free_batch(&first);
    free_batch(&all);
    free_batch(&again);
}

/* Even rates leave a deviator of roundings, of sizes down to the least that a GPU's single precision has. */
static void even_rates_are_rest(void **state)
{
    NEED_GPU();
    batch a = make_batch(MOST);
    sw_response *gpu = open_solver(SW_CUDA, "rigid_plastic");
    double stress[P][6];
    begin(&a, MOST);
    memset(a.l, 0, sizeof a.l);
    for (int p = 0; p < P; p++)
        for (int i = 0; i < 3; i++)
            a.l[p][i][i] = -1.1e-14 * (1 + 0.1 * p);
    const sw_crystals c = sw_crystals_alone(gpu, P * MOST, a.crystal);
    const sw_points points = {.points = P,
                              .each = MOST,
                              .velocity_gradient = (const double(*)[3][3])a.l,
                              .dt = 1,
                              .from = &c,
                              .stress = stress};
    CHECK_OK(sw_response_step_each(gpu, &points));
    for (int p = 0; p < P; p++)
        for (int i = 0; i < 6; i++)
            assert_true(stress[p][i] == 0);
    sw_response_close(gpu);
    free_batch(&a);
}

static void bad_points_are_counted(void **state)
{
    NEED_GPU();
    for (int s = 0; s < 3; s++) {
        batch a = make_batch(100);
        sw_response *gpu = open_solver(SW_CUDA, names[s]);
        double stress[P][6];
        begin(&a, 100);
        a.l[5][0][0] = INFINITY;
        a.l[6][0][1] = 10;
        sw_crystals c = crystals_of(gpu, P * 100, a.crystal, NULL);
        const sw_points points = {.points = P,
                                  .each = 100,
                                  .velocity_gradient = (const double(*)[3][3])a.l,
                                  .dt = 15,
                                  .from = &c,
                                  .stress = stress};
        assert_int_equal(sw_response_step_each(gpu, &points), SW_ERR_CONVERGENCE);
        assert_message_has("200 crystals");
        sw_crystals_release(&c);
        sw_response_close(gpu);
        free_batch(&a);
    }
    sw_response *terms = open_solver(SW_CUDA, "terms");
    const sw_points none = {.points = 0, .each = 1, .dt = 1};
    assert_int_equal(sw_response_step_each(terms, &none), SW_ERR_UNAVAILABLE);
    sw_response_close(terms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_as_on_the_cpu),
        cmocka_unit_test(points_have_the_same_bits),
        cmocka_unit_test(states_may_be_anywhere),
        cmocka_unit_test(points_have_laws_of_their_own),
        cmocka_unit_test(points_have_durations_of_their_own),
        cmocka_unit_test(memory_grows),
        cmocka_unit_test(even_rates_are_rest),
        cmocka_unit_test(bad_points_are_counted),
    };
    return cmocka_run_group_tests(tests, set_up_with_database, free_copper_database);
}
