/* Shard and Crown: a forest of a table that no process holds. What they say to each other is bytes.
 */
#include "training.h"

/* ---- lists of bytes -------------------------------------------------------------------------- */

typedef struct {
    size_t count;
    Py_buffer *buffers; /* [count] */
    const void **bytes;
    size_t *sizes;
} byte_list;

static void release(byte_list *list) {
    for (size_t i = 0; i < list->count; i++) PyBuffer_Release(&list->buffers[i]);
    PyMem_Free(list->buffers);
    PyMem_Free(list->bytes);
    PyMem_Free(list->sizes);
}

/* Returns 0, or -1 with an exception. */
static int read_list(PyObject *objects, byte_list *list) {
    size_t count = (size_t)PyList_Size(objects);
    *list = (byte_list){.buffers = PyMem_Calloc(count + 1, sizeof *list->buffers),
                        .bytes = PyMem_Calloc(count + 1, sizeof *list->bytes),
                        .sizes = PyMem_Calloc(count + 1, sizeof *list->sizes)};
    int failed = !list->buffers || !list->bytes || !list->sizes;
    if (failed) PyErr_NoMemory();
    while (!failed && list->count < count) {
        Py_buffer *buffer = &list->buffers[list->count];
        PyObject *object = PyList_GetItem(objects, (Py_ssize_t)list->count);
        failed = PyObject_GetBuffer(object, buffer, PyBUF_SIMPLE) != 0;
        if (failed) break;
        list->bytes[list->count] = buffer->buf;
        list->sizes[list->count++] = (size_t)buffer->len;
    }
    if (failed) release(list);
    return failed ? -1 : 0;
}

/* The bytes of the library's, which are freed. */
static PyObject *hand_over(sporf_status status, void *bytes, size_t size) {
    if (status != SPORF_OK) return core_raise_last(status);
    PyObject *result = PyBytes_FromStringAndSize(bytes, (Py_ssize_t)size);
    sporf_free(bytes);
    return result;
}

/* ---- shards ---------------------------------------------------------------------------------- */

typedef struct {
    PyObject_HEAD sporf_shard *shard;
    PyObject *outcomes, *rows; /* or, in the place of outcomes, the shard that has them */
} core_shard;

static PyObject *shard_new(PyTypeObject *type, PyObject *args, PyObject *names) {
    core_state *state = PyType_GetModuleState(type);
    PyObject *outcomes, *rows, *options, *kept;
    Py_ssize_t first;
    core_training t = {0};
    (void)names;
    if (!PyArg_ParseTuple(args, "OOnO!", &outcomes, &rows, &first, &PyDict_Type, &options))
        return NULL;
    sporf_dataset *all = core_data(state, outcomes), *some = all ? core_data(state, rows) : NULL;
    if (!some || !(kept = core_training_options(&t, options))) return NULL;
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    core_shard *self = (core_shard *)alloc(type, 0);
    if (self) {
        sporf_status status;
        self->outcomes = Py_NewRef(outcomes);
        self->rows = Py_NewRef(rows);
        Py_BEGIN_ALLOW_THREADS status =
            sporf_shard_create(all, some, (size_t)first, &t.params, &self->shard);
        Py_END_ALLOW_THREADS if (status != SPORF_OK) {
            core_raise_last(status);
            Py_CLEAR(self);
        }
    }
    Py_DECREF(kept); /* the shard has copies of the texts */
    return (PyObject *)self;
}

/* A shard with the outcomes and settings of this one, which it keeps. */
static PyObject *shard_beside(PyObject *self, PyObject *args) {
    PyTypeObject *type = Py_TYPE(self);
    core_state *state = PyType_GetModuleState(type);
    PyObject *rows;
    Py_ssize_t first;
    if (!PyArg_ParseTuple(args, "On", &rows, &first)) return NULL;
    sporf_dataset *some = core_data(state, rows);
    if (!some) return NULL;
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    core_shard *made = (core_shard *)alloc(type, 0);
    if (!made) return NULL;
    sporf_status status;
    made->outcomes = Py_NewRef(self);
    made->rows = Py_NewRef(rows);
    Py_BEGIN_ALLOW_THREADS status =
        sporf_shard_create_beside(((core_shard *)self)->shard, some, (size_t)first, &made->shard);
    Py_END_ALLOW_THREADS if (status != SPORF_OK) {
        core_raise_last(status);
        Py_CLEAR(made);
    }
    return (PyObject *)made;
}

static void free_object(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    freefunc release_memory = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release_memory(self);
    Py_DECREF(type);
}

static void shard_dealloc(PyObject *object) {
    core_shard *self = (core_shard *)object;
    sporf_shard_free(self->shard);
    Py_XDECREF(self->outcomes);
    Py_XDECREF(self->rows);
    free_object(object);
}

