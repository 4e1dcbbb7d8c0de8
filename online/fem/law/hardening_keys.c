#include "hardening_keys.h"

#include <stdio.h>
#include <string.h>

#include "hardening.h"

/* ---- Keys ---- */

static const sw_key_case laws[] = {
    [SW_FEM_PERFECT] = {"none", .help = "the yield stress stays"},
    [SW_FEM_LINEAR] = {"linear", .needs = "modulus", .help = "yield_stress + modulus p"},
    [SW_FEM_VOCE] = {"voce", .needs = "saturation rate", .takes = "modulus",
                     .help = "yield_stress + modulus p + (saturation - yield_stress) (1 - exp(-rate p))"},
    [SW_FEM_TABLE] = {"table", .needs = "table", .help = "straight between rows, constant after the last"},
    {0}};

#define PARAMETER(name, number, least, most) SW_REAL(name, sw_fem_material, parameter[number], least, most)

const sw_key sw_fem_hardening_keys[] = {
    {SW_CASES("law", sw_fem_material, hardening, laws), .needed = 1,
     .help = "the yield stress after equivalent plastic strain p"},
    {PARAMETER("modulus", SW_FEM_MODULUS, 0, 1e15), .unit = "Pa", .otherwise = "0"},
    {PARAMETER("saturation", SW_FEM_SATURATION, 0, 1e15), .unit = "Pa", .help = "at least yield_stress"},
    {PARAMETER("rate", SW_FEM_RATE, 1e-6, 1e9)},
    {.name = "table",
     .type = SW_KEY_LIST,
     .to = offsetof(sw_fem_material, row),
     .entry = SW_KEY_REAL,
     .columns = 2,
     .entry_size = 2 * sizeof(double),
     .capacity = SW_FEM_MOST_ROWS,
     .count_to = offsetof(sw_fem_material, n_rows),
     .least = -INFINITY,
     .most = INFINITY,
     .shortest = 1,
     .bound = "p, ascending from 0, and Pa, not descending",
     .help = "up to 32 rows, without `yield_stress`"},
    SW_KEYS_END};

int sw_fem_hardening_law(const char *name) { return sw_key_find_word(sw_fem_hardening_keys, name); }

/* ---- Checks ---- */

/* Whether `value` is none: then the fault is its. */
static int is_wrong(sw_fem_hardening_fault *fault, const char *key, double value, int holds, const char *need)
{
    if (holds)
        return 0;
    snprintf(fault->key, sizeof fault->key, "%s", key);
    fault->value = value;
    fault->need = need;
    return 1;
}

static int modulus_is_wrong(const sw_fem_material *m, sw_fem_hardening_fault *fault)
{
    const double modulus = m->parameter[SW_FEM_MODULUS];
    return is_wrong(fault, "modulus", modulus, modulus >= 0 && isfinite(modulus), "at least 0: no softening");
}

static void find_voce_fault(const sw_fem_material *m, sw_fem_hardening_fault *fault)
{
    const double saturation = m->parameter[SW_FEM_SATURATION], rate = m->parameter[SW_FEM_RATE];
    if (modulus_is_wrong(m, fault) ||
        is_wrong(fault, "saturation", saturation, saturation >= m->yield_stress && isfinite(saturation),
                 "Pa, at least yield_stress"))
        return;
    is_wrong(fault, "rate", rate, rate >= 0 && isfinite(rate), "at least 0");
}

static int row_is_wrong(const sw_fem_material *m, int i, sw_fem_hardening_fault *fault)
{
    const double *row = m->row[i];
    char key[32];
    snprintf(key, sizeof key, "table[%d][0]", i);
    if (is_wrong(fault, key, row[0], i == 0 ? row[0] == 0 : row[0] > row[-2] && row[0] <= 1e6,
                 i == 0 ? "a plastic strain of 0 first" : "plastic strains that ascend"))
        return 1;
    snprintf(key, sizeof key, "table[%d][1]", i);
    return is_wrong(fault, key, row[1], row[1] > 0 && isfinite(row[1]) && (i == 0 || row[1] >= row[-1]),
                    "Pa, more than 0, not descending: no softening");
}

static void find_table_fault(const sw_fem_material *m, sw_fem_hardening_fault *fault)
{
    if (is_wrong(fault, "rows of the table", m->n_rows, m->n_rows >= 1 && m->n_rows <= SW_FEM_MOST_ROWS,
                 "1 to 32"))
        return;
    for (int i = 0; i < m->n_rows; i++)
        if (row_is_wrong(m, i, fault))
            return;
    is_wrong(fault, "yield_stress", m->yield_stress, m->yield_stress == m->row[0][1], "the table's first");
}

void sw_fem_find_hardening_fault(const sw_fem_material *m, sw_fem_hardening_fault *fault)
{
    memset(fault, 0, sizeof *fault);
    switch ((sw_fem_hardening)m->hardening) {
    case SW_FEM_PERFECT:
        return;
    case SW_FEM_LINEAR:
        modulus_is_wrong(m, fault);
        return;
    case SW_FEM_VOCE:
        find_voce_fault(m, fault);
        return;
    case SW_FEM_TABLE:
        find_table_fault(m, fault);
        return;
    }
    is_wrong(fault, "hardening", m->hardening, 0, "the number of a law");
}
