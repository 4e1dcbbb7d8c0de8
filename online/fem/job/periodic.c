/* The mean deformation and stress of a periodic body: in place of boundary, loads and tools. Two entries, what is
 * prescribed of the mean displacement gradient and what of the mean stress, with factors of their own. */
#include <math.h>
#include <string.h>

#include "online/fem/mesh/bodies.h"
#include "parts.h"

/* ---- Keys ---- */

const sw_key sw_fem_periodic_keys[] = {
    {SW_TENSOR("mean_gradient", sw_fem_job, mean.gradient), .blank = 1, .needed = 1,
     .help =
         "H = F - I at factor 1, H_ij = du_i/dX_j of the mean displacement; x: free; of H_ij and H_ji one "
         "at most; of plane bodies 0 beyond the plane"},
    {SW_REALS("gradient_factors", sw_fem_job, mean.gradient_factors, -1e9, 1e9), .shortest = 1,
     .otherwise = "the steps' factor", .help = "one number a step"},
    {SW_TENSOR("mean_stress", sw_fem_job, mean.stress), .blank = 1, .unit = "Pa", .otherwise = "0 where free",
     .help = "first Piola-Kirchhoff stress at factor 1, forces over undeformed faces, of what is free; x: 0"},
    {SW_REALS("stress_factors", sw_fem_job, mean.stress_factors, -1e9, 1e9), .shortest = 1,
     .otherwise = "the steps' factor", .help = "one number a step"},
    SW_KEYS_END};

int sw_fem_is_periodic(const sw_fem_job *job) { return sw_job_given(job->source, "periodic"); }

/* ---- Checks ---- */

#define GRADIENT "periodic.mean_gradient"
#define STRESS "periodic.mean_stress"

