/* libFuzzer target for .npy files. */
#include "reader_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    spf_source source = fuzz_source(bytes, size);
    sporf_read_options plain = fuzz_options(NULL), labelled = fuzz_options("last");
    fuzz_read_once(spf_read_npy, &source, &plain);
    fuzz_read_once(spf_read_npy, &source, &labelled);
    spf_source_close(&source);
    return 0;
}
