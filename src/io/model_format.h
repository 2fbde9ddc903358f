/* The layout of a model file as C structs, shared by encoder and decoder, and the interfaces
 * between them and the file handling. Change docs/model-format.md together with it. */
#ifndef SPF_IO_MODEL_FORMAT_H
#define SPF_IO_MODEL_FORMAT_H

#include "model/forest.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Model files are little-endian and used in place: this machine needs a byte-swapping reader."
#endif

#define SPF_MODEL_MAGIC "\x89SPORF\r\n"

/* Forests have the version of programs that know nothing else. */
enum {
    SPF_MODEL_FOREST_VERSION = 3,
    SPF_MODEL_BOOSTED_VERSION = 4,
    SPF_MODEL_PART_VERSION = 5,
    SPF_MODEL_LABELS_VERSION = 6, /* several labels */
    SPF_MODEL_LAST_VERSION = SPF_MODEL_LABELS_VERSION,
    SPF_MODEL_ALIGNMENT = 64
};

/* With more features than these, some section must list them: by name, scale factor or kind. */
#define SPF_MODEL_UNLISTED_FEATURES ((size_t)1 << 20)

typedef struct spf_model_header {
    char magic[8];
    uint64_t checksum; /* of everything from here to the end of the section table */
    uint32_t version;
    uint32_t sections;
    uint64_t file_size;
    uint64_t trees, features, classes;
    uint64_t reserved; /* 0 */
} spf_model_header;

typedef struct spf_model_section {
    uint32_t id;
    uint32_t flags; /* 0 */
    uint64_t offset, size;
    uint64_t checksum;
} spf_model_section;

/* In the order of the file. */
typedef enum spf_section_id {
    SPF_SECTION_CLASS_NAMES = 1,
    SPF_SECTION_FEATURE_NAMES,
    SPF_SECTION_LABEL_NAME,
    SPF_SECTION_SETTINGS,
    SPF_SECTION_SCALE,
    SPF_SECTION_OUT_OF_BAG,
    SPF_SECTION_TREES,
    SPF_SECTION_NODES,
    SPF_SECTION_PROJECTION_STARTS,
    SPF_SECTION_TERM_FEATURES,
    SPF_SECTION_TERM_WEIGHTS,
    SPF_SECTION_LEAF_WEIGHTS,
    SPF_SECTION_LEAF_CLASSES,
    SPF_SECTION_MIXED_STARTS,
    SPF_SECTION_ENTRY_CLASSES,
    SPF_SECTION_ENTRY_WEIGHTS,
    SPF_SECTION_KINDS,
    SPF_SECTION_LEVEL_NAMES,
    SPF_SECTION_SETS,
    SPF_SECTION_SET_WORDS,
    SPF_SECTION_TARGET_NAMES,
    SPF_SECTION_LEAF_VALUES,
    SPF_SECTION_SAMPLE_STARTS,
    SPF_SECTION_SAMPLE_ENDS,
    SPF_SECTION_SAMPLE_VALUES,
    SPF_SECTION_SAMPLE_WEIGHTS,
    SPF_SECTION_LEVELS,
    SPF_SECTION_OOB_TARGETS,
    SPF_SECTION_CALIBRATION,
    SPF_SECTION_BOOSTING,
    SPF_SECTION_PART,
    SPF_SECTION_PART_ROWS,
    SPF_SECTION_PART_OOB,
    SPF_SECTION_LABEL_COLUMNS,
    SPF_SECTION_LABEL_ENDS,
    SPF_SECTION_OOB_LABELS,
    SPF_SECTION_END, /* one past the last */
} spf_section_id;

/* Sections of later versions that a reader may ignore have this bit. */
#define SPF_SECTION_SKIPPABLE 0x80000000u

typedef struct spf_model_oob {
    uint64_t rows;
    double error, score;
    uint64_t curve; /* number of values that follow: 0 or trees */
} spf_model_oob;

/* How votes, and then shares of leaves, become probabilities. */
typedef struct spf_model_calibration {
    struct {
        double smoothing, power, log_loss, brier;
    } of[2];
} spf_model_calibration;

