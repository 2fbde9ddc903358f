/* Figures: a picture, its caption, and its numbers in a table. */
#include "report/page.h"

#include <math.h>
#include <stdio.h>

enum { POINTS_MOST = 25, TEXT_MOST = 512 };

void spf_figures_open(spf_page *page) {
    spf_markup_put(&page->body, "<div class='figures'>\n");
}

void spf_figures_close(spf_page *page) {
    spf_markup_put(&page->body, "</div>\n");
}

/* The figure up to its picture, which gets the next number. */
static spf_svg open_figure(spf_page *page, const char *caption, const char *description,
                           spf_svg svg) {
    spf_markup_put(&page->body, "<figure><figcaption>");
    spf_markup_text(&page->body, caption, 200);
    spf_markup_put(&page->body, "</figcaption>\n");
    svg.id = ++page->pictures;
    svg.title = caption;
    svg.description = description;
    return svg;
}

static void open_numbers(spf_page *page) {
    spf_markup_put(&page->body, "<details><summary>Numbers</summary>");
}

static void close_figure(spf_page *page) {
    spf_markup_put(&page->body, "</details></figure>\n");
}

/* ---- charts ---------------------------------------------------------------------------------- */

/* The index of the i-th of `shown` points among `count`. */
static size_t point_shown(size_t i, size_t shown, size_t count) {
    return shown < 2 ? 0 : i * (count - 1) / (shown - 1);
}

static void put_series(spf_page *page, const spf_series *s, int named, int bands) {
    size_t shown = s->count < POINTS_MOST ? s->count : POINTS_MOST;
    for (size_t i = 0; i < shown; i++) {
        size_t at = point_shown(i, shown, s->count);
        spf_row_open(page);
        if (named) spf_cell_text(page, s->name ? s->name : "");
        spf_cell_number(page, s->x[at], 5);
        if (s->mark == SPF_MARK_HISTOGRAM) spf_cell_number(page, s->x[at + 1], 5);
        spf_cell_number(page, s->y[at], 4);
        if (bands) {
            spf_cell_number(page, s->low ? s->low[at] : NAN, 4);
            spf_cell_number(page, s->high ? s->high[at] : NAN, 4);
        }
        spf_row_close(page);
    }
}

static void put_chart_numbers(spf_page *page, const char *caption, const spf_chart *chart) {
    char x[128];
    const char *heads[6];
    size_t count = 0;
    int named = chart->count > 1, bands = 0, histogram = 0;
    for (size_t i = 0; i < chart->count; i++) {
        bands |= chart->series[i].low != NULL;
        histogram |= chart->series[i].mark == SPF_MARK_HISTOGRAM;
    }
    snprintf(x, sizeof x, "%.100s%s", chart->x_label, histogram ? " from" : "");
    if (named) heads[count++] = "series";
    heads[count++] = x;
    if (histogram) heads[count++] = "to";
    heads[count++] = chart->y_label;
    if (bands) heads[count++] = "low", heads[count++] = "high";
    open_numbers(page);
    spf_table_open(page, caption, heads, count, named ? "tn" : "n");
    for (size_t i = 0; i < chart->count; i++)
        if (chart->series[i].mark != SPF_MARK_DASHED)
            put_series(page, &chart->series[i], named, bands);
    spf_table_close(page);
}

void spf_figure_chart(spf_page *page, const char *caption, const spf_chart *chart) {
    char text[TEXT_MOST];
    spf_chart own = *chart;
    snprintf(text, sizeof text, "A chart of %.150s by %.150s. The table below has its numbers.",
             chart->y_label, chart->x_label);
    own.svg = open_figure(page, caption, text, chart->svg);
    spf_chart_draw(&page->body, &own);
    put_chart_numbers(page, caption, chart);
    close_figure(page);
}

/* ---- bars ------------------------------------------------------------------------------------ */

void spf_figure_bars(spf_page *page, const char *caption, const char *head, const spf_bars *bars) {
    const char *heads[SPF_TONES + 3] = {head};
    spf_bars own = *bars;
    size_t columns = bars->series < SPF_TONES ? bars->series : SPF_TONES;
    own.svg = open_figure(page, caption, "Bars. The table below has their numbers.", bars->svg);
    spf_bars_draw(&page->body, &own);
    for (size_t s = 0; s < columns; s++)
        heads[1 + s] = bars->series_names ? bars->series_names[s] : bars->x_label;
    int intervals = bars->low && bars->high && columns == 1;
    if (intervals) heads[2] = "low", heads[3] = "high";
    open_numbers(page);
    spf_table_open(page, caption, heads, 1 + columns + (intervals ? 2 : 0), "tn");
    for (size_t i = 0; i < bars->count; i++) {
        spf_row_open(page);
        spf_cell_head(page, bars->names[i]);
        for (size_t s = 0; s < columns; s++)
            spf_cell_number(page, bars->values[i * bars->series + s], 4);
        if (intervals) {
            spf_cell_number(page, bars->low[i], 4);
            spf_cell_number(page, bars->high[i], 4);
        }
        spf_row_close(page);
    }
    spf_table_close(page);
    close_figure(page);
}

/* ---- heat maps ------------------------------------------------------------------------------- */

void spf_figure_heat(spf_page *page, const char *caption, const spf_heat *heat) {
    spf_heat own = *heat;
    own.svg = open_figure(page, caption, "A table of shades. The table below has its numbers.",
                          heat->svg);
    spf_heat_draw(&page->body, &own);
    open_numbers(page);
    const char *heads[SPF_PAGE_HEAT_MOST + 1] = {heat->row_label};
    for (size_t k = 0; k < heat->columns; k++) heads[1 + k] = heat->column_names[k];
    spf_table_open(page, caption, heads, 1 + heat->columns, "tn");
    for (size_t i = 0; i < heat->rows; i++) {
        spf_row_open(page);
        spf_cell_head(page, heat->row_names[i]);
        for (size_t k = 0; k < heat->columns; k++)
            spf_cell_number(page, heat->values[i * heat->columns + k], 6);
        spf_row_close(page);
    }
    spf_table_close(page);
    close_figure(page);
}
