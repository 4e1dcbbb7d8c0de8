/* Crystals of results of `slipwave taylor`, or of one of their phases: as a step left them, the last one that has orientations or
 * another. */
#include <stdlib.h>
#include <string.h>

#include "common/files/hdf5_io.h"
#include "common/files/text.h"
#include "common/crystal/lattice.h"
#include "crystal_reader.h"

static sw_status check_format(const sw_crystal_reader *r, hid_t file)
{
    char *format = NULL;
    const int good =
        sw_h5_read_text(file, "format", &format) == SW_OK && strcmp(format, "slipwave-taylor") == 0;
    free(format);
    return good ? SW_OK
                : sw_error(SW_ERR_INPUT, "%s: as a file of crystals, need results of slipwave taylor",
                           r->path);
}

/* The largest number among the names of a group's members; -1: none is one. */
static int64_t last_step(hid_t group)
{
    H5G_info_t info = {.nlinks = 0};
    int64_t last = -1;
    H5Gget_info(group, &info);
    for (hsize_t i = 0; i < info.nlinks; i++) {
        char name[32];
        int64_t step;
        const ssize_t length =
            H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_NATIVE, i, name, sizeof name, H5P_DEFAULT);
        if (length > 0 && length < (ssize_t)sizeof name && sw_parse_whole(name, &step) == NULL && step > last)
            last = step;
    }
    return last;
}

/* The step that is asked for, if its orientations are there. */
static sw_status find_step(const sw_crystal_reader *r, hid_t crystals, int64_t *step)
{
    char set[64];
    if (sw_parse_whole(r->filter->step, step) != NULL || *step < 0)
        return sw_error(SW_ERR_INPUT, "%s: step = %.80s: need a step >= 0, or last", r->path,
                        r->filter->step);
    snprintf(set, sizeof set, "orientations/%lld/euler", (long long)*step);
    return sw_h5_exists(crystals, "orientations") && sw_h5_exists(crystals, set)
               ? SW_OK
               : sw_error(SW_ERR_INPUT,
                          "%s: holds no orientations of step %lld: need it in its job's "
                          "output.orientations",
                          r->path, (long long)*step);
}

static sw_status find_last_step(const sw_crystal_reader *r, hid_t crystals, int64_t *step)
{
    hid_t group =
        sw_h5_exists(crystals, "orientations") ? H5Gopen2(crystals, "orientations", H5P_DEFAULT) : -1;
    *step = group >= 0 ? last_step(group) : -1;
    if (group >= 0)
        H5Gclose(group);
    return *step >= 0 ? SW_OK
                      : sw_error(SW_ERR_INPUT,
                                 "%s: has no orientations: need `orientations: last` in its job's "
                                 "output",
                                 r->path);
}

/* moving: volume has gone from crystals to their children, of which those that weigh nothing are none. */
static sw_status add_all(sw_crystal_reader *r, int64_t count, const float (*euler)[3], const float *weight,
                         int moving)
{
    for (int64_t n = 0; n < count; n++) {
        if (moving && weight[n] == 0)
            continue;
        const double angle[3] = {euler[n][0], euler[n][1], euler[n][2]};
        if (!sw_crystal_is_weight(weight[n]))
            return sw_error(SW_ERR_INPUT, "%s: weight of crystal %lld is %g: need >= 0, at most 1e30",
                            r->path, (long long)n, weight[n]);
        for (int i = 0; i < 3; i++)
            if (!(angle[i] >= -64 && angle[i] <= 64))
                return sw_error(SW_ERR_INPUT, "%s: angle %d of crystal %lld is %g: need at most ten turns",
                                r->path, i + 1, (long long)n, angle[i]);
        SW_TRY(sw_crystal_add(r, angle, weight[n]));
    }
    return SW_OK;
}

static sw_status read_into(sw_crystal_reader *r, hid_t crystals, const char *set, const char *weights,
                           int64_t count, float (*euler)[3], float *weight)
{
    SW_TRY(sw_h5_read(crystals, set, H5T_NATIVE_FLOAT, 2, (int64_t[]){count, 3}, euler));
    for (int64_t n = 0; n < count; n++)
        weight[n] = 1;
    const int moving = sw_h5_exists(crystals, weights);
    if (moving || sw_h5_exists(crystals, "orientations/weight"))
        SW_TRY(sw_h5_read(crystals, moving ? weights : "orientations/weight", H5T_NATIVE_FLOAT, 1, &count,
                          weight));
    return add_all(r, count, (const float(*)[3])euler, weight, moving);
}

