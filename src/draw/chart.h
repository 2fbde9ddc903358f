/* Charts as SVG: lines, steps, points and histograms on two axes; bars with names; heat maps; small
 * columns. All names and titles are escaped. */
#ifndef SPF_DRAW_CHART_H
#define SPF_DRAW_CHART_H

#include "draw/svg.h"

/* A width that is readable on a phone and of which three fit beside each other on a desk. */
#define SPF_CHART_WIDTH 360.0
#define SPF_CHART_HEIGHT 230.0

enum { SPF_CHART_TICKS = 5 }; /* about as many on an axis */

typedef enum spf_mark {
    SPF_MARK_LINE,
    SPF_MARK_STEPS, /* y holds from its x to the next */
    SPF_MARK_POINTS,
    SPF_MARK_HISTOGRAM, /* bars of height y from x[i] to x[i + 1]: x has one value more than y */
    SPF_MARK_DASHED,    /* a line to compare with */
} spf_mark;

typedef struct spf_series {
    const char *name; /* in the legend; NULL: not there */
    spf_mark mark;
    unsigned tone;
    size_t count;
    const double *x, *y;
    const double *low, *high; /* [count]: a band around y, or bars at points; NULL: none */
} spf_series;

/* A grid of coloured cells behind the series, over the range of the axes. */
typedef struct spf_cells {
    size_t columns, rows;
    const unsigned *tones; /* [rows x columns], the lowest row first; NULL: all of tone 0 */
    const double *shares;  /* likewise, from 0 to 1: how strong; NULL: all the same */
} spf_cells;

typedef struct spf_chart {
    spf_svg svg; /* width and height 0: the usual ones */
    const char *x_label, *y_label;
    size_t count;
    const spf_series *series; /* [count]; the first is drawn first */
    /* What the axes show at least; both 0: what the series have. The axis of y begins at 0 with
     * histograms. */
    double x_from, x_to, y_from, y_to;
    const spf_cells *cells; /* NULL: none. The axes then end at the values above */
} spf_chart;

void spf_chart_draw(spf_markup *markup, const spf_chart *chart);

/* Horizontal bars: for each name one bar of each series. */
typedef struct spf_bars {
    spf_svg svg; /* height: that of the bars, whatever is given */
    const char *x_label;
    size_t count;             /* of names */
    const char *const *names; /* [count] */
    size_t series;
    const char *const *series_names; /* [series]; NULL: no legend */
    const double *values;            /* [count x series]; NaN: no bar */
    const double *low, *high;        /* likewise: intervals; NULL: none */
    int digits;                      /* significant ones of the values that are shown; 0: 3 */
} spf_bars;

void spf_bars_draw(spf_markup *markup, const spf_bars *bars);

/* A table of shades. */
typedef struct spf_heat {
    spf_svg svg; /* height: that of the cells, whatever is given */
    const char *row_label, *column_label;
    size_t rows, columns;
    const char *const *row_names, *const *column_names;
    const double *shares; /* [rows x columns]: from 0 to 1, the shade */
    const double *values; /* likewise: the number in the cell; NULL: none */
} spf_heat;

void spf_heat_draw(spf_markup *markup, const spf_heat *heat);

/* Small columns without axes, for a cell of a table; width and height must be given. */
void spf_spark_draw(spf_markup *markup, const spf_svg *svg, size_t count, const double *values);

#endif
