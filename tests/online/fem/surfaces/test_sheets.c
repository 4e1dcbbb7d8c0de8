/* Thin sheets that tools press and draw. */
#include "bodies.h"
#include "common/system/progress.h"
#include "online/fem/structure/analysis.h"
#include "online/fem/surfaces/face.h"
#include "online/fem/surfaces/law.h"

/* A tool: its outline, outside to the right of the way; a layer of elements of 1 behind it. */
enum { MOST = 16 };
typedef struct {
    int n;
    double x[MOST][2];
} outline;

static void to(outline *o, double x, double y)
{
    o->x[o->n][0] = x;
    o->x[o->n++][1] = y;
}

/* Of n pieces, the first place left out; degrees. */
static void arc(outline *o, double x, double y, double radius, double begin, double end, int n)
{
    for (int k = 1; k <= n; k++) {
        const double angle = (begin + (end - begin) * k / n) * acos(-1.0) / 180;
        to(o, x + radius * cos(angle), y + radius * sin(angle));
    }
}

/* numbers: an outline's places, after their number. */
static void along(const double at[3], double x[3], const double *numbers)
{
    const int n = (int)numbers[0], k = (int)lround(at[0] * (n - 1));
    const double *here = numbers + 1 + 2 * k, *before = k > 0 ? here - 2 : here,
                 *after = k < n - 1 ? here + 2 : here;
    const double way[2] = {after[0] - before[0], after[1] - before[1]}, size = hypot(way[0], way[1]);
    x[0] = fmax(0, here[0] - at[1] * way[1] / size);
    x[1] = here[1] + at[1] * way[0] / size;
}

static block write_tool(writer *w, const char *name, const outline *o)
{
    const int n[3] = {o->n - 1, 1, 0};
    double numbers[1 + 2 * MOST] = {o->n};
    char surface[16];
    for (int k = 0; k < o->n; k++) {
        numbers[1 + 2 * k] = o->x[k][0];
        numbers[2 + 2 * k] = o->x[k][1];
    }
    block b = write_block(w, name, "CAX4", n, along, numbers);
    snprintf(surface, sizeof surface, "S%s", name);
    write_side(w, surface, &b, 1, 0);
    material(w, name, name, 210000, 0.3);
    return b;
}

/* A cup of a sheet 1 thick, 12 elements from its axis to its rim at 53.75: a die of 31.2 with an edge of 10, a punch of 30 with one of 5,
 * a holder under 40 kN, all of facets of some 20 degrees, friction 0.09; drawn by 12. */
static void write_cup(writer *w)
{
    outline die = {0}, holder = {0}, punch = {0};
    const double sheet[6] = {0, 0, 0, 53.75, 1, 0};
    const int n[3] = {12, 1, 0};
    block blank = write_block(w, "BLANK", "CAX4", n, box, sheet), tool;
    write_side_nodes(w, "AXIS", &blank, 0, 0);
    write_side(w, "LOW", &blank, 1, 0);
    write_side(w, "HIGH", &blank, 1, 1);
    add(w, "*MATERIAL, NAME=BLANK\n*ELASTIC\n70000., .33\n*PLASTIC\n126., 0.\n193., .035\n241., .08\n281., "
           ".14\n315., 1.\n*SOLID SECTION, ELSET=EBLANK, MATERIAL=BLANK\n1.\n");
    free(blank.label);
    for (int k = 0; k < 4; k++)
        to(&die, 60 - 18.8 * k / 3, 0);
    arc(&die, 41.2, -10, 10, 90, 180, 5);
    to(&die, 31.2, -30);
    to(&holder, 31, 6);
    arc(&holder, 36, 6, 5, 180, 270, 5);
    to(&holder, 48, 1);
    to(&holder, 60, 1);
    to(&punch, 0, 1);
    to(&punch, 12.5, 1);
    to(&punch, 25, 1);
    arc(&punch, 25, 6, 5, 270, 360, 5);
    to(&punch, 30, 30);
    tool = write_tool(w, "DIE", &die);
    free(tool.label);
    tool = write_tool(w, "PUNCH", &punch);
    free(tool.label);
    tool = write_tool(w, "HOLDER", &holder);
    const int first = label_of(&tool, 0, 0, 0);
    for (int i = 0; i <= tool.n[0]; i++)
        for (int j = 0; j <= 1; j++)
            if (i + j > 0)
                add(w, "*EQUATION\n2\n%d, 2, 1., %d, 2, -1.\n", label_of(&tool, i, j, 0), first);
    free(tool.label);
    add(w,
        "*SURFACE INTERACTION, NAME=I\n*FRICTION\n0.09\n*CONTACT PAIR, INTERACTION=I, TYPE=SURFACE TO "
        "SURFACE\nLOW, SDIE\nHIGH, SHOLDER\nHIGH, SPUNCH\n*BOUNDARY\nAXIS, 1\nNDIE, 1, 2\nNPUNCH, 1, "
        "2\nNHOLDER, 1\n*STEP, NLGEOM\n*STATIC\n.5, 1.\n*CLOAD\n%d, 2, -40000.\n*NODE FILE\nU\n*END "
        "STEP\n*STEP, NLGEOM, INC=500\n*STATIC\n.01, 1.\n*BOUNDARY\nNPUNCH, 2, 2, -12.\n*NODE "
        "FILE\nU\n*END STEP\n*STEP, NLGEOM\n*STATIC\n.1, 1., 1e-5, .1\n*NODE FILE\nU\n*END STEP\n",
        first);
}

