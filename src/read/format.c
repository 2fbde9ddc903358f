/* Recognises the format of a file by its bytes, and calls its reader. */
#include "read/reader.h"

#include <string.h>

/* Common files that are not tables. */
static sporf_status refuse_known(const spf_source *source) {
    static const struct {
        const char *magic, *what;
    } others[] = {
        {"\x89SPORF", "a sporf model, not a table"},
        {"PK\x03\x04", "a zip archive (.npz, .xlsx, ...)"},
        {"PAR1", "a Parquet file"},
        {"ARROW1", "an Arrow file"},
        {"\x89HDF", "an HDF5 file"},
        {"\x28\xb5\x2f\xfd", "compressed with zstd"},
        {"\3757zXZ", "compressed with xz"},
        {"BZh", "compressed with bzip2"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        size_t length = strlen(others[i].magic);
        if (source->size >= length && memcmp(source->bytes, others[i].magic, length) == 0)
            return spf_raise(SPORF_ERROR_DATA,
                             SPF_FILE ": this is %s" SPF_HINT
                                      "give CSV, .npy, idx or svmlight, plain or gzip",
                             source->name, others[i].what);
    }
    return SPORF_OK;
}

static sporf_format recognise(const spf_source *source) {
    if (spf_is_npy(source)) return SPORF_FORMAT_NPY;
    if (spf_is_idx(source)) return SPORF_FORMAT_IDX;
    if (spf_is_svmlight(source)) return SPORF_FORMAT_SVMLIGHT;
    return SPORF_FORMAT_CSV;
}

sporf_status spf_find_format(const spf_source *source, const sporf_read_options *options,
                             sporf_format *format) {
    *format = options->format;
    if (*format != SPORF_FORMAT_AUTO) return SPORF_OK;
    SPF_TRY(refuse_known(source));
    *format = recognise(source);
    return SPORF_OK;
}

sporf_status spf_read_source(const spf_source *source, const sporf_read_options *options,
                             sporf_dataset **out) {
    sporf_format format;
    SPF_TRY(spf_find_format(source, options, &format));
    switch (format) {
    case SPORF_FORMAT_NPY:
        return spf_read_npy(source, options, out);
    case SPORF_FORMAT_IDX:
        return spf_read_idx(source, options, out);
    case SPORF_FORMAT_SVMLIGHT:
        return spf_read_svmlight(source, options, out);
    default:
        return spf_read_csv(source, options, out);
    }
}
