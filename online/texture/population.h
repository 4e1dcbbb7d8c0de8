/* The crystals of a run: each rank has a slice of them, where its response computes. Dimensions: N crystals
 * in all, n of this rank. */
#ifndef SW_ONLINE_TEXTURE_POPULATION_H
#define SW_ONLINE_TEXTURE_POPULATION_H

#include <stdint.h>

#include "common/crystal/lattice.h"
#include "common/files/hdf5_door.h"
#include "common/system/status.h"
#include "common/job/job.h"
#include "crystal_draw.h"
#include "online/response/step/crystals.h"
#include "texture_output.h"

/* Which crystals: random ones, some of them about ideal orientations; or those of a file, as they are or drawn from. */
typedef struct {
    int64_t count; /* of random ones */
    int texture;   /* of them: 0, random */
    int64_t seed;
    sw_ideal *components; /* [components_count] */
    int components_count;
    const char *file; /* instead: one that crystal_file.h reads; NULL when absent */
    sw_crystal_filter filter;
    int64_t resample; /* crystals of equal weight drawn from the file's; 0: these themselves */
    double halfwidth; /* degrees, of the kernel about each of them; 0: none */
} sw_crystals_source;

/* Rows of a job's table; m: an sw_crystals_source under the key `crystals`. */
/* NOLINTBEGIN(bugprone-macro-parentheses): m names a member */
#define SW_CRYSTALS_KEYS(S, m)                                                                               \
    {SW_WHOLE("count", S, m.count, 1, 1099511627776.), .option = "count",                                    \
     .help = "number of random crystals; none beside a file"},                                               \
        {SW_WORD("texture", S, m.texture, sw_texture_names),                                                 \
         .help = "uniform over rotations, but for what components take"},                                    \
        {SW_WHOLE("seed", S, m.seed, 0, INT64_MAX), .standard = 1, .option = "seed",                         \
         .help = "random seed of the crystals, and of what is drawn from a file"},                           \
        {SW_ENTRIES("components", S, m.components, sw_ideal_keys), .longest = 100,                           \
         .help = "ideal orientations and fibres that some of the crystals scatter about"},                   \
        {SW_PATH("file", S, m.file), .option = "crystals-file",                                              \
         .displaces = "crystals.count crystals.texture crystals.seed crystals.components",                   \
         .help = "file of orientations, .ori .tex .txt .ang .ctf .yaml, or results, .h5, instead of count, " \
                 "texture, components"},                                                                     \
        SW_CRYSTAL_FILTER_KEYS(S, m.filter, SW_GIVEN, SW_GIVEN), SW_RESAMPLE_KEYS(S, m, SW_GIVEN)
#define SW_RESAMPLE_KEYS(S, m, KEY)                                                       \
    {SW_WHOLE(KEY("resample"), S, m.resample, 1, 1e8), .option = "resample",              \
     .otherwise = "the file's crystals themselves",                                       \
     .help = "so many crystals of equal weight, drawn from the file's by their weights"}, \
    {                                                                                     \
        SW_REAL(KEY("halfwidth"), S, m.halfwidth, 0.1, 45),                               \
            .option = "halfwidth", .unit = "degrees", .otherwise = "none",                \
            .help = "of a kernel about each of the file's crystals, with resample"        \
    }
/* NOLINTEND(bugprone-macro-parentheses) */
extern const char *const sw_texture_names[1];
extern const sw_key sw_ideal_keys[];

/* Exactly one of count and file; what goes with either goes with it alone. prefix: "crystals." */
sw_status sw_crystals_check(const sw_job *job, const char *prefix, const sw_crystals_source *source);

/* SW_ERR_INPUT for a key of a filter at prefix, where there is no file. */
sw_status sw_crystals_refuse_filter(const sw_job *job, const char *prefix);

/* The crystals of source->file, filtered and resampled; said, and by how much what was drawn differs, in notes.
 * representation: zeroed without resampling; NULL: not wanted. Every status of a crystal file; SW_ERR_MEMORY. */
