/* The list of laws, and what a deck says of a material checked against what they take. */
#include <math.h>
#include <string.h>

#include "flow.h"

#define ENTRY(name) &sw_matter_##name,
static const sw_matter_law *const laws[] = {SW_MATTER_LAWS(ENTRY)};
#undef ENTRY

#define LEAST_SIZE 1e-9 /* of a yield function, over its largest: less is the round-off of 0 */

#define COMPLAIN(path, matter, format, ...)                                                                  \
    sw_error(SW_ERR_INPUT, "%s:%lld: material %s: " format, path, (long long)(matter)->line, (matter)->name, \
             __VA_ARGS__)

/* ---- Tables ---- */

static sw_status check_table(const sw_matter *matter, const char *path, const char *what,
                             const sw_matter_table *table)
{
    for (int i = 0; i < table->n_rows; i++) {
        if (i > 0 && !(table->temperature[i] > table->temperature[i - 1]))
            return COMPLAIN(path, matter, "%s: temperature %g after %g: need ascending ones", what,
                            table->temperature[i], table->temperature[i - 1]);
        for (int j = 0; j < table->n_columns; j++)
            if (!isfinite(table->value[i * table->n_columns + j]))
                return COMPLAIN(path, matter, "%s: %g: need a finite number", what,
                                table->value[i * table->n_columns + j]);
    }
    return SW_OK;
}

static sw_status check_curves(const sw_matter *matter, const char *path, const char *what, int n,
                              const sw_matter_curve *curve)
{
    for (int k = 0; k < n; k++) {
        if (k > 0 && !(curve[k].temperature > curve[k - 1].temperature))
            return COMPLAIN(path, matter, "%s: temperature %g after %g: need ascending ones", what,
                            curve[k].temperature, curve[k - 1].temperature);
        if (curve[k].n_rows < 1 || curve[k].row[0][0] != 0)
            return COMPLAIN(path, matter, "%s: first plastic strain %g: need 0", what,
                            curve[k].n_rows < 1 ? NAN : curve[k].row[0][0]);
        for (int i = 0; i < curve[k].n_rows; i++) {
            const double stress = curve[k].row[i][1];
            const int may_be_0 =
                matter->overstress && matter->creep.n_rows > 0; /* which is what then flows */
            if (!(stress > 0 || (stress == 0 && may_be_0)) || isinf(stress))
                return COMPLAIN(path, matter, "%s: stress %g: need > 0", what, stress);
            if (i > 0 && !(curve[k].row[i][0] > curve[k].row[i - 1][0]))
                return COMPLAIN(path, matter, "%s: plastic strain %g after %g: need ascending ones", what,
                                curve[k].row[i][0], curve[k].row[i - 1][0]);
        }
    }
    return SW_OK;
}

/* ---- Elasticity ---- */

static sw_status check_isotropic(const sw_matter *matter, const char *path, double young, double poisson)
{
    if (!(young > 0))
        return COMPLAIN(path, matter, "Young's modulus %g: need > 0", young);
    if (!(poisson > -1 && poisson < 0.5))
        return COMPLAIN(path, matter, "Poisson's ratio %g: need > -1 and < 0.5", poisson);
    return SW_OK;
}

/* The least pivot of Cholesky's, over what stands there. */
static double least_pivot(double d[6][6])
{
    double least = 1;
    for (int k = 0; k < 6; k++) {
        const double whole = d[k][k];
        for (int j = 0; j < k; j++)
            d[k][k] -= d[k][j] * d[k][j] * d[j][j];
        if (!(whole > 0 && d[k][k] > 0))
            return whole > 0 ? d[k][k] / whole : whole;
        least = fmin(least, d[k][k] / whole);
        for (int i = k + 1; i < 6; i++) {
            for (int j = 0; j < k; j++)
                d[i][k] -= d[i][j] * d[k][j] * d[j][j];
            d[i][k] /= d[k][k];
        }
    }
    return least;
}

