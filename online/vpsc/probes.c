/* Yield surfaces and Lankford coefficients: polycrystals that are probed and stay as they are. */
#include <math.h>
#include <string.h>

#include "common/math/elimination.h"
#include "common/math/rotation.h"
#include "output/fortran.h"
#include "run.h"

static void give_all_rates(sw_vpsc_polycrystal *p)
{
    for (int k = 0; k < 9; k++)
        p->rate_given[k / 3][k % 3] = 1;
    memset(p->l, 0, sizeof p->l);
    memset(p->stress, 0, sizeof p->stress);
}

/* A rate by its five components, of VPSC8's basis. */
static void set_rate(sw_vpsc_polycrystal *p, const double rate[5])
{
    double six[6] = {rate[0], rate[1], rate[2], rate[3], rate[4], 0};
    sw_vpsc_from_basis(six, p->d);
    for (int k = 0; k < 9; k++)
        p->l[k / 3][k % 3] = p->d[k % 4 == 0 ? k / 4 : 6 - k / 3 - k % 3];
}

static int is_centred(const sw_vpsc_input *input)
{
    int one_way = 0;
    for (int p = 0; p < input->n_phases; p++)
        one_way = input->phase[p].crystal.one_way; /* the last phase's, as in VPSC8 */
    return !one_way;
}

/* ---- A section of the yield surface ---- */

enum { PROBES = 72, SEAM = 2 };

/* A probe: stress and rate in the section, as they would be where the work rate is 1. */
typedef struct {
    double stress[2], rate[2];
    double size, stress_angle, rate_angle, normal[2], normal_angle;
} probe;

static void take_probe(const sw_vpsc_polycrystal *p, const int section[2], probe *at)
{
    double stress[6], rate[6], work = 0;
    const double n = p->input->phase[0].crystal.mode[0].exponent;
    sw_vpsc_to_basis(p->mean_stress, stress);
    sw_vpsc_to_basis(p->mean_d, rate);
    for (int k = 0; k < 5; k++)
        work += stress[k] * rate[k];
    const double scale = pow(1 / work, n / (1 + n));
    for (int i = 0; i < 2; i++) {
        at->rate[i] = rate[section[i] - 1] * scale;
        at->stress[i] = stress[section[i] - 1] * pow(scale, 1 / n);
    }
}

/* On the side of a stress to the left, angles go on where its own does. */
static double follow(const double stress[2], double angle)
{
    if (!(stress[0] < 0))
        return angle;
    const double other = 2 * SW_PI - fabs(angle);
    if (stress[1] > 0 && angle < 0)
        return other;
    return stress[1] < 0 && angle > 0 ? -other : angle;
}

/* The normal of a parabola, the distance by the angle, through a probe and its neighbours. */
static void find_normal(probe *all, int i)
{
    double a[9] = {0}, b[3] = {0}, x[3];
    probe *at = &all[i];
    for (int k = -1; k <= 1; k++) {
        const probe *of = &all[(i + k + PROBES) % PROBES];
        const double power[3] = {1, of->stress_angle, of->stress_angle * of->stress_angle};
        for (int r = 0; r < 3; r++) {
            b[r] += of->size * power[r];
            for (int c = 0; c < 3; c++)
                a[3 * r + c] += power[r] * power[c];
        }
    }
    sw_solve_by_elimination(3, 3, a, b, x);
    const double slope = x[1] + 2 * x[2] * at->stress_angle, c = cos(at->stress_angle),
                 s = sin(at->stress_angle);
    const double normal[2] = {at->size * c + slope * s, at->size * s - slope * c};
    const double size = hypot(normal[0], normal[1]);
    for (int k = 0; k < 2; k++)
        at->normal[k] = normal[k] / size;
    at->normal_angle = follow(at->stress, atan2(normal[1], normal[0]));
}

static void finish_probes(probe *all, int centred)
{
    for (int i = PROBES / 2; i < PROBES && centred; i++)
        for (int k = 0; k < 2; k++) {
            all[i].stress[k] = -all[i - PROBES / 2].stress[k];
            all[i].rate[k] = -all[i - PROBES / 2].rate[k];
        }
    for (int i = 0; i < PROBES; i++) {
        all[i].size = hypot(all[i].stress[0], all[i].stress[1]);
        all[i].stress_angle = atan2(all[i].stress[1], all[i].stress[0]);
        all[i].rate_angle = follow(all[i].stress, atan2(all[i].rate[1], all[i].rate[0]));
    }
    for (int i = 0; i < PROBES; i++)
        find_normal(all, i);
}

/* Lines from the surface along rates, or normals, and back, for plots. */
static void write_ticks(FILE *file, const probe *all, int of_normals)
{
    for (int i = 0; i < PROBES; i++) {
        const double size = hypot(all[i].rate[0], all[i].rate[1]);
        for (int point = 0; point < 3; point++) {
            for (int k = 0; k < 2; k++) {
                const double along = of_normals ? all[i].normal[k] : all[i].rate[k] / size;
                sw_fortran_e(file, 12, 4, all[i].stress[k] + (point == 1 ? along * all[i].size / 8 : 0));
            }
            fprintf(file, "\n");
        }
    }
    sw_fortran_es(file, 2, 12, 4, all[0].stress);
    fprintf(file, "\n   -   -   \n");
}

