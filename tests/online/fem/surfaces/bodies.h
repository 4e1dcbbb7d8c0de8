/* Decks of blocks of elements, mapped, for tests of contact. */
#ifndef SW_TESTS_ONLINE_FEM_SURFACES_BODIES_H
#define SW_TESTS_ONLINE_FEM_SURFACES_BODIES_H

#include "tests/online/fem/tying/solved.h"

/* A deck that is being written. */
typedef struct {
    char *text;
    size_t n, room;
    int nodes, elements;
} writer;

__attribute__((format(printf, 2, 3))) static inline void add(writer *w, const char *format, ...)
{
    va_list arguments;
    if (w->room < w->n + 1024) {
        w->room = 2 * w->room + 65536;
        w->text = realloc(w->text, w->room);
        assert_non_null(w->text);
    }
    va_start(arguments, format);
    w->n += (size_t)vsnprintf(w->text + w->n, 1024, format, arguments);
    va_end(arguments);
}

/* A block of n[0] x n[1] (x n[2]) elements; label [i][j][k] of nodes, 0: none there. */
typedef struct {
    int n[3], q, first_element, *label;
} block;

static inline int label_of(const block *b, int i, int j, int k)
{
    return b->label[(i * (b->q * b->n[1] + 1) + j) * (b->q * b->n[2] + 1) + k];
}

static inline int element_of(const block *b, int i, int j, int k)
{
    return b->first_element + (k * b->n[1] + j) * b->n[0] + i;
}

typedef void place_of(const double at[3], double x[3], const double *numbers); /* at: 0..1 */

static inline void write_nodes(writer *w, block *b, place_of *place, const double *numbers)
{
    const int q = b->q;
    for (int k = 0; k <= q * b->n[2]; k++)
        for (int j = 0; j <= q * b->n[1]; j++)
            for (int i = 0; i <= q * b->n[0]; i++) {
                const double at[3] = {(double)i / (q * b->n[0]), (double)j / (q * b->n[1]),
                                      b->n[2] > 0 ? (double)k / (q * b->n[2]) : 0};
                double x[3] = {0, 0, 0};
                if (q == 2 && i % 2 + j % 2 + k % 2 > 1)
                    continue;
                b->label[(i * (q * b->n[1] + 1) + j) * (q * b->n[2] + 1) + k] = ++w->nodes;
                place(at, x, numbers);
                add(w, "%d, %.16g, %.16g, %.16g\n", w->nodes, x[0], x[1], x[2]);
            }
}

static inline void write_element(writer *w, const block *b, int i, int j, int k)
{
    static const int corner[8][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0},
                                     {0, 0, 2}, {2, 0, 2}, {2, 2, 2}, {0, 2, 2}},
                     middle[12][3] = {{1, 0, 0}, {2, 1, 0}, {1, 2, 0}, {0, 1, 0}, {1, 0, 2}, {2, 1, 2},
                                      {1, 2, 2}, {0, 1, 2}, {0, 0, 1}, {2, 0, 1}, {2, 2, 1}, {0, 2, 1}};
    const int q = b->q, corners = b->n[2] > 0 ? 8 : 4, middles = q == 1 ? 0 : b->n[2] > 0 ? 12 : 4;
    add(w, "%d", ++w->elements);
    for (int a = 0; a < corners + middles; a++) {
        const int *c = a < corners ? corner[a] : middle[a - corners];
        add(w, ",%s%d", a == 12 ? "\n" : " ",
            label_of(b, q * i + c[0] * q / 2, q * j + c[1] * q / 2, q * k + c[2] * q / 2));
    }
    add(w, "\n");
}

/* Nodes in set N<name>, elements in E<name>. */
static inline block write_block(writer *w, const char *name, const char *type, const int n[3],
                                place_of *place, const double *numbers)
{
    const int quadratic = strstr(type, "20") != NULL || (n[2] == 0 && strchr(type, '8') != NULL);
    block b = {.n = {n[0], n[1], n[2]}, .q = quadratic ? 2 : 1, .first_element = w->elements + 1};
    b.label = calloc((size_t)((b.q * n[0] + 1) * (b.q * n[1] + 1) * (b.q * n[2] + 1)), sizeof *b.label);
    assert_non_null(b.label);
    add(w, "*NODE, NSET=N%s\n", name);
    write_nodes(w, &b, place, numbers);
    add(w, "*ELEMENT, TYPE=%s, ELSET=E%s\n", type, name);
    for (int k = 0; k < (n[2] > 0 ? n[2] : 1); k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++)
                write_element(w, &b, i, j, k);
    return b;
}

/* Sides of a block: the direction from 0, and which end. */
static inline void write_side_nodes(writer *w, const char *set, const block *b, int direction, int end)
{
    const int q = b->q;
    add(w, "*NSET, NSET=%s\n", set);
    for (int k = 0; k <= q * b->n[2]; k++)
        for (int j = 0; j <= q * b->n[1]; j++)
            for (int i = 0; i <= q * b->n[0]; i++) {
                const int at[3] = {i, j, k};
                if (at[direction] == (end ? q * b->n[direction] : 0) && label_of(b, i, j, k) > 0)
                    add(w, "%d,\n", label_of(b, i, j, k));
            }
}

