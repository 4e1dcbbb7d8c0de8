/* A point of a material: material axes, plane stress, finite strains; matter.h. */
#include <math.h>
#include <string.h>

#include "common/math/principal.h"
#include "common/math/tensor.h"
#include "heat.h"

int sw_matter_keeps_nothing(const sw_matter *matter)
{
    (void)matter;
    return 0;
}

int sw_matter_symmetric(const sw_matter *matter)
{
    /* a backstress has no potential where it saturates, or does not follow the stress that D gives */
    const int moves =
        matter->hardening != SW_MATTER_HARDENS_ISOTROPIC && matter->elasticity != SW_MATTER_ISOTROPIC;
    return matter->law->symmetric && matter->backstress.n_rows == 0 && !(matter->law->flows && moves);
}

/* ---- Strains ---- */

void sw_matter_gradient_of(const double h[3][3], double f[3][3])
{
    for (int k = 0; k < 9; k++)
        f[k / 3][k % 3] = h[k / 3][k % 3] + (k % 4 == 0);
}

/* Green's, or the small one. */
static void strain_of(int finite, const double h[3][3], double strain[6])
{
    for (int k = 0; k < 6; k++) {
        const int i = sw_six_row(k), j = sw_six_column(k);
        strain[k] = i == j ? h[i][i] : h[i][j] + h[j][i];
    }
    for (int k = 0; k < 6 && finite; k++) {
        const int i = sw_six_row(k), j = sw_six_column(k);
        for (int l = 0; l < 3; l++)
            strain[k] += (i == j ? 0.5 : 1) * h[l][i] * h[l][j];
    }
}

/* r h r^T */
static void turn_gradient(const double (*axes)[3], const double h[3][3], double out[3][3])
{
    double r[3][3], copy[3][3];
    if (axes == NULL) {
        memcpy(out, h, 9 * sizeof(double));
        return;
    }
    memcpy(r, axes, sizeof r);
    memcpy(copy, h, sizeof copy);
    sw_rotate_tensor(r, copy, out);
}

/* ---- Stresses ---- */

/* stress = q^T stress, tangent = q^T tangent q */
static void turn_back(const double q[6][6], double stress[6], double tangent[6][6])
{
    double turned[6] = {0}, own[6][6];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            turned[i] += q[j][i] * stress[j];
    memcpy(stress, turned, sizeof turned);
    memcpy(own, tangent, sizeof own);
    memset(tangent, 0, sizeof own);
    sw_matter_add_congruent(q, (const double(*)[6])own, tangent);
}

/* Cauchy's stress and the tangent of the Jaumann rate of Kirchhoff's over J become those of Green's strain. */
static void pull_back(const double gradient[3][3], double stress[6], double tangent[6][6])
{
    double f[3][3], inverse[3][3], a[3][3], tau[3][3], q[6][6];
    memcpy(f, gradient, sizeof f);
    const double volume = sw_determinant(f);
    sw_invert(f, inverse);
    for (int i = 0; i < 6; i++)
        stress[i] *= volume;
    sw_tensor_of_six(stress, tau);
    for (int m = 0; m < 6; m++)
        for (int n = 0; n < 6; n++) {
            const int i = sw_six_row(m), j = sw_six_column(m), k = sw_six_row(n), l = sw_six_column(n);
            tangent[m][n] = volume * tangent[m][n] - 0.5 * ((i == k) * tau[j][l] + (i == l) * tau[j][k] +
                                                            (j == k) * tau[i][l] + (j == l) * tau[i][k]);
        }
    for (int k = 0; k < 9; k++)
        a[k / 3][k % 3] = inverse[k % 3][k / 3];
    sw_matter_turning(a, q);
    turn_back(q, stress, tangent);
}

void sw_matter_push_forward(const double gradient[3][3], const double second[6], double cauchy[6])
{
    double f[3][3], s[3][3], turned[3][3];
    memcpy(f, gradient, sizeof f);
    sw_tensor_of_six(second, s);
    sw_rotate_tensor(f, s, turned);
    for (int k = 0; k < 6; k++)
        cauchy[k] = turned[sw_six_row(k)][sw_six_column(k)] / sw_determinant(f);
}

