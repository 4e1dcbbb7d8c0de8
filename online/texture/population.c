#include "population.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "crystal_file.h"
#include "common/files/hash.h"
#include "common/system/parallel.h"
#include "common/math/rotation.h"
#include "formats/crystal_writers.h"

const char *const sw_texture_names[] = {"random"};

#define VECTOR .shortest = 3, .longest = 3
#define INDICES .shortest = 3, .longest = 4
static const char *const former_symmetries[] = {"orthotropic", "orthorhombic", NULL};
const sw_key sw_ideal_keys[] = {
    {SW_TEXT("name", sw_ideal, name),
     .bound =
         "Cube, Goss, Brass, Copper, S, Taylor, rotated_cube, rotated_goss, I, E, F; A1*, A2*, A, A-bar, B, "
         "B-bar, C; alpha, gamma, theta, zeta, eta, epsilon, fcc_alpha, tau, beta; of hexagonal crystals "
         "basal, split_RD, "
         "split_TD, TD40_10-10, c_RD, c_TD, 10-10_RD, 11-20_RD, shear_B, shear_P",
     .help = "an ideal orientation or fibre"},
    {SW_REALS("plane", sw_ideal, plane, -100, 100), INDICES,
     .help = "or hkl, of hexagonal crystals hkil, along sample axis 3"},
    {SW_REALS("direction", sw_ideal, direction, -100, 100), INDICES,
     .help = "with uvw, uvtw, along sample axis 1"},
    {SW_REALS("angles", sw_ideal, angles, -360, 360), VECTOR, .unit = "degrees", .help = "or Bunge angles"},
    {SW_REALS("fibre", sw_ideal, fibre, -100, 100), INDICES, .help = "or a crystal direction uvw, uvtw"},
    {SW_REALS("along", sw_ideal, along, -100, 100), VECTOR, .help = "along a sample direction, all about it"},
    {SW_REAL("fraction", sw_ideal, fraction, 0, 1), .open = SW_OPEN_BELOW, .needed = 1,
     .help = "of the crystals"},
    {SW_REAL("halfwidth", sw_ideal, halfwidth, 0, 45), .standard = 10, .unit = "degrees",
     .help = "of the kernel that crystals scatter by; 0: none"},
    {SW_WORD("symmetry", sw_ideal, symmetry, sw_ideal_symmetries), .former = former_symmetries,
     .help = "of the sample, whose equivalents crystals go to in turn; usual: orthorhombic, of shear "
             "components none"},
    SW_KEYS_END};

/* What goes with count. */
static const char *const with_count[] = {"count", "texture", "components"};
#define LENGTH(list) (sizeof(list) / sizeof *(list))

static sw_status check_components(const sw_job *job, const char *prefix, const sw_crystals_source *source)
{
    double fractions = 0;
    char key[SW_KEY_SIZE];
    for (int i = 0; i < source->components_count; i++) {
        if (sw_ideal_check(NULL, &source->components[i]) != SW_OK)
            return sw_job_blame(job, sw_key_path(key, "%scomponents[%d]", prefix, i));
        fractions += source->components[i].fraction;
    }
    SW_TRY(sw_job_need(job, sw_key_path(key, "%scount", prefix), (double)source->count,
                       source->components_count == 0 || source->count <= 100000000,
                       "at most 1e8 crystals with components"));
    return fractions <= 1 + 1e-9 ? SW_OK
                                 : sw_job_error(job, sw_key_path(key, "%scomponents", prefix),
                                                " have fractions of %g together: need at most 1", fractions);
}

static sw_status check_file(const sw_job *job, const char *prefix, const sw_crystals_source *source)
{
    char key[SW_KEY_SIZE];
    double turn[3][3];
    for (size_t i = 0; i < LENGTH(with_count); i++)
        if (sw_job_given(job, sw_key_path(key, "%s%s", prefix, with_count[i])))
            return sw_job_error(job, key, " beside %sfile: need only one of them", prefix);
    if (sw_job_given(job, sw_key_path(key, "%sseed", prefix)) && source->resample == 0)
        return sw_job_error(job, key, " beside %sfile: need only one of them, or resample", prefix);
    if (source->halfwidth > 0 && source->resample == 0)
        return sw_job_error(job, sw_key_path(key, "%shalfwidth", prefix), " = %g: need resample beside it",
                            source->halfwidth);
    if (source->filter.axes != NULL && sw_crystal_axes(source->filter.axes, turn) != SW_OK)
        return sw_job_blame(job, sw_key_path(key, "%saxes", prefix));
    return SW_OK;
}

