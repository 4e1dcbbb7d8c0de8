#include "output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/memory/memory_files.h"
#include "common/files/vtkhdf.h"
#include "common/system/parallel.h"
#include "common/system/phases.h"
#include "common/system/threads.h"
#include "online/fem/backend/backend.h"
#include "rows.h"

/* ---- Filling a row ---- */

/* Sum over an entry's nodes of what it prescribes: internal less external forces. */
static void sum_reaction(const sw_fem_results *r, const sw_fem_entry *entry, double *sum)
{
    for (int i = 0; i < r->c; i++)
        for (int64_t k = 0; k < entry->n_nodes && entry->fixes[i]; k++) {
            const int64_t dof = (int64_t)entry->node[k] * r->c + i;
            sum[i] += r->field.force[dof] - r->field.external[dof];
        }
}

static void mean_displacement(const sw_fem_results *r, const sw_fem_entry *entry, double *mean)
{
    for (int i = 0; i < r->c; i++) {
        for (int64_t k = 0; k < entry->n_nodes; k++)
            mean[i] += r->field.displacement[(int64_t)entry->node[k] * r->c + i];
        mean[i] /= (double)entry->n_nodes;
    }
}

/* What a number of a field takes, ns. */
enum { NUMBER_NS = 1 };

static void fill_extrema(const sw_fem_results *r, double *least, double *most)
{
    const double *value = r->field.displacement;
    const int64_t n = r->job->mesh->n_nodes;
    for (int i = 0; i < r->c; i++) {
        double low = value[i], high = value[i];
#pragma omp parallel for schedule(static) reduction(min                      \
                                                    : low) reduction(max     \
                                                                     : high) \
    num_threads(sw_threads_for(n, NUMBER_NS))
        for (int64_t k = 1; k < n; k++) {
            low = fmin(low, value[k * r->c + i]);
            high = fmax(high, value[k * r->c + i]);
        }
        least[i] = low;
        most[i] = high;
    }
}

static void fill_iterations(const sw_fem_results *r, int64_t row, const sw_fem_report *report)
{
    double *residual = sw_fem_row_value(r, row, RESIDUAL), *cg = sw_fem_row_value(r, row, RESIDUAL_CG),
           *step = sw_fem_row_value(r, row, RESIDUAL_STEP);
    for (int i = 0; i < SW_FEM_MOST_RECORDED; i++) {
        const int there = i < report->n_recorded;
        residual[i] = there                     ? report->iteration[i].residual
                      : i == report->n_recorded ? report->residual /* where the last one led */
                                                : NAN;
        cg[i] = there ? report->iteration[i].cg : NAN;
        step[i] = there ? report->iteration[i].step : NAN;
    }
}