void sw_matter_carried(const sw_matter *matter, int finite, const sw_matter_answer *answer, double strain[6])
{
    const sw_matter_measure measure = matter->law->measure;
    double logarithm[3][3], value[3], axis[3][3];
    memcpy(strain, answer->carried, sizeof answer->carried);
    if (!finite || (measure != SW_MATTER_LOGARITHMIC && measure != SW_MATTER_TRUE))
        return;
    sw_matter_tensor_of(answer->carried, logarithm);
    sw_principal_axes(logarithm, value, axis);
    for (int k = 0; k < 6; k++) {
        strain[k] = 0;
        for (int l = 0; l < 3; l++)
            strain[k] +=
                (k < 3 ? 0.5 : 1) * expm1(2 * value[l]) * axis[l][sw_six_row(k)] * axis[l][sw_six_column(k)];
    }
}

/* ---- In space ---- */

/* f = r u, u symmetric: u takes f's place. */
static void take_rotation_off(double f[3][3])
{
    double c[3][3], value[3], axis[3][3];
    sw_multiply_transposed(f, f, c);
    sw_principal_axes(c, value, axis);
    for (int k = 0; k < 9; k++) {
        f[k / 3][k % 3] = 0;
        for (int l = 0; l < 3; l++)
            f[k / 3][k % 3] += sqrt(value[l]) * axis[l][k / 3] * axis[l][k % 3];
    }
}

/* Stresses over the reference volume, t = J s: d t = J (d s + s (x) 1 d e). Where the law's tangent is symmetric so is this:
 * it has the mean of s (x) 1 and 1 (x) s, which leaves Newton's steps as good as exact, s being small beside the bulk
 * modulus. */
static void by_reference(int symmetric, const sw_matter_logarithm *logarithm, double stress[6],
                         double tangent[6][6])
{
    const double *v = logarithm->value, volume = sqrt(v[0] * v[1] * v[2]);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            const double across = j < 3 ? stress[i] : 0, along = i < 3 ? stress[j] : 0;
            tangent[i][j] = volume * (tangent[i][j] + (symmetric ? 0.5 * (across + along) : across));
        }
    for (int i = 0; i < 6; i++)
        stress[i] *= volume;
}

/* x <- by x */
static void transform(const double by[6][6], double x[6])
{
    double old[6];
    memcpy(old, x, sizeof old);
    for (int i = 0; i < 6; i++) {
        x[i] = 0;
        for (int j = 0; j < 6; j++)
            x[i] += by[i][j] * old[j];
    }
}

/* Green's strain of a spatial law, whose lengths are divided by what is free. */
static void divide(const double green[6], const double free[6], double carried[6])
{
    for (int k = 0; k < 6; k++) {
        const double over = exp(-free[sw_six_row(k)] - free[sw_six_column(k)]);
        carried[k] = k < 3 ? 0.5 * ((1 + 2 * green[k]) * over - 1) : green[k] * over;
    }
}

/* done->own: the law's stress over the reference volume, of what is carried. */
static sw_status ask_law(const sw_matter *matter, const sw_matter_point *point, sw_matter_ask *ask,
                         const double *old, double *new_state, sw_matter_answer *answer, sw_matter_done *done)
{
    sw_matter_logarithm logarithm;
    double tangent[6][6];
    const sw_matter_measure measure = matter->law->measure;
    const int logarithmic = point->finite && (measure == SW_MATTER_LOGARITHMIC || measure == SW_MATTER_TRUE);
    if (logarithmic) {
        SW_TRY(sw_matter_logarithm_of(ask->gradient, ask->strain, &logarithm));
        memcpy(ask->strain, logarithm.strain, sizeof ask->strain);
        if (matter->law->flows && sw_matter_off_stretch(matter))
            transform((const double(*)[6])logarithm.first, done->heat);
    }
    if (point->finite && measure == SW_MATTER_SPATIAL)
        divide(ask->strain, ask->thermal, answer->carried);
    for (int i = 0; i < 6; i++) {
        ask->strain[i] -= ask->thermal[i];
        ask->strain_before[i] -= ask->thermal_before[i];
    }
    if (!point->finite || measure != SW_MATTER_SPATIAL)
        memcpy(answer->carried, ask->strain, sizeof answer->carried);
    if (!logarithmic) {
        SW_TRY(matter->law->respond(matter, ask, old, new_state, answer->stress, answer->tangent));
        memcpy(done->own, answer->stress, sizeof answer->stress);
        return SW_OK;
    }
    SW_TRY(matter->law->respond(matter, ask, old, new_state, done->own, tangent));
    if (measure == SW_MATTER_TRUE)
        by_reference(sw_matter_symmetric(matter), &logarithm, done->own, tangent);
    sw_matter_from_logarithmic(&logarithm, done->own, (const double(*)[6])tangent, answer->stress,
                               answer->tangent);
    return SW_OK;
}

