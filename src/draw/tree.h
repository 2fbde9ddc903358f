/* Trees of boxes as SVG, each box above the middle of its two children. */
#ifndef SPF_DRAW_TREE_H
#define SPF_DRAW_TREE_H

#include "draw/svg.h"

enum { SPF_BOX_LINES = 10, SPF_BOX_PARTS = 8 };
#define SPF_NO_BOX SIZE_MAX

typedef struct spf_box {
    size_t left, right; /* places of its children; SPF_NO_BOX: none */
    size_t depth;
    size_t lines_count;
    const char *lines[SPF_BOX_LINES]; /* of text, escaped when they are drawn */
    unsigned tone;                    /* of the box, pale */
    double shade;       /* from 0 to 1: how strong tone 0 is, instead; NaN: the tone */
    size_t parts_count; /* of a bar below the lines; 0: no bar */
    struct {
        unsigned tone;
        double share;
    } parts[SPF_BOX_PARTS];
} spf_box;

typedef struct spf_tree_picture {
    spf_svg svg; /* width and height: those of the tree, whatever is given */
    size_t count;
    const spf_box *boxes; /* [count], in preorder: the root first, left children after parents */
    size_t names_count;   /* of a legend */
    const char *const *names; /* of tone 0, 1, ... */
    const char *yes, *no;     /* at the branches of the root */
} spf_tree_picture;

/* The places of boxes of these widths, as their middles from the left end of the picture, in
 * middle[count]. Branches are as close to each other as `gap` allows. */
sporf_status spf_tree_layout(size_t count, const spf_box *boxes, const double *widths, double gap,
                             double *middle);

void spf_tree_draw(spf_markup *markup, const spf_tree_picture *picture);

#endif
