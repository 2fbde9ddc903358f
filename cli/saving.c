/* A training that is stopped, by a batch system or a closed terminal, must not cost the existing
 * model, nor look like a complete one. */
#include "saving.h"

#include "base/place.h"
#include "base/system.h"
#include "cli.h"
#include "interrupt.h"
#include "out.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

static char *partial_path(const char *target) {
    static const char ending[] = ".partial";
    size_t length = strlen(target);
    char *path = malloc(length + sizeof ending);
    if (!path) return NULL;
    memcpy(path, target, length);
    memcpy(path + length, ending, sizeof ending);
    return path;
}

static int choose_path(const char *verb, const char *path, int keep_old, saving *s) {
    spf_place place;
    int found = spf_place_find(path, &place) == 0;
    s->beside = keep_old && found && place.kind == SPF_PLACE_FILE && place.info.size > 0;
    s->path = s->beside ? partial_path(place.target) : strdup(path);
    s->code = s->beside ? 128 + interrupt_seen() : EXIT_DONE;
    /* A partial model has the permissions of the model: an empty file is created with them, which
     * saving replaces. */
    if (s->beside && s->path) spf_system_create_like(s->path, &place.info);
    spf_place_free(&place);
    if (s->path) return EXIT_DONE;
    out_error(verb, "out of memory");
    return EXIT_FAILED;
}

int saving_forest(const char *verb, const sporf_forest *forest, const char *path, int keep_old,
                  saving *s) {
    progress note;
    *s = (saving){0};
    int code = choose_path(verb, path, keep_old, s);
    if (code != EXIT_DONE) return code;
    progress_note(&note, "saving", s->path);
    sporf_status status = sporf_forest_save(forest, s->path);
    progress_end(&note);
    return status == SPORF_OK
               ? EXIT_DONE
               : out_failure(verb, status, "the forest is grown but could not be saved");
}

void saving_report(const char *verb, const char *path, const saving *s, const char *stopped) {
    if (s->beside)
        out_error(verb, "%s; %s stays as it was, the trees so far are in %s", stopped, path,
                  s->path);
    else
        out_error(verb, "%s; the model is valid", stopped);
}
