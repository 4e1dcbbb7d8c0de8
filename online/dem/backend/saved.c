/* States of elements as bytes: a header, what is kept of the block, records, and of particles made of crystals
 * these. */
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "common/files/hash.h"

typedef struct {
    char magic[8];
    uint64_t check; /* of all bytes behind the header */
    int64_t n_particles, n_stages, stage_capacity, pair_capacity, image_capacity, kept_bytes, n_rows,
        crystals, numbers; /* of a particle; of each its solver's */
} saved_header;

static const char magic[8] = "swdem10";

static int64_t crystal_bytes(const saved_header *header)
{
    const int64_t a_crystal = (int64_t)sizeof(sw_crystal) + header->numbers * (int64_t)sizeof(float);
    const int64_t a_particle = header->crystals * a_crystal + 4 * (int64_t)sizeof(double);
    return header->crystals > 0 ? header->n_particles * a_particle : 0;
}

static int64_t numbers_of(const sw_dem_polycrystals *poly)
{
    return poly->state != NULL ? sw_response_layout(poly->response)->numbers : 0;
}

/* Bytes of what solvers remember. */
static size_t state_bytes(const sw_dem_polycrystals *poly, size_t particles)
{
    return particles * (size_t)(poly->each * numbers_of(poly)) * sizeof *poly->state;
}

static void save_crystals(const sw_dem_polycrystals *poly, int64_t particles, char *out)
{
    const size_t n = (size_t)particles, crystals = n * (size_t)poly->each * sizeof *poly->crystal;
    memcpy(out, poly->strain, n * sizeof *poly->strain);
    memcpy(out + n * sizeof *poly->strain, poly->work, n * sizeof *poly->work);
    memcpy(out + 2 * n * sizeof *poly->strain, poly->left, n * sizeof *poly->left);
    memcpy(out + 3 * n * sizeof *poly->strain, poly->resistance, n * sizeof *poly->resistance);
    memcpy(out + 4 * n * sizeof *poly->strain, poly->crystal, crystals);
    if (poly->state != NULL)
        memcpy(out + 4 * n * sizeof *poly->strain + crystals, poly->state, state_bytes(poly, n));
}

static void restore_crystals(sw_dem_polycrystals *poly, int64_t particles, const char *in)
{
    const size_t n = (size_t)particles, crystals = n * (size_t)poly->each * sizeof *poly->crystal;
    memcpy(poly->strain, in, n * sizeof *poly->strain);
    memcpy(poly->work, in + n * sizeof *poly->strain, n * sizeof *poly->work);
    memcpy(poly->left, in + 2 * n * sizeof *poly->strain, n * sizeof *poly->left);
    memcpy(poly->resistance, in + 3 * n * sizeof *poly->strain, n * sizeof *poly->resistance);
    memcpy(poly->crystal, in + 4 * n * sizeof *poly->strain, crystals);
    if (poly->state != NULL)
        memcpy(poly->state, in + 4 * n * sizeof *poly->strain + crystals, state_bytes(poly, n));
}

sw_status sw_dem_save(sw_dem *dem, int64_t r, int64_t *bytes, void **data)
{
    const sw_dem_rve *rve = &dem->rve[r];
    const sw_dem_row_list *rows = &dem->rows[r];
    saved_header header = {.n_particles = rve->n_particles,
                           .n_stages = rve->n_stages,
                           .stage_capacity = rve->stage_capacity,
                           .pair_capacity = rve->pair_capacity,
                           .image_capacity = rve->image_capacity,
                           .kept_bytes = rve->kept_bytes,
                           .n_rows = rows->n,
                           .crystals = dem->crystals[r].each,
                           .numbers = numbers_of(&dem->crystals[r])};
    memcpy(header.magic, magic, sizeof magic);
    const size_t row_bytes = (size_t)rows->n * sizeof *rows->row;
    *bytes = (int64_t)(sizeof header + (size_t)rve->kept_bytes + row_bytes) + crystal_bytes(&header);
    char *out = *data = malloc((size_t)*bytes);
    if (out == NULL)
        return sw_error(SW_ERR_MEMORY, "%lld bytes of element %lld", (long long)*bytes, (long long)r);
    memcpy(out + sizeof header, rve->block, (size_t)rve->kept_bytes);
    if (row_bytes > 0)
        memcpy(out + sizeof header + rve->kept_bytes, rows->row, row_bytes);
    if (header.crystals > 0)
        save_crystals(&dem->crystals[r], header.n_particles,
                      out + sizeof header + (size_t)rve->kept_bytes + row_bytes);
    header.check = sw_hash(SW_HASH_START, out + sizeof header, (size_t)*bytes - sizeof header);
    memcpy(out, &header, sizeof header);
    return SW_OK;
}