/* [0] hard contact that became softer, [1] that is still too deep. */
static void count(void *to, sw_notice notice, const char *text)
{
    (void)notice;
    ((int *)to)[0] += strstr(text, "hard contact of") != NULL;
    ((int *)to)[1] += strstr(text, "pressures are still short") != NULL;
}

/* Pressures were let go of where increments begin, and the first step in which the sheet moved found no end. What became softer by itself
 * is as hard as ever after some increments in which nothing happens. */
static void a_cup_is_drawn(void **state)
{
    (void)state;
    writer w = {0};
    write_cup(&w);
    const sw_structure_options options = {.quiet = 0};
    int seen[2] = {0};
    sw_listen(count, seen);
    solution s = solve_by(&w, &options);
    take_step(&s, 0);
    take_step(&s, 1);
    sw_listen(NULL, NULL);
    assert_in_range(seen[0], 1, 40);
    assert_true(s.structure->increments < 40); /* of two steps; whole runs of three take 26 to 30 */
    take_step(&s, 2);
    for (int k = 0; k < 3; k++)
        CHECK_CLOSE(s.structure->contacts->surfaces->state[k].hard, SW_SURFACE_HARD, 0);
    end(&s);
}

/* That it is to be cut anew, of another hardness, is known to those who go on from there. */
static void another_hardness_is_kept(void **state)
{
    (void)state;
    writer w = {0};
    write_cup(&w);
    solution s = solve(&w);
    take_step(&s, 0);
    sw_surfaces *surfaces = s.structure->contacts->surfaces;
    const int64_t n = sw_surfaces_kept(surfaces);
    double *kept = calloc((size_t)n, sizeof *kept);
    assert_non_null(kept);
    assert_int_equal(sw_surfaces_soften(surfaces, 1), 1);
    sw_surfaces_keep(surfaces, kept);
    for (int k = 0; k < 3; k++)
        surfaces->state[k].is_other = 0;
    CHECK_OK(sw_surfaces_restore(surfaces, n, kept));
    for (int k = 0; k < 3; k++)
        assert_int_equal(surfaces->state[k].is_other, 1);
    free(kept);
    end(&s);
}

/* A hundredth as hard they should pass into each other by no more than they would with HARD, twice that. Each pair is told of once. */
static void pressures_that_are_short_are_told(void **state)
{
    (void)state;
    writer w = {0};
    int seen[2] = {0};
    write_cup(&w);
    solution s = solve(&w);
    take_step(&s, 0);
    sw_surfaces *surfaces = s.structure->contacts->surfaces;
    CHECK_CLOSE(sw_surfaces_too_deep(surfaces, 1, s.structure->u), 0, 0);
    surfaces->state[1].hard = SW_SURFACE_LEAST;
    /* means of gaps and pressures of corners are of one another: p = -K g */
    CHECK_CLOSE(sw_surfaces_too_deep(surfaces, 1, s.structure->u),
                SW_SURFACE_HARD / SW_SURFACE_LEAST / SW_SURFACE_ENOUGH, 1e-9 * SW_SURFACE_HARD);
    sw_listen(count, seen);
    sw_structure_contacts_tell_short(s.structure);
    sw_structure_contacts_tell_short(s.structure);
    sw_listen(NULL, NULL);
    assert_int_equal(seen[1], 1);
    end(&s);
}

/* In proportion, without a point that opens or begins to slide: the guess of an increment is its answer, and a correction tells so, of
 * hard contact, where gaps that are open count as they go, one more. The first one finds who touches and who slides. */
static void what_goes_on_is_known(void **state)
{
    (void)state;
    static const char *const law[] = {"*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n1e5,\n", ""};
    const double size[2][6] = {{0, 0, 0, 4, 1, 2}, {0.5, 1, 0.25, 2, 1, 1.5}};
    const int n[2][3] = {{4, 2, 2}, {3, 2, 2}};
    for (int k = 0; k < 2; k++) {
        writer w = {0};
        block a = write_block(&w, "A", "C3D8", n[0], box, size[0]),
              b = write_block(&w, "B", "C3D8", n[1], box, size[1]);
        write_side_nodes(&w, "BOTTOM", &a, 1, 0);
        write_side_nodes(&w, "TOP", &b, 1, 1);
        write_side(&w, "MASTER", &a, 1, 1);
        write_side(&w, "SLAVE", &b, 1, 0);
        material(&w, "A", "MA", 2000, 0.3);
        material(&w, "B", "MB", 2000, 0.3);
        add(&w,
            "*SURFACE INTERACTION, NAME=I\n%s*FRICTION\n.3, 1e5\n*CONTACT PAIR, INTERACTION=I, TYPE=SURFACE "
            "TO "
            "SURFACE\nSLAVE, MASTER\n*BOUNDARY\nBOTTOM, 1, 3\nTOP, 1\nTOP, 3\n*STEP\n*STATIC, DIRECT\n.2, "
            "1.\n*BOUNDARY\nTOP, 2, 2, -.05\n*NODE FILE\nU\n*END STEP\n",
            law[k]);
        free(a.label);
        free(b.label);
        solution s = solve(&w);
        take_step(&s, 0);
        assert_int_equal(s.structure->increments, 5);
        assert_true(s.structure->iterations <= 10 + 4 * (1 + k));
        end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cup_is_drawn), cmocka_unit_test(pressures_that_are_short_are_told),
        cmocka_unit_test(what_goes_on_is_known), cmocka_unit_test(another_hardness_is_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