/* The sums of trees become predictions by this. The bases of the outputs follow, then the losses of
 * the rounds in training and, if rows were held out, those of these rows. */
typedef struct spf_model_boosting {
    uint64_t link, outputs, bags;
    uint64_t valid_rows, tried;
} spf_model_boosting;

/* Which trees of a forest a part has, and which table they were grown on. */
typedef struct spf_model_of_part {
    uint64_t first, whole;
    uint64_t rows, table;
    uint64_t weighted;
    char version[SPF_PART_VERSION_MAX];
} spf_model_of_part;

/* The kind of a feature, and how many of the level names belong to it. */
typedef struct spf_model_kind {
    uint32_t kind, levels;
} spf_model_kind;

_Static_assert(sizeof(spf_model_header) == 64, "the header is written as it lies in memory");
_Static_assert(sizeof(spf_model_section) == 32, "the section table is written likewise");
_Static_assert(sizeof(spf_model_oob) == 32, "out-of-bag results are written likewise");
_Static_assert(sizeof(sporf_target_scores) == 24, "those of targets are written likewise");
_Static_assert(sizeof(spf_model_calibration) == 64, "the calibration is written likewise");
_Static_assert(sizeof(spf_model_boosting) == 40, "so is boosting");
_Static_assert(sizeof(spf_model_of_part) == 64, "so is a part");
_Static_assert(sizeof(spf_packed_tree) == 32, "the tree table is written likewise");
_Static_assert(sizeof(spf_packed_node) == 28, "nodes are written likewise");
_Static_assert(sizeof(spf_set) == 20, "sets of levels are written likewise");

/* The output of an encoder. */
typedef struct spf_sink {
    sporf_status (*write)(void *context, const void *bytes, size_t size);
    void *context;
} spf_sink;

/* A planned encoding: all sizes and checksums are known, and nothing is written yet. */
typedef struct spf_encoding {
    const sporf_forest *forest;
    spf_model_header header;
    spf_model_section sections[SPF_SECTION_END];
} spf_encoding;

sporf_status spf_encoding_plan(const sporf_forest *forest, spf_encoding *encoding);
sporf_status spf_encoding_write(const spf_encoding *encoding, spf_sink sink);

/* The bytes of a file in aligned memory, which a forest can take over. */
typedef struct spf_model_buffer {
    spf_storage storage;
    const unsigned char *bytes;
    size_t size;
} spf_model_buffer;

/* Memory for a file of the given size, to be filled through *bytes. */
sporf_status spf_model_buffer_create(size_t size, spf_model_buffer *buffer, unsigned char **bytes);
void spf_model_buffer_free(spf_model_buffer *buffer);

/* Whether the first bytes (all, or at least a header) of a file of the given size can belong to a
 * model that this version reads. `name` is the file, for messages. */
sporf_status spf_model_check_header(const void *bytes, uint64_t size, const char *name);

/* Place and length of a section. */
typedef struct spf_model_part {
    const unsigned char *bytes; /* NULL if the file has no such section */
    uint64_t size;
} spf_model_part;

typedef struct spf_model_frame {
    const unsigned char *bytes;
    const spf_model_header *header;
    spf_model_part parts[SPF_SECTION_END]; /* by section id */
} spf_model_frame;

/* How much of a file is checked when it is opened. */
typedef enum spf_model_care {
    SPF_MODEL_CHECK_ALL,
    SPF_MODEL_CHECK_FRAME, /* not the bytes of the trees */
} spf_model_care;

/* Checks header, section table, padding and checksums of bytes that spf_model_check_header has
 * accepted. Afterwards every required section exists, and only those that may be empty are. */
sporf_status spf_model_frame_open(const unsigned char *bytes, spf_model_care care,
                                  spf_model_frame *frame);

/* Decodes in place. On success the forest owns the buffer; otherwise it stays the caller's. */
sporf_status spf_model_decode_buffer(const spf_model_buffer *buffer, spf_model_care care,
                                     const char *name, sporf_forest **out);

#endif
