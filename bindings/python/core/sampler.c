/* A Python function as a sampler. It is called for each node, from whichever thread grows it, with
 * what a node is in plain numbers, and answers with the candidates as three arrays: where each
 * projection starts, its features, its weights. Its random numbers start from 64 bits of the node's
 * own stream, so that the forest depends on the seed alone. */
#include "core.h"

static PyObject *bytes_of(const uint32_t *values, size_t count) {
    return PyBytes_FromStringAndSize((const char *)values, (Py_ssize_t)(count * sizeof *values));
}

static PyObject *call(const core_sampler *self, const sporf_view *view, sporf_random *random) {
    unsigned long long seed = sporf_random_below(random, UINT32_MAX);
    seed = seed << 32 | sporf_random_below(random, UINT32_MAX);
    PyObject *rows = bytes_of(view->row, view->rows), *labels = bytes_of(view->label, view->rows),
             *weights = bytes_of(view->weight, view->rows), *answer = NULL;
    if (rows && labels && weights)
        answer = PyObject_CallFunction(self->draw, "KIIOOO", seed, (unsigned)view->tree,
                                       (unsigned)view->depth, rows, labels, weights);
    Py_XDECREF(rows);
    Py_XDECREF(labels);
    Py_XDECREF(weights);
    return answer;
}

/* Whether each projection lies among the features and the weights. */
static int are_in_bounds(const int64_t *start, size_t count, const Py_buffer *features,
                         const Py_buffer *weights) {
    int64_t end = features->len / features->itemsize;
    if (count == 0 || start[0] < 0 || weights->len / weights->itemsize != end) return 0;
    for (size_t i = 1; i < count; i++)
        if (start[i] < start[i - 1]) return 0;
    return start[count - 1] <= end;
}

/* The projections of three buffers: int64 starts, one more than there are, uint32, float32. */
static sporf_status add_all(const Py_buffer *starts, const Py_buffer *features,
                            const Py_buffer *weights, sporf_projections *candidates) {
    const int64_t *start = starts->buf;
    size_t count = (size_t)(starts->len / starts->itemsize);
    if (!are_in_bounds(start, count, features, weights)) {
        PyErr_SetString(PyExc_ValueError, "the sampler's matrix does not fit together");
        return SPORF_ERROR_ARGUMENT;
    }
    for (size_t i = 0; i + 1 < count; i++) {
        sporf_status status = sporf_projections_add(candidates, (size_t)(start[i + 1] - start[i]),
                                                    (const uint32_t *)features->buf + start[i],
                                                    (const float *)weights->buf + start[i]);
        if (status != SPORF_OK) {
            core_raise_as(PyExc_ValueError, sporf_last_error());
            return status;
        }
    }
    return SPORF_OK;
}

static sporf_status add_answer(PyObject *answer, sporf_projections *candidates) {
    static const struct {
        const char *name, *letters;
    } wanted[3] = {{"starts", "lq"}, {"features", "I"}, {"weights", "f"}};
    PyObject *arrays[3];
    Py_buffer buffers[3];
    sporf_status status = SPORF_ERROR_ARGUMENT;
    if (!PyArg_ParseTuple(answer, "OOO", &arrays[0], &arrays[1], &arrays[2])) return status;
    int got = 0;
    while (got < 3 && core_contiguous(arrays[got], wanted[got].letters, 0, wanted[got].name,
                                      &buffers[got]) == 0)
        got++;
    if (got == 3) status = add_all(&buffers[0], &buffers[1], &buffers[2], candidates);
    while (got > 0) PyBuffer_Release(&buffers[--got]);
    return status;
}

static sporf_status draw(void *payload, void *state, const sporf_view *view, sporf_random *random,
                         sporf_projections *candidates) {
    core_sampler *self = payload;
    (void)state;
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *answer = self->error ? NULL : call(self, view, random);
    sporf_status status = answer ? add_answer(answer, candidates) : SPORF_ERROR_ARGUMENT;
    Py_XDECREF(answer);
    if (PyErr_Occurred()) {
        PyObject *error = core_take_exception();
        if (self->error)
            Py_XDECREF(error);
        else
            self->error = error;
    }
    PyGILState_Release(gil);
    return status;
}

void core_sampler_init(core_sampler *self, PyObject *function, const char *name, int ignores_rows) {
    *self = (core_sampler){
        .sampler = {.name = name,
                    .payload = self,
                    .draw = draw,
                    .traits = {.struct_size = sizeof(sporf_traits), .ignores_rows = ignores_rows}},
        .draw = function};
}
