#include "output.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/seal.h"
#include "online/kwn/model/model.h"

/* ---- Records ---- */

typedef struct {
    double temperature, vacancies;
    double matrix[SW_KWN_SOLUTES];
    struct of_phase {
        double number, radius, fraction, area, critical, driving, rate, incubation, nucleated, dissolved;
    } phase[SW_KWN_PHASES];
    sw_kwn_strength_result strength;
} state;

enum of { OF_POINT, OF_SOLUTES, OF_PHASES };

static const struct quantity {
    const char *name, *unit, *suffix; /* of columns in texts */
    enum of of;
    size_t member; /* in state, of the first solute or phase */
} quantities[SW_KWN_QUANTITIES] = {
    {"temperature", "K", "_K", OF_POINT, offsetof(state, temperature)},
    {"matrix_composition", "mole fraction", "", OF_SOLUTES, offsetof(state, matrix)},
    {"number_density", "1/m^3", "_per_m3", OF_PHASES, offsetof(state, phase[0].number)},
    {"mean_radius", "m", "_m", OF_PHASES, offsetof(state, phase[0].radius)},
    {"volume_fraction", "1", "", OF_PHASES, offsetof(state, phase[0].fraction)},
    {"interface_area", "m^2/m^3", "_per_m", OF_PHASES, offsetof(state, phase[0].area)},
    {"critical_radius", "m", "_m", OF_PHASES, offsetof(state, phase[0].critical)},
    {"driving_force", "J/m^3", "_J_per_m3", OF_PHASES, offsetof(state, phase[0].driving)},
    {"incubation", "1", "", OF_PHASES, offsetof(state, phase[0].incubation)},
    {"nucleation_rate", "1/(m^3 s)", "_per_m3_s", OF_PHASES, offsetof(state, phase[0].rate)},
    {"nucleated", "1/m^3", "_per_m3", OF_PHASES, offsetof(state, phase[0].nucleated)},
    {"dissolved", "1/m^3", "_per_m3", OF_PHASES, offsetof(state, phase[0].dissolved)},
    {"yield_stress", "Pa", "_Pa", OF_POINT, offsetof(state, strength.yield_stress)},
    {"hardness", "HV", "_HV", OF_POINT, offsetof(state, strength.hardness)},
    {"slip_resistance", "Pa", "_Pa", OF_POINT, offsetof(state, strength.slip_resistance)},
    {"solid_solution_stress", "Pa", "_Pa", OF_POINT, offsetof(state, strength.solid_solution)},
    {"particle_stress", "Pa", "_Pa", OF_POINT, offsetof(state, strength.particles)},
    {"vacancies", "1", "", OF_POINT, offsetof(state, vacancies)},
};

static int64_t width_of(const sw_kwn_alloy *alloy, const struct quantity *q)
{
    return q->of == OF_POINT ? 1 : q->of == OF_SOLUTES ? alloy->n_solutes : alloy->n_phases;
}

int64_t sw_kwn_record_size(const sw_kwn_alloy *alloy)
{
    int64_t size = 0;
    for (int k = 0; k < SW_KWN_QUANTITIES; k++)
        size += width_of(alloy, &quantities[k]);
    return size;
}

int64_t sw_kwn_record_place(const sw_kwn_alloy *alloy, const char *name)
{
    int64_t place = 0;
    for (int k = 0; strcmp(quantities[k].name, name) != 0; k++)
        place += width_of(alloy, &quantities[k]);
    return place;
}