static void add_free_strain(const sw_matter_point *point, sw_matter_ask *ask)
{
    double q[6][6];
    if (point->axes != NULL)
        sw_matter_turning(point->axes, q);
    for (int i = 0; i < 6; i++) {
        double own = point->axes != NULL ? 0 : point->free_strain[i];
        for (int j = 0; j < 6 && point->axes != NULL; j++)
            own += q[i][j] * point->free_strain[j];
        ask->thermal[i] += own;
        ask->thermal_before[i] += own;
    }
}

/* Heat of a law that does not flow, in space's axes. */
static void turn_heat(const double (*axes)[3], double heat[6])
{
    double across[3][3], q[6][6];
    for (int k = 0; k < 9; k++)
        across[k / 3][k % 3] = axes[k % 3][k / 3];
    sw_matter_turning((const double(*)[3])across, q);
    transform((const double(*)[6])q, heat);
}

/* The point's gradients and strains in the material's axes. */
static void deform(const sw_matter_point *point, sw_matter_ask *ask)
{
    double h[3][3];
    turn_gradient(point->axes, point->h_before, h);
    sw_matter_gradient_of(h, ask->gradient_before);
    strain_of(point->finite, h, ask->strain_before);
    turn_gradient(point->axes, point->h, h);
    sw_matter_gradient_of(h, ask->gradient);
    strain_of(point->finite, h, ask->strain);
}

/* All of the gradient is given. */
static sw_status respond(const sw_matter *matter, const sw_matter_point *point, const double *old,
                         double *new_state, sw_matter_answer *answer)
{
    sw_matter_ask ask = {.finite = point->finite,
                         .turned = point->axes != NULL,
                         .temperature = point->temperature,
                         .temperature_before = point->temperature_before,
                         .time = point->time,
                         .dt = point->dt,
                         .step_time = point->step_time,
                         .step = point->step,
                         .increment = point->increment,
                         .element = point->element,
                         .point = point->point,
                         .layer = point->layer,
                         .length = point->length};
    memcpy(ask.at, point->at, sizeof ask.at);
    sw_matter_done done = {.ask = &ask};
    double by[6][6];
    const int expands = matter->expansion_columns > 0;
    deform(point, &ask);
    if (expands)
        sw_matter_expand(matter, point, &ask, done.heat, by);
    if (point->free_strain != NULL)
        add_free_strain(point, &ask);
    if (ask.turned && ask.finite && matter->law->measure == SW_MATTER_SPATIAL) {
        take_rotation_off(ask.gradient);
        take_rotation_off(ask.gradient_before);
    }
    if (expands && point->axes != NULL && !matter->law->flows)
        turn_heat(point->axes, done.heat);
    SW_TRY(ask_law(matter, point, &ask, old, new_state, answer, &done));
    if (point->finite && matter->law->measure == SW_MATTER_SPATIAL)
        pull_back((const double(*)[3])ask.gradient, answer->stress, answer->tangent);
    if (expands && point->finite && sw_matter_off_stretch(matter))
        sw_matter_by_all(sw_matter_symmetric(matter), (const double(*)[6])by, answer->tangent);
    if (point->axes != NULL) {
        double q[6][6];
        sw_matter_turning(point->axes, q);
        turn_back((const double(*)[6])q, answer->stress, answer->tangent);
    }
    answer->first = answer->tangent[0][0];
    strain_of(point->finite, point->h, answer->strain);
    strain_of(point->finite, point->h_before, done.strain_before);
    sw_matter_add_work(matter, &done, answer, old, new_state);
    return SW_OK;
}