static inline int face_name(const block *b, int direction, int end)
{
    static const int plane[2][2] = {{4, 2}, {1, 3}}, solid[3][2] = {{6, 4}, {3, 5}, {1, 2}};
    return b->n[2] > 0 ? solid[direction][end] : plane[direction][end];
}

typedef void write_face(writer *w, int element, int face, double value);

static inline void for_side(writer *w, const block *b, int direction, int end, write_face *write,
                            double value)
{
    for (int k = 0; k < (b->n[2] > 0 ? b->n[2] : 1); k++)
        for (int j = 0; j < b->n[1]; j++)
            for (int i = 0; i < b->n[0]; i++) {
                const int at[3] = {i, j, k}, last[3] = {b->n[0] - 1, b->n[1] - 1, b->n[2] - 1};
                if (at[direction] == (end ? last[direction] : 0))
                    write(w, element_of(b, i, j, k), face_name(b, direction, end), value);
            }
}

static inline void write_surface_face(writer *w, int element, int face, double value)
{
    (void)value;
    add(w, "%d, S%d\n", element, face);
}

static inline void write_pressure(writer *w, int element, int face, double value)
{
    add(w, "%d, P%d, %.16g\n", element, face, value);
}

static inline void write_side(writer *w, const char *name, const block *b, int direction, int end)
{
    add(w, "*SURFACE, NAME=%s\n", name);
    for_side(w, b, direction, end, write_surface_face, 0);
}

static inline void material(writer *w, const char *body, const char *name, double young, double poisson)
{
    add(w, "*MATERIAL, NAME=%s\n*ELASTIC\n%.16g, %.16g\n*SOLID SECTION, ELSET=E%s, MATERIAL=%s\n1.\n", name,
        young, poisson, body, name);
}

/* numbers: lower corner, sizes. */
static inline void box(const double at[3], double x[3], const double *numbers)
{
    for (int i = 0; i < 3; i++)
        x[i] = numbers[i] + numbers[3 + i] * at[i];
}

/* A box pressed onto another, which it does not match, and pushed: of `times` as many cells along every edge. */
static inline void rubbed_boxes(writer *w, const char *law, int times)
{
    const double size[2][6] = {{0, 0, 0, 1, 0.5, 1}, {0.1, 0.5, 0.15, 0.7, 0.4, 0.7}};
    const int n[2][3] = {{5 * times, 2 * times, 4 * times}, {3 * times, 2 * times, 4 * times}};
    block a = write_block(w, "A", "C3D8", n[0], box, size[0]),
          b = write_block(w, "B", "C3D8", n[1], box, size[1]);
    write_side_nodes(w, "BOTTOM", &a, 1, 0);
    write_side_nodes(w, "TOP", &b, 1, 1);
    write_side(w, "MASTER", &a, 1, 1);
    write_side(w, "SLAVE", &b, 1, 0);
    material(w, "A", "MA", 1000, 0.3);
    material(w, "B", "MB", 1000, 0.3);
    add(w,
        "*SURFACE INTERACTION, NAME=I\n%s*CONTACT PAIR, INTERACTION=I, TYPE=SURFACE TO SURFACE\nSLAVE, "
        "MASTER\n"
        "*BOUNDARY\nBOTTOM, 1, 3\nTOP, 3, 3\n*STEP, NLGEOM\n*STATIC\n.5, 1.\n*BOUNDARY\nTOP, 1, 1, .02\nTOP, "
        "2, "
        "2, -.01\n*NODE FILE\nU\n*END STEP\n",
        law);
    free(a.label);
    free(b.label);
}

/* A deck that is solved, with what contacts came to. */
typedef struct {
    sw_deck *deck;
    const sw_structure_problem *problem;
    sw_structure *structure;
    double (*u)[3];
} solution;

static inline solution solve_by(writer *w, const sw_structure_options *options)
{
    solution s = {0};
    s.deck = read_deck(w->text, &s.problem);
    CHECK_OK(sw_structure_open(s.problem, options, &s.structure));
    s.u = calloc((size_t)s.problem->n_nodes, sizeof *s.u);
    free(w->text);
    *w = (writer){0};
    return s;
}

static inline solution solve(writer *w)
{
    const sw_structure_options options = {.quiet = 1};
    return solve_by(w, &options);
}

static inline void take_step(solution *s, int k)
{
    CHECK_OK(sw_structure_advance(s->structure, k));
    sw_structure_read(s->structure, s->u, NULL);
}

static inline void end(solution *s)
{
    sw_structure_close(s->structure);
    free(s->u);
    sw_deck_free(s->deck);
}

#endif
