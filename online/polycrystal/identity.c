#include "identity.h"

#include <stdio.h>
#include <string.h>

#include "common/crystal/material_file.h"
#include "common/database/database.h"
#include "common/files/hash.h"
#include "common/files/hdf5_io.h"
#include "online/response/homogenization/homogenization.h"
#include "online/response/solvers.h"

static const struct {
    const char *name, *what;
} part[SW_IDENTITIES] = {[SW_IDENTITY_MATERIAL] = {"material_hash", "another material"},
                         [SW_IDENTITY_DATABASE] = {"database_hash", "another database"},
                         [SW_IDENTITY_SOLVER] = {"solver_hash", "another solver or setting"},
                         [SW_IDENTITY_CRYSTALS] = {"crystals_hash", "other crystals"}};

static uint64_t hash_of_solver(uint64_t h, const sw_response_options *o)
{
    char text[128];
    sw_solver_describe(o->solver, o->terms, o->refinement, o->nearest, text, sizeof text);
    h = sw_hash(h, text, strlen(text));
    /* of the standard one, states of earlier versions are theirs still */
    if (o->homogenization == NULL || strcmp(o->homogenization, sw_homogenization_names[0]) == 0)
        return h;
    if (strcmp(o->homogenization, "self_consistent") != 0)
        return sw_hash(h, o->homogenization, strlen(o->homogenization));
    const sw_self_consistent *c = &o->self_consistent;
    snprintf(text, sizeof text, "%s %s %.17g %s %.17g", o->homogenization, c->linearization, c->neff,
             c->ellipsoids, c->tolerance);
    return sw_hash(h, text, strlen(text));
}

void sw_identity_add(sw_identity *identity, const sw_response_options *o, uint64_t crystals)
{
    const sw_material *material = o->material != NULL ? o->material : sw_database_material(o->database);
    uint64_t *of = identity->of;
    of[SW_IDENTITY_MATERIAL] = sw_material_hash(of[SW_IDENTITY_MATERIAL], material);
    if (sw_solver_find(o->solver)->needs_database)
        of[SW_IDENTITY_DATABASE] = sw_database_hash(of[SW_IDENTITY_DATABASE], o->database);
    of[SW_IDENTITY_SOLVER] = hash_of_solver(of[SW_IDENTITY_SOLVER], o);
    of[SW_IDENTITY_CRYSTALS] = sw_hash(of[SW_IDENTITY_CRYSTALS], &crystals, sizeof crystals);
}

sw_status sw_identity_write(hid_t group, const sw_identity *identity)
{
    for (int i = 0; i < SW_IDENTITIES; i++) {
        char text[SW_HASH_TEXT];
        sw_hash_text(identity->of[i], text);
        SW_TRY(sw_h5_write_text(group, part[i].name, text));
    }
    return SW_OK;
}

static int has_crystals(const sw_identity *identity) { return identity->of[SW_IDENTITY_CRYSTALS] != 0; }

sw_status sw_identity_check(hid_t group, const char *path, const sw_identity *identity)
{
    if (H5Aexists(group, part[0].name) <= 0)
        return !has_crystals(identity)
                   ? SW_OK
                   : sw_error(
                         SW_ERR_FORMAT,
                         "%s: does not say of which crystals it is, as files of earlier versions did not: "
                         "start anew",
                         path);
    for (int i = 0; i < SW_IDENTITIES; i++) {
        char text[SW_HASH_TEXT];
        sw_hash_text(identity->of[i], text);
        if (!sw_h5_has_text(group, part[i].name, text))
            return sw_error(SW_ERR_FORMAT, "%s: belongs to a run with %s", path, part[i].what);
    }
    return SW_OK;
}