static void write_surface(sw_vpsc_run *run, const int section[2], const probe *all)
{
    FILE *file = sw_vpsc_output_file(run->output, "PCYS.OUT");
    fprintf(file, "%10sS%d%10sS%d%10sD%d%10sD%d      angS      angD      angN\n", "", section[0], "",
            section[1], "", section[0], "", section[1]);
    for (int i = 0; i <= PROBES; i++) {
        const probe *at = &all[i % PROBES];
        const double angle[3] = {at->stress_angle * 180 / SW_PI, at->rate_angle * 180 / SW_PI,
                                 at->normal_angle * 180 / SW_PI};
        sw_fortran_es(file, 2, 12, 4, at->stress);
        sw_fortran_es(file, 2, 12, 4, at->rate);
        sw_fortran_fs(file, 3, 10, 2, angle);
        fprintf(file, "\n");
    }
    write_ticks(sw_vpsc_output_file(run->output, "PCYSwRATES.OUT"), all, 0);
    write_ticks(sw_vpsc_output_file(run->output, "PCYSwNORMALS.OUT"), all, 1);
}

sw_status sw_vpsc_run_surface(sw_vpsc_run *run, const sw_vpsc_process *process)
{
    probe all[PROBES];
    const int centred = is_centred(run->input), *section = process->section,
              steps = sw_vpsc_count_probes(run->input, process);
    for (int i = 0; i < steps; i++) {
        const double angle = (i - (centred ? 0 : PROBES / 2)) * 2 * SW_PI / PROBES;
        double rate[5] = {0};
        give_all_rates(&run->polycrystal);
        rate[section[0] - 1] = sin(angle);
        rate[section[1] - 1] = cos(angle);
        set_rate(&run->polycrystal, rate);
        SW_TRY(sw_vpsc_solve_step(run, i + 1));
        take_probe(&run->polycrystal, section, &all[i]);
        SW_TRY(sw_vpsc_count_step(run));
    }
    finish_probes(all, centred);
    write_surface(run, section, all);
    return SW_OK;
}

/* ---- In five dimensions ---- */

enum { PARTS = 4, ALL = (2 * PARTS + 1) * (PARTS + 1) * (PARTS + 1) * (PARTS + 1) };

static void write_table_head(FILE *file, const sw_vpsc_input *input, int probes)
{
    const sw_vpsc_phase *phase = &input->phase[input->n_phases - 1];
    fprintf(file,
            " PCYS INTERPOLATION TABLE\n CRYSTAL FILE USED: %s\n TEXTURE FILE USED: %s\n INTERACTION USED : "
            "%2d\n",
            phase->crystal_file, phase->texture, input->interaction);
    fprintf(file, " INTERP TABLE BASED ON STRAIN RATE PROBES\n%5d\n PARTITION OF PI/2 INTERVAL\n%5d\n", 0,
            PARTS);
    fprintf(file, " N POWER IN RATE SENSITIVE LAW\n%5d\n NUMBER OF PROBE STATES USED\n%7d\n\n",
            input->phase[0].crystal.mode[0].exponent, probes);
    fprintf(file,
            "  THE1  THE2  THE3  THE4           S1           S2           S3           S4           S5\n");
}

static void take_numbers(int step, int number[4])
{
    number[0] = step % (2 * PARTS + 1);
    step /= 2 * PARTS + 1;
    for (int k = 1; k < 4; k++, step /= PARTS + 1)
        number[k] = step % (PARTS + 1);
}

/* Angle numbers [4] -> a rate of size 1. */
static void direction_of(const int number[4], double rate[5])
{
    double left = 1;
    for (int k = 3; k >= 0; k--) {
        const double angle = number[k] * SW_PI / (2 * PARTS);
        rate[k + 1] = left * cos(angle);
        left *= sin(angle);
    }
    rate[0] = left;
}

/* Where an angle is 0, those before it say nothing: the probe is that with zeros. */
static int is_repeated(const int number[4])
{
    for (int k = 3; k > 0; k--)
        if (number[k] == 0)
            for (int j = 0; j < k; j++)
                if (number[j] != 0)
                    return 1;
    return 0;
}

static sw_status probe_direction(sw_vpsc_run *run, const int number[4], int step, double stress[6])
{
    double rate[5], size = 0;
    give_all_rates(&run->polycrystal);
    direction_of(number, rate);
    set_rate(&run->polycrystal, rate);
    SW_TRY(sw_vpsc_solve_step(run, step));
    sw_vpsc_to_basis(run->polycrystal.stress, stress);
    for (int k = 0; k < 5; k++)
        size += stress[k] * stress[k];
    for (int k = 0; k < 5; k++)
        if (fabs(stress[k]) <= 1e-5 * sqrt(size))
            stress[k] = 0;
    return SW_OK;
}

