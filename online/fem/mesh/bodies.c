/* Built-in bodies: which cells they fill, where those lie, and the names of their sides. */
#include "bodies.h"

#include <math.h>
#include <stddef.h>

/* ---- Cells that are filled ---- */

/* A point is the middle of a cell, (i + 1/2) / n correctly rounded, which may lie on a cut's edge when n is
 * odd: cuts contain their lower edge and not their upper one, so that they are as many cells wide on every
 * side. */
static int between(double at, double low, double high) { return at >= low && at < high; }

static int in_box(const double *parameter, const double *at)
{
    (void)parameter, (void)at;
    return 1;
}

static int in_l_bracket(const double *parameter, const double *at)
{
    const double arm = parameter[0];
    return !(at[0] >= arm && at[1] >= arm);
}

static int near_quarter(double at, double hole)
{
    return between(at, 0.25 - hole / 2, 0.25 + hole / 2) || between(at, 0.75 - hole / 2, 0.75 + hole / 2);
}

static int in_plate_with_holes(const double *parameter, const double *at)
{
    return !(near_quarter(at[0], parameter[0]) && near_quarter(at[1], parameter[0]));
}

enum { HOLES = 4 }; /* along x and y of a perforated plate */

/* Where at (fraction of the plate) lies in the square about its hole, -1 to 1. */
static double about_hole(double at) { return 2 * (at * HOLES - floor(at * HOLES)) - 1; }

static int in_perforated_plate(const double *parameter, const double *at)
{
    (void)parameter;
    return !(fabs(about_hole(at[0])) < 0.5 && fabs(about_hole(at[1])) < 0.5);
}

static int in_cantilever(const double *parameter, const double *at) { return in_box(parameter, at); }
static int in_cylinder(const double *parameter, const double *at) { return in_box(parameter, at); }
static int in_cylinder_quarter(const double *parameter, const double *at) { return in_box(parameter, at); }

static int in_cantilever_with_cutout(const double *parameter, const double *at)
{
    const double step = parameter[0], tip = parameter[1], length = parameter[2], height = parameter[3];
    const double x = 60.0 / 160, y = 32.0 / 64; /* the cut-out's middle */
    return !(at[0] >= step && at[1] >= tip) && !(between(at[0], x - length / 2, x + length / 2) &&
                                                 between(at[1], y - height / 2, y + height / 2));
}

/* ---- Discs ---- */

/* The square -1 <= u, v <= 1 onto the disc of radius 1, by squares s = max(|u|, |v|) that turn gradually into
 * circles: on them points are spread evenly over the angle, and 1 - s of a point is still the square's. The two
 * sides at a corner of the square become one line on the rim whatever the map; where the corner's element is not
 * to shrink beside its neighbours, its least Jacobian at 2 x 2 points comes to 0.42 of its mean.
 *
 * A quarter of 32 x 32 cells. Jacobian: the least at a point over its element's mean; shape: the ratio of the
 * singular values of dx/dxi, worst and mean; area: elements over their mean, least and most; energy, L2: errors
 * of -lap u = 1 with u = 0 on the rim; condition: of its matrix, diagonal 1.
 *
 *     map                            Jacobian    shape        area         energy     L2     condition
 *     elliptical, u (1 - v^2/2)^1/2    0.711   45.7  1.71  0.076  1.273   6.10e-3  6.51e-5      942
 *     the same, even at the rim        0.711   57.3  1.82  0.039  1.570   6.06e-3  6.46e-5      745
 *     squircular                       0.499   33.6  1.36  0.039  1.273   5.39e-3  5.88e-5      802
 *     squircular of tan u, tan v       0.502   22.3  1.46  0.140  1.533   5.55e-3  6.00e-5     1489
 *     circles throughout               0.434    3.6  1.70  0.900  1.012   5.97e-3  6.29e-5     1446
 *     square of 0.45, then straight    0.438    4.9  1.46  0.606  1.250   5.56e-3  5.76e-5     1147
 *     this one, core 0.75              0.434    3.8  1.58  0.722  1.241   5.62e-3  5.94e-5     1451
 *     this one, core 0.85              0.436    4.5  1.53  0.804  1.147   5.57e-3  5.78e-5     1259
 *     this one, core 1                 0.441    6.0  1.50  0.599  1.262   5.61e-3  5.79e-5     1017
 *
 * The first four flatten or shrink the corner's element without bound as cells grow many, which a billet upset
 * to half its height would not forgive; errors hardly differ. */
