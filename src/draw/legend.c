/* What charts have above their axes. */
#include "draw/legend.h"

enum { NAME_MOST = 40, SAMPLE = 18, LINE_HEIGHT = 16 };

double spf_title_draw(spf_markup *m, const spf_svg *svg) {
    if (!svg->alone) return 4;
    spf_svg_text(m, SPF_PAINT_TEXT, 8, 16, SPF_ANCHOR_START, svg->title,
                 spf_svg_text_room(svg->width - 16));
    return 22;
}

void spf_legend_draw(spf_markup *m, const spf_legend *legend, double width, double *x, double *y) {
    double needs = SAMPLE + 6 + spf_svg_text_width(legend->name, NAME_MOST) + 12;
    if (*x > 8 && *x + needs > width) *x = 8, *y += LINE_HEIGHT;
    if (legend->paint < SPF_PAINT_AREA)
        spf_svg_line(m, legend->paint, *x, *y + 8, *x + SAMPLE, *y + 8);
    else
        spf_svg_rect(m, legend->paint, *x + 4, *y + 3, 10, 10, 2);
    spf_svg_text(m, SPF_PAINT_TEXT, *x + SAMPLE + 6, *y + 12, SPF_ANCHOR_START, legend->name,
                 NAME_MOST);
    *x += needs;
}
