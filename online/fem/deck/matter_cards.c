/* Keywords of materials and sections. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model.h"

enum { FIELDS = 8 }; /* of a data line */

sw_status sw_deck_read_material(sw_deck *deck, const sw_deck_card *card)
{
    const char *name;
    SW_TRY(sw_deck_need_parameters(card, " NAME "));
    SW_TRY(sw_deck_need_value(card, "NAME", &name));
    if (sw_deck_find_name(deck, SW_DECK_MATERIAL, name) >= 0)
        return sw_deck_complain(card, "material %.80s is there already", name);
    sw_structure_problem *problem = &deck->problem;
    SW_TRY(SW_DECK_ROOM(problem->matter, problem->n_matters));
    sw_matter *matter = &problem->matter[problem->n_matters];
    *matter = (sw_matter){.line = card->line};
    SW_TRY(sw_deck_new_name(deck, SW_DECK_MATERIAL, name, problem->n_matters, &matter->name));
    problem->n_matters++;
    return SW_OK;
}

/* The material that a keyword belongs to: the last one. */
sw_status sw_deck_matter_at_hand(sw_deck *deck, const sw_deck_card *card, sw_matter **matter)
{
    *matter = NULL;
    if (deck->problem.n_matters == 0)
        return sw_deck_complain(card, "belongs to a material: need *MATERIAL before it");
    *matter = &deck->problem.matter[deck->problem.n_matters - 1];
    return SW_OK;
}

/* ---- Tables ---- */

/* Number k of the row that begins at line i: rows of more than 8 go on over lines. */
static sw_status row_number(const sw_deck_card *card, int64_t i, int k, double missing, double *number)
{
    return sw_deck_number(card, i + k / FIELDS, k % FIELDS, missing, number);
}

/* Nothing follows the n numbers of that row. */
static sw_status need_end(const sw_deck_card *card, int64_t i, int64_t n)
{
    for (int64_t l = 0; l * FIELDS < n && i + l < card->n_lines; l++)
        for (int64_t k = n - l * FIELDS < FIELDS ? n - l * FIELDS : FIELDS; k < card->data[i + l].n_fields;
             k++)
            if (*sw_deck_field(card, i + l, (int)k) != '\0')
                return sw_deck_complain_at(card, i + l, "more than %" PRId64 " numbers", n);
    return SW_OK;
}

/* Rows of n numbers and a temperature. */
sw_status sw_deck_read_table(const sw_deck_card *card, int n, sw_matter_table *table)
{
    const int lines = n / FIELDS + 1, rows = (int)(card->n_lines / lines);
    if (table->n_rows > 0)
        return sw_deck_complain(card, "is there already");
    if (rows < 1 || card->n_lines % lines != 0)
        return sw_deck_complain(
            card, "%" PRId64 " data lines: need %d for each row of %d numbers and a temperature",
            card->n_lines, lines, n);
    SW_TRY(SW_ALLOCATE(table->temperature, rows, "a table of a material"));
    SW_TRY(SW_ALLOCATE(table->value, (size_t)rows * (size_t)n, "a table of a material"));
    *table = (sw_matter_table){rows, n, table->temperature, table->value};
    for (int row = 0; row < rows; row++) {
        const int64_t i = (int64_t)row * lines;
        for (int k = 0; k < n; k++) {
            double *value = &table->value[row * n + k];
            SW_TRY(row_number(card, i, k, k == 0 ? NAN : 0, value)); /* what is left out is 0 */
            if (isnan(*value))
                return sw_deck_complain_at(card, i, "the first of %d numbers is missing", n);
        }
        SW_TRY(row_number(card, i, n, 0, &table->temperature[row]));
        SW_TRY(need_end(card, i, n + 1));
        if (row > 0 && !(table->temperature[row] > table->temperature[row - 1]))
            return sw_deck_complain_at(card, i, "temperature %g after %g: need them ascending",
                                       table->temperature[row], table->temperature[row - 1]);
    }
    return SW_OK;
}

