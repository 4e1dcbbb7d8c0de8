#include "elastic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/elimination.h"
#include "common/math/six.h"
#include "hill.h"

enum { ITERATIONS = 100 };

/* What grains of one shape have in common: 1/P of Hill's tensor, and C~ = 1/P - C, of the last iteration. */
typedef struct {
    double inverse_p[6][6], tilde[6][6];
} surrounding;

/* A phase's. Own shapes: a surrounding a grain, else one. */
typedef struct {
    double stiffness[6][6], compliance[6][6], expansion[6]; /* of its crystal */
    int64_t n;
    int own;
    surrounding *around;
    double (*d)[6][6]; /* [N] 1/(C_g + C~) */
} phase_part;

struct sw_vpsc_elastic {
    int n_phases;
    phase_part of[SW_VPSC_PHASES];
    sw_vpsc_moduli moduli;
};

/* ---- Small algebra ---- */

static void multiply(const double a[6][6], const double b[6][6], double c[6][6])
{
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            c[i][j] = 0;
            for (int k = 0; k < 6; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

static void apply(const double a[6][6], const double x[6], double y[6])
{
    for (int i = 0; i < 6; i++) {
        y[i] = 0;
        for (int k = 0; k < 6; k++)
            y[i] += a[i][k] * x[k];
    }
}

static int invert(const double a[6][6], double inverse[6][6])
{
    for (int j = 0; j < 6; j++) {
        double work[36], x[6], one[6] = {0};
        memcpy(work, a, sizeof work);
        one[j] = 1;
        if (!sw_solve_by_elimination(6, 6, work, one, x))
            return 0;
        for (int i = 0; i < 6; i++)
            inverse[i][j] = x[i];
    }
    return 1;
}

/* Of a symmetric positive definite one. */
static void invert_symmetric(const double a[6][6], double inverse[6][6])
{
    static const double least[6] = {0};
    double pivot[6];
    memcpy(inverse, a, 36 * sizeof(double));
    sw_invert_symmetric(6, least, &inverse[0][0], pivot);
}

static void transform(const double q[6][6], const double a[6][6], double out[6][6])
{
    double half[6][6];
    multiply(q, a, half);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            out[i][j] = 0;
            for (int k = 0; k < 6; k++)
                out[i][j] += half[i][k] * q[j][k];
        }
}

/* What a rotation does to tensors in the basis. */
static void turn_of(const double r[3][3], double q[6][6])
{
    for (int a = 0; a < 6; a++) {
        double one[6] = {0}, six[6], half[3][3], turned[6], b[6];
        one[a] = 1;
        sw_vpsc_from_basis(one, six);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                half[i][j] = r[i][0] * six[sw_six_of(0, j)] + r[i][1] * six[sw_six_of(1, j)] +
                             r[i][2] * six[sw_six_of(2, j)];
        for (int k = 0; k < 6; k++) {
            const double *const row = half[sw_six_row(k)], *const column = r[sw_six_column(k)];
            turned[k] = row[0] * column[0] + row[1] * column[1] + row[2] * column[2];
        }
        sw_vpsc_to_basis(turned, b);
        for (int i = 0; i < 6; i++)
            q[i][a] = b[i];
    }
}

/* Components ijkl -> the basis: b_a : C : b_b. */
static void to_basis(const double component[6][6], double m[6][6])
{
    for (int b = 0; b < 6; b++) {
        double one[6] = {0}, strain[6], stress[6] = {0}, column[6];
        one[b] = 1;
        sw_vpsc_from_basis(one, strain);
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++)
                stress[i] += component[i][j] * (j < 3 ? 1 : 2) * strain[j];
        sw_vpsc_to_basis(stress, column);
        for (int i = 0; i < 6; i++)
            m[i][b] = column[i];
    }
}

void sw_vpsc_moduli_components(const double m[6][6], double component[6][6])
{
    for (int l = 0; l < 6;
         l++) { /* the unit tensor of component l, half of it at each of two places of a shear */
        double unit[6] = {0}, b[6], stress[6], column[6];
        unit[l] = l < 3 ? 1 : 0.5;
        sw_vpsc_to_basis(unit, b);
        apply(m, b, stress);
        sw_vpsc_from_basis(stress, column);
        for (int k = 0; k < 6; k++)
            component[k][l] = column[k];
    }
}

/* ---- Made ---- */

