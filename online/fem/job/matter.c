/* Materials with laws of decks: yield functions of sheets, rates, backstresses, rubber. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/yield/yield_file.h"
#include "online/fem/element/laws/matter_points.h"
#include "online/fem/law/hardening.h"
#include "parts.h"

/* ---- Keys ---- */

#define MOST_OFF 0.01 /* of a yield function from 1 where it is to be that */

#define OF(member) law.member /* of the job's material */

const sw_key sw_fem_yield_keys[] = {
    {SW_WORD_OF("function", sw_fem_job_material, OF(function), sw_yield_function_names, SW_YIELD_FUNCTIONS),
     .needed = 1},
    {SW_PATH("file", sw_fem_job_material, OF(file)),
     .help = "results of `slipwave forming` that have a fit of it; or"},
    {SW_REAL("exponent", sw_fem_job_material, OF(exponent), 1, 1000), .open = SW_OPEN_BELOW,
     .help = "and, with all of its coefficients:"},
    {SW_REALS("coefficients", sw_fem_job_material, OF(coefficients), -1e6, 1e6), .shortest = 1,
     .longest = SW_YIELD_COEFFICIENTS,
     .help =
         "in the order of the results; uniaxial stress of 1 along rolling has a function of 1, or a warning "
         "says where that yields"},
    {SW_REALS("rolling", sw_fem_job_material, OF(rolling), -1e9, 1e9), .shortest = 3, .longest = 3,
     .otherwise = "x", .help = "the rolling direction, of any length"},
    {SW_REALS("transverse", sw_fem_job_material, OF(transverse), -1e9, 1e9), .shortest = 3, .longest = 3,
     .otherwise = "y",
     .help = "the transverse direction; what of it is along the rolling direction is left out"},
    SW_KEYS_END};

static const sw_key_case rates[] = {
    [SW_MATTER_NO_RATE] = {"none"},
    [SW_MATTER_POWER_RATE] = {"cowper_symonds", .needs = "rate exponent",
                              .help = "1 + (plastic strain rate / rate)^(1 / exponent)"},
    [SW_MATTER_LOG_RATE] = {"johnson_cook", .needs = "rate factor",
                            .help = "1 + factor ln(plastic strain rate / rate), at least 1"},
    {0}};

const sw_key sw_fem_rate_keys[] = {
    {SW_CASES("law", sw_fem_job_material, OF(rate_law), rates), .needed = 1,
     .help = "what the yield stress is multiplied by"},
    {SW_REAL("rate", sw_fem_job_material, OF(rate), 0, 1e18), .open = SW_OPEN_BELOW, .unit = "1/s"},
    {SW_REAL("exponent", sw_fem_job_material, OF(rate_exponent), 0, 1e3), .open = SW_OPEN_BELOW},
    {SW_REAL("factor", sw_fem_job_material, OF(rate_factor), 0, 1e3)},
    SW_KEYS_END};

const sw_key sw_fem_power_keys[] = {{SW_REAL("modulus", sw_fem_job_material, OF(power_modulus), 0, 1e15),
                                     .unit = "Pa", .needed = 1,
                                     .help = "K of yield_stress + K p^n, p the plastic strain"},
                                    {SW_REAL("exponent", sw_fem_job_material, OF(power_exponent), 0, 10),
                                     .open = SW_OPEN_BELOW, .needed = 1, .help = "n"},
                                    SW_KEYS_END};

enum { NEO_HOOKE, MOONEY_RIVLIN, YEOH, ARRUDA_BOYCE, OGDEN, RUBBERS };
static const struct {
    sw_matter_rubber energy;
    int order; /* 0: by the number of constants */
} rubber_of[RUBBERS] = {{SW_MATTER_REDUCED_POLYNOMIAL, 1},
                        {SW_MATTER_POLYNOMIAL, 1},
                        {SW_MATTER_REDUCED_POLYNOMIAL, 3},
                        {SW_MATTER_ARRUDA_BOYCE, 1},
                        {SW_MATTER_OGDEN, 0}};
static const sw_key_case rubbers[] = {
    [NEO_HOOKE] = {"neo_hooke", .help = "C10 (Pa), D1 (1/Pa)"},
    [MOONEY_RIVLIN] = {"mooney_rivlin", .help = "C10, C01, D1"},
    [YEOH] = {"yeoh", .help = "C10, C20, C30, D1, D2, D3"},
    [ARRUDA_BOYCE] = {"arruda_boyce", .help = "mu, lambda_m, D"},
    [OGDEN] = {"ogden", .help = "mu1, alpha1, ..., then D1, ...; up to 6 terms"},
    {0}};

