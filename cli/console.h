/* What the operating system gives a command: arguments, standard streams, signals, the terminal.
 * console_posix.c is for Linux and macOS, console_windows.c for Windows; no other file of the
 * command asks which system it is. */
#ifndef SPORF_CLI_CONSOLE_H
#define SPORF_CLI_CONSOLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* To be called first: holds the standard streams, and makes writing to a closed pipe an error like
 * any other. *argv becomes UTF-8. Returns 0 if that cannot be done. */
int console_start(int *argc, char ***argv);

/* Whether standard output is a terminal; whether standard error is one whose lines can be drawn
 * again, and how many columns it has, 80 if unknown. */
int console_prints_to_terminal(void);
int console_redraws(void);
size_t console_columns(void);

/* After writing has failed: whether the reader of standard output has gone. */
int console_reader_gone(void);

/* Redirects standard output to a file, and back. Return 0 or an errno. */
int console_lend_output(int file, int *kept);
void console_take_output_back(int kept, int restore);

/* The signals that ask the program to end get a handler, except those that were ignored when the
 * program started; NULL: they end it again. */
void console_catch(void (*handler)(int));

/* From now on, a signal that may come twice, because a terminal was closed, is ignored. */
void console_ignore_hang_up(void);

/* Ends the program as the signal does. */
void console_end_by(int signal);

/* Holds signals back, and lets them come again. */
void console_hold(void);
void console_release(void);

/* The largest number of resident bytes of this process; 0 if unknown. */
uint64_t console_peak_memory(void);

/* What a function prints, as text to be freed; NULL when memory runs out. */
char *console_printed(void (*print)(FILE *stream, const void *context), const void *context);

#endif
