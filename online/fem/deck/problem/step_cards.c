/* Keywords of steps and of what happens in them. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "online/fem/deck/model.h"
#include "contacts.h"
#include "steps.h"

/* ---- Steps ---- */

sw_status sw_deck_read_step(sw_deck *deck, const sw_deck_card *card)
{
    sw_deck_steps *steps = deck->steps;
    const char *amplitude = sw_deck_parameter(card, "AMPLITUDE");
    if (steps->open)
        return sw_deck_complain(card, "the step before is not ended: need *END STEP");
    SW_TRY(sw_deck_need_parameters(
        card, " NLGEOM INC NAME AMPLITUDE PERTURBATION UNSYMM INCF EXTRAPOLATION CONVERTSDI "));
    if (sw_deck_parameter(card, "PERTURBATION") != NULL && steps->n_steps > 0)
        return sw_deck_complain(card, "PERTURBATION after other steps is not computed");
    if (steps->perturbation != NULL)
        return sw_deck_complain(card,
                                "after a step with PERTURBATION nothing has happened yet: not computed");
    if (sw_deck_parameter(card, "PERTURBATION") != NULL)
        steps->perturbation = card;
    SW_TRY(sw_deck_yes_or_no(card, "NLGEOM", steps->finite, &steps->finite));
    if (sw_deck_parameter(card, "PERTURBATION") != NULL && steps->finite)
        return sw_deck_complain(card, "PERTURBATION is linear: NLGEOM with it is not computed");
    for (int i = 0; i < deck->problem.n_matters;
         i++) /* CalculiX takes these at finite strains whatever is said */
        if (deck->dialect == SW_DECK_CALCULIX &&
            (deck->problem.matter[i].hyper.n_rows > 0 || deck->problem.matter[i].deformation.n_rows > 0))
            steps->finite = 1;
    sw_deck_step made = {.is = {.line = card->line, .finite = steps->finite, .duration = 1}};
    SW_TRY(sw_deck_whole_parameter(card, "INC", 1, INT64_MAX, 100, &made.is.most_increments));
    if (amplitude != NULL && strcasecmp(amplitude, "STEP") != 0 && strcasecmp(amplitude, "RAMP") != 0)
        return sw_deck_complain(card, "AMPLITUDE=%.40s: need RAMP or STEP", amplitude);
    made.is.at_once = amplitude != NULL && strcasecmp(amplitude, "STEP") == 0;
    SW_TRY(SW_DECK_ROOM(steps->step, steps->n_steps));
    if (steps->n_steps > 0) {
        const sw_deck_step *last = &steps->step[steps->n_steps - 1];
        steps->time += last->is.duration;
        made.is.every = last->is.every;
    }
    steps->step[steps->n_steps++] = made;
    steps->card = card;
    steps->open = 1;
    steps->procedure = steps->prints = 0;
    steps->cleared = 0;
    steps->changing = -1;
    return SW_OK;
}

/* Theirs are passed over: --linear is ours. */
static void tell_solver(const sw_deck_card *card)
{
    static const char *const known[] = {
        "SPOOLES", "PARDISO", "PASTIX",        "ITERATIVE SCALING", "ITERATIVE CHOLESKY",
        "SGI",     "TAUCS",   "MATRIX STORAGE"};
    const char *name = sw_deck_parameter(card, "SOLVER");
    for (size_t k = 0; name != NULL && k < sizeof known / sizeof *known; k++)
        if (sw_deck_same_word(name, known[k]))
            return;
    if (name != NULL)
        sw_warn("%s:%" PRId64 ": *%s: SOLVER=%.40s is not used: CalculiX has no such solver", card->path,
                card->line, card->keyword, name);
}

