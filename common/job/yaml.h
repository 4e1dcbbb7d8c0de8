/* A YAML text as a tree that knows its lines.
 *
 * What a file means, job.h reads from it. Complaints name file, line and key:
 *
 *     psc.yaml:3: strain_increment = 0: need 0 < strain_increment <= 0.1 */
#ifndef SW_COMMON_JOB_YAML_H
#define SW_COMMON_JOB_YAML_H

#include <yaml.h>

#include "common/system/status.h"

typedef struct {
    char *path;
    yaml_document_t document;
} sw_yaml;

enum { SW_YAML_DEEPEST = 32 }; /* of lists and mappings within each other; a job has some six */

/* Parse `text`, which came from `path` (used in messages only). One document, not empty, nor too deep. SW_ERR_INPUT,
 * SW_ERR_MEMORY. Release with sw_yaml_close. */
sw_status sw_yaml_open(const char *path, const char *text, sw_yaml **yaml);
void sw_yaml_close(sw_yaml *yaml);

/* ---- Nodes; those of a list and of a mapping count from 0 ---- */

const yaml_node_t *sw_yaml_root(const sw_yaml *yaml);
/* A scalar's text; NULL for anything else, and for a text that "\0" would cut short. */
const char *sw_yaml_text(const yaml_node_t *node);
int sw_yaml_node_line(const yaml_node_t *node);
int sw_yaml_count(const yaml_node_t *node); /* of entries or pairs */
const yaml_node_t *sw_yaml_entry(const sw_yaml *yaml, const yaml_node_t *list, int index);
void sw_yaml_pair(const sw_yaml *yaml, const yaml_node_t *mapping, int index, const yaml_node_t **key,
                  const yaml_node_t **value);

/* ---- By path from the root: "loading[0].velocity_gradient" ---- */

/* 1-based line; when the path (or a part of it) is absent that of the longest part that is there; 0: none is. */
int sw_yaml_line(const sw_yaml *yaml, const char *key);
int sw_yaml_has(const sw_yaml *yaml, const char *key);

/* An SW_ERR_INPUT "FILE:LINE: ", of line 0 "FILE: ", + the formatted rest. */
__attribute__((format(printf, 3, 4))) sw_status sw_yaml_complain(const sw_yaml *yaml, int line,
                                                                 const char *format, ...);

#ifdef __clang_analyzer__ /* which cannot see into another file that it is an error */
#define sw_yaml_complain(...) ((void)sw_yaml_complain(__VA_ARGS__), SW_ERR_INPUT)
#endif

#endif
