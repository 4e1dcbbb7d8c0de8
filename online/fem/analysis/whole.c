/* Fields and states of the whole body, whose parts processes have: gathered on rank 0; taken from the whole by each. */
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "common/system/parallel.h"
#include "online/fem/crystal/crystals.h"
#include "online/fem/parts/parts.h"
#include "online/fem/periodic/periodic.h"

/* ---- Arrays of a structure ---- */

typedef enum { OF_NODES, OF_ELEMENTS } kind;

/* A member that points to an array, and bytes of a row of it. */
typedef struct {
    size_t member;
    kind of;
    int64_t bytes;
} array;

static void **member_of(const void *structure, const array *a)
{
    return (void **)((char *)structure + a->member);
}

static void release(int n, const array *a, const void *part)
{
    for (int i = 0; i < n; i++)
        free(*member_of(part, &a[i]));
}

/* Arrays of the part where the whole has some, in `part`, whose members are NULL. */
static sw_status make_arrays(const sw_fem *fem, int n, const array *a, const void *whole, const void *part)
{
    for (int i = 0; i < n; i++) {
        char *room;
        if (!*member_of(whole, &a[i]))
            continue;
        /* of vectors the unknowns after the nodes', too */
        SW_TRY(SW_ALLOCATE(room,
                           (a[i].of == OF_NODES ? fem->n_nodes : fem->n_elements) * a[i].bytes +
                               (fem->n_unknowns - fem->n_nodes * fem->components) * (int64_t)sizeof(double),
                           "fields of a part"));
        *member_of(part, &a[i]) = room;
    }
    return SW_OK;
}

static sw_status gather_arrays(const sw_fem *fem, int n, const array *a, const void *whole, const void *part)
{
    const sw_fem_division *d = &fem->parts->division;
    for (int i = 0; i < n; i++) {
        const void *from = *member_of(part, &a[i]);
        void *to = *member_of(whole, &a[i]);
        if (from)
            SW_TRY(a[i].of == OF_NODES ? sw_fem_gather_nodes(d, a[i].bytes, from, to)
                                       : sw_fem_gather_elements(d, NULL, a[i].bytes, from, to));
    }
    return SW_OK;
}

/* Rows of the whole to the part. */
static void pick_arrays(const sw_fem *fem, int n, const array *a, const void *whole, const void *part)
{
    const sw_fem_division *d = &fem->parts->division;
    for (int i = 0; i < n; i++) {
        const int64_t count = a[i].of == OF_NODES ? d->n_nodes : d->n_elements;
        const int32_t *number = a[i].of == OF_NODES ? d->node : d->own_element;
        const char *from = *member_of(whole, &a[i]);
        char *to = *member_of(part, &a[i]);
        for (int64_t k = 0; k < count && to; k++)
            memcpy(to + k * a[i].bytes, from + number[k] * a[i].bytes, (size_t)a[i].bytes);
    }
}

/* The unknowns after the nodes', which all parts have. */
static void copy_rest(const sw_fem *fem, const double *part, double *whole)
{
    const int64_t n = fem->n_nodes * fem->components;
    if (part)
        memcpy(whole + fem->parts->whole->mesh->n_nodes * fem->components, part + n,
               (size_t)(fem->n_unknowns - n) * sizeof *part);
}

static void pick_rest(const sw_fem *fem, const double *whole, double *part)
{
    const int64_t n = fem->n_nodes * fem->components;
    if (part)
        memcpy(part + n, whole + fem->parts->whole->mesh->n_nodes * fem->components,
               (size_t)(fem->n_unknowns - n) * sizeof *part);
}

/* ---- Fields ---- */

#define FIELD(name, of, rows)                                                                      \
    {                                                                                              \
        offsetof(sw_fem_fields, name), of, (rows) * (int64_t)sizeof *((sw_fem_fields *)NULL)->name \
    }

