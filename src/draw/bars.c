/* Horizontal bars with names before and numbers behind them. */
#include "draw/axis.h"
#include "draw/chart.h"
#include "draw/legend.h"

#include <math.h>

typedef struct frame {
    const spf_bars *bars;
    spf_axis x;
    double width, left, top, thick, row; /* of the area of bars; a bar, and all bars of a name */
} frame;

static double width_of_names(const spf_bars *bars, double width) {
    double widest = 0;
    for (size_t i = 0; i < bars->count; i++)
        widest = fmax(widest, spf_svg_text_width(bars->names[i], 0));
    return fmin(widest, 0.42 * width);
}

static void value_text(const spf_bars *bars, double value, char text[SPF_NUMBER_SHOWN_MAX]) {
    spf_number_shown(value, bars->digits > 0 ? bars->digits : 3, text);
}

static double width_of_values(const spf_bars *bars) {
    double widest = 0;
    for (size_t i = 0; i < bars->count * bars->series; i++) {
        char text[SPF_NUMBER_SHOWN_MAX];
        value_text(bars, bars->values[i], text);
        widest = fmax(widest, spf_svg_text_width(text, 0));
    }
    return widest;
}

static spf_axis axis_of(const spf_bars *bars) {
    double low = 0, high = 0;
    size_t count = bars->count * bars->series;
    spf_axis_widen(&low, &high, count, bars->values);
    if (bars->low) spf_axis_widen(&low, &high, count, bars->low);
    if (bars->high) spf_axis_widen(&low, &high, count, bars->high);
    if (low == high) high = 1;
    return spf_axis_make(low, high, 5, 0);
}

static void draw_bar(spf_markup *m, const frame *f, size_t at, size_t series, double y) {
    const spf_bars *bars = f->bars;
    double value = bars->values[at], zero = spf_axis_at(&f->x, 0);
    if (!isfinite(value)) return;
    double end = spf_axis_at(&f->x, value), last = fmax(zero, end);
    spf_svg_rect(m, SPF_PAINT_AREA + series % SPF_TONES, fmin(zero, end), y,
                 fmax(fabs(end - zero), 0.8), f->thick, 1.5);
    if (bars->low && bars->high && isfinite(bars->low[at]) && isfinite(bars->high[at])) {
        double high = spf_axis_at(&f->x, bars->high[at]), middle = y + f->thick / 2;
        spf_svg_line(m, SPF_PAINT_WHISKER, spf_axis_at(&f->x, bars->low[at]), middle, high, middle);
        last = fmax(last, high);
    }
    char text[SPF_NUMBER_SHOWN_MAX];
    value_text(bars, value, text);
    spf_svg_text(m, SPF_PAINT_FAINT, last + 5, y + f->thick / 2 + 4, SPF_ANCHOR_START, text, 0);
}

static double draw_legends(spf_markup *m, const spf_bars *bars, double width, double top) {
    double x = 8, y = top;
    if (!bars->series_names) return top;
    for (size_t s = 0; s < bars->series; s++) {
        spf_legend legend = {.name = bars->series_names[s],
                             .paint = SPF_PAINT_AREA + s % SPF_TONES};
        spf_legend_draw(m, &legend, width, &x, &y);
    }
    return y + 20;
}

static void draw_rows(spf_markup *m, const frame *f) {
    const spf_bars *bars = f->bars;
    for (size_t i = 0; i < bars->count; i++) {
        double y = f->top + (double)i * f->row;
        for (size_t s = 0; s < bars->series; s++)
            draw_bar(m, f, i * bars->series + s, s, y + 2 + (double)s * (f->thick + 1));
        spf_svg_text(m, SPF_PAINT_TEXT, f->left - 6, y + f->row / 2 + 3, SPF_ANCHOR_END,
                     bars->names[i], spf_svg_text_room(f->left - 10));
    }
    double zero = spf_axis_at(&f->x, 0), bottom = f->top + (double)bars->count * f->row;
    spf_svg_line(m, SPF_PAINT_AXIS, zero, f->top, zero, bottom);
    if (bars->x_label)
        spf_svg_text(m, SPF_PAINT_TEXT, f->left, bottom + 15, SPF_ANCHOR_START, bars->x_label,
                     spf_svg_text_room(f->width - f->left));
}

static double height_above(const spf_bars *bars, const spf_svg *svg) {
    spf_markup nothing = {.status = SPORF_ERROR_CANCELLED}; /* takes no text */
    return draw_legends(&nothing, bars, svg->width, spf_title_draw(&nothing, svg));
}

void spf_bars_draw(spf_markup *m, const spf_bars *bars) {
    spf_svg svg = bars->svg;
    if (svg.width <= 0) svg.width = SPF_CHART_WIDTH;
    frame f = {
        .bars = bars, .x = axis_of(bars), .width = svg.width, .thick = bars->series > 1 ? 11 : 13};
    f.row = (double)bars->series * (f.thick + 1) + 5;
    f.top = height_above(bars, &svg);
    svg.height = f.top + (double)bars->count * f.row + (bars->x_label ? 22 : 4);
    f.left = width_of_names(bars, svg.width) + 14;
    f.x.start = f.left, f.x.end = svg.width - width_of_values(bars) - 10;
    spf_svg_open(m, &svg);
    draw_legends(m, bars, svg.width, spf_title_draw(m, &svg));
    draw_rows(m, &f);
    spf_svg_close(m);
}
