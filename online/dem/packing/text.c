/* Packings as text, a line a particle. */
#include "formats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/output_file.h"
#include "common/files/text.h"

#define BLANKS " \t\r\n\v\f"

enum { CELL = 9, SHORT = 4, LONG = 10 };

static const char *const column_names[LONG] = {"x", "y", "z", "radius", "vx", "vy", "vz", "wx", "wy", "wz"};

/* ---- Reading ---- */

typedef struct {
    const char *path;
    FILE *file;
    char *line; /* sw_next_line's */
    size_t line_size;
    int64_t line_number;
    int columns; /* of the first particle, in line first_line; 0: none yet */
    int64_t first_line, cell_line;
    double (*row)[LONG];  /* [capacity] */
    int64_t (*member)[3]; /* [member_capacity] particle, its clump, line */
    int64_t members, member_capacity, clumps;
    int64_t count, capacity;
} reader;

/* The next line that says something, without comment; *line is NULL at the end. */
static sw_status next_line(reader *r, char **line)
{
    for (;;) {
        int more;
        *line = NULL;
        SW_TRY(sw_next_line(r->path, r->file, &r->line_number, &r->line, &r->line_size, &more));
        if (!more)
            return SW_OK;
        char *start = r->line;
        start[strcspn(start, "#")] = '\0';
        *line = start + strspn(start, BLANKS);
        if (**line != '\0')
            return SW_OK;
    }
}

/* The numbers of a line, which is cut: up to `most` are stored, *count is how many there are. */
static sw_status parse_numbers(const reader *r, char *line, int most, const char *const *name, double *value,
                               int *count)
{
    char *rest;
    *count = 0;
    for (char *word = strtok_r(line, BLANKS, &rest); word != NULL; word = strtok_r(NULL, BLANKS, &rest)) {
        const int i = (*count)++;
        const char *need = i < most ? sw_parse_real(word, &value[i]) : NULL;
        if (need != NULL)
            return sw_error(SW_ERR_INPUT, "%s:%" PRId64 ": %s = '%.40s': need %s", r->path, r->line_number,
                            name[i], word, need);
    }
    return SW_OK;
}

static sw_status read_cell(reader *r, char *line, double cell[3][3])
{
    static const char *const name[CELL] = {"h11", "h21", "h31", "h12", "h22", "h32", "h13", "h23", "h33"};
    double value[CELL];
    int count;
    if (r->cell_line > 0)
        return sw_error(SW_ERR_INPUT, "%s:%" PRId64 ": a second cell: need one, and line %" PRId64 " has it",
                        r->path, r->line_number, r->cell_line);
    r->cell_line = r->line_number;
    SW_TRY(parse_numbers(r, line, CELL, name, value, &count));
    if (count != CELL)
        return sw_error(SW_ERR_INPUT,
                        "%s:%" PRId64 ": cell of %d numbers: need 9, h11 h21 h31 h12 h22 h32 "
                        "h13 h23 h33",
                        r->path, r->line_number, count);
    for (int i = 0; i < CELL; i++)
        cell[i % 3][i / 3] = value[i];
    char place[512];
    snprintf(place, sizeof place, "%s:%" PRId64, r->path, r->line_number);
    return sw_dem_packing_check_cell(place, (const double(*)[3])cell, SW_ERR_INPUT);
}

static sw_status grow(reader *r)
{
    if (r->count < r->capacity)
        return SW_OK;
    const int64_t capacity = r->capacity < 1024 ? 1024 : 2 * r->capacity;
    void *larger = realloc(r->row, (size_t)capacity * sizeof *r->row);
    if (larger == NULL)
        return sw_error(SW_ERR_MEMORY, "%s: no memory for %" PRId64 " particles", r->path, capacity);
    r->row = larger;
    r->capacity = capacity;
    return SW_OK;
}