void sw_kwn_record_fill(const sw_kwn_alloy *alloy, const sw_kwn_point *point, const double *area,
                        double temperature, double *record)
{
    state s = {.temperature = temperature,
               .vacancies = point->vacancies,
               .strength = sw_kwn_strength_of(alloy, point)};
    memcpy(s.matrix, point->matrix, sizeof s.matrix);
    for (int p = 0; p < alloy->n_phases; p++) {
        const sw_kwn_population *from = &point->phase[p];
        const sw_kwn_phase *phase = &alloy->phase[p];
        const double driving = sw_kwn_driving(alloy, phase, point->matrix, temperature);
        s.phase[p] =
            (struct of_phase){.number = from->number,
                              .radius = from->number > 0 ? from->radius_sum / from->number : 0,
                              .fraction = from->fraction,
                              .area = area[p],
                              .critical = sw_kwn_critical(phase, sw_kwn_alpha(phase, temperature), driving),
                              .driving = driving * SW_GAS_CONSTANT * temperature / phase->molar_volume,
                              .rate = from->rate,
                              .incubation = from->incubation,
                              .nucleated = from->nucleated,
                              .dissolved = from->dissolved};
    }
    for (const struct quantity *q = quantities; q < quantities + SW_KWN_QUANTITIES; q++) {
        const size_t stride = q->of == OF_PHASES ? sizeof *s.phase : sizeof *s.matrix;
        for (int64_t i = 0; i < width_of(alloy, q); i++)
            memcpy(record++, (const char *)&s + q->member + (size_t)i * stride, sizeof *record);
    }
}

void sw_kwn_record_describe(const sw_kwn_alloy *alloy, const double *record, char *text, size_t size)
{
#define AT(name) record[sw_kwn_record_place(alloy, name)]
    const double *number = &AT("number_density"), *radius = &AT("mean_radius"),
                 *fraction = &AT("volume_fraction");
    size_t n = 0;
    for (int p = 0; p < alloy->n_phases && n < size; p++)
        n += (size_t)snprintf(text + n, size - n, "%s: N = %.4g 1/m^3, r = %.4g nm, f = %.4g %%; ",
                              alloy->phase[p].name, number[p], 1e9 * radius[p], 100 * fraction[p]);
    if (!(AT("yield_stress") > 0) && n < size) { /* of an alloy without strength */
        text[n - 2] = '\0';
        return;
    }
    if (n < size)
        snprintf(text + n, size - n, "yield stress %.4g MPa, hardness %.4g HV, slip resistance %.4g MPa",
                 AT("yield_stress") / 1e6, AT("hardness"), AT("slip_resistance") / 1e6);
#undef AT
}

/* As people say it. */
static void describe_time(double seconds, char *text, size_t size)
{
    const double unit = seconds >= 7200 ? 3600 : seconds >= 120 ? 60 : 1;
    snprintf(text, size, "%.3g %s", seconds / unit, unit > 60 ? "h" : unit > 1 ? "min" : "s");
}

#define DENSE_TIMES 1.5   /* from a record to the next */
#define DENSE_VALUES 0.99 /* the smallest of three over the largest */

/* Through three records of which the middle one is the largest. Evenly spaced, its top is higher by an eighth of what they differ by, at
 * most; by more than a quarter it is the spacing's. */
static void fit_peak(const double time[3], const double value[3], sw_kwn_peak *peak)
{
    double x[3], part[3], top = 0;
    const double least = fmin(value[0], value[2]);
    if (!(time[0] > 0 && time[1] <= DENSE_TIMES * time[0] && time[2] <= DENSE_TIMES * time[1] &&
          least >= DENSE_VALUES * value[1]))
        return;
    for (int i = 0; i < 3; i++)
        x[i] = log(time[i]);
    const double before = (value[1] - value[0]) / (x[1] - x[0]),
                 after = (value[2] - value[1]) / (x[2] - x[1]);
    const double bend = (after - before) / (x[2] - x[0]),
                 slope = (before * (x[2] - x[1]) + after * (x[1] - x[0])) / (x[2] - x[0]);
    const double at = x[1] - (bend < 0 ? 0.5 * slope / bend : 0);
    for (int i = 0; i < 3; i++) {
        const double a = x[(i + 1) % 3], b = x[(i + 2) % 3];
        part[i] = (at - a) * (at - b) / ((x[i] - a) * (x[i] - b));
        top += part[i] * value[i];
    }
    if (top - value[1] > 0.25 * (value[1] - least) + 1e-12 * value[1])
        return;
    peak->fitted = 1;
    peak->time = exp(at);
    memcpy(peak->part, part, sizeof part);
}