sw_status sw_crystals_refuse_filter(const sw_job *job, const char *prefix)
{
    char key[SW_KEY_SIZE];
    for (const char *const *name = sw_crystal_filter_names; *name != NULL; name++)
        if (sw_job_given(job, sw_key_path(key, "%s%s", prefix, *name)))
            return sw_job_error(job, key, " without %sfile, of which it is", prefix);
    return SW_OK;
}

sw_status sw_crystals_check(const sw_job *job, const char *prefix, const sw_crystals_source *source)
{
    char key[SW_KEY_SIZE];
    if (sw_job_given(job, sw_key_path(key, "%sfile", prefix)))
        return check_file(job, prefix, source);
    if (!sw_job_given(job, sw_key_path(key, "%scount", prefix)))
        return sw_job_error(job, key, " is missing: need %scount or %sfile", prefix, prefix);
    if (source->filter.phase != NULL)
        return sw_job_error(job, sw_key_path(key, "%sphase", prefix), " = %.80s: random crystals have none",
                            source->filter.phase);
    SW_TRY(sw_crystals_refuse_filter(job, prefix));
    for (int i = 0; i < 2; i++)
        if (sw_job_given(job, sw_key_path(key, "%s%s", prefix, i == 0 ? "resample" : "halfwidth")))
            return sw_job_error(job, key, " without %sfile, of which it is", prefix);
    return check_components(job, prefix, source);
}

/* ---- Crystals of a file ---- */

static void tell(const sw_crystals_source *source, const sw_crystal_list *list, const sw_crystal_list *drawn,
                 const sw_representation *error)
{
    sw_note("%s: %lld crystals of equal weight for %lld%s: densities differ by %.3g of a random one's, "
            "%.2g %% of the texture; mean square density %.4g for %.4g",
            source->file, (long long)drawn->count, (long long)list->count,
            list->weight != NULL ? " with weights" : "", error->difference,
            100 * error->difference / error->texture, error->index[1], error->index[0]);
}

static sw_status resample(const sw_crystals_source *source, sw_crystal_list *list,
                          sw_representation *representation)
{
    const double halfwidth = source->halfwidth * SW_PI / 180;
    sw_crystal_list drawn = {0};
    sw_representation error = {0};
    sw_status status = sw_crystals_resample(list, source->resample, halfwidth, source->seed, &drawn);
    if (status == SW_OK)
        status = sw_crystals_compare(list->group, list, halfwidth, &drawn, &error);
    if (status == SW_OK)
        tell(source, list, &drawn, &error);
    if (representation != NULL)
        *representation = error;
    sw_crystal_list_free(list);
    list->count = drawn.count; /* which are of the same phase and material */
    list->euler = drawn.euler;
    list->weight = drawn.weight;
    memset(list->cell, 0, sizeof list->cell);
    return status;
}

sw_status sw_crystals_of_file(const sw_crystals_source *source, sw_crystal_list *list,
                              sw_representation *representation)
{
    SW_TRY(sw_crystal_file_read_with(source->file, &source->filter, list));
    if (list->about[0] != '\0')
        sw_note("%s: %s", source->file, list->about);
    if (representation != NULL)
        *representation = (sw_representation){0};
    const sw_status status = source->resample > 0 ? resample(source, list, representation) : SW_OK;
    if (status != SW_OK)
        sw_crystal_list_free(list);
    return status;
}

/* The same, which have to suit a material. */
static sw_status crystals_for(const sw_crystals_source *source, const sw_lattice *lattice, double c_over_a,
                              sw_crystal_list *list, sw_representation *representation)
{
    sw_crystals_source own = *source;
    own.filter.group = lattice->group;
    SW_TRY(sw_crystals_of_file(&own, list, representation));
    const sw_status status = sw_crystals_suit(source->file, list, lattice, c_over_a);
    if (status != SW_OK)
        sw_crystal_list_free(list);
    return status;
}

