#include "lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/text.h"

/* ---- Texts ---- */

static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t n = strlen(text);
    while (n > 0 && isspace((unsigned char)text[n - 1]))
        text[--n] = '\0';
    return text;
}

static char *unquote(char *text)
{
    const size_t n = strlen(text);
    if (n < 2 || text[0] != '"' || text[n - 1] != '"')
        return text;
    text[n - 1] = '\0';
    return text + 1;
}

/* In capitals; blanks: 0 without any, 1 single ones. */
static void tidy(char *text, int blanks)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++)
        if (!isspace((unsigned char)*from))
            *to++ = (char)toupper((unsigned char)*from);
        else if (blanks && to > text && to[-1] != ' ')
            *to++ = ' ';
    *to = '\0';
}

sw_status sw_deck_cut(sw_deck_source *source, char *text, int *n)
{
    *n = 0;
    for (int more = 1; more;) {
        char *end = text;
        for (int quoted = 0; *end != '\0' && (*end != ',' || quoted); end++)
            quoted ^= *end == '"';
        more = *end != '\0';
        *end = '\0';
        if (*n == source->n_room) {
            SW_TRY(SW_GROW(source->field, 2 * *n + 16, "fields of a line"));
            source->n_room = 2 * *n + 16;
        }
        source->field[(*n)++] = unquote(trim(text));
        text = end + 1;
    }
    *n -= *n > 1 && *source->field[*n - 1] == '\0';
    return SW_OK;
}

sw_status sw_deck_make_card(int n, char **field, sw_deck_card *card)
{
    card->keyword = trim(field[0] + 1);
    tidy(card->keyword, 1);
    if (n > 1)
        SW_TRY(SW_ALLOCATE(card->parameter, n, "a keyword's parameters"));
    for (int i = 1; i < n; i++) {
        char *equals = strchr(field[i], '='), *none = field[i] + strlen(field[i]);
        if (*field[i] == '\0')
            continue;
        if (equals != NULL)
            *equals = '\0';
        tidy(field[i], 0);
        card->parameter[card->n_parameters].key = field[i];
        card->parameter[card->n_parameters++].value = equals != NULL ? unquote(trim(equals + 1)) : none;
    }
    return *card->keyword != '\0' ? SW_OK : sw_deck_complain(card, "a line with a star needs a keyword");
}

/* ---- Files ---- */

sw_status sw_deck_open(const char *path, sw_deck_source *source)
{
    *source = (sw_deck_source){.path = path};
    return sw_open_text(path, &source->file);
}

void sw_deck_close(sw_deck_source *source)
{
    if (source->file != NULL)
        fclose(source->file);
    free(source->line);
    free(source->command);
    free(source->field);
    free(source->card.parameter);
}

sw_status sw_deck_next_text(sw_deck_source *source, char **text)
{
    *text = source->held;
    source->held = NULL;
    while (*text == NULL) {
        int more;
        SW_TRY(
            sw_next_line(source->path, source->file, &source->number, &source->line, &source->room, &more));
        if (!more)
            return SW_OK;
        char *line = trim(source->line);
        if (*line != '\0' && strncmp(line, "**", 2) != 0)
            *text = line;
    }
    return SW_OK;
}

sw_status sw_deck_gather(sw_deck_source *source, const char *first, char **whole)
{
    size_t n = strlen(first);
    *whole = NULL;
    SW_TRY(SW_ALLOCATE(*whole, n + 1, "a keyword line"));
    memcpy(*whole, first, n + 1);
    while ((*whole)[n - 1] == ',') {
        char *more;
        SW_TRY(sw_deck_next_text(source, &more));
        if (more == NULL || *more == '*') {
            source->held = more;
            break;
        }
        const size_t m = strlen(more);
        SW_TRY(SW_GROW(*whole, n + m + 1, "a keyword line"));
        memcpy(*whole + n, more, m + 1);
        n += m;
    }
    return SW_OK;
}

/* ---- Cards and lines as they come ---- */

sw_status sw_deck_next_card(sw_deck_source *source, int *more)
{
    char *text;
    int n;
    do
        SW_TRY(sw_deck_next_text(source, &text));
    while (text != NULL && *text != '*');
    *more = text != NULL;
    if (text == NULL)
        return SW_OK;
    free(source->command);
    free(source->card.parameter);
    source->card = (sw_deck_card){.path = source->path, .line = source->number};
    SW_TRY(sw_deck_gather(source, text, &source->command));
    SW_TRY(sw_deck_cut(source, source->command, &n));
    return sw_deck_make_card(n, source->field, &source->card);
}

sw_status sw_deck_next_data(sw_deck_source *source)
{
    char *text;
    source->data = (sw_deck_line){.path = source->path};
    SW_TRY(sw_deck_next_text(source, &text));
    if (text == NULL || *text == '*') {
        source->held = text;
        return SW_OK;
    }
    source->data.line = source->number;
    source->data.continues = text[strlen(text) - 1] == ',';
    SW_TRY(sw_deck_cut(source, text, &source->data.n_fields));
    source->data.field = source->field;
    return SW_OK;
}
