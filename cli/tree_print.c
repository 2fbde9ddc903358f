/* Walks a tree with its own stack, so that depth is no problem, and prints on the way. */
#include "tree_print.h"

#include "cli.h"
#include "printed.h"
#include "terms.h"

#include <math.h>
#include <stdlib.h>

enum { INDENT_MAX = 40 }; /* levels shown by indentation; deeper ones print their depth */

#define BEYOND_ALL 1e38f /* larger than any sum of features */

typedef struct {
    size_t node, depth;
    const char *branch; /* "", "yes: " or "no: " */
} pending;

/* "height and colour known", or "height or colour missing": a cut beyond any sum of features
 * separates rows with all values from rows with a missing one. */
static void print_presence(FILE *stream, const sporf_forest *forest, const sporf_node *node) {
    size_t features = sporf_forest_features(forest);
    for (size_t i = 0; i < node->terms; i++) {
        size_t feature = node->features[i];
        if (feature >= features)
            feature = sporf_forest_level_set(forest, feature - features).feature;
        if (i > 0) fputs(node->missing_left ? " or " : " and ", stream);
        terms_print_feature(stream, forest, (uint32_t)feature);
    }
    fputs(node->missing_left ? " missing\n" : " known\n", stream);
}

static int is_presence(const sporf_node *node) {
    return node->missing_left ? node->threshold <= -BEYOND_ALL : node->threshold >= BEYOND_ALL;
}

/* Whether rows with a missing value go left. Terms with a replacement are never missing; a set of
 * levels alone then says no more than its threshold. */
static int sends_missing_left(const sporf_forest *forest, const sporf_node *node) {
    size_t features = sporf_forest_features(forest);
    float fill = NAN;
    for (size_t i = 0; i < node->terms; i++) {
        if (node->features[i] < features) return node->missing_left;
        fill = sporf_forest_level_set(forest, node->features[i] - features).fill;
        if (isnan(fill)) return node->missing_left;
    }
    return node->terms == 1 && node->weights[0] * fill <= node->threshold;
}

static void print_split(FILE *stream, const sporf_forest *forest, const sporf_node *node) {
    char number[TEXT_NUMBER];
    if (is_presence(node)) {
        print_presence(stream, forest, node);
        return;
    }
    terms_print(stream, forest, node->features, node->weights, node->terms);
    fprintf(stream, " <= %s%s\n", text_float(number, node->threshold),
            sends_missing_left(forest, node) ? " or missing" : "");
}

/* Values of a leaf: one for each target, or in a boosted model what it adds to a score. */
static size_t leaf_values(const sporf_forest *forest) {
    sporf_boosting boosting;
    return sporf_forest_boosting(forest, &boosting) ? 1 : sporf_forest_targets(forest);
}

/* "13.7  (weight 5)", or one value for each target. */
static void print_values(FILE *stream, const sporf_forest *forest, const sporf_node *node) {
    char number[TEXT_NUMBER];
    for (size_t t = 0; t < leaf_values(forest); t++)
        fprintf(stream, "%s%s", t > 0 ? ", " : "", text_float(number, node->values[t]));
    fprintf(stream, "  (weight %s)\n", text_float(number, node->class_weight[0]));
}

/* "versicolor  (setosa 1, versicolor 36)" */
static void print_leaf(FILE *stream, const sporf_forest *forest, const sporf_node *node) {
    char text[256], number[TEXT_NUMBER];
    size_t largest = 0;
    for (size_t i = 1; i < node->classes; i++)
        if (node->class_weight[i] > node->class_weight[largest]) largest = i;
    text_printable(
        text, sizeof text,
        sporf_schema_class_name(sporf_forest_schema(forest), node->class_index[largest]));
    fprintf(stream, "%s  (", text);
    for (size_t i = 0; i < node->classes; i++) {
        text_printable(text, sizeof text,
                       sporf_schema_class_name(sporf_forest_schema(forest), node->class_index[i]));
        fprintf(stream, "%s%s %s", i > 0 ? ", " : "", text,
                text_float(number, node->class_weight[i]));
    }
    fputs(")\n", stream);
}