sw_kwn_peak sw_kwn_find_peak(int64_t n, const double *time, const double *strength, int64_t stride)
{
    int64_t most = 0;
    for (int64_t t = 1; t < n; t++)
        if (strength[t * stride] > strength[most * stride])
            most = t;
    sw_kwn_peak peak = {.record = most,
                        .time = time[most],
                        .from = most > 0 ? time[most - 1] : 0,
                        .to = most < n - 1 ? time[most + 1] : INFINITY,
                        .part = {0, 1, 0}};
    if (most > 0 && most < n - 1)
        fit_peak(
            time + most - 1,
            (double[]){strength[(most - 1) * stride], strength[most * stride], strength[(most + 1) * stride]},
            &peak);
    return peak;
}

double sw_kwn_at_peak(const sw_kwn_peak *peak, const double *quantity, int64_t stride)
{
    const double *at = quantity + peak->record * stride;
    return peak->fitted ? peak->part[0] * at[-stride] + peak->part[1] * at[0] + peak->part[2] * at[stride]
                        : *at;
}

sw_kwn_peak sw_kwn_peak_of_steps(const sw_kwn_top *top)
{
    const int is_first = !(top->time[0] < top->time[1]), is_last = isinf(top->time[2]);
    return sw_kwn_find_peak(3 - is_first - is_last, top->time + is_first, top->stress + is_first, 1);
}

void sw_kwn_peak_describe(const sw_kwn_alloy *alloy, const sw_kwn_top *top, int64_t n, const double *time,
                          const double *record, char *text, size_t size)
{
    const int of_steps = top != NULL;
    const int64_t width = of_steps ? 1 : sw_kwn_record_size(alloy);
    const double *strength = of_steps ? top->stress : record + sw_kwn_record_place(alloy, "yield_stress");
    const sw_kwn_peak peak =
        of_steps ? sw_kwn_peak_of_steps(top) : sw_kwn_find_peak(n, time, strength, width);
    const double yield = sw_kwn_at_peak(&peak, strength, width), stress = yield / 1e6,
                 hardness = alloy->strength.hardness_slope * yield + alloy->strength.hardness_intercept;
    char when[32], from[32], to[32];
    text[0] = '\0';
    if (peak.record == 0 || isinf(peak.to))
        return;
    describe_time(peak.time, when, sizeof when);
    describe_time(peak.from, from, sizeof from);
    describe_time(peak.to, to, sizeof to);
    if (peak.fitted)
        snprintf(text, size, "; peak %.4g MPa, %.4g HV after %s", stress, hardness, when);
    else
        snprintf(text, size, "; largest of the %s %.4g MPa, %.4g HV at %s: the peak is between %s and %s",
                 of_steps ? "steps" : "records", stress, hardness, when, from, to);
}

/* ---- Tables ---- */

static sw_status create_table(hid_t file, const char *group, const sw_kwn_alloy *alloy,
                              const struct quantity *q, int64_t n_points, int64_t n_times, hid_t *set)
{
    const int64_t shape[3] = {n_points, n_times, width_of(alloy, q)};
    char name[96];
    snprintf(name, sizeof name, "%s/%s", group, q->name);
    SW_TRY(sw_h5_create_set(file, name, H5T_NATIVE_DOUBLE, q->of == OF_POINT ? 2 : 3, shape, set));
    return sw_h5_write_text(*set, "unit", q->unit);
}

sw_kwn_tables sw_kwn_no_tables(void)
{
    sw_kwn_tables tables = {0};
    for (int k = 0; k < SW_KWN_QUANTITIES; k++)
        tables.set[k] = H5I_INVALID_HID;
    return tables;
}

sw_status sw_kwn_tables_create(hid_t file, const char *group, const sw_kwn_alloy *alloy, int64_t n_points,
                               int64_t n_times, sw_kwn_tables *tables)
{
    *tables = sw_kwn_no_tables();
    tables->n_times = n_times;
    for (int k = 0; k < SW_KWN_QUANTITIES; k++)
        SW_TRY(create_table(file, group, alloy, &quantities[k], n_points, n_times, &tables->set[k]));
    return SW_OK;
}