/* Whether a header is of such an element; sets the capacities of `other` by it. */
static int header_fits(const saved_header *header, const sw_dem_rve *rve, const sw_dem_polycrystals *poly,
                       int64_t bytes, sw_dem_rve *other)
{
    enum { MOST = 1 << 30 };
    if (memcmp(header->magic, magic, sizeof magic) != 0 || header->n_particles != rve->n_particles ||
        header->n_stages < 0 || header->n_stages > header->stage_capacity || header->stage_capacity < 1 ||
        header->stage_capacity > MOST || header->pair_capacity < 1 || header->pair_capacity > MOST ||
        header->image_capacity < 0 || header->image_capacity > MOST ||
        (header->image_capacity > 0) != (rve->image_capacity > 0) || header->n_rows < 0 ||
        header->n_rows > bytes || header->crystals != poly->each || header->numbers != numbers_of(poly))
        return 0;
    other->n_stages = header->n_stages;
    other->stage_capacity = header->stage_capacity;
    other->pair_capacity = header->pair_capacity;
    other->image_capacity = header->image_capacity;
    sw_dem_layout(other, NULL);
    return other->kept_bytes == header->kept_bytes &&
           bytes == (int64_t)sizeof *header + header->kept_bytes +
                        header->n_rows * (int64_t)sizeof(sw_dem_row) + crystal_bytes(header);
}

sw_status sw_dem_restore(sw_dem *dem, int64_t r, int64_t bytes, const void *data)
{
    sw_dem_rve *rve = &dem->rve[r], other = *rve;
    saved_header header;
    const char *in = data;
    if (bytes < (int64_t)sizeof header)
        return sw_error(SW_ERR_FORMAT, "state of element %lld: too short", (long long)r);
    memcpy(&header, in, sizeof header);
    if (!header_fits(&header, rve, &dem->crystals[r], bytes, &other))
        return sw_error(SW_ERR_FORMAT, "state of element %lld: is of another job or another version",
                        (long long)r);
    if (sw_hash(SW_HASH_START, in + sizeof header, (size_t)bytes - sizeof header) != header.check)
        return sw_error(SW_ERR_FORMAT, "state of element %lld: is damaged", (long long)r);
    char *block = aligned_alloc(64, (size_t)other.bytes);
    if (block == NULL)
        return sw_error(SW_ERR_MEMORY, "%.1f MB for element %lld", (double)other.bytes * 1e-6, (long long)r);
    memset(block, 0, (size_t)other.bytes);
    memcpy(block, in + sizeof header, (size_t)other.kept_bytes);
    sw_dem_layout(&other, block);
    if (memcmp(other.radius, rve->radius, (size_t)rve->n_particles * sizeof(double)) != 0) {
        free(block);
        return sw_error(SW_ERR_FORMAT, "state of element %lld: is of another packing", (long long)r);
    }
    dem->finished -= !sw_dem_unfinished(rve);
    free(rve->block);
    *rve = other;
    rve->state->index_valid = 0;
    rve->state->n_rows = 0;
    dem->finished += !sw_dem_unfinished(rve);
    dem->rows[r].n = 0;
    if (header.crystals > 0)
        restore_crystals(&dem->crystals[r], header.n_particles, in + bytes - crystal_bytes(&header));
    return sw_dem_drain_rows(dem, r, header.n_rows,
                             (const sw_dem_row *)(const void *)(in + sizeof header + header.kept_bytes));
}
