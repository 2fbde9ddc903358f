/* Elements of an SVG picture. */
#include "draw/svg.h"

#include <math.h>

/* Light, then dark. Each tone has a contrast of at least 3 to 1 with either background; neighbours
 * differ in lightness, too, for those who see fewer colours. */
static const char *const light[SPF_TONES] = {"#1d5fa6", "#c1560b", "#177a4c", "#7d3fa3",
                                             "#b0233a", "#0b7282", "#77582a", "#59616d"};

const char spf_svg_style[] =
    ":root{--Paper:#fff;--Ink:#1b1f24;--Faint:#59616d;--Grid:#e3e6ea;--Axis:#8b939e;"
    "--T0:#1d5fa6;--T1:#c1560b;--T2:#177a4c;--T3:#7d3fa3;--T4:#b0233a;--T5:#0b7282;--T6:#77582a;"
    "--T7:#59616d}"
    "@media(prefers-color-scheme:dark){:root{--Paper:#14171b;--Ink:#e8eaed;--Faint:#a3abb6;"
    "--Grid:#2c3138;--Axis:#6d7682;"
    "--T0:#6cb0ff;--T1:#f3a05f;--T2:#62cd97;--T3:#c8a0ee;--T4:#ff8f9a;--T5:#5fcddb;--T6:#d3b68c;"
    "--T7:#a9b2be}}"
    "@media print{:root{--Paper:#fff;--Ink:#000;--Faint:#444;--Grid:#ddd;--Axis:#777;"
    "--T0:#1d5fa6;--T1:#c1560b;--T2:#177a4c;--T3:#7d3fa3;--T4:#b0233a;--T5:#0b7282;--T6:#77582a;"
    "--T7:#59616d}}"
    ".sg text{font:11px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}"
    ".sg .t{fill:var(--Ink)}.sg .f{fill:var(--Faint)}.sg .p{fill:var(--Paper)}"
    ".sg .g{stroke:var(--Grid)}.sg .x{stroke:var(--Axis)}.sg .d{stroke:var(--Faint)}"
    ".sg .w{stroke:var(--Ink)}"
    ".sg .l0{stroke:var(--T0)}.sg .l1{stroke:var(--T1)}.sg .l2{stroke:var(--T2)}"
    ".sg .l3{stroke:var(--T3)}.sg .l4{stroke:var(--T4)}.sg .l5{stroke:var(--T5)}"
    ".sg .l6{stroke:var(--T6)}.sg .l7{stroke:var(--T7)}"
    ".sg .a0,.sg .b0{fill:var(--T0)}.sg .a1,.sg .b1{fill:var(--T1)}"
    ".sg .a2,.sg .b2{fill:var(--T2)}.sg .a3,.sg .b3{fill:var(--T3)}"
    ".sg .a4,.sg .b4{fill:var(--T4)}.sg .a5,.sg .b5{fill:var(--T5)}"
    ".sg .a6,.sg .b6{fill:var(--T6)}.sg .a7,.sg .b7{fill:var(--T7)}";

/* The class of a paint, and what it is without styles. */
static void put_paint(spf_markup *m, spf_paint paint) {
    /* Lines of different tones have different dashes, for those who print without colours. */
    static const char *const dashes[SPF_TONES] = {"",    "7 3",  "2 2", "9 3 2 3",
                                                  "4 4", "12 4", "1 3", "6 2 2 2"};
    static const char *const plain[SPF_PAINT_LINE] = {
        "class='t' fill='#1b1f24'",
        "class='f' fill='#59616d'",
        "class='p' fill='#fff'",
        "class='g' stroke='#e3e6ea'",
        "class='x' stroke='#8b939e'",
        "class='d' stroke='#59616d' stroke-dasharray='3 3' fill='none'",
        "class='w' stroke='#1b1f24' stroke-width='1.4'",
    };
    if (paint < SPF_PAINT_LINE) {
        spf_markup_put(m, plain[paint]);
        return;
    }
    int tone = (int)(paint - SPF_PAINT_LINE) % SPF_TONES;
    if (paint >= SPF_PAINT_BAND)
        spf_markup_format(m, "class='b%d' fill='%s' fill-opacity='.2'", tone, light[tone]);
    else if (paint >= SPF_PAINT_AREA)
        spf_markup_format(m, "class='a%d' fill='%s'", tone, light[tone]);
    else
        spf_markup_format(m, "class='l%d' stroke='%s' stroke-width='1.8' fill='none'", tone,
                          light[tone]);
    if (paint < SPF_PAINT_AREA && *dashes[tone])
        spf_markup_format(m, " stroke-dasharray='%s'", dashes[tone]);
}

/* One decimal is a tenth of a pixel. */
static void put_length(spf_markup *m, const char *name, double value) {
    spf_markup_put(m, name);
    spf_markup_fixed(m, value, 1);
    spf_markup_put(m, "'");
}

static void open_element(spf_markup *m, const char *name, spf_paint paint) {
    spf_markup_put(m, "<");
    spf_markup_put(m, name);
    spf_markup_put(m, " ");
    put_paint(m, paint);
}

