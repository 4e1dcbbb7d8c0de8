/* Keys that a job does not have, as lines that a user may take the '#' off. */
#include <string.h>

#include "help.h"
#include "yaml.h"

/* What a mapping has under a name; NULL: nothing. */
static const yaml_node_t *value_of(const sw_yaml *yaml, const yaml_node_t *mapping, const char *name)
{
    const int count = mapping != NULL && mapping->type == YAML_MAPPING_NODE ? sw_yaml_count(mapping) : 0;
    for (int i = 0; i < count; i++) {
        const yaml_node_t *key, *value;
        sw_yaml_pair(yaml, mapping, i, &key, &value);
        if (sw_yaml_text(key) != NULL && strcmp(sw_yaml_text(key), name) == 0)
            return value;
    }
    return NULL;
}

static int is_mapping_key(const sw_key *k)
{
    return k->type == SW_KEY_SECTION || (k->type == SW_KEY_LIST && k->keys != NULL);
}

enum { VALUES_AT = 32, WIDEST = 132 };

/* Words that fit into a line, which has `used` bytes. */
static void print_cut(FILE *out, const char *text, int used)
{
    int length = (int)strlen(text);
    const int room = WIDEST - used > 24 ? WIDEST - used : 24;
    if (length > room) {
        length = room;
        while (length > 0 && text[length] != ' ')
            length--;
    }
    fprintf(out, "%.*s%s\n", length, text, text[length] != '\0' ? " ..." : "");
}

/* "#   name: 0.02    # 0 < name <= 0.1; what it is"; dash: the first of a list's entry. */
static void print_key(FILE *out, const sw_key *k, int depth, int dash)
{
    char standard[320], text[640], bound[640] = "", said[1400], line[480];
    sw_key_standard(k, standard, sizeof standard);
    sw_option_text(k, text, sizeof text);
    if (k->type != SW_KEY_WORD && k->type != SW_KEY_NOTE && k->type != SW_KEY_YES)
        sw_key_bound(k, bound, sizeof bound);
    snprintf(line, sizeof line, "# %*s%s: %s", 2 * depth, dash ? "- " : "", k->name,
             k->otherwise == NULL && *standard ? standard : "...");
    snprintf(said, sizeof said, "%s%s%s%s", k->needed ? "needed; " : "", bound, *bound && *text ? "; " : "",
             text);
    const int used = fprintf(out, "%-*s # ", VALUES_AT, line);
    print_cut(out, said, used);
}

/* A mapping's keys that the job has not; of a list of mappings its first entry counts, and `dash` that there is none. */
static void print_missing(FILE *out, const sw_key *keys, const sw_yaml *yaml, const yaml_node_t *mapping,
                          int depth, int dash)
{
    for (const sw_key *k = keys; k->type != SW_KEY_END; k++) {
        const yaml_node_t *value = k->name != NULL ? value_of(yaml, mapping, k->name) : NULL;
        if (k->name == NULL || (value != NULL && !is_mapping_key(k)))
            continue;
        if (!is_mapping_key(k)) {
            print_key(out, k, depth, dash);
            dash = 0;
            continue;
        }
        const int is_list = k->type == SW_KEY_LIST;
        fprintf(out, "# %*s%s:%s\n", 2 * depth, dash ? "- " : "", k->name,
                value != NULL ? "    # of the one above, where these go"
                : is_list     ? "    # a list: \"- \" before the first key of each entry"
                              : "");
        dash = 0;
        const yaml_node_t *inner = value;
        if (is_list && value != NULL && value->type == YAML_SEQUENCE_NODE)
            inner = sw_yaml_count(value) > 0 ? sw_yaml_entry(yaml, value, 0) : NULL;
        print_missing(out, k->keys, yaml, inner, depth + 1 + is_list, is_list && value == NULL);
    }
}

void sw_print_template(FILE *out, const sw_key *keys, const sw_yaml *yaml)
{
    print_missing(out, keys, yaml, sw_yaml_root(yaml), 0, 0);
}