const sw_key sw_fem_rubber_keys[] = {
    {SW_CASES("energy", sw_fem_job_material, OF(rubber), rubbers), .needed = 1},
    {SW_REALS("constants", sw_fem_job_material, OF(constants), -1e18, 1e18), .needed = 1, .shortest = 2,
     .longest = 18, .help = "a D of 0 stands for 0.1 over the shear modulus"},
    SW_KEYS_END};

#undef OF

/* ---- Tables ---- */

static sw_status make_table(int n, const double *value, sw_matter_table *table)
{
    table->n_columns = n;
    SW_TRY(SW_ALLOCATE(table->temperature, 1, "tables of materials"));
    SW_TRY(SW_ALLOCATE(table->value, n, "tables of materials"));
    memcpy(table->value, value, (size_t)n * sizeof *value);
    table->n_rows = 1;
    return SW_OK;
}

/* Straight stretches of a hardening law: what saturates is within 2e-6 of its growth, and goes on to a strain of 1000. */
enum { STRETCHES = 500 };
static sw_status make_curve(const sw_fem_material *m, sw_matter *matter)
{
    const int voce = m->hardening == SW_FEM_VOCE, n = m->n_rows > 0 ? m->n_rows : voce ? STRETCHES + 1 : 2;
    sw_matter_curve *curve;
    double slope;
    const double reach =
        voce ? -expm1(-500 * m->parameter[SW_FEM_RATE]) : 1; /* where 1000 comes later, as far as there */
    SW_TRY(SW_ALLOCATE(matter->curve, 1, "tables of materials"));
    matter->n_curves = 1;
    curve = matter->curve;
    SW_TRY(SW_ALLOCATE(curve->row, n, "tables of materials"));
    curve->n_rows = n;
    for (int i = 0; i < n; i++) {
        double *row = curve->row[i];
        row[0] = i == n - 1 ? 1000
                 : voce     ? -2 / m->parameter[SW_FEM_RATE] * log1p(-reach * i / STRETCHES)
                            : 0;
        if (m->n_rows > 0)
            row[0] = m->row[i][0];
        row[1] = sw_fem_yield_stress(m, row[0], &slope);
    }
    return SW_OK;
}

/* ---- Parts of a law ---- */

static sw_status blame(const sw_fem_job *job, const char *prefix, const char *name, const char *format,
                       double value)
{
    char key[SW_KEY_SIZE], text[200];
    snprintf(text, sizeof text, format, value);
    return sw_job_error(job->source, sw_key_path(key, "%s%s", prefix, name), "%s", text);
}

static int is_given(const sw_fem_job *job, const char *prefix, const char *name)
{
    char key[SW_KEY_SIZE];
    return sw_job_given(job->source, sw_key_path(key, "%s%s", prefix, name));
}

static sw_status read_yield(const sw_fem_job *job, const char *prefix, const sw_fem_job_law *from,
                            sw_yield *y)
{
    char key[SW_KEY_SIZE], inner[SW_KEY_SIZE];
    int of_file;
    sw_key_path(inner, "%syield.", prefix);
    SW_TRY(sw_job_one_of(job->source, inner, "coefficients file", 1, &of_file));
    *y = sw_yield_isotropic(from->function, 2, 1);
    const int has_exponent = is_given(job, inner, "exponent"), needs = y->function->has_exponent && !of_file;
    if (has_exponent != needs)
        return blame(job, inner, "exponent",
                     needs     ? " is missing: the function has one"
                     : of_file ? ": is the file's"
                               : ": the function has none",
                     0);
    if (of_file) {
        sw_key_path(key, "%sfile", inner);
        return sw_yield_read(from->file, from->function, y) == SW_OK ? SW_OK : sw_job_blame(job->source, key);
    }
    if (from->coefficients_count != y->function->coefficients)
        return sw_job_error(job->source, sw_key_path(key, "%scoefficients", inner),
                            " has %d numbers: need %d of %s", from->coefficients_count,
                            y->function->coefficients, y->function->name);
    memcpy(y->coefficient, from->coefficients, (size_t)from->coefficients_count * sizeof *y->coefficient);
    if (has_exponent)
        y->exponent = from->exponent;
    return SW_OK;
}