/* NULL: one that is not known here. */
static void take_lattice(sw_crystal_reader *r, hid_t group, const sw_lattice *lattice)
{
    if (lattice == NULL)
        return;
    snprintf(r->bravais, sizeof r->bravais, "%s", lattice->bravais);
    r->group = r->group != NULL ? r->group : lattice->group;
    if (lattice->vectors != NULL && sw_h5_read_numbers(group, "c_over_a", 1, &r->c_over_a) != SW_OK)
        r->c_over_a = 0;
}

/* Its name and lattice, where attributes of a group say them. */
static void read_material(sw_crystal_reader *r, hid_t group)
{
    char *name = NULL, *structure = NULL;
    if (sw_h5_read_text(group, "material", &name) == SW_OK)
        snprintf(r->material, sizeof r->material, "%s", name);
    if (sw_h5_read_text(group, "crystal_structure", &structure) == SW_OK)
        take_lattice(r, group, sw_lattice_find(structure));
    free(name);
    free(structure);
}

/* Those of the file, or of a phase; `about`: the group that says of what material they are. */
static sw_status read_crystals(sw_crystal_reader *r, hid_t crystals, hid_t about)
{
    int64_t step, shape[2];
    char set[64], weights[64];
    const int last = r->filter->step == NULL || strcmp(r->filter->step, "last") == 0;
    SW_TRY(last ? find_last_step(r, crystals, &step) : find_step(r, crystals, &step));
    if (about >= 0)
        read_material(r, about);
    snprintf(set, sizeof set, "orientations/%lld/euler", (long long)step);
    snprintf(weights, sizeof weights, "orientations/%lld/weight", (long long)step);
    SW_TRY(sw_h5_shape(crystals, set, 2, shape));
    float(*euler)[3] = NULL, *weight = NULL;
    sw_status status = SW_ALLOCATE(euler, shape[0], "orientations");
    if (status == SW_OK)
        status = SW_ALLOCATE(weight, shape[0], "weights of crystals");
    if (status == SW_OK)
        status = read_into(r, crystals, set, weights, shape[0], euler, weight);
    free(euler);
    free(weight);
    return status;
}

/* "cu, fer" */
static void list_phases(hid_t phases, char *text, size_t size)
{
    H5G_info_t info = {.nlinks = 0};
    size_t length = 0;
    H5Gget_info(phases, &info);
    for (hsize_t i = 0; i < info.nlinks && length < size; i++) {
        char name[SW_CRYSTAL_PHASE] = "";
        H5Lget_name_by_idx(phases, ".", H5_INDEX_NAME, H5_ITER_NATIVE, i, name, sizeof name, H5P_DEFAULT);
        length += (size_t)snprintf(text + length, size - length, "%s%s", i > 0 ? ", " : "", name);
    }
}

static sw_status read_phase(sw_crystal_reader *r, hid_t phases)
{
    char list[600] = "";
    const char *name = r->filter->phase;
    list_phases(phases, list, sizeof list);
    if (name == NULL)
        return sw_error(SW_ERR_INPUT, "%s: several phases: need crystals.phase, the name of one of %s",
                        r->path, list);
    hid_t phase = *name != '\0' && strpbrk(name, "/.") == NULL && sw_h5_exists(phases, name)
                      ? H5Gopen2(phases, name, H5P_DEFAULT)
                      : -1;
    if (phase < 0)
        return sw_error(SW_ERR_INPUT, "%s: no phase '%.80s' in it: need the name of one of %s", r->path, name,
                        list);
    const sw_status status = read_crystals(r, phase, phase);
    H5Gclose(phase);
    return status;
}

static sw_status read_file(sw_crystal_reader *r, hid_t file)
{
    SW_TRY(check_format(r, file));
    const int of_phases = sw_h5_exists(file, "phases");
    const char *name = of_phases ? "phases" : "run";
    if (!of_phases && r->filter->phase != NULL)
        return sw_error(SW_ERR_INPUT, "%s: results without `phases`: need no `phase` beside them, %.80s",
                        r->path, r->filter->phase);
    hid_t group = sw_h5_exists(file, name) ? H5Gopen2(file, name, H5P_DEFAULT) : -1;
    const sw_status status = of_phases && group >= 0 ? read_phase(r, group) : read_crystals(r, file, group);
    if (group >= 0)
        H5Gclose(group);
    return status;
}

sw_status sw_crystal_read_results(sw_crystal_reader *r)
{
    hid_t file;
    SW_TRY(sw_h5_open(r->path, 0, &file));
    const sw_status status = read_file(r, file);
    H5Fclose(file);
    return status;
}
