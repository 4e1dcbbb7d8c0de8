/* A deck's files as a list of cards. All texts lie in pieces of memory that go together. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "common/files/memory/memory_files.h"
#include "common/files/text.h"
#include "cards.h"

/* ---- Memory ---- */

enum { PIECE = 1 << 20, MOST_INCLUDES = 64 };

typedef struct piece {
    struct piece *next;
    size_t used, size;
    _Alignas(16) char bytes[];
} piece;

static sw_status take(sw_deck_cards *cards, size_t size, void **bytes)
{
    piece *last = cards->memory;
    const size_t used = last != NULL ? (last->used + 7) / 8 * 8 : 0;
    if (last == NULL || used + size > last->size) {
        const size_t room = size > PIECE ? size : PIECE;
        piece *made = malloc(sizeof *made + room);
        if (made == NULL)
            return sw_error(SW_ERR_MEMORY, "no memory for a deck of more than %zu bytes", room);
        *made = (piece){.next = last, .size = room, .used = size};
        cards->memory = made;
        *bytes = made->bytes;
        return SW_OK;
    }
    *bytes = last->bytes + used;
    last->used = used + size;
    return SW_OK;
}

static sw_status copy(sw_deck_cards *cards, const char *text, char **kept)
{
    const size_t n = strlen(text) + 1;
    SW_TRY(take(cards, n, (void **)kept));
    memcpy(*kept, text, n);
    return SW_OK;
}

void sw_deck_cards_free(sw_deck_cards *cards)
{
    for (int64_t i = 0; i < cards->n_cards; i++)
        free(cards->card[i].parameter);
    if (cards->n_cards > 0)
        free(cards->card->data); /* of all */
    free(cards->card);
    for (piece *p = cards->memory, *next; p != NULL; p = next) {
        next = p->next;
        free(p);
    }
    *cards = (sw_deck_cards){0};
}

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

/* The end of a field: a comma outside quotes, or the end of the text. */
static char *field_end(char *text)
{
    int quoted = 0;
    for (; *text != '\0' && (*text != ',' || quoted); text++)
        quoted ^= *text == '"';
    return text;
}

/* Cuts at commas; a last empty field does not count. */
static sw_status cut(sw_deck_cards *cards, char *text, int *n_fields, char ***fields)
{
    int n = 1;
    for (char *end = field_end(text); *end != '\0'; end = field_end(end + 1))
        n++;
    SW_TRY(take(cards, (size_t)n * sizeof **fields, (void **)fields));
    for (int i = 0; i < n; i++) {
        char *end = field_end(text);
        *end = '\0';
        (*fields)[i] = unquote(trim(text));
        text = end + 1;
    }
    *n_fields = n > 1 && *(*fields)[n - 1] == '\0' ? n - 1 : n;
    return SW_OK;
}

int sw_deck_same_word(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (isspace((unsigned char)*a))
            a++;
        while (isspace((unsigned char)*b))
            b++;
        if (toupper((unsigned char)*a) != toupper((unsigned char)*b))
            return 0;
        if (*a == '\0')
            return 1;
    }
}

int sw_deck_begins(const char *text, const char *with) { return strncasecmp(text, with, strlen(with)) == 0; }

/* ---- Reading ---- */

/* A file that is there: which one it is. */
typedef struct {
    const void *bytes; /* in memory; NULL: on the disk */
    dev_t device;
    ino_t number;
} identity;

static int find_file(const char *path, identity *is)
{
    const sw_memory_file *memory = sw_memory_file_find(path);
    struct stat about;
    *is = (identity){.bytes = memory != NULL ? memory->bytes : NULL};
    if (memory == NULL && stat(path, &about) != 0)
        return 0;
    if (memory == NULL) {
        is->device = about.st_dev;
        is->number = about.st_ino;
    }
    return 1;
}

typedef struct {
    sw_deck_cards *cards;
    int64_t n_lines;
    sw_deck_line *line; /* of all cards, one after the other */
    int follow, depth;
    const char *open[MOST_INCLUDES]; /* files that are being read */
    identity is[MOST_INCLUDES];      /* which they are */
} reading;

