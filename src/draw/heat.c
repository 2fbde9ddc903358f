/* Heat maps: a table of shades, with numbers in the cells if they have room. */
#include "draw/chart.h"
#include "draw/legend.h"

#include <math.h>

typedef struct frame {
    const spf_heat *heat;
    double left, top, cell_width, cell_height;
} frame;

static double widest(const char *const *names, size_t count) {
    double width = 0;
    for (size_t i = 0; i < count; i++) width = fmax(width, spf_svg_text_width(names[i], 0));
    return width;
}

static void draw_cell(spf_markup *m, const frame *f, size_t row, size_t column) {
    size_t at = row * f->heat->columns + column;
    double x = f->left + (double)column * f->cell_width;
    double y = f->top + (double)row * f->cell_height, share = f->heat->shares[at];
    if (share > 0) spf_svg_shade(m, share, x, y, f->cell_width, f->cell_height);
    if (!f->heat->values) return;
    char text[SPF_NUMBER_SHOWN_MAX];
    spf_number_shown(f->heat->values[at], 3, text);
    if (spf_svg_text_width(text, 0) > f->cell_width) return;
    spf_svg_text(m, SPF_PAINT_TEXT, x + f->cell_width / 2, y + f->cell_height / 2 + 4,
                 SPF_ANCHOR_MIDDLE, text, 0);
}

static void draw_grid(spf_markup *m, const frame *f) {
    const spf_heat *heat = f->heat;
    double right = f->left + (double)heat->columns * f->cell_width;
    double bottom = f->top + (double)heat->rows * f->cell_height;
    for (size_t i = 0; i <= heat->rows; i++) {
        double y = f->top + (double)i * f->cell_height;
        spf_svg_line(m, SPF_PAINT_GRID, f->left, y, right, y);
    }
    for (size_t k = 0; k <= heat->columns; k++) {
        double x = f->left + (double)k * f->cell_width;
        spf_svg_line(m, SPF_PAINT_GRID, x, f->top, x, bottom);
    }
}

/* Names of columns run upwards if one is wider than its cell. */
static void draw_names(spf_markup *m, const frame *f, int upwards, double names_height) {
    const spf_heat *heat = f->heat;
    for (size_t i = 0; i < heat->rows; i++)
        spf_svg_text(m, SPF_PAINT_TEXT, f->left - 6,
                     f->top + ((double)i + 0.5) * f->cell_height + 4, SPF_ANCHOR_END,
                     heat->row_names[i], spf_svg_text_room(f->left - 24));
    for (size_t k = 0; k < heat->columns; k++) {
        double x = f->left + ((double)k + 0.5) * f->cell_width;
        if (upwards)
            spf_svg_text_upwards(m, SPF_PAINT_TEXT, x + 4, f->top - 6, SPF_ANCHOR_START,
                                 heat->column_names[k], spf_svg_text_room(names_height));
        else
            spf_svg_text(m, SPF_PAINT_TEXT, x, f->top - 6, SPF_ANCHOR_MIDDLE, heat->column_names[k],
                         0);
    }
}

static void draw_labels(spf_markup *m, const frame *f, double top) {
    const spf_heat *heat = f->heat;
    double right = f->left + (double)heat->columns * f->cell_width;
    double bottom = f->top + (double)heat->rows * f->cell_height;
    spf_svg_text(m, SPF_PAINT_FAINT, (f->left + right) / 2, top + 10, SPF_ANCHOR_MIDDLE,
                 heat->column_label, 0);
    spf_svg_text_upwards(m, SPF_PAINT_FAINT, 11, (f->top + bottom) / 2, SPF_ANCHOR_MIDDLE,
                         heat->row_label, 0);
}

void spf_heat_draw(spf_markup *m, const spf_heat *heat) {
    spf_svg svg = heat->svg;
    if (svg.width <= 0) svg.width = SPF_CHART_WIDTH;
    spf_markup nothing = {.status = SPORF_ERROR_CANCELLED}; /* takes no text */
    frame f = {.heat = heat};
    double above = spf_title_draw(&nothing, &svg);
    f.left = fmin(widest(heat->row_names, heat->rows), 0.3 * svg.width) + 32;
    f.cell_width = fmin((svg.width - f.left - 6) / (double)heat->columns, 90);
    f.cell_height = fmax(fmin(f.cell_width, 28), heat->rows > 20 ? 12 : 16);
    double names = widest(heat->column_names, heat->columns);
    int upwards = names > f.cell_width - 4;
    double names_height = upwards ? fmin(names, 90) : 10;
    f.top = above + 18 + names_height + 8;
    svg.height = f.top + (double)heat->rows * f.cell_height + 6;
    spf_svg_open(m, &svg);
    spf_title_draw(m, &svg);
    for (size_t i = 0; i < heat->rows; i++)
        for (size_t k = 0; k < heat->columns; k++) draw_cell(m, &f, i, k);
    draw_grid(m, &f);
    draw_names(m, &f, upwards, names_height);
    draw_labels(m, &f, above);
    spf_svg_close(m);
}