sw_status sw_kwn_tables_open(hid_t file, const char *group, int64_t n_times, sw_kwn_tables *tables)
{
    *tables = sw_kwn_no_tables();
    tables->n_times = n_times;
    for (int k = 0; k < SW_KWN_QUANTITIES; k++) {
        char name[96];
        snprintf(name, sizeof name, "%s/%s", group, quantities[k].name);
        SW_TRY(sw_h5_open_set(file, name, &tables->set[k]));
    }
    return SW_OK;
}

sw_status sw_kwn_tables_close(sw_kwn_tables *tables)
{
    sw_status status = SW_OK;
    for (int k = 0; k < SW_KWN_QUANTITIES; k++) {
        const sw_status closed = sw_h5_close_set(tables->set[k]);
        status = status != SW_OK ? status : closed;
        tables->set[k] = H5I_INVALID_HID;
    }
    return status;
}

sw_status sw_kwn_tables_write(const sw_kwn_tables *tables, const sw_kwn_alloy *alloy, int64_t first,
                              int64_t count, const double *record)
{
    const int64_t size = sw_kwn_record_size(alloy), rows = count * tables->n_times;
    double *column;
    sw_status status = SW_ALLOCATE(column, rows * SW_KWN_PHASES, "results");
    for (int k = 0; k < SW_KWN_QUANTITIES && status == SW_OK; k++) {
        const int64_t width = width_of(alloy, &quantities[k]);
        for (int64_t i = 0; i < rows; i++)
            memcpy(column + i * width, record + i * size, (size_t)width * sizeof *column);
        record += width;
        status = sw_h5_write_rows(tables->set[k], H5T_NATIVE_DOUBLE, first, count, column);
    }
    free(column);
    return status;
}

sw_status sw_kwn_tables_digest(const sw_kwn_tables *tables, int64_t first, int64_t count, uint64_t *digest)
{
    uint64_t of[SW_KWN_QUANTITIES];
    for (int k = 0; k < SW_KWN_QUANTITIES; k++)
        SW_TRY(sw_h5_digest_rows(tables->set[k], H5T_NATIVE_DOUBLE, first, count, &of[k]));
    *digest = sw_digest(of, sizeof of);
    return SW_OK;
}

sw_status sw_kwn_tables_copy(const sw_kwn_tables *from, const sw_kwn_tables *to, int64_t first, int64_t count)
{
    for (int k = 0; k < SW_KWN_QUANTITIES; k++)
        SW_TRY(sw_h5_copy_rows(from->set[k], to->set[k], H5T_NATIVE_DOUBLE, first, count));
    return SW_OK;
}

sw_status sw_kwn_tables_read_point(const sw_kwn_tables *tables, const sw_kwn_alloy *alloy, int64_t point,
                                   double *record)
{
    const int64_t size = sw_kwn_record_size(alloy);
    double *column;
    sw_status status = SW_ALLOCATE(column, tables->n_times * SW_KWN_PHASES, "results");
    for (int k = 0; k < SW_KWN_QUANTITIES && status == SW_OK; k++) {
        const int64_t width = width_of(alloy, &quantities[k]);
        status = sw_h5_read_rows(tables->set[k], H5T_NATIVE_DOUBLE, point, 1, column);
        for (int64_t t = 0; t < tables->n_times; t++)
            memcpy(record + t * size, column + t * width, (size_t)width * sizeof *record);
        record += width;
    }
    free(column);
    return status;
}

/* ---- Text ---- */

void sw_kwn_csv_names(FILE *file, const sw_kwn_alloy *alloy)
{
    fputs("point,time_s", file);
    for (const struct quantity *q = quantities; q < quantities + SW_KWN_QUANTITIES; q++)
        for (int64_t i = 0; i < width_of(alloy, q); i++)
            fprintf(file, ",%s%s%s%s", q->name, q->of == OF_POINT ? "" : "_",
                    q->of == OF_POINT     ? ""
                    : q->of == OF_SOLUTES ? alloy->solute[i].element
                                          : alloy->phase[i].name,
                    q->suffix);
    fputc('\n', file);
}

