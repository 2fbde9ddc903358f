/* Progress bars on standard error; nothing is printed if that is not a terminal. */
#ifndef SPORF_CLI_PROGRESS_H
#define SPORF_CLI_PROGRESS_H

#include <stddef.h>

typedef struct progress {
    const char *unit;      /* what is counted, as in "trees" */
    int shown;             /* whether standard error is a terminal */
    double started, drawn; /* seconds: start of the work, and last drawing of the bar */
    int open_end;          /* the total is only the most there may be */
    double ends;           /* on the clock, when the work ends at the latest; 0: no limit */
} progress;

/* Seconds on a monotonic clock. */
double progress_clock(void);

/* Whole microseconds. */
double progress_round(double seconds);

/* Seconds since then, in whole microseconds. */
double progress_since(double start);

/* Starts a bar that counts `unit`. */
void progress_start(progress *bar, const char *unit);

/* Counts another unit from now on, to the same end. */
void progress_go_on(progress *bar, const char *unit);

/* Redraws the bar, at most ten times a second. Calls must not overlap. */
void progress_show(progress *bar, size_t done, size_t total);

/* The same without a known total; share, up to 1, is the part of the work done, or below 0 if
 * unknown. */
void progress_show_share(progress *bar, size_t done, double share);

/* The same with a text of the caller's own in place of the count. */
void progress_show_text(progress *bar, const char *text, double share);

/* Prints what is being done, if no bar can be drawn. */
void progress_note(progress *bar, const char *doing, const char *what);

/* Erases the bar or note, until it is drawn again. */
void progress_wipe(progress *bar);

/* Erases it for good. */
void progress_end(progress *bar);

#endif
