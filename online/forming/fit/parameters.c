#include "parameters.h"

#include <stdio.h>
#include <string.h>

#include "common/crystal/material_file.h"
#include "common/files/text.h"

const sw_key sw_fit_sought_keys[] = {
    {SW_TEXT("key", sw_fit_sought, key), .needed = 1, .bound = "a key of material files",
     .help = "of the material's hardening law, slip.initial_slip_resistance, or a number of a family, as "
             "slip.families[0].exponent; its value is where the search begins"},
    {SW_REAL("least", sw_fit_sought, least, -1e15, 1e15), .standard = NAN,
     .otherwise = "the material file's bound", .help = "it stays above"},
    {SW_REAL("most", sw_fit_sought, most, -1e15, 1e15), .standard = NAN,
     .otherwise = "the material file's bound", .help = "it stays below"},
    SW_KEYS_END};

/* ---- Which there are ---- */

/* The one number outside the section `hardening` that runs can have each for themselves. */
static const char resistance[] = "slip.initial_slip_resistance";

static const sw_key *find_key(const sw_key *keys, const char *name, size_t length)
{
    for (const sw_key *k = keys; k->type != SW_KEY_END; k++)
        if (k->name != NULL && strlen(k->name) == length && strncmp(k->name, name, length) == 0)
            return k;
    return NULL;
}

static const sw_key *section(const char *name)
{
    return find_key(sw_material_keys, name, strlen(name))->keys;
}

static int is_sought(const sw_key *keys, const sw_key *key, const sw_material *material)
{
    return key->type == SW_KEY_REAL && sw_key_is_taken(keys, key, material);
}

/* Of families. */
static const sw_key *families(void) { return find_key(section("slip"), "families", strlen("families")); }

/* A number of a family, "slip.families[1].exponent" or "slip.families[1].latent[0]": its row, and where it is in a material. */
static const sw_key *family_row_of(const char *path, const sw_material *material, size_t *to)
{
    const sw_key *list = families();
    int family, length = 0, place = 0;
    if (sscanf(path, "slip.families[%d].%n", &family, &length) < 1 || length == 0 || family < 0 ||
        family >= material->slip.family_count)
        return NULL;
    const char *name = path + length;
    const size_t word = strcspn(name, "["), at = list->to + (size_t)family * list->entry_size;
    const sw_key *row = find_key(list->keys, name, word);
    if (row == NULL || !sw_key_has_value(row, (const char *)material + at))
        return NULL;
    *to = at + row->to;
    if (row->type == SW_KEY_REAL)
        return name[word] == '\0' ? row : NULL;
    length = 0;
    if (row->type != SW_KEY_LIST || sscanf(name + word, "[%d]%n", &place, &length) < 1 || length == 0 ||
        name[word + (size_t)length] != '\0' || place < 0 ||
        place >= material->slip.family[family].latent_count)
        return NULL;
    *to += (size_t)place * row->entry_size;
    return row;
}

/* Its row, and where it is; NULL: none of this material. */
static const sw_key *row_of(const char *path, const sw_material *material, size_t *to)
{
    static const char prefix[] = "hardening.";
    const sw_key *keys = section(strncmp(path, prefix, strlen(prefix)) == 0 ? "hardening" : "slip"), *row;
    const char *name = strchr(path, '.');
    if (strncmp(path, prefix, strlen(prefix)) != 0 && strcmp(path, resistance) != 0)
        return family_row_of(path, material, to);
    row = find_key(keys, name + 1, strlen(name + 1));
    if (row == NULL || !is_sought(keys, row, material))
        return NULL;
    *to = row->to;
    return row;
}

static sw_status no_such_key(const sw_job *job, const char *key, const char *given,
                             const sw_material *material)
{
    const sw_key *keys = section("hardening"), *own = families()->keys;
    char list[700];
    int length = snprintf(list, sizeof list, "%s", resistance);
    for (const sw_key *k = keys; k->type != SW_KEY_END; k++)
        if (is_sought(keys, k, material) && length < (int)sizeof list)
            length += snprintf(list + length, sizeof list - (size_t)length, ", hardening.%s", k->name);
    for (const sw_key *k = own; k->type != SW_KEY_END && material->slip.family_count > 0; k++)
        if (k->type != SW_KEY_NAME && length < (int)sizeof list)
            length +=
                snprintf(list + length, sizeof list - (size_t)length, ", slip.families[0 to %d].%s%s",
                         material->slip.family_count - 1, k->name, k->type == SW_KEY_LIST ? "[...]" : "");
    return sw_job_error(job, key, " = %.80s: need one of %s%s", given, list,
                        material->slip.family_count > 0 ? ", that the material gives" : "");
}

