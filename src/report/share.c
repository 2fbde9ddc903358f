/* How sure a share of rows is. */
#include "report/share.h"

#include <math.h>

void spf_share_interval(double share, double rows, double *low, double *high) {
    const double z = 1.96;
    double middle = (share + z * z / (2 * rows)) / (1 + z * z / rows);
    double half =
        z / (1 + z * z / rows) * sqrt(share * (1 - share) / rows + z * z / (4 * rows * rows));
    *low = fmax(middle - half, 0), *high = fmin(middle + half, 1);
}