/* A keyword line, cut into its parameters. */
static sw_status add_card(reading *r, const char *path, int64_t number, const char *text)
{
    sw_deck_cards *cards = r->cards;
    SW_TRY(SW_DECK_ROOM(cards->card, cards->n_cards));
    sw_deck_card *card = &cards->card[cards->n_cards];
    *card = (sw_deck_card){.path = path, .line = number};
    char *own, **field;
    int n;
    SW_TRY(copy(cards, text + 1, &own));
    SW_TRY(cut(cards, own, &n, &field));
    cards->n_cards++;
    card->keyword = trim(field[0]);
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
    if (*card->keyword == '\0')
        return sw_deck_complain(card, "a line with a star needs a keyword");
    return SW_OK;
}

static sw_status add_line(reading *r, const char *path, int64_t number, const char *text)
{
    if (r->cards->n_cards == 0) {
        r->cards->before = r->cards->n_before++ == 0 ? number : r->cards->before;
        return SW_OK;
    }
    SW_TRY(SW_DECK_ROOM(r->line, r->n_lines));
    sw_deck_line *line = &r->line[r->n_lines];
    *line = (sw_deck_line){.path = path, .line = number, .continues = text[strlen(text) - 1] == ','};
    char *own;
    SW_TRY(copy(r->cards, text, &own));
    SW_TRY(cut(r->cards, own, &line->n_fields, &line->field));
    r->n_lines++;
    r->cards->card[r->cards->n_cards - 1].n_lines++;
    return SW_OK;
}

/* A file that is being read; a line may be held back. */
typedef struct {
    const char *path;
    FILE *file;
    char *line;
    size_t room;
    int64_t number;
    char *held;
} source;

/* The next line that is not blank or a comment, trimmed; NULL at the end. */
static sw_status next(source *from, char **text)
{
    *text = from->held;
    from->held = NULL;
    while (*text == NULL) {
        int more;
        SW_TRY(sw_next_line(from->path, from->file, &from->number, &from->line, &from->room, &more));
        if (!more)
            return SW_OK;
        char *line = trim(from->line);
        if (*line != '\0' && strncmp(line, "**", 2) != 0)
            *text = line;
    }
    return SW_OK;
}

/* A keyword line whole: it goes on while it ends with a comma. *whole: free() it. */
static sw_status gather(source *from, const char *first, char **whole)
{
    size_t n = strlen(first);
    *whole = NULL;
    SW_TRY(SW_ALLOCATE(*whole, n + 1, "a keyword line"));
    memcpy(*whole, first, n + 1);
    while ((*whole)[n - 1] == ',') {
        char *more;
        SW_TRY(next(from, &more));
        if (more == NULL || *more == '*') {
            from->held = more;
            break;
        }
        const size_t m = strlen(more);
        SW_TRY(SW_GROW(*whole, n + m + 1, "a keyword line"));
        memcpy(*whole + n, more, m + 1);
        n += m;
    }
    return SW_OK;
}

static sw_status read_file(reading *r, const char *path);

/* name beside the file `beside`, in *path. */
static sw_status place_beside(sw_deck_cards *cards, const char *beside, const char *name, char **path)
{
    const char *slash = strrchr(beside, '/');
    const size_t folder = *name != '/' && slash != NULL ? (size_t)(slash + 1 - beside) : 0;
    SW_TRY(take(cards, folder + strlen(name) + 1, (void **)path));
    memcpy(*path, beside, folder);
    strcpy(*path + folder, name);
    return SW_OK;
}

/* The card of *INCLUDE, which is the last one, gives way to what its file holds. */
static sw_status include(reading *r)
{
    sw_deck_cards *cards = r->cards;
    sw_deck_card *card = &cards->card[cards->n_cards - 1];
    const char *name = sw_deck_parameter(card, "INPUT");
    name = name != NULL ? name : sw_deck_parameter(card, "FILE");
    if (name == NULL || *name == '\0')
        return sw_deck_complain(card, "needs INPUT=a file");
    if (r->depth == MOST_INCLUDES)
        return sw_deck_complain(card, "more than %d files within one another", MOST_INCLUDES);
    char *path;
    identity is;
    SW_TRY(place_beside(cards, r->open[r->depth - 1], name, &path));
    if (!find_file(path, &is))
        SW_TRY(place_beside(cards, r->open[0], name, &path));
    if (!find_file(path, &is))
        return sw_deck_complain(card, "there is no file %s", path);
    for (int i = 0; i < r->depth; i++)
        if (r->is[i].bytes == is.bytes && r->is[i].device == is.device && r->is[i].number == is.number)
            return sw_deck_complain(card, "%s includes itself", path);
    free(card->parameter);
    cards->n_cards--;
    return read_file(r, path);
}

