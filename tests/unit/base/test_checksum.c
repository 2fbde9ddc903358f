/* Checksums, held against libxxhash: every length up to beyond two blocks of stripes, and streams
 * that come in random pieces. */
#include "base/checksum.h"
#include "base/rng.h"

#include "support/check.h"

#include <xxhash.h>

enum { MOST = 5000 };

static const unsigned char *random_bytes(void) {
    static unsigned char bytes[MOST];
    sporf_random random = spf_random_start(1, 0, SPF_USE_DRAW);
    for (size_t i = 0; i < MOST; i++) bytes[i] = (unsigned char)spf_random_word(&random);
    return bytes;
}

/* The first is a known value of the specification's own test program. */
static void nothing_and_few_bytes_have_the_known_checksums(void **state) {
    (void)state;
    assert_true(spf_checksum_of("", 0) == 0x2d06800538d394c2);
    assert_true(spf_checksum_of("a", 1) == XXH3_64bits("a", 1));
}

static void bytes_in_one_piece_have_the_checksum_of_libxxhash(void **state) {
    (void)state;
    const unsigned char *bytes = random_bytes();
    for (size_t size = 0; size <= MOST; size++)
        assert_true(spf_checksum_of(bytes, size) == XXH3_64bits(bytes, size));
    for (size_t offset = 1; offset < 9; offset++)
        assert_true(spf_checksum_of(bytes + offset, 1500) == XXH3_64bits(bytes + offset, 1500));
}

static uint64_t in_pieces(const unsigned char *bytes, size_t size, uint32_t longest,
                          sporf_random *random) {
    spf_checksum checksum;
    spf_checksum_start(&checksum);
    for (size_t at = 0, piece; at < size; at += piece) {
        piece = spf_random_below(random, longest + 1);
        if (piece > size - at) piece = size - at;
        spf_checksum_add(&checksum, bytes + at, piece);
    }
    return spf_checksum_value(&checksum);
}

static void pieces_do_not_change_it(void **state) {
    (void)state;
    static const uint32_t longest[] = {1, 7, 64, 65, 256, 300, 1024, 2100};
    const unsigned char *bytes = random_bytes();
    sporf_random random = spf_random_start(2, 0, SPF_USE_DRAW);
    for (size_t size = 0; size <= 2000; size++)
        for (size_t i = 0; i < sizeof longest / sizeof *longest; i++)
            assert_true(in_pieces(bytes, size, longest[i], &random) == XXH3_64bits(bytes, size));
}

static void a_stream_may_go_on_after_its_checksum_was_taken(void **state) {
    (void)state;
    const unsigned char *bytes = random_bytes();
    spf_checksum checksum;
    spf_checksum_start(&checksum);
    for (size_t size = 0; size < 3000; size++) {
        assert_true(spf_checksum_value(&checksum) == XXH3_64bits(bytes, size));
        spf_checksum_add(&checksum, bytes + size, 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_and_few_bytes_have_the_known_checksums),
        cmocka_unit_test(bytes_in_one_piece_have_the_checksum_of_libxxhash),
        cmocka_unit_test(pieces_do_not_change_it),
        cmocka_unit_test(a_stream_may_go_on_after_its_checksum_was_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
