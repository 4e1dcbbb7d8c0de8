#include "model.h"

#include "common/crystal/limits.h"
#include "common/crystal/material_file.h"
#include "online/response/solvers.h"
#include "online/response/step/twins.h"

#include <stdlib.h>
#include <string.h>

static sw_status check_solver(const sw_point_options *o, const char *solver)
{
    const sw_solver *known = sw_solver_named(solver);
    char list[160];
    sw_solvers_that_have(SW_SOLVER_TANGENT, list, sizeof list);
    if (known == NULL || sw_solver_lacks(known, SW_SOLVER_TANGENT) != NULL)
        return sw_error(SW_ERR_RANGE, "solver = %.40s: need one of %s", solver, list);
    if (o->database == NULL && (o->material == NULL || sw_solver_find(solver)->needs_database))
        return sw_error(SW_ERR_RANGE, "solver = %s: need a database%s", solver,
                        sw_solver_find(solver)->needs_database ? "" : " or a material");
    return SW_OK;
}

static sw_status check_options(const sw_point_options *o)
{
    const double s = o->initial_slip_resistance, largest = o->largest_strain_increment;
    if (o->crystals_file == NULL && !(o->crystals >= 1 && o->crystals <= SW_POINT_CRYSTALS_MOST))
        return sw_error(SW_ERR_RANGE, "crystals = %lld: need 1 to %d", (long long)o->crystals,
                        SW_POINT_CRYSTALS_MOST);
    if (o->crystals_file != NULL && o->own)
        return sw_error(SW_ERR_RANGE, "own crystals of each point: need random ones, not those of a file");
    if (o->seed < 0)
        return sw_error(SW_ERR_RANGE, "seed = %lld: need >= 0", (long long)o->seed);
    if (s != 0 && !(s >= SW_SLIP_RESISTANCE_LEAST && s <= SW_SLIP_RESISTANCE_MOST))
        return sw_error(SW_ERR_RANGE, "initial_slip_resistance = %g Pa: need 1e4 to 1e11", s);
    if (largest != 0 && !(largest > 0 && largest <= SW_STEP_STRAIN_MOST))
        return sw_error(SW_ERR_RANGE,
                        "largest_strain_increment = %g: need 0 < largest_strain_increment <= %g", largest,
                        SW_STEP_STRAIN_MOST);
    return SW_OK;
}

static sw_status open_response(const sw_point_options *o, const char *solver, sw_point_model *model)
{
    if (o->database != NULL)
        SW_TRY(sw_database_read(o->database, 0, &model->database));
    if (o->material != NULL)
        SW_TRY(sw_material_open(o->material, &model->material));
    const sw_material *material =
        model->material != NULL ? model->material : sw_database_material(model->database);
    sw_key_difference d;
    SW_TRY(sw_twins_check_no_children("points with a loading each have", material));
    if (model->material != NULL && sw_solver_find(solver)->needs_database &&
        !sw_database_suits(model->database, material, &d))
        return sw_error(SW_ERR_RANGE, "material = %.200s: its %s = %s: need %s, for which %.200s was made",
                        o->material, d.key, d.a, d.b, o->database);
    if (o->initial_slip_resistance > 0)
        SW_TRY(sw_material_check_resistance(NULL, "initial_slip_resistance", material,
                                            o->initial_slip_resistance));
    sw_response_options options = {.solver = solver,
                                   .database = model->database,
                                   .material = material,
                                   .device = SW_CPU,
                                   .homogenization = o->homogenization};
    if (o->self_consistent != NULL)
        options.self_consistent = *o->self_consistent;
    SW_TRY(sw_response_open(&options, &model->response));
    model->lattice = sw_material_lattice(material);
    model->b_over_a = material->b_over_a;
    model->c_over_a = material->c_over_a;
    model->kept = sw_response_layout(model->response)->numbers;
    model->bulk_modulus = sw_response_point_bulk_modulus(model->response);
    model->slip_resistance = (float)(o->initial_slip_resistance > 0 ? o->initial_slip_resistance
                                                                    : sw_material_slip_resistance(material));
    return sw_response_prepare_each(model->response);
}

