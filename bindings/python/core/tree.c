/* Forest.tree, Forest.leaf_nodes, Forest.node and Forest.level_set: trees as arrays, and node by
 * node. Nodes are numbered in preorder. */
#include "core.h"

#include <string.h>

/* How many numbers a leaf has, if it has numbers. */
static size_t values_of_leaf(const sporf_forest *forest) {
    sporf_boosting boosting;
    return sporf_forest_boosting(forest, &boosting) ? 1 : sporf_forest_targets(forest);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* The arrays of a tree, as bytes objects that are filled in place. */
typedef struct arrays {
    int32_t *left, *right; /* [nodes]: -1 in leaves */
    double *threshold;     /* [nodes] */
    uint8_t *missing_left; /* [nodes] */
    int64_t *term_start;   /* [nodes + 1] */
    uint32_t *term;        /* [terms]: features, or level sets from `features` on */
    double *term_weight;   /* [terms] */
    int64_t *share_start;  /* [nodes + 1] */
    uint32_t *share;       /* [shares]: classes, or numbers of values, of leaves */
    double *share_weight;  /* [shares]: training weights of classes, or values */
    double *weight;        /* [nodes]: training weights of leaves */
} arrays;

static size_t shares_of(const sporf_node *node, size_t width) {
    if (!node->is_leaf) return 0;
    return node->values ? width : node->classes;
}

static void write_split(const sporf_node *node, size_t index, int64_t start, const arrays *a) {
    a->left[index] = (int32_t)node->left;
    a->right[index] = (int32_t)node->right;
    a->threshold[index] = node->threshold;
    a->missing_left[index] = (uint8_t)node->missing_left;
    for (size_t i = 0; i < node->terms; i++) {
        a->term[start + (int64_t)i] = node->features[i];
        a->term_weight[start + (int64_t)i] = node->weights[i];
    }
}

static void write_leaf(const sporf_node *node, size_t index, int64_t start, size_t shares,
                       const arrays *a) {
    a->left[index] = a->right[index] = -1;
    a->weight[index] = node->values ? node->class_weight[0] : 0;
    for (size_t i = 0; i < shares; i++) {
        int64_t at = start + (int64_t)i;
        a->share[at] = node->values ? (uint32_t)i : node->class_index[i];
        a->share_weight[at] = node->values ? node->values[i] : node->class_weight[i];
        if (!node->values) a->weight[index] += node->class_weight[i];
    }
}

/* Counts terms and shares, or, with places for them, writes everything. */
static sporf_status go_through(const sporf_forest *forest, size_t tree, size_t width,
                               const arrays *a, size_t *terms, size_t *shares) {
    size_t nodes = sporf_forest_nodes(forest, tree);
    *terms = *shares = 0;
    for (size_t i = 0; i < nodes; i++) {
        sporf_node node;
        sporf_status status = sporf_forest_node(forest, tree, i, &node);
        if (status != SPORF_OK) return status;
        size_t own = shares_of(&node, width);
        if (a && node.is_leaf) write_leaf(&node, i, (int64_t)*shares, own, a);
        if (a && !node.is_leaf) write_split(&node, i, (int64_t)*terms, a);
        *terms += node.is_leaf ? 0 : node.terms;
        *shares += own;
        if (a) a->term_start[i + 1] = (int64_t)*terms;
        if (a) a->share_start[i + 1] = (int64_t)*shares;
    }
    return SPORF_OK;
}

/* Adds an array of zeros to the dictionary; NULL with an exception. */
static void *add_array(PyObject *found, const char *name, size_t count, size_t size) {
    size_t bytes = count * size;
    PyObject *array = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)bytes);
    if (!array) return NULL;
    char *start = PyBytes_AsString(array);
    memset(start, 0, bytes);
    int added = PyDict_SetItemString(found, name, array);
    Py_DECREF(array);
    return added == 0 ? start : NULL;
}

static int add_arrays(PyObject *found, size_t nodes, size_t terms, size_t shares, arrays *a) {
    return (a->left = add_array(found, "left", nodes, sizeof *a->left)) &&
           (a->right = add_array(found, "right", nodes, sizeof *a->right)) &&
           (a->threshold = add_array(found, "threshold", nodes, sizeof *a->threshold)) &&
           (a->missing_left = add_array(found, "missing_left", nodes, sizeof *a->missing_left)) &&
           (a->term_start = add_array(found, "term_start", nodes + 1, sizeof *a->term_start)) &&
           (a->term = add_array(found, "term", terms, sizeof *a->term)) &&
           (a->term_weight = add_array(found, "term_weight", terms, sizeof *a->term_weight)) &&
           (a->share_start = add_array(found, "share_start", nodes + 1, sizeof *a->share_start)) &&
           (a->share = add_array(found, "share", shares, sizeof *a->share)) &&
           (a->share_weight = add_array(found, "share_weight", shares, sizeof *a->share_weight)) &&
           (a->weight = add_array(found, "weight", nodes, sizeof *a->weight));
}

