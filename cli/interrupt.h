/* Ctrl-C, SIGTERM and SIGHUP: the first asks the work to stop, the second ends the program at once;
 * but a terminal that is closed may send SIGHUP twice, and the second is ignored. */
#ifndef SPORF_CLI_INTERRUPT_H
#define SPORF_CLI_INTERRUPT_H

/* From now on the first signal only raises a flag. A signal that was ignored when the program
 * started, as for a job in the background of a script, stays ignored. */
void interrupt_catch(void);

/* The signal that has come first, 0 for none; to be asked from any thread. */
int interrupt_seen(void);

/* From now on a signal removes the file at path, then ends the program as if nothing had been set
 * up; after interrupt_catch, the second one does. This holds for two files at a time, whose paths
 * must stay valid until they are spared. */
void interrupt_removes(const char *path);

/* Takes that back; NULL, or a path that was to stay anyway, is allowed. When no file is left,
 * signals are as they were. */
void interrupt_spares(const char *path);

/* Lets signals wait, and come; may be nested. */
void interrupt_hold(void);
void interrupt_release(void);

#endif