/* The force that a tool takes to stand where it stands. */
static void fill_tool(const sw_fem_results *r, int64_t row, int tool)
{
    const int64_t own = (r->job->mesh->n_nodes + tool) * r->c;
    const sw_fem_contact_sums *sums = &r->field.contact[tool];
    const struct {
        sw_fem_column column;
        double value;
    } numbers[] = {{TOOL_FACTOR, r->job->tooled[tool].factor[row]},
                   {TOOL_TOUCHING, sums->touching},
                   {TOOL_AREA, sums->area},
                   {TOOL_PRESSURE, sums->pressure},
                   {TOOL_HELD, sums->held},
                   {TOOL_GAP, sums->gap}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sw_fem_row_value(r, row, numbers[i].column)[tool] = numbers[i].value;
    for (int i = 0; i < r->c; i++) {
        sw_fem_row_value(r, row, TOOL_FORCE)[tool * r->c + i] = r->field.force[own + i];
        sw_fem_row_value(r, row, TOOL_MOVE)[tool * r->c + i] = r->field.displacement[own + i];
    }
}

/* Those of a periodic body, d x d. */
static void fill_mean(const sw_fem_results *r, int64_t row)
{
    for (int k = 0; k < SW_FEM_MEANT; k++)
        sw_fem_row_value(r, row, MEAN_FACTOR)[k] = r->job->meant[k].factor[row];
    for (int i = 0; i < r->c; i++)
        for (int j = 0; j < r->c; j++) {
            sw_fem_row_value(r, row, MEAN_GRADIENT)[i * r->c + j] = r->field.mean->gradient[i][j];
            sw_fem_row_value(r, row, MEAN_NOMINAL)[i * r->c + j] = r->field.mean->nominal[i][j];
            sw_fem_row_value(r, row, MEAN_CAUCHY)[i * r->c + j] = r->field.mean->cauchy[i][j];
        }
}

/* families: means over the body. */
static void fill_row(sw_fem_results *r, const sw_fem_report *report, const double *families, double seconds)
{
    const sw_fem_job *job = r->job;
    const int64_t row = r->done;
    const struct {
        sw_fem_column column;
        double value;
    } numbers[] = {
        {STEP, job->step_of[row]},
        {TIME, job->end[row]},
        {WORK, report->external_work},
        {PLASTIC_ELEMENTS, (double)report->plastic_elements / (double)job->mesh->n_elements},
        {PLASTIC_POINTS, (double)report->plastic_points / (double)sw_fem_points_in(r)},
        {NEWTON, report->newton},
        {CG, report->cg},
        {SUBSTEPS, report->substeps},
        {CUTBACKS, report->cutbacks},
        {SECONDS, seconds},
    };
    memset(sw_fem_row_value(r, row, STEP), 0, (size_t)r->row_size * sizeof *r->row);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *sw_fem_row_value(r, row, numbers[i].column) = numbers[i].value;
    fill_extrema(r, sw_fem_row_value(r, row, LEAST), sw_fem_row_value(r, row, MOST));
    for (int b = 0; b < job->boundary_count; b++) {
        sw_fem_row_value(r, row, BOUNDARY_FACTOR)[b] = job->fixed[b].factor[row];
        sum_reaction(r, &job->fixed[b], sw_fem_row_value(r, row, REACTION) + b * r->c);
        mean_displacement(r, &job->fixed[b], sw_fem_row_value(r, row, BOUNDARY_MEAN) + b * r->c);
    }
    for (int m = 0; m < job->loads_count; m++) {
        sw_fem_row_value(r, row, LOAD_FACTOR)[m] = job->loaded[m].factor[row];
        for (int i = 0; i < r->c; i++)
            sw_fem_row_value(r, row, LOAD_FORCE)[m * r->c + i] =
                job->loaded[m].factor[row] * job->loaded[m].total[i];
        mean_displacement(r, &job->loaded[m], sw_fem_row_value(r, row, LOAD_MEAN) + m * r->c);
    }
    for (int t = 0; t < job->tools_count; t++)
        fill_tool(r, row, t);
    if (job->meant)
        fill_mean(r, row);
    memcpy(sw_fem_row_value(r, row, FAMILIES), families, (size_t)r->families.columns * sizeof *families);
    fill_iterations(r, row, report);
}

/* ---- Fields ---- */

/* Tensors of elements, 11 22 33 23 13 12, as VTK's symmetric ones: xx yy zz xy yz xz. NULL is fine. */
static void reorder_tensors(const sw_fem_results *r, double (*tensor)[6])
{
    const int64_t n = tensor != NULL ? r->job->mesh->n_elements : 0;
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(n, 6 * NUMBER_NS))
    for (int64_t e = 0; e < n; e++) {
        double *s = tensor[e];
        const double yz = s[3], xz = s[4], xy = s[5];
        s[3] = xy;
        s[4] = yz;
        s[5] = xz;
    }
}

static void pad_vectors(const sw_fem_results *r, const double *from, double (*to)[3])
{
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(r->job->mesh->n_nodes, 3 * NUMBER_NS))
    for (int64_t n = 0; n < r->job->mesh->n_nodes; n++)
        for (int i = 0; i < 3; i++)
            to[n][i] = i < r->c ? from[n * r->c + i] : 0;
}

/* Zero where nothing is prescribed. */
static void fill_reactions(const sw_fem_results *r, double *reaction)
{
    const sw_fem_problem *problem = &r->job->problem;
    for (int l = 0; l < problem->n_cases; l++)
        for (int64_t k = 0; k < problem->load[l].n_fixed; k++) {
            const int64_t dof = problem->load[l].dof[k];
            reaction[dof] = r->field.force[dof] - r->field.external[dof];
        }
}

