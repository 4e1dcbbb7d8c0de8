/* The text of decks: keywords, parameters, fields, numbers, files within files. */
#include "tests/online/fem/deck/decks.h"

#include "online/fem/cards/lines.h"

static sw_deck_cards read_text(const char *text)
{
    sw_deck_cards cards;
    write_deck(deck_path, text);
    assert_int_equal(sw_deck_cards_read(deck_path, &cards), SW_OK);
    unlink(deck_path);
    return cards;
}

static void keywords_are_told_apart_by_letters_alone(void **state)
{
    (void)state;
    sw_deck_cards cards = read_text("title\n** comment\n* solid   section , ELSET = \"My, set\" ,\n"
                                    "material=A, Internal\r\n.5 ,\tx , \r\n\r\n**\n 2.D-1,, 3\n*End Step");
    assert_int_equal(cards.n_cards, 2);
    const sw_deck_card *card = &cards.card[0];
    assert_string_equal(card->keyword, "SOLID SECTION");
    assert_string_equal(cards.card[1].keyword, "END STEP");
    assert_int_equal(card->line, 3);
    assert_int_equal(card->n_parameters, 3);
    assert_string_equal(sw_deck_parameter(card, "ELSET"), "My, set");
    assert_string_equal(sw_deck_parameter(card, "MATERIAL"), "A");
    assert_string_equal(sw_deck_parameter(card, "INTERNAL"), "");
    assert_null(sw_deck_parameter(card, "NSET"));
    assert_int_equal(card->n_lines, 2);
    assert_int_equal(card->data[1].line, 8);
    assert_int_equal(card->data[0].n_fields, 2); /* a comma at the end begins no field */
    assert_true(card->data[0].continues && !card->data[1].continues);
    assert_int_equal(sw_deck_complain_line(card, 1, "no"), SW_ERR_INPUT);
    assert_string_equal(sw_error_message(), "deck.inp:8: *SOLID SECTION: '2.D-1, , 3': no");
    assert_string_equal(sw_deck_field(card, 0, 1), "x");
    assert_string_equal(sw_deck_field(card, 0, 7), "");
    double number;
    assert_int_equal(sw_deck_number(card, 1, 0, 0, &number), SW_OK);
    CHECK_CLOSE(number, 0.2, 1e-16);
    assert_int_equal(sw_deck_number(card, 1, 1, -7, &number), SW_OK);
    CHECK_CLOSE(number, -7, 0);
    assert_int_equal(sw_deck_number(card, 0, 1, 0, &number), SW_ERR_INPUT);
    assert_string_equal(sw_error_message(), "deck.inp:5: *SOLID SECTION: 'x' in field 2: need a number");
    sw_deck_cards_free(&cards);
}

static void files_within_files_go_on_where_they_stand(void **state)
{
    (void)state;
    assert_int_equal(system("mkdir -p within"), 0);
    write_deck("within/nodes.inc", "2, 1\n*INCLUDE, INPUT=more.inc\n");
    write_deck("within/more.inc", "3, 2\n*ELSET, ELSET=E\n7\n");
    sw_deck_cards cards = read_text("*NODE\n1\n*Include, Input=within/nodes.inc\n8\n*NSET, NSET=N\n1\n");
    assert_int_equal(cards.n_cards, 3);
    assert_int_equal(cards.card[0].n_lines, 3);
    assert_int_equal(cards.card[1].n_lines, 2);
    assert_string_equal(cards.card[0].data[2].path, "within/more.inc");
    assert_int_equal(cards.card[0].data[2].line, 1);
    assert_string_equal(cards.card[1].data[1].path, "deck.inp");
    assert_int_equal(cards.card[1].data[1].line, 4);
    sw_deck_cards_free(&cards);
    unlink("within/nodes.inc");
    unlink("within/more.inc");
    rmdir("within");
}

static void files_do_not_include_themselves(void **state)
{
    (void)state;
    sw_deck_cards cards;
    write_deck("a.inc", "*INCLUDE, INPUT=./deck.inp\n");
    write_deck(deck_path, "*NODE\n1\n*INCLUDE, INPUT=a.inc\n");
    assert_int_equal(sw_deck_cards_read(deck_path, &cards), SW_ERR_INPUT);
    assert_string_equal(sw_error_message(), "a.inc:1: *INCLUDE: ./deck.inp includes itself");
    unlink("a.inc");
    assert_int_equal(sw_deck_cards_read(deck_path, &cards), SW_ERR_INPUT);
    assert_string_equal(sw_error_message(), "deck.inp:3: *INCLUDE: there is no file a.inc");
    unlink(deck_path);
}

/* What is at hand is that of the last line; includes are cards as others. */
static void files_are_read_card_by_card(void **state)
{
    (void)state;
    sw_deck_source source;
    int more;
    write_deck(deck_path,
               "7, 8,\n*Nset,\nnset=a\n** no\n1,, 2,\n3\n*INCLUDE, INPUT=none.inc\n4\n*END STEP\n");
    CHECK_OK(sw_deck_open(deck_path, &source));
    assert_null(source.card.keyword);
    CHECK_OK(sw_deck_next_data(&source));
    assert_int_equal(source.data.n_fields, 2);
    CHECK_OK(sw_deck_next_data(&source));
    assert_int_equal(source.data.n_fields, 0);
    CHECK_OK(sw_deck_next_card(&source, &more));
    assert_true(more);
    assert_string_equal(source.card.keyword, "NSET");
    assert_string_equal(sw_deck_parameter(&source.card, "NSET"), "a");
    assert_int_equal(source.card.line, 2);
    CHECK_OK(sw_deck_next_data(&source));
    assert_int_equal(source.data.n_fields, 3);
    assert_string_equal(source.data.field[1], "");
    assert_true(source.data.continues);
    assert_int_equal(source.data.line, 5);
    CHECK_OK(sw_deck_next_card(&source, &more)); /* over a line of the set */
    assert_string_equal(source.card.keyword, "INCLUDE");
    CHECK_OK(sw_deck_next_card(&source, &more));
    assert_string_equal(source.card.keyword, "END STEP");
    CHECK_OK(sw_deck_next_data(&source));
    assert_int_equal(source.data.n_fields, 0);
    CHECK_OK(sw_deck_next_card(&source, &more));
    assert_true(!more);
    sw_deck_close(&source);
    unlink(deck_path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keywords_are_told_apart_by_letters_alone),
        cmocka_unit_test(files_within_files_go_on_where_they_stand),
        cmocka_unit_test(files_do_not_include_themselves),
        cmocka_unit_test(files_are_read_card_by_card),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
