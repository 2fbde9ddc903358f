/* Pictures of trees, and trees as text. */
#include "draw/tree.h"
#include "picture/tree_nodes.h"
#include "picture/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MOST = 30, INDENT_MOST = 40, GREY = 7 };

static const char *class_name(const spf_shown_tree *shown, uint32_t number) {
    return sporf_schema_class_name(sporf_forest_schema(shown->forest), number);
}

static void put_share(spf_markup *m, double share) {
    spf_markup_put(m, " ");
    spf_markup_number(m, 100 * share, 2);
    spf_markup_put(m, "%");
}

/* "setosa 93%", or the name alone if there is nothing else. */
static void put_class(spf_markup *m, const spf_shown_tree *shown, const spf_shown_node *node,
                      size_t which) {
    spf_markup_plain(m, class_name(shown, node->class_index[which]), SPF_NAME_MOST);
    if (node->classes == 1) return;
    put_share(m, node->share[which]);
}

/* "colour=red 93%, size=big" */
static void put_labels(spf_markup *m, const spf_shown_tree *shown, const spf_shown_node *node,
                       const char *between) {
    const sporf_schema *schema = sporf_forest_schema(shown->forest);
    for (size_t i = 0; i < node->classes; i++) {
        if (i > 0) spf_markup_put(m, between);
        spf_markup_plain(m, sporf_schema_label_column_name(schema, i), SPF_NAME_MOST);
        spf_markup_put(m, "=");
        spf_markup_plain(m, sporf_schema_label_column_class(schema, i, node->class_index[i]),
                         SPF_NAME_MOST);
        if (node->share[i] > 1 - 1e-6) continue;
        put_share(m, node->share[i]);
    }
    if (shown->labels > node->classes)
        spf_markup_format(m, "%s%lu more labels", between,
                          (unsigned long)(shown->labels - node->classes));
}

/* "n = 150", or the sum of hessians of a boosted model. */
static void put_weight(spf_markup *m, const spf_shown_tree *shown, const spf_shown_node *node) {
    spf_markup_put(m, shown->boosts ? "hessian = " : "n = ");
    spf_markup_number(m, node->weight, 4);
}

static void put_value(spf_markup *m, const spf_shown_tree *shown, const spf_shown_node *node) {
    if (shown->boosts && node->value >= 0) spf_markup_put(m, "+");
    spf_markup_number(m, node->value, 4);
}

static int is_split(const spf_shown_node *node) {
    return node->left != SPF_NO_NODE;
}

static void put_title(spf_markup *m, const spf_shown_tree *shown) {
    spf_markup_format(m, "tree %lu of %lu: %lu nodes, depth %lu", (unsigned long)shown->tree + 1,
                      (unsigned long)sporf_forest_trees(shown->forest), (unsigned long)shown->nodes,
                      (unsigned long)shown->deepest);
    size_t targets = sporf_forest_targets(shown->forest);
    const char *name = sporf_schema_target_name(sporf_forest_schema(shown->forest), 0);
    if (targets < 2 || shown->labels > 0 || shown->boosts) return;
    spf_markup_put(m, "; means of ");
    if (name) spf_markup_plain(m, name, SPF_NAME_MOST);
    spf_markup_format(m, "%sthe first of %lu targets", name ? ", " : "", (unsigned long)targets);
}

/* ---- text ------------------------------------------------------------------------------------ */

static void put_indent(spf_markup *m, size_t depth) {
    for (size_t i = 0; i < depth && i < INDENT_MOST; i++) spf_markup_put(m, "  ");
    if (depth > INDENT_MOST) spf_markup_format(m, "(depth %lu) ", (unsigned long)depth);
}

/* "(n = 150: setosa 33%, virginica 25%, 2 other classes)" */
static void put_rows(spf_markup *m, const spf_shown_tree *shown, const spf_shown_node *node) {
    spf_markup_put(m, "  (");
    put_weight(m, shown, node);
    if (shown->labels > 0 && is_split(node)) {
        spf_markup_put(m, ": ");
        put_labels(m, shown, node, ", ");
    }
    for (size_t i = 0; shown->labels == 0 && i < node->classes && node->classes > 1; i++) {
        spf_markup_put(m, i == 0 ? ": " : ", ");
        put_class(m, shown, node, i);
    }
    if (node->rest > 0) spf_markup_put(m, ", others");
    if (node->below > 0) spf_markup_format(m, "; %lu nodes below", (unsigned long)node->below);
    spf_markup_put(m, ")");
}

