/* Small columns without axes, for a cell of a table. */
#include "draw/chart.h"

#include "draw/axis.h"

#include <math.h>

void spf_spark_draw(spf_markup *m, const spf_svg *svg, size_t count, const double *values) {
    double low = 0, high = 0, width = svg->width / (double)(count > 0 ? count : 1);
    spf_axis_widen(&low, &high, count, values);
    spf_svg_open(m, svg);
    for (size_t i = 0; i < count && high > 0; i++) {
        if (!(values[i] > 0)) continue;
        double tall = fmax(values[i] / high * svg->height, 0.7);
        spf_svg_rect(m, SPF_PAINT_AREA, (double)i * width, svg->height - tall,
                     width - (width > 3 ? 0.7 : 0), tall, 0);
    }
    spf_svg_close(m);
}
