/* The parts of a forest that are to be joined, in the order of their trees: whether they belong
 * together, and what messages call them. */
#ifndef SPF_API_PART_LIST_H
#define SPF_API_PART_LIST_H

#include "base/text.h"
#include "model/forest.h"

struct sporf_forest_part {
    sporf_forest *forest;
};

typedef struct spf_listed_part {
    uint32_t first, trees;
    char *name;                 /* NULL: its number stands for it */
    size_t number;              /* from 1 on, in the order in which parts were given */
    const sporf_forest *forest; /* NULL if it is not needed any more */
} spf_listed_part;

typedef struct spf_part_list {
    spf_listed_part *parts; /* [count], ascending, without overlaps */
    size_t count, capacity;
    const sporf_forest *model; /* the first that was added: what others are compared with. Its
                                  trees and out-of-bag rows are not needed */
    size_t model_number;
} spf_part_list;

/* Does not free forests. */
void spf_part_list_free(spf_part_list *list);

/* Adds a part, unless it is of another version, table or training than the first one, or has a tree
 * that another part has: then the list stays as it was. */
sporf_status spf_part_list_add(spf_part_list *list, const sporf_forest *forest, const char *name,
                               size_t number);

/* Raises the first gap. */
sporf_status spf_part_list_check_first(const spf_part_list *list); /* before the first part */
sporf_status spf_part_list_check_whole(const spf_part_list *list);

/* What messages call part i. */
typedef char spf_part_name[SPF_NAME_TEXT_MAX];
const char *spf_part_list_name(const spf_part_list *list, size_t i, spf_part_name text);

#endif
