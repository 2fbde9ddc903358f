/* Elements of an SVG picture. Colours are classes, so that the style of a page, or the picture's
 * own, chooses them for light and dark; attributes say the same for programs without styles. */
#ifndef SPF_DRAW_SVG_H
#define SPF_DRAW_SVG_H

#include "draw/markup.h"

/* Different things next to each other have different tones; there are that many, then they repeat.
 */
enum { SPF_TONES = 8 };

typedef enum spf_paint {
    SPF_PAINT_TEXT,  /* words */
    SPF_PAINT_FAINT, /* words that matter less, such as numbers of axes */
    SPF_PAINT_PAPER, /* what lies behind */
    SPF_PAINT_GRID,
    SPF_PAINT_AXIS,
    SPF_PAINT_DASHED,  /* a line to compare with */
    SPF_PAINT_WHISKER, /* an interval */
    SPF_PAINT_LINE,    /* the line of tone 0; SPF_PAINT_LINE + t: of tone t */
    SPF_PAINT_AREA = SPF_PAINT_LINE + SPF_TONES, /* filled with a tone */
    SPF_PAINT_BAND = SPF_PAINT_AREA + SPF_TONES, /* filled with a tone, most of it transparent */
    SPF_PAINTS = SPF_PAINT_BAND + SPF_TONES,
} spf_paint;

typedef struct spf_svg {
    double width, height;
    /* What it shows, in a few words, and what is to be seen, for those who do not see it. Both are
     * escaped. */
    const char *title, *description;
    unsigned id; /* another one for each picture of a page */
    int alone;   /* a file of its own: with a style and a background */
} spf_svg;

/* The style of all pictures, for a page that has some: the contents of a style element. */
extern const char spf_svg_style[];

void spf_svg_open(spf_markup *markup, const spf_svg *svg);
void spf_svg_close(spf_markup *markup);

void spf_svg_line(spf_markup *markup, spf_paint paint, double x1, double y1, double x2, double y2);
/* Corners are rounded by `radius`. */
void spf_svg_rect(spf_markup *markup, spf_paint paint, double x, double y, double width,
                  double height, double radius);
/* A box filled with tone 0, the stronger the larger a share from 0 to 1. Text is readable on it. */
void spf_svg_shade(spf_markup *markup, double share, double x, double y, double width,
                   double height);
void spf_svg_circle(spf_markup *markup, spf_paint paint, double x, double y, double radius);
/* A line through points; a gap where one is NaN. */
void spf_svg_path(spf_markup *markup, spf_paint paint, size_t count, const double *x,
                  const double *y);
/* The area within points. */
void spf_svg_shape(spf_markup *markup, spf_paint paint, size_t count, const double *x,
                   const double *y);

typedef enum spf_anchor { SPF_ANCHOR_START, SPF_ANCHOR_MIDDLE, SPF_ANCHOR_END } spf_anchor;

/* Text that begins, has its middle or ends at x, with its baseline at y; escaped, and cut to `most`
 * characters unless that is 0. */
void spf_svg_text(spf_markup *markup, spf_paint paint, double x, double y, spf_anchor anchor,
                  const char *text, size_t most);
/* The same, turned to run upwards. */
void spf_svg_text_upwards(spf_markup *markup, spf_paint paint, double x, double y,
                          spf_anchor anchor, const char *text, size_t most);

/* About how wide the text is, and how many characters have room in a width. */
double spf_svg_text_width(const char *text, size_t most);
size_t spf_svg_text_room(double width);

#endif