/* Stiffness of an orthotropic body by E1 E2 E3 nu12 nu13 nu23 G12 G13 G23, in place, as sw_matter has it. */
static sw_status from_engineering(const sw_deck_card *card, double c[9])
{
    for (int i = 0; i < 3; i++)
        if (!(c[i] > 0))
            return sw_deck_complain(card, "E%d = %g: need more than 0", i + 1, c[i]);
    const double n12 = c[3], n13 = c[4], n23 = c[5];
    const double n21 = n12 * c[1] / c[0], n31 = n13 * c[2] / c[0], n32 = n23 * c[2] / c[1];
    const double det = 1 - n12 * n21 - n23 * n32 - n31 * n13 - 2 * n21 * n32 * n13;
    if (!(det > 0))
        return sw_deck_complain(card, "Poisson's ratios %g, %g, %g do not go with these moduli", n12, n13,
                                n23);
    const double d[6] = {c[0] * (1 - n23 * n32),   c[0] * (n21 + n31 * n23), c[1] * (1 - n13 * n31),
                         c[0] * (n31 + n21 * n32), c[1] * (n32 + n12 * n31), c[2] * (1 - n12 * n21)};
    for (int i = 0; i < 6; i++)
        c[i] = d[i] / det;
    return SW_OK;
}

static int is_word(const char *text, const char *abbreviated, const char *word)
{
    return sw_deck_same_word(text, abbreviated) || sw_deck_same_word(text, word);
}

sw_status sw_deck_read_elastic(sw_deck *deck, const sw_deck_card *card)
{
    sw_matter *matter;
    SW_TRY(sw_deck_need_parameters(card, " TYPE "));
    SW_TRY(sw_deck_matter_at_hand(deck, card, &matter));
    matter->hencky = deck->dialect == SW_DECK_ABAQUS;
    const char *type = sw_deck_parameter(card, "TYPE");
    if (type == NULL || is_word(type, "ISO", "ISOTROPIC")) {
        matter->elasticity = SW_MATTER_ISOTROPIC;
        return sw_deck_read_table(card, 2, &matter->elastic);
    }
    if (is_word(type, "ANISO", "ANISOTROPIC")) {
        matter->elasticity = SW_MATTER_ANISOTROPIC;
        return sw_deck_read_table(card, 21, &matter->elastic);
    }
    if (!is_word(type, "ORTHO", "ORTHOTROPIC") && !is_word(type, "ENGINEERING", "ENGINEERING CONSTANTS"))
        return sw_deck_complain(card,
                                "TYPE=%.40s is not computed: need ISOTROPIC, ORTHOTROPIC, ENGINEERING "
                                "CONSTANTS or ANISOTROPIC",
                                type);
    matter->elasticity = SW_MATTER_ORTHOTROPIC;
    SW_TRY(sw_deck_read_table(card, 9, &matter->elastic));
    for (int row = 0; is_word(type, "ENGINEERING", "ENGINEERING CONSTANTS") && row < matter->elastic.n_rows;
         row++)
        SW_TRY(from_engineering(card, matter->elastic.value + 9 * row));
    return SW_OK;
}

/* ---- Plasticity, creep ---- */

