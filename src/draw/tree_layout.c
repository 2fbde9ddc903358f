/* Places for the boxes of a tree, after Reingold and Tilford (1981): the two branches of a box have
 * their own layouts, are moved together until they nearly touch, and the box stands above the
 * middle of their roots. A branch is known by its outline, the ends of each of its levels. The
 * outline of two branches is that of the deeper one, changed where the other has levels, so that
 * the work grows with the number of boxes. */
#include "draw/tree.h"

#include <math.h>
#include <stdlib.h>

/* The ends of the levels of a branch, the lowest level first, each plus `shift`, from the middle of
 * its root. */
typedef struct outline {
    double *left, *right;
    size_t count, left_capacity, right_capacity;
    double shift;
} outline;

static void outline_free(outline *o) {
    free(o->left);
    free(o->right);
    *o = (outline){0};
}

/* Adds the level of a new root. */
static sporf_status put_level(outline *o, double half) {
    SPF_TRY(SPF_RESERVE(o->left, o->left_capacity, o->count + 1));
    SPF_TRY(SPF_RESERVE(o->right, o->right_capacity, o->count + 1));
    o->left[o->count] = -half - o->shift;
    o->right[o->count++] = half - o->shift;
    return SPORF_OK;
}

/* How far apart the roots of two branches stand. */
static double distance(const outline *left, const outline *right, double gap) {
    double needed = 0;
    for (size_t a = left->count, b = right->count; a > 0 && b > 0; a--, b--)
        needed = fmax(needed, left->right[a - 1] + left->shift - right->left[b - 1] - right->shift);
    return needed + gap;
}

/* Makes one outline of two branches whose roots are that far apart; the other is freed. */
static outline join(outline *left, outline *right, double apart) {
    left->shift -= apart / 2;
    right->shift += apart / 2;
    int left_is_deeper = left->count >= right->count;
    outline *deep = left_is_deeper ? left : right, *flat = left_is_deeper ? right : left;
    for (size_t a = deep->count, b = flat->count; b > 0; a--, b--) {
        if (left_is_deeper)
            deep->right[a - 1] = flat->right[b - 1] + flat->shift - deep->shift;
        else
            deep->left[a - 1] = flat->left[b - 1] + flat->shift - deep->shift;
    }
    outline_free(flat);
    outline joined = *deep;
    *deep = (outline){0};
    return joined;
}

static sporf_status place(size_t box, const spf_box *boxes, const double *widths, double gap,
                          outline *outlines, double *offset) {
    size_t left = boxes[box].left, right = boxes[box].right;
    if (left != SPF_NO_BOX) {
        double apart = distance(&outlines[left], &outlines[right], gap);
        offset[left] = -apart / 2;
        offset[right] = apart / 2;
        outlines[box] = join(&outlines[left], &outlines[right], apart);
    }
    return put_level(&outlines[box], widths[box] / 2);
}

/* From offsets to parents to places, with the left end of the whole at 0. */
static void make_absolute(size_t count, const spf_box *boxes, const outline *whole,
                          double *middle) {
    double least = 0;
    for (size_t i = 0; i < whole->count; i++) least = fmin(least, whole->left[i] + whole->shift);
    middle[0] = -least;
    for (size_t i = 0; i < count; i++) {
        if (boxes[i].left == SPF_NO_BOX) continue;
        middle[boxes[i].left] += middle[i];
        middle[boxes[i].right] += middle[i];
    }
}

sporf_status spf_tree_layout(size_t count, const spf_box *boxes, const double *widths, double gap,
                             double *middle) {
    outline *outlines = spf_alloc_zero(count, sizeof *outlines);
    if (!outlines) return spf_raise_memory();
    sporf_status status = SPORF_OK;
    for (size_t i = count; i-- > 0 && status == SPORF_OK;)
        status = place(i, boxes, widths, gap, outlines, middle);
    if (status == SPORF_OK) make_absolute(count, boxes, &outlines[0], middle);
    for (size_t i = 0; i < count; i++) outline_free(&outlines[i]);
    free(outlines);
    return status;
}
