/* Shards of a table that is cut at random rows. */
#include "support/rows_apart.h"

#include "base/rng.h"
#include "support/check.h"

#include <stdlib.h>

enum { SHARDS_MAX = 32 };

rows_apart_count rows_apart_counted;

typedef struct {
    const sporf_dataset *data;
    const sporf_params *params;
    const rows_apart *how;
    sporf_random random;
    size_t count;
    size_t first[SHARDS_MAX + 1];
    sporf_dataset *rows[SHARDS_MAX];
    sporf_shard *shard[SHARDS_MAX];
} shards;

static int compare(const void *a, const void *b) {
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static void make_shard(shards *s, size_t i) {
    sporf_shard_free(s->shard[i]);
    s->shard[i] = NULL;
    if (i > 0 && s->how->lose == 0) /* the first one stays */
        assert_ok(sporf_shard_create_beside(s->shard[0], s->rows[i], s->first[i], &s->shard[i]));
    else
        assert_ok(sporf_shard_create(s->data, s->rows[i], s->first[i], s->params, &s->shard[i]));
}

static void cut(shards *s) {
    size_t rows = sporf_dataset_rows(s->data), cuts[SHARDS_MAX + 1] = {0};
    uint32_t *numbers = malloc(rows * sizeof *numbers);
    assert_non_null(numbers);
    assert_true(s->how->shards <= SHARDS_MAX);
    for (size_t i = 1; i < s->how->shards; i++)
        cuts[i] = spf_random_below(&s->random, (uint32_t)rows + 1);
    cuts[s->how->shards] = rows;
    qsort(cuts, s->how->shards + 1, sizeof *cuts, compare);
    for (size_t i = 0; i < s->how->shards; i++) {
        size_t count = cuts[i + 1] - cuts[i];
        if (count == 0) continue;
        for (size_t k = 0; k < count; k++) numbers[k] = (uint32_t)(cuts[i] + k);
        s->first[s->count] = cuts[i];
        assert_ok(sporf_dataset_select(s->data, numbers, count, &s->rows[s->count]));
        make_shard(s, s->count++);
    }
    free(numbers);
}

typedef struct {
    void *bytes[SHARDS_MAX];
    size_t size[SHARDS_MAX];
} answers;

static answers ask(shards *s, const void *question, size_t size) {
    answers all = {0};
    rows_apart_counted.questions++;
    if (s->how->lose && rows_apart_counted.questions % s->how->lose == 0)
        make_shard(s, spf_random_below(&s->random, (uint32_t)s->count));
    for (size_t i = 0; i < s->count; i++)
        assert_ok(sporf_shard_answer(s->shard[i], question, size, s->how->threads, &all.bytes[i],
                                     &all.size[i]));
    return all;
}

/* The answers of some neighbours become one, chosen anew each time; returns how many are left. */
static size_t add_up(shards *s, const void *question, size_t size, answers *all) {
    size_t kept = 0;
    for (size_t i = 0, end; i < s->count; i = end) {
        end = i + 1 + spf_random_below(&s->random, (uint32_t)(s->count - i));
        void *sum = NULL;
        size_t sum_size = 0;
        assert_ok(sporf_shard_add_up(s->shard[i], question, size,
                                     (const void *const *)(all->bytes + i), all->size + i, end - i,
                                     &sum, &sum_size));
        for (size_t k = i; k < end; k++) sporf_free(all->bytes[k]);
        for (size_t k = i; k < end; k++) all->bytes[k] = NULL;
        all->bytes[kept] = sum;
        all->size[kept++] = sum_size;
    }
    return kept;
}

static void forget(answers *all) {
    for (size_t i = 0; i < SHARDS_MAX; i++) sporf_free(all->bytes[i]);
}

static void grow_branch(shards *s, sporf_crown *crown, size_t branch) {
    void *question, *grown;
    size_t size, grown_size;
    uint64_t rows;
    rows_apart_counted.branches++;
    assert_ok(sporf_crown_branch(crown, branch, &question, &size, &rows));
    answers all = ask(s, question, size);
    sporf_shard *any = s->shard[spf_random_below(&s->random, (uint32_t)s->count)];
    assert_ok(sporf_shard_grow(any, question, size, (const void *const *)all.bytes, all.size,
                               s->count, &grown, &grown_size));
    assert_ok(sporf_crown_take(crown, branch, grown, grown_size));
    sporf_free(grown);
    sporf_free(question);
    forget(&all);
}

/* The last branch comes first. */
static void grow_branches(shards *s, sporf_crown *crown) {
    for (size_t i = sporf_crown_branches(crown); i-- > 0;) grow_branch(s, crown, i);
}

sporf_forest *grow_apart(const sporf_dataset *data, const sporf_params *params,
                         const rows_apart *how) {
    shards s = {.data = data, .params = params, .how = how};
    sporf_crown *crown = NULL;
    sporf_forest *forest = NULL;
    const void *question;
    size_t size;
    s.random = spf_random_start(how->seed, 1, 1);
    rows_apart_counted = (rows_apart_count){0};
    cut(&s);
    assert_ok(
        sporf_crown_create(data, s.rows[0], params, NULL, how->branch_rows, how->trees, &crown));
    for (;;) {
        if ((question = sporf_crown_ask(crown, &size))) {
            answers all = ask(&s, question, size);
            size_t count = how->adds_up ? add_up(&s, question, size, &all) : s.count;
            assert_ok(sporf_crown_hear(crown, (const void *const *)all.bytes, all.size, count));
            forget(&all);
        } else if (sporf_crown_branches(crown) > 0) {
            grow_branches(&s, crown);
        } else {
            break;
        }
    }
    assert_ok(sporf_crown_finish(crown, &forest));
    sporf_crown_free(crown);
    for (size_t i = s.count; i-- > 0;) {
        sporf_shard_free(s.shard[i]);
        sporf_dataset_free(s.rows[i]);
    }
    return forest;
}