static sw_status procedure(sw_deck *deck, const sw_deck_card *card, int visco)
{
    sw_deck_steps *steps = deck->steps;
    sw_structure_step *step = &steps->step[steps->n_steps - 1].is;
    double time[4];
    if (steps->procedure++)
        return sw_deck_complain(card, "the step has a procedure already");
    SW_TRY(sw_deck_need_lines(card, 0, 1));
    tell_solver(card);
    for (int k = 0; k < 4; k++) {
        SW_TRY(sw_deck_number(card, 0, k, 0, &time[k]));
        if (!(time[k] >= 0))
            return sw_deck_complain_at(card, 0, "%g in field %d: need 0 or more", time[k], k + 1);
    }
    const char *direct = sw_deck_parameter(card, "DIRECT");
    if (direct != NULL && *direct != '\0')
        return sw_deck_complain(card, "DIRECT=%.40s is not computed: need DIRECT alone, or none", direct);
    step->visco = visco;
    step->at_once |= visco && sw_deck_parameter(steps->card, "AMPLITUDE") == NULL;
    step->direct = direct != NULL;
    step->duration = time[1] > 0 ? time[1] : time[0] > 1 ? time[0] : 1;
    step->first = time[0];
    step->least = time[2];
    step->most = time[3];
    if (step->first > step->duration)
        return sw_deck_complain_at(card, 0, "first increment %g: need at most the step's time %g", time[0],
                                   step->duration);
    if (time[2] > 0 && ((time[0] > 0 && time[2] > time[0]) || (time[3] > 0 && time[2] > time[3])))
        return sw_deck_complain_at(
            card, 0, "least increment %g: need at most the first increment %g and the largest %g", time[2],
            time[0], time[3]);
    return SW_OK;
}

sw_status sw_deck_read_static(sw_deck *deck, const sw_deck_card *card)
{
    SW_TRY(sw_deck_need_parameters(card, " DIRECT SOLVER "));
    return procedure(deck, card, 0);
}

sw_status sw_deck_read_visco(sw_deck *deck, const sw_deck_card *card)
{
    double tolerance;
    SW_TRY(sw_deck_need_parameters(card, " DIRECT SOLVER CETOL "));
    SW_TRY(sw_deck_real_parameter(card, "CETOL", 0, &tolerance));
    if (!(tolerance >= 0))
        return sw_deck_complain(card, "CETOL=%g: need 0 or more", tolerance);
    if (deck->steps->perturbation != NULL)
        return sw_deck_complain(card, "PERTURBATION is linear: need *STATIC");
    SW_TRY(procedure(deck, card, 1));
    deck->steps->step[deck->steps->n_steps - 1].is.creep_tolerance = tolerance;
    return SW_OK;
}

sw_status sw_deck_read_end_step(sw_deck *deck, const sw_deck_card *card)
{
    sw_deck_steps *steps = deck->steps;
    if (!steps->open)
        return sw_deck_complain(card, "there is no step to end");
    if (!steps->procedure)
        return sw_deck_complain(steps->card, "has no procedure: need *STATIC or *VISCO");
    SW_TRY(sw_deck_end_changing(deck));
    steps->open = 0;
    if (!steps->prints && steps->n_steps > 1) /* they go on until others are given */
        SW_TRY(sw_deck_copy_prints(&steps->step[steps->n_steps - 2].is, &steps->step[steps->n_steps - 1].is));
    return sw_deck_keep_conditions(deck);
}

/* ---- Amplitudes ---- */

static sw_status add_row(sw_structure_amplitude *to, double first, double second)
{
    SW_TRY(SW_DECK_ROOM(to->row, to->n_rows));
    to->row[to->n_rows][0] = first;
    to->row[to->n_rows++][1] = second;
    return SW_OK;
}

/* Pairs from line `first` on. */
static sw_status read_pairs(const sw_deck_card *card, int64_t first, const char *const of[2],
                            sw_structure_amplitude *to)
{
    for (int64_t i = first; i < card->n_lines; i++)
        for (int k = 0; k < card->data[i].n_fields; k += 2) {
            double row[2];
            if (*sw_deck_field(card, i, k) == '\0' && *sw_deck_field(card, i, k + 1) == '\0')
                continue;
            for (int j = 0; j < 2; j++)
                SW_TRY(sw_deck_need_number(card, i, k + j, of[j], &row[j]));
            if (to->curve != SW_STRUCTURE_PERIODIC && to->n_rows > 0 && row[0] < to->row[to->n_rows - 1][0])
                return sw_deck_complain_at(card, i, "time %g after %g: need them ascending", row[0],
                                           to->row[to->n_rows - 1][0]);
            SW_TRY(add_row(to, row[0], row[1]));
        }
    return to->n_rows > 0 ? SW_OK : sw_deck_complain(card, "has no times");
}

