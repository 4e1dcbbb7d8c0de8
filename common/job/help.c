#include "help.h"

#include <math.h>
#include <string.h>

/* ---- Options ---- */

const char *sw_option_argument(const sw_key *row)
{
    if (row->argument != NULL)
        return row->argument;
    switch (row->type == SW_KEY_LIST ? row->entry : row->type) {
    case SW_KEY_PATH:
    case SW_KEY_OUTPUT:
        return "FILE";
    case SW_KEY_WHOLE:
        return "N";
    case SW_KEY_REAL:
        return "X";
    case SW_KEY_YES:
        return row->name == NULL ? NULL : "yes|no";
    default:
        return "NAME";
    }
}

void sw_key_standard(const sw_key *row, char *text, size_t size)
{
    text[0] = '\0';
    if (row->otherwise != NULL)
        snprintf(text, size, "%s", row->otherwise);
    else if (row->type == SW_KEY_WORD && !row->needed && sw_key_word(row, (int)row->standard) != NULL)
        snprintf(text, size, "%s", sw_key_word(row, (int)row->standard));
    else if (row->type == SW_KEY_YES && row->name != NULL)
        snprintf(text, size, "%s", row->standard != 0 ? "yes" : "no");
    else if (row->type == SW_KEY_WHOLE && row->standard != 0)
        snprintf(text, size, "%.0f", row->standard);
    else if (row->type == SW_KEY_REAL && row->standard != 0 && isfinite(row->standard))
        sw_key_number(row->standard, text, size);
}

static int has_words(const sw_key *row) { return row->type == SW_KEY_WORD; }

/* "a, b or c" */
static void list_choices(const sw_key *row, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; sw_key_word(row, i) != NULL && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%s",
                                   i == 0                            ? ""
                                   : sw_key_word(row, i + 1) == NULL ? " or "
                                                                     : ", ",
                                   sw_key_word(row, i));
}

/* "terms, grid or auto: how crystals respond, in UNIT (auto)"; unit: NULL or one that is not said elsewhere. */
static void row_text(const sw_key *row, const char *unit, char *text, size_t size)
{
    char standard[320], words[400] = "";
    sw_key_standard(row, standard, sizeof standard);
    if (has_words(row))
        list_choices(row, words, sizeof words);
    snprintf(text, size, "%s%s%s%s%s%s%s%s", words, *words && row->help ? ": " : "",
             row->help ? row->help : "", unit ? row->help ? ", in " : "in " : "", unit ? unit : "",
             *standard ? " (" : "", standard, *standard ? ")" : "");
}

void sw_option_text(const sw_key *row, char *text, size_t size) { row_text(row, row->unit, text, size); }

int sw_option_rows(const sw_key *keys, int most, const sw_key **row)
{
    int count = 0;
    for (const sw_key *k = keys; k != NULL && k->type != SW_KEY_END; k++) {
        if (k->option != NULL && count < most)
            row[count++] = k;
        if (k->keys != NULL)
            count += sw_option_rows(k->keys, most - count, row + count);
    }
    return count;
}

/* ---- Lists of commands ---- */

void sw_print_commands(FILE *out, const sw_program *program)
{
    fprintf(out, "usage: %s COMMAND [OPTION...]\n\n", program->name);
    for (const sw_command *const *c = program->commands; *c != NULL; c++)
        fprintf(out, "  %-10s %s\n", (*c)->name, (*c)->summary);
    for (const sw_separate_command *s = program->separate; s != NULL && s->name != NULL; s++)
        fprintf(out, "  %-10s %s\n", s->name, s->summary);
    fprintf(out, "\n%s help COMMAND shows a command's options, %s --version the version.\n", program->name,
            program->name);
}

/* ---- Tables of keys ---- */

static void print_escaped(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        fprintf(out, *text == '|' ? "\\|" : "%c", *text);
}

/* "Pa, from 1e4 to 1e11", "a list of ...", words. */
static void print_values(FILE *out, const sw_key *k)
{
    char bound[640];
    if (k->type == SW_KEY_NOTE) {
        fputs("anything", out);
        return;
    }
    if (k->type == SW_KEY_LIST)
        fputs(k->keys != NULL ? "list of mappings" : k->columns > 0 ? "list of rows: " : "list: ", out);
    if (k->keys != NULL && k->type != SW_KEY_REAL && k->type != SW_KEY_WORD)
        return;
    if (has_words(k))
        list_choices(k, bound, sizeof bound);
    else
        sw_key_bound(k, bound, sizeof bound);
    print_escaped(out, bound);
    fputs(k->keys != NULL ? "; or a mapping" : "", out);
}

