/* Collects the splits of all trees, and each distinct projection once. */
#include "export_tables.h"

#include "cli.h"
#include "out.h"

#include <stdlib.h>
#include <string.h>

/* A projection of the current tree, by the address of its terms, and its number. */
typedef struct {
    const uint32_t *terms;
    uint32_t number;
} shared;

typedef struct {
    export_tables *tables;
    const sporf_forest *forest;
    size_t width;    /* values of a leaf; 0: it votes */
    uint32_t *child; /* [nodes of the largest tree]: each node as a child */
    shared *known;   /* [splits of the largest tree]: its projections, by ascending address */
    size_t known_count;
    uint32_t *slot; /* [slots] of a hash table: a projection's number plus 1, or 0 */
    size_t slots;   /* a power of two, at least twice the splits */
    size_t term_capacity;
} filling;

/* ---- projections ----------------------------------------------------------------------------- */

static uint64_t hash(const sporf_node *node) {
    uint64_t mixed = node->terms;
    for (size_t i = 0; i < node->terms; i++) {
        uint32_t weight;
        memcpy(&weight, &node->weights[i], sizeof weight);
        mixed ^= (uint64_t)node->features[i] << 32 | weight;
        mixed *= 0x9E3779B97F4A7C15u;
        mixed ^= mixed >> 32;
    }
    return mixed;
}

static int equal(const export_tables *tables, size_t projection, const sporf_node *node) {
    const export_term *term = tables->term + tables->start[projection];
    size_t terms = tables->start[projection + 1] - tables->start[projection];
    if (terms != node->terms) return 0;
    for (size_t i = 0; i < terms; i++)
        if (term[i].feature != node->features[i] || term[i].weight != node->weights[i]) return 0;
    return 1;
}

static int reserve_terms(filling *f, size_t count) {
    if (count <= f->term_capacity) return 1;
    size_t capacity = count + count / 2;
    export_term *term = realloc(f->tables->term, capacity * sizeof *term);
    if (!term) return 0;
    f->tables->term = term;
    f->term_capacity = capacity;
    return 1;
}

static int is_whole(float weight) {
    return weight >= -127 && weight <= 127 && weight == (float)(int)weight;
}

static int add_projection(filling *f, const sporf_node *node) {
    export_tables *tables = f->tables;
    if (!reserve_terms(f, tables->terms + node->terms)) return 0;
    for (size_t i = 0; i < node->terms; i++) {
        tables->term[tables->terms++] = (export_term){node->features[i], node->weights[i]};
        if (!is_whole(node->weights[i])) tables->whole = 0;
    }
    tables->start[++tables->projections] = tables->terms;
    return 1;
}

/* The number of a split's projection, which is added if new. */
static int find_equal(filling *f, const sporf_node *node, uint32_t *number) {
    size_t at = hash(node) & (f->slots - 1);
    for (; f->slot[at] != 0; at = (at + 1) & (f->slots - 1)) {
        *number = f->slot[at] - 1;
        if (equal(f->tables, *number, node)) return 1;
    }
    *number = (uint32_t)f->tables->projections;
    f->slot[at] = *number + 1;
    return add_projection(f, node);
}

/* The same. Splits of a tree that share a projection have the same terms, which are then compared
 * with others only once: many splits may share a long one. New ones are behind the known ones. */
static int find_projection(filling *f, const sporf_node *node, uint32_t *number) {
    size_t low = 0, high = f->known_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (f->known[middle].terms < node->features)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < f->known_count && f->known[low].terms == node->features) {
        *number = f->known[low].number;
        return 1;
    }
    int room = find_equal(f, node, number);
    if (low == f->known_count) f->known[f->known_count++] = (shared){node->features, *number};
    return room;
}

/* ---- trees ----------------------------------------------------------------------------------- */

/* A leaf's largest class, the lower index in a tie. */
static uint32_t vote(const sporf_node *leaf) {
    size_t largest = 0;
    for (size_t i = 1; i < leaf->classes; i++)
        if (leaf->class_weight[i] > leaf->class_weight[largest]) largest = i;
    return leaf->class_index[largest];
}

/* A leaf as a child; its means, if any, follow those of the leaves before it. */
static uint32_t add_leaf(export_tables *tables, size_t width, const sporf_node *leaf) {
    if (width == 0) return vote(leaf);
    for (size_t t = 0; t < width; t++) tables->mean[tables->means++] = leaf->values[t];
    return leaf->leaf;
}

static sporf_status number_children(filling *f, size_t tree) {
    size_t next = f->tables->leaves;
    for (size_t i = 0; i < sporf_forest_nodes(f->forest, tree); i++) {
        sporf_node node;
        sporf_status status = sporf_forest_node(f->forest, tree, i, &node);
        if (status != SPORF_OK) return status;
        f->child[i] = node.is_leaf ? add_leaf(f->tables, f->width, &node) : (uint32_t)next++;
    }
    if (next > f->tables->children) f->tables->children = next;
    return SPORF_OK;
}