/* Number of terms, angular frequency, time at which it begins, A0; then A and B of each term. */
static sw_status read_periodic(const sw_deck_card *card, sw_structure_amplitude *to)
{
    static const char *const names[] = {"number of terms", "a frequency", "a time", "a value"},
                             *const of[] = {"A", "B"};
    double v[4];
    to->curve = SW_STRUCTURE_PERIODIC;
    for (int k = 0; k < 4; k++)
        SW_TRY(sw_deck_need_number(card, 0, k, names[k], &v[k]));
    SW_TRY(add_row(to, v[1], v[2]));
    SW_TRY(add_row(to, v[3], 0));
    SW_TRY(read_pairs(card, 1, of, to));
    return to->n_rows - 2 == v[0] ? SW_OK
                                  : sw_deck_complain_at(card, 0, "%g terms, but %d pairs of A and B follow",
                                                        v[0], to->n_rows - 2);
}

static sw_status read_equally_spaced(const sw_deck_card *card, sw_structure_amplitude *to)
{
    double interval, begin, value;
    SW_TRY(sw_deck_real_parameter(card, "FIXEDINTERVAL", 0, &interval));
    SW_TRY(sw_deck_real_parameter(card, "BEGIN", 0, &begin));
    if (!(interval > 0))
        return sw_deck_complain(card, "FIXED INTERVAL=%g: need more than 0", interval);
    for (int64_t i = 0; i < card->n_lines; i++)
        for (int k = 0; k < card->data[i].n_fields; k++) {
            if (*sw_deck_field(card, i, k) == '\0')
                continue;
            SW_TRY(sw_deck_need_number(card, i, k, "a value", &value));
            SW_TRY(add_row(to, begin + to->n_rows * interval, value));
        }
    return to->n_rows > 0 ? SW_OK : sw_deck_complain(card, "has no values");
}

static sw_status read_curve(const sw_deck_card *card, sw_structure_amplitude *to)
{
    static const char *const of[] = {"a time", "a value"};
    const char *as = sw_deck_parameter(card, "DEFINITION");
    if (as != NULL && sw_deck_same_word(as, "PERIODIC"))
        return read_periodic(card, to);
    if (as != NULL && sw_deck_same_word(as, "EQUALLY SPACED"))
        return read_equally_spaced(card, to);
    if (as != NULL && sw_deck_same_word(as, "SMOOTH STEP"))
        to->curve = SW_STRUCTURE_SMOOTH;
    else if (as != NULL && !sw_deck_begins(as, "TABULAR"))
        return sw_deck_complain(
            card, "DEFINITION=%.40s is not computed: need TABULAR, EQUALLY SPACED, SMOOTH STEP or PERIODIC",
            as);
    return read_pairs(card, 0, of, to);
}

static sw_status shift(const sw_deck_card *card, sw_structure_amplitude *a)
{
    const int periodic = a->curve == SW_STRUCTURE_PERIODIC;
    double by[2];
    SW_TRY(sw_deck_real_parameter(card, "SHIFTX", 0, &by[0]));
    SW_TRY(sw_deck_real_parameter(card, "SHIFTY", 0, &by[1]));
    for (int i = 0; i < a->n_rows && !periodic; i++)
        for (int j = 0; j < 2; j++)
            a->row[i][j] += by[j];
    if (periodic) {
        a->row[0][1] += by[0];
        a->row[1][0] += by[1];
    }
    return SW_OK;
}

sw_status sw_deck_read_amplitude(sw_deck *deck, const sw_deck_card *card)
{
    sw_structure_problem *problem = &deck->problem;
    const char *name, *time = sw_deck_parameter(card, "TIME"), *value = sw_deck_parameter(card, "VALUE");
    char *kept;
    SW_TRY(sw_deck_need_parameters(card,
                                   " NAME TIME DEFINITION VALUE SHIFTX SHIFTY FIXEDINTERVAL BEGIN SMOOTH "));
    SW_TRY(sw_deck_need_value(card, "NAME", &name));
    const int absolute =
        value != NULL && deck->dialect == SW_DECK_ABAQUS && sw_deck_begins(value, "ABSOLUTE");
    if (value != NULL && !absolute && !sw_deck_begins(value, "RELATIVE"))
        return sw_deck_complain(card, "VALUE=%.40s is not computed: need RELATIVE, or of Abaqus ABSOLUTE",
                                value);
    if (time != NULL && !sw_deck_begins(time, "TOTAL") && !sw_deck_begins(time, "STEP"))
        return sw_deck_complain(card, "TIME=%.40s is not computed: need TOTAL TIME or STEP TIME", time);
    if (sw_deck_find_name(deck, SW_DECK_AMPLITUDE, name) >= 0)
        return sw_deck_complain(card, "amplitude %.80s is there already", name);
    SW_TRY(sw_deck_need_lines(card, 1, -1));
    SW_TRY(SW_DECK_ROOM(problem->amplitude, problem->n_amplitudes));
    sw_structure_amplitude *made = &problem->amplitude[problem->n_amplitudes];
    *made = (sw_structure_amplitude){.total_time = time != NULL && sw_deck_begins(time, "TOTAL"),
                                     .absolute = absolute};
    SW_TRY(SW_DECK_ROOM(deck->part_name, deck->n_parts));
    SW_TRY(sw_deck_new_name(deck, SW_DECK_AMPLITUDE, name, problem->n_amplitudes, &kept));
    deck->part_name[deck->n_parts++] = kept;
    problem->n_amplitudes++;
    SW_TRY(read_curve(card, made));
    return shift(card, made);
}

