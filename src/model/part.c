/* Memory of parts. */
#include "model/part.h"

#include <stdlib.h>

void spf_part_free(spf_forest_part *part) {
    free(part->labels);
    free(part->values);
    free(part->weights);
    free(part->starts);
    free(part->out_of_bag);
    *part = (spf_forest_part){0};
}
