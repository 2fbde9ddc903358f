/* The public functions for rows that are apart. */
#include "api/api_train.h"
#include "api/params.h"
#include "data/label_columns.h"
#include "learn/apart/crown.h"
#include "learn/apart/shard.h"

#include <stdlib.h>

enum { THREADS_MAX = 4096 }; /* as the option */

struct sporf_shard {
    spf_shard *own;
};

struct sporf_crown {
    spf_crown *own;
    sporf_hooks hooks;
};

static sporf_status raise_missing(const char *what) {
    return spf_raise(SPORF_ERROR_ARGUMENT, "rows apart: %s", what);
}

static sporf_status check_params(const sporf_dataset *outcomes, const sporf_params *given,
                                 sporf_params *params) {
    SPF_TRY(spf_check_one_label(outcomes, "rows apart"));
    SPF_TRY(spf_params_read(given, params));
    SPF_TRY(spf_params_check_no_gpu(params, "rows apart"));
    if (params->learner != SPORF_LEARNER_BOOSTING)
        return spf_params_check_fixed(params, "rows apart");
    return spf_raise(
        SPORF_ERROR_ARGUMENT,
        "a boosted model cannot be grown from rows apart: each round needs the sums of "
        "all rows");
}

/* Bytes of another process, or an array of them, as readers. */
static spf_reader reader_of(const void *bytes, size_t size) {
    return (spf_reader){bytes, size};
}

static sporf_status readers_of(const void *const *bytes, const size_t *sizes, size_t count,
                               spf_reader **out) {
    for (size_t i = 0; i < count; i++)
        if (!bytes[i]) return raise_missing("the answer of a shard is NULL");
    *out = spf_alloc(count, sizeof **out);
    if (!*out) return spf_raise_memory();
    for (size_t i = 0; i < count; i++) (*out)[i] = reader_of(bytes[i], sizes[i]);
    return SPORF_OK;
}

/* Hands the bytes over, or frees them. */
static sporf_status hand_over(sporf_status status, spf_writer *written, void **bytes,
                              size_t *size) {
    if (status == SPORF_OK && !written->bytes) /* an answer without a byte */
        status = SPF_RESERVE(written->bytes, written->capacity, 1);
    if (status != SPORF_OK) {
        free(written->bytes);
        return status;
    }
    *bytes = written->bytes;
    *size = written->size;
    return SPORF_OK;
}

/* ---- shards ---------------------------------------------------------------------------------- */

static sporf_status check_rows(const sporf_dataset *rows, size_t first_row, size_t all) {
    if (first_row <= all && rows->rows <= all - first_row) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     "rows apart: a shard has %zu rows from row %zu on, but there are outcomes "
                     "for %zu",
                     rows->rows, first_row + 1, all);
}

/* Takes over a shard, or frees the room for it. */
static sporf_status take_shard(sporf_status status, sporf_shard *shard, sporf_shard **out) {
    if (status == SPORF_OK)
        *out = shard;
    else
        free(shard);
    return status;
}

sporf_status sporf_shard_create(const sporf_dataset *outcomes, const sporf_dataset *rows,
                                size_t first_row, const sporf_params *given, sporf_shard **out) {
    sporf_params params;
    if (!outcomes || !rows || !out)
        return raise_missing("a shard needs outcomes, rows and a place for it");
    SPF_TRY(check_rows(rows, first_row, outcomes->rows));
    SPF_TRY(check_params(outcomes, given, &params));
    sporf_shard *shard = spf_alloc_zero(1, sizeof *shard);
    if (!shard) return spf_raise_memory();
    spf_some_rows some = {rows, (uint32_t)first_row};
    return take_shard(spf_shard_create(outcomes, &some, &params, &shard->own), shard, out);
}

sporf_status sporf_shard_create_beside(const sporf_shard *other, const sporf_dataset *rows,
                                       size_t first_row, sporf_shard **out) {
    if (!other || !rows || !out)
        return raise_missing("a shard needs another one, rows and a place for it");
    SPF_TRY(check_rows(rows, first_row, spf_shard_all_rows(other->own)));
    sporf_shard *shard = spf_alloc_zero(1, sizeof *shard);
    if (!shard) return spf_raise_memory();
    spf_some_rows some = {rows, (uint32_t)first_row};
    return take_shard(spf_shard_create_beside(other->own, &some, &shard->own), shard, out);
}

void sporf_shard_free(sporf_shard *shard) {
    if (!shard) return;
    spf_shard_free(shard->own);
    free(shard);
}

sporf_status sporf_shard_answer(sporf_shard *shard, const void *question, size_t size,
                                unsigned threads, void **answer, size_t *answer_size) {
    if (!shard || !question || !answer || !answer_size)
        return raise_missing("an answer needs a shard, a question and a place for it");
    if (threads > THREADS_MAX)
        return spf_raise(SPORF_ERROR_ARGUMENT, "rows apart: threads must be at most %d, got %u",
                         THREADS_MAX, threads);
    spf_writer written = {0};
    spf_reader asked = reader_of(question, size);
    return hand_over(spf_shard_answer(shard->own, &asked, threads, &written), &written, answer,
                     answer_size);
}