void sw_kwn_csv_rows(FILE *file, const sw_kwn_alloy *alloy, int64_t point, int64_t n, const double *time,
                     const double *record)
{
    const int64_t size = sw_kwn_record_size(alloy);
    for (int64_t t = 0; t < n; t++) {
        fprintf(file, "%lld,%.10g", (long long)point, time[t]);
        for (int64_t k = 0; k < size; k++)
            fprintf(file, ",%.10g", record[t * size + k]);
        fputc('\n', file);
    }
}

/* ---- Attributes ---- */

typedef struct {
    const char *name, *text;
} attribute;

static sw_status write_texts(hid_t file, const char *name, int count, const attribute *text)
{
    hid_t group;
    SW_TRY(sw_h5_group(file, name, &group));
    sw_status status = SW_OK;
    for (int i = 0; i < count && status == SW_OK; i++)
        status = sw_h5_write_text(group, text[i].name, text[i].text);
    H5Gclose(group);
    return status;
}

sw_status sw_kwn_write_alloy(hid_t file, const sw_kwn_setup *setup)
{
    const sw_kwn_alloy *alloy = &setup->model;
    char solutes[128] = "", phases[256] = "";
    for (int i = 0; i < alloy->n_solutes; i++)
        snprintf(solutes + strlen(solutes), sizeof solutes - strlen(solutes), "%s%s", i ? "," : "",
                 alloy->solute[i].element);
    for (int i = 0; i < alloy->n_phases; i++)
        snprintf(phases + strlen(phases), sizeof phases - strlen(phases), "%s%s", i ? "," : "",
                 alloy->phase[i].name);
    const attribute texts[] = {
        {"name", alloy->name}, {"file", setup->alloy_text}, {"solutes", solutes}, {"phases", phases}};
    return write_texts(file, "alloy", (int)(sizeof texts / sizeof *texts), texts);
}

void sw_kwn_describe_settings(const sw_kwn_setup *setup, char *text, size_t size)
{
    snprintf(text, size,
             "slipwave " SW_VERSION
             ", %s, precision %d, %lld classes, tolerance %.17g, change %.17g K, %lld points",
             sw_kwn_strategy_names[setup->options.strategy], (int)setup->options.precision,
             (long long)setup->options.axis.classes, setup->options.control.tolerance,
             setup->options.control.largest_change, (long long)setup->points);
}

sw_status sw_kwn_write_setup(hid_t file, const sw_kwn_setup *setup)
{
    char settings[256], device[128];
    sw_kwn_describe_settings(setup, settings, sizeof settings);
    snprintf(device, sizeof device, "%s%s", setup->gpu[0] ? "cuda, " : "cpu", setup->gpu);
    const attribute texts[] = {
        {"job", sw_job_text(setup->source)},
        {"program", "slipwave " SW_VERSION},
        {"strategy", sw_kwn_strategy_names[setup->options.strategy]},
        {"precision", sw_kwn_precision_names[setup->options.precision]},
        {"device", device},
        {"auto", setup->choice},
        {"settings", settings},
    };
    return write_texts(file, "run", (int)(sizeof texts / sizeof *texts), texts);
}

sw_status sw_kwn_write_work(hid_t file, const sw_kwn_setup *setup, const sw_kwn_work *work)
{
    const double classes = (double)setup->options.axis.classes,
                 updates = work->iterations * classes * setup->model.n_phases;
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"points", (double)setup->points},
        {"classes", classes},
        {"tolerance", setup->options.control.tolerance},
        {"resolution_points", work->resolution.points},
        {"number_error", work->resolution.number},
        {"radius_error", work->resolution.radius},
        {"fraction_error", work->resolution.fraction},
        {"steps", work->steps},
        {"iterations", work->iterations},
        {"wall_time", work->seconds},
        {"class_updates_per_second", updates / work->seconds},
    };
    hid_t group = H5Gopen2(file, "run", H5P_DEFAULT);
    sw_status status = SW_OK;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && status == SW_OK; i++) {
        status = sw_h5_write_numbers(group, numbers[i].name, 1, &numbers[i].value);
    }
    H5Gclose(group);
    return status;
}
