/* Texts are numbers with units where many have few units, and these are not letters: "1st" and
 * "2nd", "12a" and "12b" are names. */
#include "data/measure.h"

#include "data/amount.h"

#include <ctype.h>
#include <string.h>

enum { TEXTS_MIN = 3, FORMS_MAX = 8 };

/* The different forms among texts. */
typedef struct {
    spf_form form[FORMS_MAX];
    size_t count;
} form_list;

/* Adds a form; returns 0 where there are too many. */
static int add_form(const spf_form *form, form_list *list) {
    for (size_t i = 0; i < list->count; i++)
        if (spf_form_equal(form, &list->form[i])) return 1;
    if (list->count == FORMS_MAX) return 0;
    list->form[list->count++] = *form;
    return 1;
}

static int read_form(const char *text, spf_form *form) {
    spf_decimal_sign sign;
    return spf_amount_weigh(text, text + strlen(text), form, &sign) && form->kind != SPF_FORM_BARE;
}

/* Whether there are several forms and each is one letter. */
static int are_letters(const form_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        const spf_form *form = &list->form[i];
        if (form->before[0] || form->after[1] || !isalpha((unsigned char)form->after[0])) return 0;
    }
    return list->count > 1;
}

spf_measure spf_find_measure(const spf_strings *texts) {
    const spf_measure none = {NULL, NULL};
    spf_measure found = none;
    form_list forms = {.count = 0};
    size_t marked = 0;
    for (size_t i = 0; i < texts->count; i++) {
        const char *text = spf_strings_at(texts, i);
        spf_form form;
        int is_marked = read_form(text, &form);
        marked += (size_t)is_marked;
        if (is_marked && !add_form(&form, &forms)) return none;
        if (is_marked && !found.one) found.one = text;
        if (!found.other && !(is_marked && spf_form_equal(&form, &forms.form[0])))
            found.other = text;
    }
    int many = marked >= TEXTS_MIN && marked * 10 >= texts->count * 9 && forms.count * 2 <= marked;
    many = many && !are_letters(&forms);
    return many && found.other ? found : none;
}
