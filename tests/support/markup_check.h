/* Whether markup is well-formed, as far as a test can tell without a parser. */
#ifndef TEST_MARKUP_CHECK_H
#define TEST_MARKUP_CHECK_H

#include "support/check.h"

static inline size_t occurrences(const char *text, const char *words) {
    size_t count = 0;
    for (; (text = strstr(text, words)); text++) count++;
    return count;
}

/* Every element ends, in the order in which they begin; a '<' only begins one; there are no
 * scripts. */
static inline void assert_well_formed(const char *markup) {
    const char *open[32];
    size_t depth = 0;
    for (const char *p = markup; (p = strchr(p, '<')); p++) {
        const char *end = strchr(p, '>'), *next = strchr(p + 1, '<');
        assert_non_null(end);
        assert_true(!next || end < next);
        size_t length = strcspn(p + 1, " />");
        if (p[1] == '/') {
            length = strcspn(p + 2, ">");
            assert_true(depth > 0);
            if (strncmp(open[--depth], p + 2, length) != 0)
                fail_msg("%.40s ends in %.20s", open[depth], p);
        } else if (p[1] != '!' && end[-1] != '/') {
            assert_true(length > 0 && depth < 32);
            open[depth++] = p + 1;
        }
    }
    assert_int_equal(depth, 0);
    assert_null(strstr(markup, "<script"));
}

#endif
