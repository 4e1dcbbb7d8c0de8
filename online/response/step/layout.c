/* Which numbers a crystal's state has: of its solver and of its material's law. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal/material.h"
#include "solver.h"

const sw_state_layout *sw_response_layout(const sw_response *response) { return response->layout; }

enum { LAYOUT_FIELDS = 11 }; /* the solver's, seven of a law, and two beside */

/* Those made so far, of materials with families. */
typedef struct known_layout {
    sw_state_layout layout;
    sw_state_field field[LAYOUT_FIELDS];
    struct known_layout *next;
} known_layout;

int sw_state_layouts_match(const sw_state_layout *a, const sw_state_layout *b)
{
    int same = a->numbers == b->numbers && a->n_fields == b->n_fields;
    for (int i = 0; same && i < a->n_fields; i++)
        same = strcmp(a->field[i].name, b->field[i].name) == 0 && a->field[i].values == b->field[i].values;
    return same;
}

static const sw_state_layout *known(const sw_state_layout *layout)
{
    static known_layout *first;
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    known_layout *k = first;
    while (k != NULL && !sw_state_layouts_match(&k->layout, layout))
        k = k->next;
    if (k == NULL && (k = calloc(1, sizeof *k)) != NULL) {
        k->layout = *layout;
        memcpy(k->field, layout->field, (size_t)layout->n_fields * sizeof *k->field);
        k->layout.field = k->field;
        k->next = first;
        first = k;
    }
    pthread_mutex_unlock(&mutex);
    return k != NULL ? &k->layout : NULL;
}

/* The law's, after the solver's. */
static void add_law(const sw_material *material, const sw_slip_law *law, sw_state_layout *layout,
                    sw_state_field *field)
{
    const int is_double = field[0].is_double; /* as the solver's own */
    const char *const plain[4] = {"slip_resistances", "Pa", NULL, NULL};
    const char *const *const names = law->structured ? sw_material_structure_names(material) : plain;
    if (!law->scales) {
        field[layout->n_fields++] = (sw_state_field){names[0], names[1], law->groups, is_double};
        layout->numbers += (1 + is_double) * law->groups;
    }
    field[layout->n_fields++] = (sw_state_field){"family_slip", "", law->families, is_double};
    layout->numbers += (1 + is_double) * law->families;
    if (law->variants > 0) {
        field[layout->n_fields++] = (sw_state_field){"twin_variants", "", law->variants, is_double};
        field[layout->n_fields++] = (sw_state_field){"twins_turned", "", law->families, is_double};
        layout->numbers += (1 + is_double) * (law->variants + law->families);
    }
    if (law->shared) {
        field[layout->n_fields++] = (sw_state_field){names[2], names[3], 1, is_double};
        layout->numbers += 1 + is_double;
    }
    if (law->backs > 0) {
        field[layout->n_fields++] = (sw_state_field){"back_stresses", "Pa", law->backs, is_double};
        layout->numbers += (1 + is_double) * law->backs;
    }
    if (law->transfers) {
        field[layout->n_fields++] = (sw_state_field){"weight", "", 1, is_double};
        layout->numbers += 1 + is_double;
    }
}

/* Of four coplanar resistances three: the mean of all is the slip resistance. */
static const sw_state_field planes_field = {"coplanar_resistances", "Pa", SW_PLANES - 1, 0};
static const sw_state_layout with_planes = {SW_PLANES - 1, 1, &planes_field};

const sw_state_layout *sw_state_layout_of(const sw_solver *solver, const sw_material *material, int n_beside,
                                          const sw_state_field *beside)
{
    sw_slip_law law;
    sw_state_field field[LAYOUT_FIELDS];
    const int families = sw_material_has_families(material) && solver->with_families.field != NULL &&
                         sw_slip_law_prepare(material, &law) == SW_OK;
    const sw_state_layout *plain = sw_solver_follows_planes(solver, material) ? &with_planes : &solver->state;
    if (!families && n_beside == 0)
        return plain;
    sw_state_layout layout = families ? solver->with_families : *plain;
    if (layout.n_fields > 0)
        memcpy(field, layout.field, (size_t)layout.n_fields * sizeof *field);
    layout.field = field;
    if (families)
        add_law(material, &law, &layout, field);
    for (int i = 0; i < n_beside; i++) {
        field[layout.n_fields++] = beside[i];
        layout.numbers += beside[i].values;
    }
    return known(&layout);
}

const sw_state_field *sw_state_field_find(const sw_state_layout *layout, const char *name)
{
    for (int i = 0; i < layout->n_fields; i++)
        if (strcmp(layout->field[i].name, name) == 0)
            return &layout->field[i];
    return NULL;
}

/* Where it begins among a crystal's numbers. */
int sw_state_field_place(const sw_state_layout *layout, const sw_state_field *field)
{
    int place = 0;
    for (const sw_state_field *f = layout->field; f < field; f++)
        place += (f->is_double ? 2 : 1) * f->values;
    return place;
}

int sw_solver_takes_volume(const sw_solver *solver, const sw_material *material)
{
    return solver->traits.has_history && sw_material_lattice(material)->vectors != NULL;
}

int sw_response_takes_volume(const sw_response *response)
{
    return sw_solver_takes_volume(response->solver, response->material);
}

double sw_solver_bulk_modulus(const sw_solver *solver, const sw_material *material)
{
    const sw_stiffness stiffness = sw_material_stiffness(material);
    double by_stress[5];
    return sw_solver_takes_volume(solver, material) ? sw_stiffness_relaxed_bulk(&stiffness, by_stress)
                                                    : stiffness.bulk;
}
