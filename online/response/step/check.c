#include "check.h"

#include <math.h>
#include <stdio.h>

#include "common/crystal/limits.h"
#include "common/crystal/material.h"
#include "online/gpu/gpu.h"
#include "solver.h"

/* So many are looked at in a call: what is wrong with units is so with all. */
enum { LOOKED_AT = 1024 };

static double largest_angle(const sw_crystal *c)
{
    return fmax(fabs(c->euler[0]), fmax(fabs(c->euler[1]), fabs(c->euler[2])));
}

/* What has no end is another's to refuse. */
static int is_beyond(double number, double most) { return number > most && number < INFINITY; }
static int is_unlikely(double angle) { return is_beyond(angle, SW_ANGLE_LIKELY); }

static void doubt_angle(const char *what, int64_t number, double angle)
{
    sw_warn("%s %lld: an angle of %.6g: angles are in rad, and this is more than two turns: are they "
            "degrees?",
            what, (long long)number, angle);
}

/* Whether there was anything to say of it. */
static int doubt(int64_t n, const sw_crystal *c, const sw_material *material)
{
    const double s = c->slip_resistance;
    if (isnan(s))
        return 0;
    if (is_unlikely(largest_angle(c)))
        doubt_angle("crystal", n, largest_angle(c));
    else if (s > 0 && s < SW_SLIP_RESISTANCE_LEAST)
        sw_warn("crystal %lld: slip resistance = %.6g Pa: less than %g: is it in MPa?", (long long)n, s,
                SW_SLIP_RESISTANCE_LEAST);
    else if (material != NULL && !(s <= sw_hardening_most(&material->hardening)))
        sw_warn("crystal %lld: slip resistance = %.6g Pa: above the %.6g that %s saturates at: it stays what "
                "it is",
                (long long)n, s, sw_hardening_most(&material->hardening), material->name);
    else
        return 0;
    return 1;
}

sw_status sw_check_resistance(const char *what, double s)
{
    return s > 0 && s <= SW_SLIP_RESISTANCE_MOST
               ? SW_OK
               : sw_error(SW_ERR_RANGE, "%s: slip resistance = %g Pa: need > 0, and at most %g", what, s,
                          SW_SLIP_RESISTANCE_MOST);
}

static sw_status refuse_angle(const char *what, int64_t number, double angle)
{
    return sw_error(SW_ERR_RANGE,
                    "%s %lld: an angle of %.6g: angles are in rad: need at most %g, beyond which single "
                    "precision is too coarse for them",
                    what, (long long)number, angle, SW_ANGLE_MOST);
}

/* `most`: Pa, of the slip resistance. */
static sw_status verify(int64_t n, const sw_crystal *c, double most)
{
    char what[40];
    if (!isfinite(c->euler[0] + c->euler[1] + c->euler[2]))
        return sw_error(SW_ERR_RANGE, "crystal %lld: need finite angles", (long long)n);
    if (!(largest_angle(c) <= SW_ANGLE_MOST))
        return refuse_angle("crystal", n, largest_angle(c));
    if (c->slip_resistance > 0 && c->slip_resistance <= most)
        return SW_OK;
    snprintf(what, sizeof what, "crystal %lld", (long long)n);
    return sw_check_resistance(what, c->slip_resistance);
}

/* Crystals without an answer, which have no place among these bounds. */
static int has_no_answer(const sw_crystal *c)
{
    const float sum = c->euler[0] + c->euler[1] + c->euler[2] + c->slip_resistance;
    return !isfinite(sum) || !(c->slip_resistance > 0);
}

sw_status sw_check_called(int64_t n, const sw_crystal *crystal, double most, const sw_material *material,
                          int *told)
{
    if (n < 1 || sw_gpu_owns(crystal))
        return SW_OK;
    for (int64_t i = 0; i < n && i < LOOKED_AT; i++) {
        if (!has_no_answer(&crystal[i]))
            SW_TRY(verify(i, &crystal[i], fmax(most, SW_SLIP_RESISTANCE_MOST)));
        *told = *told || doubt(i, &crystal[i], material);
    }
    return SW_OK;
}

sw_status sw_check_crystals(int64_t n, const sw_crystal *crystal, int *told)
{
    for (int64_t i = 0; i < n; i++) {
        SW_TRY(verify(i, &crystal[i], SW_SLIP_RESISTANCE_MOST));
        *told = *told || doubt(i, &crystal[i], NULL);
    }
    return SW_OK;
}

sw_status sw_crystals_verify(int64_t n, const sw_crystal *crystal)
{
    int told = 0;
    return sw_check_crystals(n, crystal, &told);
}