static sw_status read_parts(sw_fem *fem, const sw_fem_fields *whole)
{
    const int c = fem->components, Q = fem->corners;
    const array arrays[] = {FIELD(displacement, OF_NODES, c),
                            FIELD(force, OF_NODES, c),
                            FIELD(external, OF_NODES, c),
                            FIELD(stress, OF_ELEMENTS, 1),
                            FIELD(strain, OF_ELEMENTS, 1),
                            FIELD(von_mises, OF_ELEMENTS, 1),
                            FIELD(plastic_strain, OF_ELEMENTS, 1),
                            FIELD(plastic, OF_ELEMENTS, 1),
                            FIELD(point_stress, OF_ELEMENTS, Q),
                            FIELD(point_strain, OF_ELEMENTS, Q),
                            FIELD(point_plastic_strain, OF_ELEMENTS, Q),
                            FIELD(crystal, OF_ELEMENTS, 1)};
    enum { N = sizeof arrays / sizeof *arrays };
    sw_fem_fields part = {.factor = whole->factor, .mean = whole->mean};
    sw_status status = make_arrays(fem, N, arrays, whole, &part);
    if (status == SW_OK)
        status = sw_fem_read_part(fem, &part);
    status = sw_parallel_agree(status);
    if (status == SW_OK)
        status = gather_arrays(fem, N, arrays, whole, &part);
    if (status == SW_OK) {
        copy_rest(fem, part.displacement, whole->displacement);
        copy_rest(fem, part.force, whole->force);
        copy_rest(fem, part.external, whole->external);
        if (fem->periodic && part.displacement && sw_parallel_rank() == 0)
            sw_fem_periodic_displace(fem->parts->periodic, whole->displacement);
    }
    release(N, arrays, &part);
    return status;
}

/* What tools do to the whole body, on rank 0, which finds it from all displacements and states. */
static sw_status read_tools(sw_fem *fem, const sw_fem_fields *whole)
{
    const sw_fem_contact_view *view = &fem->parts->contact->view;
    double *u = NULL;
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(u, sw_fem_count_unknowns(fem->parts->whole), "contact"), agree);
    status = fem->backend->save(fem, NULL, NULL, fem->contact->state);
agree:
    status = sw_parallel_agree(status);
    if (status == SW_OK)
        status = read_parts(fem, &(sw_fem_fields){.displacement = u});
    if (status == SW_OK)
        status = sw_fem_contact_gather(fem, fem->contact->state, fem->parts->contact->state);
    if (status == SW_OK && u && sw_parallel_rank() == 0)
        sw_fem_read_contact(view, u, fem->parts->contact->state, whole);
    free(u);
    return status;
}

sw_status sw_fem_read(sw_fem *fem, const sw_fem_fields *fields)
{
    if (!fem->parts)
        return sw_fem_read_part(fem, fields);
    SW_TRY(read_parts(fem, fields));
    const int of_tools =
        fields->contact || fields->contact_pressure || fields->contact_friction || fields->slip;
    return of_tools && fem->contact ? read_tools(fem, fields) : SW_OK;
}

/* ---- Crystals of an element ---- */

static const sw_fem_polycrystal *crystals_of(const sw_fem_problem *p, int64_t e)
{
    return p->material[p->material_of ? p->material_of[e] : 0].crystals;
}

sw_status sw_fem_read_crystals(sw_fem *fem, int64_t e, sw_crystal *crystal, float *weight)
{
    const sw_fem_parts *parts = fem->parts;
    int64_t number;
    if (!parts)
        return sw_fem_read_part_crystals(fem, e, crystal, weight);
    const int there = e >= 0 && e < parts->whole->mesh->n_elements && crystals_of(parts->whole, e);
    const int owner = there ? sw_fem_find_element(&parts->division, e, &number) : -1;
    if (owner < 0)
        return sw_error(SW_ERR_RANGE, "element %lld: has no crystals", (long long)e + 1);
    const int64_t n = crystals_of(parts->whole, e)->each * fem->corners;
    SW_TRY(owner == sw_parallel_rank() ? sw_fem_read_part_crystals(fem, number, crystal, weight) : SW_OK);
    sw_parallel_move(crystal, n * (int64_t)sizeof *crystal, owner, 0);
    if (weight)
        sw_parallel_move(weight, n * (int64_t)sizeof *weight, owner, 0);
    return SW_OK;
}

/* ---- States ---- */

#define STATE(name, of, rows)                                                                    \
    {                                                                                            \
        offsetof(sw_fem_state, name), of, (rows) * (int64_t)sizeof *((sw_fem_state *)NULL)->name \
    }
