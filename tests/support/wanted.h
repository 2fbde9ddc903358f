/* Structs for prediction and evaluation in one line: what a test wants, as designated initialisers.
 */
#ifndef WANTED_H
#define WANTED_H

#include "sporf.h"

#define WANTED(...) (&(sporf_predictions){.struct_size = sizeof(sporf_predictions), __VA_ARGS__})

/* Scores that are kept in *scores. */
#define SCORED(scores, ...)                                                                        \
    (*(scores) =                                                                                   \
         (sporf_evaluation){.struct_size = sizeof(sporf_evaluation), .rows = 0, __VA_ARGS__},      \
     (scores))

/* Only what the initialisers point to. */
#define FILLED(...) (&(sporf_evaluation){.struct_size = sizeof(sporf_evaluation), __VA_ARGS__})

#endif
