#include "describe.h"

static const char *const types[] = {
    [SW_KEY_TEXT] = "text",     [SW_KEY_PATH] = "path", [SW_KEY_OUTPUT] = "output",   [SW_KEY_NAME] = "name",
    [SW_KEY_WORD] = "word",     [SW_KEY_YES] = "yes",   [SW_KEY_WHOLE] = "whole",     [SW_KEY_REAL] = "real",
    [SW_KEY_TENSOR] = "tensor", [SW_KEY_NOTE] = "note", [SW_KEY_SECTION] = "section", [SW_KEY_LIST] = "list"};

/* ---- Members of an object: each begins with a comma, but the first of all ---- */

static void put_text(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text != '\0'; text++)
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            fprintf(out, "\\u%04x", *text);
        else
            putc(*text, out);
    putc('"', out);
}

static void put_member(FILE *out, const char *name, const char *text)
{
    if (text == NULL)
        return;
    fprintf(out, ", \"%s\": ", name);
    put_text(out, text);
}

static void put_number(FILE *out, const char *name, double number)
{
    if (isfinite(number))
        fprintf(out, ", \"%s\": %.17g", name, number);
}

static void put_count(FILE *out, const char *name, int count)
{
    if (count != 0)
        fprintf(out, ", \"%s\": %d", name, count);
}

/* ---- Rows ---- */

static void put_words(FILE *out, const sw_key *k)
{
    fputs(", \"words\": [", out);
    for (int i = 0; sw_key_word(k, i) != NULL; i++) {
        fputs(i > 0 ? ", " : "", out);
        put_text(out, sw_key_word(k, i));
    }
    putc(']', out);
}

static void put_cases(FILE *out, const sw_key *k)
{
    fputs(", \"cases\": {", out);
    for (const sw_key_case *c = k->cases; c->name != NULL; c++) {
        fputs(c == k->cases ? "" : ", ", out);
        put_text(out, c->name);
        fputs(": {\"name\": ", out);
        put_text(out, c->name);
        put_member(out, "needs", c->needs);
        put_member(out, "takes", c->takes);
        put_member(out, "help", c->help);
        putc('}', out);
    }
    putc('}', out);
}

static int is_number(const sw_key *k)
{
    const sw_key_type type = k->type == SW_KEY_LIST ? k->entry : k->type;
    return type == SW_KEY_REAL || type == SW_KEY_WHOLE || type == SW_KEY_TENSOR;
}

static void put_bounds(FILE *out, const sw_key *k)
{
    char bound[640];
    sw_key_bound(k, bound, sizeof bound);
    put_member(out, "bound", bound);
    if (!is_number(k))
        return;
    put_number(out, "least", k->least);
    put_number(out, "most", k->most);
    put_number(out, "smallest", k->smallest);
    put_count(out, "open", k->open);
    put_count(out, "whole", k->whole);
    put_count(out, "blank", k->blank);
    put_number(out, "standard", k->standard);
}

static void put_list(FILE *out, const sw_key *k)
{
    fprintf(out, ", \"entry\": \"%s\"", k->keys != NULL ? "section" : types[k->entry]);
    put_count(out, "columns", k->columns);
    put_count(out, "fewer", k->fewer);
    put_count(out, "shortest", k->shortest);
    put_count(out, "longest", k->capacity > 0 ? k->capacity : k->longest);
}

static void put_keys(FILE *out, const sw_key *keys);

static void put_row(FILE *out, const sw_key *k)
{
    fprintf(out, "{\"type\": \"%s\"", types[k->type]);
    put_member(out, "name", k->name);
    put_member(out, "option", k->option);
    put_member(out, "unit", k->unit);
    put_member(out, "otherwise", k->otherwise);
    put_member(out, "help", k->help);
    put_count(out, "needed", k->needed);
    put_count(out, "papers", k->papers);
    if (k->type != SW_KEY_SECTION && k->type != SW_KEY_NOTE)
        put_bounds(out, k);
    if (k->type == SW_KEY_WORD)
        put_words(out, k);
    if (k->cases != NULL)
        put_cases(out, k);
    if (k->type == SW_KEY_NAME)
        put_count(out, "longest", k->capacity - 1);
    if (k->type == SW_KEY_LIST)
        put_list(out, k);
    if (k->keys != NULL)
        put_keys(out, k->keys);
    putc('}', out);
}

static void put_keys(FILE *out, const sw_key *keys)
{
    fputs(", \"keys\": [", out);
    for (const sw_key *k = keys; k->type != SW_KEY_END; k++) {
        fputs(k == keys ? "" : ",\n", out);
        put_row(out, k);
    }
    putc(']', out);
}

static void put_files(FILE *out, const sw_key_table *files)
{
    fputs(", \"files\": [", out);
    for (const sw_key_table *f = files; f != NULL && f->name != NULL; f++) {
        fputs(f == files ? "{\"name\": " : ",\n{\"name\": ", out);
        put_text(out, f->name);
        put_keys(out, f->keys);
        putc('}', out);
    }
    putc(']', out);
}

void sw_describe_command(FILE *out, const sw_command *command)
{
    fputs("{\"name\": ", out);
    put_text(out, command->name);
    put_member(out, "summary", command->summary);
    put_member(out, "about", command->about);
    put_member(out, "argument", command->argument);
    put_member(out, "kind", command->kind);
    put_count(out, "with_file", command->with_file);
    put_keys(out, command->keys);
    put_files(out, command->files);
    putc('}', out);
}
