/* All answers are read side by side: numbers are added, ranges joined, lists put together. */
#include "learn/apart/add_up.h"

#include "learn/apart/asks.h"
#include "learn/apart/column_answer.h"
#include "learn/apart/facts.h"
#include "learn/apart/heads.h"
#include "learn/apart/heard.h"
#include "learn/apart/shard_trees.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    spf_frame *frame;
    spf_reader *answers;    /* [count] */
    const spf_extent *rows; /* [count]: whose they are */
    size_t count;
    spf_writer *sum;
} adding;

/* ---- numbers, ranges and lists --------------------------------------------------------------- */

/* Writes an array of the first answer; those of the others are to be added to it. */
static sporf_status copy_first(const adding *a, size_t elements, size_t size,
                               unsigned char **written) {
    const unsigned char *first = NULL;
    SPF_TRY(spf_read_in_place(&a->answers[0], elements, size, &first));
    SPF_TRY(spf_write(a->sum, first, elements * size));
    *written = a->sum->bytes + a->sum->size - elements * size;
    return SPORF_OK;
}

static sporf_status add_longs(const adding *a, size_t numbers) {
    unsigned char *sums = NULL;
    SPF_TRY(copy_first(a, numbers, sizeof(uint64_t), &sums));
    for (size_t k = 1; k < a->count; k++) {
        const unsigned char *some = NULL;
        SPF_TRY(spf_read_in_place(&a->answers[k], numbers, sizeof(uint64_t), &some));
        for (size_t i = 0; i < numbers; i++) {
            uint64_t sum, more;
            memcpy(&sum, sums + i * sizeof sum, sizeof sum);
            memcpy(&more, some + i * sizeof more, sizeof more);
            sum += more;
            memcpy(sums + i * sizeof sum, &sum, sizeof sum);
        }
    }
    return SPORF_OK;
}

static sporf_status add_numbers(const adding *a, size_t numbers) {
    unsigned char *sums = NULL;
    int fits = 1;
    SPF_TRY(copy_first(a, numbers, sizeof(uint32_t), &sums));
    for (size_t k = 1; k < a->count; k++) {
        const unsigned char *some = NULL;
        SPF_TRY(spf_read_in_place(&a->answers[k], numbers, sizeof(uint32_t), &some));
        for (size_t i = 0; i < numbers; i++) {
            uint32_t sum, more;
            memcpy(&sum, sums + i * sizeof sum, sizeof sum);
            memcpy(&more, some + i * sizeof more, sizeof more);
            sum += more;
            fits &= sum >= more;
            memcpy(sums + i * sizeof sum, &sum, sizeof sum);
        }
    }
    return fits ? SPORF_OK : spf_raise_message();
}

static sporf_status join_ranges(const adding *a) {
    spf_range range = {INFINITY, -INFINITY};
    for (size_t k = 0; k < a->count; k++) {
        spf_range some;
        SPF_TRY(spf_heard_range(&a->answers[k], &some));
        range = spf_range_join(range, some);
    }
    return spf_write(a->sum, &range, sizeof range);
}

/* Whether something is so in one of them. */
static sporf_status join_facts(const adding *a) {
    uint32_t any = 0;
    for (size_t k = 0; k < a->count; k++) {
        uint32_t some;
        SPF_TRY(spf_read_number(&a->answers[k], &some));
        any |= some;
    }
    return spf_write_number(a->sum, any);
}

/* Copies some bytes of one answer. */
static sporf_status copy(const adding *a, size_t answer, size_t elements, size_t size) {
    const unsigned char *bytes = NULL;
    SPF_TRY(spf_read_in_place(&a->answers[answer], elements, size, &bytes));
    return spf_write(a->sum, bytes, elements * size);
}

/* A length, then arrays of that length. */
static sporf_status join_arrays(const adding *a, size_t arrays, size_t size) {
    uint32_t all = 0, *lengths = spf_alloc(a->count, sizeof *lengths);
    sporf_status status = lengths ? SPORF_OK : spf_raise_memory();
    for (size_t k = 0; status == SPORF_OK && k < a->count; k++) {
        status = spf_read_number(&a->answers[k], &lengths[k]);
        if (status == SPORF_OK && __builtin_add_overflow(all, lengths[k], &all))
            status = spf_raise_message();
    }
    if (status == SPORF_OK) status = spf_write_number(a->sum, all);
    for (size_t i = 0; i < arrays; i++)
        for (size_t k = 0; status == SPORF_OK && k < a->count; k++)
            status = copy(a, k, lengths[k], size);
    free(lengths);
    return status;
}

/* ---- one node -------------------------------------------------------------------------------- */

static sporf_status add_sizes(const adding *a) {
    const spf_outcome *outcome = &a->frame->plan.outcome;
    SPF_TRY(add_longs(a, sizeof(spf_node_sizes) / sizeof(uint64_t)));
    SPF_TRY(add_numbers(a, outcome->classes));
    if (outcome->targets > 0) SPF_TRY(join_ranges(a));
    if (!spf_schema_has_categories(&a->frame->data->schema)) return SPORF_OK;
    return join_arrays(a, 1, sizeof(spf_shard_weight));
}

static sporf_status add_leaf(const adding *a) {
    SPF_TRY(join_arrays(a, 1, sizeof(uint32_t)));
    return a->frame->plan.outcome.targets > 0 ? join_arrays(a, 2, sizeof(uint32_t)) : SPORF_OK;
}