/* Of the fields so far: FILE.vtkhdf.series. */
static sw_status write_series(sw_fem_results *r, int64_t rows)
{
    sw_vtkhdf_series series;
    sw_status status = SW_OK;
    int some = 0;
    char *path = sw_file_name("%.*s.vtkhdf.series", sw_stem_length(r->job->output.file), r->job->output.file);
    if (path == NULL)
        return SW_ERR_MEMORY;
    for (int64_t row = 0; row < rows; row++)
        some |= r->job->with_fields[row] != 0;
    if (!some) {
        sw_file_remove(path);
        goto end;
    }
    SW_TRY_GOTO(status, sw_vtkhdf_series_begin(path, &series), end);
    for (int64_t row = 0; row < rows && status == SW_OK; row++)
        if (r->job->with_fields[row])
            status = sw_vtkhdf_series_add(&series, sw_fem_numbered_name(r->job, row + 1, "vtkhdf"),
                                          *sw_fem_row_value(r, row, TIME));
    status = sw_vtkhdf_series_end(&series, status);
    r->listed = status == SW_OK ? rows : r->listed;
end:
    free(path);
    return status;
}

sw_status sw_fem_results_list(sw_fem_results *r)
{
    return r->listed > r->done ? write_series(r, r->done) : SW_OK;
}

/* By the first of several processes, which has the whole body's. */
static sw_status write_grid(const sw_fem_results *r, const sw_fem_frame *frame)
{
    return sw_parallel_rank() == 0 ? sw_fem_vtkhdf_write(frame->path, r->job->mesh, frame->n, frame->field)
                                   : SW_OK;
}

static void release_frame(sw_fem_frame *frame)
{
    if (frame->of_crystals != NULL)
        sw_fem_crystal_fields_free(frame->of_crystals);
    free(frame->of_crystals);
    free(frame->field);
    free(frame->displacement);
    free(frame->force);
    free(frame->path);
    *frame = (sw_fem_frame){0};
}

static sw_status write_heat_fields(const sw_fem_results *r, const double *reaction, sw_fem_frame *frame)
{
    double(*flux)[3];
    SW_TRY(SW_ALLOCATE(flux, r->job->mesh->n_elements, "fields"));
    for (int64_t e = 0; e < r->job->mesh->n_elements; e++)
        for (int i = 0; i < 2; i++)
            flux[e][i] = -r->field.stress[e][i];
    sw_fem_vtk_field fields[] = {
        {"temperature", 0, 1, 0, r->field.displacement},
        {"reaction", 0, 1, 0, reaction},
        {"flux", 1, 3, 0, flux},
        {"material", 1, 1, 1, r->job->material_of},
    };
    sw_fem_frame whole = {.path = frame->path, .n = (int)(sizeof fields / sizeof *fields), .field = fields};
    const sw_status status = write_grid(r, &whole);
    free(flux);
    return status;
}

static sw_status make_stress_fields(const sw_fem_results *r, sw_fem *fem, const double *reaction,
                                    sw_fem_frame *frame)
{
    SW_TRY(SW_ALLOCATE(frame->of_crystals, 1, "fields"));
    SW_TRY(SW_ALLOCATE(frame->displacement, r->job->mesh->n_nodes, "fields"));
    SW_TRY(SW_ALLOCATE(frame->force, r->job->mesh->n_nodes, "fields"));
    pad_vectors(r, r->field.displacement, frame->displacement);
    pad_vectors(r, reaction, frame->force);
    reorder_tensors(r, r->field.stress);
    reorder_tensors(r, r->field.strain);
    const sw_fem_vtk_field fields[] = {
        {"displacement", 0, 3, 0, frame->displacement},
        {"reaction", 0, 3, 0, frame->force},
        {"stress", 1, 6, 0, r->field.stress},
        {"von_mises", 1, 1, 0, r->field.von_mises},
        {"plastic_strain", 1, 1, 0, r->field.plastic_strain},
        {"plastic", 1, 1, 1, r->field.plastic},
        {"material", 1, 1, 1, r->job->material_of},
        {"logarithmic_strain", 1, 6, 0, r->field.strain},         /* from here on: not with small strains */
        {"contact_pressure", 0, 1, 0, r->field.contact_pressure}, /* from here on: with tools */
        {"contact_friction", 0, 3, 0, r->field.contact_friction},
        {"slip", 0, 1, 0, r->field.slip},
    };
    enum { OF_TOOLS = 3, OF_FINITE = OF_TOOLS + 1, HERE = sizeof fields / sizeof *fields };
    const int n = HERE - (r->field.strain == NULL ? OF_FINITE : r->job->tools_count == 0 ? OF_TOOLS : 0);
    SW_TRY(sw_fem_crystal_fields_make(r, fem, frame->of_crystals));
    frame->n = n + frame->of_crystals->n;
    SW_TRY(SW_ALLOCATE(frame->field, frame->n, "fields"));
    memcpy(frame->field, fields, (size_t)n * sizeof *fields);
    if (frame->of_crystals->n > 0)
        memcpy(frame->field + n, frame->of_crystals->field,
               (size_t)frame->of_crystals->n * sizeof *frame->field);
    return SW_OK;
}

