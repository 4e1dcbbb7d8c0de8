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

#endif