static sw_status read_lines(reading *r, source *from)
{
    for (;;) {
        char *text, *whole = NULL;
        SW_TRY(next(from, &text));
        if (text == NULL)
            return SW_OK;
        if (*text != '*') {
            SW_TRY(add_line(r, from->path, from->number, text));
            continue;
        }
        const int64_t number = from->number;
        sw_status status = gather(from, text, &whole);
        if (status == SW_OK)
            status = add_card(r, from->path, number, whole);
        free(whole);
        if (status == SW_OK && r->follow &&
            strcmp(r->cards->card[r->cards->n_cards - 1].keyword, "INCLUDE") == 0)
            status = include(r);
        SW_TRY(status);
    }
}

static sw_status read_file(reading *r, const char *path)
{
    source from = {.path = path};
    SW_TRY(sw_open_text(path, &from.file));
    r->open[r->depth] = path;
    find_file(path, &r->is[r->depth++]);
    const sw_status status = read_lines(r, &from);
    r->depth--;
    fclose(from.file);
    free(from.line);
    return status;
}

sw_status sw_deck_cards_read(const char *path, int follow, sw_deck_cards *cards)
{
    *cards = (sw_deck_cards){0};
    reading r = {.cards = cards, .follow = follow};
    char *own = NULL;
    sw_status status = copy(cards, path, &own);
    if (status == SW_OK)
        status = read_file(&r, cards->path = own);
    int64_t line = 0;
    for (int64_t i = 0; status == SW_OK && i < cards->n_cards; line += cards->card[i++].n_lines)
        cards->card[i].data = r.line + line;
    if (status != SW_OK) {
        free(r.line);
        sw_deck_cards_free(cards);
    }
    return status;
}

/* ---- Complaints ---- */

static sw_status complain(const sw_deck_card *card, const char *path, int64_t line, const char *format,
                          va_list arguments)
{
    char text[768];
    vsnprintf(text, sizeof text, format, arguments);
    return sw_error(SW_ERR_INPUT, "%s:%" PRId64 ": *%.48s: %s", path, line, card->keyword, text);
}

sw_status sw_deck_complain(const sw_deck_card *card, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const sw_status status = complain(card, card->path, card->line, format, arguments);
    va_end(arguments);
    return status;
}

sw_status sw_deck_complain_at(const sw_deck_card *card, int64_t i, const char *format, ...)
{
    const int there = i >= 0 && i < card->n_lines;
    va_list arguments;
    va_start(arguments, format);
    const sw_status status = complain(card, there ? card->data[i].path : card->path,
                                      there ? card->data[i].line : card->line, format, arguments);
    va_end(arguments);
    return status;
}

sw_status sw_deck_complain_line(const sw_deck_card *card, int64_t i, const char *says)
{
    char text[64] = "";
    for (int k = 0; k < card->data[i].n_fields; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", k > 0 ? ", " : "",
                 card->data[i].field[k]);
    return sw_deck_complain_at(card, i, "'%s': %s", text, says);
}

/* ---- Numbers ---- */

/* With Fortran's exponents of doubles; NULL, or what it should have been. */
static const char *parse_real(const char *text, double *number)
{
    char plain[64];
    snprintf(plain, sizeof plain, "%s", text);
    for (char *c = plain; *c != '\0'; c++)
        if (*c == 'd' || *c == 'D')
            *c = 'e';
    return strlen(text) < sizeof plain ? sw_parse_real(plain, number) : "a number";
}

/* Zeros may lead. */
static int parse_whole(const char *text, int64_t *number)
{
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    *number = value;
    return end != text && *end == '\0' && errno == 0;
}

/* ---- Parameters ---- */

const char *sw_deck_parameter(const sw_deck_card *card, const char *key)
{
    for (int i = 0; i < card->n_parameters; i++)
        if (strcmp(card->parameter[i].key, key) == 0)
            return card->parameter[i].value;
    return NULL;
}

