/* Keywords of Abaqus' input files that say nothing of nodes, elements and sets: which may be skipped, and which
 * would change what is computed. What is in neither list is refused: it may be a slip of the pen for one that counts. */
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "common/files/text.h"
#include "inp.h"

/* Nothing is lost without them. */
static const char *const silent[] = {"HEADING", "PREPRINT", "END PART", "END ASSEMBLY", "END STEP"};

/* What the job says in their place: materials, sections, steps, output. */
static const char *const skipped[SW_FEM_INP_SKIPPED] = {
    "MATERIAL",
    "ELASTIC",
    "PLASTIC",
    "DENSITY",
    "CONDUCTIVITY",
    "SPECIFIC HEAT",
    "EXPANSION",
    "DAMPING",
    "CREEP",
    "RATE DEPENDENT",
    "CYCLIC HARDENING",
    "DEPVAR",
    "USER MATERIAL",
    "SOLID SECTION",
    "SHELL SECTION",
    "SURFACE SECTION",
    "MEMBRANE SECTION",
    "SECTION CONTROLS",
    "ORIENTATION",
    "AMPLITUDE",
    "SURFACE INTERACTION",
    "FRICTION",
    "SURFACE BEHAVIOR",
    "STEP",
    "STATIC",
    "VISCO",
    "HEAT TRANSFER",
    "CONTROLS",
    "OUTPUT",
    "NODE OUTPUT",
    "ELEMENT OUTPUT",
    "CONTACT OUTPUT",
    "ENERGY OUTPUT",
    "NODE PRINT",
    "EL PRINT",
    "CONTACT PRINT",
    "ENERGY PRINT",
    "NODE FILE",
    "EL FILE",
    "CONTACT FILE",
    "FILE FORMAT",
    "PRINT",
    "RESTART",
    "MONITOR",
};
_Static_assert(sizeof skipped / sizeof *skipped == SW_FEM_INP_SKIPPED, "as many as there are flags");

/* Those of skipped whose elements carry load, those of lower dimension too, which are not computed. */
static const char *const sections[] = {"SOLID SECTION", "SHELL SECTION", "MEMBRANE SECTION"};

#define MAKES "is not supported: need all nodes, elements and sets written out in this file"
#define TIES "ties nodes to others, which is not supported"
#define HOLDS "holds or moves nodes, which is not read: the job's `boundary` does"
#define LOADS "loads the body, which is not read: the job's `loads` do"
#define TOUCHES "lets bodies touch, which is not read: the job's `tools` do"
#define BEGINS "is a state to begin from, which is not read"
#define ACTS "acts on the body, which is not supported"
#define CARRIES "gives elements a load to carry that are not supported"
static const struct {
    const char *name, *why;
} refused[] = {
    {"INCLUDE", MAKES},
    {"MANIFEST", MAKES},
    {"SYSTEM", MAKES},
    {"NGEN", MAKES},
    {"NFILL", MAKES},
    {"NCOPY", MAKES},
    {"NMAP", MAKES},
    {"ELGEN", MAKES},
    {"ELCOPY", MAKES},
    {"PARAMETER", MAKES},
    {"SUBSTRUCTURE GENERATE", MAKES},
    {"IMPORT", MAKES},
    {"EQUATION", TIES},
    {"MPC", TIES},
    {"TIE", TIES},
    {"COUPLING", TIES},
    {"KINEMATIC", TIES},
    {"DISTRIBUTING", TIES},
    {"KINEMATIC COUPLING", TIES},
    {"DISTRIBUTING COUPLING", TIES},
    {"RIGID BODY", TIES},
    {"EMBEDDED ELEMENT", TIES},
    {"CYCLIC SYMMETRY MODEL", TIES},
    {"SHELL TO SOLID COUPLING", TIES},
    {"PRE-TENSION SECTION", ACTS},
    {"BOUNDARY", HOLDS},
    {"TRANSFORM", "turns the axes of nodes, which is not supported: the job's are those of the mesh"},
    {"CONTACT", TOUCHES},
    {"CONTACT PAIR", TOUCHES},
    {"CONTACT INCLUSIONS", TOUCHES},
    {"CONTACT PROPERTY ASSIGNMENT", TOUCHES},
    {"CLOAD", LOADS},
    {"DLOAD", LOADS},
    {"DSLOAD", LOADS},
    {"CFLUX", LOADS},
    {"DFLUX", LOADS},
    {"DSFLUX", LOADS},
    {"FILM", ACTS},
    {"SFILM", ACTS},
    {"RADIATE", ACTS},
    {"SRADIATE", ACTS},
    {"TEMPERATURE", ACTS},
    {"FIELD", ACTS},
    {"SPRING", ACTS},
    {"DASHPOT", ACTS},
    {"MASS", ACTS},
    {"GAP", ACTS},
    {"INERTIA RELIEF", ACTS},
    {"MODEL CHANGE", ACTS},
    {"CONNECTOR SECTION", ACTS},
    {"INITIAL CONDITIONS", BEGINS},
    {"BEAM SECTION", CARRIES},
    {"BEAM GENERAL SECTION", CARRIES},
    {"FRAME SECTION", CARRIES},
    {"SHELL GENERAL SECTION", CARRIES},
    {"COHESIVE SECTION", CARRIES},
    {"GASKET SECTION", CARRIES},
    {"REBAR LAYER", CARRIES},
    {"ROTARY INERTIA", ACTS},
    {"NONSTRUCTURAL MASS", ACTS},
};