static sw_status make_phase(const sw_vpsc_grains_of *p, phase_part *of)
{
    const sw_vpsc_crystal *crystal = &p->input->crystal;
    to_basis(crystal->stiffness, of->stiffness);
    sw_vpsc_to_basis(crystal->expansion, of->expansion);
    if (!invert((const double(*)[6])of->stiffness, of->compliance))
        return sw_error(SW_ERR_RANGE, "%s: the elastic constants have no inverse", crystal->path);
    of->n = p->n;
    of->own = p->input->shape >= SW_VPSC_GRAIN_SHAPE;
    SW_TRY(SW_ALLOCATE(of->around, of->own ? p->n : 1, "elastic moduli"));
    return SW_ALLOCATE(of->d, p->n, "elastic moduli");
}

static void grain_stiffness(const phase_part *of, const sw_vpsc_grains_of *p, int64_t g, double c[6][6])
{
    double q[6][6];
    turn_of((const double(*)[3])p->turn[g], q);
    transform((const double(*)[6])q, (const double(*)[6])of->stiffness, c);
}

static sw_status make(const sw_vpsc_polycrystal *polycrystal, sw_vpsc_elastic *e)
{
    for (int i = 0; i < polycrystal->n_phases; i++) {
        const sw_vpsc_grains_of *p = &polycrystal->phase[i];
        e->n_phases++;
        SW_TRY(make_phase(p, &e->of[i]));
        for (int64_t g = 0; g < p->n; g++) {
            double c[6][6];
            grain_stiffness(&e->of[i], p, g, c);
            for (int k = 0; k < 36; k++)
                e->moduli.stiffness[k / 6][k % 6] += p->weight[g] * c[k / 6][k % 6];
        }
    }
    return SW_OK;
}

sw_status sw_vpsc_elastic_make(const sw_vpsc_polycrystal *polycrystal, sw_vpsc_elastic **elastic)
{
    SW_TRY(SW_ALLOCATE(*elastic, 1, "elastic moduli"));
    const sw_status status = make(polycrystal, *elastic);
    if (status != SW_OK) {
        sw_vpsc_elastic_free(*elastic);
        *elastic = NULL;
    }
    return status;
}

void sw_vpsc_elastic_free(sw_vpsc_elastic *elastic)
{
    for (int i = 0; elastic != NULL && i < elastic->n_phases; i++) {
        free(elastic->of[i].around);
        free(elastic->of[i].d);
    }
    free(elastic);
}

/* ---- Eshelby's problem ---- */

static void surround(const double stiffness[6][6], const sw_vpsc_ellipsoid *e, surrounding *around)
{
    double p[6][6];
    sw_vpsc_hill(stiffness, e->axes, (const double(*)[3])e->along, p);
    invert_symmetric((const double(*)[6])p, around->inverse_p);
    for (int k = 0; k < 36; k++)
        around->tilde[k / 6][k % 6] = around->inverse_p[k / 6][k % 6] - stiffness[k / 6][k % 6];
}

/* ---- Moduli ---- */

/* Means over grains: A = D / P, C_g A = (1 - C~ D) / P, with D = 1/(C_g + C~); A' and A' C_g a of thermal strains a. */
typedef struct {
    double a[6][6], ca[6][6], at[6][6], thermal[6];
} means;

static void add_grain(const phase_part *of, const sw_vpsc_grains_of *p, int64_t g, const surrounding *around,
                      means *sum)
{
    double c[6][6], q[6][6], sum_c[6][6], expansion[6], a[6][6], atc[6][6], ca[6][6], at[6][6], thermal[6];
    double(*d)[6] = of->d[g];
    turn_of((const double(*)[3])p->turn[g], q);
    transform((const double(*)[6])q, (const double(*)[6])of->stiffness, c);
    apply((const double(*)[6])q, of->expansion, expansion);
    for (int k = 0; k < 36; k++)
        sum_c[k / 6][k % 6] = c[k / 6][k % 6] + around->tilde[k / 6][k % 6];
    invert_symmetric((const double(*)[6])sum_c, d);
    multiply((const double(*)[6])d, around->inverse_p, a);
    multiply((const double(*)[6])c, (const double(*)[6])a, ca);
    multiply(around->inverse_p, (const double(*)[6])d, at);
    multiply((const double(*)[6])at, (const double(*)[6])c, atc);
    apply((const double(*)[6])atc, expansion, thermal);
    for (int k = 0; k < 36; k++) {
        sum->a[k / 6][k % 6] += p->weight[g] * a[k / 6][k % 6];
        sum->ca[k / 6][k % 6] += p->weight[g] * ca[k / 6][k % 6];
        sum->at[k / 6][k % 6] += p->weight[g] * at[k / 6][k % 6];
    }
    for (int k = 0; k < 6; k++)
        sum->thermal[k] += p->weight[g] * thermal[k];
}

