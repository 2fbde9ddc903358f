/* libFuzzer target for svmlight files, and for telling the formats apart. */
#include "reader_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    spf_source source = fuzz_source(bytes, size);
    sporf_read_options from_one = fuzz_options(NULL), from_zero = fuzz_options(NULL);
    from_zero.zero_based = 1;
    from_zero.svmlight_features = 3;
    static const char *const label[] = {"label"};
    sporf_read_options numbers = fuzz_options(NULL);
    numbers.targets = label;
    numbers.targets_count = 1;
    fuzz_read_once(spf_read_svmlight, &source, &numbers);
    fuzz_read_once(spf_read_svmlight, &source, &from_one);
    fuzz_read_once(spf_read_svmlight, &source, &from_zero);
    fuzz_read_once(spf_read_source, &source, &from_one);
    spf_source_close(&source);
    return 0;
}
