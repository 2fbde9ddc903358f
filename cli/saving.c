/* A training that is stopped, as batch systems and closed terminals do, must not cost the model
 * that was there, nor look like one that went through. */
#include "saving.h"

#include "base/place.h"
#include "cli.h"
#include "interrupt.h"
#include "out.h"
#include "progress.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *beside(const char *target) {
    static const char ending[] = ".partial";
    size_t length = strlen(target);
    char *path = malloc(length + sizeof ending);
    if (!path) return NULL;
    memcpy(path, target, length);
    memcpy(path + length, ending, sizeof ending);
    return path;
}

/* What holds a part of a model is seen by those who may see the model: an empty file, which saving
 * replaces, hands its permissions on. */
static void protect(const char *path, const struct stat *old) {
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return; /* there from before, or saving will say why */
    int owned = fchown(file, old->st_uid, old->st_gid) == 0;
    fchmod(file, old->st_mode & (owned ? 0777 : 0700));
    close(file);
}

static int choose_path(const char *verb, const char *path, int spares, saving *s) {
    spf_place place;
    int found = spf_place_find(path, &place) == 0;
    s->spared = spares && found && place.kind == SPF_PLACE_FILE && place.info.st_size > 0;
    s->path = s->spared ? beside(place.target) : strdup(path);
    s->code = s->spared ? 128 + interrupt_seen() : EXIT_DONE;
    if (s->spared && s->path) protect(s->path, &place.info);
    spf_place_free(&place);
    if (s->path) return EXIT_DONE;
    out_error(verb, "out of memory");
    return EXIT_FAILED;
}

int saving_forest(const char *verb, const sporf_forest *forest, const char *path, int spares,
                  saving *s) {
    progress note;
    *s = (saving){0};
    int code = choose_path(verb, path, spares, s);
    if (code != EXIT_DONE) return code;
    progress_note(&note, "saving", s->path);
    sporf_status status = sporf_forest_save(forest, s->path);
    progress_end(&note);
    return status == SPORF_OK
               ? EXIT_DONE
               : out_failure(verb, status, "the forest is grown but could not be saved");
}

void saving_tell(const char *verb, const char *path, const saving *s, const char *stopped) {
    if (s->spared)
        out_error(verb, "%s; %s stays as it was, the trees so far are in %s", stopped, path,
                  s->path);
    else
        out_error(verb, "%s; the model is valid", stopped);
}
