/* Ctrl-C, SIGTERM and SIGHUP: the first asks the work to stop, the second ends the program at once.
 * A second SIGHUP is ignored, since a closed terminal may send two. */
#ifndef SPORF_CLI_INTERRUPT_H
#define SPORF_CLI_INTERRUPT_H

/* From now on the first signal only sets a flag. A signal that was ignored when the program
 * started, as for background jobs of a script, stays ignored. */
void interrupt_catch(void);

/* The first signal that came, 0 for none; may be called from any thread. */
int interrupt_seen(void);

/* From now on a signal removes the file at path, then ends the program in the usual way; after
 * interrupt_catch, the second signal does. Up to two files at a time, whose paths must stay valid
 * until interrupt_keeps. */
void interrupt_removes(const char *path);

/* Undoes interrupt_removes; a path that was not registered, or NULL, is allowed. With no file left,
 * signals are handled as before. */
void interrupt_keeps(const char *path);

/* Blocks signals, and lets them through again; may be nested. */
void interrupt_hold(void);
void interrupt_release(void);

#endif
