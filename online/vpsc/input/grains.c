/* Textures and ellipsoids of grains, as VPSC8 reads them: the first N rows of the first block. */
#include "grains.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/rotation.h"

/* What letters make of angles: a sign and a turn, degrees. */
static const struct {
    char letter;
    double sign[3], turn[3];
} conventions[] = {{'B', {1, 1, 1}, {0, 0, 0}},
                   {'K', {1, -1, -1}, {-90, 0, -90}}, /* Kocks */
                   {'R', {1, 1, 1}, {90, 0, -90}}};   /* Roe */
enum { CONVENTIONS = sizeof conventions / sizeof *conventions };

enum { GRAINS_MOST = 100000000 };

static sw_status read_header(sw_vpsc_records *records, int *convention, int64_t *count)
{
    const char *record;
    char *end;
    SW_TRY(sw_vpsc_skip(records, 3));
    SW_TRY(sw_vpsc_record(records, "\"B N\", a letter and the number of grains", &record));
    record += strspn(record, " \t'\"");
    *convention = 0;
    while (*convention < CONVENTIONS && toupper((unsigned char)*record) != conventions[*convention].letter)
        ++*convention;
    const char *number = record + strcspn(record, " \t,");
    number += strspn(number, " \t,");
    *count = strtoll(number, &end, 10);
    if (*convention == CONVENTIONS || end == number)
        return sw_vpsc_bad(
            records,
            "\"%.24s\": need \"B N\", B for Bunge's angles, K for Kocks's, R for Roe's, and the number "
            "of grains",
            record);
    if (*count < 1 || *count > GRAINS_MOST)
        return sw_vpsc_bad(records, "%lld grains: need 1 to %d", (long long)*count, GRAINS_MOST);
    return SW_OK;
}

static sw_status read_texture(sw_vpsc_records *records, sw_vpsc_grains *grains)
{
    int convention;
    double total = 0;
    SW_TRY(read_header(records, &convention, &grains->count));
    SW_TRY(SW_ALLOCATE(grains->euler, grains->count, "orientations"));
    SW_TRY(SW_ALLOCATE(grains->weight, grains->count, "weights"));
    for (int64_t g = 0; g < grains->count; g++) {
        const sw_vpsc_item item[] = {SW_VPSC_REALS("three angles of a grain", 3, grains->euler[g]),
                                     SW_VPSC_REALS("a grain's weight", 1, &grains->weight[g])};
        SW_TRY(sw_vpsc_read_here(records, 2, item));
        if (!(grains->weight[g] >= 0))
            return sw_vpsc_bad(records, "weight %g: need 0 or more", grains->weight[g]);
        for (int i = 0; i < 3; i++)
            grains->euler[g][i] =
                (conventions[convention].sign[i] * grains->euler[g][i] + conventions[convention].turn[i]) *
                SW_PI / 180;
        total += grains->weight[g];
    }
    if (!(total > 0))
        return sw_vpsc_bad(records, "all weights are 0");
    return SW_OK;
}

static sw_status read_ellipsoids(sw_vpsc_records *records, sw_vpsc_grains *grains)
{
    double weight;
    SW_TRY(SW_ALLOCATE(grains->axes_euler, grains->count, "ellipsoids"));
    SW_TRY(SW_ALLOCATE(grains->axes, grains->count, "ellipsoids"));
    SW_TRY(sw_vpsc_skip(records, 6));
    for (int64_t g = 0; g < grains->count; g++) {
        double *axes = grains->axes[g];
        const sw_vpsc_item item[] = {SW_VPSC_REALS("three angles of an ellipsoid", 3, grains->axes_euler[g]),
                                     SW_VPSC_REALS("its weight", 1, &weight),
                                     SW_VPSC_REALS("its three axes", 3, axes)};
        SW_TRY(sw_vpsc_read_here(records, 3, item));
        if (!(axes[0] > 0 && axes[1] > 0 && axes[2] > 0))
            return sw_vpsc_bad(records, "axes %g %g %g of an ellipsoid: need all above 0", axes[0], axes[1],
                               axes[2]);
        for (int i = 0; i < 3; i++)
            grains->axes_euler[g][i] *= SW_PI / 180;
    }
    return SW_OK;
}

static sw_status with_file(const char *path, sw_status (*read)(sw_vpsc_records *, sw_vpsc_grains *),
                           sw_vpsc_grains *grains)
{
    sw_vpsc_records records;
    sw_status status = sw_vpsc_open(path, &records);
    if (status == SW_OK) {
        status = read(&records, grains);
        sw_vpsc_close(&records);
    }
    if (status != SW_OK)
        sw_vpsc_grains_free(grains);
    return status;
}

sw_status sw_vpsc_read_grains(const char *path, sw_vpsc_grains *grains)
{
    memset(grains, 0, sizeof *grains);
    return with_file(path, read_texture, grains);
}

sw_status sw_vpsc_read_shapes(const char *path, sw_vpsc_grains *grains)
{
    return with_file(path, read_ellipsoids, grains);
}

void sw_vpsc_grains_free(sw_vpsc_grains *grains)
{
    free(grains->euler);
    free(grains->weight);
    free(grains->axes_euler);
    free(grains->axes);
    memset(grains, 0, sizeof *grains);
}