/* ---- What is prescribed ---- */

/* Components from 1 of a kind of support; 0: it is none. */
static unsigned named_support(const char *text)
{
    static const struct {
        const char *name;
        unsigned components; /* bits from 1 on */
    } list[] = {{"PINNED", 0x0e}, {"ENCASTRE", 0x7e}, {"XSYMM", 0x62},  {"YSYMM", 0x54},
                {"ZSYMM", 0x38},  {"XASYMM", 0x1c},   {"YASYMM", 0x2a}, {"ZASYMM", 0x46}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcasecmp(text, list[i].name) == 0)
            return list[i].components;
    return 0;
}

/* Bits of the components that a line prescribes, and to what. */
static sw_status read_support(const sw_deck_card *card, int64_t i, unsigned *components, double *value)
{
    int64_t first, last;
    *value = 0;
    *components = named_support(sw_deck_field(card, i, 1));
    if (*components != 0)
        return SW_OK;
    SW_TRY(sw_deck_integer(card, i, 1, 0, &first));
    SW_TRY(sw_deck_integer(card, i, 2, first, &last));
    SW_TRY(sw_deck_number(card, i, 3, 0, value));
    if (first < 1 || last > 6 || last < first || card->data[i].n_fields > 4)
        return sw_deck_complain_line(card, i,
                                     "need a node or set, first and last component from 1 to 6, value");
    for (int64_t c = first; c <= last; c++)
        *components |= 1u << c;
    return SW_OK;
}

static sw_status prescribe(sw_deck *deck, const sw_deck_card *card, int64_t i, int amplitude)
{
    unsigned components;
    double value;
    int64_t n;
    const int64_t *node;
    const int in_step = deck->steps->open, stays = sw_deck_parameter(card, "FIXED") != NULL;
    SW_TRY(sw_deck_nodes_of(deck, card, i, 0, &n, &node));
    SW_TRY(read_support(card, i, &components, &value));
    if (!in_step && value != 0 && deck->dialect == SW_DECK_ABAQUS)
        return sw_deck_complain_at(card, i, "%g before the first step: need 0, or a step", value);
    for (int64_t j = 0; j < n; j++)
        for (int c = 0; c < 6; c++) {
            const sw_deck_condition condition = {.of = node[j],
                                                 .part = c,
                                                 .from = deck->steps->n_steps <= 1 ? 0 : NAN,
                                                 .to = stays ? NAN : value,
                                                 .line = &card->data[i],
                                                 .amplitude = stays ? -1 : amplitude};
            if (components & 2u << c)
                SW_TRY(sw_deck_add_condition(deck, SW_DECK_FIXED, &condition));
        }
    return SW_OK;
}

sw_status sw_deck_read_boundary(sw_deck *deck, const sw_deck_card *card)
{
    int amplitude;
    SW_TRY(sw_deck_need_parameters(card, " OP AMPLITUDE TIMEDELAY FIXED TYPE REGIONTYPE "));
    const char *type = sw_deck_parameter(card, "TYPE");
    if (type != NULL && !sw_deck_begins(type, "DISP"))
        return sw_deck_complain(card, "TYPE=%.40s is not computed: need DISPLACEMENT", type);
    if (sw_deck_parameter(card, "FIXED") != NULL && !deck->steps->open)
        return sw_deck_complain(card, "FIXED has to stand in a step");
    SW_TRY(sw_deck_begin_conditions(deck, card, SW_DECK_FIXED, &amplitude));
    for (int64_t i = 0; i < card->n_lines; i++)
        SW_TRY(prescribe(deck, card, i, amplitude));
    return SW_OK;
}

