/* Tables from text, for tests of reading. */
#ifndef TEST_READ_TEXT_H
#define TEST_READ_TEXT_H

#include "read/reader.h"

static inline sporf_read_options plain_options(void) {
    sporf_read_options options;
    sporf_read_options_init(&options);
    options.threads = 1;
    return options;
}

/* Reads CSV under a file's name. */
static inline sporf_status try_read(const char *name, const char *text,
                                    const sporf_read_options *options, sporf_dataset **out) {
    const spf_source source = {.name = name, .bytes = text, .size = strlen(text)};
    *out = NULL;
    return spf_read_csv(&source, options, out);
}

static inline sporf_dataset *read_with(const char *text, const sporf_read_options *options) {
    sporf_dataset *data = NULL;
    if (try_read("data.csv", text, options, &data) != SPORF_OK) fail_msg("%s", sporf_last_error());
    return data;
}

#endif
