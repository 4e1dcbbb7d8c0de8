/* POSTMORT.IN and POSTMORT.OUT: records of Fortran, each between two counts of its bytes, of real*8 and integer*4, as gfortran
 * writes them on a machine of little ends. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/output_file.h"
#include "common/files/text.h"
#include "run.h"

/* A file on its way in or out. */
typedef struct {
    FILE *file;
    const char *path;
    int writing, record; /* number of the record, from 1 on */
} tape;

static sw_status move(tape *t, const char *what, size_t bytes, void *data)
{
    const int32_t count = (int32_t)bytes;
    int32_t before = count, after = count;
    t->record++;
    int good;
    if (t->writing)
        good = fwrite(&before, 4, 1, t->file) == 1 && fwrite(data, 1, bytes, t->file) == bytes &&
               fwrite(&after, 4, 1, t->file) == 1;
    else
        good = fread(&before, 4, 1, t->file) == 1 && before == count &&
               fread(data, 1, bytes, t->file) == bytes && fread(&after, 4, 1, t->file) == 1 && after == count;
    if (!good && t->writing)
        return sw_error(SW_ERR_IO, "%s: cannot write record %d, %s", t->path, t->record, what);
    if (!good)
        return sw_error(
            SW_ERR_FORMAT,
            "%s: record %d: need %s, %zu bytes between two counts of them, and found %ld: it is of another "
            "polycrystal, or of another compiler",
            t->path, t->record, what, bytes, (long)before);
    return SW_OK;
}

/* Of numbers that came in. least: -DBL_MAX, 0, or DBL_MIN. */
static sw_status check_reals(const tape *t, const char *what, int64_t n, double least, const double *real)
{
    for (int64_t i = 0; i < n; i++)
        if (!(real[i] >= least && real[i] <= DBL_MAX))
            return sw_error(SW_ERR_FORMAT, "%s: record %d, %s: number %lld is %g: need a finite one%s",
                            t->path, t->record, what, (long long)i + 1, real[i],
                            least < 0   ? ""
                            : least > 0 ? " above 0"
                                        : " of 0 or more");
    return SW_OK;
}

static sw_status move_reals(tape *t, const char *what, int64_t n, double least, double *real)
{
    SW_TRY(move(t, what, (size_t)n * sizeof *real, real));
    return t->writing ? SW_OK : check_reals(t, what, n, least, real);
}

/* Numbers that stand apart: gathered, moved, and where they come in put back. */
static sw_status move_numbers(tape *t, const char *what, int64_t n, double **number)
{
    double *row;
    SW_TRY(SW_ALLOCATE(row, n > 0 ? n : 1, what));
    for (int64_t i = 0; i < n && t->writing; i++)
        row[i] = *number[i];
    const sw_status status = move_reals(t, what, n, -DBL_MAX, row);
    for (int64_t i = 0; i < n && !t->writing && status == SW_OK; i++)
        *number[i] = row[i];
    free(row);
    return status;
}

/* By columns, as Fortran has them. */
static sw_status move_matrix(tape *t, const char *what, int rows, int columns, double *a)
{
    double *number[25];
    for (int i = 0; i < rows * columns; i++)
        number[i] = a + i % rows * columns + i / rows;
    return move_numbers(t, what, (int64_t)rows * columns, number);
}

static sw_status move_medium(tape *t, sw_vpsc_medium *m)
{
    SW_TRY(move_reals(t, "the mean strain rate", 5, -DBL_MAX, m->mean_d));
    SW_TRY(move_reals(t, "the mean stress", 5, -DBL_MAX, m->mean_stress));
    SW_TRY(move_reals(t, "the medium's rate without stress", 5, -DBL_MAX, m->d0));
    SW_TRY(move_matrix(t, "the medium's compliance", 5, 5, &m->m[0][0]));
    return move_matrix(t, "the medium's stiffness", 5, 5, &m->l[0][0]);
}

