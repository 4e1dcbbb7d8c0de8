/* Materials and spectral databases: what responses are computed from. */
#ifndef SLIPWAVE_DATABASE_H
#define SLIPWAVE_DATABASE_H

#include <stddef.h>
#include <stdint.h>

#include "slipwave/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A crystal's constants: elasticity, slip, hardening. */
typedef struct sw_material sw_material;

/* Read a material file (YAML; docs/file-formats.md). SW_ERR_INPUT names file, line, key, value and bound;
 * SW_ERR_IO; SW_ERR_MEMORY. Release with sw_material_close. */
SW_API sw_status sw_material_open(const char *path, sw_material **material);
/* The same of a text; name: for messages. JSON is YAML, too. */
SW_API sw_status sw_material_parse_text(const char *name, const char *text, sw_material **material);
SW_API void sw_material_close(sw_material *material);

/* Its keys and values as JSON, every number to its last digit: a text that sw_material_parse_text makes the same
 * material of. text [size]: caller's. SW_ERR_RANGE where size is too small; SW_MATERIAL_TEXT is enough. */
enum { SW_MATERIAL_TEXT = 32768 };
SW_API sw_status sw_material_write_text(const sw_material *material, size_t size, char *text);

/* s0, Pa: what resists slip in a crystal that has not been deformed. */
SW_API double sw_material_slip_resistance(const sw_material *material);

/* K of its elasticity, of cubic crystals (C11 + 2 C12) / 3, Pa. */
SW_API double sw_material_bulk_modulus(const sw_material *material);

/* Ranked Fourier terms of a material's response over (phi1, Phi, phi2, theta): Malahe 2018, Eqs. 30-32.
 *
 * Terms are Fourier coefficients, as the paper counts them. They come in conjugate pairs, of which a database stores
 * one: P stored pairs are 2 P terms, N terms take ceil(N / 2) pairs. The constant term, which is its own conjugate,
 * counts as a pair. */
typedef struct sw_database sw_database;

/* Read all terms, or the first terms_max > 0, of a file that slipwave-db wrote. Checks format, version,
 * shapes, ranges and that every number is finite. SW_ERR_IO, SW_ERR_FORMAT; SW_ERR_RANGE when terms_max is
 * more than is stored; SW_ERR_MEMORY. Release with sw_database_free.
 *
 * The numbers stay in the file, mapped into memory: another file may take its name, or it may be removed, but
 * who cuts it short or writes into it while it is in use ends the program or changes its answers. */
SW_API sw_status sw_database_read(const char *path, int64_t terms_max, sw_database **database);
SW_API void sw_database_free(sw_database *database);

/* Terms that were read: two for every pair. */
SW_API int64_t sw_database_terms(const sw_database *database);

/* The material it was made from; lives as long as the database. */
SW_API const sw_material *sw_database_material(const sw_database *database);

#ifdef __cplusplus
}
#endif

#endif
