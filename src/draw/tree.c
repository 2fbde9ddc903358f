/* Draws a tree of boxes: lines to the children first, then the boxes with their text and bars. */
#include "draw/tree.h"

#include "draw/legend.h"

#include <math.h>
#include <stdlib.h>

enum { LINE = 14, PAD = 7, BAR = 5, GAP = 14, RISE = 30, MARGIN = 10, LEAST_WIDTH = 54 };

/* Where all boxes are. */
typedef struct places {
    double *middle, *width; /* [count] */
    double *top;            /* [levels + 1]: of the levels */
    size_t levels;
    double right; /* end of the whole */
} places;

static double height_of(const spf_box *box) {
    return PAD + (double)box->lines_count * LINE + (box->parts_count > 0 ? BAR + 4 : 0) + 4;
}

static double width_of(const spf_box *box) {
    double width = LEAST_WIDTH;
    for (size_t i = 0; i < box->lines_count; i++)
        width = fmax(width, spf_svg_text_width(box->lines[i], 0) + 2 * PAD);
    return width;
}

static void places_free(places *p) {
    free(p->middle);
    free(p->width);
    free(p->top);
}

/* Each level is as high as its highest box. */
static void find_tops(const spf_tree_picture *picture, places *p) {
    for (size_t i = 0; i < picture->count; i++) {
        double *height = &p->top[picture->boxes[i].depth + 1];
        *height = fmax(*height, height_of(&picture->boxes[i]));
    }
    for (size_t i = 0; i < p->levels; i++) p->top[i + 1] += p->top[i] + RISE;
}

static sporf_status find_places(const spf_tree_picture *picture, places *p) {
    size_t count = picture->count;
    for (size_t i = 0; i < count; i++)
        if (picture->boxes[i].depth >= p->levels) p->levels = picture->boxes[i].depth + 1;
    p->middle = spf_alloc_zero(count, sizeof *p->middle);
    p->width = spf_alloc(count, sizeof *p->width);
    p->top = spf_alloc_zero(p->levels + 1, sizeof *p->top);
    if (!p->middle || !p->width || !p->top) return spf_raise_memory();
    for (size_t i = 0; i < count; i++) p->width[i] = width_of(&picture->boxes[i]);
    SPF_TRY(spf_tree_layout(count, picture->boxes, p->width, GAP, p->middle));
    for (size_t i = 0; i < count; i++) p->right = fmax(p->right, p->middle[i] + p->width[i] / 2);
    find_tops(picture, p);
    return SPORF_OK;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static void draw_branch(spf_markup *m, const spf_tree_picture *picture, const places *p,
                        size_t from, size_t to, const char *words) {
    const spf_box *box = &picture->boxes[from];
    double x1 = p->middle[from], x2 = p->middle[to];
    double y1 = p->top[box->depth] + height_of(box), y2 = p->top[box->depth + 1];
    double bend = y2 - RISE / 2.0;
    double x[] = {x1, x1, x2, x2}, y[] = {y1, bend, bend, y2};
    for (size_t i = 0; i < 3; i++) spf_svg_line(m, SPF_PAINT_AXIS, x[i], y[i], x[i + 1], y[i + 1]);
    if (words)
        spf_svg_text(m, SPF_PAINT_FAINT, (x1 + x2) / 2, bend - 4, SPF_ANCHOR_MIDDLE, words, 0);
}

static void draw_bar(spf_markup *m, const spf_box *box, double x, double y, double width) {
    for (size_t i = 0; i < box->parts_count; i++) {
        double part = width * box->parts[i].share;
        spf_svg_rect(m, SPF_PAINT_AREA + box->parts[i].tone % SPF_TONES, x, y, part, BAR, 0);
        x += part;
    }
}

static void draw_box(spf_markup *m, const spf_box *box, double middle, double top, double width) {
    double x = middle - width / 2, height = height_of(box);
    if (isnan(box->shade))
        spf_svg_rect(m, SPF_PAINT_BAND + box->tone % SPF_TONES, x, top, width, height, 5);
    else
        spf_svg_shade(m, box->shade, x, top, width, height);
    for (size_t i = 0; i < box->lines_count; i++)
        spf_svg_text(m, SPF_PAINT_TEXT, middle, top + PAD + 9 + (double)i * LINE, SPF_ANCHOR_MIDDLE,
                     box->lines[i], 0);
    draw_bar(m, box, x + PAD, top + height - BAR - 5, width - 2 * PAD);
}

static double draw_names(spf_markup *m, const spf_tree_picture *picture, double width, double top) {
    double x = 8, y = top;
    for (size_t i = 0; i < picture->names_count; i++)
        spf_legend_draw(m, &(spf_legend){picture->names[i], SPF_PAINT_AREA + i % SPF_TONES}, width,
                        &x, &y);
    return picture->names_count > 0 ? y + 20 : top;
}

static void draw_tree(spf_markup *m, const spf_tree_picture *picture, const places *p) {
    for (size_t i = 0; i < picture->count; i++) {
        const spf_box *box = &picture->boxes[i];
        if (box->left != SPF_NO_BOX) {
            draw_branch(m, picture, p, i, box->left, i == 0 ? picture->yes : NULL);
            draw_branch(m, picture, p, i, box->right, i == 0 ? picture->no : NULL);
        }
        draw_box(m, box, p->middle[i], p->top[box->depth], p->width[i]);
    }
}

/* The space that the legend needs is found by drawing it into nothing. */
static double names_height(const spf_tree_picture *picture, double width) {
    spf_markup nothing = {0};
    double height = draw_names(&nothing, picture, width, 0);
    spf_markup_free(&nothing);
    return height;
}

void spf_tree_draw(spf_markup *m, const spf_tree_picture *picture) {
    places p = {0};
    spf_svg svg = picture->svg;
    sporf_status status = find_places(picture, &p);
    if (m->status == SPORF_OK) m->status = status;
    if (m->status == SPORF_OK) {
        double title = spf_svg_text_width(svg.title, 0) + 16;
        double extra = fmax(0, fmax(title, 240) - p.right - 2 * MARGIN);
        svg.width = p.right + 2 * MARGIN + extra;
        double head = (svg.alone ? 22 : 4) + names_height(picture, svg.width) + 8;
        for (size_t i = 0; i <= p.levels; i++) p.top[i] += head;
        for (size_t i = 0; i < picture->count; i++) p.middle[i] += MARGIN + extra / 2;
        svg.height = p.top[p.levels] - RISE + MARGIN;
        spf_svg_open(m, &svg);
        draw_names(m, picture, svg.width, spf_title_draw(m, &svg));
        draw_tree(m, picture, &p);
        spf_svg_close(m);
    }
    places_free(&p);
}