/* The words of its mapping that a key goes with: "; with test `isotropic`, `general` (needed)". */
static void print_companions(FILE *out, const sw_key *keys, const sw_key *key)
{
    const char *before = key->help != NULL ? "; " : "";
    for (const sw_key *w = keys; w->type != SW_KEY_END; w++) {
        int first = 1;
        for (const sw_key_case *c = w->cases; c != NULL && c->name != NULL; c++) {
            const int needed = sw_key_listed(c->needs, key->name);
            if (!needed && !sw_key_listed(c->takes, key->name))
                continue;
            if (first)
                fprintf(out, "%swith %s ", before, w->name);
            fprintf(out, "%s`%s`%s", first ? "" : ", ", c->name, needed ? " (needed)" : "");
            first = 0;
            before = "; ";
        }
    }
}

/* What its words mean: "; `isotropic`: ..." */
static void print_cases(FILE *out, const sw_key *key)
{
    const char *before = key->help != NULL ? "; " : "";
    for (const sw_key_case *c = key->cases; c != NULL && c->name != NULL; c++) {
        if (c->help == NULL)
            continue;
        fprintf(out, "%s`%s`: ", before, c->name);
        print_escaped(out, c->help);
        before = "; ";
    }
}

static void print_rows(FILE *out, const sw_key *keys, const char *prefix)
{
    char inner[SW_KEY_SIZE], standard[320];
    for (const sw_key *k = keys; k->type != SW_KEY_END; k++) {
        if (k->name == NULL)
            continue;
        if (k->type != SW_KEY_SECTION) {
            fprintf(out, "| `%s%s` | ", prefix, k->name);
            print_values(out, k);
            sw_key_standard(k, standard, sizeof standard);
            fprintf(out, " | %s | ", k->needed ? "needed" : standard);
            if (k->option != NULL)
                fprintf(out, "`--%s`", k->option);
            fputs(" | ", out);
            print_escaped(out, k->help != NULL ? k->help : "");
            print_cases(out, k);
            print_companions(out, keys, k);
            fputs(" |\n", out);
        }
        if (k->keys != NULL)
            print_rows(out, k->keys,
                       sw_key_path(inner, k->type == SW_KEY_LIST ? "%s%s[]." : "%s%s.", prefix, k->name));
    }
}

void sw_print_keys(FILE *out, const sw_key *keys)
{
    fputs("| Key | Values | Otherwise | Option | Meaning |\n|---|---|---|---|---|\n", out);
    print_rows(out, keys, "");
}

/* ---- Manual pages ---- */

static void print_roff(FILE *out, const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", out);
    for (; *text != '\0'; text++)
        fputs(*text == '\\' ? "\\e" : *text == '-' ? "\\-" : (char[]){*text, '\0'}, out);
}

static void print_manual_option(FILE *out, const sw_key *row)
{
    char text[640];
    const char *argument = sw_option_argument(row);
    fputs(".TP\n", out);
    if (row->letter != 0)
        fprintf(out, "\\fB\\-%c\\fR, ", row->letter);
    fputs("\\fB\\-\\-", out);
    print_roff(out, row->option);
    fputs("\\fR", out);
    if (argument != NULL)
        fprintf(out, "=\\fI%s\\fR", argument);
    fputc('\n', out);
    sw_option_text(row, text, sizeof text);
    print_roff(out, text);
    fputc('\n', out);
}