void spf_svg_open(spf_markup *m, const spf_svg *svg) {
    spf_markup_put(m, svg->alone ? "<svg xmlns='http://www.w3.org/2000/svg' " : "<svg ");
    spf_markup_format(m, "class='sg' role='img' aria-labelledby='t%u d%u' viewBox='0 0 ", svg->id,
                      svg->id);
    spf_markup_fixed(m, svg->width, 1);
    spf_markup_put(m, " ");
    spf_markup_fixed(m, svg->height, 1);
    put_length(m, "' width='", svg->width);
    put_length(m, " height='", svg->height);
    spf_markup_format(m, " font-family='sans-serif' font-size='11'><title id='t%u'>", svg->id);
    spf_markup_text(m, svg->title, 0);
    spf_markup_format(m, "</title><desc id='d%u'>", svg->id);
    spf_markup_text(m, svg->description, 0);
    spf_markup_put(m, "</desc>");
    if (!svg->alone) return;
    spf_markup_put(m, "<style>");
    spf_markup_put(m, spf_svg_style);
    spf_markup_put(m, "</style>");
    spf_svg_rect(m, SPF_PAINT_PAPER, 0, 0, svg->width, svg->height, 0);
}

void spf_svg_close(spf_markup *m) {
    spf_markup_put(m, "</svg>\n");
}

void spf_svg_line(spf_markup *m, spf_paint paint, double x1, double y1, double x2, double y2) {
    open_element(m, "line", paint);
    put_length(m, " x1='", x1);
    put_length(m, " y1='", y1);
    put_length(m, " x2='", x2);
    put_length(m, " y2='", y2);
    spf_markup_put(m, "/>");
}

static void put_box(spf_markup *m, double x, double y, double width, double height) {
    put_length(m, " x='", x);
    put_length(m, " y='", y);
    put_length(m, " width='", width > 0 ? width : 0);
    put_length(m, " height='", height > 0 ? height : 0);
}

void spf_svg_rect(spf_markup *m, spf_paint paint, double x, double y, double width, double height,
                  double radius) {
    open_element(m, "rect", paint);
    put_box(m, x, y, width, height);
    if (radius > 0) put_length(m, " rx='", radius);
    spf_markup_put(m, "/>");
}

void spf_svg_shade(spf_markup *m, double share, double x, double y, double width, double height) {
    open_element(m, "rect", SPF_PAINT_AREA);
    put_box(m, x, y, width, height);
    spf_markup_put(m, " fill-opacity='");
    spf_markup_fixed(m, share / 2, 3);
    spf_markup_put(m, "'/>");
}

void spf_svg_circle(spf_markup *m, spf_paint paint, double x, double y, double radius) {
    open_element(m, "circle", paint);
    put_length(m, " cx='", x);
    put_length(m, " cy='", y);
    put_length(m, " r='", radius);
    spf_markup_put(m, "/>");
}

/* Returns whether there is a point at all. */
static int put_points(spf_markup *m, size_t count, const double *x, const double *y) {
    int is_open = 0, any = 0;
    for (size_t i = 0; i < count; i++) {
        int is_point = isfinite(x[i]) && isfinite(y[i]);
        if (is_point) {
            spf_markup_put(m, is_open ? "L" : "M");
            spf_markup_fixed(m, x[i], 1);
            spf_markup_put(m, " ");
            spf_markup_fixed(m, y[i], 1);
        }
        is_open = is_point;
        any |= is_point;
    }
    return any;
}

void spf_svg_path(spf_markup *m, spf_paint paint, size_t count, const double *x, const double *y) {
    open_element(m, "path", paint);
    spf_markup_put(m, " stroke-linejoin='round' d='");
    if (!put_points(m, count, x, y)) spf_markup_put(m, "M0 0");
    spf_markup_put(m, "'/>");
}

void spf_svg_shape(spf_markup *m, spf_paint paint, size_t count, const double *x, const double *y) {
    open_element(m, "path", paint);
    spf_markup_put(m, " d='");
    spf_markup_put(m, put_points(m, count, x, y) ? "Z'/>" : "M0 0'/>");
}

/* ---- text ------------------------------------------------------------------------------------ */

static void put_words(spf_markup *m, spf_anchor anchor, const char *text, size_t most) {
    static const char *const anchors[] = {"", " text-anchor='middle'", " text-anchor='end'"};
    spf_markup_put(m, anchors[anchor]);
    spf_markup_put(m, ">");
    spf_markup_text(m, text, most);
    spf_markup_put(m, "</text>");
}

void spf_svg_text(spf_markup *m, spf_paint paint, double x, double y, spf_anchor anchor,
                  const char *text, size_t most) {
    open_element(m, "text", paint);
    put_length(m, " x='", x);
    put_length(m, " y='", y);
    put_words(m, anchor, text, most);
}

void spf_svg_text_upwards(spf_markup *m, spf_paint paint, double x, double y, spf_anchor anchor,
                          const char *text, size_t most) {
    open_element(m, "text", paint);
    spf_markup_put(m, " transform='translate(");
    spf_markup_fixed(m, x, 1);
    spf_markup_put(m, " ");
    spf_markup_fixed(m, y, 1);
    spf_markup_put(m, ") rotate(-90)'");
    put_words(m, anchor, text, most);
}

#define CHARACTER_WIDTH 6.6 /* of 11 pixels high letters, on average */

double spf_svg_text_width(const char *text, size_t most) {
    double width = 0;
    uint32_t c;
    for (size_t i = 0; *text && (most == 0 || i < most); i++) {
        text = spf_utf8_next(text, &c);
        width += c >= 0x1100 ? 2 * CHARACTER_WIDTH : CHARACTER_WIDTH;
    }
    return width;
}

size_t spf_svg_text_room(double width) {
    return width < CHARACTER_WIDTH ? 1 : (size_t)(width / CHARACTER_WIDTH);
}
