/* Runs a fuzz target without the engine: every file of the folders on the command line, in the
 * order of their names, as one TAP test each. A fault ends the program, which is then a test short.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int tests, failures;

static void report(int good, const char *path) {
    tests++;
    failures += !good;
    printf("%s %d - %s\n", good ? "ok" : "not ok", tests, path);
    fflush(stdout);
}

/* The block is as long as the file, so that a read beyond its end is noticed. */
static int replay_file(const char *path, size_t size) {
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(size > 0 ? size : 1);
    int good = file && bytes && fread(bytes, 1, size, file) == size;
    if (good) LLVMFuzzerTestOneInput(bytes, size);
    if (file) fclose(file);
    free(bytes);
    return good;
}

static void replay_folder(const char *folder) {
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, NULL, alphasort), files = 0;
    for (int i = 0; i < count; i++) {
        char path[4096];
        struct stat about;
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (stat(path, &about) == 0 && S_ISREG(about.st_mode)) {
            report(replay_file(path, (size_t)about.st_size), path);
            files++;
        }
        free(entries[i]);
    }
    free(entries);
    if (files == 0) report(0, folder);
}

int main(int count, char **arguments) {
    for (int i = 1; i < count; i++) replay_folder(arguments[i]);
    printf("1..%d\n", tests);
    return tests == 0 || failures > 0;
}