sw_status sw_vpsc_run_surface_5d(sw_vpsc_run *run, const sw_vpsc_process *process)
{
    /* stresses of the last probes whose first one, two, three angles are 0 */
    double stress[6] = {0}, of_zero[4][6] = {{0}};
    FILE *file = sw_vpsc_output_file(run->output, "PCYS.OUT");
    int probed = 0;
    (void)process;
    write_table_head(file, run->input, ALL);
    for (int step = 0; step < ALL; step++) {
        int number[4];
        take_numbers(step, number);
        if (!is_repeated(number)) {
            SW_TRY(probe_direction(run, number, step + 1, stress));
            probed++;
        } else { /* of the highest angle that is 0 */
            int k = 3;
            while (number[k] != 0)
                k--;
            memcpy(stress, of_zero[k], sizeof stress);
        }
        for (int k = 0; k < 4; k++)
            if (number[k] == 0 && !is_repeated(number))
                memcpy(of_zero[k], stress, sizeof stress);
        for (int k = 0; k < 4; k++)
            sw_fortran_f(file, 6, 1, number[k] * 90.0 / PARTS);
        sw_fortran_es(file, 5, 13, 5, stress);
        fprintf(file, "\n");
    }
    fprintf(file, "\n NPROBERED =%7d\n", probed);
    return SW_OK;
}

/* ---- Lankford coefficients ---- */

static void rotate_about_3(sw_vpsc_polycrystal *p, double degrees)
{
    const double c = cos(degrees * SW_PI / 180), s = sin(degrees * SW_PI / 180);
    double q[3][3] = {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
    sw_vpsc_rotate(p, q);
}

static double young_along_1(const sw_vpsc_elastic *elastic)
{
    double s[6][6];
    sw_vpsc_moduli_components(sw_vpsc_moduli_of(elastic)->compliance, s);
    return 1 / s[0][0];
}

static void write_lankford(sw_vpsc_run *run, double angle, double young)
{
    const sw_vpsc_polycrystal *p = &run->polycrystal;
    FILE *file = sw_vpsc_output_file(run->output, "LANKFORD.OUT");
    if (run->place.step == 1)
        fprintf(
            file,
            " ANGLE     YOUNG     LANKF       D(1,1)    D(2,2)    D(3,3)    D(1,2)       S(1,1)    S(1,2)\n");
    const double taylor = sw_vpsc_contract(p->stress, p->d) / sw_vpsc_mean_resistance(p) /
                          sqrt(sw_vpsc_contract(p->d, p->d)) * sqrt(1.5);
    sw_fortran_f(file, 6, 1, angle);
    sw_fortran_f(file, 10, 1, young);
    sw_fortran_f(file, 10, 2, fabs(p->d[2] / p->d[0]) <= 1e-6 ? 999999 : p->d[1] / p->d[2]);
    fprintf(file, "   ");
    sw_fortran_fs(file, 3, 10, 4, p->d);
    sw_fortran_f(file, 10, 4, p->d[5]);
    fprintf(file, "   ");
    sw_fortran_f(file, 10, 3, p->stress[0]);
    sw_fortran_f(file, 10, 3, p->stress[5]);
    sw_fortran_f(file, 10, 3, taylor);
    fprintf(file, "\n");
}

/* Tension along 1, no shear, free of stress along 2 and 3. */
static void begin_tension(sw_vpsc_polycrystal *p)
{
    give_all_rates(p);
    p->rate_given[1][1] = p->rate_given[2][2] = 0;
    memset(p->d, 0, sizeof p->d);
    p->d[0] = 1 / sqrt(1.5);
    p->d[1] = p->d[2] = -0.5 / sqrt(1.5);
}

sw_status sw_vpsc_run_lankford(sw_vpsc_run *run, const sw_vpsc_process *process)
{
    double between = process->angle;
    const int parts = sw_vpsc_count_probes(run->input, process) - 1;
    if (!(fabs(parts * between - 90) <= 0.1)) {
        between = 90.0 / parts;
        sw_warn("%s:%d: %g degrees do not divide 90: %g are taken", run->input->path, process->line,
                process->angle, between);
    }
    begin_tension(&run->polycrystal);
    for (int i = 0; i <= parts; i++) {
        rotate_about_3(&run->polycrystal, i == 0 ? 0 : between);
        SW_TRY(sw_vpsc_solve_step(run, i + 1));
        SW_TRY(sw_vpsc_solve_elastic(run));
        write_lankford(run, i * between, young_along_1(run->elastic));
        SW_TRY(sw_vpsc_count_step(run));
    }
    rotate_about_3(&run->polycrystal, -90);
    return SW_OK;
}

/* ---- How many ---- */

static int count_directions(void)
{
    int n = 0, number[4];
    for (int step = 0; step < ALL; step++) {
        take_numbers(step, number);
        n += !is_repeated(number);
    }
    return n;
}

int sw_vpsc_count_probes(const sw_vpsc_input *input, const sw_vpsc_process *process)
{
    switch (process->kind) {
    case SW_VPSC_SURFACE:
        return is_centred(input) ? PROBES / 2 : PROBES;
    case SW_VPSC_SURFACE_5D:
        return count_directions();
    case SW_VPSC_LANKFORD:
        return (int)(90 / process->angle) + 1;
    default:
        return 0;
    }
}
