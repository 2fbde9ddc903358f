/* Lines, steps, points and histograms on two axes. */
#include "draw/chart.h"

#include "draw/axis.h"
#include "draw/legend.h"

#include <math.h>
#include <stdlib.h>

typedef struct frame {
    const spf_chart *chart;
    spf_axis x, y;
    double left, right, top, bottom;
} frame;

static size_t points_of_x(const spf_series *series) {
    return series->count + (series->mark == SPF_MARK_HISTOGRAM && series->count > 0);
}

static void find_ranges(const spf_chart *chart, double x[2], double y[2]) {
    for (size_t i = 0; i < chart->count; i++) {
        const spf_series *s = &chart->series[i];
        const double zero = 0;
        spf_axis_widen(&x[0], &x[1], points_of_x(s), s->x);
        spf_axis_widen(&y[0], &y[1], s->count, s->y);
        if (s->low) spf_axis_widen(&y[0], &y[1], s->count, s->low);
        if (s->high) spf_axis_widen(&y[0], &y[1], s->count, s->high);
        if (s->mark == SPF_MARK_HISTOGRAM) spf_axis_widen(&y[0], &y[1], 1, &zero);
    }
    if (chart->x_from != chart->x_to) {
        spf_axis_widen(&x[0], &x[1], 1, &chart->x_from);
        spf_axis_widen(&x[0], &x[1], 1, &chart->x_to);
    }
    if (chart->y_from != chart->y_to) {
        spf_axis_widen(&y[0], &y[1], 1, &chart->y_from);
        spf_axis_widen(&y[0], &y[1], 1, &chart->y_to);
    }
}

static double widest_tick(const spf_axis *axis) {
    double widest = 0;
    for (size_t i = 0; i < axis->ticks; i++) {
        char text[SPF_NUMBER_SHOWN_MAX];
        spf_axis_tick_text(axis, i, text);
        widest = fmax(widest, spf_svg_text_width(text, 0));
    }
    return widest;
}

static void draw_y_axis(spf_markup *m, const frame *f) {
    for (size_t i = 0; i < f->y.ticks; i++) {
        char text[SPF_NUMBER_SHOWN_MAX];
        double y = spf_axis_at(&f->y, spf_axis_tick(&f->y, i));
        spf_axis_tick_text(&f->y, i, text);
        spf_svg_line(m, SPF_PAINT_GRID, f->left, y, f->right, y);
        spf_svg_text(m, SPF_PAINT_FAINT, f->left - 6, y + 4, SPF_ANCHOR_END, text, 0);
    }
    size_t room = spf_svg_text_room(f->bottom - f->top + 20);
    if (f->chart->y_label)
        spf_svg_text_upwards(m, SPF_PAINT_TEXT, 11, (f->top + f->bottom) / 2, SPF_ANCHOR_MIDDLE,
                             f->chart->y_label, room);
}

static void draw_x_axis(spf_markup *m, const frame *f) {
    spf_svg_line(m, SPF_PAINT_AXIS, f->left, f->bottom, f->right, f->bottom);
    double free_from = 0;
    for (size_t i = 0; i < f->x.ticks; i++) {
        char text[SPF_NUMBER_SHOWN_MAX];
        double x = spf_axis_at(&f->x, spf_axis_tick(&f->x, i));
        spf_axis_tick_text(&f->x, i, text);
        spf_svg_line(m, SPF_PAINT_AXIS, x, f->bottom, x, f->bottom + 4);
        double half = spf_svg_text_width(text, 0) / 2;
        if (x - half < free_from) continue; /* it would touch the one before */
        spf_svg_text(m, SPF_PAINT_FAINT, x, f->bottom + 16, SPF_ANCHOR_MIDDLE, text, 0);
        free_from = x + half + 4;
    }
    size_t room = spf_svg_text_room(f->right - f->left + 20);
    if (f->chart->x_label)
        spf_svg_text(m, SPF_PAINT_TEXT, (f->left + f->right) / 2, f->bottom + 31, SPF_ANCHOR_MIDDLE,
                     f->chart->x_label, room);
}

/* ---- series ---------------------------------------------------------------------------------- */

static void draw_histogram(spf_markup *m, const frame *f, const spf_series *s) {
    for (size_t i = 0; i < s->count; i++) {
        if (!(s->y[i] > 0)) continue;
        double from = spf_axis_at(&f->x, s->x[i]), to = spf_axis_at(&f->x, s->x[i + 1]);
        double y = spf_axis_at(&f->y, s->y[i]), gap = to - from > 4 ? 1 : 0;
        spf_svg_rect(m, SPF_PAINT_AREA + s->tone % SPF_TONES, from + gap / 2, y, to - from - gap,
                     f->bottom - y, 0);
    }
}

static void draw_points(spf_markup *m, const frame *f, const spf_series *s) {
    for (size_t i = 0; i < s->count; i++) {
        if (!isfinite(s->x[i]) || !isfinite(s->y[i])) continue;
        double x = spf_axis_at(&f->x, s->x[i]), y = spf_axis_at(&f->y, s->y[i]);
        if (s->low && s->high)
            spf_svg_line(m, SPF_PAINT_LINE + s->tone % SPF_TONES, x, spf_axis_at(&f->y, s->low[i]),
                         x, spf_axis_at(&f->y, s->high[i]));
        spf_svg_circle(m, SPF_PAINT_AREA + s->tone % SPF_TONES, x, y, s->count > 100 ? 1.5 : 3.5);
    }
}