/* Random ones with components, as a list: what number k is does not depend on ranks. */
static sw_status make_ideal(const sw_crystals_source *source, const sw_lattice *lattice, double b_over_a,
                            double c_over_a, sw_crystal_list *list)
{
    list->count = source->count;
    SW_TRY(SW_ALLOCATE(list->euler, list->count, "crystals about components"));
    const sw_status status =
        sw_crystals_about_ideals(lattice, b_over_a, c_over_a, source->components_count, source->components,
                                 list->count, source->seed, list->euler);
    if (status != SW_OK)
        sw_crystal_list_free(list);
    return status;
}

/* ---- The population ---- */

/* Angles in the ranges of rotation.h, in single precision too. */
static void set_euler(const double given[3], float euler[3])
{
    double angle[3];
    sw_crystal_wrap(given, angle);
    for (int i = 0; i < 3; i++)
        euler[i] = (float)angle[i] < (float)(2 * SW_PI) ? (float)angle[i] : 0;
}

/* n >= 1 crystals whose angles are given. */
static sw_status set_angles(const sw_population *p, const double (*euler)[3], double slip_resistance)
{
    const int64_t chunk = p->count < SW_POPULATION_CHUNK ? p->count : SW_POPULATION_CHUNK;
    sw_crystal *part;
    SW_TRY(SW_ALLOCATE(part, chunk, "crystals"));
    sw_status status = SW_OK;
    for (int64_t done = 0; done < p->count && status == SW_OK; done += chunk) {
        const int64_t n = p->count - done < chunk ? p->count - done : chunk;
        for (int64_t k = 0; k < n; k++) {
            set_euler(euler[done + k], part[k].euler);
            part[k].slip_resistance = (float)slip_resistance;
        }
        status = sw_crystals_copy(p->device, n, p->crystal + done, part);
    }
    free(part);
    return status;
}

/* This rank's part of the weights [N], and what is to be known of all. */
static sw_status set_weights(sw_population *p, const float *weight, float *own)
{
    double squares = 0;
    p->weight_here = p->weight_in_all = p->heaviest = 0;
    for (int64_t n = 0; n < p->total; n++) {
        const double w = weight[n];
        p->weight_here += n >= p->first && n < p->first + p->count ? w : 0;
        p->weight_in_all += w;
        squares += w * w;
        p->heaviest = fmaxf(p->heaviest, weight[n]);
    }
    p->effective = p->weight_in_all * p->weight_in_all / squares;
    p->weight = own;
    return sw_numbers_copy(p->device, p->count, own, weight + p->first);
}

/* Room for this rank's crystals, and their weights when the list has any. */
static sw_status allocate(sw_population *p, const sw_crystal_list *list)
{
    const int64_t room = p->count > 0 ? p->count : 1;
    float *own;
    p->weight_here = (double)p->count;
    p->weight_in_all = p->effective = (double)p->total;
    p->heaviest = 1;
    if (list->weight == NULL)
        return sw_crystals_allocate(p->device, room, &p->crystal);
    SW_TRY(sw_crystals_allocate_weighted(p->device, room, &p->crystal, &own));
    return set_weights(p, list->weight, own);
}

/* Random ones hang on their seed; those of a list are what they are, whatever they were made by. */
static uint64_t hash_of(const sw_crystals_source *source, const sw_crystal_list *list, double slip_resistance)
{
    uint64_t h = sw_hash(SW_HASH_START, &slip_resistance, sizeof slip_resistance);
    if (list->euler == NULL)
        h = sw_hash(h, &source->seed, sizeof source->seed);
    return sw_crystal_list_hash(h, list);
}

sw_status sw_population_create(const sw_crystals_source *source, sw_device device, const sw_lattice *lattice,
                               double b_over_a, double c_over_a, double slip_resistance, int64_t together,
                               sw_population *population)
{
    sw_population *p = population;
    sw_crystal_list list = {.count = source->count};
    sw_representation representation = {0};
    if (source->file != NULL)
        SW_TRY(crystals_for(source, lattice, c_over_a, &list, &representation));
    else if (source->components_count > 0)
        SW_TRY(make_ideal(source, lattice, b_over_a, c_over_a, &list));
    *p = (sw_population){.device = device,
                         .total = list.count,
                         .together = together,
                         .skipped = list.skipped,
                         .others = list.others,
                         .representation = representation,
                         .hash = hash_of(source, &list, slip_resistance)};
    memcpy(p->phase, list.phase, sizeof p->phase);
    p->first = sw_parallel_slice(p->total, p->together, &p->count);
    sw_status status = allocate(p, &list);
    if (status == SW_OK && p->count > 0)
        status = list.euler != NULL
                     ? set_angles(p, (const double(*)[3])list.euler + p->first, slip_resistance)
                     : sw_crystals_randomise(device, p->count, p->crystal, source->seed, p->first,
                                             (float)slip_resistance);
    sw_crystal_list_free(&list);
    return status;
}