sw_status sw_check_angles(const char *what, int64_t n, const double (*euler)[3])
{
    int told = 0;
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            const double angle = fabs(euler[i][k]);
            if (!is_unlikely(angle))
                continue;
            if (angle > SW_ANGLE_MOST)
                return refuse_angle(what, i, angle);
            if (!told)
                doubt_angle(what, i, angle);
            told = 1;
        }
    return SW_OK;
}

sw_status sw_check_failures(int64_t failed)
{
    return failed == 0
               ? SW_OK
               : sw_error(SW_ERR_CONVERGENCE,
                          "%lld crystals have no answer: not numbers, or no stress satisfies the slip law",
                          (long long)failed);
}

/* ---- Arrays ---- */

static int overlap(const sw_extent *a, const sw_extent *b)
{
    const uintptr_t x = (uintptr_t)a->at, y = (uintptr_t)b->at;
    return a->at != NULL && b->at != NULL && x < y + b->bytes && y < x + a->bytes;
}

sw_status sw_check_apart(int outputs, int n, const sw_extent *array)
{
    for (int i = 0; i < outputs; i++)
        for (int k = i + 1; k < n; k++)
            if (overlap(&array[i], &array[k]))
                return sw_error(SW_ERR_RANGE, "%s and %s share memory: need arrays of their own",
                                array[i].name, array[k].name);
    return SW_OK;
}

/* ---- States ---- */

static sw_status check_layout(const sw_response *r, const sw_crystals *c)
{
    const int numbers = r->layout->numbers, own = c->layout != NULL ? c->layout->numbers : 0;
    if (c->device != r->device)
        return sw_error(SW_ERR_RANGE, "crystals of a %s: need those of the response's %s",
                        c->device == SW_CUDA ? "GPU" : "CPU", r->device == SW_CUDA ? "GPU" : "CPU");
    if (own != numbers || (numbers > 0 && !sw_state_layouts_match(c->layout, r->layout)) ||
        (numbers > 0 && c->state == NULL && c->n > 0))
        return sw_error(
            SW_ERR_RANGE,
            "crystals with %d numbers of state: solver = %s remembers %d of each: need those that "
            "sw_crystals_make makes",
            c->state != NULL ? own : 0, r->solver->traits.name, numbers);
    return SW_OK;
}

sw_status sw_check_packs(const sw_response *r)
{
    return r->packs
               ? SW_OK
               : sw_error(
                     SW_ERR_UNAVAILABLE,
                     "solver = %s: crystals of 8 bytes are for solvers that look up in a table, grid and "
                     "tabulated, under homogenization = taylor, by laws of one resistance",
                     r->solver->traits.name);
}

/* Both alike, or none: and of a response that packs them. */
static sw_status check_packed(const sw_response *r, const sw_crystals *from, const sw_crystals *to)
{
    if (from->packed.word == NULL && (to == NULL || to->packed.word == NULL))
        return SW_OK;
    SW_TRY(sw_check_packs(r));
    return to == NULL ||
                   (from->packed.word != NULL && to->packed.word != NULL &&
                    to->packed.middle == from->packed.middle && to->packed.quantum == from->packed.quantum)
               ? SW_OK
               : sw_error(SW_ERR_RANGE, "a step of packed crystals: need others packed alike for its end");
}

/* What `to` is written to, apart from others. */
static sw_status check_others(const sw_response *r, const sw_crystals *to, int n, const sw_extent *other)
{
    const size_t crystals = (size_t)to->n, numbers = (size_t)r->layout->numbers;
    for (int i = 0; i < n; i++) {
        const sw_extent array[] = {{"crystals", to->crystal, crystals * sizeof *to->crystal},
                                   {"their states", to->state, crystals * numbers * sizeof *to->state},
                                   other[i]};
        SW_TRY(sw_check_apart(2, 3, array));
    }
    return SW_OK;
}

sw_status sw_check_states(const sw_response *response, const sw_crystals *from, const sw_crystals *to, int n,
                          const sw_extent *other)
{
    const size_t crystals = (size_t)from->n, numbers = (size_t)response->layout->numbers;
    const sw_extent begun[] = {
        {"crystals that the step begins with", from->crystal, crystals * sizeof *from->crystal},
        {"states that the step begins with", from->state, crystals * numbers * sizeof *from->state}};
    SW_TRY(check_layout(response, from));
    SW_TRY(check_packed(response, from, to));
    if (to == NULL)
        return SW_OK;
    SW_TRY(check_layout(response, to));
    if (to->n != from->n)
        return sw_error(SW_ERR_RANGE, "a step of %lld crystals into %lld: need as many", (long long)from->n,
                        (long long)to->n);
    SW_TRY(check_others(response, to, n, other));
    return to->crystal == from->crystal && to->state == from->state ? SW_OK
                                                                    : check_others(response, to, 2, begun);
}
