/* Tables of pyarrow, polars and others through the Arrow C stream interface
 * (arrow.apache.org/docs/format/CStreamInterface.html), whose structs are declared here as it says.
 */
#include "core.h"

#include <stdlib.h>

struct ArrowSchema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct ArrowSchema **children, *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct ArrowArray **children, *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

typedef struct {
    struct ArrowSchema schema;
    struct ArrowArray batch;
} arrow_table;

void core_arrow_free(void *arrow) {
    arrow_table *table = arrow;
    if (!table) return;
    if (table->batch.release) table->batch.release(&table->batch);
    if (table->schema.release) table->schema.release(&table->schema);
    free(table);
}

static int refuse_stream(struct ArrowArrayStream *stream) {
    const char *why = stream->get_last_error ? stream->get_last_error(stream) : NULL;
    PyErr_Format(PyExc_ValueError, "the Arrow table cannot be read: %s",
                 why ? why : "it does not say why");
    return -1;
}

/* The first batch that has rows, and no other. */
static int take_batch(struct ArrowArrayStream *stream, arrow_table *table) {
    struct ArrowArray next = {.release = NULL};
    int status;
    while ((status = stream->get_next(stream, &next)) == 0 && next.release) {
        if (next.length > 0 && table->batch.release && table->batch.length > 0) {
            next.release(&next);
            PyErr_SetString(PyExc_ValueError,
                            "the Arrow table comes in several batches; join them first");
            return -1;
        }
        if (table->batch.release && next.length == 0) {
            next.release(&next);
            continue;
        }
        if (table->batch.release) table->batch.release(&table->batch);
        table->batch = next;
        next.release = NULL;
    }
    if (status != 0) return refuse_stream(stream);
    if (table->batch.release && table->batch.length > 0) return 0;
    PyErr_SetString(PyExc_ValueError,
                    "Found array with 0 sample(s) while a minimum of 1 is required.");
    return -1;
}

/* Whoever has read a stream before has released it. */
static struct ArrowArrayStream *stream_of(PyObject *capsule) {
    struct ArrowArrayStream *stream = NULL;
    if (PyCapsule_IsValid(capsule, "arrow_array_stream"))
        stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (!stream)
        PyErr_SetString(PyExc_ValueError, "__arrow_c_stream__ did not return an Arrow stream");
    if (!stream || (stream->release && stream->get_schema && stream->get_next)) return stream;
    PyErr_SetString(PyExc_ValueError, "the Arrow stream was read before, which can be done once: "
                                      "give a table that makes a new one each time");
    return NULL;
}

int core_arrow_read(PyObject *capsule, sporf_dataset **data, void **arrow) {
    struct ArrowArrayStream *stream = stream_of(capsule);
    if (!stream) return -1;
    arrow_table *table = calloc(1, sizeof *table);
    if (!table) {
        PyErr_NoMemory();
        return -1;
    }
    int status = stream->get_schema(stream, &table->schema) == 0 ? 0 : refuse_stream(stream);
    if (status == 0) status = take_batch(stream, table);
    if (status == 0) {
        sporf_status made = sporf_dataset_from_arrow(&table->schema, &table->batch, NULL, data);
        if (made != SPORF_OK) core_raise_last(made);
        status = made == SPORF_OK ? 0 : -1;
    }
    if (status != 0)
        core_arrow_free(table);
    else
        *arrow = table;
    return status;
}