static sporf_status put_node(spf_markup *m, const spf_shown_tree *shown,
                             const spf_shown_node *node) {
    if (is_split(node)) {
        sporf_node split;
        SPF_TRY(sporf_forest_node(shown->forest, shown->tree, node->node, &split));
        spf_words_split(m, shown->forest, &split, 0);
    } else if (shown->labels > 0) {
        put_labels(m, shown, node, ", ");
    } else if (node->classes > 0) {
        spf_markup_plain(m, class_name(shown, node->class_index[0]), SPF_NAME_MOST);
    } else if (!isnan(node->value)) {
        put_value(m, shown, node);
    } else {
        spf_markup_put(m, "...");
    }
    put_rows(m, shown, node);
    spf_markup_put(m, "\n");
    return SPORF_OK;
}

static sporf_status put_lines(spf_markup *m, const spf_shown_tree *shown) {
    unsigned char *is_right = spf_alloc_zero(shown->count, 1);
    if (!is_right) return spf_raise_memory();
    put_title(m, shown);
    spf_markup_put(m, "\n");
    sporf_status status = SPORF_OK;
    for (size_t i = 0; i < shown->count && status == SPORF_OK; i++) {
        const spf_shown_node *node = &shown->list[i];
        if (is_split(node)) is_right[node->right] = 1;
        put_indent(m, node->depth);
        if (i > 0) spf_markup_put(m, is_right[i] ? "no: " : "yes: ");
        status = put_node(m, shown, node);
    }
    free(is_right);
    return status;
}

/* ---- pictures -------------------------------------------------------------------------------- */

/* Lines of all boxes, one after the other with a NUL each. */
typedef struct drawing {
    const spf_shown_tree *shown;
    spf_markup words;
    size_t *start; /* [boxes]: of the words of a box */
    spf_box *boxes;
    double least, most; /* values */
} drawing;

static sporf_status put_words(drawing *d, const spf_shown_node *node) {
    spf_markup *m = &d->words;
    if (is_split(node)) {
        sporf_node split;
        SPF_TRY(sporf_forest_node(d->shown->forest, d->shown->tree, node->node, &split));
        spf_words_split(m, d->shown->forest, &split, LINE_MOST);
    } else if (d->shown->labels > 0) {
        put_labels(m, d->shown, node, "\n");
    } else if (node->classes > 0) {
        put_class(m, d->shown, node, 0);
    } else if (!isnan(node->value)) {
        put_value(m, d->shown, node);
    } else {
        spf_markup_put(m, "\xe2\x80\xa6");
    }
    spf_markup_put(m, "\n");
    put_weight(m, d->shown, node);
    if (is_split(node) && !isnan(node->value)) {
        spf_markup_put(m, ", mean ");
        put_value(m, d->shown, node);
    }
    if (node->below > 0) spf_markup_format(m, "\n%lu nodes below", (unsigned long)node->below);
    spf_markup_put(m, "\n");
    return m->status;
}

/* Cuts the words of a box into lines. */
static void cut_lines(char *words, spf_box *box) {
    while (*words && *words != '\1' && box->lines_count < SPF_BOX_LINES) {
        char *end = strchr(words, '\n');
        *end = '\0';
        box->lines[box->lines_count++] = words;
        words = end + 1;
    }
}

/* Classes are in their own order, the same in all boxes. */
static void fill_bar(const spf_shown_node *node, spf_box *box) {
    for (size_t i = 0; i < node->classes; i++) {
        size_t at = 0;
        for (size_t j = 0; j < node->classes; j++)
            at += node->class_index[j] < node->class_index[i];
        box->parts[at].tone = node->class_index[i];
        box->parts[at].share = node->share[i];
    }
    box->parts_count = node->classes;
    if (node->rest <= 0) return;
    box->parts[box->parts_count].tone = GREY;
    box->parts[box->parts_count++].share = node->rest;
}