/* Rows of `axes` from the rolling and transverse directions. */
static sw_status make_axes(const sw_fem_job *job, const char *prefix, const sw_fem_job_law *from,
                           struct sw_fem_matter *to)
{
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    const double *first = from->rolling ? from->rolling : x,
                 *second = from->transverse ? from->transverse : y;
    double(*a)[3] = to->axes, size = 0, along = 0, left = 0, whole = 0;
    to->turned = from->rolling != NULL || from->transverse != NULL;
    for (int i = 0; i < 3; i++) {
        size += first[i] * first[i];
        along += first[i] * second[i];
        whole += second[i] * second[i];
    }
    for (int i = 0; i < 3 && size > 0; i++) {
        a[0][i] = first[i] / sqrt(size);
        a[1][i] = second[i] - along / size * first[i];
        left += a[1][i] * a[1][i];
    }
    if (!(size > 0))
        return blame(job, prefix, "yield.rolling", ": need a direction that is not 0", 0);
    if (!(left > 1e-12 * whole))
        return blame(job, prefix, "yield.transverse", ": need a direction other than the rolling one", 0);
    for (int i = 0; i < 3; i++)
        a[1][i] /= sqrt(left);
    for (int i = 0; i < 3; i++)
        a[2][i] = a[0][(i + 1) % 3] * a[1][(i + 2) % 3] - a[0][(i + 2) % 3] * a[1][(i + 1) % 3];
    return SW_OK;
}

/* Rows C, gamma; the size of the surface stays or saturates. */
static sw_status make_backstresses(const sw_fem_job *job, const char *prefix, const sw_fem_job_law *from,
                                   const sw_fem_material *m, sw_matter *matter)
{
    const double growth = m->parameter[SW_FEM_SATURATION] - m->yield_stress;
    const double size[3] = {m->yield_stress, growth, m->parameter[SW_FEM_RATE]};
    if (m->hardening != SW_FEM_PERFECT && (m->hardening != SW_FEM_VOCE || m->parameter[SW_FEM_MODULUS] != 0))
        return blame(job, prefix, "hardening.law", ": with backstresses need none, or voce without a modulus",
                     0);
    matter->hardening = SW_MATTER_HARDENS_COMBINED;
    SW_TRY(make_table(2 * from->backstresses_count, from->backstresses[0], &matter->backstress));
    return m->hardening == SW_FEM_VOCE ? make_table(3, size, &matter->saturation) : SW_OK;
}

static sw_status make_flow(const sw_fem_job *job, const char *prefix, const sw_fem_job_law *from,
                           const sw_fem_material *m, sw_matter *matter)
{
    const double elastic[2] = {m->young, m->poisson};
    const double cook[6] = {m->yield_stress, from->power_modulus, from->power_exponent, 1, 1e30, 0};
    const double rate[2] = {from->rate_law == SW_MATTER_POWER_RATE ? from->rate : from->rate_factor,
                            from->rate_law == SW_MATTER_POWER_RATE ? from->rate_exponent : from->rate};
    if (!isfinite(m->yield_stress))
        return blame(job, prefix, "yield_stress", " is missing: what yields needs it", 0);
    SW_TRY(make_table(2, elastic, &matter->elastic));
    if (is_given(job, prefix, "yield"))
        SW_TRY(read_yield(job, prefix, from, &matter->yield));
    matter->rate_law = (sw_matter_rate)from->rate_law;
    if (from->rate_law != SW_MATTER_NO_RATE)
        SW_TRY(make_table(2, rate, &matter->rate));
    if (is_given(job, prefix, "power") && is_given(job, prefix, "hardening"))
        return blame(job, prefix, "power", " beside hardening: need only one of them", 0);
    if (is_given(job, prefix, "power") && from->backstresses_count > 0)
        return blame(
            job, prefix, "power",
            " beside backstresses: need only one of them: a surface that moves hardens by law none or voce",
            0);
    if (is_given(job, prefix, "power"))
        return make_table(6, cook, &matter->cook);
    SW_TRY(make_curve(m, matter));
    return from->backstresses_count > 0 ? make_backstresses(job, prefix, from, m, matter) : SW_OK;
}

static sw_status make_rubber(const sw_fem_job *job, const char *prefix, const sw_fem_job_law *from,
                             sw_matter *matter)
{
    static const char *const absent[] = {"young", "poisson", "yield_stress", "hardening",
                                         "yield", "rate",    "power",        "backstresses"};
    char key[SW_KEY_SIZE];
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        if (is_given(job, prefix, absent[i]))
            return blame(job, prefix, absent[i], " beside rubber: need only one of them", 0);
    matter->rubber = rubber_of[from->rubber].energy;
    matter->order = rubber_of[from->rubber].order;
    if (matter->order == 0)
        matter->order = from->constants_count / 3;
    const int n = sw_matter_rubber_constants(matter->rubber, matter->order);
    if (from->constants_count != n)
        return sw_job_error(job->source, sw_key_path(key, "%srubber.constants", prefix),
                            " has %d numbers: need %d", from->constants_count, n > 0 ? n : 3);
    return make_table(from->constants_count, from->constants, &matter->hyper);
}

/* Elasticity at no strain, which preconditioners and first directions go by. */
static void make_elastic(const sw_matter *matter, sw_fem_material *m)
{
    const sw_matter_ask ask = {.dt = 0};
    double stress[6], d[6][6];
    if (matter->law->respond(matter, &ask, NULL, NULL, stress, d) != SW_OK)
        return;
    const double shear = d[5][5], bulk = d[0][1] + 2 * shear / 3;
    m->young = 9 * bulk * shear / (3 * bulk + shear);
    m->poisson = fmin(m->young / (2 * shear) - 1, 0.4999);
}