/* Lines "stress, plastic strain, temperature" as curves of a temperature each. */
sw_status sw_deck_read_curves(const sw_deck_card *card, const char *what, const char *by, int *n_curves,
                              sw_matter_curve **curves)
{
    char need[96];
    snprintf(need, sizeof need, "need %s, %s and temperature", what, by);
    SW_TRY(sw_deck_need_lines(card, 1, -1));
    for (int64_t i = 0; i < card->n_lines; i++) {
        double row[3];
        for (int k = 0; k < 3; k++)
            SW_TRY(sw_deck_number(card, i, k, 0, &row[k]));
        if (*sw_deck_field(card, i, 0) == '\0' || card->data[i].n_fields > 3)
            return sw_deck_complain_line(card, i, need);
        if (*n_curves == 0 || (*curves)[*n_curves - 1].temperature != row[2]) {
            if (*n_curves > 0 && !(row[2] > (*curves)[*n_curves - 1].temperature))
                return sw_deck_complain_at(card, i, "temperature %g after %g: need them ascending", row[2],
                                           (*curves)[*n_curves - 1].temperature);
            SW_TRY(SW_DECK_ROOM(*curves, *n_curves));
            (*curves)[(*n_curves)++] = (sw_matter_curve){.temperature = row[2]};
        }
        sw_matter_curve *curve = &(*curves)[*n_curves - 1];
        const double before = curve->n_rows > 0 ? curve->row[curve->n_rows - 1][0] : 0;
        if (curve->n_rows > 0 ? !(row[1] > before) : row[1] != 0)
            return sw_deck_complain_at(card, i, "%s %g%s", by, row[1],
                                       curve->n_rows > 0 ? ": need it to ascend"
                                                         : ": need 0 in the first row");
        SW_TRY(SW_DECK_ROOM(curve->row, curve->n_rows));
        curve->row[curve->n_rows][0] = row[1];
        curve->row[curve->n_rows++][1] = row[0];
    }
    return SW_OK;
}

/* Yield stress, then C and gamma of each backstress: Chaboche's. */
static sw_status read_backstresses(const sw_deck_card *card, sw_matter *matter)
{
    int64_t n;
    sw_matter_table *table = &matter->backstress;
    SW_TRY(sw_deck_whole_parameter(card, "NUMBERBACKSTRESSES", 1, 10, 1, &n));
    const int columns = (int)(1 + 2 * n);
    SW_TRY(sw_deck_read_table(card, columns, table));
    for (int row = 0; row < table->n_rows; row++) {
        double *value = &table->value[row * columns];
        SW_TRY(SW_DECK_ROOM(matter->curve, matter->n_curves));
        sw_matter_curve *curve = &matter->curve[matter->n_curves++];
        *curve = (sw_matter_curve){.temperature = table->temperature[row], .n_rows = 1};
        SW_TRY(SW_ALLOCATE(curve->row, 1, "a yield stress"));
        curve->row[0][1] = value[0];
        memmove(&table->value[row * 2 * n], value + 1, 2 * (size_t)n * sizeof *value);
    }
    table->n_columns = columns - 1;
    return SW_OK;
}

/* A, B, n, m, temperatures of melting and transition. */
static sw_status read_cook(const sw_deck_card *card, sw_matter *matter)
{
    if (sw_deck_parameter(card, "DATATYPE") != NULL || sw_deck_parameter(card, "NUMBERBACKSTRESSES") != NULL)
        return sw_deck_complain(card, "DATA TYPE and NUMBER BACKSTRESSES are of HARDENING=COMBINED");
    SW_TRY(sw_deck_need_lines(card, 1, 1));
    return sw_deck_read_table(card, 6, &matter->cook);
}