static double iterate(sw_vpsc_elastic *e, const sw_vpsc_polycrystal *polycrystal, means *sum)
{
    double inverse[6][6], renewed[6][6], off = 0, mean = 0;
    memset(sum, 0, sizeof *sum);
    for (int i = 0; i < e->n_phases; i++) {
        const sw_vpsc_grains_of *p = &polycrystal->phase[i];
        for (int64_t g = 0; g < p->n; g++) {
            surrounding *around = &e->of[i].around[e->of[i].own ? g : 0];
            if (e->of[i].own || g == 0)
                surround((const double(*)[6])e->moduli.stiffness,
                         e->of[i].own ? &p->of_grain[g] : &p->ellipsoid, around);
            add_grain(&e->of[i], p, g, around, sum);
        }
    }
    invert((const double(*)[6])sum->a, inverse);
    multiply((const double(*)[6])sum->ca, (const double(*)[6])inverse, renewed);
    for (int k = 0; k < 36; k++) {
        const double x = e->moduli.stiffness[k / 6][k % 6], y = renewed[k / 6][k % 6];
        off += (x - y) * (x - y);
        mean += 0.25 * (x + y) * (x + y);
    }
    for (int k = 0; k < 36; k++)
        e->moduli.stiffness[k / 6][k % 6] = 0.5 * (renewed[k / 6][k % 6] + renewed[k % 6][k / 6]);
    return sqrt(off / mean);
}

sw_status sw_vpsc_elastic_solve(sw_vpsc_elastic *e, const sw_vpsc_polycrystal *polycrystal)
{
    means sum;
    double inverse[6][6], held[6], change = 1;
    for (int i = 0; i < ITERATIONS && !(change <= 1e-5); i++)
        change = iterate(e, polycrystal, &sum);
    if (!(change <= 1e-5))
        return sw_error(SW_ERR_RANGE,
                        "elastic moduli have not converged after %d iterations: a change of %.2g", ITERATIONS,
                        change);
    invert((const double(*)[6])e->moduli.stiffness, e->moduli.compliance);
    invert((const double(*)[6])sum.at, inverse);
    apply((const double(*)[6])inverse, sum.thermal, held);
    apply((const double(*)[6])e->moduli.compliance, held, e->moduli.expansion);
    return SW_OK;
}

const sw_vpsc_moduli *sw_vpsc_moduli_of(const sw_vpsc_elastic *elastic) { return &elastic->moduli; }

/* ---- Grains ---- */

/* (1 - C~ D) x */
static void localise(const phase_part *of, int64_t g, const surrounding *around, const double x[6],
                     double y[6])
{
    double dx[6], back[6];
    apply((const double(*)[6])of->d[g], x, dx);
    apply(around->tilde, dx, back);
    for (int k = 0; k < 6; k++)
        y[k] = x[k] - back[k];
}

void sw_vpsc_elastic_stress(const sw_vpsc_elastic *e, const sw_vpsc_grains_of *p, int64_t g,
                            const double stress[6], double warmed, double of_grain[6])
{
    const phase_part *of = &e->of[p->number];
    const surrounding *around = &of->around[of->own ? g : 0];
    double strain[6], held[6], q[6][6], expansion[6], thermal[6], sum[6];
    apply((const double(*)[6])e->moduli.compliance, stress, strain);
    apply(around->inverse_p, strain, held);
    turn_of((const double(*)[3])p->turn[g], q);
    apply((const double(*)[6])q, of->expansion, expansion);
    for (int k = 0; k < 6; k++)
        expansion[k] = (e->moduli.expansion[k] - expansion[k]) * warmed;
    apply(around->tilde, expansion, thermal);
    for (int k = 0; k < 6; k++)
        sum[k] = held[k] + thermal[k];
    localise(of, g, around, sum, of_grain);
}

void sw_vpsc_elastic_strain(const sw_vpsc_elastic *e, const sw_vpsc_grains_of *p, int64_t g,
                            const double stress[6], double strain[6])
{
    double q[6][6], s[6][6];
    turn_of((const double(*)[3])p->turn[g], q);
    transform((const double(*)[6])q, (const double(*)[6])e->of[p->number].compliance, s);
    apply((const double(*)[6])s, stress, strain);
}

void sw_vpsc_find_pressures(const sw_vpsc_elastic *e, sw_vpsc_polycrystal *polycrystal, int known)
{
    double stress[6], of_grain[6];
    sw_vpsc_to_basis(polycrystal->stress, stress);
    for (int i = 0; i < polycrystal->n_phases; i++) {
        sw_vpsc_grains_of *p = &polycrystal->phase[i];
        for (int64_t g = 0; g < p->n; g++) {
            p->pressure[g] = 0;
            if (!known)
                continue;
            sw_vpsc_elastic_stress(e, p, g, stress, 0, of_grain);
            p->pressure[g] = of_grain[5] / sqrt(3);
        }
    }
}