static sw_status check_body(const sw_fem_job *job)
{
    static const char *const others[] = {"boundary", "loads", "tools"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (sw_job_given(job->source, others[i]))
            return sw_job_error(job->source, others[i],
                                " beside periodic, which loads by its mean alone: need one of them");
    if (job->geometry.body < 0 || strcmp(sw_fem_bodies[job->geometry.body].name, "box") != 0)
        return sw_job_error(job->source, "mesh", ": need body: box, of a periodic body");
    if (job->problem.kinematics == SW_FEM_AXISYMMETRIC || job->problem.kinematics == SW_FEM_HEAT)
        return sw_job_error(job->source, "kinematics",
                            " = %s: not of a periodic body: need solid, plane_strain or plane_stress",
                            sw_fem_kinematics_names[job->problem.kinematics]);
    return SW_OK;
}

static sw_status check_gradient(const sw_fem_job *job, int i, int j)
{
    const double h = job->mean.gradient[i][j], most = 1000;
    const int d = sw_fem_unknowns(job->problem.kinematics);
    if (j < i && j < d && isnan(h) && isnan(job->mean.gradient[j][i]))
        return sw_job_error(job->source, GRADIENT,
                            ": [%d][%d] and [%d][%d] are both free: need one of them, or the body may turn",
                            j, i, i, j);
    if (!isnan(h) && !(fabs(h) <= most))
        return sw_job_error(job->source, GRADIENT, "[%d][%d] = %g: need at most %g in size", i, j, h, most);
    if ((i >= d || j >= d) && !(h == 0))
        return sw_job_error(job->source, GRADIENT, "[%d][%d] = %g: need 0 beyond the plane of a plane body",
                            i, j, h);
    return SW_OK;
}

static sw_status check_stress(const sw_fem_job *job, int i, int j)
{
    const double stress = job->mean.stress[i][j], most = 1e15;
    if (isnan(stress))
        return SW_OK;
    if (!isnan(job->mean.gradient[i][j]))
        return sw_job_error(job->source, STRESS,
                            "[%d][%d] = %g: the mean gradient is given there: need x in one of them", i, j,
                            stress);
    if (!(fabs(stress) <= most))
        return sw_job_error(job->source, STRESS, "[%d][%d] = %g: need at most %g Pa in size", i, j, stress,
                            most);
    return SW_OK;
}

/* ---- Cases ---- */

static int loads_something(const double mean[3][3])
{
    int any = 0;
    for (int i = 0; i < 9; i++)
        any |= !isnan(mean[i / 3][i % 3]) && mean[i / 3][i % 3] != 0;
    return any;
}

static int same_factors(const sw_fem_job *job)
{
    return memcmp(job->meant[0].of_step, job->meant[1].of_step, (size_t)job->steps_count * sizeof(double)) ==
           0;
}

/* What is prescribed, ascending, in the first case; forces in that of the stress. */
static sw_status fill_cases(sw_fem_job *job)
{
    const sw_fem_problem *p = &job->problem;
    const int d = sw_fem_unknowns(p->kinematics);
    const double length = sw_fem_mean_length(p), area = sw_fem_mean_volume(p) / length;
    sw_fem_case *moved = &job->load_case[0], *pushed = &job->load_case[job->meant[1].load_case];
    SW_TRY(SW_FEM_TAKE(job, moved->dof, (int64_t)d * d, "periodic"));
    SW_TRY(SW_FEM_TAKE(job, moved->value, (int64_t)d * d, "periodic"));
    if (loads_something((const double(*)[3])job->mean.stress))
        SW_TRY(SW_FEM_TAKE(job, pushed->force, sw_fem_count_unknowns(p), "periodic"));
    for (int j = 0; j < d; j++)
        for (int i = 0; i < d; i++) {
            const int64_t dof = sw_fem_mean_unknown(p, i, j);
            if (!isnan(job->mean.gradient[i][j])) {
                moved->dof[moved->n_fixed] = dof;
                moved->value[moved->n_fixed++] = job->mean.gradient[i][j] * length;
            } else if (pushed->force != NULL && !isnan(job->mean.stress[i][j])) {
                pushed->force[dof] = job->mean.stress[i][j] * area;
            }
        }
    return SW_OK;
}

static sw_status make_factors(sw_fem_job *job)
{
    const int n = job->problem.n_cases;
    SW_TRY(SW_FEM_TAKE(job, job->factor, job->n_increments * n, "factors"));
    for (int64_t i = 0; i < job->n_increments; i++)
        for (int l = 0; l < n; l++)
            job->factor[i * n + l] = job->meant[l].factor[i];
    return SW_OK;
}

sw_status sw_fem_make_periodic(sw_fem_job *job)
{
    SW_TRY(check_body(job));
    for (int k = 0; k < 9; k++) {
        SW_TRY(check_gradient(job, k / 3, k % 3));
        SW_TRY(check_stress(job, k / 3, k % 3));
    }
    if (!loads_something((const double(*)[3])job->mean.gradient) &&
        !loads_something((const double(*)[3])job->mean.stress))
        return sw_job_error(job->source, GRADIENT, ": nothing is loaded: need a component that is not 0");
    SW_TRY(SW_FEM_TAKE(job, job->meant, SW_FEM_MEANT, "periodic"));
    SW_TRY(sw_fem_follow_steps(job, "periodic.gradient_", job->mean.gradient_factors,
                               job->mean.gradient_factors_count, &job->meant[0]));
    SW_TRY(sw_fem_follow_steps(job, "periodic.stress_", job->mean.stress_factors,
                               job->mean.stress_factors_count, &job->meant[1]));
    job->problem.periodic = 1;
    job->meant[1].load_case = !same_factors(job);
    job->problem.n_cases = 1 + job->meant[1].load_case;
    SW_TRY(SW_FEM_TAKE(job, job->load_case, job->problem.n_cases, "load cases"));
    SW_TRY(fill_cases(job));
    SW_TRY(make_factors(job));
    job->problem.load = job->load_case;
    return SW_OK;
}