/* The arrays above by name, as bytes. */
PyObject *core_forest_tree(PyObject *self, PyObject *number) {
    const sporf_forest *forest = ((core_forest *)self)->forest;
    size_t terms, shares, width = values_of_leaf(forest);
    Py_ssize_t tree = PyNumber_AsSsize_t(number, PyExc_IndexError);
    if (tree == -1 && PyErr_Occurred()) return NULL;
    if (tree < 0 || (size_t)tree >= sporf_forest_trees(forest))
        return PyErr_Format(PyExc_IndexError, "there is no tree %zd", tree);
    sporf_status status = go_through(forest, (size_t)tree, width, NULL, &terms, &shares);
    if (status != SPORF_OK) return core_raise_last(status);
    PyObject *found = PyDict_New();
    arrays a;
    if (!found || !add_arrays(found, sporf_forest_nodes(forest, (size_t)tree), terms, shares, &a)) {
        Py_XDECREF(found);
        return NULL;
    }
    go_through(forest, (size_t)tree, width, &a, &terms, &shares);
    return found;
}

static sporf_status find_leaf_nodes(const sporf_forest *forest, uint64_t *start, uint32_t *nodes) {
    size_t count = 0;
    for (size_t t = 0; t < sporf_forest_trees(forest); t++) {
        sporf_status status = sporf_forest_leaf_nodes(forest, t, nodes + count);
        if (status != SPORF_OK) return status;
        start[t] = count;
        count += (sporf_forest_nodes(forest, t) + 1) / 2;
    }
    return SPORF_OK;
}

/* Where the leaves of each tree start, uint64, and the nodes of all leaves, uint32; kept. */
PyObject *core_forest_leaf_nodes(PyObject *object, PyObject *ignored) {
    (void)ignored;
    core_forest *self = (core_forest *)object;
    size_t trees = sporf_forest_trees(self->forest), leaves = 0;
    if (self->leaf_nodes) return Py_NewRef(self->leaf_nodes);
    for (size_t t = 0; t < trees; t++) leaves += (sporf_forest_nodes(self->forest, t) + 1) / 2;
    PyObject *starts = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(trees * sizeof(uint64_t)));
    PyObject *nodes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(leaves * sizeof(uint32_t)));
    sporf_status status = SPORF_OK;
    if (starts && nodes)
        status = find_leaf_nodes(self->forest, (uint64_t *)(void *)PyBytes_AsString(starts),
                                 (uint32_t *)(void *)PyBytes_AsString(nodes));
    if (starts && nodes && status == SPORF_OK) {
        self->leaf_nodes = PyTuple_Pack(2, starts, nodes);
        Py_XINCREF(self->leaf_nodes);
    } else if (status != SPORF_OK) {
        core_raise_last(status);
    }
    PyObject *result = self->leaf_nodes;
    Py_XDECREF(starts);
    Py_XDECREF(nodes);
    return result;
}

/* ---- one by one ------------------------------------------------------------------------------ */

/* A split: (threshold, missing_left, left, right, features, weights).
 * A leaf: (number, classes, weights, values), the last one None where it has classes. */
PyObject *core_forest_node(PyObject *self, PyObject *args) {
    Py_ssize_t tree, index;
    const sporf_forest *forest = ((core_forest *)self)->forest;
    if (!PyArg_ParseTuple(args, "nn", &tree, &index)) return NULL;
    sporf_node n;
    sporf_status status = sporf_forest_node(forest, (size_t)tree, (size_t)index, &n);
    if (status != SPORF_OK) return core_raise_last(status);
    if (!n.is_leaf)
        return Py_BuildValue("(fNIINN)", n.threshold, PyBool_FromLong(n.missing_left), n.left,
                             n.right, core_whole_numbers(n.features, n.terms),
                             core_floats(n.weights, n.terms));
    return Py_BuildValue("(INNN)", n.leaf, core_whole_numbers(n.class_index, n.classes),
                         core_floats(n.class_weight, n.values ? 1 : n.classes),
                         n.values ? core_floats(n.values, values_of_leaf(forest))
                                  : Py_NewRef(Py_None));
}

/* What a term beyond the features names: (feature, names of levels, value if missing); names are
 * None where it is the feature's own value. */
PyObject *core_forest_level_set(PyObject *self, PyObject *number) {
    const sporf_forest *forest = ((core_forest *)self)->forest;
    Py_ssize_t set = PyNumber_AsSsize_t(number, PyExc_IndexError);
    if (set == -1 && PyErr_Occurred()) return NULL;
    if (set < 0 || (size_t)set >= sporf_forest_level_sets(forest))
        return PyErr_Format(PyExc_IndexError, "there is no set of levels %zd", set);
    size_t index = (size_t)set, feature = sporf_forest_level_set(forest, index).feature;
    float fill = sporf_forest_level_set(forest, index).fill;
    if (!sporf_forest_level_set(forest, index).has_levels)
        return Py_BuildValue("(nOf)", feature, Py_None, fill);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < sporf_schema_levels(sporf_forest_schema(forest), feature); i++) {
        if (!sporf_forest_level_set_has(forest, index, i)) continue;
        PyObject *name =
            core_text(sporf_schema_level_name(sporf_forest_schema(forest), feature, i));
        if (!name || PyList_Append(list, name) != 0) Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list ? Py_BuildValue("(nNf)", feature, list, fill) : NULL;
}
