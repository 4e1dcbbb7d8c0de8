/* A deck's files as a list of cards. All texts lie in pieces of memory that go together. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/files/memory/memory_files.h"
#include "lines.h"

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
    int64_t n_before;   /* lines before the first keyword */
    int depth;
    const char *open[MOST_INCLUDES]; /* files that are being read */
    identity is[MOST_INCLUDES];      /* which they are */
} reading;

/* Fields of a text that is kept. */
static sw_status cut(sw_deck_cards *cards, sw_deck_source *from, const char *text, int *n, char ***field)
{
    char *own = NULL;
    SW_TRY(copy(cards, text, &own));
    SW_TRY(sw_deck_cut(from, own, n));
    SW_TRY(take(cards, (size_t)*n * sizeof **field, (void **)field));
    memcpy(*field, from->field, (size_t)*n * sizeof **field);
    return SW_OK;
}

static sw_status add_card(reading *r, sw_deck_source *from, int64_t number, const char *text)
{
    sw_deck_cards *cards = r->cards;
    char **field;
    int n;
    SW_TRY(SW_DECK_ROOM(cards->card, cards->n_cards));
    SW_TRY(cut(cards, from, text, &n, &field));
    sw_deck_card *card = &cards->card[cards->n_cards++];
    *card = (sw_deck_card){.path = from->path, .line = number};
    return sw_deck_make_card(n, field, card);
}

static sw_status add_line(reading *r, sw_deck_source *from, const char *text)
{
    if (r->cards->n_cards == 0) {
        r->n_before++;
        return SW_OK;
    }
    SW_TRY(SW_DECK_ROOM(r->line, r->n_lines));
    sw_deck_line *line = &r->line[r->n_lines];
    *line =
        (sw_deck_line){.path = from->path, .line = from->number, .continues = text[strlen(text) - 1] == ','};
    SW_TRY(cut(r->cards, from, text, &line->n_fields, &line->field));
    r->n_lines++;
    r->cards->card[r->cards->n_cards - 1].n_lines++;
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
    memcpy(*path + folder, name, strlen(name) + 1);
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

static sw_status read_lines(reading *r, sw_deck_source *from)
{
    for (;;) {
        char *text, *whole = NULL;
        SW_TRY(sw_deck_next_text(from, &text));
        if (text == NULL)
            return SW_OK;
        if (*text != '*') {
            SW_TRY(add_line(r, from, text));
            continue;
        }
        const int64_t number = from->number;
        sw_status status = sw_deck_gather(from, text, &whole);
        if (status == SW_OK)
            status = add_card(r, from, number, whole);
        free(whole);
        if (status == SW_OK && strcmp(r->cards->card[r->cards->n_cards - 1].keyword, "INCLUDE") == 0)
            status = include(r);
        SW_TRY(status);
    }
}

static sw_status read_file(reading *r, const char *path)
{
    sw_deck_source from;
    SW_TRY(sw_deck_open(path, &from));
    r->open[r->depth] = path;
    find_file(path, &r->is[r->depth++]);
    const sw_status status = read_lines(r, &from);
    r->depth--;
    sw_deck_close(&from);
    return status;
}

sw_status sw_deck_cards_read(const char *path, sw_deck_cards *cards)
{
    *cards = (sw_deck_cards){0};
    reading r = {.cards = cards};
    char *own = NULL;
    sw_status status = copy(cards, path, &own);
    if (status == SW_OK)
        status = read_file(&r, cards->path = own);
    if (status == SW_OK && cards->n_cards == 0)
        status = sw_error(SW_ERR_INPUT, "%s: has no keyword: need lines like *NODE", path);
    int64_t line = 0;
    for (int64_t i = 0; status == SW_OK && i < cards->n_cards; line += cards->card[i++].n_lines)
        cards->card[i].data = r.line + line;
    if (status == SW_OK && r.n_before > 0)
        sw_note("%s: %" PRId64 " line%s before the first keyword %s passed over", path, r.n_before,
                r.n_before == 1 ? "" : "s", r.n_before == 1 ? "is" : "are");
    if (status != SW_OK) {
        free(r.line);
        sw_deck_cards_free(cards);
    }
    return status;
}
