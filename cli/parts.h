/* --part and --settle of train: a forest that several runs grow. */
#ifndef SPORF_CLI_PARTS_H
#define SPORF_CLI_PARTS_H

#include "opt.h"
#include "training.h"

void parts_declare(opt_list *options);

/* Whether one of the two is given. */
int parts_wanted(const opt_list *options);

/* Chooses settings and writes them, or grows a part and saves it. Returns an exit code. */
int parts_run(const opt_list *options, training_takes takes);

#endif