#define STATE_ARRAYS(c, Q)                                                                         \
    {                                                                                              \
        STATE(displacement, OF_NODES, c), STATE(last, OF_NODES, c), STATE(points, OF_ELEMENTS, Q), \
            STATE(yielded, OF_ELEMENTS, Q)                                                         \
    }
enum { STATE_ARRAYS_N = 4 };

/* Elements of a material, in order: their places among them [E], -1 elsewhere. Their number. */
static int64_t place_elements(const sw_fem_problem *p, int material, int64_t *place)
{
    int64_t n = 0;
    for (int64_t e = 0; e < p->mesh->n_elements; e++)
        place[e] = (p->material_of ? p->material_of[e] : 0) == material ? n++ : -1;
    return n;
}

/* What the elements of one material of crystals keep, in a state's arrays of all of them, which then go on after it. */
typedef struct {
    char *points, *crystal, *kept;
} crystal_arrays;

static crystal_arrays arrays_of(const sw_fem_state *state)
{
    return (crystal_arrays){(char *)state->crystal_points, (char *)state->crystal, (char *)state->kept};
}

/* Bytes of an element in each array. */
typedef struct {
    int64_t points, crystal, kept;
} element_bytes;

static element_bytes bytes_of(const sw_fem *fem, const sw_fem_polycrystal *of)
{
    const int64_t n = of->each * fem->corners;
    return (element_bytes){fem->corners * (int64_t)sizeof(sw_fem_crystal_point),
                           n * (int64_t)sizeof(sw_crystal),
                           n * sw_fem_state_values(of) * (int64_t)sizeof(double)};
}

static void skip(crystal_arrays *a, const element_bytes *bytes, int64_t n)
{
    a->points += n * bytes->points;
    a->crystal += n * bytes->crystal;
    a->kept += n * bytes->kept;
}

static sw_status gather_crystals(const sw_fem *fem, const sw_fem_state *whole, const sw_fem_state *part,
                                 int64_t *place)
{
    const sw_fem_parts *parts = fem->parts;
    const sw_fem_division *d = &parts->division;
    crystal_arrays to = arrays_of(whole), from = arrays_of(part);
    for (int i = 0; i < fem->problem->n_materials && fem->crystals; i++) {
        if (!fem->problem->material[i].crystals)
            continue;
        const element_bytes bytes = bytes_of(fem, fem->problem->material[i].crystals);
        const int64_t here = place_elements(fem->problem, i, place),
                      all = place_elements(parts->whole, i, place);
        SW_TRY(sw_fem_gather_elements(d, place, bytes.points, from.points, to.points));
        SW_TRY(sw_fem_gather_elements(d, place, bytes.crystal, from.crystal, to.crystal));
        if (bytes.kept > 0)
            SW_TRY(sw_fem_gather_elements(d, place, bytes.kept, from.kept, to.kept));
        skip(&from, &bytes, here);
        skip(&to, &bytes, all);
    }
    return SW_OK;
}

static void pick_crystals(const sw_fem *fem, const sw_fem_state *whole, const sw_fem_state *part,
                          int64_t *place)
{
    const sw_fem_parts *parts = fem->parts;
    crystal_arrays from = arrays_of(whole), to = arrays_of(part);
    for (int i = 0; i < fem->problem->n_materials && fem->crystals; i++) {
        if (!fem->problem->material[i].crystals)
            continue;
        const element_bytes bytes = bytes_of(fem, fem->problem->material[i].crystals);
        const int64_t all = place_elements(parts->whole, i, place);
        for (int64_t e = 0; e < fem->n_elements; e++) {
            const int64_t at = place[parts->division.own_element[e]];
            if (at < 0)
                continue;
            memcpy(to.points, from.points + at * bytes.points, (size_t)bytes.points);
            memcpy(to.crystal, from.crystal + at * bytes.crystal, (size_t)bytes.crystal);
            if (bytes.kept > 0)
                memcpy(to.kept, from.kept + at * bytes.kept, (size_t)bytes.kept);
            skip(&to, &bytes, 1);
        }
        skip(&from, &bytes, all);
    }
}