/* ---- Forces ---- */

/* CalculiX 2.20 loads a node as often as its set has it. */
static void tell_repeated(const sw_deck *deck, const sw_deck_card *card, int64_t i)
{
    const int64_t place = sw_deck_find_set(deck, SW_FEM_NODES, sw_deck_field(card, i, 0));
    const sw_deck_set *set = place < 0 ? NULL : &deck->set[place];
    if (deck->dialect == SW_DECK_CALCULIX && set != NULL && set->listed > set->n)
        sw_warn("%s:%" PRId64
                ": *CLOAD: set %.80s has nodes more than once: they are loaded once, by CalculiX as often",
                card->data[i].path, card->data[i].line, set->name);
}

sw_status sw_deck_read_cload(sw_deck *deck, const sw_deck_card *card)
{
    int amplitude;
    SW_TRY(sw_deck_need_parameters(card, " OP AMPLITUDE TIMEDELAY REGIONTYPE "));
    SW_TRY(sw_deck_begin_conditions(deck, card, SW_DECK_FORCE, &amplitude));
    for (int64_t i = 0; i < card->n_lines; i++) {
        int64_t n, component;
        const int64_t *node;
        double value;
        SW_TRY(sw_deck_nodes_of(deck, card, i, 0, &n, &node));
        SW_TRY(sw_deck_integer(card, i, 1, 0, &component));
        SW_TRY(sw_deck_number(card, i, 2, NAN, &value));
        if (component < 1 || component > 6 || isnan(value) || card->data[i].n_fields > 3)
            return sw_deck_complain_line(card, i, "need a node or set, component from 1 to 6, force");
        tell_repeated(deck, card, i);
        for (int64_t j = 0; j < n; j++)
            SW_TRY(sw_deck_add_condition(deck, SW_DECK_FORCE,
                                         &(sw_deck_condition){.of = node[j],
                                                              .part = (int)component - 1,
                                                              .to = value,
                                                              .amplitude = amplitude,
                                                              .line = &card->data[i]}));
    }
    return SW_OK;
}

/* ---- Temperatures ---- */

/* problem.temperature, when all nodes of the deck are there. */
static sw_status room_for_temperatures(sw_deck *deck)
{
    if (deck->problem.temperature != NULL)
        return SW_OK;
    deck->n_deck_nodes = deck->n_nodes;
    return SW_ALLOCATE(deck->problem.temperature, deck->n_nodes + 1, "temperatures of nodes");
}

/* A line "node, temperature", and of shells and beams gradients along the normal, or directions 2 and 1. */
static sw_status temperature_line(sw_deck *deck, const sw_deck_card *card, int64_t i, int64_t *n,
                                  const int64_t **node, double *value, double gradient[2])
{
    SW_TRY(sw_deck_nodes_of(deck, card, i, 0, n, node));
    SW_TRY(sw_deck_number(card, i, 1, NAN, value));
    for (int k = 0; k < 2; k++)
        SW_TRY(sw_deck_number(card, i, 2 + k, 0, &gradient[k]));
    if (card->data[i].n_fields > 4)
        return sw_deck_complain_at(card, i, "temperatures at more points of a section are not computed");
    return isnan(*value) ? sw_deck_complain_line(card, i, "need a node or set, and a temperature") : SW_OK;
}

/* Others than temperatures may only say 0. */
static sw_status need_zeros(const sw_deck_card *card, const char *type)
{
    static const char *const known[] = {"DISPLACEMENT", "VELOCITY", "SOLUTION"};
    int is = 0;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        is |= sw_deck_same_word(type, known[k]);
    if (!is)
        return sw_deck_complain(
            card,
            "TYPE=%.40s is not computed: need TEMPERATURE, STRESS, PLASTIC STRAIN, HARDENING or SOLUTION",
            type);
    for (int64_t i = 0; i < card->n_lines; i++)
        for (int k = 1; k < card->data[i].n_fields; k++) {
            double value;
            SW_TRY(sw_deck_number(card, i, k, 0, &value));
            if (value != 0)
                return sw_deck_complain_at(card, i, "TYPE=%.40s is not computed", type);
        }
    return SW_OK;
}

