/* Numbers as people write them in tables: with a decimal comma, marks between thousands, a currency
 * sign, a percent sign or a unit beside them, negative ones in parentheses, and durations. */
#ifndef SPF_DATA_AMOUNT_H
#define SPF_DATA_AMOUNT_H

#include "base/error.h"

enum { SPF_SIGN_MAX = 12 };

typedef enum spf_form_kind {
    SPF_FORM_BARE,     /* a number alone, with or without grouped digits */
    SPF_FORM_MARKED,   /* with a sign or unit before or after it */
    SPF_FORM_CLOCK,    /* h:mm:ss or mm:ss: seconds */
    SPF_FORM_HALF_DAY, /* h:mm or h:mm:ss with AM or PM: seconds since midnight */
} spf_form_kind;

/* How a number is written; it must be the same in all cells of a column. Unused bytes are 0. */
typedef struct spf_form {
    unsigned char kind; /* a spf_form_kind */
    char before[SPF_SIGN_MAX], after[SPF_SIGN_MAX];
} spf_form;

int spf_form_equal(const spf_form *one, const spf_form *other);

/* Whether begin .. end is a number whose decimal mark is `decimal`, a point or a comma. Thousands
 * may be separated by the other mark, blanks (also no-break and narrow ones) or apostrophes. *end
 * must be readable and no part of a number. */
int spf_amount_read(const char *begin, const char *end, char decimal, double *value,
                    spf_form *form);

/* What a cell reveals about the decimal mark of its file. */
typedef enum spf_decimal_sign {
    SPF_DECIMAL_SILENT, /* the same number with either mark */
    SPF_DECIMAL_POINT,  /* a number only with a decimal point: 12.5, 1,234.56, 1,234,567 */
    SPF_DECIMAL_COMMA,  /* a number only with a decimal comma: 12,5, 0,250, 1.234,56 */
    SPF_DECIMAL_EITHER, /* a different number with each mark: 1,234, 1.234 */
} spf_decimal_sign;

/* Whether a cell is a number with some decimal mark, and what it reveals about the mark. */
int spf_amount_weigh(const char *begin, const char *end, spf_form *form, spf_decimal_sign *sign);

/* What a plain number reveals about the decimal mark. */
spf_decimal_sign spf_plain_sign(const char *begin, const char *end);

/* Whether a cell is a number without signs or units. text[length] must be readable and no part of a
 * number. */
int spf_is_bare_number(const char *text, size_t length);

#endif
