/* Finds the texts of an Arrow array. */
#include "read/arrow_text.h"

#include <string.h>

/* A view: the length and the text itself or, for longer texts, the first four bytes, the number of
 * the buffer and the offset in it. */
enum { VIEW_SIZE = 16, VIEW_INLINE = 12, VIEW_TEXT = 4, VIEW_BUFFER = 8, VIEW_PLACE = 12 };

/* Arrays of views: two buffers (validity, views) precede the text buffers, one with their sizes
 * follows. */
enum { BUFFERS_BEFORE = 2, BUFFERS_OF_NO_TEXTS = 3 };

static int is_views(const char *format) {
    return format[0] == 'v';
}

int spf_arrow_is_text_format(const char *format) {
    return format &&
           (strcmp(format, "u") == 0 || strcmp(format, "U") == 0 || strcmp(format, "vu") == 0);
}

static int has_buffers(const char *format, const struct ArrowArray *array) {
    if (array->n_buffers < BUFFERS_OF_NO_TEXTS || !array->buffers || !array->buffers[1]) return 0;
    return !is_views(format) || array->n_buffers == BUFFERS_OF_NO_TEXTS ||
           array->buffers[array->n_buffers - 1];
}

sporf_status spf_arrow_text_open(const char *format, const struct ArrowArray *array,
                                 const char *place, spf_arrow_text *text) {
    *text = (spf_arrow_text){.format = format, .array = array, .place = place};
    if (array->length == 0 || has_buffers(format, array)) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT, "%s: a buffer is missing", place);
}

static sporf_status raise_nonsense(const spf_arrow_text *text, const char *what) {
    return spf_raise(SPORF_ERROR_ARGUMENT, "%s: invalid text %s", text->place, what);
}

static int64_t offset_at(const spf_arrow_text *text, size_t index) {
    const char *offsets = text->array->buffers[1];
    int64_t large;
    int32_t small;
    if (text->format[0] == 'U') {
        memcpy(&large, offsets + index * sizeof large, sizeof large);
        return large;
    }
    memcpy(&small, offsets + index * sizeof small, sizeof small);
    return small;
}

static sporf_status find_between(const spf_arrow_text *text, size_t element, const char **bytes,
                                 size_t *length) {
    const char *all = text->array->buffers[2];
    int64_t begin = offset_at(text, element), end = offset_at(text, element + 1);
    if (begin < 0 || end < begin || (end > begin && !all)) return raise_nonsense(text, "offsets");
    *length = (size_t)(end - begin);
    *bytes = *length > 0 ? all + begin : "";
    return SPORF_OK;
}

static int32_t view_number(const char *view, size_t place) {
    int32_t number;
    memcpy(&number, view + place, sizeof number);
    return number;
}

static sporf_status find_viewed(const spf_arrow_text *text, size_t element, const char **bytes,
                                size_t *length) {
    const struct ArrowArray *array = text->array;
    const char *view = (const char *)array->buffers[1] + element * VIEW_SIZE;
    int64_t size, count = view_number(view, 0), buffers = array->n_buffers - BUFFERS_OF_NO_TEXTS;
    if (count < 0) return raise_nonsense(text, "views");
    *length = (size_t)count;
    *bytes = view + VIEW_TEXT;
    if (count <= VIEW_INLINE) return SPORF_OK;
    int64_t buffer = view_number(view, VIEW_BUFFER), begin = view_number(view, VIEW_PLACE);
    if (buffer < 0 || buffer >= buffers || begin < 0) return raise_nonsense(text, "views");
    const char *all = array->buffers[BUFFERS_BEFORE + buffer];
    memcpy(&size,
           (const char *)array->buffers[array->n_buffers - 1] + buffer * (int64_t)sizeof size,
           sizeof size);
    if (!all || begin + count > size) return raise_nonsense(text, "views");
    *bytes = all + begin;
    return SPORF_OK;
}

sporf_status spf_arrow_text_at(const spf_arrow_text *text, size_t element, const char **bytes,
                               size_t *length) {
    return is_views(text->format) ? find_viewed(text, element, bytes, length)
                                  : find_between(text, element, bytes, length);
}
