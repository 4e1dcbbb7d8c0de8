/* A user's material: the subroutine UMAT of Abaqus from a shared library, called as that program calls it for solids: six
 * components 11 22 33 12 13 23, engineering shears, matrices by columns. At finite strains it gives Cauchy's stress and the
 * tangent of the Jaumann rate of Kirchhoff's over J. With axes of their own points see the gradient less its rotation,
 * since those axes turn with the body, and DROT is 1.
 *
 * CELENT is the element's length at rest, COORDS with NLGEOM the present place, LAYER that of a layered shell; of shells and
 * beams all are of the solids that they become, and NPT counts their points. KSPT is 1, PREDEF and DPRED are 0.
 *
 * A point keeps: state variables [n_states], zeros that say whether the subroutine wrote beyond them [8], stress [6] and
 * strain [6] in the subroutine's order, three energies. */
#include <ctype.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/math/elimination.h"
#include "common/math/principal.h"
#include "common/math/tensor.h"
#include "matter.h"

enum { BEYOND = 8, KEPT = BEYOND + 15 };

typedef void subroutine(double *stress, double *statev, double *ddsdde, double *sse, double *spd, double *scd,
                        double *rpl, double *ddsddt, double *drplde, double *drpldt, const double *stran,
                        const double *dstran, const double *time, const double *dtime, const double *temp,
                        const double *dtemp, const double *predef, const double *dpred, const char *cmname,
                        const int *ndi, const int *nshr, const int *ntens, const int *nstatv,
                        const double *props, const int *nprops, const double *coords, const double *drot,
                        double *pnewdt, const double *celent, const double *dfgrd0, const double *dfgrd1,
                        const int *noel, const int *npt, const int *layer, const int *kspt, const int *kstep,
                        const int *kinc, size_t cmname_length);

/* Of the subroutine's component: its place in 11 22 33 23 13 12. */
static const int place[6] = {0, 1, 2, 5, 4, 3};

/* ---- What the increment is ---- */

/* The increment's strain and spin at its middle, 2 (A - 1) (A + 1)^-1 of A = F F_before^-1, and the rotation of the spin,
 * (1 - w / 2)^-1 (1 + w / 2) (Hughes and Winget 1980). */
static void middle(double before[3][3], double after[3][3], double strain[6], double turn[3][3])
{
    double inverse[3][3], a[3][3], less[3][3], more[3][3], l[3][3];
    sw_invert(before, inverse);
    sw_multiply(after, inverse, a);
    for (int k = 0; k < 9; k++) {
        less[k / 3][k % 3] = 2 * (a[k / 3][k % 3] - (k % 4 == 0));
        more[k / 3][k % 3] = a[k / 3][k % 3] + (k % 4 == 0);
    }
    sw_invert(more, inverse);
    sw_multiply(less, inverse, l);
    for (int k = 0; k < 6; k++)
        strain[k] =
            (k < 3 ? 0.5 : 1) * (l[sw_six_row(k)][sw_six_column(k)] + l[sw_six_column(k)][sw_six_row(k)]);
    for (int k = 0; k < 9; k++) {
        const double half = 0.25 * (l[k / 3][k % 3] - l[k % 3][k / 3]);
        less[k / 3][k % 3] = (k % 4 == 0) - half;
        more[k / 3][k % 3] = (k % 4 == 0) + half;
    }
    sw_invert(less, inverse);
    sw_multiply(inverse, more, turn);
}

/* r t r^T of six components in the subroutine's order; shear: what a shear has of the tensor's. */
static void turn_six(double r[3][3], double shear, double six[6])
{
    double t[3][3], turned[3][3];
    for (int c = 0; c < 6; c++) {
        const int i = sw_six_row(place[c]), j = sw_six_column(place[c]);
        t[i][j] = t[j][i] = six[c] / (c < 3 ? 1 : shear);
    }
    sw_rotate_tensor(r, t, turned);
    for (int c = 0; c < 6; c++)
        six[c] = turned[sw_six_row(place[c])][sw_six_column(place[c])] * (c < 3 ? 1 : shear);
}

/* ---- The call ---- */

/* What the subroutine is told of the increment. */
typedef struct {
    double before[3][3], after[3][3]; /* F by columns */
    double strain[6], change[6];      /* STRAN, DSTRAN */
    double turn[3][3];                /* DROT by columns */
} told;

static void transpose(double a[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++)
            sw_swap_numbers(&a[i][j], &a[j][i]);
}

static void tell_small(const sw_matter_ask *ask, told *to)
{
    for (int c = 0; c < 6; c++) {
        to->strain[c] = ask->strain_before[place[c]];
        to->change[c] = ask->strain[place[c]] - ask->strain_before[place[c]];
    }
    for (int i = 0; i < 3; i++)
        to->turn[i][i] = 1;
}

/* `stress` and the strain, as they were, move with the increment's rotation. */
static void tell_finite(const sw_matter_ask *ask, const double *strain, double stress[6], told *to)
{
    double change[6];
    middle(to->before, to->after, change, to->turn);
    if (ask->turned) {
        memset(to->turn, 0, sizeof to->turn);
        for (int i = 0; i < 3; i++)
            to->turn[i][i] = 1;
    }
    memcpy(to->strain, strain, sizeof to->strain);
    turn_six(to->turn, 2, to->strain);
    turn_six(to->turn, 1, stress);
    for (int c = 0; c < 6; c++)
        to->change[c] = change[place[c]] - (ask->thermal[place[c]] - ask->thermal_before[place[c]]);
}

