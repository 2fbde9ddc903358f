/* What the routines share that R calls through .Call. None of them raises an R error while it holds
 * memory of the library: what the library refuses is returned as a "sporf_failure", which R code
 * turns into an error in R's words. */
#ifndef CORE_H
#define CORE_H

#define R_NO_REMAP
#include <R.h>
#include <Rinternals.h>

#include "sporf.h"

/* ---- failures -------------------------------------------------------------------------------- */

enum { CORE_PARTS_MAX = 32, CORE_TEXT_MAX = 4096 };

/* A failure of the library, kept beyond the thread in which it happened. */
typedef struct {
    sporf_status status;
    size_t count;
    sporf_part parts[CORE_PARTS_MAX];
    char text[CORE_TEXT_MAX];
} core_error;

void core_error_keep(sporf_status status, core_error *kept);
SEXP core_failure_of(const core_error *error);

/* The last failure in this thread. */
SEXP core_failure(sporf_status status);

/* A failure that the library knows nothing of. */
SEXP core_failure_text(sporf_status status, const char *text);

/* ---- values ---------------------------------------------------------------------------------- */

SEXP core_text(const char *text); /* a CHARSXP; NULL is NA */
SEXP core_strings(const char *const *texts, size_t count);
const char *core_utf8(SEXP strings, R_xlen_t i); /* lives until .Call returns */

/* All elements of a character vector, and NULL if it has none. They live until .Call returns. */
const char *const *core_texts(SEXP strings);

/* Whether a value is a pointer that a routine made with this tag. */
int core_is_pointer(SEXP value, const char *tag);

/* The element of a list that has this name; R_NilValue if there is none. */
SEXP core_element(SEXP list, const char *name);

/* ---- tables ---------------------------------------------------------------------------------- */

/* A table of R's: a matrix, or a list of columns, with what its columns are. */
typedef struct {
    SEXP values;     /* a matrix or a list of vectors, each numeric, whole numbers or logical */
    SEXP names;      /* of the columns, or NULL */
    SEXP levels;     /* a list: of each column the names of its levels, or NULL; or NULL */
    SEXP codes;      /* a list: for each column the level of each code of the factor, from 0 on */
    SEXP is_ordered; /* whether the levels of a column have an order */
    size_t rows, columns;
} core_table;

core_table core_table_of(SEXP list);

/* Whether all columns have as many values as there are rows; data frames can be made without. */
int core_table_is_whole(const core_table *table);
#define CORE_NOT_WHOLE "the columns of the table have different lengths"

/* Copies rows in single precision, column by column. */
void core_table_copy(const core_table *table, size_t first, size_t rows, float *to);

/* The dataset of values that core_table_copy wrote, which it borrows. */
sporf_status core_table_dataset(const core_table *table, const float *values, size_t rows,
                                sporf_dataset **out);

sporf_dataset *core_data(SEXP pointer); /* of a pointer that core_dataset made */

/* ---- models ---------------------------------------------------------------------------------- */

/* A pointer to a model, which takes over the forest. core_model_keep lays its bytes beside it, so
 * that it survives saving. */
SEXP core_model_new(sporf_forest *forest);

/* The forest of a pointer. If it was saved and read, it is loaded now. NULL: *failure says why. */
sporf_forest *core_forest(SEXP pointer, SEXP *failure);

/* Predicts a row without a dataset. SPORF_NO_CLASS: that cannot be done, or the library has to say
 * why. */
uint32_t core_row(const sporf_forest *forest, const float *row, size_t features,
                  sporf_combine combine, double *out);

/* Sets params from a named character vector. The texts live until .Call returns. */
sporf_status core_params(SEXP options, sporf_params *params);

#endif
