#include "components.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/rotation.h"
#include "output/fortran.h"

static sw_status read_all(sw_vpsc_records *records, sw_vpsc_components *c)
{
    SW_TRY(sw_vpsc_wholes(records, "the number of components", 1, &c->n_components));
    if (c->n_components < 1 || c->n_components > SW_VPSC_COMPONENTS)
        return sw_vpsc_bad(records, "%d components: need 1 to %d", c->n_components, SW_VPSC_COMPONENTS);
    for (int k = 0; k < c->n_components; k++) {
        const char *record;
        int orientations;
        SW_TRY(sw_vpsc_wholes(records, "a component's number of orientations", 1, &orientations));
        if (orientations < 1 || c->n + orientations > SW_VPSC_IDEALS)
            return sw_vpsc_bad(records, "%d orientations: need 1 or more, and at most %d in all",
                               orientations, SW_VPSC_IDEALS);
        SW_TRY(sw_vpsc_record(records, "a component's name", &record));
        snprintf(c->label[k], sizeof c->label[k], "%-3.3s", record);
        for (int i = 0; i < orientations; i++, c->n++) {
            c->of[c->n] = k;
            for (int j = 0; j < 3; j++) { /* a column a record */
                double column[3];
                SW_TRY(sw_vpsc_reals(records, "a column of an orientation", 3, column));
                for (int l = 0; l < 3; l++)
                    c->g[c->n][l][j] = column[l];
            }
        }
    }
    return SW_OK;
}

sw_status sw_vpsc_read_components(const sw_vpsc_input *input, sw_vpsc_components *components)
{
    const sw_vpsc_records from = {.path = input->path, .line = 1};
    sw_vpsc_records records;
    char *path;
    memset(components, 0, sizeof *components);
    SW_TRY(sw_vpsc_find_file(&from, "CUBCOMP.IN", &path));
    sw_status status = sw_vpsc_open(path, &records);
    if (status == SW_OK) {
        status = read_all(&records, components);
        sw_vpsc_close(&records);
    }
    free(path);
    return status;
}

/* The nearest ideal orientation, and the angle to it, rad; both ends of crystals' axis 3 are alike. */
static int nearest(const sw_vpsc_components *c, const double turn[3][3], double *angle)
{
    int found = 0;
    double most = -2;
    const double sign = turn[2][2] < 0 ? -1 : 1;
    for (int i = 0; i < c->n; i++) {
        double trace = 0;
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                trace += c->g[i][j][k] * turn[k][j] * (k == 0 ? 1 : sign);
        const double cosine = fmax(-1, fmin(1, 0.5 * (trace - 1)));
        if (cosine > most) {
            most = cosine;
            found = c->of[i];
        }
    }
    *angle = acos(most);
    return found;
}

static void write_phase(FILE *file, const sw_vpsc_components *c, int step, double strain,
                        const sw_vpsc_grains_of *p)
{
    double share[SW_VPSC_COMPONENTS + 1] = {0}, mean = 0;
    for (int64_t g = 0; g < p->n; g++) {
        double angle;
        const int found = nearest(c, (const double(*)[3])p->turn[g], &angle);
        share[angle > 15 * SW_PI / 180 ? 0 : found + 1] += 100 * p->weight[g] / p->fraction;
        mean += angle * 180 / SW_PI * p->weight[g] / p->fraction;
    }
    if (step == 0) {
        fprintf(file, "    EPS    OTH");
        for (int k = 0; k < c->n_components; k++)
            fprintf(file, "    %s", c->label[k]);
        fprintf(file, " AVMISO\n");
    }
    sw_fortran_f(file, 7, 4, strain);
    for (int k = 0; k <= c->n_components; k++)
        sw_fortran_f(file, 7, 1, share[k]);
    sw_fortran_f(file, 7, 1, mean);
    fprintf(file, "\n");
}

void sw_vpsc_write_components(sw_vpsc_output *output, const sw_vpsc_components *components, int step,
                              const sw_vpsc_polycrystal *polycrystal)
{
    for (int i = 0; i < polycrystal->n_phases; i++)
        write_phase(sw_vpsc_output_file(output, "CUBCOMP%d.OUT", i + 1), components, step,
                    polycrystal->control_strain, &polycrystal->phase[i]);
}