/* Room for a part's state. place: [E of the whole]. */
static sw_status make_state(const sw_fem *fem, const array *arrays, const sw_fem_state *whole,
                            sw_fem_state *part, int64_t **place)
{
    const sw_fem_crystal_count n = sw_fem_crystal_counts(fem->problem);
    *part = (sw_fem_state){.factor = whole->factor, .last_factor = whole->last_factor};
    *place = NULL;
    SW_TRY(make_arrays(fem, STATE_ARRAYS_N, arrays, whole, part));
    SW_TRY(SW_ALLOCATE(*place, fem->parts->whole->mesh->n_elements, "states of a part"));
    if (fem->contact)
        SW_TRY(SW_ALLOCATE(part->contact, fem->contact->view.n, "states of a part"));
    SW_TRY(SW_ALLOCATE(part->crystal_points, n.points, "states of a part"));
    SW_TRY(SW_ALLOCATE(part->crystal, n.crystals, "states of a part"));
    return SW_ALLOCATE(part->kept, n.kept, "states of a part");
}

static void release_state(const array *arrays, sw_fem_state *part, int64_t *place)
{
    release(STATE_ARRAYS_N, arrays, part);
    free(part->contact);
    free(part->crystal_points);
    free(part->crystal);
    free(part->kept);
    free(place);
}

static sw_status save_parts(sw_fem *fem, sw_fem_state *whole)
{
    const array arrays[STATE_ARRAYS_N] = STATE_ARRAYS(fem->components, fem->corners);
    sw_fem_state part;
    int64_t *place;
    sw_status status = make_state(fem, arrays, whole, &part, &place);
    if (status == SW_OK)
        status = sw_fem_save_part(fem, &part);
    status = sw_parallel_agree(status);
    if (status == SW_OK)
        status = gather_arrays(fem, STATE_ARRAYS_N, arrays, whole, &part);
    if (status == SW_OK && place != NULL)
        status = gather_crystals(fem, whole, &part, place);
    if (status == SW_OK && fem->contact)
        status = sw_fem_contact_gather(fem, part.contact, whole->contact);
    if (status == SW_OK) {
        copy_rest(fem, part.displacement, whole->displacement);
        copy_rest(fem, part.last, whole->last);
    }
    whole->work = part.work;
    whole->largest = part.largest;
    memcpy(whole->rates, part.rates, sizeof part.rates);
    release_state(arrays, &part, place);
    return status;
}

static sw_status restore_parts(sw_fem *fem, const sw_fem_state *whole)
{
    const array arrays[STATE_ARRAYS_N] = STATE_ARRAYS(fem->components, fem->corners);
    sw_fem_state part;
    int64_t *place;
    sw_status status = sw_parallel_agree(make_state(fem, arrays, whole, &part, &place));
    if (status == SW_OK && place != NULL) {
        pick_arrays(fem, STATE_ARRAYS_N, arrays, whole, &part);
        pick_crystals(fem, whole, &part, place);
        pick_rest(fem, whole->displacement, part.displacement);
        pick_rest(fem, whole->last, part.last);
        if (fem->contact)
            sw_fem_contact_pick(fem, whole->contact, part.contact);
        part.work = whole->work;
        part.largest = whole->largest;
        memcpy(part.rates, whole->rates, sizeof part.rates);
        status = sw_fem_restore_part(fem, &part);
    }
    release_state(arrays, &part, place);
    return status;
}

/* What laws of decks keep is in no state. */
static sw_status check_kept(const sw_fem *fem)
{
    return sw_fem_measure_of(fem->problem) == SW_FEM_MEASURE_MATTER
               ? sw_error(SW_ERR_UNAVAILABLE, "states of materials with laws of decks are not kept")
               : SW_OK;
}

sw_status sw_fem_save(sw_fem *fem, sw_fem_state *state)
{
    SW_TRY(check_kept(fem));
    return fem->parts ? save_parts(fem, state) : sw_fem_save_part(fem, state);
}

sw_status sw_fem_restore(sw_fem *fem, const sw_fem_state *state)
{
    SW_TRY(check_kept(fem));
    return fem->parts ? restore_parts(fem, state) : sw_fem_restore_part(fem, state);
}
