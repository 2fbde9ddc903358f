/* What charts have above their axes. */
#include "draw/legend.h"

enum { NAME_MOST = 40, SAMPLE = 18, LINE_HEIGHT = 16 };

/* The bytes of a title that stand on its first line: up to a blank, if it is too long for one. */
static size_t first_line(const char *title, size_t room) {
    const char *end = title, *blank = NULL;
    uint32_t c;
    for (size_t i = 0; *end && i < room; i++) {
        if (*end == ' ') blank = end;
        end = spf_utf8_next(end, &c);
    }
    return (size_t)((*end && blank ? blank : end) - title);
}

double spf_title_draw(spf_markup *m, const spf_svg *svg) {
    if (!svg->alone) return 4;
    size_t room = spf_svg_text_room(svg->width - 16), length = first_line(svg->title, room);
    spf_markup line = {0};
    spf_markup_format(&line, "%.*s", (int)length, svg->title);
    if (line.status == SPORF_OK)
        spf_svg_text(m, SPF_PAINT_TEXT, 8, 16, SPF_ANCHOR_START, line.text, 0);
    else if (m->status == SPORF_OK)
        m->status = line.status;
    spf_markup_free(&line);
    if (!svg->title[length]) return 22;
    const char *rest = svg->title + length;
    spf_svg_text(m, SPF_PAINT_TEXT, 8, 16 + LINE_HEIGHT, SPF_ANCHOR_START, rest + (*rest == ' '),
                 room);
    return 22 + LINE_HEIGHT;
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