sw_status sw_deck_read_plastic(sw_deck *deck, const sw_deck_card *card)
{
    static const char *const names[] = {"ISOTROPIC", "KINEMATIC", "COMBINED"};
    const char *hardening = sw_deck_parameter(card, "HARDENING"), *data = sw_deck_parameter(card, "DATATYPE"),
               *beyond = sw_deck_parameter(card, "EXTRAPOLATION");
    sw_matter *matter;
    double rate;
    SW_TRY(sw_deck_need_parameters(card, " HARDENING DATATYPE NUMBERBACKSTRESSES EXTRAPOLATION RATE "));
    SW_TRY(sw_deck_real_parameter(card, "RATE", 0, &rate));
    if (rate != 0)
        return sw_deck_complain(card, "RATE=%g: curves by rate are not computed: need 0, or *RATE DEPENDENT",
                                rate);
    if (beyond != NULL && strcasecmp(beyond, "CONSTANT") != 0)
        return sw_deck_complain(card, "EXTRAPOLATION=%.40s is not computed: need CONSTANT", beyond);
    SW_TRY(sw_deck_matter_at_hand(deck, card, &matter));
    if (matter->n_curves > 0 || matter->cook.n_rows > 0)
        return sw_deck_complain(card, "is there already");
    if (hardening != NULL && sw_deck_same_word(hardening, "JOHNSON COOK"))
        return read_cook(card, matter);
    int kind = hardening == NULL ? 0 : 3;
    for (int i = 0; i < 3; i++)
        kind = hardening != NULL && strcasecmp(hardening, names[i]) == 0 ? i : kind;
    if (kind == 3)
        return sw_deck_complain(
            card, "HARDENING=%.40s is not computed: need ISOTROPIC, KINEMATIC, COMBINED or JOHNSON COOK",
            hardening);
    matter->hardening = (sw_matter_hardening)kind;
    if (kind == 2 && data != NULL && strcasecmp(data, "PARAMETERS") == 0)
        return read_backstresses(card, matter);
    if (kind == 2 && deck->dialect == SW_DECK_ABAQUS)
        return sw_deck_complain(card, "a curve to which Abaqus fits backstresses is not computed: need DATA "
                                      "TYPE=PARAMETERS");
    if (data != NULL || sw_deck_parameter(card, "NUMBERBACKSTRESSES") != NULL)
        return sw_deck_complain(card, "DATA TYPE and NUMBER BACKSTRESSES are of HARDENING=COMBINED");
    return sw_deck_read_curves(card, "stress", "plastic strain", &matter->n_curves, &matter->curve);
}

sw_status sw_deck_read_cyclic_hardening(sw_deck *deck, const sw_deck_card *card)
{
    sw_matter *matter;
    SW_TRY(sw_deck_need_parameters(card, " PARAMETERS "));
    SW_TRY(sw_deck_matter_at_hand(deck, card, &matter));
    if (matter->n_cyclic > 0 || matter->saturation.n_rows > 0)
        return sw_deck_complain(card, "is there already");
    return sw_deck_parameter(card, "PARAMETERS") != NULL
               ? sw_deck_read_table(card, 3, &matter->saturation)
               : sw_deck_read_curves(card, "stress", "plastic strain", &matter->n_cyclic, &matter->cyclic);
}

sw_status sw_deck_read_creep(sw_deck *deck, const sw_deck_card *card)
{
    const char *law = sw_deck_parameter(card, "LAW");
    sw_matter *matter;
    SW_TRY(sw_deck_need_parameters(card, " LAW "));
    SW_TRY(sw_deck_matter_at_hand(deck, card, &matter));
    const int strain = law != NULL ? sw_deck_begins(law, "STRAIN") : deck->dialect == SW_DECK_ABAQUS;
    if (law != NULL && !strain && strcasecmp(law, "NORTON") != 0 && strcasecmp(law, "TIME") != 0)
        return sw_deck_complain(card, "LAW=%.40s is not computed: need NORTON, TIME or STRAIN", law);
    matter->strain_hardening = strain;
    matter->overstress = deck->dialect == SW_DECK_CALCULIX;
    return sw_deck_read_table(card, 3, &matter->creep);
}

/* ---- Nonlinear elasticity ---- */

/* N=, 1 without. */
static sw_status read_order(const sw_deck_card *card, int most, int *order)
{
    int64_t n;
    const sw_status status = sw_deck_whole_parameter(card, "N", 1, most, 1, &n);
    *order = (int)n;
    return status;
}

/* Strain energies by the parameter that names them; most: their N at most, or it has one N. */
static const struct {
    const char *key;
    sw_matter_rubber rubber;
    int most, order;
} rubbers[] = {{"NEOHOOKE", SW_MATTER_REDUCED_POLYNOMIAL, 0, 1},
               {"YEOH", SW_MATTER_REDUCED_POLYNOMIAL, 0, 3},
               {"MOONEY-RIVLIN", SW_MATTER_POLYNOMIAL, 0, 1},
               {"ARRUDA-BOYCE", SW_MATTER_ARRUDA_BOYCE, 0, 1},
               {"POLYNOMIAL", SW_MATTER_POLYNOMIAL, 3, 1},
               {"REDUCEDPOLYNOMIAL", SW_MATTER_REDUCED_POLYNOMIAL, 6, 1},
               {"OGDEN", SW_MATTER_OGDEN, 6, 1}};