static void place_on_disc(double u, double v, double at[2])
{
    const double core = 0.85, half_right = 0.78539816339744831; /* rad */
    const double s = fmax(fabs(u), fabs(v)), t = s > 0 ? fmin(fabs(u), fabs(v)) / s : 0;
    double along = sqrt(0.5), across = along; /* exactly the same on diagonals */
    if (t < 1) {
        along = cos(half_right * t);
        across = sin(half_right * t);
    }
    const double a = s * ((1 - s) * core + s * along), b = s * ((1 - s) * core * t + s * across);
    const int steep = fabs(v) > fabs(u);
    at[0] = copysign(steep ? b : a, u);
    at[1] = copysign(steep ? a : b, v);
}

static void place_disc(const int32_t n[3], int32_t x, int32_t y, double at[2])
{
    place_on_disc((double)(2 * x - n[0]) / n[0], (double)(2 * y - n[1]) / n[1], at);
    at[0] /= 2;
    at[1] /= 2;
}

static void place_quarter_disc(const int32_t n[3], int32_t x, int32_t y, double at[2])
{
    place_on_disc((double)x / n[0], (double)y / n[1], at);
}

/* ---- Round holes ---- */

/* The square -1 <= u, v <= 1 less the square of half its side onto the one less the circle of radius 1/2: squares
 * s = max(|u|, |v|) turn gradually into the circle, on which points are spread evenly over the angle. */
static void place_about_hole(double u, double v, double at[2])
{
    const double half_right = 0.78539816339744831; /* rad */
    const double s = fmax(fabs(u), fabs(v)), t = s > 0 ? fmin(fabs(u), fabs(v)) / s : 0;
    const double along = t < 1 ? cos(half_right * t) : sqrt(0.5),
                 across = t < 1 ? sin(half_right * t) : sqrt(0.5);
    const double square = 2 * s - 1; /* 1 on the square, 0 on the circle */
    const double a = square + (1 - square) * 0.5 * along, b = square * t + (1 - square) * 0.5 * across;
    const int steep = fabs(v) > fabs(u);
    at[0] = copysign(steep ? b : a, u);
    at[1] = copysign(steep ? a : b, v);
}

static void place_perforated(const int32_t n[3], int32_t x, int32_t y, double at[2])
{
    const int32_t cells = n[0] / HOLES,
                  hole[2] = {x < n[0] ? x / cells : HOLES - 1, y < n[0] ? y / cells : HOLES - 1};
    place_about_hole((double)(2 * (x - hole[0] * cells) - cells) / cells,
                     (double)(2 * (y - hole[1] * cells) - cells) / cells, at);
    for (int i = 0; i < 2; i++)
        at[i] = (2 * hole[i] + 1 + at[i]) / (2 * HOLES);
}

/* ---- Forms ---- */

/* clang-format off */
#define BOX_SIDES                                                  \
    {"x_min", SW_FEM_X_MIN}, {"x_max", SW_FEM_X_MAX},              \
    {"y_min", SW_FEM_Y_MIN}, {"y_max", SW_FEM_Y_MAX},              \
    {"z_min", SW_FEM_Z_MIN}, {"z_max", SW_FEM_Z_MAX}
/* clang-format on */

static const sw_fem_form boxes = {.side = {BOX_SIDES}};
/* Holes end on lattice points, and so do their middles. */
static const sw_fem_form perforated = {place_perforated, 4 * HOLES, {BOX_SIDES}};
static const sw_fem_form disc = {place_disc,
                                 0,
                                 {{"side", SW_FEM_X_MIN | SW_FEM_X_MAX | SW_FEM_Y_MIN | SW_FEM_Y_MAX},
                                  {"z_min", SW_FEM_Z_MIN},
                                  {"z_max", SW_FEM_Z_MAX}}};
static const sw_fem_form quarter_disc = {place_quarter_disc,
                                         0,
                                         {{"x_min", SW_FEM_X_MIN},
                                          {"y_min", SW_FEM_Y_MIN},
                                          {"side", SW_FEM_X_MAX | SW_FEM_Y_MAX},
                                          {"z_min", SW_FEM_Z_MIN},
                                          {"z_max", SW_FEM_Z_MAX}}};

/* NOLINTBEGIN(bugprone-macro-parentheses): initialisers */
#define PARAMETER(place, name, value, least, most, description) [place] = {#name, value, least, most},
#define BODY(name, description, form, x, y, z, parameters) \
    {#name, &form, {x, y, z}, {parameters{0}}, in_##name},
/* NOLINTEND(bugprone-macro-parentheses) */
const sw_fem_body sw_fem_bodies[] = {SW_FEM_BODIES(BODY, PARAMETER){.name = NULL}};
