/* What states of crystals depend on, as hashes in the files that keep them: a run goes on with its own only. Of jobs with
 * several materials all of them together. */
#ifndef SW_ONLINE_POLYCRYSTAL_IDENTITY_H
#define SW_ONLINE_POLYCRYSTAL_IDENTITY_H

#include <stdint.h>

#include "common/files/hdf5_door.h"
#include "slipwave/response.h"

enum { SW_IDENTITY_MATERIAL, SW_IDENTITY_DATABASE, SW_IDENTITY_SOLVER, SW_IDENTITY_CRYSTALS, SW_IDENTITIES };
typedef struct {
    uint64_t of[SW_IDENTITIES]; /* zeros: no crystals at all */
} sw_identity;

/* Crystals that a response steps come to those that are there. crystals: a hash of them as they begin. Devices do not
 * count, nor a database where the solver needs none. */
void sw_identity_add(sw_identity *identity, const sw_response_options *response, uint64_t crystals);

/* Attributes material_hash, database_hash, solver_hash and crystals_hash of a group. SW_ERR_IO. */
sw_status sw_identity_write(hid_t group, const sw_identity *identity);
/* SW_ERR_FORMAT, with path and which of them it is, where the group's are others; also where it has none, as files of
 * earlier versions, and there are crystals. */
sw_status sw_identity_check(hid_t group, const char *path, const sw_identity *identity);

#endif