/* Each shard answers the looks at its rows. */
static sporf_status add_looks(const adding *a, spf_reader *question) {
    const unsigned char *looks = NULL;
    uint32_t count = 0;
    SPF_TRY(spf_read_number(question, &count));
    SPF_TRY(spf_read_in_place(question, count, sizeof(spf_apart_look), &looks));
    for (size_t k = 0; k < a->count; k++) {
        size_t here = 0;
        for (uint32_t i = 0; i < count; i++) {
            spf_apart_look look;
            memcpy(&look, looks + i * sizeof look, sizeof look);
            here += look.first >= a->rows[k].begin && look.first < a->rows[k].end;
        }
        SPF_TRY(copy(a, k, here, sizeof(uint32_t)));
    }
    return SPORF_OK;
}

static sporf_status add_counts(const adding *a, const spf_split_node *node, const spf_ask *ask) {
    size_t slots = ask->bins.count + (size_t)2;
    return spf_split_is_pair(node) ? add_longs(a, slots) : add_numbers(a, slots * node->classes);
}

static sporf_status add_ask(const adding *a, const spf_split_node *node, const spf_ask *ask,
                            spf_reader *question) {
    switch (ask->kind) {
    case SPF_ASK_SIZES:
        return add_sizes(a);
    case SPF_ASK_LEAF:
        return add_leaf(a);
    case SPF_ASK_LOOKS:
        return add_looks(a, question);
    case SPF_ASK_ONES:
    case SPF_ASK_DRAWS:
        return add_longs(a, 1);
    case SPF_ASK_LEVELS:
        return join_arrays(a, 1, sizeof(spf_level_sum));
    case SPF_ASK_RANGE:
        SPF_TRY(join_ranges(a));
        return join_facts(a);
    case SPF_ASK_RANGE_INSIDE:
        return join_ranges(a);
    case SPF_ASK_COUNT:
        return add_counts(a, node, ask);
    case SPF_ASK_CUT:
        SPF_TRY(add_numbers(a, node->classes));
        return join_arrays(a, 1, sizeof(spf_apart_value));
    case SPF_ASK_LEFT:
        return add_numbers(a, node->classes);
    case SPF_ASK_ENDS:
        SPF_TRY(join_arrays(a, 1, sizeof(spf_end)));
        return join_arrays(a, 1, sizeof(spf_end));
    default:
        return spf_raise_message();
    }
}

static sporf_status add_asks(const adding *a, const spf_split_node *node, spf_reader *question) {
    const unsigned char *asks = NULL;
    uint32_t count = 0;
    SPF_TRY(spf_read_number(question, &count));
    SPF_TRY(spf_read_in_place(question, count, sizeof(spf_ask), &asks));
    for (uint32_t i = 0; i < count; i++) {
        spf_ask ask;
        memcpy(&ask, asks + i * sizeof ask, sizeof ask);
        SPF_TRY(add_ask(a, node, &ask, question));
    }
    return SPORF_OK;
}

static sporf_status add_node(const adding *a, spf_reader *question) {
    uint32_t tree, place;
    spf_apart_node of;
    SPF_TRY(spf_read_number(question, &tree));
    SPF_TRY(spf_read_number(question, &place));
    sporf_status status = spf_apart_node_read(&a->frame->plan, question, &of);
    if (status == SPORF_OK) status = add_asks(a, &of.node, question);
    spf_apart_node_free(&of);
    return status;
}

static sporf_status add_nodes(const adding *a, spf_reader *question) {
    uint32_t count = 0;
    SPF_TRY(spf_frame_read(a->frame, question));
    SPF_TRY(spf_shard_trees_skip(question));
    SPF_TRY(spf_read_number(question, &count));
    for (uint32_t i = 0; i < count; i++) SPF_TRY(add_node(a, question));
    return SPORF_OK;
}

/* ---- columns --------------------------------------------------------------------------------- */

static sporf_status add_columns(const adding *a, uint32_t kind) {
    spf_facts facts;
    sporf_status status = spf_facts_create(a->frame->data->features, &facts);
    for (size_t k = 0; status == SPORF_OK && k < a->count; k++)
        status = (kind == SPF_ASK_FACTS ? spf_facts_hear : spf_spread_hear)(&facts, &a->answers[k]);
    if (status == SPORF_OK)
        status = (kind == SPF_ASK_FACTS ? spf_facts_write : spf_spread_write)(&facts, a->sum);
    spf_facts_free(&facts);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static sporf_status add_kind(const adding *a, spf_reader *question) {
    uint32_t kind = 0;
    SPF_TRY(spf_question_open(a->frame, question, &kind));
    switch (kind) {
    case SPF_ASK_FACTS:
    case SPF_ASK_SPREAD:
        return add_columns(a, kind);
    case SPF_ASK_VALUES:
        return join_arrays(a, a->frame->data->features, sizeof(float));
    case SPF_ASK_NODES:
        return add_nodes(a, question);
    default:
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "rows apart: answers with the rows of a branch cannot be added up");
    }
}

static sporf_status add_all(const adding *a, spf_reader *question) {
    SPF_TRY(add_kind(a, question));
    for (size_t k = 0; k < a->count; k++)
        if (a->answers[k].left > 0) return spf_raise_message();
    return SPORF_OK;
}

sporf_status spf_answers_add_up(spf_frame *frame, spf_reader *question, spf_reader *answers,
                                size_t count, spf_writer *sum) {
    spf_extent *rows = spf_alloc(count, sizeof *rows);
    if (!rows) return spf_raise_memory();
    adding a = {frame, answers, rows, count, sum};
    sporf_status status = spf_answers_start(question, answers, count, rows, sum);
    if (status == SPORF_OK) status = add_all(&a, question);
    free(rows);
    return status;
}