static void draw_band(spf_markup *m, const frame *f, const spf_series *s, double *x, double *y) {
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (!isfinite(s->x[i]) || !isfinite(s->low[i]) || !isfinite(s->high[i])) continue;
        x[count] = spf_axis_at(&f->x, s->x[i]), y[count++] = spf_axis_at(&f->y, s->low[i]);
    }
    for (size_t i = s->count; i-- > 0;) {
        if (!isfinite(s->x[i]) || !isfinite(s->low[i]) || !isfinite(s->high[i])) continue;
        x[count] = spf_axis_at(&f->x, s->x[i]), y[count++] = spf_axis_at(&f->y, s->high[i]);
    }
    spf_svg_shape(m, SPF_PAINT_BAND + s->tone % SPF_TONES, count, x, y);
}

/* x and y have room for two points of each. */
static void draw_line(spf_markup *m, const frame *f, const spf_series *s, double *x, double *y) {
    if (s->low && s->high) draw_band(m, f, s, x, y);
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        double at = spf_axis_at(&f->y, s->y[i]);
        x[count] = spf_axis_at(&f->x, s->x[i]), y[count++] = at;
        if (s->mark == SPF_MARK_STEPS && i + 1 < s->count)
            x[count] = spf_axis_at(&f->x, s->x[i + 1]), y[count++] = at;
    }
    spf_paint paint =
        s->mark == SPF_MARK_DASHED ? SPF_PAINT_DASHED : SPF_PAINT_LINE + s->tone % SPF_TONES;
    spf_svg_path(m, paint, count, x, y);
}

static sporf_status draw_series(spf_markup *m, const frame *f, const spf_series *s) {
    if (s->mark == SPF_MARK_HISTOGRAM || s->mark == SPF_MARK_POINTS) {
        (s->mark == SPF_MARK_POINTS ? draw_points : draw_histogram)(m, f, s);
        return SPORF_OK;
    }
    double *points = spf_alloc(4 * s->count, sizeof *points);
    if (!points) return spf_raise_memory();
    draw_line(m, f, s, points, points + 2 * s->count);
    free(points);
    return SPORF_OK;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static int same_cell(const spf_cells *cells, size_t a, size_t b) {
    return (!cells->tones || cells->tones[a] == cells->tones[b]) &&
           (!cells->shares || cells->shares[a] == cells->shares[b]);
}

/* Equal neighbours in a row are one box. */
static void draw_cells(spf_markup *m, const frame *f) {
    const spf_cells *cells = f->chart->cells;
    double width = (f->right - f->left) / (double)cells->columns;
    double height = (f->bottom - f->top) / (double)cells->rows;
    spf_markup_put(m, "<g shape-rendering='crispEdges'>");
    for (size_t row = 0; row < cells->rows; row++)
        for (size_t column = 0, end; column < cells->columns; column = end) {
            size_t at = row * cells->columns + column;
            for (end = column + 1; end < cells->columns; end++)
                if (!same_cell(cells, at, at + end - column)) break;
            /* Whole pixels, so that neighbours meet without a seam. */
            double x = round(f->left + (double)column * width);
            double wide = round(f->left + (double)end * width) - x;
            double y = round(f->bottom - (double)(row + 1) * height);
            double high = round(f->bottom - (double)row * height) - y;
            if (cells->shares)
                spf_svg_shade(m, cells->shares[at], x, y, wide, high);
            else
                spf_svg_rect(m, SPF_PAINT_BAND + cells->tones[at] % SPF_TONES, x, y, wide, high, 0);
        }
    spf_markup_put(m, "</g>");
}

/* ---- the chart ------------------------------------------------------------------------------- */

static spf_legend legend_of(const spf_chart *chart, size_t i) {
    const spf_series *s = &chart->series[i];
    return (spf_legend){.name = s->name,
                        .paint = s->mark == SPF_MARK_DASHED ? SPF_PAINT_DASHED
                                 : s->mark == SPF_MARK_LINE || s->mark == SPF_MARK_STEPS
                                     ? SPF_PAINT_LINE + s->tone % SPF_TONES
                                     : SPF_PAINT_AREA + s->tone % SPF_TONES};
}

static double draw_legends(spf_markup *m, const spf_chart *chart, double width, double top) {
    double x = 8, y = top;
    int any = 0;
    for (size_t i = 0; i < chart->count; i++) {
        spf_legend legend = legend_of(chart, i);
        if (!legend.name) continue;
        spf_legend_draw(m, &legend, width, &x, &y);
        any = 1;
    }
    return any ? y + 18 : top;
}

void spf_chart_draw(spf_markup *m, const spf_chart *chart) {
    spf_svg svg = chart->svg;
    if (svg.width <= 0) svg.width = SPF_CHART_WIDTH;
    if (svg.height <= 0) svg.height = SPF_CHART_HEIGHT;
    double x[2] = {NAN, NAN}, y[2] = {NAN, NAN};
    find_ranges(chart, x, y);
    frame f = {.chart = chart,
               .x = spf_axis_make(x[0], x[1], SPF_CHART_TICKS, 0),
               .y = spf_axis_make(y[0], y[1], SPF_CHART_TICKS, !chart->cells)};
    spf_svg_open(m, &svg);
    f.top = draw_legends(m, chart, svg.width, spf_title_draw(m, &svg)) + 6;
    f.left = widest_tick(&f.y) + (chart->y_label ? 26 : 10), f.right = svg.width - 14;
    f.bottom = svg.height - (chart->x_label ? 38 : 22);
    f.x.start = f.left, f.x.end = f.right;
    f.y.start = f.bottom, f.y.end = f.top;
    draw_y_axis(m, &f);
    if (chart->cells) draw_cells(m, &f);
    for (size_t i = 0; i < chart->count && m->status == SPORF_OK; i++)
        m->status = draw_series(m, &f, &chart->series[i]);
    draw_x_axis(m, &f);
    spf_svg_close(m);
}
