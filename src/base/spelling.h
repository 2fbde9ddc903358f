/* The nearest name to a misspelt one, for error messages. */
#ifndef SPF_BASE_SPELLING_H
#define SPF_BASE_SPELLING_H

#include "base/strings.h"

/* NULL if no name is near. */
const char *spf_nearest_name(const char *word, size_t length, const spf_strings *names);

#endif
