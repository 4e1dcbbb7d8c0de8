#include "tasks.h"

#include "common/math/rotation.h"
#include "forming.h"

/* Angles around the cup, and the height over the mean that an ear is above its troughs, at least. */
enum { ANGLES = 360 };
static const double LEAST_EAR = 1e-4;

/* Blank's over cup's radius, beyond which no sheet is drawn in one step: without friction e = 2.7 is the end. */
static const double DRAWN = 2.5;

static double turn_of(int i) { return 2 * SW_PI * i / ANGLES; }

/* ---- Checks ---- */

static sw_status check(const sw_forming_job *job)
{
    const sw_cup *cup = &job->earing;
    if (!sw_job_given(job->source, "r_values"))
        return sw_job_error(job->source, "earing", ": needs a section r_values");
    if (!sw_r_values_has(&job->r_values, 0) || !sw_r_values_has(&job->r_values, 90))
        return sw_job_error(job->source, "r_values.angles", ": need 0 and 90 degrees among them, for earing");
    SW_TRY(sw_job_need(job->source, "earing.cup_radius", cup->cup_radius, cup->cup_radius < cup->blank_radius,
                       "cup_radius < blank_radius"));
    if (!(cup->blank_radius / cup->cup_radius <= DRAWN))
        sw_warn("earing: drawing ratio blank_radius / cup_radius = %.3g: no sheet is drawn beyond about %g "
                "in one step; "
                "heights are of the formula alone",
                cup->blank_radius / cup->cup_radius, DRAWN);
    return sw_job_need(job->source, "earing.corner_radius", cup->corner_radius,
                       cup->corner_radius <= cup->cup_radius, "corner_radius <= cup_radius");
}

/* ---- Rims ---- */

static sw_status rim_by_r(const sw_forming *f, double height[ANGLES])
{
    const sw_cup *cup = &f->job->earing;
    sw_width_strain width;
    SW_TRY(sw_width_strain_of(&f->sheet, &width));
    for (int i = 0; i < ANGLES; i++)
        height[i] = sw_cup_height(cup, sw_cup_wall(cup, sw_width_strain_at(&width, turn_of(i) + SW_PI / 2)));
    sw_width_strain_free(&width);
    return SW_OK;
}

static sw_status rim_by_surface(const sw_forming *f, const sw_yield *surface, double height[ANGLES])
{
    const sw_cup *cup = &f->job->earing;
    for (int i = 0; i < ANGLES; i++) {
        SW_TRY(sw_cup_wall_of_surface(cup, surface, turn_of(i), &height[i]));
        height[i] = sw_cup_height(cup, height[i]);
    }
    return SW_OK;
}

static sw_status write_rim(hid_t where, const char *name, const double height[ANGLES], sw_ears *ears)
{
    static const int64_t shape = ANGLES;
    *ears = sw_ears_of(ANGLES, height, LEAST_EAR);
    const double numbers[5] = {ears->ears, ears->percent, ears->mean, ears->peak, ears->trough};
    static const char *const names[5] = {"ears", "percent", "mean_height", "mean_ear", "mean_trough"};
    hid_t group;
    SW_TRY(sw_h5_group(where, name, &group));
    sw_status status = sw_h5_write(group, "height", H5T_NATIVE_DOUBLE, 1, &shape, height);
    if (status == SW_OK)
        status = sw_h5_describe(group, "height", "unit", "m");
    for (int i = 0; i < 5 && status == SW_OK; i++)
        status = sw_h5_write_numbers(group, names[i], 1, &numbers[i]);
    H5Gclose(group);
    return status;
}

/* ---- The task ---- */

static sw_status write_angles(hid_t group)
{
    static const int64_t shape = ANGLES;
    double angle[ANGLES];
    for (int i = 0; i < ANGLES; i++)
        angle[i] = turn_of(i);
    SW_TRY(sw_h5_write(group, "angle", H5T_NATIVE_DOUBLE, 1, &shape, angle));
    return sw_h5_describe(group, "angle", "unit", "rad");
}

/* Where a surface does not bear the drawing ratio, its rim is left out, and said so. */
static sw_status add_surface(sw_forming *f, hid_t group, const sw_yield *surface, sw_ears *ears)
{
    double height[ANGLES];
    const sw_status status = rim_by_surface(f, surface, height);
    if (status == SW_OK)
        return write_rim(group, surface->function->name, height, ears);
    if (status != SW_ERR_RANGE)
        return status;
    sw_warn("no ears by %s: %s", surface->function->name, sw_error_message());
    return SW_OK;
}

static sw_status run(sw_forming *f, hid_t group)
{
    double height[ANGLES];
    SW_TRY(write_angles(group));
    SW_TRY(rim_by_r(f, height));
    SW_TRY(write_rim(group, "r_values", height, &f->ears[0]));
    for (int i = 0; i < f->fitted.n; i++)
        SW_TRY(add_surface(f, group, &f->fitted.fit[i].surface, &f->ears[1 + i]));
    return SW_OK;
}

static void print(const sw_forming *f, FILE *out)
{
    for (int i = 0; i <= f->fitted.n; i++) {
        const sw_ears *e = &f->ears[i];
        const char *by = i == 0 ? "r-values" : f->fitted.fit[i - 1].surface.function->name;
        if (e->mean > 0) /* not left out */
            fprintf(out, "  cup by %s: %d ears, %.2f %%, mean height %.3f mm\n", by, e->ears, e->percent,
                    1e3 * e->mean);
    }
}

const sw_forming_task sw_earing_task = {.name = "earing", .check = check, .run = run, .print = print};
