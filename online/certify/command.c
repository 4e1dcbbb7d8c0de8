#include "certify.h"
#include "common/job/command_line.h"

typedef struct {
    sw_common_arguments common;
    int64_t crystals;
} options;

enum { KEY_CRYSTALS = 256 };

static const struct argp_option argp_options[] = {
    {"crystals", KEY_CRYSTALS, "N", 0, "random crystals (512)", 0}, SW_COMMON_OPTIONS, {0}};

static error_t parse(int key, char *value, struct argp_state *state)
{
    options *o = state->input;
    if (key == KEY_CRYSTALS)
        return sw_argument(sw_parse_integer("--crystals", value, 1, 1000000, &o->crystals));
    return sw_parse_common(key, value, &o->common);
}

static const struct argp argp = {argp_options,
                                 parse,
                                 "DB.h5",
                                 "Measure every solver of a database against the model itself in three "
                                 "loadings, and store the errors in it: `solver: auto` of a job chooses by "
                                 "them.",
                                 NULL,
                                 NULL,
                                 NULL};

sw_status sw_certify_command(int argc, char **argv)
{
    options o = {.common = {"certify", "database", NULL, 0}, .crystals = 512};
    sw_certificate certificate;
    SW_TRY(sw_parse_arguments(&argp, argc, argv, &o));
    SW_TRY(sw_certify(o.common.file, o.crystals, o.common.quiet, &certificate));
    SW_TRY(sw_certificate_store(o.common.file, &certificate));
    sw_certificate_print(&certificate, stdout);
    return SW_OK;
}