/* ---- Bounds ---- */

static sw_status check_bounds(const sw_job *job, const char *prefix, int entry, const sw_key *row,
                              const sw_fit_parameter *p, double value)
{
    char key[SW_KEY_SIZE], bound[96];
    const double file_least = row->smallest > row->least ? row->smallest : row->least;
    snprintf(bound, sizeof bound, "from %g to %g, as in material files", file_least, row->most);
    SW_TRY(sw_job_need(job, sw_key_path(key, "%s[%d].least", prefix, entry), p->least,
                       p->least >= file_least && p->least <= row->most, bound));
    SW_TRY(sw_job_need(job, sw_key_path(key, "%s[%d].most", prefix, entry), p->most,
                       p->most >= file_least && p->most <= row->most, bound));
    snprintf(bound, sizeof bound, "more than %g and less than %g, between which it is sought", p->least,
             p->most);
    if (value > p->least && value < p->most)
        return SW_OK;
    return sw_job_error(job, sw_key_path(key, "%s[%d].key", prefix, entry),
                        " = %s: the material has %g: need %s", p->key, value, bound);
}

sw_status sw_fit_parameter_of(const sw_job *job, const char *prefix, int entry, const sw_fit_sought *sought,
                              const sw_material *material, sw_fit_parameter *parameter)
{
    char key[SW_KEY_SIZE];
    size_t to;
    const sw_key *row = row_of(sought->key, material, &to);
    if (row == NULL)
        return no_such_key(job, sw_key_path(key, "%s[%d].key", prefix, entry), sought->key, material);
    const double least = row->smallest > row->least ? row->smallest : row->least;
    *parameter = (sw_fit_parameter){.key = sought->key,
                                    .unit = row->unit,
                                    .to = to,
                                    .least = isnan(sought->least) ? least : sought->least,
                                    .most = isnan(sought->most) ? row->most : sought->most};
    parameter->logarithmic = parameter->least > 0;
    return check_bounds(job, prefix, entry, row, parameter, sw_fit_value(parameter, material));
}

double sw_fit_value(const sw_fit_parameter *parameter, const sw_material *material)
{
    double value;
    memcpy(&value, (const char *)material + parameter->to, sizeof value);
    return value;
}

void sw_fit_set_value(const sw_fit_parameter *parameter, double value, sw_material *material)
{
    memcpy((char *)material + parameter->to, &value, sizeof value);
}

/* ---- Free numbers: place q = 1 / (1 + exp(-4 x / w)), w the width of the bounds: dx is w dq, that is d ln(value), in
 * their middle ---- */

static double width(const sw_fit_parameter *p) { return p->logarithmic ? log(p->most / p->least) : 1; }

double sw_fit_place_of(const sw_fit_parameter *p, double value)
{
    return p->logarithmic ? log(value / p->least) / width(p) : (value - p->least) / (p->most - p->least);
}

static double place_at(const sw_fit_parameter *p, double x) { return 1 / (1 + exp(-4 * x / width(p))); }

double sw_fit_value_at(const sw_fit_parameter *p, double x)
{
    const double q = place_at(p, x);
    return p->logarithmic ? p->least * exp(q * width(p)) : p->least + q * (p->most - p->least);
}

double sw_fit_x_of(const sw_fit_parameter *p, double value)
{
    const double q = sw_fit_place_of(p, value);
    return width(p) / 4 * log(q / (1 - q));
}

double sw_fit_slope_at(const sw_fit_parameter *p, double x)
{
    const double q = place_at(p, x), slope = 4 * q * (1 - q);
    return p->logarithmic ? slope * sw_fit_value_at(p, x) : slope * (p->most - p->least);
}