/* ---- A law ---- */

static const char *const laws[] = {"yield", "rate", "power", "backstresses", "rubber"};
enum { LAWS = sizeof laws / sizeof *laws };

/* Which key asks for a law of decks; NULL: none. */
static const char *asked_by(const sw_fem_job *job, const char *prefix)
{
    for (int i = 0; i < LAWS; i++)
        if (is_given(job, prefix, laws[i]))
            return laws[i];
    return NULL;
}

int sw_fem_asks_matter(const sw_fem_job *job, const char *prefix, int rubber)
{
    const char *by = asked_by(job, prefix);
    return rubber ? is_given(job, prefix, "rubber") : by != NULL;
}

static int asks_for_restart(const sw_fem_job *job)
{
    return job->output.restart_count > 0 && strcmp(job->output.restart[0], "none") != 0;
}

/* What such materials are not for. */
static sw_status check(const sw_fem_job *job, const char *prefix)
{
    const char *by = asked_by(job, prefix);
    char key[SW_KEY_SIZE];
    if (job->problem.kinematics == SW_FEM_PLANE_STRESS || job->problem.kinematics == SW_FEM_HEAT)
        return sw_job_error(job->source, sw_key_path(key, "%s%s", prefix, by),
                            ": not with kinematics: %s: need solid, plane_strain or axisymmetric",
                            sw_fem_kinematics_names[job->problem.kinematics]);
    if (job->run.device == SW_DEVICE_CUDA)
        return sw_job_error(job->source, sw_key_path(key, "%s%s", prefix, by),
                            ": runs on the CPU only, not with device: cuda");
    const char *kept = sw_job_given(job->source, "output.resumable") && job->output.resumable
                           ? "output.resumable"
                       : asks_for_restart(job) ? "output.restart"
                                               : NULL;
    if (kept != NULL)
        return sw_job_error(job->source, kept, ": states of a material with %s are not kept", by);
    if (job->run.resume || job->restart != NULL)
        return sw_job_error(job->source, sw_key_path(key, "%s%s", prefix, by),
                            ": states of it are not kept: not with --resume or --restart");
    return SW_OK;
}

/* What the law finds wrong, without its place in a deck. */
static sw_status prepare(const sw_fem_job *job, const char *prefix, sw_matter *matter)
{
    static const char place[] = "job:0: material m: ";
    char key[SW_KEY_SIZE], why[300];
    matter->name = (char *)"m";
    const sw_status status = sw_matter_prepare(matter, "job");
    matter->name = NULL;
    if (status == SW_OK || status == SW_ERR_MEMORY)
        return status;
    const char *message = sw_error_message();
    snprintf(why, sizeof why, "%s",
             strncmp(message, place, sizeof place - 1) == 0 ? message + sizeof place - 1 : message);
    return sw_job_error(job->source, sw_key_path(key, "%s%s", prefix, asked_by(job, prefix)), ": %s", why);
}

/* Of a function that is not 1 along the rolling direction: coefficients of another scale, or a reference of another. */
static void doubt_scale(const sw_fem_job *job, const char *prefix, const sw_fem_material *m,
                        const sw_yield *y)
{
    const double along[6] = {1};
    const double phi = y->function != NULL ? sw_yield_value(y, along, NULL) : 1;
    if (fabs(phi - 1) > MOST_OFF)
        sw_warn("%s: %syield: uniaxial stress of 1 along rolling has a function of %.4g: it yields at %.4g "
                "Pa there, not at "
                "yield_stress = %.4g Pa",
                sw_job_path(job->source), prefix, phi, m->yield_stress / phi, m->yield_stress);
}

sw_status sw_fem_make_matter(sw_fem_job *job, int index, const char *prefix)
{
    const sw_fem_job_law *from = &job->materials[index].law;
    sw_fem_material *m = &job->material[index];
    struct sw_fem_matter *matter = &job->matter[index];
    SW_TRY(check(job, prefix));
    job->output.resumable = 0;
    if (is_given(job, prefix, "rubber"))
        SW_TRY(make_rubber(job, prefix, from, &matter->law));
    else
        SW_TRY(make_flow(job, prefix, from, m, &matter->law));
    SW_TRY(make_axes(job, prefix, from, matter));
    SW_TRY(prepare(job, prefix, &matter->law));
    doubt_scale(job, prefix, m, &matter->law.yield);
    if (is_given(job, prefix, "rubber"))
        make_elastic(&matter->law, m);
    m->matter = matter;
    return SW_OK;
}
