/* Text with markup, SVG or HTML, that is put together in memory. A failure is remembered, and all
 * that is put afterwards is ignored, so that callers need to look only at the end. */
#ifndef SPF_DRAW_MARKUP_H
#define SPF_DRAW_MARKUP_H

#include "base/memory.h"
#include "base/utf8.h"

typedef struct spf_markup {
    char *text; /* with a NUL, unless nothing was put yet */
    size_t length, capacity;
    sporf_status status; /* the first failure */
} spf_markup;

void spf_markup_free(spf_markup *markup);

/* Puts markup as it is: constants of ours, never names of a table. */
void spf_markup_put(spf_markup *markup, const char *text);
/* The same with numbers in it; only integers and constant texts, since the decimal mark of others
 * depends on the locale. */
void spf_markup_format(spf_markup *markup, const char *format, ...)
    __attribute__((format(SPF_PRINTF, 2, 3)));

/* Puts text from anywhere as text that is safe in an element and in a quoted attribute of XML and
 * HTML. Characters of markup become entities, control characters are shown as symbols, and bytes
 * that are not UTF-8, invisible marks of direction and characters that XML does not allow as
 * U+FFFD. Text from right to left is isolated from what is around it. Text of more than `most`
 * characters is cut and ends in an ellipsis; 0: no limit. */
void spf_markup_text(spf_markup *markup, const char *text, size_t most);

/* Puts the same as plain text, for terminals and for what is escaped later: without entities. */
void spf_markup_plain(spf_markup *markup, const char *text, size_t most);

/* Puts a number with at most `decimals` digits after the point, at most 9, without zeros at its
 * end. */
void spf_markup_fixed(spf_markup *markup, double value, int decimals);

/* Puts a number for readers, with that many significant digits, at most 15: 0.0123, 1,234,567,
 * 1.2e-7. NaN is a dash. */
void spf_markup_number(spf_markup *markup, double value, int digits);
/* The same as text. Returns its length. */
enum { SPF_NUMBER_SHOWN_MAX = 48 };
size_t spf_number_shown(double value, int digits, char text[SPF_NUMBER_SHOWN_MAX]);

#endif