/* All phases' stresses in one record. */
static sw_status move_stresses(tape *t, sw_vpsc_polycrystal *polycrystal)
{
    double(*five)[5];
    SW_TRY(SW_ALLOCATE(five, polycrystal->n, "stresses"));
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < polycrystal->n_phases; i++) {
            sw_vpsc_grains_of *p = &polycrystal->phase[i];
            for (int64_t g = 0; g < p->n; g++) {
                double six[6] = {0};
                if (pass == 0 && t->writing) {
                    sw_vpsc_to_basis(p->stress[g], six);
                    memcpy(five[p->first + g], six, sizeof *five);
                } else if (pass == 1 && !t->writing) {
                    memcpy(six, five[p->first + g], sizeof *five);
                    sw_vpsc_from_basis(six, p->stress[g]);
                }
            }
        }
        const sw_status status =
            pass == 0 ? move_reals(t, "the grains' stresses", 5 * polycrystal->n, -DBL_MAX, *five) : SW_OK;
        if (status != SW_OK) {
            free(five);
            return status;
        }
    }
    free(five);
    return SW_OK;
}

static sw_status move_ellipsoid(tape *t, sw_vpsc_ellipsoid *e)
{
    double *axes[12];
    for (int j = 0; j < 3; j++) {
        axes[4 * j] = &e->axes[j];
        for (int i = 0; i < 3; i++)
            axes[4 * j + 1 + i] = &e->along[i][j];
    }
    SW_TRY(move_numbers(t, "an ellipsoid's axes", 12, axes));
    return move_matrix(t, "an ellipsoid's deformation", 3, 3, &e->f[0][0]);
}

/* A grain's orientation is a rotation, or what sample rotations of a few digits leave of one. */
static sw_status check_turns(const tape *t, const sw_vpsc_grains_of *p)
{
    for (int64_t g = 0; g < p->n; g++) {
        double across[3][3], square[3][3];
        memcpy(across, p->turn[g], sizeof across);
        sw_multiply_transposed(across, across, square);
        for (int k = 0; k < 9; k++)
            if (!(fabs(square[k / 3][k % 3] - (k % 4 == 0)) <= 0.1) || !(sw_determinant(across) > 0))
                return sw_error(SW_ERR_FORMAT, "%s: record %d, orientations: grain %lld: need a rotation",
                                t->path, t->record, (long long)g + 1);
    }
    return SW_OK;
}

/* How often grains turned: twice at most; of twins that are grains of a phase it is their rank among six. */
static sw_status check_turned(const tape *t, const sw_vpsc_polycrystal *polycrystal,
                              const sw_vpsc_grains_of *p)
{
    const int most = polycrystal->twin_law == SW_VPSC_FRACTION_TRANSFER ? 5 : 2;
    for (int64_t g = 0; g < p->n; g++)
        if (!(p->turned[g] >= 0 && p->turned[g] <= most))
            return sw_error(SW_ERR_FORMAT,
                            "%s: record %d, how often grains turned: grain %lld: %d: need 0 to %d", t->path,
                            t->record, (long long)g + 1, p->turned[g], most);
    return SW_OK;
}

/* By which twin, from 1 on, of either sign; 0: by none. */
static sw_status check_tagged(const tape *t, const sw_vpsc_grains_of *p)
{
    const int first = p->input->crystal.n_slip + 1, last = p->systems;
    for (int64_t g = 0; g < p->n; g++) {
        const int64_t tag = p->tagged[g], twin = tag < 0 ? -tag : tag;
        if (twin != 0 && !(twin >= first && twin <= last))
            return sw_error(SW_ERR_FORMAT,
                            "%s: record %d, twins that turned grains: grain %lld: %lld: need 0, or a twin, "
                            "%d to %d or less than 0",
                            t->path, t->record, (long long)g + 1, (long long)tag, first, last);
    }
    return SW_OK;
}

