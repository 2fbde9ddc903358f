/* A training that is stopped, as batch systems and closed terminals do, must not cost a better
 * model than it leaves, nor look like one that went through. */
#include "saving.h"

#include "base/place.h"
#include "cli.h"
#include "interrupt.h"
#include "out.h"
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether the old model is worth more than a stopped forest; says why. */
static int stays(const spf_place *place, size_t trees, saving_state state, char *why, size_t size) {
    sporf_forest *old = NULL;
    if (state == SAVING_WHOLE || place->kind != SPF_PLACE_FILE || place->info.st_size == 0)
        return 0;
    if (sporf_forest_open(place->target, &old) != SPORF_OK) {
        snprintf(why, size, "cannot be read as a model");
        return 1;
    }
    size_t count = sporf_forest_trees(old);
    sporf_forest_free(old);
    snprintf(why, size, "has %zu trees", count);
    return state == SAVING_SEARCH_STOPPED ? count >= trees : count > trees;
}

static char *beside(const char *target) {
    static const char ending[] = ".partial";
    size_t length = strlen(target);
    char *path = malloc(length + sizeof ending);
    if (!path) return NULL;
    memcpy(path, target, length);
    memcpy(path + length, ending, sizeof ending);
    return path;
}

static int choose_path(const char *verb, const sporf_forest *forest, const char *path,
                       saving_state state, saving *s) {
    spf_place place;
    int found = spf_place_find(path, &place) == 0;
    int partial = found && stays(&place, sporf_forest_trees(forest), state, s->why, sizeof s->why);
    s->path = partial ? beside(place.target) : strdup(path);
    s->code = partial ? 128 + interrupt_seen() : EXIT_DONE;
    if (!partial) s->why[0] = '\0';
    spf_place_free(&place);
    if (s->path) return EXIT_DONE;
    out_error(verb, "out of memory");
    return EXIT_FAILED;
}

int saving_forest(const char *verb, const sporf_forest *forest, const char *path,
                  saving_state state, saving *s) {
    progress note;
    *s = (saving){0};
    int code = choose_path(verb, forest, path, state, s);
    if (code != EXIT_DONE) return code;
    progress_note(&note, "saving", s->path);
    sporf_status status = sporf_forest_save(forest, s->path);
    progress_end(&note);
    return status == SPORF_OK
               ? EXIT_DONE
               : out_failure(verb, status, "the forest is grown but could not be saved");
}

void saving_tell(const char *verb, const char *path, const saving *s, const char *stopped) {
    if (s->why[0] == '\0')
        out_error(verb, "%s; the model is valid", stopped);
    else
        out_error(verb, "%s; %s %s and stays as it is, the trees so far are in %s", stopped, path,
                  s->why, s->path);
}