sw_status sw_crystals_of_file(const sw_crystals_source *source, sw_crystal_list *list,
                              sw_representation *representation);

typedef struct {
    sw_device device;
    int64_t total;                     /* N */
    int64_t together;                  /* so many that follow each other are of one rank */
    int64_t first, count;              /* this rank's: number first .. first + n - 1; n may be 0 */
    int64_t skipped;                   /* rows of the crystal file that were not indexed, or left out */
    int64_t others;                    /* and those of other phases than */
    char phase[SW_CRYSTAL_PHASE + 24]; /* as sw_crystal_list has it; "" without a scan */
    sw_crystal *crystal;               /* [n] as sw_crystals_allocate gave it; NULL: packed */
    sw_packed packed;                  /* instead, borrowed of who steps them */
    const float *weight;               /* [n] beside them, 1 on average over all; NULL: all alike */
    float *moving;                     /* the same, where volume goes from crystals to others; else NULL */
    double weight_here, weight_in_all; /* sums: of this rank's, of all; n and N without weights */
    float heaviest;                    /* weight of all; 1 without */
    double effective;                  /* number of crystals: (sum w)^2 / sum w^2; N without weights */
    sw_representation representation;  /* of what was resampled; else zeroed */
    uint64_t hash;                     /* of all N as they begin, whatever the ranks (common/files/hash.h) */
} sw_population;

/* The crystals that a source names, for a material of a structure, b_over_a and c_over_a of axes that differ, at a slip resistance (Pa). What number k is does not depend on the number
 * of ranks, which share them out in groups of `together`. Every status of a crystal file; SW_ERR_MEMORY. Release with sw_population_free, which takes a
 * half-made or zeroed one too. */
sw_status sw_population_create(const sw_crystals_source *source, sw_device device, const sw_lattice *lattice,
                               double b_over_a, double c_over_a, double slip_resistance, int64_t together,
                               sw_population *population);
/* Those that a caller has, in host memory: crystal [N] with s > 0 (Pa), weight [N] >= 0, not all 0, or NULL: all
 * alike. Copied. SW_ERR_RANGE for others, or none; SW_ERR_MEMORY. */
sw_status sw_population_take(sw_device device, int64_t n_crystals, const sw_crystal *crystal,
                             const float *weight, int64_t together, sw_population *population);
/* Of this rank n crystals from `first` on, to the host or to a GPU's memory. */
sw_status sw_population_copy(const sw_population *population, int64_t first, int64_t n, sw_crystal *to);
/* Behind each crystal room for so many children, like it but without weight: all counts are then of both. SW_ERR_MEMORY. */
sw_status sw_population_add_children(sw_population *population, int children);
void sw_population_free(sw_population *population);

enum { SW_POPULATION_CHUNK = 1 << 20 };

/* These are called by all ranks together; only rank 0 has the file that is written. The same status on every
 * rank: that of the file, SW_ERR_MEMORY; of orientations and textures SW_ERR_INTERRUPTED; of a texture also
 * SW_ERR_RANGE for angles that are not finite. */

/* /orientations/STEP/euler, and /orientations/weight once, where there are any, or /orientations/STEP/weight where they change.
 * Crystals travel in chunks of `chunk`, so no rank needs room for all. */
sw_status sw_population_write_orientations(const sw_population *population, hid_t file, int64_t step,
                                           int64_t chunk);

/* /texture/STEP, of crystals of a structure, which are counted where they are: no orientation leaves its rank, nor the
 * GPU. */
sw_status sw_population_write_texture(const sw_population *population, const sw_lattice *lattice,
                                      double c_over_a, hid_t file, int64_t step);

/* A dataset float [N][4] of angles (rad) and slip resistance (Pa), bit by bit. */
sw_status sw_population_write_crystals(const sw_population *population, hid_t file, const char *name);
/* This rank's crystals from it, whatever number of ranks wrote them; any rank, with a file of its own.
 * SW_ERR_FORMAT for another number of crystals, or values that none can have. */
sw_status sw_population_read_crystals(sw_population *population, hid_t file, const char *name);

#endif