/* A first D of 0 is of bodies that cannot be compressed; CalculiX makes 0.1 over the shear modulus of it. */
static sw_status check_compressible(const sw_deck *deck, const sw_deck_card *card, const sw_matter *matter,
                                    int d)
{
    const sw_matter_table *table = &matter->hyper;
    for (int row = 0; row < table->n_rows; row++)
        if (table->value[row * table->n_columns + d] == 0 && deck->dialect == SW_DECK_ABAQUS)
            return sw_deck_complain(
                card, "D1 = 0, a body that cannot be compressed, is not computed: need more than 0");
    return SW_OK;
}

sw_status sw_deck_read_hyperelastic(sw_deck *deck, const sw_deck_card *card)
{
    sw_matter *matter;
    SW_TRY(sw_deck_need_parameters(
        card, " NEOHOOKE YEOH MOONEY-RIVLIN ARRUDA-BOYCE POLYNOMIAL REDUCEDPOLYNOMIAL OGDEN N "));
    SW_TRY(sw_deck_matter_at_hand(deck, card, &matter));
    size_t k = 4; /* POLYNOMIAL where none is named */
    for (size_t i = 0; i < sizeof rubbers / sizeof *rubbers; i++)
        k = sw_deck_parameter(card, rubbers[i].key) != NULL ? i : k;
    matter->rubber = rubbers[k].rubber;
    matter->order = rubbers[k].order;
    if (rubbers[k].most > 0)
        SW_TRY(read_order(card, rubbers[k].most, &matter->order));
    const int n = sw_matter_rubber_constants(matter->rubber, matter->order);
    SW_TRY(sw_deck_read_table(card, n, &matter->hyper));
    return check_compressible(deck, card, matter,
                              matter->rubber == SW_MATTER_ARRUDA_BOYCE ? 2 : n - matter->order);
}

sw_status sw_deck_read_hyperfoam(sw_deck *deck, const sw_deck_card *card)
{
    sw_matter *matter;
    SW_TRY(sw_deck_need_parameters(card, " N "));
    SW_TRY(sw_deck_matter_at_hand(deck, card, &matter));
    matter->rubber = SW_MATTER_FOAM;
    SW_TRY(read_order(card, 6, &matter->order));
    return sw_deck_read_table(card, sw_matter_rubber_constants(SW_MATTER_FOAM, matter->order),
                              &matter->hyper);
}

sw_status sw_deck_read_deformation_plasticity(sw_deck *deck, const sw_deck_card *card)
{
    sw_matter *matter;
    SW_TRY(sw_deck_need_parameters(card, " "));
    SW_TRY(sw_deck_matter_at_hand(deck, card, &matter));
    return sw_deck_read_table(card, 5, &matter->deformation);
}

/* ---- Others ---- */

sw_status sw_deck_read_expansion(sw_deck *deck, const sw_deck_card *card)
{
    const char *type = sw_deck_parameter(card, "TYPE");
    sw_matter *matter;
    SW_TRY(sw_deck_need_parameters(card, " TYPE ZERO "));
    SW_TRY(sw_deck_matter_at_hand(deck, card, &matter));
    matter->expansion_columns = type == NULL || is_word(type, "ISO", "ISOTROPIC") ? 1
                                : is_word(type, "ORTHO", "ORTHOTROPIC")           ? 3
                                : is_word(type, "ANISO", "ANISOTROPIC")           ? 6
                                                                                  : 0;
    matter->heat_off_stretch = deck->dialect == SW_DECK_CALCULIX;
    if (matter->expansion_columns == 0)
        return sw_deck_complain(card, "TYPE=%.40s: need ISO, ORTHO or ANISO", type);
    SW_TRY(sw_deck_real_parameter(card, "ZERO", matter->zero, &matter->zero));
    return sw_deck_read_table(card, matter->expansion_columns, &matter->expansion);
}

