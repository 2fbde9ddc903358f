/* A device that grows trees in place of the threads, such as a GPU. Its trees have the same bits as
 * those of the threads, so that a forest does not show where it was grown. */
#ifndef SPF_LEARN_DEVICE_H
#define SPF_LEARN_DEVICE_H

#include "learn/growing/grow.h"
#include "learn/settings/settings.h"

/* Trees to grow. */
typedef struct spf_device_work {
    const spf_settings *settings;
    const spf_plan *plan;
    uint32_t first, count; /* numbers of the trees */
    unsigned threads;      /* that may help; a few more may wait or copy meanwhile */
    /* Takes over finished trees with consecutive numbers, the more at once the faster; called from
     * any thread. */
    void (*done)(void *context, uint32_t first_tree, spf_grown *grown, uint32_t trees);
    void *context;
} spf_device_work;

typedef struct spf_device {
    /* What of a training the device does not support, as the subject of a sentence; NULL if it
     * supports all of it. */
    const char *(*lacks)(const spf_settings *settings);
    /* Whether it is expected to be faster than that many threads. */
    int (*is_faster)(const spf_settings *settings, unsigned threads);
    /* Fails with SPORF_ERROR_DEVICE if the device cannot go on; trees that are not done can then be
     * grown by threads. */
    sporf_status (*grow)(const spf_device_work *work);
} spf_device;

/* The device that grows the trees of a training with these settings, in which only the wish for a
 * device may be auto; NULL if that many threads grow them. The note hook tells what the device
 * lacks if it was asked for by name. */
const spf_device *spf_device_choose(const spf_settings *settings, const sporf_hooks *hooks,
                                    unsigned threads);

/* Tells by the note hook why the device failed, after its error was raised, and that threads go on.
 */
void spf_device_note_failure(const sporf_hooks *hooks);

#endif