static sw_status check_elastic(const sw_matter *matter, const char *path)
{
    const sw_matter_table *table = &matter->elastic;
    if (table->n_rows == 0)
        return COMPLAIN(path, matter, "%s", "no elasticity is given: need *ELASTIC or *USER MATERIAL");
    SW_TRY(check_table(matter, path, "elasticity", table));
    for (int i = 0; i < table->n_rows; i++) {
        double d[6][6];
        if (matter->elasticity == SW_MATTER_ISOTROPIC)
            SW_TRY(check_isotropic(matter, path, table->value[2 * i], table->value[2 * i + 1]));
        sw_matter_stiffness(matter, table->temperature[i], d);
        const double least = least_pivot(d);
        if (!(least > 1e-12))
            return COMPLAIN(
                path, matter,
                "elasticity is not positive definite: a pivot of %g of its diagonal: need > 1e-12", least);
    }
    return SW_OK;
}

/* ---- What flows ---- */

/* Johnson and Cook's hardening: B p^n hardens, and softens to nothing at melting. */
static sw_status check_cook(const sw_matter *matter, const char *path)
{
    const double *of = matter->cook.value;
    if (matter->cook.n_rows == 0)
        return SW_OK;
    if (matter->cook.n_rows > 1)
        return COMPLAIN(path, matter, "hardening of Johnson and Cook: %d rows: need 1", matter->cook.n_rows);
    if (!(of[0] > 0 && of[1] >= 0 && of[2] > 0 && of[3] > 0))
        return COMPLAIN(path, matter,
                        "hardening of Johnson and Cook: A %g, B %g, n %g, m %g: need > 0, >= 0, > 0, > 0",
                        of[0], of[1], of[2], of[3]);
    if (!(of[4] > of[5]))
        return COMPLAIN(path, matter,
                        "hardening of Johnson and Cook: melting at %g, transition at %g: need it below",
                        of[4], of[5]);
    return SW_OK;
}

static sw_status check_ratios(const sw_matter *matter, const char *path)
{
    SW_TRY(check_curves(matter, path, "rate dependence", matter->n_ratios, matter->ratio));
    for (int k = 0; k < matter->n_ratios; k++)
        for (int i = 1; i < matter->ratio[k].n_rows; i++)
            if (matter->ratio[k].row[i][1] < matter->ratio[k].row[i - 1][1])
                return COMPLAIN(path, matter, "rate dependence: ratio %g after %g: need it not to fall",
                                matter->ratio[k].row[i][1], matter->ratio[k].row[i - 1][1]);
    return SW_OK;
}

static sw_status check_rate(const sw_matter *matter, const char *path)
{
    if (matter->rate_law == SW_MATTER_NO_RATE)
        return SW_OK;
    if (!sw_flow_has_surface(matter))
        return COMPLAIN(path, matter, "%s", "rate dependence: need *PLASTIC");
    if (matter->hardening == SW_MATTER_HARDENS_KINEMATIC || matter->creep.n_rows > 0)
        return COMPLAIN(path, matter, "rate dependence with %s: need isotropic or combined hardening alone",
                        matter->creep.n_rows > 0 ? "creep" : "kinematic hardening");
    SW_TRY(check_table(matter, path, "rate dependence", &matter->rate));
    for (int i = 0; i < matter->rate.n_rows; i++) {
        const double *of = &matter->rate.value[2 * i];
        const int power = matter->rate_law == SW_MATTER_POWER_RATE;
        if (!((power ? of[0] > 0 : of[0] >= 0) && of[1] > 0))
            return COMPLAIN(path, matter, "rate dependence: %s %g, %s %g: need %s, > 0", power ? "D" : "C",
                            of[0], power ? "n" : "rate0", of[1], power ? "> 0" : ">= 0");
    }
    return check_ratios(matter, path);
}

/* By uniaxial stress along each axis and by each shear it is more than 0; of plane stress without shears of the normal. */
static sw_status check_size(const sw_matter *matter, const char *path)
{
    static const char *const names[6] = {"11", "22", "33", "23", "13", "12"};
    const sw_yield *y = &matter->yield;
    double phi[6], most = 0;
    for (int i = 0; i < 6; i++) {
        double stress[6] = {0};
        stress[i] = 1;
        phi[i] = y->function->plane_stress && (i == 3 || i == 4) ? NAN : sw_yield_value(y, stress, NULL);
        most = fmax(most, phi[i]);
    }
    for (int i = 0; i < 6; i++)
        if (!(y->function->plane_stress && (i == 3 || i == 4)) &&
            !(phi[i] > LEAST_SIZE * most && isfinite(phi[i])))
            return COMPLAIN(path, matter,
                            "yield function %s is %g under a stress of 1 along %s, which never yields: need "
                            "coefficients that make it more than 0",
                            y->function->name, phi[i], names[i]);
    return SW_OK;
}