static sw_status read_particle(reader *r, char *line)
{
    int count;
    SW_TRY(grow(r));
    double *value = r->row[r->count];
    if (r->cell_line == 0)
        return sw_error(SW_ERR_INPUT,
                        "%s:%" PRId64 ": a particle before the cell: need a line \"cell h11 h21 "
                        "h31 h12 h22 h32 h13 h23 h33\" first",
                        r->path, r->line_number);
    SW_TRY(parse_numbers(r, line, LONG, column_names, value, &count));
    if (count != SHORT && count != LONG)
        return sw_error(SW_ERR_INPUT,
                        "%s:%" PRId64 ": %d columns: need 4, x y z radius, or 10, with vx vy vz "
                        "wx wy wz",
                        r->path, r->line_number, count);
    if (r->count == 0) {
        r->columns = count;
        r->first_line = r->line_number;
    }
    if (count != r->columns)
        return sw_error(SW_ERR_INPUT, "%s:%" PRId64 ": %d columns: need %d as in line %" PRId64, r->path,
                        r->line_number, count, r->columns, r->first_line);
    r->count++;
    char place[512];
    snprintf(place, sizeof place, "%s:%" PRId64, r->path, r->line_number);
    return sw_dem_packing_check_radius(place, -1, value[3], SW_ERR_INPUT);
}

/* Particles of one more clump; whether they are there is known at the end. */
static sw_status read_clump(reader *r, char *line)
{
    char *rest;
    int64_t count = 0;
    for (char *word = strtok_r(line, BLANKS, &rest); word != NULL; word = strtok_r(NULL, BLANKS, &rest)) {
        double value;
        const char *need = sw_parse_real(word, &value);
        if (need != NULL || !(value >= 0 && value <= INT32_MAX && value == (double)(int64_t)value))
            return sw_error(SW_ERR_INPUT,
                            "%s:%" PRId64 ": particle '%.40s' of a clump: need a whole number from 0 on",
                            r->path, r->line_number, word);
        if (r->members == r->member_capacity) {
            const int64_t capacity = r->member_capacity < 1024 ? 1024 : 2 * r->member_capacity;
            void *larger = realloc(r->member, (size_t)capacity * sizeof *r->member);
            if (larger == NULL)
                return sw_error(SW_ERR_MEMORY, "%s: no memory for clumps", r->path);
            r->member = larger;
            r->member_capacity = capacity;
        }
        r->member[r->members][0] = (int64_t)value;
        r->member[r->members][1] = r->clumps;
        r->member[r->members++][2] = r->line_number;
        count++;
    }
    if (count == 0)
        return sw_error(SW_ERR_INPUT, "%s:%" PRId64 ": a clump of no particles: need one or more", r->path,
                        r->line_number);
    r->clumps++;
    return SW_OK;
}

static sw_status take_clumps(const reader *r, sw_dem_packing *packing)
{
    if (r->clumps == 0)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(packing->clump, packing->n_particles, "particles of a packing"));
    for (int64_t p = 0; p < packing->n_particles; p++)
        packing->clump[p] = -1;
    for (int64_t m = 0; m < r->members; m++) {
        const int64_t p = r->member[m][0], line = r->member[m][2];
        if (p >= packing->n_particles)
            return sw_error(SW_ERR_INPUT,
                            "%s:%" PRId64 ": particle %" PRId64 " of a clump: need 0 to %" PRId64, r->path,
                            line, p, packing->n_particles - 1);
        if (packing->clump[p] >= 0)
            return sw_error(SW_ERR_INPUT,
                            "%s:%" PRId64 ": particle %" PRId64 " is in a clump before: need each once",
                            r->path, line, p);
        packing->clump[p] = (int32_t)r->member[m][1];
    }
    return SW_OK;
}

static sw_status read_lines(reader *r, sw_dem_packing *packing)
{
    for (;;) {
        char *line;
        SW_TRY(next_line(r, &line));
        if (line == NULL)
            break;
        if (strncmp(line, "cell", 4) == 0 && strchr(BLANKS, line[4]) != NULL)
            SW_TRY(read_cell(r, line + 4, packing->cell));
        else if (strncmp(line, "clump", 5) == 0 && strchr(BLANKS, line[5]) != NULL)
            SW_TRY(read_clump(r, line + 5));
        else
            SW_TRY(read_particle(r, line));
    }
    if (r->count == 0)
        return sw_error(SW_ERR_INPUT, "%s: no particles in its %" PRId64 " lines: need 1 or more", r->path,
                        r->line_number);
    return SW_OK;
}