sw_status sw_deck_read_density(sw_deck *deck, const sw_deck_card *card)
{
    sw_matter *matter;
    sw_matter_table table = {0};
    SW_TRY(sw_deck_need_parameters(card, " "));
    SW_TRY(sw_deck_matter_at_hand(deck, card, &matter));
    sw_status status = sw_deck_read_table(card, 1, &table);
    for (int row = 0; status == SW_OK && row < table.n_rows; row++)
        if (!(table.value[row] >= 0))
            status = sw_deck_complain(card, "%g: need 0 or more", table.value[row]);
        else if (table.value[row] != table.value[0])
            status = sw_deck_complain(card, "a density that changes with temperature is not computed");
    if (status == SW_OK)
        matter->density = table.value[0];
    free(table.temperature);
    free(table.value);
    return status;
}

/* CalculiX tells its own materials by how their names begin; LIN_ISO_EL is E and nu. Its users' subroutine is compiled into
 * it: @LIBRARY stands for that of a library. */
static sw_status name_of_calculix(const sw_deck_card *card, sw_matter *matter, int *done)
{
    static const char *const there[] = {"ANISO_CREEP",    "ANISO_PLAS",   "CIARLET_EL",   "COMPRESSION_ONLY",
                                        "ELASTIC_FIBER",  "IDEAL_GAS",    "LIN_EL_COROT", "NEO_HOOKE",
                                        "SINGLE_CRYSTAL", "TENSION_ONLY", "UNDO_NLGEOM"};
    *done = sw_deck_begins(matter->name, "LIN_ISO_EL");
    if (*done) {
        matter->elasticity = SW_MATTER_ISOTROPIC;
        return sw_deck_read_table(card, 2, &matter->elastic);
    }
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        if (sw_deck_begins(matter->name, there[i]))
            return sw_deck_complain(
                card, "%.80s is a material that CalculiX has built in, which is not computed", matter->name);
    return matter->name[0] == '@'
               ? SW_OK
               : sw_deck_complain(
                     card,
                     "%.80s is of a subroutine, which is not in the deck: need --dialect abaqus and "
                     "--umat, or a name that begins with @ and --umat",
                     matter->name);
}

sw_status sw_deck_read_user_material(sw_deck *deck, const sw_deck_card *card)
{
    int done = 0;
    const char *type = sw_deck_parameter(card, "TYPE"), *text;
    int64_t n;
    sw_matter *matter;
    SW_TRY(sw_deck_need_parameters(card, " CONSTANTS UNSYMM TYPE "));
    SW_TRY(sw_deck_matter_at_hand(deck, card, &matter));
    SW_TRY(sw_deck_need_value(card, "CONSTANTS", &text));
    SW_TRY(sw_deck_whole_parameter(card, "CONSTANTS", 0, 100000, 0, &n));
    if (matter->constant != NULL)
        return sw_deck_complain(card, "is there already");
    if (type != NULL && !sw_deck_begins(type, "MECHANICAL"))
        return sw_deck_complain(card, "TYPE=%.40s is not computed: need MECHANICAL", type);
    if (deck->dialect == SW_DECK_CALCULIX)
        SW_TRY(name_of_calculix(card, matter, &done));
    if (done)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(matter->constant, n + 1, "constants of a material"));
    matter->n_constants = (int)n;
    const int64_t most = deck->dialect == SW_DECK_CALCULIX ? n + 1 : n; /* there with a temperature */
    SW_TRY(sw_deck_need_lines(card, (n + FIELDS - 1) / FIELDS, (most + FIELDS - 1) / FIELDS));
    for (int k = 0; k < n; k++)
        SW_TRY(row_number(card, 0, k, 0, &matter->constant[k])); /* what is left out is 0 */
    return need_end(card, 0, most);
}