static sw_status move_twins(tape *t, const sw_vpsc_polycrystal *polycrystal, sw_vpsc_grains_of *p)
{
    const int modes = p->input->crystal.n_twin_modes, twins = p->systems - p->input->crystal.n_slip;
    double *reoriented[2] = {&p->twins.primary, &p->twins.secondary}, *row;
    SW_TRY(move_numbers(t, "fractions of grains that turned", 2, reoriented));
    SW_TRY(move(t, "how often grains turned", (size_t)p->n * sizeof *p->turned, p->turned));
    SW_TRY(check_turned(t, polycrystal, p));
    SW_TRY(move_reals(t, "fractions of twins", modes, -DBL_MAX, p->twins.fraction));
    SW_TRY(move_reals(t, "effective fractions of twins", modes, -DBL_MAX, p->twins.effective));
    SW_TRY(move(t, "twins that turned grains", (size_t)p->n * sizeof *p->tagged, p->tagged));
    SW_TRY(check_tagged(t, p));
    SW_TRY(SW_ALLOCATE(row, p->n * p->systems, "fractions of twins"));
    for (int64_t g = 0; g < p->n && t->writing; g++)
        memcpy(row + g * p->systems, p->variant + g * (twins + 1), (size_t)twins * sizeof *row);
    const sw_status status = move_reals(t, "fractions of each twin", p->n * p->systems, -DBL_MAX, row);
    for (int64_t g = 0; g < p->n && !t->writing && status == SW_OK; g++)
        memcpy(p->variant + g * (twins + 1), row + g * p->systems, (size_t)twins * sizeof *row);
    free(row);
    return status;
}

static sw_status move_phase(tape *t, const sw_vpsc_polycrystal *polycrystal, sw_vpsc_grains_of *p)
{
    double **place;
    SW_TRY(move_ellipsoid(t, &p->ellipsoid));
    SW_TRY(SW_ALLOCATE(place, 9 * p->n, "orientations"));
    for (int64_t g = 0; g < p->n; g++)
        for (int k = 0; k < 9; k++)
            place[9 * g + k] = &p->turn[g][k % 3][k / 3];
    const sw_status status = move_numbers(t, "orientations", 9 * p->n, place);
    free(place);
    SW_TRY(status);
    SW_TRY(check_turns(t, p));
    SW_TRY(move_reals(t, "weights", p->n, 0, p->weight));
    SW_TRY(move_reals(t, "slips", p->n, -DBL_MAX, p->slipped));
    SW_TRY(move_reals(t, "slip resistances", p->n * p->systems, DBL_MIN, p->crss));
    return p->input->crystal.n_twin_modes > 0 ? move_twins(t, polycrystal, p) : SW_OK;
}

static sw_status move_strains(tape *t, sw_vpsc_polycrystal *p)
{
    static const int six[9] = {0, 5, 4, 5, 1, 3, 4, 3, 2};
    double *number[11];
    for (int k = 0; k < 9; k++)
        number[k] = &p->strain[six[k]];
    number[9] = &p->mises_strain;
    number[10] = &p->control_strain;
    SW_TRY(move_numbers(t, "strains", 11, number));
    for (int k = 0; k < 11 && !t->writing && p->compatible; k++)
        *number[k] = 0; /* VPSC8 counts from here */
    return SW_OK;
}

/* Of a state after the first step no more than stresses: for quick starts. */
static sw_status move_all(tape *t, sw_vpsc_run *run, int32_t step)
{
    sw_vpsc_polycrystal *polycrystal = &run->polycrystal;
    sw_vpsc_medium medium;
    if (t->writing)
        sw_vpsc_medium_of(run->solver, polycrystal, &medium);
    SW_TRY(move(t, "the step", sizeof step, &step));
    SW_TRY(move_medium(t, &medium));
    SW_TRY(move_stresses(t, polycrystal));
    if (step != 1) {
        SW_TRY(move_strains(t, polycrystal));
        SW_TRY(move_ellipsoid(t, &polycrystal->ellipsoid));
        for (int p = 0; p < polycrystal->n_phases; p++)
            SW_TRY(move_phase(t, polycrystal, &polycrystal->phase[p]));
    }
    if (!t->writing)
        sw_vpsc_recover(run->solver, polycrystal, &medium);
    return SW_OK;
}

sw_status sw_vpsc_write_state(sw_vpsc_run *run)
{
    tape t = {.file = sw_vpsc_output_file(run->output, "POSTMORT.OUT"), .path = "POSTMORT.OUT", .writing = 1};
    return move_all(&t, run, (int32_t)run->place.step);
}

sw_status sw_vpsc_read_state(sw_vpsc_run *run)
{
    const sw_vpsc_records from = {.path = run->input->path, .line = 1};
    char *path;
    SW_TRY(sw_vpsc_find_file(&from, "POSTMORT.IN", &path));
    tape t = {.path = path};
    sw_status status = sw_open_text(path, &t.file);
    if (status == SW_OK)
        status = move_all(&t, run, 0);
    if (t.file != NULL)
        fclose(t.file);
    free(path);
    return status;
}