/* Into their file, and that into the list. */
static sw_status write_frame(void *opaque)
{
    sw_fem_results *r = opaque;
    SW_TRY(write_grid(r, &r->frame));
    return sw_parallel_rank() == 0 ? write_series(r, r->frame.increment) : SW_OK;
}

static int writes_beside(void) { return sw_parallel_size() == 1 && !sw_memory_files_used(); }

static sw_status write_fields(sw_fem_results *r, sw_fem *fem, int64_t increment)
{
    sw_fem_frame *frame = &r->frame;
    double *reaction;
    SW_TRY(SW_ALLOCATE(reaction, sw_fem_unknowns_in(r), "fields"));
    fill_reactions(r, reaction);
    frame->path = sw_fem_numbered_name(r->job, increment, "vtkhdf");
    frame->increment = increment;
    sw_status status = frame->path != NULL ? SW_OK : SW_ERR_MEMORY;
    if (status == SW_OK && sw_fem_is_heat(r->job)) {
        status = sw_parallel_agree(write_heat_fields(r, reaction, frame));
        if (status == SW_OK)
            status = sw_parallel_agree(sw_parallel_rank() == 0 ? write_series(r, increment) : SW_OK);
        release_frame(frame);
    } else if (status == SW_OK) {
        status = make_stress_fields(r, fem, reaction, frame);
        if (status == SW_OK && writes_beside()) {
            sw_fem_writer_start(&r->writer, !fem->backend->queues, write_frame, r);
        } else {
            if (status == SW_OK)
                status = write_frame(r);
            status = sw_parallel_agree(status);
        }
    }
    free(reaction);
    return status;
}

sw_status sw_fem_results_settle(sw_fem_results *r)
{
    const sw_status status = sw_fem_writer_wait(&r->writer);
    if (status == SW_OK)
        release_frame(&r->frame);
    return status;
}

static void take_timings(sw_fem_results *r, const sw_fem *fem)
{
    const sw_fem_timing t = sw_fem_timings(fem);
    const double seconds[SW_FEM_TIMINGS - 1] = {t.setup,        t.tangent, t.linear, t.product,
                                                t.precondition, t.stress,  t.other};
    memcpy(r->seconds, seconds, sizeof seconds);
    r->most_bytes = fmax(r->most_bytes, (double)t.most_bytes);
    snprintf(r->device, sizeof r->device, "%s", sw_fem_device_name(fem));
    r->linear = sw_fem_linear_names[fem->options.linear];
    r->preconditioner = fem->options.linear == SW_FEM_SOLVE_DIRECT
                            ? "none"
                            : sw_fem_preconditioner_names[fem->options.preconditioner];
}

/* Of an increment: what the history is made from, and the rest where fields are written. */
static sw_fem_fields fields_of(const sw_fem_results *r, int64_t row)
{
    const sw_fem_fields *all = &r->field;
    return r->job->with_fields[row] ? *all
                                    : (sw_fem_fields){.displacement = all->displacement,
                                                      .force = all->force,
                                                      .external = all->external,
                                                      .contact = all->contact,
                                                      .mean = all->mean};
}

static sw_status add_row(sw_fem_results *r, sw_fem *fem, const sw_fem_report *report, double seconds)
{
    double *families;
    SW_TRY(SW_ALLOCATE(families, r->families.columns, "results"));
    const sw_status status = sw_fem_mean_families(fem, &r->families, families);
    if (status == SW_OK)
        fill_row(r, report, families, seconds);
    free(families);
    return status;
}

sw_status sw_fem_results_add(sw_fem_results *r, sw_fem *fem, const sw_fem_report *report, double seconds)
{
    const int64_t row = r->done;
    const sw_fem_fields fields = fields_of(r, row);
    sw_phase("reading");
    SW_TRY(sw_fem_read(fem, &fields));
    sw_phase("warnings");
    if (sw_parallel_rank() == 0) { /* where the whole is */
        sw_fem_warn_of_deformation(r);
        sw_fem_warn_of_bending(r);
    }
    sw_phase("history");
    SW_TRY(add_row(r, fem, report, seconds));
    SW_TRY(sw_parallel_agree(sw_parallel_rank() == 0 ? sw_fem_check_tools(r) : SW_OK));
    sw_fem_warn_of_sunk_tools(r);
    r->seconds[SW_FEM_TIMINGS - 1] += seconds;
    take_timings(r, fem);
    if (r->job->with_fields[row]) {
        sw_phase("fields");
        SW_TRY(write_fields(r, fem, row + 1));
        SW_TRY(sw_fem_textures_write(r, fem, row + 1));
    }
    r->done++;
    return SW_OK;
}