static sw_status check_yield(const sw_matter *matter, const char *path)
{
    const sw_yield *y = &matter->yield;
    if (y->function == NULL)
        return SW_OK;
    if (!sw_flow_has_surface(matter))
        return COMPLAIN(path, matter, "%s", "a yield function: need *PLASTIC");
    if (matter->hardening != SW_MATTER_HARDENS_ISOTROPIC || matter->creep.n_rows > 0)
        return COMPLAIN(path, matter, "a yield function with %s: need isotropic hardening alone",
                        matter->creep.n_rows > 0 ? "creep" : "kinematic or combined hardening");
    if (!sw_yield_is_convex(y))
        return COMPLAIN(path, matter, "yield function %s is not convex", y->function->name);
    if (y->function->has_exponent && !(y->exponent > 1 && y->exponent <= 1000))
        return COMPLAIN(path, matter, "yield function %s: exponent %g: need > 1 and <= 1000",
                        y->function->name, y->exponent);
    return check_size(matter, path);
}

static sw_status check_plastic(const sw_matter *matter, const char *path)
{
    const sw_matter_table *back = &matter->backstress, *size = &matter->saturation;
    const int moves = matter->n_cyclic > 0 || back->n_rows > 0 || size->n_rows > 0 ||
                      matter->hardening != SW_MATTER_HARDENS_ISOTROPIC;
    SW_TRY(check_curves(matter, path, "plasticity", matter->n_curves, matter->curve));
    SW_TRY(check_cook(matter, path));
    SW_TRY(check_rate(matter, path));
    SW_TRY(check_yield(matter, path));
    SW_TRY(check_curves(matter, path, "cyclic hardening", matter->n_cyclic, matter->cyclic));
    SW_TRY(check_table(matter, path, "backstresses", back));
    SW_TRY(check_table(matter, path, "cyclic hardening", size));
    if (matter->cook.n_rows > 0 && (moves || matter->n_curves > 0))
        return COMPLAIN(path, matter, "%s",
                        "hardening of Johnson and Cook beside cyclic or combined hardening: need it alone");
    if ((matter->n_cyclic > 0 || size->n_rows > 0) && matter->hardening != SW_MATTER_HARDENS_COMBINED)
        return COMPLAIN(path, matter, "%s", "cyclic hardening: need combined hardening in *PLASTIC");
    if ((matter->n_cyclic > 0 || back->n_rows > 0 || size->n_rows > 0) && matter->n_curves == 0)
        return COMPLAIN(path, matter, "%s", "cyclic or combined hardening: need *PLASTIC");
    if (sw_flow_backs(matter) > SW_FLOW_BACKS)
        return COMPLAIN(path, matter, "%d backstresses: need at most %d", sw_flow_backs(matter),
                        SW_FLOW_BACKS);
    for (int i = 0; i < back->n_rows * back->n_columns; i++)
        if (!(back->value[i] >= 0))
            return COMPLAIN(path, matter, "backstress: %g: need >= 0", back->value[i]);
    for (int i = 0; i < size->n_rows; i++) {
        const double *of = &size->value[3 * i];
        if (!(of[0] > 0 && of[0] + of[1] > 0 && of[2] >= 0))
            return COMPLAIN(path, matter,
                            "cyclic hardening: stress %g, growth %g, rate %g: need > 0, sum > 0, >= 0", of[0],
                            of[1], of[2]);
    }
    return SW_OK;
}

int sw_matter_rubber_constants(sw_matter_rubber rubber, int order)
{
    if (order < 1 || order > 6)
        return 0;
    switch (rubber) {
    case SW_MATTER_POLYNOMIAL:
        return order <= 3 ? order * (order + 3) / 2 + order : 0;
    case SW_MATTER_REDUCED_POLYNOMIAL:
        return 2 * order;
    case SW_MATTER_ARRUDA_BOYCE:
        return order == 1 ? 3 : 0;
    case SW_MATTER_OGDEN:
    case SW_MATTER_FOAM:
        return 3 * order;
    }
    return 0;
}

