/* The fibers of the emulated GPU. */
#include "emulated_cuda.h"

#include <mutex>

/* Kernels of several threads run one after the other. */
static std::mutex running, allocating;

emulated_machine emulated;
size_t emulated_memory = (size_t)1 << 30;

cudaError_t emulated_alloc(void **out, size_t bytes) {
    std::lock_guard<std::mutex> lock(allocating);
    size_t *block = bytes > emulated_memory ? NULL : (size_t *)malloc(bytes + 2 * sizeof(size_t));
    *out = NULL;
    if (!block) return cudaErrorMemoryAllocation;
    block[0] = bytes;
    emulated_memory -= bytes;
    memset(block + 2, 0xa5, bytes); /* nothing may depend on it */
    *out = block + 2;
    return cudaSuccess;
}

void emulated_free(void *memory) {
    if (!memory) return;
    std::lock_guard<std::mutex> lock(allocating);
    size_t *block = (size_t *)memory - 2;
    emulated_memory += block[0];
    free(block);
}

static void enter(unsigned thread) {
    emulated.now = thread;
    emulated.thread.x = thread;
    emulated_fiber *fiber = &emulated.fiber[thread];
    if (fiber->started) _longjmp(fiber->here, 1);
    fiber->started = 1;
    setcontext(&fiber->start);
}

static void leave(emulated_group *group) {
    group->live--;
    if (group->live > 0 && group->arrived == group->live) {
        group->arrived = 0;
        group->turn++;
    }
}

/* A fiber runs a thread, then waits for the next block's. */
static void run_fiber(void) {
    for (;;) {
        emulated_fiber *fiber = &emulated.fiber[emulated.now];
        (*emulated.body)();
        fiber->done = 1;
        leave(&emulated.all);
        leave(&emulated.warp[emulated.now / 32]);
        if (!_setjmp(fiber->here)) _longjmp(emulated.home, 1);
    }
}

void emulated_yield(void) {
    if (!_setjmp(emulated.fiber[emulated.now].here)) _longjmp(emulated.home, 1);
}

static void run_block(unsigned threads) {
    volatile unsigned left = threads;
    volatile unsigned next = 0;
    emulated.all = {threads, 0, emulated.all.turn};
    for (unsigned w = 0; w < (threads + 31) / 32; w++)
        emulated.warp[w] = {threads - 32 * w < 32 ? threads - 32 * w : 32, 0, 0};
    for (unsigned i = 0; i < threads; i++) {
        emulated_fiber *fiber = &emulated.fiber[i];
        fiber->done = 0;
        if (fiber->stack) continue;
        fiber->stack = (char *)malloc(EMULATED_STACK);
        getcontext(&fiber->start);
        fiber->start.uc_stack.ss_sp = fiber->stack;
        fiber->start.uc_stack.ss_size = EMULATED_STACK;
        makecontext(&fiber->start, run_fiber, 0);
    }
    while (left > 0) {
        unsigned thread = next;
        next = thread + 1 < threads ? thread + 1 : 0;
        if (emulated.fiber[thread].done) continue;
        if (!_setjmp(emulated.home)) enter(thread);
        if (emulated.fiber[thread].done) left = left - 1;
    }
}

void emulated_launch(unsigned blocks, unsigned threads, size_t shared,
                     const std::function<void(void)> &body) {
    std::lock_guard<std::mutex> lock(running);
    assert(threads <= EMULATED_THREADS && shared <= EMULATED_SHARED && threads > 0);
    if (!emulated.shared) emulated.shared = (unsigned char *)malloc(EMULATED_SHARED);
    emulated.threads = {threads, 1, 1};
    emulated.blocks = {blocks, 1, 1};
    emulated.body = &body;
    for (unsigned b = 0; b < blocks; b++) {
        emulated.block = {b, 0, 0};
        memset(emulated.shared, 0x5a, shared);
        run_block(threads);
    }
}
