/* Which trainings a device grows, and what users are told of it. */
#include "learn/device.h"

#include <stdarg.h>
#include <stdio.h>

__attribute__((format(SPF_PRINTF, 2, 3))) static void note(const sporf_hooks *hooks,
                                                           const char *format, ...) {
    char text[SPF_ERROR_TEXT_MAX + 100];
    va_list arguments;
    if (!hooks->note) return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    hooks->note(hooks->payload, text);
}

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
        note(hooks, "the GPU does not support %s; the CPU grows this forest", lack);
    if (lack) return NULL;
    return wish == SPORF_DEVICE_GPU || device->is_faster(settings, threads) ? device : NULL;
}

void spf_device_note_failure(const sporf_hooks *hooks) {
    note(hooks, "the GPU could not go on: %s; the CPU grows the other trees", sporf_last_error());
}
