/* libFuzzer target for questions to a shard of rows apart. The first byte chooses the training; the
 * rest is a question, whose first bytes become those of the training. */
#include "apart_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1 + APART_TRAINING_BYTES) return 0;
    const apart_training *t = apart_training_of(data[0]);
    uint8_t *question = malloc(--size);
    void *answer = NULL;
    size_t answer_size;
    require(question != NULL);
    memcpy(question, data + 1, size);
    memcpy(question, t->round[0].question.bytes, APART_TRAINING_BYTES);
    sporf_shard *shard = apart_shard(t, 0);
    sporf_status status = sporf_shard_answer(shard, question, size, 1, &answer, &answer_size);
    require(status == SPORF_OK || status == SPORF_ERROR_DATA || status == SPORF_ERROR_ARGUMENT);
    sporf_free(answer);
    sporf_shard_free(shard);
    free(question);
    return 0;
}
