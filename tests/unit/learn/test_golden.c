/* Forests whose every bit is known: checksums of trees grown from fixed seeds on simulated data.
 * The constants were recorded on AArch64 with gcc; x86-64, other compilers and other flags must
 * give the same, since every method promises the same forest on every machine.
 *
 * A failing case prints the checksum it found. Put that into the table only after a deliberate
 * change of what is grown: models trained before and after it differ for the same seed. */
#include "support/check.h"
#include "support/every_forest.h"
#include "support/plain_tree.h"

#include <xxhash.h>

typedef struct {
    const char *name, *problem;
    size_t rows;
    const char *options[8]; /* names and values */
    uint64_t checksum;
} golden;

static const golden cases[] = {
    {"rf", "sparse-parity", 300, {"method", "rf", "projections", "sqrt"}, 0xe31e6e11b39bca42},
    {"rf with entropy", "trunk", 300, {"method", "rf", "criterion", "entropy"}, 0x57bcbfc6762c70e0},
    {"sporf", "sparse-parity", 300, {"method", "sporf"}, 0x449548354c6d9a6a},
    {"sporf with entropy",
     "orthant",
     400,
     {"criterion", "entropy", "density", "1/p"},
     0x20240cd2e9934e45},
    {"normal weights",
     "trunk",
     300,
     {"weights", "normal", "criterion", "entropy"},
     0xc574793433725bf1},
    {"uniform weights",
     "consistency",
     400,
     {"weights", "uniform", "density", "1"},
     0x078cb80d7d095948},
    {"poisson",
     "sparse-parity",
     300,
     {"nonzeros", "poisson", "projections", "2p"},
     0x412af4b9ba00b8d5},
    {"scaled", "trunk", 300, {"scale", "sd", "bag", "stratified"}, 0x7a2866637898ccf1},
    {"interquartile", "trunk", 300, {"scale", "iqr", "bag", "subsample"}, 0x9e9e4cfca4f54fe6},
    {"frc", "sparse-parity", 300, {"method", "frc", "density", "2/p"}, 0x59c692dacc87d89b},
    {"frc with entropy",
     "orthant",
     400,
     {"method", "frc", "criterion", "entropy"},
     0x282ad671c308b310},
    {"rr-rf", "trunk", 300, {"method", "rr-rf"}, 0x408698d83b927944},
    {"rr-rf with entropy",
     "orthant",
     400,
     {"method", "rr-rf", "criterion", "entropy", "scale", "sd"},
     0x468979a7c3d34ca2},
    {"ccf", "orthant", 400, {"method", "ccf", "projections", "4"}, 0x3267c01c82be0b5d},
    {"ccf with all features",
     "trunk",
     300,
     {"method", "ccf", "projections", "p", "scale", "iqr"},
     0x8401225f95ae0e68},
    {"large ccf", "orthant", 5000, {"method", "ccf", "trees", "2"}, 0x6a9bf0c079e8d72e},
    {"patch", "trunk", 300, {"method", "patch", "image-width", "5"}, 0x60add85c99bd5e50},
    {"honest", "orthant", 400, {"honest", "0.4"}, 0x6192a4b1e6fb99ac},
    {"large and honest", "trunk", 20000, {"trees", "2", "honest", "0.5"}, 0x32f6fb7bb9c4601a},
    {"large", "trunk", 5000, {"trees", "2", "criterion", "entropy"}, 0x22ae714aedbfd655},
    {"large with two classes", "trunk", 20000, {"trees", "2"}, 0xac9b456dd3ef7bfb},
    {"large and exact",
     "sparse-parity",
     20000,
     {"trees", "2", "split", "exact"},
     0x837f2c440cf0ab42},
    {"large with many classes",
     "orthant",
     20000,
     {"trees", "2", "projections", "sqrt"},
     0x4b7dcd5dd379d0c3},
};

static void add_tree(XXH3_state_t *hash, const spf_tree *tree) {
    const uint32_t counts[] = {tree->nodes_count, tree->projections_count, tree->leaves_count};
    size_t terms = tree->projection_start[tree->projections_count],
           entries = tree->leaf_start[tree->leaves_count];
    XXH3_64bits_update(hash, counts, sizeof counts);
    XXH3_64bits_update(hash, tree->nodes, tree->nodes_count * sizeof *tree->nodes);
    XXH3_64bits_update(hash, tree->projection_start,
                       (tree->projections_count + 1) * sizeof *tree->projection_start);
    XXH3_64bits_update(hash, tree->term_feature, terms * sizeof *tree->term_feature);
    XXH3_64bits_update(hash, tree->term_weight, terms * sizeof *tree->term_weight);
    XXH3_64bits_update(hash, tree->leaf_start, (tree->leaves_count + 1) * sizeof *tree->leaf_start);
    XXH3_64bits_update(hash, tree->leaf_class, entries * sizeof *tree->leaf_class);
    XXH3_64bits_update(hash, tree->leaf_weight, entries * sizeof *tree->leaf_weight);
}

static uint64_t checksum_of(const golden *g) {
    sporf_dataset *data = simulated(g->problem, g->rows, 0, 2020);
    sporf_params params = params_with("trees", "5", "seed", "11", (char *)NULL);
    sporf_forest *forest = NULL;
    for (size_t i = 0; i < 8 && g->options[i]; i += 2)
        assert_ok(sporf_params_set(&params, g->options[i], g->options[i + 1]));
    assert_ok(sporf_forest_train(data, &params, NULL, &forest));
    XXH3_state_t *hash = XXH3_createState();
    assert_non_null(hash);
    XXH3_64bits_reset(hash);
    for (size_t t = 0; t < forest->trees_count; t++) add_tree(hash, plain_tree(forest, t));
    uint64_t checksum = XXH3_64bits_digest(hash);
    XXH3_freeState(hash);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
    return checksum;
}

static void forests_have_the_same_bits_on_every_machine(void **state) {
    (void)state;
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t found = checksum_of(&cases[i]);
        if (found == cases[i].checksum) continue;
        print_error("%s: 0x%016llx\n", cases[i].name, (unsigned long long)found);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* The tables themselves: a difference here would explain one above. */
static void simulated_tables_have_the_same_bits_on_every_machine(void **state) {
    (void)state;
    static const struct {
        const char *problem;
        uint64_t checksum;
    } tables[] = {{"sparse-parity", 0x9c0ee3832a4822db},
                  {"orthant", 0x114cd8529b684a64},
                  {"trunk", 0x794deb9ae4415234},
                  {"consistency", 0x640f0725b0225c3e}};
    size_t wrong = 0;
    for (size_t i = 0; i < 4; i++) {
        sporf_dataset *data = simulated(tables[i].problem, 1000, 0, 2020);
        uint64_t found = XXH3_64bits(sporf_dataset_labels(data), 1000 * sizeof(uint32_t));
        for (size_t j = 0; j < sporf_dataset_features(data); j++)
            found =
                XXH3_64bits_withSeed(sporf_dataset_feature(data, j), 1000 * sizeof(float), found);
        sporf_dataset_free(data);
        if (found == tables[i].checksum) continue;
        print_error("%s: 0x%016llx\n", tables[i].problem, (unsigned long long)found);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simulated_tables_have_the_same_bits_on_every_machine),
        cmocka_unit_test(forests_have_the_same_bits_on_every_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