/* ---- Plane and uniaxial stress ---- */

/* What vanishes, last first. */
static const int free_component[2] = {2, 1};

/* h of a free component's strain (finite: of Green), whose other rows and columns have none of theirs. */
static double gradient_of(int finite, double strain)
{
    return finite ? 2 * strain / (1 + sqrt(1 + 2 * strain)) : strain;
}

/* Newton's change of the free strains, whose stresses vanish; what is left of them is returned over the tangent. */
static double correct(int n, const sw_matter_answer *answer, double change[2])
{
    const double(*d)[6] = answer->tangent, *s = answer->stress;
    if (n == 1)
        change[0] = -s[2] / d[2][2];
    else {
        const double determinant = d[2][2] * d[1][1] - d[2][1] * d[1][2];
        change[0] = (-s[2] * d[1][1] + s[1] * d[2][1]) / determinant;
        change[1] = (-s[1] * d[2][2] + s[2] * d[1][2]) / determinant;
    }
    return n > 1 ? fmax(fabs(change[0]), fabs(change[1])) : fabs(change[0]);
}

static void condense(int n, sw_matter_answer *answer)
{
    for (int l = 0; l < n; l++) {
        const int k = free_component[l];
        const double over = 1 / answer->tangent[k][k];
        double row[6], column[6];
        for (int i = 0; i < 6; i++) {
            row[i] = answer->tangent[k][i];
            column[i] = answer->tangent[i][k];
        }
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 6; j++)
                answer->tangent[i][j] =
                    i == k || j == k ? 0 : answer->tangent[i][j] - column[i] * over * row[j];
        }
        answer->stress[k] = 0;
    }
}

enum { MOST_CORRECTIONS = 60 };
#define ROUNDING 4e-16 /* of what strains are made of, which is at most about 1 */

static sw_status respond_thin(const sw_matter *matter, sw_matter_point *point, const double *old,
                              double *new_state, sw_matter_answer *answer)
{
    const int n = point->plane_stress, at = matter->law->n_state(matter);
    double *of[2] = {&point->h[2][2], &point->h[1][1]}, change[2], last = INFINITY;
    for (int l = 0; l < n; l++)
        *of[l] = point->h_before[2 - l][2 - l] = old[at + 1 - l];
    for (int step = 0; step < MOST_CORRECTIONS; step++) {
        SW_TRY(respond(matter, point, old, new_state, answer));
        double size = 0;
        for (int i = 0; i < 6; i++)
            size = fmax(size, fabs(answer->strain[i]));
        const double left = correct(n, answer, change);
        if (left <= 1e-12 * size || (left <= ROUNDING && left >= last / 2)) { /* no longer falls */
            for (int l = 0; l < 2; l++)
                new_state[at + 1 - l] = l < n ? *of[l] : 0;
            condense(n, answer);
            return SW_OK;
        }
        last = left;
        for (int l = 0; l < n; l++) {
            const double strain = answer->strain[free_component[l]];
            const double least = point->finite ? -0.25 * (1 + 2 * strain) : -INFINITY; /* F stays positive */
            *of[l] = gradient_of(point->finite, strain + fmax(change[l], least));
        }
    }
    return sw_error(SW_ERR_CONVERGENCE, "material %s: no stress that is plane", matter->name);
}

sw_status sw_matter_respond(const sw_matter *matter, sw_matter_point *point, const double *old,
                            double *new_state, sw_matter_answer *answer)
{
    if (point->plane_stress)
        return respond_thin(matter, point, old, new_state, answer);
    const int at = matter->law->n_state(matter);
    new_state[at] = new_state[at + 1] = 0;
    return respond(matter, point, old, new_state, answer);
}
