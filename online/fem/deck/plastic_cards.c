/* Keywords of what yields otherwise than von Mises, or by rate: *POTENTIAL, *RATE DEPENDENT. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/yield/yield_file.h"
#include "model.h"

/* ---- *RATE DEPENDENT ---- */

/* Lines "ratio, rate, temperature". */
static sw_status read_ratios(const sw_deck_card *card, sw_matter *matter)
{
    matter->rate_law = SW_MATTER_TABLE_RATE;
    SW_TRY(sw_deck_read_curves(card, "ratio", "rate of plastic strain", &matter->n_ratios, &matter->ratio));
    for (int k = 0; k < matter->n_ratios; k++)
        if (matter->ratio[k].row[0][1] != 1)
            return sw_deck_complain(card, "ratio %g at rate 0: need 1", matter->ratio[k].row[0][1]);
    return SW_OK;
}

sw_status sw_deck_read_rate_dependent(sw_deck *deck, const sw_deck_card *card)
{
    const char *type = sw_deck_parameter(card, "TYPE");
    sw_matter *matter;
    SW_TRY(sw_deck_need_parameters(card, " TYPE "));
    SW_TRY(sw_deck_matter_at_hand(deck, card, &matter));
    if (matter->rate_law != SW_MATTER_NO_RATE)
        return sw_deck_complain(card, "is there already");
    if (type != NULL && sw_deck_same_word(type, "YIELD RATIO"))
        return read_ratios(card, matter);
    const int cook = type != NULL && sw_deck_same_word(type, "JOHNSON COOK");
    if (type != NULL && !cook && !sw_deck_same_word(type, "POWER LAW"))
        return sw_deck_complain(
            card, "TYPE=%.40s is not computed: need POWER LAW, JOHNSON COOK or YIELD RATIO", type);
    matter->rate_law = cook ? SW_MATTER_LOG_RATE : SW_MATTER_POWER_RATE;
    return sw_deck_read_table(card, 2, &matter->rate);
}

/* ---- *POTENTIAL ---- */

/* Ratios of yield stresses to the reference, R11 R22 R33 R12 R13 R23, of shears to the reference over sqrt(3). */
static sw_status read_ratios_of_hill(const sw_deck_card *card, sw_yield *y)
{
    double r[6], over[6];
    SW_TRY(sw_deck_need_lines(card, 1, 1));
    if (card->data[0].n_fields > 7)
        return sw_deck_complain_at(card, 0,
                                   "%d numbers: need R11, R22, R33, R12, R13, R23 of all temperatures",
                                   card->data[0].n_fields);
    if (*sw_deck_field(card, 0, 6) != '\0') { /* one row is that of all temperatures */
        double temperature;
        SW_TRY(sw_deck_number(card, 0, 6, 0, &temperature));
        sw_warn("%s:%lld: *POTENTIAL: the ratios of temperature %g are those of all temperatures", card->path,
                (long long)card->data[0].line, temperature);
    }
    for (int i = 0; i < 6; i++) {
        SW_TRY(sw_deck_number(card, 0, i, 1, &r[i]));
        if (!(r[i] > 0))
            return sw_deck_complain_at(card, 0, "ratio %g: need more than 0", r[i]);
        over[i] = 1 / (r[i] * r[i]);
    }
    *y = sw_yield_isotropic(SW_YIELD_HILL48, 2, 1);
    const double c[6] = {(over[1] + over[2] - over[0]) / 2,
                         (over[2] + over[0] - over[1]) / 2,
                         (over[0] + over[1] - over[2]) / 2,
                         1.5 * over[5],
                         1.5 * over[4],
                         1.5 * over[3]};
    memcpy(y->coefficient, c, sizeof c);
    return SW_OK;
}

/* One that is not 1 along the first axis, as *PLASTIC's stress has it. */
static sw_status doubt_scale(const sw_deck_card *card, const sw_yield *y)
{
    const double along[6] = {1}, phi = sw_yield_value(y, along, NULL);
    if (phi > 0 && fabs(phi - 1) > 0.01) /* 0 is refused */
        sw_warn("%s:%lld: *POTENTIAL: uniaxial stress of 1 along axis 1 has a function of %.4g: it yields "
                "there at %.4g "
                "times the stress of *PLASTIC",
                card->path, (long long)card->line, phi, 1 / phi);
    return SW_OK;
}

/* The exponent, if the function has one, and its coefficients, over lines of 8 at most. */
static sw_status read_coefficients(const sw_deck_card *card, int function, sw_yield *y)
{
    *y = sw_yield_isotropic(function, 2, 1);
    const int n = y->function->coefficients + y->function->has_exponent;
    int k = 0;
    for (int64_t i = 0; i < card->n_lines; i++)
        for (int field = 0; field < card->data[i].n_fields; field++, k++) {
            double value;
            SW_TRY(sw_deck_number(card, i, field, NAN, &value));
            if (k >= n || !isfinite(value))
                return sw_deck_complain_line(card, i,
                                             "need the exponent, where there is one, and coefficients");
            if (k == 0 && y->function->has_exponent)
                y->exponent = value;
            else
                y->coefficient[k - y->function->has_exponent] = value;
        }
    return k == n ? doubt_scale(card, y)
                  : sw_deck_complain(card, "%d numbers: %s needs %d", k, y->function->name, n);
}

/* Beside the deck, unless its path is whole. */
static sw_status read_results(const sw_deck_card *card, const char *name, int function, sw_yield *y)
{
    const char *slash = strrchr(card->path, '/');
    const int folder = *name == '/' || slash == NULL ? 0 : (int)(slash + 1 - card->path);
    const size_t room = (size_t)folder + strlen(name) + 1;
    char *path;
    SW_TRY(SW_ALLOCATE(path, room, "a path"));
    snprintf(path, room, "%.*s%s", folder, card->path, name);
    const sw_status status = sw_yield_read(path, function, y);
    free(path);
    if (status == SW_OK)
        return doubt_scale(card, y);
    return status == SW_ERR_MEMORY ? status
                                   : sw_deck_complain(card, "FILE=%.200s: %s", name, sw_error_message());
}

sw_status sw_deck_read_potential(sw_deck *deck, const sw_deck_card *card)
{
    const char *name = sw_deck_parameter(card, "FUNCTION"), *file = sw_deck_parameter(card, "FILE");
    const char *type = sw_deck_parameter(card, "TYPE");
    sw_matter *matter;
    SW_TRY(sw_deck_need_parameters(card, " FUNCTION FILE TYPE "));
    SW_TRY(sw_deck_matter_at_hand(deck, card, &matter));
    if (matter->yield.function != NULL)
        return sw_deck_complain(card, "is there already");
    if (type != NULL && !sw_deck_same_word(type, "HILL"))
        return sw_deck_complain(card, "TYPE=%.40s is not computed: need HILL, or FUNCTION=", type);
    const int function = name != NULL ? sw_yield_function_of(name) : SW_YIELD_HILL48;
    if (function < 0)
        return sw_deck_complain(card, "FUNCTION=%.40s: need hill48, yld2000_2d or yld2004_18p", name);
    if (file != NULL && name == NULL)
        return sw_deck_complain(card, "FILE= has functions by name: need FUNCTION=");
    if (file == NULL)
        return name == NULL ? read_ratios_of_hill(card, &matter->yield)
                            : read_coefficients(card, function, &matter->yield);
    SW_TRY(sw_deck_need_lines(card, 0, 0));
    return read_results(card, file, function, &matter->yield);
}
