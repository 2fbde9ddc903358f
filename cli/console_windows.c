/* Windows, compiled with MinGW-w64. */
#ifdef _WIN32

#include "console.h"

#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>
/* After windows.h. */
#include <psapi.h>
#include <shellapi.h>

enum { STANDARD_INPUT, STANDARD_OUTPUT, STANDARD_ERROR }; /* their descriptors */

/* ---- arguments and streams ------------------------------------------------------------------- */

static char *narrow(const wchar_t *wide) {
    int length = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *text = malloc((size_t)length + 1);
    if (text) WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, length, NULL, NULL);
    return text;
}

/* The arguments live as long as the program. */
static int read_arguments(int *argc, char ***argv) {
    int count;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    char **list = wide ? calloc((size_t)count + 1, sizeof *list) : NULL;
    int whole = list != NULL;
    for (int i = 0; whole && i < count; i++) {
        list[i] = narrow(wide[i]);
        whole = list[i] != NULL;
    }
    LocalFree(wide);
    if (!whole) return 0;
    *argc = count;
    *argv = list;
    return 1;
}

/* Results have the same bytes as elsewhere: no carriage returns. */
int console_start(int *argc, char ***argv) {
    for (int stream = STANDARD_INPUT; stream <= STANDARD_ERROR; stream++)
        _setmode(stream, _O_BINARY);
    SetConsoleOutputCP(CP_UTF8);
    return read_arguments(argc, argv);
}

int console_prints_to_terminal(void) {
    return _isatty(STANDARD_OUTPUT);
}

/* Whether it understands the sequences that wipe a line. */
int console_redraws(void) {
    HANDLE console = GetStdHandle(STD_ERROR_HANDLE);
    DWORD mode;
    return GetConsoleMode(console, &mode) &&
           SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

size_t console_columns(void) {
    CONSOLE_SCREEN_BUFFER_INFO screen;
    if (!GetConsoleScreenBufferInfo(GetStdHandle(STD_ERROR_HANDLE), &screen)) return 80;
    int columns = screen.srWindow.Right - screen.srWindow.Left + 1;
    return columns > 1 ? (size_t)columns : 80;
}

/* It is asked after writing has failed, for which a pipe has no other reason. */
int console_reader_gone(void) {
    return GetFileType(GetStdHandle(STD_OUTPUT_HANDLE)) == FILE_TYPE_PIPE;
}

int console_lend_output(int file, int *kept) {
    int code = spf_system_copy(STANDARD_OUTPUT, kept);
    if (code != 0) return code;
    return _dup2(file, STANDARD_OUTPUT) == 0 ? 0 : errno;
}

void console_take_output_back(int kept, int restore) {
    if (restore) _dup2(kept, STANDARD_OUTPUT);
    _close(kept);
}

/* ---- signals ---------------------------------------------------------------------------------
 *
 * Ctrl-C, Ctrl-Break and a closed window come in a thread of their own and cannot be blocked. While
 * they are held, they are noted, and raised again when they are let through. A handler is installed
 * anew each time, since the C library takes it away before it calls it. */

static const int signals[] = {SIGINT, SIGTERM, SIGBREAK};
enum { SIGNALS = sizeof signals / sizeof *signals };
static _Atomic(void (*)(int)) caught;
static atomic_int held, waiting;

static void come(int number) {
    void (*handler)(int) = atomic_load(&caught);
    if (handler) signal(number, come);
    if (atomic_load(&held))
        atomic_store(&waiting, number);
    else if (handler)
        handler(number);
}

void console_catch(void (*handler)(int)) {
    atomic_store(&caught, handler);
    for (size_t i = 0; i < SIGNALS; i++) {
        int waits = handler || atomic_load(&held);
        void (*before)(int) = signal(signals[i], waits ? come : SIG_DFL);
        if (before == SIG_IGN) signal(signals[i], SIG_IGN);
    }
}

void console_ignore_hang_up(void) {}

void console_end_by(int number) {
    signal(number, SIG_DFL);
    raise(number);
}

/* Without a handler, too, a signal has to wait. */
void console_hold(void) {
    atomic_store(&held, 1);
    for (size_t i = 0; i < SIGNALS; i++)
        if (signal(signals[i], come) == SIG_IGN) signal(signals[i], SIG_IGN);
}

void console_release(void) {
    atomic_store(&held, 0);
    console_catch(atomic_load(&caught));
    int number = atomic_exchange(&waiting, 0);
    if (number) raise(number);
}

/* ---- memory ---------------------------------------------------------------------------------- */

uint64_t console_peak_memory(void) {
    PROCESS_MEMORY_COUNTERS used;
    return GetProcessMemoryInfo(GetCurrentProcess(), &used, sizeof used) ? used.PeakWorkingSetSize
                                                                         : 0;
}

/* A temporary file, which the system removes when it is closed. */
static FILE *open_temporary(void) {
    wchar_t folder[MAX_PATH + 1], name[MAX_PATH + 1];
    if (!GetTempPathW(MAX_PATH, folder) || !GetTempFileNameW(folder, L"spf", 0, name)) return NULL;
    return _wfopen(name, L"w+bTD");
}

static char *read_back(FILE *file) {
    long size = ftell(file);
    char *text = size >= 0 ? malloc((size_t)size + 1) : NULL;
    rewind(file);
    if (!text) return NULL;
    text[fread(text, 1, (size_t)size, file)] = '\0';
    return text;
}

char *console_printed(void (*print)(FILE *stream, const void *context), const void *context) {
    FILE *file = open_temporary();
    if (!file) return NULL;
    print(file, context);
    char *text = ferror(file) ? NULL : read_back(file);
    fclose(file);
    return text;
}

#endif
