/* The extension module sporf._core: datasets and forests of the C library as Python objects. It is
 * written for the stable ABI and sees the library through sporf.h alone; arrays come in and go out
 * through the buffer protocol, so it is compiled without NumPy.
 *
 * What Python users see, names of parameters, kinds of tables, defaults, lies in the Python files.
 */
#ifndef CORE_H
#define CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include <sporf.h>

typedef struct core_state {
    PyTypeObject *dataset_type, *forest_type, *shard_type, *crown_type, *joining_type;
} core_state;

/* ---- errors.c -------------------------------------------------------------------------------- */

/* Sets an exception with a message of the library's, which may name a path in any encoding, or end
 * inside a character where it was cut; returns NULL. */
PyObject *core_raise_as(PyObject *exception, const char *message);

enum { CORE_PARTS_MAX = 64, CORE_TEXT_MAX = 2048 };

/* An error of the library, which may have happened in another thread. */
typedef struct core_error {
    sporf_status status;
    sporf_part parts[CORE_PARTS_MAX];
    size_t count;
    char text[CORE_TEXT_MAX], message[CORE_TEXT_MAX]; /* of the parts; the whole */
} core_error;

/* Keeps the last error of this thread; needs no GIL. */
void core_error_keep(sporf_status status, core_error *kept);

/* Sets the Python exception that stands for an error, with the library's message and, as its
 * attribute `parts`, the parts of it; returns NULL. */
PyObject *core_raise(const core_error *error);

/* The same for the last failing call of this thread. */
PyObject *core_raise_last(sporf_status status);

/* The exception that is set, as an object; nothing is set afterwards. */
PyObject *core_take_exception(void);

/* ---- buffers.c ------------------------------------------------------------------------------- */

/* Asks an object for a buffer of one-letter items, of `dimensions` dimensions and any strides.
 * Returns 0, or -1 with an exception that calls the object `name`. */
int core_buffer(PyObject *object, const char *letters, int dimensions, int writable,
                const char *name, Py_buffer *buffer);

/* A contiguous buffer of such items. */
int core_contiguous(PyObject *object, const char *letters, int writable, const char *name,
                    Py_buffer *buffer);

/* One of `count` of them. */
int core_items(PyObject *object, const char *letters, size_t count, int writable, const char *name,
               Py_buffer *buffer);

/* The one-letter type of a buffer's items. */
char core_letter(const Py_buffer *buffer);

/* `rows` rows from `first` on of a buffer that core_buffer has found to hold "fd". */
sporf_matrix core_matrix(const Py_buffer *buffer, size_t first, size_t rows);

/* A name or label as the library takes it, in the bytes that core_text made it of; they live as
 * long as *kept, which is to be released with Py_DECREF. NULL with an exception. */
const char *core_bytes(PyObject *text, PyObject **kept);

/* The same for a sequence of str; the result is to be released with PyMem_Free, too. */
const char **core_texts(PyObject *sequence, PyObject **kept, size_t *count);

/* A name in a file, which may be in any encoding, as a str: bytes that are not UTF-8 become
 * surrogates, as in the names of files. */
PyObject *core_text(const char *text);

/* A list of the names that an object has, by their numbers from 0; None where one has none. */
typedef const char *(*core_name_of)(const void *object, size_t index);
PyObject *core_names(const void *object, size_t count, core_name_of name_of);

/* ---- types ----------------------------------------------------------------------------------- */

typedef struct core_dataset {
    PyObject_HEAD sporf_dataset *data;
    Py_buffer matrix; /* whose memory the data may borrow; obj is NULL without */
    void *arrow;      /* likewise an Arrow table */
} core_dataset;

typedef struct core_forest {
    PyObject_HEAD sporf_forest *forest;
    int has_levels;       /* some features are not numbers */
    int needs_numbers;    /* rows must not have missing values */
    PyObject *leaf_nodes; /* what Forest.leaf_nodes found, or NULL */
} core_forest;

extern PyType_Spec core_dataset_spec, core_forest_spec, core_shard_spec, core_crown_spec,
    core_joining_spec;

/* The module's state, of an instance of one of its types. */
core_state *core_state_of(PyObject *self);

/* The library's dataset in a Dataset; NULL with an exception for anything else. */
sporf_dataset *core_data(const core_state *state, PyObject *object);

/* A Forest that owns this one, which is freed if that fails. */
PyObject *core_forest_new(PyTypeObject *type, sporf_forest *forest);

/* ---- arrow.c --------------------------------------------------------------------------------- */

/* Makes a dataset of the only batch of an Arrow stream. *arrow is what it borrows from; free it
 * with core_arrow_free after the dataset. Returns 0, or -1 with an exception. */
int core_arrow_read(PyObject *stream, sporf_dataset **data, void **arrow);
void core_arrow_free(void *arrow);

/* ---- sampler.c ------------------------------------------------------------------------------- */

/* A Python function as a sampler. */
typedef struct core_sampler {
    sporf_sampler sampler;
    PyObject *draw;
    PyObject *error; /* what the first failing call raised; NULL while none did */
} core_sampler;

/* A sampler that ignores rows is shown none; boosting takes only such. */
void core_sampler_init(core_sampler *self, PyObject *draw, const char *name, int ignores_rows);