static sw_status take(const reader *r, sw_dem_packing *packing)
{
    const int64_t n = packing->n_particles = r->count;
    SW_TRY(SW_ALLOCATE(packing->position, n, "particles of a packing"));
    SW_TRY(SW_ALLOCATE(packing->radius, n, "particles of a packing"));
    if (r->columns == LONG) {
        SW_TRY(SW_ALLOCATE(packing->velocity, n, "particles of a packing"));
        SW_TRY(SW_ALLOCATE(packing->spin, n, "particles of a packing"));
    }
    for (int64_t p = 0; p < n; p++) {
        const double *value = r->row[p];
        memcpy(packing->position[p], value, sizeof packing->position[p]);
        packing->radius[p] = value[3];
        if (r->columns == LONG) {
            memcpy(packing->velocity[p], value + 4, sizeof packing->velocity[p]);
            memcpy(packing->spin[p], value + 7, sizeof packing->spin[p]);
        }
    }
    return sw_dem_packing_check_positions(r->path, packing, SW_ERR_INPUT);
}

sw_status sw_dem_text_read(const char *path, sw_dem_packing *packing)
{
    reader r = {.path = path};
    SW_TRY(sw_open_text(path, &r.file));
    sw_status status = read_lines(&r, packing);
    if (status == SW_OK)
        status = take(&r, packing);
    if (status == SW_OK)
        status = take_clumps(&r, packing);
    fclose(r.file);
    free(r.line);
    free(r.row);
    free(r.member);
    return status;
}

/* ---- Writing ---- */

static void write_numbers(FILE *file, int n, const double *value)
{
    for (int i = 0; i < n; i++)
        fprintf(file, " %.17g", value[i]);
}

/* A line each. */
static sw_status write_clumps(FILE *file, const sw_dem_packing *packing)
{
    const int64_t n = packing->n_particles;
    int32_t *head, *next, most = -1;
    if (packing->clump == NULL)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(head, 2 * n, "clumps of a packing"));
    next = head + n;
    for (int64_t c = 0; c < n; c++)
        head[c] = -1;
    for (int64_t p = n - 1; p >= 0; p--)
        if (packing->clump[p] >= 0) {
            next[p] = head[packing->clump[p]];
            head[packing->clump[p]] = (int32_t)p;
            most = packing->clump[p] > most ? packing->clump[p] : most;
        }
    for (int32_t c = 0; c <= most && !ferror(file); c++) {
        fputs("clump", file);
        for (int32_t p = head[c]; p >= 0; p = next[p])
            fprintf(file, " %" PRId32, p);
        fputc('\n', file);
    }
    free(head);
    return SW_OK;
}

static sw_status write_all(FILE *file, const sw_dem_packing *packing)
{
    static const double none[3];
    const int columns = packing->velocity != NULL || packing->spin != NULL ? LONG : SHORT;
    fprintf(file,
            "# %" PRId64 " spheres in a periodic cell, whose vectors are h11 h21 h31, h12 h22 h32, h13 "
            "h23 h33 (m)\ncell",
            packing->n_particles);
    for (int j = 0; j < 3; j++)
        write_numbers(file, 3, (double[3]){packing->cell[0][j], packing->cell[1][j], packing->cell[2][j]});
    fputc('\n', file);
    SW_TRY(write_clumps(file, packing));
    fputc('#', file);
    for (int i = 0; i < columns; i++)
        fprintf(file, " %s", column_names[i]);
    fputs(columns == LONG ? " (m, m/s, rad/s)\n" : " (m)\n", file);
    for (int64_t p = 0; p < packing->n_particles && !ferror(file); p++) {
        fprintf(file, "%.17g", packing->position[p][0]);
        write_numbers(file, 2, packing->position[p] + 1);
        write_numbers(file, 1, &packing->radius[p]);
        if (columns == LONG) {
            write_numbers(file, 3, packing->velocity != NULL ? packing->velocity[p] : none);
            write_numbers(file, 3, packing->spin != NULL ? packing->spin[p] : none);
        }
        fputc('\n', file);
    }
    return SW_OK;
}

sw_status sw_dem_text_write(const char *path, const sw_dem_packing *packing, int n_fields,
                            const sw_dem_packing_field *field)
{
    (void)n_fields;
    (void)field;
    sw_output_file output;
    FILE *file;
    SW_TRY(sw_text_file_begin(path, &output, &file));
    return sw_text_file_end(&output, file, write_all(file, packing));
}