/* ---- A caller's ---- */

/* 1 on average -> own [N]. */
static sw_status scale_weights(int64_t n_crystals, const float *weight, float *own)
{
    double sum = 0;
    for (int64_t n = 0; n < n_crystals; n++) {
        if (!(weight[n] >= 0) || !isfinite(weight[n]))
            return sw_error(SW_ERR_RANGE, "weight %lld = %g: need >= 0", (long long)n, (double)weight[n]);
        sum += weight[n];
    }
    if (!(sum > 0))
        return sw_error(SW_ERR_RANGE, "weights: all are 0: need one that is not");
    for (int64_t n = 0; n < n_crystals; n++)
        own[n] = (float)(weight[n] * ((double)n_crystals / sum));
    return SW_OK;
}

sw_status sw_population_take(sw_device device, int64_t n_crystals, const sw_crystal *crystal,
                             const float *weight, int64_t together, sw_population *population)
{
    sw_population *p = population;
    sw_crystal_list list = {.count = n_crystals};
    *p = (sw_population){.device = device, .total = n_crystals, .together = together};
    p->first = sw_parallel_slice(p->total, p->together, &p->count);
    if (n_crystals < 1)
        return sw_error(SW_ERR_RANGE, "%lld crystals: need at least 1", (long long)n_crystals);
    if (weight != NULL)
        SW_TRY(SW_ALLOCATE(list.weight, n_crystals, "weights"));
    sw_status status = weight != NULL ? scale_weights(n_crystals, weight, list.weight) : SW_OK;
    if (status == SW_OK)
        status = allocate(p, &list);
    if (status == SW_OK)
        status = sw_crystals_copy(device, p->count, p->crystal, crystal + p->first);
    free(list.weight);
    return status;
}

/* ---- Children ---- */

/* from [n]: crystals, or numbers where `each` is 0, on the host and with room for all. */
static void spread(int64_t n, int children, sw_crystal *crystal, float *weight)
{
    const int64_t each = 1 + children;
    for (int64_t i = n; i-- > 0;)
        for (int64_t k = each; k-- > 0;) {
            crystal[i * each + k] = crystal[i];
            weight[i * each + k] = k == 0 ? weight[i] : 0;
        }
}

/* crystal, weight [count (1 + children)]: room. */
static sw_status move_apart(sw_population *p, int children, sw_crystal *crystal, float *weight)
{
    const int64_t n = p->count, each = 1 + children;
    sw_crystal *room;
    SW_TRY(sw_crystals_copy(p->device, n, crystal, p->crystal));
    for (int64_t i = 0; i < n; i++)
        weight[i] = 1;
    if (p->weight != NULL)
        SW_TRY(sw_numbers_copy(p->device, n, weight, p->weight));
    spread(n, children, crystal, weight);
    sw_population_free(p);
    SW_TRY(sw_crystals_allocate_weighted(p->device, n > 0 ? n * each : 1, &room, &p->moving));
    p->crystal = room;
    p->weight = p->moving;
    p->total *= each;
    p->together *= each;
    p->first *= each;
    p->count *= each;
    SW_TRY(sw_crystals_copy(p->device, p->count, p->crystal, crystal));
    return sw_numbers_copy(p->device, p->count, p->moving, weight);
}

sw_status sw_population_add_children(sw_population *p, int children)
{
    const int64_t room = p->count * (1 + children);
    sw_crystal *crystal = NULL;
    float *weight = NULL;
    sw_status status = SW_ALLOCATE(crystal, room, "crystals and their children");
    if (status == SW_OK)
        status = SW_ALLOCATE(weight, room, "weights of crystals and their children");
    if (status == SW_OK)
        status = move_apart(p, children, crystal, weight);
    free(crystal);
    free(weight);
    return status;
}

void sw_population_free(sw_population *population)
{
    if (population->crystal != NULL)
        sw_crystals_free(population->device, population->crystal);
    population->crystal = NULL;
    population->weight = population->moving = NULL; /* which was there, too */
}