/* ---- Begin and end ---- */

static sw_status allocate(sw_fem_results *r)
{
    const sw_fem_job *job = r->job;
    const int64_t elements = job->mesh->n_elements;
    SW_TRY(sw_fem_families_of(&job->problem, &r->families));
    for (int k = 0; k < COLUMNS; k++)
        r->row_size += sw_fem_column_width(r, (sw_fem_column)k);
    SW_TRY(SW_ALLOCATE(r->row, job->n_increments * r->row_size, "results"));
    SW_TRY(SW_ALLOCATE(r->field.external, sw_fem_unknowns_in(r), "results"));
    SW_TRY(SW_ALLOCATE(r->field.displacement, sw_fem_unknowns_in(r), "results"));
    SW_TRY(SW_ALLOCATE(r->field.force, sw_fem_unknowns_in(r), "results"));
    SW_TRY(SW_ALLOCATE(r->field.stress, elements, "results"));
    if (job->problem.strain == SW_FEM_FINITE)
        SW_TRY(SW_ALLOCATE(r->field.strain, elements, "results"));
    SW_TRY(SW_ALLOCATE(r->field.von_mises, elements, "results"));
    SW_TRY(SW_ALLOCATE(r->field.plastic_strain, elements, "results"));
    SW_TRY(SW_ALLOCATE(r->field.plastic, elements, "results"));
    if (job->meant)
        SW_TRY(SW_ALLOCATE(r->field.mean, 1, "results"));
    if (job->tools_count > 0) {
        SW_TRY(SW_ALLOCATE(r->field.contact_pressure, job->mesh->n_nodes, "results"));
        SW_TRY(SW_ALLOCATE(r->field.contact_friction, job->mesh->n_nodes, "results"));
        SW_TRY(SW_ALLOCATE(r->field.slip, job->mesh->n_nodes, "results"));
        SW_TRY(SW_ALLOCATE(r->field.contact, job->tools_count, "results"));
    }
    if (sw_fem_crystal_counts(&job->problem).points > 0)
        SW_TRY(SW_ALLOCATE(r->field.crystal, elements, "results"));
    return SW_OK;
}

/* ---- The state ---- */

static sw_status allocate_state(sw_fem_results *r)
{
    const sw_fem_job *job = r->job;
    const sw_fem_crystal_count crystals = sw_fem_crystal_counts(&job->problem);
    const int64_t points = sw_fem_points_in(r);
    if (r->state.displacement != NULL)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(r->state.crystal_points, crystals.points, "restart"));
    SW_TRY(SW_ALLOCATE(r->state.crystal, crystals.crystals, "restart"));
    SW_TRY(SW_ALLOCATE(r->state.kept, crystals.kept, "restart"));
    SW_TRY(SW_ALLOCATE(r->state.contact, r->n_contact, "restart"));
    SW_TRY(SW_ALLOCATE(r->state.points, points, "restart"));
    SW_TRY(SW_ALLOCATE(r->state.yielded, points, "restart"));
    SW_TRY(SW_ALLOCATE(r->state.last, sw_fem_unknowns_in(r), "restart"));
    SW_TRY(SW_ALLOCATE(r->state.last_factor, job->problem.n_cases, "restart"));
    SW_TRY(SW_ALLOCATE(r->state.factor, job->problem.n_cases, "restart"));
    return SW_ALLOCATE(r->state.displacement, sw_fem_unknowns_in(r), "restart"); /* last: all are there */
}

static void free_state(sw_fem_state *state)
{
    free(state->crystal_points);
    free(state->crystal);
    free(state->kept);
    free(state->contact);
    free(state->displacement);
    free(state->points);
    free(state->yielded);
    free(state->factor);
    free(state->last);
    free(state->last_factor);
    *state = (sw_fem_state){0};
}

double sw_fem_results_state_bytes(const sw_fem_results *r)
{
    const sw_fem_crystal_count crystals = sw_fem_crystal_counts(&r->job->problem);
    return (double)sw_fem_points_in(r) * sizeof(sw_fem_point) +
           2.0 * sizeof(double) * (double)sw_fem_unknowns_in(r) +
           (double)crystals.crystals * sizeof(sw_crystal) + (double)crystals.kept * sizeof(double) +
           (double)crystals.points * sizeof(sw_fem_crystal_point);
}