static void print_node(FILE *stream, const sporf_forest *forest, const sporf_node *node,
                       const pending *at) {
    if (at->depth <= INDENT_MAX)
        fprintf(stream, "%*s", (int)(2 * at->depth), "");
    else
        fprintf(stream, "%*s(depth %zu) ", 2 * INDENT_MAX, "", at->depth);
    fputs(at->branch, stream);
    if (!node->is_leaf)
        print_split(stream, forest, node);
    else if (node->values)
        print_values(stream, forest, node);
    else
        print_leaf(stream, forest, node);
}

/* Prints all nodes in preorder: a split, its yes branch, its no branch. The stack holds at most one
 * open branch for each level, so the number of nodes is always enough. */
static sporf_status print_nodes(out_file *file, const sporf_forest *forest, size_t tree,
                                pending *stack) {
    size_t open = 0;
    stack[open++] = (pending){.branch = ""};
    while (open > 0 && out_ok(file)) {
        pending at = stack[--open];
        sporf_node node;
        sporf_status status = sporf_forest_node(forest, tree, at.node, &node);
        if (status != SPORF_OK) return status;
        print_node(file->stream, forest, &node, &at);
        if (node.is_leaf) continue;
        stack[open++] = (pending){node.right, at.depth + 1, "no: "};
        stack[open++] = (pending){node.left, at.depth + 1, "yes: "};
    }
    return SPORF_OK;
}

/* "tree 3 of 200: 5 nodes"; in a boosted model also where it belongs. */
static void print_title(FILE *stream, const sporf_forest *forest, size_t tree) {
    sporf_boosting b;
    fprintf(stream, "tree %zu of %zu: %zu nodes", tree + 1, sporf_forest_trees(forest),
            sporf_forest_nodes(forest, tree));
    if (sporf_forest_boosting(forest, &b))
        fprintf(stream, "; round %zu, bag %zu, output %zu", tree / (b.outputs * b.bags) + 1,
                tree / b.outputs % b.bags + 1, tree % b.outputs + 1);
    fputc('\n', stream);
}

int tree_print_text(out_file *file, const sporf_forest *forest, size_t tree) {
    size_t nodes = sporf_forest_nodes(forest, tree);
    pending *stack = malloc((nodes + 1) * sizeof *stack);
    if (!stack) {
        out_error(file->verb, "out of memory for tree %zu of %zu nodes", tree + 1, nodes);
        return EXIT_FAILED;
    }
    print_title(file->stream, forest, tree);
    sporf_status status = print_nodes(file, forest, tree, stack);
    free(stack);
    return status == SPORF_OK ? EXIT_DONE : out_failure(file->verb, status, NULL);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void split_json(json *writer, const sporf_node *node) {
    terms_json(writer, node->features, node->weights, node->terms);
    json_float(writer, "threshold", node->threshold);
    json_text(writer, "missing", node->missing_left ? "left" : "right");
    json_count(writer, "left", node->left);
    json_count(writer, "right", node->right);
}

static void leaf_json(json *writer, const sporf_forest *forest, const sporf_node *node) {
    if (node->values) {
        json_list(writer, "values");
        for (size_t t = 0; t < leaf_values(forest); t++) json_float(writer, NULL, node->values[t]);
        json_end(writer);
        json_float(writer, "weight", node->class_weight[0]);
        return;
    }
    json_list(writer, "classes");
    for (size_t i = 0; i < node->classes; i++) json_count(writer, NULL, node->class_index[i]);
    json_end(writer);
    json_list(writer, "class_weights");
    for (size_t i = 0; i < node->classes; i++) json_float(writer, NULL, node->class_weight[i]);
    json_end(writer);
}

int tree_print_json(out_file *file, json *writer, const sporf_forest *forest, size_t tree) {
    sporf_status status = SPORF_OK;
    json_object(writer, NULL);
    json_count(writer, "tree", tree + 1);
    json_list(writer, "nodes");
    for (size_t i = 0; i < sporf_forest_nodes(forest, tree) && out_ok(file); i++) {
        sporf_node node;
        status = sporf_forest_node(forest, tree, i, &node);
        if (status != SPORF_OK) break;
        json_object(writer, NULL);
        json_line(writer);
        if (node.is_leaf)
            leaf_json(writer, forest, &node);
        else
            split_json(writer, &node);
        json_end(writer);
    }
    json_end(writer);
    json_end(writer);
    return status == SPORF_OK ? EXIT_DONE : out_failure(file->verb, status, NULL);
}