static void fill_box(const drawing *d, size_t i) {
    const spf_shown_node *node = &d->shown->list[i];
    spf_box *box = &d->boxes[i];
    *box = (spf_box){
        .left = node->left, .right = node->right, .depth = node->depth, .tone = GREY, .shade = NAN};
    cut_lines(d->words.text + d->start[i], box);
    if (d->shown->labels > 0) return;
    fill_bar(node, box);
    if (!is_split(node) && node->classes > 0) box->tone = node->class_index[0];
    if (!is_split(node) && !isnan(node->value))
        box->shade =
            d->most > d->least ? 0.1 + 0.8 * (node->value - d->least) / (d->most - d->least) : 0.3;
}

static sporf_status make_boxes(drawing *d) {
    const spf_shown_tree *shown = d->shown;
    d->start = spf_alloc(shown->count, sizeof *d->start);
    d->boxes = spf_alloc(shown->count, sizeof *d->boxes);
    if (!d->start || !d->boxes) return spf_raise_memory();
    for (size_t i = 0; i < shown->count; i++) {
        double value = shown->list[i].value;
        d->start[i] = d->words.length;
        SPF_TRY(put_words(d, &shown->list[i]));
        spf_markup_put(&d->words, "\1"); /* the end of a box */
        if (is_split(&shown->list[i])) continue;
        d->least = fmin(d->least, value);
        d->most = fmax(d->most, value);
    }
    if (d->words.status != SPORF_OK) return d->words.status;
    for (size_t i = 0; i < shown->count; i++) fill_box(d, i);
    return SPORF_OK;
}

static void put_description(spf_markup *m, const spf_shown_tree *shown) {
    put_title(m, shown);
    spf_markup_format(m,
                      ", %lu of which are shown; rows for which the condition of a split holds "
                      "go left",
                      (unsigned long)shown->count);
}

static sporf_status draw(spf_markup *m, const drawing *d) {
    const spf_shown_tree *shown = d->shown;
    const char *names[SPF_TONES];
    size_t classes = shown->boosts ? 0 : sporf_forest_classes(shown->forest);
    spf_markup title = {0}, description = {0};
    put_title(&title, shown);
    put_description(&description, shown);
    for (size_t k = 0; k < classes && classes <= SPF_TONES; k++)
        names[k] = class_name(shown, (uint32_t)k);
    sporf_status status = title.status == SPORF_OK ? description.status : title.status;
    if (status == SPORF_OK)
        spf_tree_draw(m,
                      &(spf_tree_picture){
                          .svg = {.title = title.text, .description = description.text, .alone = 1},
                          .count = shown->count,
                          .boxes = d->boxes,
                          .names_count = classes <= SPF_TONES ? classes : 0,
                          .names = names,
                          .yes = "yes",
                          .no = "no"});
    spf_markup_free(&title);
    spf_markup_free(&description);
    return status;
}

static sporf_status draw_boxes(spf_markup *m, const spf_shown_tree *shown) {
    drawing d = {.shown = shown, .least = INFINITY, .most = -INFINITY};
    sporf_status status = make_boxes(&d);
    if (status == SPORF_OK) status = draw(m, &d);
    spf_markup_free(&d.words);
    free(d.start);
    free(d.boxes);
    return status;
}

/* ---- the public functions -------------------------------------------------------------------- */

typedef sporf_status put_tree(spf_markup *, const spf_shown_tree *);

static sporf_status make(const sporf_forest *forest, size_t tree, size_t depth, put_tree *put,
                         char **text) {
    spf_shown_tree shown;
    spf_markup m = {0};
    if (!text) return spf_raise(SPORF_ERROR_ARGUMENT, "a picture needs a place");
    *text = NULL;
    sporf_status status = spf_shown_tree_read(forest, tree, depth, &shown);
    if (status == SPORF_OK) status = put(&m, &shown);
    spf_shown_tree_free(&shown);
    if (status == SPORF_OK) status = m.status;
    if (status == SPORF_OK) *text = m.text;
    if (status != SPORF_OK) spf_markup_free(&m);
    return status;
}

sporf_status sporf_forest_draw_tree(const sporf_forest *forest, size_t tree, size_t depth,
                                    char **svg) {
    return make(forest, tree, depth, draw_boxes, svg);
}

sporf_status sporf_forest_write_tree(const sporf_forest *forest, size_t tree, size_t depth,
                                     char **text) {
    return make(forest, tree, depth, put_lines, text);
}
