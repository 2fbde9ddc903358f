/* What boosting asks of Python while it trains, a loss and what to do after a round, and what is
 * known of a boosted model. Both are called from a thread of the library, which takes the GIL. */
#include "core.h"

#include <string.h>

/* Keeps what was raised, if it is the first. */
static void keep_exception(PyObject **kept) {
    PyObject *error = PyErr_Occurred() ? core_take_exception() : NULL;
    if (*kept)
        Py_XDECREF(error);
    else
        *kept = error;
}

/* ---- a loss ---------------------------------------------------------------------------------- */

/* The targets one after the other, or the labels. */
static PyObject *truth_of(const sporf_scored *scored) {
    if (scored->labels)
        return PyBytes_FromStringAndSize((const char *)scored->labels,
                                         (Py_ssize_t)(scored->rows * sizeof *scored->labels));
    PyObject *bytes = PyBytes_FromStringAndSize(
        NULL, (Py_ssize_t)(scored->targets * scored->rows * sizeof(float)));
    char *to = bytes ? PyBytes_AsString(bytes) : NULL;
    for (size_t k = 0; to && k < scored->targets; k++)
        memcpy(to + k * scored->rows * sizeof(float), scored->target[k],
               scored->rows * sizeof(float));
    return bytes;
}

static PyObject *call(PyObject *function, const sporf_scored *scored) {
    size_t bytes = scored->rows * scored->outputs * sizeof *scored->scores;
    PyObject *truth = truth_of(scored), *answer = NULL;
    PyObject *scores = PyBytes_FromStringAndSize((const char *)scored->scores, (Py_ssize_t)bytes);
    if (truth && scores) answer = PyObject_CallFunctionObjArgs(function, truth, scores, NULL);
    Py_XDECREF(truth);
    Py_XDECREF(scores);
    return answer;
}

/* Copies an array of `count` float64. */
static int copy(PyObject *array, const char *name, size_t count, double *to) {
    Py_buffer buffer;
    if (core_items(array, "d", count, 0, name, &buffer) != 0) return -1;
    memcpy(to, buffer.buf, count * sizeof *to);
    PyBuffer_Release(&buffer);
    return 0;
}

static sporf_status derive(void *payload, const sporf_scored *scored, double *gradients,
                           double *hessians) {
    core_loss *self = payload;
    size_t count = scored->rows * scored->outputs;
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *answer = call(self->derive, scored), *gradient, *hessian;
    int done = answer && PyArg_ParseTuple(answer, "OO", &gradient, &hessian) &&
               copy(gradient, "gradients", count, gradients) == 0 &&
               copy(hessian, "hessians", count, hessians) == 0;
    Py_XDECREF(answer);
    keep_exception(&self->error);
    PyGILState_Release(gil);
    return done ? SPORF_OK : SPORF_ERROR_ARGUMENT;
}

static sporf_status measure(void *payload, const sporf_scored *scored, double *losses) {
    core_loss *self = payload;
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *answer = call(self->measure, scored);
    int done = answer && copy(answer, "losses", scored->rows, losses) == 0;
    Py_XDECREF(answer);
    keep_exception(&self->error);
    PyGILState_Release(gil);
    return done ? SPORF_OK : SPORF_ERROR_ARGUMENT;
}

int core_loss_init(core_loss *self, PyObject *loss) {
    const char *name;
    PyObject *base;
    if (!PyArg_ParseTuple(loss, "sOOO", &name, &base, &self->derive, &self->measure) ||
        core_contiguous(base, "d", 0, "base", &self->base) != 0)
        return -1;
    self->loss = (sporf_user_loss){.name = name,
                                   .payload = self,
                                   .base = self->base.buf,
                                   .derive = derive,
                                   .measure = measure};
    return 0;
}

void core_loss_free(core_loss *self) {
    if (self->base.obj) PyBuffer_Release(&self->base);
}

/* ---- after a round --------------------------------------------------------------------------- */

int core_rounds_call(core_rounds *self, const sporf_boost_round *round) {
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *answer =
        PyObject_CallFunction(self->call, "nddn", (Py_ssize_t)round->round, round->train_loss,
                              round->valid_loss, (Py_ssize_t)round->best_round);
    int stops = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    keep_exception(&self->error);
    PyGILState_Release(gil);
    return stops != 0;
}

/* ---- what is known of a model ---------------------------------------------------------------- */

PyObject *core_forest_boosting(PyObject *self, PyObject *ignored) {
    (void)ignored;
    sporf_boosting b;
    if (!sporf_forest_boosting(((core_forest *)self)->forest, &b)) Py_RETURN_NONE;
    Py_ssize_t losses = (Py_ssize_t)(b.tried * sizeof(double));
    return Py_BuildValue(
        "{s:s,s:n,s:n,s:n,s:y#,s:y#,s:y#}", "link", b.link, "outputs", (Py_ssize_t)b.outputs,
        "bags", (Py_ssize_t)b.bags, "rounds", (Py_ssize_t)b.rounds, "base", (const char *)b.base,
        (Py_ssize_t)(b.outputs * sizeof *b.base), "train_losses", (const char *)b.train_losses,
        losses, "valid_losses", (const char *)b.valid_losses, losses);
}

/* Writes the values of a tree's leaves, in the order of their numbers; returns how many. */
static size_t add_leaves(const sporf_forest *forest, size_t tree, float *values) {
    size_t count = 0;
    for (size_t i = 0; i < sporf_forest_nodes(forest, tree); i++) {
        sporf_node node;
        if (sporf_forest_node(forest, tree, i, &node) != SPORF_OK || !node.is_leaf) continue;
        values[node.leaf] = node.values[0];
        count++;
    }
    return count;
}

PyObject *core_forest_leaf_values(PyObject *self, PyObject *ignored) {
    (void)ignored;
    const sporf_forest *forest = ((core_forest *)self)->forest;
    sporf_boosting boosting;
    sporf_forest_summary summary;
    if (!sporf_forest_boosting(forest, &boosting)) Py_RETURN_NONE;
    sporf_status status = sporf_forest_summarise(forest, &summary);
    if (status != SPORF_OK) return core_raise_last(status);
    size_t trees = sporf_forest_trees(forest), count = 0;
    PyObject *starts = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(trees * sizeof(uint64_t)));
    PyObject *values =
        PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(summary.leaves * sizeof(float)));
    if (!starts || !values) {
        Py_XDECREF(starts);
        Py_XDECREF(values);
        return NULL;
    }
    uint64_t *start = (uint64_t *)(void *)PyBytes_AsString(starts);
    float *value = (float *)(void *)PyBytes_AsString(values);
    for (size_t t = 0; t < trees; t++) {
        start[t] = count;
        count += add_leaves(forest, t, value + count);
    }
    return Py_BuildValue("(NN)", starts, values);
}