sporf_status sporf_shard_add_up(sporf_shard *shard, const void *question, size_t size,
                                const void *const *answers, const size_t *sizes, size_t count,
                                void **sum, size_t *sum_size) {
    if (!shard || !question || !answers || !sizes || !sum || !sum_size)
        return raise_missing("adding up needs a shard, a question, answers and a place for it");
    spf_writer written = {0};
    spf_reader asked = reader_of(question, size), *some = NULL;
    SPF_TRY(readers_of(answers, sizes, count, &some));
    sporf_status status = spf_shard_add_up(shard->own, &asked, some, count, &written);
    free(some);
    return hand_over(status, &written, sum, sum_size);
}

sporf_status sporf_shard_grow(sporf_shard *shard, const void *question, size_t size,
                              const void *const *rows, const size_t *rows_sizes, size_t count,
                              void **branch, size_t *branch_size) {
    if (!shard || !question || !rows || !rows_sizes || !branch || !branch_size)
        return raise_missing("a branch needs a shard, a question, rows and a place for it");
    spf_writer written = {0};
    spf_reader asked = reader_of(question, size), *answers = NULL;
    SPF_TRY(readers_of(rows, rows_sizes, count, &answers));
    sporf_status status = spf_shard_grow(shard->own, &asked, answers, count, &written);
    free(answers);
    return hand_over(status, &written, branch, branch_size);
}

/* ---- crowns ---------------------------------------------------------------------------------- */

static sporf_status start_crown(const sporf_dataset *outcomes, const sporf_dataset *like,
                                const sporf_params *given, const sporf_hooks *given_hooks,
                                const spf_crown_limits *limits, sporf_crown *crown) {
    sporf_params params;
    sporf_sampler own;
    SPF_TRY(check_params(outcomes, given, &params));
    SPF_TRY(spf_hooks_read(given_hooks, &crown->hooks, &own));
    if (crown->hooks.sampler)
        return raise_missing("a sampler of one's own is not there on every machine");
    return spf_crown_create(outcomes, like, &params, &crown->hooks, spf_train_packed, limits,
                            &crown->own);
}

sporf_status sporf_crown_create(const sporf_dataset *outcomes, const sporf_dataset *like,
                                const sporf_params *params, const sporf_hooks *hooks,
                                uint64_t branch_rows, uint32_t trees, sporf_crown **out) {
    if (!outcomes || !like || !out)
        return raise_missing("a crown needs outcomes, columns and a place for it");
    if (branch_rows == 0 || trees == 0)
        return raise_missing("branches need at least one row, and one tree grows at a time");
    sporf_crown *crown = spf_alloc_zero(1, sizeof *crown);
    if (!crown) return spf_raise_memory();
    sporf_status status =
        start_crown(outcomes, like, params, hooks, &(spf_crown_limits){branch_rows, trees}, crown);
    if (status == SPORF_OK)
        *out = crown;
    else
        free(crown);
    return status;
}

void sporf_crown_free(sporf_crown *crown) {
    if (!crown) return;
    spf_crown_free(crown->own);
    free(crown);
}

const void *sporf_crown_ask(const sporf_crown *crown, size_t *size) {
    const void *question;
    if (!crown || !size || spf_crown_next(crown->own) != SPF_CROWN_ASKS) return NULL;
    spf_crown_question(crown->own, &question, size);
    return question;
}

sporf_status sporf_crown_hear(sporf_crown *crown, const void *const *answers, const size_t *sizes,
                              size_t count) {
    spf_reader *heard = NULL;
    if (!crown || !answers || !sizes) return raise_missing("hearing needs a crown and answers");
    if (spf_crown_next(crown->own) != SPF_CROWN_ASKS)
        return raise_missing("nothing was asked: grow the branches, or finish");
    SPF_TRY(readers_of(answers, sizes, count, &heard));
    sporf_status status = spf_crown_hear(crown->own, heard, count);
    free(heard);
    return status;
}

size_t sporf_crown_branches(const sporf_crown *crown) {
    return crown ? spf_crown_branches(crown->own) : 0;
}

static sporf_status check_branch(const sporf_crown *crown, size_t branch) {
    size_t count = sporf_crown_branches(crown);
    if (branch < count) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT, "rows apart: there is no branch %zu among %zu", branch,
                     count);
}

sporf_status sporf_crown_branch(const sporf_crown *crown, size_t branch, void **question,
                                size_t *size, uint64_t *rows) {
    spf_writer written = {0};
    if (!question || !size || !rows)
        return raise_missing("a branch needs a place for its question");
    SPF_TRY(check_branch(crown, branch));
    return hand_over(spf_crown_branch(crown->own, branch, &written, rows), &written, question,
                     size);
}

sporf_status sporf_crown_take(sporf_crown *crown, size_t branch, const void *grown, size_t size) {
    if (!grown) return raise_missing("there is no branch to take");
    SPF_TRY(check_branch(crown, branch));
    spf_reader reader = reader_of(grown, size);
    return spf_crown_take(crown->own, branch, &reader);
}

sporf_status sporf_crown_finish(sporf_crown *crown, sporf_forest **out) {
    sporf_forest *forest = NULL;
    if (!crown || !out) return raise_missing("a forest needs a crown and a place for it");
    SPF_TRY(spf_crown_finish(crown->own, &forest));
    const spf_settings *settings = spf_crown_settings(crown->own);
    return spf_finish_training(settings, &crown->hooks, (uint32_t)forest->trees_count, forest, out);
}
