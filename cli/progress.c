/* The progress bar: count, share and time left first, the bar itself if there is room. */
#include "progress.h"

#include "base/system.h"
#include "console.h"
#include "printed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BAR_MAX = 40, BAR_MIN = 5, LINE_MAX_COLUMNS = 200 };

static const double redraw_seconds = 0.1;

double progress_clock(void) {
    return 1e-9 * (double)spf_system_clock();
}

double progress_round(double seconds) {
    return round(1e6 * seconds) / 1e6;
}

double progress_since(double start) {
    return progress_round(progress_clock() - start);
}

/* One column stays free: a full line makes some terminals wrap. */
static size_t terminal_columns(void) {
    size_t columns = console_columns() - 1;
    return columns < LINE_MAX_COLUMNS ? columns : LINE_MAX_COLUMNS;
}

static void format_left(char *text, size_t size, double seconds) {
    unsigned long whole = (unsigned long)(seconds + 0.5);
    if (seconds > 1e8)
        snprintf(text, size, "years left");
    else if (whole >= 3600)
        snprintf(text, size, "%luh %02lum left", whole / 3600, whole / 60 % 60);
    else if (whole >= 60)
        snprintf(text, size, "%lum %02lus left", whole / 60, whole % 60);
    else
        snprintf(text, size, "%lus left", whole);
}

/* The line in at most `columns` columns; a share below 0 is unknown. */
static void format_line(char *text, size_t size, size_t columns, const char *counts, double share,
                        double elapsed) {
    char left[32] = "", words[128], bar[BAR_MAX + 1] = "";
    if (columns + 1 < size) size = columns + 1;
    if (share < 0) {
        snprintf(text, size, "%s", counts);
        return;
    }
    if (share > 0) format_left(left, sizeof left, elapsed * (1 - share) / share);
    int used = snprintf(words, sizeof words, "%3.0f%%  %s  %s", 100 * share, counts, left);
    size_t room = columns > (size_t)used + 3 ? columns - (size_t)used - 3 : 0;
    size_t cells = room < BAR_MAX ? room : BAR_MAX;
    size_t full = (size_t)(share * (double)cells);
    if (cells < BAR_MIN) {
        snprintf(text, size, "%s", words);
        return;
    }
    memset(bar, '#', full);
    memset(bar + full, '.', cells - full);
    snprintf(text, size, "[%s] %s", bar, words);
}

void progress_start(progress *bar, const char *unit) {
    *bar = (progress){.unit = unit, .shown = console_redraws(), .started = progress_clock()};
}

void progress_go_on(progress *bar, const char *unit) {
    bar->unit = unit;
    bar->started = progress_clock();
    bar->drawn = 0;
}

/* Drawn unless it was drawn a moment ago. */
void progress_show_text(progress *bar, const char *text, double share) {
    if (!bar->shown) return;
    double now = progress_clock();
    if (now - bar->drawn < redraw_seconds) return;
    bar->drawn = now;
    char line[LINE_MAX_COLUMNS + 1];
    format_line(line, sizeof line, terminal_columns(), text, share, now - bar->started);
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
}

/* Whichever end comes first; below 0 if none is known. */
static double share_done(const progress *bar, size_t done, size_t total) {
    double share = bar->open_end ? -1 : total > 0 ? (double)done / (double)total : 0;
    if (bar->ends == 0) return share;
    return fmin(fmax(share, progress_since(bar->started) / (bar->ends - bar->started)), 1);
}

void progress_show(progress *bar, size_t done, size_t total) {
    char counts[96];
    double share = share_done(bar, done, total);
    if (bar->open_end) {
        progress_show_share(bar, done, share);
        return;
    }
    snprintf(counts, sizeof counts, "%zu/%zu %s", done, total, bar->unit);
    progress_show_text(bar, counts, share);
}

void progress_show_share(progress *bar, size_t done, double share) {
    char counts[96];
    snprintf(counts, sizeof counts, "%zu %s", done, bar->unit);
    progress_show_text(bar, counts, share);
}

void progress_note(progress *bar, const char *doing, const char *what) {
    progress_start(bar, NULL);
    if (!bar->shown) return;
    char raw[LINE_MAX_COLUMNS + 1], text[LINE_MAX_COLUMNS + 1];
    snprintf(raw, terminal_columns() + 1, "%s %s ...", doing, what);
    text_printable(text, sizeof text, raw);
    fprintf(stderr, "\r%s\033[K", text);
    fflush(stderr);
}

void progress_wipe(progress *bar) {
    if (!bar->shown) return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
}

void progress_end(progress *bar) {
    progress_wipe(bar);
    bar->shown = 0;
}
