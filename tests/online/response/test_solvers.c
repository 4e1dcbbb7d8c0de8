/* The list of solvers: every descriptor is whole, and certify has room for what they name. */
#include "tests/test.h"

#include "online/response/certificate/certificate.h"
#include "online/response/solvers.h"

static void are_found_by_name_and_number(void **state)
{
    (void)state;
    assert_null(sw_solver_at(-1));
    assert_null(sw_solver_at(SW_SOLVERS));
    assert_null(sw_solver_find("no such"));
    assert_null(sw_solver_find("auto"));
    assert_string_equal(sw_solver_names[SW_SOLVERS], "auto");
    for (int i = 0; i < SW_SOLVERS; i++) {
        assert_ptr_equal(sw_solver_at(i), &sw_solvers[i]->traits);
        assert_string_equal(sw_solver_at(i)->name, sw_solver_names[i]);
        assert_ptr_equal(sw_solver_find(sw_solver_names[i]), sw_solver_at(i));
        assert_ptr_equal(sw_solver_named(sw_solver_names[i]), sw_solvers[i]);
    }
}

static void check_cpu(const sw_solver *s)
{
    assert_non_null(s->cpu.open);
    assert_non_null(s->cpu.close);
    const int looks_up = s->cpu.prepare && s->cpu.ready_each && s->cpu.nanoseconds && s->cpu.evaluate;
    const int remembers = s->state.numbers > 0 && s->cpu.nanoseconds && s->cpu.advance;
    assert_int_equal(s->traits.has_history, s->cpu.step != NULL || remembers);
    assert_int_equal(looks_up + remembers + (s->cpu.step != NULL), 1);
    assert_true(!s->cpu.advance || s->state.numbers <= SW_KEPT_MAX);
}

/* Fields fill the numbers, one after the other; solvers with a history have some. */
static void check_state(const sw_solver *s)
{
    int places = 0;
    int64_t values = 0;
    for (const sw_state_field *f = s->state.field; f < s->state.field + s->state.n_fields; f++) {
        assert_true(f->name != NULL && f->unit != NULL && f->values > 0);
        places += (f->is_double ? 2 : 1) * f->values;
        values += f->values;
    }
    assert_int_equal(places, s->state.numbers);
    assert_int_equal(values, sw_state_values(&s->state));
    assert_int_equal(s->traits.kept, s->state.numbers);
    assert_int_equal(s->traits.has_history, s->state.numbers > 0);
    assert_true(s->cpu.begin == NULL || s->traits.has_history);
}

static void check_cuda(const sw_solver *s)
{
#ifdef SW_HAVE_CUDA
    assert_int_equal(s->traits.on_gpu, s->cuda != NULL);
    if (s->cuda != NULL)
        assert_true(
            s->cuda->open && s->cuda->close && s->cuda->launch_step &&
            (s->traits.has_history || (s->cuda->prepare && s->cuda->ready_each && s->cuda->launch_evaluate)));
#else
    assert_null(s->cuda);
#endif
    if (!s->traits.on_gpu)
        assert_int_equal(s->gpu_costs.count, 0);
    for (int i = 0; i < s->gpu_costs.count; i++)
        assert_true(s->gpu_costs.row[i].seconds > 0 && s->gpu_costs.row[i].points > 0);
}

/* No setting that the solver does not take; on a GPU a cost for each. */
static void check_settings(const sw_solver *s)
{
    for (int i = 0; i < s->certified.count; i++) {
        const sw_solver_settings *row = &s->certified.row[i];
        int costs = 0;
        assert_true(row->terms >= 0 && (row->terms == 0 || s->traits.has_terms));
        assert_true((row->refinement > 0) == (s->traits.standard_refinement > 0));
        assert_true(!row->nearest || s->traits.has_interpolation);
        for (int k = 0; k < s->gpu_costs.count; k++)
            costs += s->gpu_costs.row[k].nearest == row->nearest;
        assert_true(s->gpu_costs.count == 0 || costs > 0);
    }
}

static void are_whole(void **state)
{
    int references = 0, certified = 0;
    (void)state;
    for (int i = 0; i < SW_SOLVERS; i++) {
        check_cpu(sw_solvers[i]);
        check_state(sw_solvers[i]);
        check_cuda(sw_solvers[i]);
        check_settings(sw_solvers[i]);
        assert_true(strlen(sw_solver_names[i]) < sizeof((sw_certified *)0)->solver);
        references += sw_solvers[i]->traits.is_reference;
        certified += sw_solvers[i]->certified.count;
    }
    assert_int_equal(references, 1);
    assert_true(certified <= SW_CERTIFY_ROWS);
}

static void are_described_with_what_they_take(void **state)
{
    static const struct {
        const char *solver;
        int64_t terms, refinement;
        int nearest;
        const char *text;
    } cases[] = {{"terms", 0, 0, 0, "terms, all, refinement 128"},
                 {"terms", 256, 4, 1, "terms 256, refinement 4"},
                 {"grid", 9, 0, 0, "grid, linear, refinement 1"},
                 {"grid", 0, 2, 1, "grid, nearest, refinement 2"},
                 {"tabulated", 9, 0, 0, "tabulated, linear, refinement 4"},
                 {"rigid_plastic", 9, 9, 1, "rigid_plastic"},
                 {"elastoplastic", 9, 9, 1, "elastoplastic"},
                 {"unknown", 9, 9, 1, "unknown"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        sw_solver_describe(cases[i].solver, cases[i].terms, cases[i].refinement, cases[i].nearest, text,
                           sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(are_found_by_name_and_number),
                                       cmocka_unit_test(are_whole),
                                       cmocka_unit_test(are_described_with_what_they_take)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
