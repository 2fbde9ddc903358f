/* Splits and leaves of trees in words: plain text that is safe to show, not yet escaped. */
#ifndef SPF_PICTURE_WORDS_H
#define SPF_PICTURE_WORDS_H

#include "draw/markup.h"
#include "sporf.h"

enum { SPF_NAME_MOST = 28, SPF_LEVELS_SHOWN = 4, SPF_TERMS_SHOWN = 6 };

/* "height", or "x3" if features have no names. */
void spf_words_feature(spf_markup *words, const sporf_forest *forest, size_t feature);

/* "height - 0.5 [width or 2.5]", with at most that many terms; of more, the last place says how
 * many are left out. */
void spf_words_sum(spf_markup *words, const sporf_forest *forest, const sporf_ranked *sum,
                   size_t most);

/* When a row goes left: "height - 0.5 width <= 3.2", "colour not in red, green", "height known". If
 * `line` is positive, a line break stands where a line would be longer than that. */
void spf_words_split(spf_markup *words, const sporf_forest *forest, const sporf_node *node,
                     size_t line);

#endif