sw_status sw_deck_read_initial_conditions(sw_deck *deck, const sw_deck_card *card)
{
    const char *type;
    SW_TRY(sw_deck_need_value(card, "TYPE", &type));
    if (strcasecmp(type, "FIELD") == 0)
        return sw_deck_read_field(deck, card);
    SW_TRY(sw_deck_need_parameters(card, " TYPE "));
    SW_TRY(sw_deck_need_lines(card, 1, -1));
    const int stress = strcasecmp(type, "STRESS") == 0;
    if (stress || sw_deck_same_word(type, "PLASTIC STRAIN"))
        return sw_deck_read_initial_strains(deck, card, stress);
    if (strcasecmp(type, "SOLUTION") == 0 && deck->dialect == SW_DECK_ABAQUS)
        return sw_deck_read_initial_solution(deck, card);
    if (strcasecmp(type, "HARDENING") == 0)
        return sw_deck_read_initial_hardening(deck, card);
    if (strcasecmp(type, "TEMPERATURE") != 0)
        return need_zeros(card, type);
    SW_TRY(room_for_temperatures(deck));
    for (int64_t i = 0; i < card->n_lines; i++) {
        int64_t n;
        const int64_t *node;
        double value, gradient[2];
        SW_TRY(temperature_line(deck, card, i, &n, &node, &value, gradient));
        if (gradient[0] != 0 || gradient[1] != 0)
            return sw_deck_complain_at(card, i, "gradients of initial temperatures are not computed");
        for (int64_t j = 0; j < n; j++)
            deck->problem.temperature[node[j]] = value;
    }
    return SW_OK;
}

static sw_status warm(sw_deck *deck, const sw_deck_card *card, int64_t i, int64_t node, double value,
                      const double gradient[2], int amplitude)
{
    return sw_deck_add_condition(deck, SW_DECK_TEMPERATURE,
                                 &(sw_deck_condition){.of = node,
                                                      .from = deck->problem.temperature[node],
                                                      .to = value,
                                                      .direction = {gradient[0], gradient[1]},
                                                      .amplitude = amplitude,
                                                      .line = &card->data[i]});
}

/* LINTEMP: a normal, and two planes' distances along it with their temperatures; linear on and between them. */
static sw_status warm_between(sw_deck *deck, const sw_deck_card *card, int64_t i, int amplitude)
{
    const double none[2] = {0, 0};
    double v[7];
    for (int k = 0; k < 7; k++)
        SW_TRY(sw_deck_number(card, i, k, NAN, &v[k]));
    const double size = v[0] * v[0] + v[1] * v[1] + v[2] * v[2], over = 1e-6 * (v[5] - v[3]);
    if (!(size > 0 && v[5] > v[3] && isfinite(v[4]) && isfinite(v[6])))
        return sw_deck_complain_line(card, i,
                                     "need a normal, and two distances that ascend, each with a temperature");
    for (int64_t n = 0; n < deck->n_deck_nodes; n++) {
        const double *x = deck->node[n].at, at = (v[0] * x[0] + v[1] * x[1] + v[2] * x[2]) / sqrt(size);
        if (deck->node[n].label > 0 && at >= v[3] - over && at <= v[5] + over)
            SW_TRY(
                warm(deck, card, i, n, v[4] + (v[6] - v[4]) * (at - v[3]) / (v[5] - v[3]), none, amplitude));
    }
    return SW_OK;
}

sw_status sw_deck_read_temperature(sw_deck *deck, const sw_deck_card *card)
{
    const int between = sw_deck_parameter(card, "LINTEMP") != NULL;
    int amplitude;
    SW_TRY(sw_deck_need_parameters(card, " OP AMPLITUDE TIMEDELAY LINTEMP "));
    SW_TRY(room_for_temperatures(deck));
    SW_TRY(sw_deck_begin_conditions(deck, card, SW_DECK_TEMPERATURE, &amplitude));
    for (int64_t i = 0; i < card->n_lines; i++) {
        int64_t n = 0;
        const int64_t *node;
        double value, gradient[2];
        SW_TRY(between ? warm_between(deck, card, i, amplitude)
                       : temperature_line(deck, card, i, &n, &node, &value, gradient));
        for (int64_t j = 0; j < n; j++)
            SW_TRY(warm(deck, card, i, node[j], value, gradient, amplitude));
    }
    return SW_OK;
}