/* ---- boosting.c ------------------------------------------------------------------------------ */

/* Python functions as a loss. */
typedef struct core_loss {
    sporf_user_loss loss;
    PyObject *derive, *measure; /* NULL: the loss is one of the library's */
    Py_buffer base;
    PyObject *error; /* what the first failing call raised; NULL while none did */
} core_loss;

/* Of a tuple: name, base, derive(truth, scores), measure(truth, scores). Returns 0, or -1 with an
 * exception. */
int core_loss_init(core_loss *self, PyObject *loss);
void core_loss_free(core_loss *self);

/* A Python function that is called after each round of boosting. */
typedef struct core_rounds {
    PyObject *call;  /* NULL: none */
    PyObject *error; /* what a call raised */
} core_rounds;

/* Returns whether training is to stop. */
int core_rounds_call(core_rounds *self, const sporf_boost_round *round);

/* ---- methods.c ------------------------------------------------------------------------------- */

/* {name: {"options", "needs_numbers", "has_bags"}} of the library's methods. */
PyObject *core_methods(void);

/* Whether a method, by its name, takes neither categories nor missing values. */
int core_method_needs_numbers(const char *name);

/* ---- methods of a Forest --------------------------------------------------------------------- */

/* Forest.train and Forest.search, class methods; see train.c and search.c */
PyObject *core_forest_train(PyObject *type, PyObject *args);
PyObject *core_forest_search(PyObject *type, PyObject *args);

/* Forest.settle and Forest.train_part, class methods; see parts.c */
PyObject *core_forest_settle(PyObject *type, PyObject *args);
PyObject *core_forest_train_part(PyObject *type, PyObject *args);

/* Forest.predict; see predict.c */
PyObject *core_forest_predict(PyObject *self, PyObject *args);

/* Forest.boosting: what is known of a boosted model, as a dictionary; None for a forest. And
 * Forest.leaf_values: where the leaves of each tree start, and the values of all; see boosting.c */
PyObject *core_forest_boosting(PyObject *self, PyObject *ignored);
PyObject *core_forest_leaf_values(PyObject *self, PyObject *ignored);

/* Forest.importances and Forest.ranking; see importance.c */
PyObject *core_forest_importances(PyObject *self, PyObject *ignored);
PyObject *core_forest_ranking(PyObject *self, PyObject *count);

/* Forest.explain; see explain.c */
PyObject *core_forest_explain(PyObject *self, PyObject *args);

/* Forest.report; see report.c */
PyObject *core_forest_report(PyObject *self, PyObject *args);

/* Forest.permutation_importances, Forest.strength and Forest.bags; see measures.c */
PyObject *core_forest_permutation_importances(PyObject *self, PyObject *args);
PyObject *core_forest_strength(PyObject *self, PyObject *args);
PyObject *core_forest_bags(PyObject *self, PyObject *args);

/* Forest.tree, Forest.leaf_nodes, Forest.node and Forest.level_set; see tree.c */
PyObject *core_forest_tree(PyObject *self, PyObject *number);
PyObject *core_forest_leaf_nodes(PyObject *self, PyObject *ignored);
PyObject *core_forest_node(PyObject *self, PyObject *args);
PyObject *core_forest_level_set(PyObject *self, PyObject *number);

/* Groups of features. Free with core_groups_free, also after an exception. */
typedef struct core_groups {
    sporf_feature_group *groups; /* [count]; NULL: each feature by itself */
    size_t *features;            /* of all of them */
    size_t count;
    size_t results; /* count, or the number of features */
} core_groups;

/* Returns -1 after an exception; see feature_groups.c */
int core_groups_read(PyObject *lists, size_t features, core_groups *out);
void core_groups_free(core_groups *groups);

/* Forest.corrected_importances and Forest.drop_column_importances; see retrain.c */
PyObject *core_forest_corrected_importances(PyObject *self, PyObject *args);
PyObject *core_forest_drop_column(PyObject *self, PyObject *args);

/* score_classes and score_curve, functions of the module, Forest.oob_probabilities and
 * Forest.oob_classes; see scores.c */
PyObject *core_score_classes(PyObject *module, PyObject *args);
PyObject *core_score_curve(PyObject *module, PyObject *args);
PyObject *core_forest_oob_probabilities(PyObject *self, PyObject *ignored);
PyObject *core_forest_oob_classes(PyObject *self, PyObject *ignored);

/* Forest.dependence and Forest.interactions; see dependence.c */
PyObject *core_forest_dependence(PyObject *self, PyObject *args);
PyObject *core_forest_interactions(PyObject *self, PyObject *args);

/* Ctrl-C during a call that takes hooks. */
typedef struct core_watch {
    pthread_t caller;
    struct timespec looked; /* only the caller's thread touches it */
    atomic_int stop;
} core_watch;

/* Hooks that look for it; the watch starts as zeros. */
sporf_hooks core_watch_hooks(core_watch *watch);

/* Raises the error of a call, or leaves the exception of Ctrl-C. Returns NULL. */
PyObject *core_watch_fail(const core_watch *watch, sporf_status status);

/* Numbers of an array as a list: of uint32, or of float. */
PyObject *core_whole_numbers(const uint32_t *values, size_t count);
PyObject *core_floats(const float *values, size_t count);

#endif