sw_status sw_deck_need_parameters(const sw_deck_card *card, const char *list)
{
    for (int i = 0; i < card->n_parameters; i++) {
        char key[64];
        snprintf(key, sizeof key, " %s ", card->parameter[i].key);
        if (strstr(list, key) == NULL)
            return sw_deck_complain(card, "parameter %.64s is not computed: need %s%s",
                                    card->parameter[i].key, strlen(list) > 1 ? "one of" : "none",
                                    strlen(list) > 1 ? list : "");
    }
    return SW_OK;
}

sw_status sw_deck_need_value(const sw_deck_card *card, const char *key, const char **value)
{
    *value = sw_deck_parameter(card, key);
    return *value == NULL || **value == '\0' ? sw_deck_complain(card, "needs %s=", key) : SW_OK;
}

sw_status sw_deck_real_parameter(const sw_deck_card *card, const char *key, double missing, double *number)
{
    const char *text = sw_deck_parameter(card, key);
    *number = missing;
    const char *wanted = text != NULL ? parse_real(text, number) : NULL;
    return wanted == NULL ? SW_OK : sw_deck_complain(card, "%s=%.40s: need %s", key, text, wanted);
}

sw_status sw_deck_whole_parameter(const sw_deck_card *card, const char *key, int64_t least, int64_t most,
                                  int64_t missing, int64_t *number)
{
    const char *text = sw_deck_parameter(card, key);
    *number = missing;
    if (text == NULL || (parse_whole(text, number) && *number >= least && *number <= most))
        return SW_OK;
    return most == INT64_MAX
               ? sw_deck_complain(card, "%s=%.40s: need a whole number, %" PRId64 " or more", key, text,
                                  least)
               : sw_deck_complain(card, "%s=%.40s: need a whole number from %" PRId64 " to %" PRId64, key,
                                  text, least, most);
}

sw_status sw_deck_need_lines(const sw_deck_card *card, int64_t least, int64_t most)
{
    if (card->n_lines >= least && (most < 0 || card->n_lines <= most))
        return SW_OK;
    if (most == least)
        return sw_deck_complain(card, "%" PRId64 " data lines: need %" PRId64, card->n_lines, least);
    return card->n_lines < least
               ? sw_deck_complain(card, "%" PRId64 " data lines: need at least %" PRId64, card->n_lines,
                                  least)
               : sw_deck_complain(card, "%" PRId64 " data lines: need at most %" PRId64, card->n_lines, most);
}

/* ---- Fields ---- */

const char *sw_deck_field(const sw_deck_card *card, int64_t i, int k)
{
    return i < card->n_lines && k < card->data[i].n_fields ? card->data[i].field[k] : "";
}

sw_status sw_deck_number(const sw_deck_card *card, int64_t i, int k, double missing, double *number)
{
    const char *text = sw_deck_field(card, i, k);
    *number = missing;
    if (*text == '\0')
        return SW_OK;
    const char *wanted = parse_real(text, number);
    return wanted == NULL ? SW_OK
                          : sw_deck_complain_at(card, i, "'%.40s' in field %d: need %s", text, k + 1, wanted);
}

sw_status sw_deck_need_number(const sw_deck_card *card, int64_t i, int k, const char *what, double *number)
{
    return *sw_deck_field(card, i, k) != '\0'
               ? sw_deck_number(card, i, k, 0, number)
               : sw_deck_complain_at(card, i, "needs %s in field %d", what, k + 1);
}

sw_status sw_deck_integer(const sw_deck_card *card, int64_t i, int k, int64_t missing, int64_t *number)
{
    const char *text = sw_deck_field(card, i, k);
    *number = missing;
    if (*text == '\0')
        return SW_OK;
    if (!parse_whole(text, number) || *number > INT32_MAX || *number < -INT32_MAX)
        return sw_deck_complain_at(card, i, "'%.40s' in field %d: need a whole number of at most %d", text,
                                   k + 1, INT32_MAX);
    return SW_OK;
}

sw_status sw_deck_room(void **array, int64_t n, size_t size)
{
    if (n > 0 && (n & (n - 1)) != 0)
        return SW_OK;
    return sw_grow(array, n > 0 ? 2 * (size_t)n : 1, size, "a list of a deck");
}