static sporf_status add_splits(filling *f, size_t tree, int *room) {
    for (size_t i = 0; i < sporf_forest_nodes(f->forest, tree) && *room; i++) {
        sporf_node node;
        sporf_status status = sporf_forest_node(f->forest, tree, i, &node);
        if (status != SPORF_OK) return status;
        if (node.is_leaf) continue;
        export_split *split = &f->tables->split[f->tables->splits++];
        split->threshold = node.threshold;
        split->missing_left = node.missing_left;
        split->child[0] = f->child[node.left];
        split->child[1] = f->child[node.right];
        *room = find_projection(f, &node, &split->projection);
    }
    return SPORF_OK;
}

static sporf_status add_tree(filling *f, size_t tree, int *room) {
    sporf_status status = number_children(f, tree);
    if (status != SPORF_OK) return status;
    f->known_count = 0;
    f->tables->tree[tree] = (export_tree){f->tables->splits, f->child[0]};
    return add_splits(f, tree, room);
}

/* ---- sets ------------------------------------------------------------------------------------ */

static export_set find_span(const sporf_forest *forest, size_t set) {
    enum { WORD = 32 };
    export_set found = {.feature = sporf_forest_level_set(forest, set).feature};
    size_t end = 0;
    for (size_t k = sporf_schema_levels(sporf_forest_schema(forest), found.feature); k-- > 0;) {
        if (!sporf_forest_level_set_has(forest, set, k)) continue;
        found.first = k;
        if (end == 0) end = k + 1;
    }
    found.words = (end - found.first + WORD - 1) / WORD;
    return found;
}

static void add_sets(export_tables *tables, const sporf_forest *forest) {
    for (size_t i = 0; i < tables->sets; i++) {
        tables->set[i] = find_span(forest, i);
        tables->set[i].start = tables->words;
        tables->words += tables->set[i].words;
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

static size_t width_of(const sporf_forest *forest) {
    sporf_boosting boosting;
    return sporf_forest_boosting(forest, &boosting) ? 1 : sporf_forest_targets(forest);
}

static int allocate(filling *f, size_t splits, size_t leaves) {
    export_tables *tables = f->tables;
    size_t nodes = 0;
    for (size_t i = 0; i < tables->trees; i++) {
        size_t count = sporf_forest_nodes(f->forest, i);
        if (count > nodes) nodes = count;
    }
    tables->leaves = f->width > 0 ? (nodes + 1) / 2 : sporf_forest_classes(f->forest);
    for (f->slots = 1; f->slots < 2 * splits; f->slots *= 2) continue;
    tables->tree = calloc(tables->trees, sizeof *tables->tree);
    tables->split = calloc(splits + 1, sizeof *tables->split);
    tables->start = calloc(splits + 1, sizeof *tables->start);
    tables->set = calloc(tables->sets + 1, sizeof *tables->set);
    tables->mean = calloc(leaves * f->width + 1, sizeof *tables->mean);
    f->child = calloc(nodes, sizeof *f->child);
    f->known = calloc(nodes, sizeof *f->known);
    f->slot = calloc(f->slots, sizeof *f->slot);
    return tables->tree && tables->split && tables->start && tables->set && tables->mean &&
           f->child && f->known && f->slot;
}

int export_tables_fill(export_tables *tables, const sporf_forest *forest, const char *verb) {
    *tables = (export_tables){
        .trees = sporf_forest_trees(forest), .sets = sporf_forest_level_sets(forest), .whole = 1};
    filling f = {.tables = tables, .forest = forest, .width = width_of(forest)};
    sporf_forest_summary summary;
    sporf_status status = sporf_forest_summarise(forest, &summary);
    int room = status != SPORF_OK ||
               allocate(&f, (size_t)(summary.nodes - summary.leaves), (size_t)summary.leaves);
    for (size_t i = 0; i < tables->trees && room && status == SPORF_OK; i++)
        status = add_tree(&f, i, &room);
    free(f.child);
    free(f.known);
    free(f.slot);
    if (status != SPORF_OK) return out_failure(verb, status, NULL);
    if (room) {
        add_sets(tables, forest);
        return EXIT_DONE;
    }
    out_error(verb, "out of memory for the tables of %zu trees; train fewer or smaller ones",
              tables->trees);
    return EXIT_FAILED;
}

void export_tables_free(export_tables *tables) {
    free(tables->tree);
    free(tables->split);
    free(tables->start);
    free(tables->term);
    free(tables->set);
    free(tables->mean);
    *tables = (export_tables){0};
}
