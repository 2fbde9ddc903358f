/* The options by which every verb reads a table, and the reading. */
#ifndef SPORF_CLI_TABLE_INPUT_H
#define SPORF_CLI_TABLE_INPUT_H

#include "opt.h"
#include "sporf.h"

/* Declares --data, --label with the verb's own help, --label-file for verbs that need classes,
 * --format, --header and --zero-based. */
void input_declare(opt_list *options, const char *label_help, int needs_classes);

/* Makes --data optional. */
void input_data_optional(opt_list *options);

/* Allows only one file for --data. */
void input_data_once(opt_list *options);

/* Declares --categorical, --ignore and --ordinal, for verbs that infer the kinds of columns; and
 * --ignore alone, for verbs that know them from a model. */
void input_declare_columns(opt_list *options);
void input_declare_ignore(opt_list *options);

/* Declares --weight and --target, for verbs that use them. */
void input_declare_weight(opt_list *options);
void input_declare_target(opt_list *options);
void input_declare_labels(opt_list *options);

/* Declares --threads and --max-memory, for verbs that do not train. */
void input_declare_limits(opt_list *options);

/* Fills read from the options given; input_free afterwards. Returns 0, or an exit code after a
 * message. */
int input_options(const opt_list *options, sporf_read_options *read);
void input_free(sporf_read_options *read);

/* Cuts the first item off a list, without blanks or double quotes around it. Text is what follows
 * its mark; NULL after the last. */
char *input_take_item(char **text, char mark);

/* The items of an option's value, separated by commas, without blanks around them; none if it is
 * not given. The list is one block: free it with free(). Returns 0, or an exit code after a
 * message. */
int input_list(const opt_list *options, const char *name, const char *const **list, size_t *count);

/* Reads the table at --data, or in a file, with a note on a terminal meanwhile. */
sporf_status input_read(const opt_list *options, const sporf_read_options *read,
                        sporf_dataset **out);
sporf_status input_read_file(const char *path, const sporf_read_options *read, sporf_dataset **out);

/* The same for verbs that need classes: an svmlight file has them, others have them in --label or
 * --label-file. Returns 0, or an exit code after a message. */
int input_read_labelled(const opt_list *options, const sporf_read_options *read,
                        sporf_dataset **out);

/* Refuses an output option, such as "model", with a file that another option reads, since it would
 * be lost. Returns 0, or an exit code after a message. */
int input_protect(const opt_list *options, const char *output);

/* Whether two paths lead to the same regular file; either may be NULL. */
int input_same_file(const char *one, const char *other);

/* Bytes that a table takes in memory. */
uint64_t input_bytes(const sporf_dataset *data);

#endif