static PyObject *shard_answer(PyObject *self, PyObject *args) {
    sporf_shard *shard = ((core_shard *)self)->shard;
    Py_buffer question;
    unsigned threads;
    void *answer = NULL;
    size_t size = 0;
    sporf_status status;
    if (!PyArg_ParseTuple(args, "y*I", &question, &threads)) return NULL;
    Py_BEGIN_ALLOW_THREADS status =
        sporf_shard_answer(shard, question.buf, (size_t)question.len, threads, &answer, &size);
    Py_END_ALLOW_THREADS PyBuffer_Release(&question);
    return hand_over(status, answer, size);
}

typedef sporf_status (*of_answers)(sporf_shard *shard, const void *question, size_t size,
                                   const void *const *answers, const size_t *sizes, size_t count,
                                   void **made, size_t *made_size);

/* Makes something of a question and a list of answers. */
static PyObject *make_of_answers(PyObject *self, PyObject *args, of_answers make) {
    sporf_shard *shard = ((core_shard *)self)->shard;
    Py_buffer question;
    PyObject *answers;
    byte_list list;
    void *made = NULL;
    size_t size = 0;
    sporf_status status = SPORF_OK;
    if (!PyArg_ParseTuple(args, "y*O!", &question, &PyList_Type, &answers)) return NULL;
    int failed = read_list(answers, &list) != 0;
    if (!failed) {
        Py_BEGIN_ALLOW_THREADS status = make(shard, question.buf, (size_t)question.len, list.bytes,
                                             list.sizes, list.count, &made, &size);
        Py_END_ALLOW_THREADS release(&list);
    }
    PyBuffer_Release(&question);
    return failed ? NULL : hand_over(status, made, size);
}

static PyObject *shard_grow(PyObject *self, PyObject *args) {
    return make_of_answers(self, args, sporf_shard_grow);
}

static PyObject *shard_add_up(PyObject *self, PyObject *args) {
    return make_of_answers(self, args, sporf_shard_add_up);
}

