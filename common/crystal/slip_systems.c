#include "slip_systems.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>

enum { FAMILIES_MAX = 3 };

const char *const sw_crystal_structure_names[SW_CRYSTAL_STRUCTURES] = {
    [SW_FCC] = "fcc", [SW_BCC] = "bcc", [SW_BCC24] = "bcc24", [SW_BCC48] = "bcc48"};

static const struct {
    const char *family;
    struct {
        int plane[3], direction[3]; /* {hkl}, <uvw>; not negative */
    } families[FAMILIES_MAX];       /* those with a plane */
} structures[SW_CRYSTAL_STRUCTURES] = {
    [SW_FCC] = {"{111}<110>", {{{1, 1, 1}, {0, 1, 1}}}},
    [SW_BCC] = {"{110}<111>", {{{0, 1, 1}, {1, 1, 1}}}},
    [SW_BCC24] = {"{110}, {112}<111>", {{{0, 1, 1}, {1, 1, 1}}, {{1, 1, 2}, {1, 1, 1}}}},
    [SW_BCC48] = {"{110}, {112}, {123}<111>",
                  {{{0, 1, 1}, {1, 1, 1}}, {{1, 1, 2}, {1, 1, 1}}, {{1, 2, 3}, {1, 1, 1}}}},
};

static double direction[SW_CRYSTAL_STRUCTURES][SW_SLIP_SYSTEMS_MAX][3];
static double normal[SW_CRYSTAL_STRUCTURES][SW_SLIP_SYSTEMS_MAX][3];
static sw_slip_systems expanded[SW_CRYSTAL_STRUCTURES];

static int parallel(const int a[3], const int b[3])
{
    return a[1] * b[2] == a[2] * b[1] && a[2] * b[0] == a[0] * b[2] && a[0] * b[1] == a[1] * b[0];
}

/* The distinct vectors, up to sign, that permutations and signs make of one: at most 24 -> their number.
 * 111 gives 111 -111 1-11 -1-11. */
static int find_variants(const int index[3], int variant[24][3])
{
    static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    int count = 0;
    for (int k = 0; k < 6 * 8; k++) {
        int v[3], known = 0;
        for (int i = 0; i < 3; i++)
            v[i] = k >> i & 1 ? -index[order[k / 8][i]] : index[order[k / 8][i]];
        for (int n = 0; n < count && !known; n++)
            known = parallel(v, variant[n]);
        for (int i = 0; i < 3 && !known; i++)
            variant[count][i] = v[i];
        count += !known;
    }
    return count;
}

/* Rounded once: symmetric vectors have the same bits. */
static void set_unit(const int v[3], double unit[3])
{
    const long double length = sqrtl((long double)(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    for (int i = 0; i < 3; i++)
        unit[i] = (double)(v[i] / length);
}

static int dot(const int a[3], const int b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void expand_structure(int s)
{
    int plane[24][3], line[24][3], count = 0;
    for (int f = 0; f < FAMILIES_MAX; f++) {
        if (dot(structures[s].families[f].plane, structures[s].families[f].plane) == 0)
            continue;
        const int planes = find_variants(structures[s].families[f].plane, plane);
        const int lines = find_variants(structures[s].families[f].direction, line);
        for (int p = 0; p < planes; p++)
            for (int l = 0; l < lines; l++) {
                if (dot(plane[p], line[l]) != 0)
                    continue;
                assert(count < SW_SLIP_SYSTEMS_MAX);
                set_unit(plane[p], normal[s][count]);
                set_unit(line[l], direction[s][count++]);
            }
    }
    expanded[s] = (sw_slip_systems){sw_crystal_structure_names[s],
                                    structures[s].family,
                                    count,
                                    sw_point_group_of((sw_crystal_structure)s),
                                    (const double(*)[3])direction[s],
                                    (const double(*)[3])normal[s]};
}

static void expand_all(void)
{
    for (int s = 0; s < SW_CRYSTAL_STRUCTURES; s++)
        expand_structure(s);
}

const sw_slip_systems *sw_slip_systems_of(sw_crystal_structure structure)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, expand_all);
    return &expanded[structure];
}