static sw_status open_crystals(const sw_point_options *o, const sw_crystals_source *crystals,
                               sw_point_model *model)
{
    model->own = o->own;
    SW_TRY(sw_population_create(crystals, SW_CPU, model->lattice, model->b_over_a, model->c_over_a,
                                model->slip_resistance, 1, &model->population));
    model->crystals = model->population.total;
    /* points of their own have plain random ones; texts and components are the caller's */
    model->source = (sw_crystals_source){.count = crystals->count, .seed = crystals->seed};
    if (model->crystals > SW_POINT_CRYSTALS_MOST)
        return sw_error(SW_ERR_RANGE, "%.200s: %lld crystals: need at most %d at a point", o->crystals_file,
                        (long long)model->crystals, SW_POINT_CRYSTALS_MOST);
    return SW_OK;
}

sw_status sw_point_model_open(const sw_point_options *options, sw_point_model **model)
{
    const sw_crystals_source crystals = {.count = options->crystals,
                                         .seed = options->seed,
                                         .file = options->crystals_file,
                                         .filter.phase = options->phase};
    return sw_point_model_open_with(options, &crystals, model);
}

sw_status sw_point_model_open_with(const sw_point_options *options, const sw_crystals_source *crystals,
                                   sw_point_model **model)
{
    const char *solver = options->solver != NULL ? options->solver : "elastoplastic";
    sw_point_model *m;
    *model = NULL;
    SW_TRY(check_options(options));
    SW_TRY(check_solver(options, solver));
    SW_TRY(SW_ALLOCATE(m, 1, "material of points"));
    m->largest_strain_increment =
        options->largest_strain_increment > 0 ? options->largest_strain_increment : SW_POINT_STRAIN_STANDARD;
    sw_status status = open_response(options, solver, m);
    if (status == SW_OK)
        status = open_crystals(options, crystals, m);
    if (status != SW_OK) {
        sw_point_model_close(m);
        return status;
    }
    *model = m;
    return SW_OK;
}

void sw_point_model_close(sw_point_model *model)
{
    if (model == NULL)
        return;
    sw_population_free(&model->population);
    sw_response_close(model->response);
    sw_material_close(model->material);
    sw_database_free(model->database);
    free(model);
}

int64_t sw_point_model_crystals(const sw_point_model *model) { return model->crystals; }

int64_t sw_point_model_crystal_numbers(const sw_point_model *model) { return sw_point_stride(model); }

int64_t sw_point_model_state_numbers(const sw_point_model *model)
{
    return SW_POINT_CRYSTALS + model->crystals * sw_point_stride(model);
}

double sw_point_model_bulk_modulus(const sw_point_model *model) { return model->bulk_modulus; }

static sw_status crystals_of(const sw_point_model *model, int64_t number, sw_crystal *crystal)
{
    const int64_t n = model->crystals;
    if (model->own)
        return sw_crystals_randomise(SW_CPU, n, crystal, model->source.seed, number * n,
                                     model->slip_resistance);
    memcpy(crystal, model->population.crystal, (size_t)n * sizeof *crystal);
    return SW_OK;
}

sw_status sw_point_begin(const sw_point_model *model, int64_t number, double *state)
{
    const int64_t n = model->crystals, stride = sw_point_stride(model);
    sw_crystals crystals = {.n = 0};
    sw_crystal *crystal;
    if (number < 0 || number > INT64_C(1) << 44)
        return sw_error(SW_ERR_RANGE, "point number %lld: need 0 to 2^44", (long long)number);
    SW_TRY(SW_ALLOCATE(crystal, n, "crystals of a point"));
    sw_status status = crystals_of(model, number, crystal);
    if (status == SW_OK)
        status = sw_crystals_of(model->response, n, crystal, NULL, &crystals);
    if (status == SW_OK) {
        memset(state, 0, (size_t)sw_point_model_state_numbers(model) * sizeof *state);
        state[SW_POINT_BEGUN] = 1;
        state[SW_POINT_SLIP_RESISTANCE] = model->slip_resistance;
        for (int64_t k = 0; k < n; k++) {
            double *own = state + SW_POINT_CRYSTALS + k * stride;
            for (int i = 0; i < 3; i++)
                own[i] = crystal[k].euler[i];
            own[3] = crystal[k].slip_resistance;
            for (int64_t i = 0; i < model->kept; i++)
                own[4 + i] = crystals.state[k * model->kept + i];
        }
    }
    sw_crystals_release(&crystals);
    free(crystal);
    return status;
}
