/* Material and job files -> validated structs.
 *
 * libcyaml reads a file against a schema; on top of it every number is checked against its bound,
 * and every complaint names file, line, key, value and bound:
 *
 *     copper.yaml:9: slip.rate_sensitivity = 0: need 0 < m <= 1
 *     psc.yaml:3: unknown key 'solvr': did you mean 'solver'?
 *
 * Every function: SW_ERR_INPUT for what the file says, SW_ERR_IO when it cannot be read; nothing
 * is left to release on failure. */
#ifndef SW_COMMON_JOB_OLD_YAML_H
#define SW_COMMON_JOB_OLD_YAML_H

#include <cyaml/cyaml.h>
#include <stddef.h>

#include "common/files/text.h"
#include "common/system/status.h"

/* A YAML text, and where each key stands in it. */
typedef struct sw_oldyaml sw_oldyaml;

/* A schema field for a nested mapping whose own fields count their offsets from the start of the
 * same structure, so that unnamed nested structs need no type of their own:
 *
 *     {CYAML_FIELD_INT("seed", flags, sw_taylor_job, crystals.seed), CYAML_FIELD_END}
 *     in SW_YAML_SECTION("crystals", flags, sw_taylor_job, crystals_fields) */
#define SW_YAML_SECTION(section_key, section_flags, structure, section_fields) \
    {                                                                          \
        .key = (section_key), .data_offset = 0, .value = {                     \
            CYAML_VALUE_MAPPING((section_flags), structure, (section_fields)), \
        }                                                                      \
    }

/* Parse `text`, which came from `path` (used in messages only), and load it against `schema` (a
 * mapping with CYAML_FLAG_POINTER) into *data. Release *yaml with sw_oldyaml_close and *data with
 * sw_oldyaml_free_data: libcyaml's allocator is cyaml_mem, so what replaces a string in *data comes
 * from there. Unknown keys are refused with the nearest valid one. Numbers are plain decimals: no
 * nan, inf, hexadecimal, octal or 1_000. */
sw_status sw_oldyaml_load(const char *path, const char *text, const cyaml_schema_value_t *schema,
                          sw_oldyaml **yaml, void **data);
void sw_oldyaml_close(sw_oldyaml *yaml);
void sw_oldyaml_free_data(const cyaml_schema_value_t *schema, void *data);

/* 1-based line of a key, by its path from the root: "loading[0].velocity_gradient". When the path
 * (or a part of it) is absent: the line of the longest part that is there. */
int sw_oldyaml_line(const sw_oldyaml *yaml, const char *key);

/* Whether a key is in the file. */
int sw_oldyaml_has(const sw_oldyaml *yaml, const char *key);

/* An SW_ERR_INPUT that names file, line and key: "FILE:LINE: KEY" + the formatted rest. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
sw_status
sw_oldyaml_error(const sw_oldyaml *yaml, const char *key, const char *format, ...);

/* SW_ERR_INPUT "FILE:LINE: KEY = VALUE: need BOUND" unless `holds`. NaN-safe when `holds` is a
 * comparison that is true for good values. */
sw_status sw_oldyaml_need(const sw_oldyaml *yaml, const char *key, double value, int holds,
                          const char *bound);

/* Index of `value` in names[count], borrowed; -1 when it is none of them: then `bound` [size] says
 * "one of A, B, C". */
int sw_oldyaml_choose(const char *value, int count, const char *const *names, char *bound, size_t size);

sw_status sw_job_replace_text(const char **text, const char *folder, size_t folder_length, const char *value);
sw_status sw_job_resolve_path(const char *job_path, const char **path);

#endif
