/* Texts are numbers with units if many of them share few units that are not single letters: "1st"
 * and "2nd", "12a" and "12b" are names. */
#include "read/mixed_units.h"

#include "data/amount.h"

#include <ctype.h>
#include <string.h>

enum { TEXTS_MIN = 3, FORMS_MAX = 8 };

/* The distinct forms of texts. */
typedef struct {
    spf_form form[FORMS_MAX];
    size_t count;
} form_list;

/* Adds a form; returns 0 if there are too many. */
static int add_form(const spf_form *form, form_list *list) {
    for (size_t i = 0; i < list->count; i++)
        if (spf_form_equal(form, &list->form[i])) return 1;
    if (list->count == FORMS_MAX) return 0;
    list->form[list->count++] = *form;
    return 1;
}

/* What the texts are, and how many cells have them. */
typedef struct {
    form_list forms;
    size_t texts, cells, marked;       /* all, and those with a sign or unit */
    size_t number_texts, number_cells; /* numbers, with or without a sign or unit */
    const char *one, *odd, *word; /* the first with a mark; the first with another mark or none; the
                                     first that is no number */
} census;

/* Counts one text; returns 0 if there are too many forms. */
static int count_text(const char *text, size_t cells, census *c) {
    spf_decimal_sign sign;
    spf_form form;
    c->texts++;
    c->cells += cells;
    if (!spf_amount_weigh(text, text + strlen(text), &form, &sign)) {
        if (!c->word) c->word = text;
        return 1;
    }
    c->number_texts++;
    c->number_cells += cells;
    int marked = form.kind != SPF_FORM_BARE;
    c->marked += (size_t)marked;
    if (marked && !add_form(&form, &c->forms)) return 0;
    if (marked && !c->one) c->one = text;
    if (!c->odd && !(marked && spf_form_equal(&form, &c->forms.form[0]))) c->odd = text;
    return 1;
}

/* Whether there are several forms and each is one letter. */
static int are_letters(const form_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        const spf_form *form = &list->form[i];
        if (form->before[0] || form->after[1] || !isalpha((unsigned char)form->after[0])) return 0;
    }
    return list->count > 1;
}

static int nearly_all(size_t part, size_t all) {
    return part * 10 >= all * 9;
}

spf_mixed_units spf_find_mixed_units(const spf_strings *texts, const uint32_t *cells) {
    const spf_mixed_units none = {NULL, NULL, 0};
    census c = {.texts = 0};
    for (size_t i = 0; i < texts->count; i++)
        if (!count_text(spf_strings_at(texts, i), cells[i], &c)) return none;
    const spf_mixed_units found = {c.one, c.odd ? c.odd : c.word, !c.odd};
    int numbers = nearly_all(c.number_texts, c.texts) || nearly_all(c.number_cells, c.cells);
    int many = c.marked >= TEXTS_MIN && numbers && c.forms.count * 2 <= c.marked;
    return many && !are_letters(&c.forms) && found.other ? found : none;
}