sw_status sw_deck_read_depvar(sw_deck *deck, const sw_deck_card *card)
{
    sw_matter *matter;
    int64_t n;
    SW_TRY(sw_deck_need_parameters(card, " "));
    SW_TRY(sw_deck_matter_at_hand(deck, card, &matter));
    SW_TRY(sw_deck_need_lines(card, 1, -1)); /* further ones name states */
    SW_TRY(sw_deck_integer(card, 0, 0, 0, &n));
    if (n < 0 || n > 100000)
        return sw_deck_complain_at(card, 0, "%" PRId64 " states: need 0 to 100000", n);
    matter->n_states = (int)n;
    return SW_OK;
}

/* ---- Sections ---- */

/* Springs, masses and the like in a set are none of a section's. */
static int may_have(const sw_deck_card *card, sw_deck_element_kind kind)
{
    if (strncmp(card->keyword, "SHELL", 5) == 0 || strncmp(card->keyword, "MEMBRANE", 8) == 0)
        return kind == SW_DECK_SHELL || kind == SW_DECK_MEMBRANE;
    return strncmp(card->keyword, "BEAM", 4) == 0 ? kind == SW_DECK_BEAM
                                                  : kind == SW_DECK_FORMULATION || kind == SW_DECK_TRUSS;
}

/* Elements of a set get the section at hand; one that has a section already gets the last, as CalculiX has it. */
static sw_status give_section(sw_deck *deck, const sw_deck_card *card, const sw_deck_set *set)
{
    const int changes = strncmp(card->keyword, "CHANGE", 6) == 0;
    int64_t n = 0, first = -1;
    for (int64_t i = 0; i < set->n; i++) {
        sw_deck_element *e = &deck->element[set->member[i]];
        if (e->type->kind <= SW_DECK_MEMBRANE && !may_have(card, e->type->kind))
            return sw_deck_complain(card, "element %" PRId64 " is of type %s: need another section", e->label,
                                    e->type->name);
        if (e->section >= 0 && !changes && n++ == 0)
            first = set->member[i];
        e->section = deck->n_sections;
    }
    if (n > 0)
        sw_warn("%s:%" PRId64 ": *%s: %" PRId64 " element%s of set %.80s, the first is %" PRId64
                ", %s a section already: this one is taken",
                card->path, card->line, card->keyword, n, n == 1 ? "" : "s", set->name,
                deck->element[first].label, n == 1 ? "has" : "have");
    return SW_OK;
}

sw_status sw_deck_new_section(sw_deck *deck, const sw_deck_card *card, sw_deck_section **section)
{
    int set;
    SW_TRY(sw_deck_need_named(deck, card, "ELSET", SW_FEM_ELEMENTS, &set));
    SW_TRY(SW_DECK_ROOM(deck->section, deck->n_sections));
    sw_deck_section made = {.card = card, .thickness = 1};
    SW_TRY(sw_deck_find_named(deck, card, "MATERIAL", SW_DECK_MATERIAL, &made.material));
    SW_TRY(sw_deck_find_named(deck, card, "ORIENTATION", SW_DECK_ORIENTATION, &made.orientation));
    deck->section[deck->n_sections] = made;
    *section = &deck->section[deck->n_sections];
    SW_TRY(give_section(deck, card, &deck->set[set]));
    deck->n_sections++;
    return SW_OK;
}

sw_status sw_deck_read_solid_section(sw_deck *deck, const sw_deck_card *card)
{
    sw_deck_section *section;
    SW_TRY(sw_deck_need_parameters(card, " ELSET MATERIAL ORIENTATION OFFSET CONTROLS NODALTHICKNESS "));
    SW_TRY(sw_deck_new_section(deck, card, &section)); /* OFFSET moves plane bodies along their thickness */
    if (section->material < 0)
        return sw_deck_complain(card, "needs MATERIAL=");
    SW_TRY(sw_deck_number(card, 0, 0, 1, &section->thickness));
    section->thickness = section->thickness == 0 ? 1 : section->thickness;
    if (!(section->thickness > 0))
        return sw_deck_complain_at(card, 0, "thickness %g: need more than 0", section->thickness);
    section->by_nodes = sw_deck_parameter(card, "NODALTHICKNESS") != NULL;
    return SW_OK;
}