/* What energies divide by, or raise to: lambda_m, alpha. */
static sw_status check_exponents(const sw_matter *matter, const char *path)
{
    const sw_matter_table *table = &matter->hyper;
    const int arruda = matter->rubber == SW_MATTER_ARRUDA_BOYCE,
              ogden = matter->rubber == SW_MATTER_OGDEN || matter->rubber == SW_MATTER_FOAM;
    for (int i = 0; i < table->n_rows; i++) {
        const double *of = &table->value[i * table->n_columns];
        if (arruda && !(of[1] > 0))
            return COMPLAIN(path, matter, "lambda_m %g: need > 0", of[1]);
        for (int k = 0; ogden && k < matter->order; k++)
            if (of[2 * k + 1] == 0)
                return COMPLAIN(path, matter, "alpha%d is 0: need another number", k + 1);
    }
    return SW_OK;
}

/* Its stiffness at no strain must be positive definite. */
static sw_status check_hyper(const sw_matter *matter, const char *path)
{
    const sw_matter_table *table = &matter->hyper;
    const int n = sw_matter_rubber_constants(matter->rubber, matter->order);
    if (n == 0 || table->n_columns != n)
        return COMPLAIN(path, matter, "hyperelasticity of order %d has %d constants: need %d", matter->order,
                        table->n_columns, n);
    SW_TRY(check_table(matter, path, "hyperelasticity", table));
    SW_TRY(check_exponents(matter, path));
    for (int i = 0; i < table->n_rows; i++) {
        const sw_matter_ask ask = {.temperature = table->temperature[i]};
        double stress[6], d[6][6];
        SW_TRY(sw_matter_hyper.respond(matter, &ask, NULL, NULL, stress, d));
        const double least = least_pivot(d);
        if (!(least > 1e-12))
            return COMPLAIN(path, matter,
                            "not stiff at small strains: a pivot of %g of its diagonal: need > 1e-12", least);
    }
    return SW_OK;
}

static sw_status check_deformation(const sw_matter *matter, const char *path)
{
    const sw_matter_table *table = &matter->deformation;
    SW_TRY(check_table(matter, path, "deformation plasticity", table));
    for (int i = 0; i < table->n_rows; i++) {
        const double *of = &table->value[5 * i];
        SW_TRY(check_isotropic(matter, path, of[0], of[1]));
        if (!(of[2] > 0 && of[3] >= 1 && of[4] >= 0))
            return COMPLAIN(path, matter,
                            "deformation plasticity: stress %g, exponent %g, offset %g: need > 0, >= 1, >= 0",
                            of[2], of[3], of[4]);
    }
    return SW_OK;
}

static sw_status check_creep(const sw_matter *matter, const char *path)
{
    const sw_matter_table *creep = &matter->creep;
    SW_TRY(check_table(matter, path, "creep", creep));
    for (int i = 0; i < creep->n_rows; i++) {
        const double *of = &creep->value[3 * i];
        if (!(of[0] >= 0 && of[1] > 0 && of[2] > -1))
            return COMPLAIN(path, matter, "creep: A %g, n %g, m %g: need >= 0, > 0, > -1", of[0], of[1],
                            of[2]);
    }
    if (creep->n_rows > 0 && !matter->overstress && sw_flow_backs(matter) > 0)
        return COMPLAIN(path, matter, "%s", "creep beside kinematic or combined hardening: need isotropic");
    return SW_OK;
}

static sw_status check_expansion(const sw_matter *matter, const char *path)
{
    const int n = matter->expansion_columns;
    if (n != 0 && (n != matter->expansion.n_columns || matter->expansion.n_rows == 0))
        return COMPLAIN(path, matter, "expansion: %d coefficients: need a table of them", n);
    return check_table(matter, path, "expansion", &matter->expansion);
}

sw_status sw_matter_prepare(sw_matter *matter, const char *path)
{
    size_t k = 0;
    while (!laws[k]->is(matter))
        k++;
    matter->law = laws[k];
    SW_TRY(check_expansion(matter, path));
    if (matter->law == &sw_matter_user && matter->umat == NULL)
        return COMPLAIN(path, matter, "%s", "user material: need a shared library that has umat_");
    if (matter->law == &sw_matter_user)
        return SW_OK;
    if (matter->law == &sw_matter_hyper)
        return check_hyper(matter, path);
    if (matter->law == &sw_matter_deformation)
        return check_deformation(matter, path);
    SW_TRY(check_elastic(matter, path));
    SW_TRY(check_plastic(matter, path));
    return check_creep(matter, path);
}