sw_status sw_fem_results_keep(sw_fem_results *r, sw_fem *fem)
{
    if (r->state_of == r->done)
        return SW_OK;
    r->state_of = 0;
    const sw_status status = allocate_state(r);
    if (status != SW_OK) {
        free_state(&r->state);
        return status;
    }
    SW_TRY(sw_fem_save(fem, &r->state));
    r->state_of = r->done;
    return SW_OK;
}

void sw_fem_results_free(sw_fem_results *r)
{
    (void)sw_fem_writer_wait(&r->writer);
    release_frame(&r->frame);
    free(r->row);
    sw_fem_families_free(&r->families);
    free(r->field.external);
    free(r->field.displacement);
    free(r->field.force);
    free(r->field.stress);
    free(r->field.strain);
    free(r->field.von_mises);
    free(r->field.plastic_strain);
    free(r->field.plastic);
    free(r->field.contact_pressure);
    free(r->field.contact_friction);
    free(r->field.slip);
    free(r->field.contact);
    free(r->field.mean);
    free(r->field.crystal);
    free_state(&r->state);
    *r = (sw_fem_results){0};
}

void sw_fem_results_describe_last(const sw_fem_results *r, char *text, size_t size)
{
    const sw_fem_job *job = r->job;
    const int64_t row = r->done - 1;
    char plastic[64] = "";
    if (!sw_fem_is_heat(job))
        snprintf(plastic, sizeof plastic, "%.3g %% of elements plastic, ",
                 100 * *sw_fem_row_value(r, row, PLASTIC_ELEMENTS));
    snprintf(text, size,
             "increment %lld of %lld (step %d): factor %.6g, %s%.0f Newton and %.0f CG iterations in %.0f "
             "substep%s, %.2f s",
             (long long)r->done, (long long)job->n_increments, job->step_of[row],
             job->factor[row * job->problem.n_cases], plastic, *sw_fem_row_value(r, row, NEWTON),
             *sw_fem_row_value(r, row, CG), *sw_fem_row_value(r, row, SUBSTEPS),
             *sw_fem_row_value(r, row, SUBSTEPS) == 1 ? "" : "s", *sw_fem_row_value(r, row, SECONDS));
}

void sw_fem_results_describe(const sw_fem_results *r, char *text, size_t size)
{
    const int64_t row = r->done - 1;
    const double *least = sw_fem_row_value(r, row, LEAST), *most = sw_fem_row_value(r, row, MOST);
    double largest = 0, newton = 0, cg = 0;
    char state[96];
    for (int i = 0; i < r->c; i++)
        largest = fmax(largest, fmax(-least[i], most[i]));
    for (int64_t k = 0; k < r->done; k++) {
        newton += *sw_fem_row_value(r, k, NEWTON);
        cg += *sw_fem_row_value(r, k, CG);
    }
    if (sw_fem_is_heat(r->job))
        snprintf(state, sizeof state, "temperatures from %.6g to %.6g K", least[0], most[0]);
    else
        snprintf(state, sizeof state, "%.3g %% of elements plastic, largest displacement %.6g m",
                 100 * *sw_fem_row_value(r, row, PLASTIC_ELEMENTS), largest);
    snprintf(text, size, "%lld increment%s: %s; %.0f Newton and %.0f CG iterations in %.2f s",
             (long long)r->done, r->done == 1 ? "" : "s", state, newton, cg,
             r->seconds[SW_FEM_TIMINGS - 1] + r->before[SW_FEM_TIMINGS - 1]);
}

sw_status sw_fem_results_begin(const sw_fem_job *job, const char *from, sw_fem_results *r)
{
    hid_t file;
    *r = (sw_fem_results){
        .job = job, .c = sw_fem_unknowns(job->problem.kinematics), .increment = job->first_increment};
    r->n_contact = sw_fem_tool_nodes(&job->problem);
    if (r->n_contact < 0)
        return SW_ERR_MEMORY;
    SW_TRY(allocate(r));
    if (from == NULL)
        return SW_OK;
    SW_TRY(allocate_state(r));
    SW_TRY(sw_h5_open(from, 0, &file));
    const sw_status status = sw_fem_results_read(r, file, from);
    H5Fclose(file);
    return status;
}