static void print_manual_keys(FILE *out, const sw_key *keys, const char *prefix)
{
    char inner[SW_KEY_SIZE], text[640], bound[640];
    for (const sw_key *k = keys; k->type != SW_KEY_END; k++) {
        if (k->name == NULL)
            continue;
        if (k->type != SW_KEY_SECTION) {
            fputs(".TP\n\\fB", out);
            print_roff(out, sw_key_path(inner, "%s%s", prefix, k->name));
            fputs("\\fR\n", out);
            row_text(k, NULL, text, sizeof text);
            if ((k->keys == NULL || k->type == SW_KEY_REAL) && !has_words(k) && k->type != SW_KEY_NOTE) {
                sw_key_bound(k, bound, sizeof bound);
                print_roff(out, bound);
                fputs(k->keys != NULL ? "; or a mapping" : "", out);
                fputs(*text ? ": " : "", out);
            }
            print_roff(out, *text || k->keys == NULL ? text : "a list");
            fputs(k->needed ? " (needed)\n" : "\n", out);
        }
        if (k->keys != NULL)
            print_manual_keys(
                out, k->keys,
                sw_key_path(inner, k->type == SW_KEY_LIST ? "%s%s[]." : "%s%s.", prefix, k->name));
    }
}

/* "kwn map" -> "kwn-map" */
static const char *page_name(const char *name, char page[64])
{
    snprintf(page, 64, "%s", name);
    for (char *c = page; *c != '\0'; c++)
        *c = *c == ' ' ? '-' : *c;
    return page;
}

static void print_command_page(FILE *out, const sw_program *program, const sw_command *command)
{
    const sw_key *row[128];
    const int count = sw_option_rows(command->keys, 128, row);
    char page[64];
    page_name(command->name, page);
    fprintf(out, ".TH \"%s\\-%s\" 1 \"\" \"slipwave %s\"\n.SH NAME\n%s\\-%s \\- ", program->name, page,
            sw_version(), program->name, page);
    print_roff(out, command->summary);
    fprintf(out, "\n.SH SYNOPSIS\n\\fB%s %s\\fR [\\fIOPTION\\fR...] \\fI%s\\fR\n.SH DESCRIPTION\n",
            program->name, command->name, command->argument);
    print_roff(out, command->about);
    fputs("\n.SH OPTIONS\n", out);
    for (int i = 0; i < count; i++)
        print_manual_option(out, row[i]);
    if (command->with_file) {
        fputs(".SH KEYS OF THE FILE\n", out);
        print_manual_keys(out, command->keys, "");
    }
    for (const sw_key_table *f = command->files; f != NULL && f->name != NULL; f++) {
        fprintf(out, ".SH KEYS OF A FILE: %s\n", f->name);
        print_manual_keys(out, f->keys, "");
    }
    fputs(".SH EXIT STATUS\n0; 1 on any error, with a line on the standard error; 130 when interrupted.\n",
          out);
    fprintf(out, ".SH SEE ALSO\n\\fB%s\\fR(1)\n", program->name);
}

void sw_print_manual(FILE *out, const sw_program *program, const sw_command *command)
{
    char page[64];
    if (command != NULL) {
        print_command_page(out, program, command);
        return;
    }
    fprintf(out, ".TH \"%s\" 1 \"\" \"slipwave %s\"\n.SH NAME\n%s \\- ", program->name, sw_version(),
            program->name);
    print_roff(out, program->about);
    fprintf(out,
            "\n.SH SYNOPSIS\n\\fB%s\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...] \\fIFILE\\fR\n.SH COMMANDS\n",
            program->name);
    for (const sw_command *const *c = program->commands; *c != NULL; c++) {
        fprintf(out, ".TP\n\\fB%s\\fR\n", (*c)->name);
        print_roff(out, (*c)->summary);
        fprintf(out, ": \\fB%s\\-%s\\fR(1)\n", program->name, page_name((*c)->name, page));
    }
    for (const sw_separate_command *s = program->separate; s != NULL && s->name != NULL; s++) {
        fprintf(out, ".TP\n\\fB%s\\fR\n", s->name);
        print_roff(out, s->summary);
        fprintf(out, ": \\fB%s\\-%s\\fR \\-\\-help\n", program->name, s->name);
    }
}

/* ---- Completion ---- */

static const char head[] =
    "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words='' at=1 command\n"
    "    [ \"$before\" = = ] && before=${COMP_WORDS[COMP_CWORD-2]}\n"
    "    if [ \"$COMP_CWORD\" -gt 1 ] && [ \"${COMP_WORDS[1]}\" = help ]; then at=2; fi\n"
    "    command=${COMP_WORDS[at]}\n"
    "    case \"$command ${COMP_WORDS[at+1]}\" in\n";

