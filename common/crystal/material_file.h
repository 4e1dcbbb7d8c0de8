/* Material files -> materials. docs/file-formats.md has their keys. */
#ifndef SW_COMMON_CRYSTAL_MATERIAL_INPUT_H
#define SW_COMMON_CRYSTAL_MATERIAL_INPUT_H

#include "common/job/job.h"
#include "material.h"

extern const sw_key sw_material_keys[];

/* A material, from a file or from text (a database keeps the text of its material file). SW_ERR_INPUT names
 * file, line, key, value and bound; SW_ERR_IO. */
sw_status sw_material_read(const char *path, sw_material *material);
sw_status sw_material_parse(const char *path, const char *text, sw_material *material);

/* sw_material_write_text (slipwave/database.h), and the same as lines for people. */
sw_status sw_material_write_lines(const sw_material *material, size_t size, char *text);
/* Whether s0 is the mean of its families, as it is where a file does not give it. */
int sw_material_resists_by_families(const sw_material *material);

/* An initial slip resistance (Pa) that a job gives a material of another: SW_ERR_INPUT of its key, or SW_ERR_RANGE where
 * job is NULL, unless it is below the one that the material saturates at. */
sw_status sw_material_check_resistance(const sw_job *job, const char *key, const sw_material *material,
                                       double slip_resistance);

/* Constant `number` of its hardening law, from 0 on, and its key; 0: there are no more. */
int sw_material_law_number(const sw_material *material, int number, const char **key, double *value);

/* Whether a database that was made of `made` can serve crystals of `given`, whose hardening may be another, and elasticity; else how
 * they differ: a is given's value, b made's. */
int sw_material_suits(const sw_material *given, const sw_material *made, sw_key_difference *difference);

/* Go on from h (common/files/hash.h) with all of a material that a number can depend on: what a file says but its name.
 * Every state that is kept is told from others by it. */
uint64_t sw_material_hash(uint64_t h, const sw_material *material);

#endif