int sw_fem_inp_same_keyword(const char *a, const char *b)
{
    return sw_deck_same_word(a + (*a == '*'), b + (*b == '*'));
}

static int is_in(const char *keyword, int64_t n, const char *const *names)
{
    for (int64_t i = 0; i < n; i++)
        if (sw_fem_inp_same_keyword(keyword, names[i]))
            return 1;
    return 0;
}

int sw_fem_inp_ignores_set(const sw_fem_inp_file *file, const char *set)
{
    int ignores = 0;
    for (int i = 0; set != NULL && i < file->reading->n_ignored; i++)
        if (strcasecmp(file->reading->ignored[i], set) == 0)
            ignores = file->ignored_is_there[i] = 1;
    return ignores;
}

static int ignores_keyword(const sw_fem_inp_file *file, const char *keyword)
{
    int ignores = 0;
    for (int i = 0; i < file->reading->n_ignored; i++)
        if (sw_fem_inp_same_keyword(keyword, file->reading->ignored[i]))
            ignores = file->ignored_is_there[i] = 1;
    return ignores;
}

/* Which set the section at hand is of, if it is one. */
static sw_status note_section(sw_fem_inp_file *file)
{
    const char *set = sw_deck_parameter(&file->source.card, "ELSET");
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        if (!sw_fem_inp_same_keyword(file->source.card.keyword, sections[i]))
            continue;
        return set != NULL ? sw_fem_inp_add_section(file, sections[i], NULL, set)
                           : sw_fem_inp_complain(file, file->source.card.line,
                                                 "*%s: need ELSET=, the set of its elements", sections[i]);
    }
    return SW_OK;
}

enum { SILENT = sizeof silent / sizeof *silent, REFUSED = sizeof refused / sizeof *refused };

/* Of a keyword that is not read. What acts on the elements of a set may be skipped when all of them are left out: that is
 * seen when they are known. What names nodes besides (PIN NSET, TIE NSET) acts on those. */
static sw_status object(sw_fem_inp_file *file, const char *keyword, const char *text)
{
    const char *set = sw_deck_parameter(&file->source.card, "ELSET");
    char complaint[600];
    for (int i = 0; i < file->source.card.n_parameters; i++)
        if (strstr(file->source.card.parameter[i].key, "NSET") != NULL)
            set = NULL;
    if (set == NULL)
        return sw_fem_inp_complain(file, file->source.card.line,
                                   "%s; mesh.ignore: [%.64s] skips it, as other keywords that it lists", text,
                                   keyword);
    snprintf(complaint, sizeof complaint,
             "%s; mesh.ignore: [%.64s] leaves out elements of that set that are not the body's, [%.64s] "
             "skips the keyword",
             text, set, keyword);
    return sw_fem_inp_add_section(file, NULL, complaint, set);
}