static void tell(const sw_matter_ask *ask, const double *strain, double stress[6], told *to)
{
    *to = (told){.strain = {0}};
    memcpy(to->before, ask->gradient_before, sizeof to->before);
    memcpy(to->after, ask->gradient, sizeof to->after);
    if (ask->finite)
        tell_finite(ask, strain, stress, to);
    else
        tell_small(ask, to);
    transpose(to->before);
    transpose(to->after);
    transpose(to->turn);
}

static void name_of(const char *text, char name[80])
{
    memset(name, ' ', 80);
    for (int i = 0; i < 80 && text[i] != '\0'; i++)
        name[i] = (char)toupper((unsigned char)text[i]);
}

static double call(const sw_matter *matter, const sw_matter_ask *ask, const told *to, double *own,
                   double stress[6], double energy[3], double ddsdde[6][6])
{
    const double start = ask->time - ask->dt,
                 time[2] = {ask->step_time > 0 ? ask->step_time - ask->dt : start, start}, none[1] = {0},
                 length = ask->length > 0 ? ask->length : 1;
    const double warming = ask->temperature - ask->temperature_before;
    const int n_normal = 3, n_shear = 3, n = 6, one = 1, element = (int)ask->element, point = ask->point + 1;
    const int layer = ask->layer > 0 ? ask->layer : 1;
    const int step[4] = {ask->step > 0 ? ask->step : 1, 0, ask->finite, 0};
    const int number = ask->increment > 0 ? ask->increment : start > 0 ? 2 : 1;
    double rpl = 0, ddsddt[6] = {0}, drplde[6] = {0}, drpldt = 0, smaller = 1;
    char name[80];
    name_of(matter->name, name);
    ((subroutine *)matter->umat)(
        stress, own, ddsdde[0], &energy[0], &energy[1], &energy[2], &rpl, ddsddt, drplde, &drpldt, to->strain,
        to->change, time, &ask->dt, &ask->temperature_before, &warming, none, none, name, &n_normal, &n_shear,
        &n, &matter->n_states, matter->constant, &matter->n_constants, ask->at, to->turn[0], &smaller,
        &length, to->before[0], to->after[0], &element, &point, &layer, &one, step, &number, 80);
    return smaller;
}

static int n_state(const sw_matter *matter) { return matter->n_states + KEPT; }

static sw_status respond(const sw_matter *matter, const sw_matter_ask *ask, const double *old,
                         double *new_state, double stress[6], double tangent[6][6])
{
    const int n = matter->n_states + BEYOND;
    double *kept = new_state + n, ddsdde[6][6] = {{0}}; /* by columns */
    told to;
    memcpy(new_state, old, (size_t)n_state(matter) * sizeof(double));
    tell(ask, old + n + 6, kept, &to);
    const double smaller = call(matter, ask, &to, new_state, kept, kept + 12, ddsdde);
    for (int i = matter->n_states; i < n; i++)
        if (new_state[i] != 0)
            return sw_error(
                SW_ERR_INPUT,
                "user material %s: its subroutine wrote state variable %d of %d: need more by *DEPVAR",
                matter->name, i + 1, matter->n_states);
    if (smaller < 1)
        return sw_error(SW_ERR_CONVERGENCE, "user material %s: an increment of %g times this is wanted",
                        matter->name, smaller);
    for (int c = 0; c < 6; c++) {
        kept[6 + c] = to.strain[c] + to.change[c];
        stress[place[c]] = kept[c];
        for (int e = 0; e < 6; e++)
            tangent[place[c]][place[e]] = ddsdde[e][c];
        if (!isfinite(kept[c]))
            return sw_error(SW_ERR_CONVERGENCE, "user material %s: stress %g", matter->name, kept[c]);
    }
    return SW_OK;
}

void sw_matter_begin_user(const sw_matter *matter, const double stress[6], double *state)
{
    for (int c = 0; c < 6; c++)
        state[matter->n_states + BEYOND + c] = stress[place[c]];
}

/* ---- The law ---- */

static int is_user(const sw_matter *matter) { return matter->n_constants > 0 || matter->umat != NULL; }

const sw_matter_law sw_matter_user = {.name = "user material",
                                      .measure = SW_MATTER_SPATIAL,
                                      .is = is_user,
                                      .n_state = n_state,
                                      .respond = respond};

sw_status sw_matter_load(sw_matter *matter, const char *library)
{
    char path[4096];
    snprintf(path, sizeof path, "%s%s", strchr(library, '/') == NULL ? "./" : "", library);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL), *found = NULL;
    if (handle == NULL)
        return sw_error(SW_ERR_IO, "material %s: %s", matter->name, dlerror());
    if ((found = dlsym(handle, "umat_")) == NULL && (found = dlsym(handle, "umat")) == NULL) {
        dlclose(handle);
        return sw_error(SW_ERR_IO, "material %s: %s has no umat_, and no umat", matter->name, library);
    }
    if (matter->library != NULL)
        dlclose(matter->library);
    matter->library = handle;
    memcpy(&matter->umat, &found, sizeof found);
    return SW_OK;
}
