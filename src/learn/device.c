/* Which trainings a device grows, and what users are told of it. */
#include "learn/device.h"

/* A profile is one of the threads' phases. */
static const char *lack_of(const spf_settings *settings, const sporf_hooks *hooks) {
    return hooks->profile ? "a profile" : settings->device->lacks(settings);
}

const spf_device *spf_device_choose(const spf_settings *settings, const sporf_hooks *hooks,
                                    unsigned threads) {
    const spf_device *device = settings->device;
    sporf_device wish = settings->params.device;
    if (!device || wish == SPORF_DEVICE_CPU) return NULL;
    const char *lack = lack_of(settings, hooks);
    if (lack && wish == SPORF_DEVICE_GPU)
        spf_note(hooks->note, hooks->payload,
                 "the GPU does not support %s; the CPU grows this forest", lack);
    if (lack) return NULL;
    return wish == SPORF_DEVICE_GPU || device->is_faster(settings, threads) ? device : NULL;
}

void spf_device_note_failure(const sporf_hooks *hooks) {
    spf_note(hooks->note, hooks->payload,
             "the GPU could not go on: %s; the CPU grows the other trees", sporf_last_error());
}