/* A keyword that is in no list. */
static sw_status object_to_unknown(sw_fem_inp_file *file, int n_read, const char *const *read)
{
    const char *names[SILENT + SW_FEM_INP_SKIPPED + REFUSED + SW_FEM_INP_MOST_READ];
    const char *keyword = file->source.card.keyword;
    char text[300];
    int n = 0;
    for (int i = 0; i < n_read && i < SW_FEM_INP_MOST_READ; i++)
        names[n++] = read[i];
    for (int i = 0; i < SILENT; i++)
        names[n++] = silent[i];
    for (int i = 0; i < SW_FEM_INP_SKIPPED; i++)
        names[n++] = skipped[i];
    for (int i = 0; i < REFUSED; i++)
        names[n++] = refused[i].name;
    const char *nearest = sw_nearest_word(keyword, n, names);
    snprintf(text, sizeof text, "unknown keyword *%.64s: %s%s%s", keyword,
             nearest != NULL ? "did you mean *" : "it may change what is computed",
             nearest != NULL ? nearest : "", nearest != NULL ? "?" : "");
    return object(file, keyword, text);
}

sw_status sw_fem_inp_skip(sw_fem_inp_file *file, int n_read, const char *const *read)
{
    const char *keyword = file->source.card.keyword;
    char text[300];
    if (is_in(keyword, SILENT, silent) || ignores_keyword(file, keyword))
        return SW_OK;
    for (int i = 0; i < SW_FEM_INP_SKIPPED; i++)
        if (sw_fem_inp_same_keyword(keyword, skipped[i])) {
            file->skipped[i] = 1;
            return note_section(file);
        }
    for (int i = 0; i < REFUSED; i++)
        if (sw_fem_inp_same_keyword(keyword, refused[i].name)) {
            snprintf(text, sizeof text, "*%s %s", refused[i].name, refused[i].why);
            return object(file, refused[i].name, text);
        }
    return object_to_unknown(file, n_read, read);
}

static int is_known(const char *keyword)
{
    int known = is_in(keyword, SILENT, silent) || is_in(keyword, SW_FEM_INP_SKIPPED, skipped);
    for (int i = 0; i < REFUSED; i++)
        known |= sw_fem_inp_same_keyword(keyword, refused[i].name);
    return known;
}

/* The file's element sets, for people. */
static void list_sets(const sw_fem_inp_file *file, char *list, size_t size)
{
    enum { MOST = 20 };
    const char *names[MOST + 1];
    int n = 0;
    for (int64_t i = 0; i < file->n_sets && n < MOST; i++)
        if (file->set[i].kind == SW_FEM_ELEMENTS)
            names[n++] = file->set[i].name;
    names[n] = "..";
    sw_list_words(n == MOST ? n + 1 : n, names, list, size);
}

sw_status sw_fem_inp_check_ignored(const sw_fem_inp_file *file)
{
    char list[400];
    for (int i = 0; i < file->reading->n_ignored; i++) {
        const char *word = file->reading->ignored[i];
        int is_there =
            file->ignored_is_there[i] || is_known(word) || sw_fem_inp_find_elements(file, word) != NULL;
        for (int64_t s = 0; s < file->n_sections && !is_there; s++)
            is_there = file->section[s].set != NULL && strcasecmp(file->section[s].set, word) == 0;
        if (is_there)
            continue;
        list_sets(file, list, sizeof list);
        return sw_error(SW_ERR_RANGE, "'%.64s' is no keyword, and no set of elements of %.300s, which has %s",
                        word, file->source.path, list[0] != '\0' ? list : "none");
    }
    return SW_OK;
}

void sw_fem_inp_tell_skipped(const sw_fem_inp_file *file)
{
    const char *names[SW_FEM_INP_SKIPPED];
    char list[800];
    int n = 0;
    for (int i = 0; i < SW_FEM_INP_SKIPPED; i++)
        if (file->skipped[i])
            names[n++] = skipped[i];
    if (n == 0)
        return;
    sw_list_words(n, names, list, sizeof list);
    sw_warn("%s: skipped, as the job says these things: %s", file->source.path, list);
}