/* First words of commands. */
static void print_names(FILE *out, const sw_program *program)
{
    for (const sw_command *const *c = program->commands; *c != NULL; c++)
        if (strchr((*c)->name, ' ') == NULL)
            fprintf(out, "%s ", (*c)->name);
    for (const sw_separate_command *s = program->separate; s != NULL && s->name != NULL; s++)
        fprintf(out, "%s ", s->name);
}

/* "map " for kwn, of the program's commands of two words. */
static void print_second_words(FILE *out, const sw_program *program, const char *first)
{
    const size_t length = strlen(first);
    for (const sw_command *const *c = program->commands; *c != NULL; c++)
        if (strncmp((*c)->name, first, length) == 0 && (*c)->name[length] == ' ')
            fprintf(out, "%s ", (*c)->name + length + 1);
}

/* Of `help COMMAND`: the forms of help. */
static void print_forms(FILE *out, const sw_command *command)
{
    fputs("text keys man ", out);
    for (const sw_key_table *f = command->files; f != NULL && f->name != NULL; f++)
        fprintf(out, "%s ", f->name);
}

static void print_options(FILE *out, const sw_command *command)
{
    const sw_key *row[128];
    const int count = sw_option_rows(command->keys, 128, row);
    for (int i = 0; i < count; i++)
        fprintf(out, "--%s ", row[i]->option);
    fputs("--help", out);
}

/* A line for each option whose values are words. */
static void print_choices(FILE *out, const sw_command *command)
{
    const sw_key *row[128];
    const int count = sw_option_rows(command->keys, 128, row);
    for (int i = 0; i < count; i++) {
        if (!has_words(row[i]))
            continue;
        fprintf(out, "    '%s --%s'", command->name, row[i]->option);
        if (row[i]->letter != 0)
            fprintf(out, "|'%s -%c'", command->name, row[i]->letter);
        fputs(") words='", out);
        for (int k = 0; sw_key_word(row[i], k) != NULL; k++)
            fprintf(out, "%s%s", k ? " " : "", sw_key_word(row[i], k));
        fputs("' ;;\n", out);
    }
}

void sw_print_completion(FILE *out, const sw_program *program)
{
    char function[64];
    page_name(program->name, function);
    for (char *c = function; *c != '\0'; c++)
        *c = *c == '-' ? '_' : *c;
    fprintf(out, "# bash completion for %s, made by `%s help completion`\n_%s()\n{\n%s", program->name,
            program->name, function, head);
    for (const sw_command *const *c = program->commands; *c != NULL; c++)
        if (strchr((*c)->name, ' ') != NULL) /* when it has been typed whole */
            fprintf(out, "    '%s') [ \"$COMP_CWORD\" -gt $((at+1)) ] && command='%s' at=$((at+1)) ;;\n",
                    (*c)->name, (*c)->name);
    fputs("    esac\n    if [ \"$COMP_CWORD\" -eq 1 ]; then words='", out);
    print_names(out, program);
    fputs("help'\n    elif [ \"$COMP_CWORD\" -le \"$at\" ]; then words='", out);
    print_names(out, program);
    fputs("man completion commands'\n    elif [ \"${COMP_WORDS[1]}\" = help ]; then\n"
          "    [ \"$COMP_CWORD\" -eq $((at+1)) ] && case $command in\n",
          out);
    for (const sw_command *const *c = program->commands; *c != NULL; c++) {
        fprintf(out, "    '%s') words='", (*c)->name);
        print_forms(out, *c);
        print_second_words(out, program, (*c)->name);
        fputs("' ;;\n", out);
    }
    fputs("    esac\n    elif [[ $current == -* ]]; then\n    case $command in\n", out);
    for (const sw_command *const *c = program->commands; *c != NULL; c++) {
        fprintf(out, "    '%s') words='", (*c)->name);
        print_options(out, *c);
        fputs("' ;;\n", out);
    }
    fputs("    esac\n    else\n    case \"$command $before\" in\n", out);
    for (const sw_command *const *c = program->commands; *c != NULL; c++) {
        print_choices(out, *c);
        fprintf(out, "    '%s %s') words='", (*c)->name, (*c)->name); /* after the command itself */
        print_second_words(out, program, (*c)->name);
        fputs("' ;;\n", out);
    }
    fprintf(out,
            "    esac\n    fi\n    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"${current#=}\")\n}\n"
            "complete -o default -F _%s %s\n",
            function, program->name);
}
