/* `slipwave certify`: how far each solver of a database is from the model itself, and what it costs. */
#ifndef SW_ONLINE_CERTIFY_CERTIFY_H
#define SW_ONLINE_CERTIFY_CERTIFY_H

#include <stdio.h>

#include "common/job/command.h"
#include "online/response/certificate/certificate.h"

/* Three loadings in strain increments of 0.02 at the database's strain rate, `crystals` random ones of seed
 * 1, material of the database, on the CPU: plane strain compression to a true strain of 1, simple shear to 1,
 * uniaxial tension to 0.5. Rows in the order they are run, with the settings that each solver names:
 * `iterative`, the reference, first. Left out: more terms than stored, tables too large to make
 * (response_table.h), and what does not converge.
 *
 * quiet: no progress. SW_ERR_IO, SW_ERR_FORMAT, SW_ERR_INTERRUPTED; every other status of a response. */
sw_status sw_certify(const char *database, int64_t crystals, int quiet, sw_certificate *certificate);

/* As a table for people. */
void sw_certificate_print(const sw_certificate *certificate, FILE *out);

/* The subcommand. */
extern const sw_command sw_certify_command;

#endif
