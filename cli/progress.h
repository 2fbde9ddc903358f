/* Signs of life on standard error while long work runs; silent where it is no terminal. */
#ifndef SPORF_CLI_PROGRESS_H
#define SPORF_CLI_PROGRESS_H

#include <stddef.h>

typedef struct progress {
    const char *unit;      /* what is counted, as in "trees" */
    int shown;             /* whether standard error is a terminal */
    double started, drawn; /* seconds; when the work began and the bar was last drawn */
} progress;

/* Seconds on a clock that only runs forward. */
double progress_clock(void);

/* Seconds since then, in whole microseconds. */
double progress_since(double start);

/* Starts a bar of `units`. */
void progress_start(progress *bar, const char *unit);

/* Redraws the bar, at most ten times a second. Calls must not overlap. */
void progress_show(progress *bar, size_t done, size_t total);

/* The same where the total is not known, but perhaps, as a number up to 1, the share of the work;
 * it is below 0 if not even that is. */
void progress_show_share(progress *bar, size_t done, double share);

/* Says what is being done, where no bar can be drawn. */
void progress_note(progress *bar, const char *doing, const char *what);

/* Wipes bar or note away, until it is drawn again. */
void progress_wipe(progress *bar);

/* The same for good. */
void progress_end(progress *bar);

#endif