static PyMethodDef shard_methods[] = {
    {"answer", shard_answer, METH_VARARGS, "Answers a question."},
    {"beside", shard_beside, METH_VARARGS, "A shard of other rows of the same training."},
    {"add_up", shard_add_up, METH_VARARGS, "Makes one answer of those of neighbours."},
    {"grow", shard_grow, METH_VARARGS, "Grows a branch from rows of all shards."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot shard_slots[] = {
    {Py_tp_doc, "Some rows of a table, which answer questions."},
    {Py_tp_new, shard_new},
    {Py_tp_dealloc, shard_dealloc},
    {Py_tp_methods, shard_methods},
    {0, NULL},
};

PyType_Spec core_shard_spec = {
    .name = "sporf._core.Shard",
    .basicsize = sizeof(core_shard),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = shard_slots,
};

/* ---- crowns ---------------------------------------------------------------------------------- */

typedef struct {
    PyObject_HEAD sporf_crown *crown;
    PyObject *outcomes;
    core_training *hearing; /* while answers are heard */
    size_t trees_done;
    double search_seconds;
} core_crown;

static void note_trees(void *payload, size_t trees_done, size_t trees) {
    (void)trees;
    ((core_crown *)payload)->trees_done = trees_done;
}

static int is_stopped(void *payload) {
    core_training *hearing = ((core_crown *)payload)->hearing;
    return hearing && atomic_load_explicit(&hearing->stop, memory_order_relaxed);
}

static void note_choosing(void *payload, size_t pilot_trees, double share) {
    core_training *hearing = ((core_crown *)payload)->hearing;
    if (!hearing) return;
    atomic_store(&hearing->share, share);
    atomic_store(&hearing->pilots_done, pilot_trees);
}

static sporf_status start_crown(core_crown *self, const sporf_dataset *outcomes,
                                const sporf_dataset *like, const sporf_params *params,
                                unsigned long long branch_rows, unsigned trees) {
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    hooks.payload = self;
    hooks.progress = note_trees;
    hooks.interrupt = is_stopped;
    hooks.choosing = note_choosing;
    hooks.search_seconds = &self->search_seconds;
    return sporf_crown_create(outcomes, like, params, &hooks, branch_rows, trees, &self->crown);
}

static PyObject *crown_new(PyTypeObject *type, PyObject *args, PyObject *names) {
    core_state *state = PyType_GetModuleState(type);
    PyObject *outcomes, *like, *options, *kept;
    unsigned long long branch_rows;
    unsigned trees;
    core_training t = {0};
    (void)names;
    if (!PyArg_ParseTuple(args, "OOO!KI", &outcomes, &like, &PyDict_Type, &options, &branch_rows,
                          &trees))
        return NULL;
    sporf_dataset *all = core_data(state, outcomes), *some = all ? core_data(state, like) : NULL;
    if (!some || !(kept = core_training_options(&t, options))) return NULL;
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    core_crown *self = (core_crown *)alloc(type, 0);
    if (self) {
        sporf_status status;
        self->outcomes = Py_NewRef(outcomes);
        Py_BEGIN_ALLOW_THREADS status = start_crown(self, all, some, &t.params, branch_rows, trees);
        Py_END_ALLOW_THREADS if (status != SPORF_OK) {
            core_raise_last(status);
            Py_CLEAR(self);
        }
    }
    Py_DECREF(kept);
    return (PyObject *)self;
}

static void crown_dealloc(PyObject *object) {
    core_crown *self = (core_crown *)object;
    sporf_crown_free(self->crown);
    Py_XDECREF(self->outcomes);
    free_object(object);
}

static PyObject *crown_ask(PyObject *self, PyObject *ignored) {
    size_t size;
    const void *question = sporf_crown_ask(((core_crown *)self)->crown, &size);
    (void)ignored;
    if (!question) Py_RETURN_NONE;
    return PyBytes_FromStringAndSize(question, (Py_ssize_t)size);
}

/* Answers are heard in a thread of its own: settings may be chosen then, which takes a while. */
typedef struct {
    core_training training; /* first */
    core_crown *crown;
    byte_list answers;
} hearing;

static sporf_status hear(core_training *t) {
    hearing *h = (hearing *)t;
    return sporf_crown_hear(h->crown->crown, h->answers.bytes, h->answers.sizes, h->answers.count);
}

static PyObject *crown_hear(PyObject *self, PyObject *args) {
    core_crown *crown = (core_crown *)self;
    PyObject *answers, *progress, *raised = NULL;
    hearing h = {.training.work = hear, .crown = crown};
    if (!PyArg_ParseTuple(args, "O!O", &PyList_Type, &answers, &progress)) return NULL;
    if (read_list(answers, &h.answers) != 0) return NULL;
    crown->hearing = &h.training;
    int failed = core_training_run(&h.training, progress, &raised) != 0;
    crown->hearing = NULL;
    release(&h.answers);
    if (failed) return NULL;
    if (raised) {
        PyErr_SetObject((PyObject *)Py_TYPE(raised), raised);
        Py_DECREF(raised);
        return NULL;
    }
    if (h.training.status != SPORF_OK) return core_raise(&h.training.error);
    Py_RETURN_NONE;
}

static PyObject *crown_branches(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return PyLong_FromSize_t(sporf_crown_branches(((core_crown *)self)->crown));
}

static PyObject *crown_branch(PyObject *self, PyObject *number) {
    size_t branch = PyLong_AsSize_t(number), size = 0;
    void *question = NULL;
    uint64_t rows = 0;
    if (PyErr_Occurred()) return NULL;
    sporf_status status =
        sporf_crown_branch(((core_crown *)self)->crown, branch, &question, &size, &rows);
    PyObject *bytes = hand_over(status, question, size);
    return bytes ? Py_BuildValue("(NK)", bytes, (unsigned long long)rows) : NULL;
}

static PyObject *crown_take(PyObject *self, PyObject *args) {
    sporf_crown *crown = ((core_crown *)self)->crown;
    Py_buffer grown;
    Py_ssize_t branch;
    sporf_status status;
    if (!PyArg_ParseTuple(args, "ny*", &branch, &grown)) return NULL;
    Py_BEGIN_ALLOW_THREADS status =
        sporf_crown_take(crown, (size_t)branch, grown.buf, (size_t)grown.len);
    Py_END_ALLOW_THREADS PyBuffer_Release(&grown);
    if (status != SPORF_OK) return core_raise_last(status);
    Py_RETURN_NONE;
}

/* The forest, and the seconds that choosing settings took. */
static PyObject *crown_finish(PyObject *self, PyObject *ignored) {
    core_crown *crown = (core_crown *)self;
    sporf_forest *forest = NULL;
    sporf_status status;
    (void)ignored;
    Py_BEGIN_ALLOW_THREADS status = sporf_crown_finish(crown->crown, &forest);
    Py_END_ALLOW_THREADS if (status != SPORF_OK) return core_raise_last(status);
    PyObject *object = core_forest_new(core_state_of(self)->forest_type, forest);
    return object ? Py_BuildValue("(Nd)", object, crown->search_seconds) : NULL;
}

static PyObject *crown_trees(PyObject *self, void *ignored) {
    (void)ignored;
    return PyLong_FromSize_t(((core_crown *)self)->trees_done);
}

static PyMethodDef crown_methods[] = {
    {"ask", crown_ask, METH_NOARGS, "The next question to all shards, or None."},
    {"hear", crown_hear, METH_VARARGS, "Takes the answers of all shards."},
    {"branches", crown_branches, METH_NOARGS, "How many branches have to be grown."},
    {"branch", crown_branch, METH_O, "The question about the rows of a branch, and their number."},
    {"take", crown_take, METH_VARARGS, "Takes a branch that was grown."},
    {"finish", crown_finish, METH_NOARGS, "The forest."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef crown_attributes[] = {
    {"trees", crown_trees, NULL, "Trees that are finished.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot crown_slots[] = {
    {Py_tp_doc, "The tops of trees, which ask shards."},
    {Py_tp_new, crown_new},
    {Py_tp_dealloc, crown_dealloc},
    {Py_tp_methods, crown_methods},
    {Py_tp_getset, crown_attributes},
    {0, NULL},
};

PyType_Spec core_crown_spec = {
    .name = "sporf._core.Crown",
    .basicsize = sizeof(core_crown),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = crown_slots,
};
