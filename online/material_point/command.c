/* `slipwave point`: checks a point file and says what a finite element job has to reserve for it. */
#include <stdio.h>

#include "common/crystal/material_file.h"
#include "point_file.h"

static sw_status run_command(const sw_arguments *arguments)
{
    sw_point_model *model;
    SW_TRY(sw_point_file_open(arguments, &model));
    const long long numbers = sw_point_model_state_numbers(model);
    char name[SW_LINE];
    fprintf(sw_said(),
            "%s: %lld crystals a point, %.4g kB of state; the same for Abaqus and CalculiX:\n*DEPVAR\n%lld\n",
            sw_plain(arguments->file, name), (long long)sw_point_model_crystals(model),
            (double)numbers * 8e-3, numbers);
    sw_point_model_close(model);
    return SW_OK;
}

static const sw_key_table files[] = {{"material", sw_material_keys}, {0}};

const sw_command sw_point_command = {
    .name = "point",
    .summary = "check a material of other finite element codes",
    .about = "Check a point file, the material of user subroutines in other codes "
             "(docs/guide/other-codes.md), and say "
             "how many state variables a point of it has. Options override keys of the file.",
    .argument = "POINT.yaml",
    .kind = "point file",
    .keys = sw_point_keys,
    .with_file = 1,
    .files = files,
    .alone = 1,
    .run = run_command};
