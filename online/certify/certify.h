/* `slipwave certify`: how far each solver of a database is from the model itself, and what it costs. */
#ifndef SW_ONLINE_CERTIFY_CERTIFY_H
#define SW_ONLINE_CERTIFY_CERTIFY_H

#include <stdio.h>

#include "common/job/command.h"
#include "online/response/certificate/certificate.h"

/* The loadings of certify.c in strain increments of 0.02 at the database's strain rate, `crystals` of them,
 * random ones of seed 1 or those of sharp_texture.h, material of the database, on the CPU. Errors are those of a
 * loading's last leg, after a change of path but for its first two steps. Rows in the order they are run, with the
 * settings that each solver names: `iterative`, the reference, first. Left out: more terms than stored, tables too
 * large to make (response_table.h), and what does not converge.
 *
 * quiet: no progress. SW_ERR_IO, SW_ERR_FORMAT, SW_ERR_INTERRUPTED; every other status of a response. */
sw_status sw_certify(const char *database, int64_t crystals, int quiet, sw_certificate *certificate);

/* As a table for people, of one that sw_certify made. */
void sw_certificate_print(const sw_certificate *certificate, FILE *out);

/* The subcommand. */
extern const sw_command sw_certify_command;

#endif
