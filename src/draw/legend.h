/* What charts have above their axes: a title if they stand alone, and the names of series. */
#ifndef SPF_DRAW_LEGEND_H
#define SPF_DRAW_LEGEND_H

#include "draw/svg.h"

typedef struct spf_legend {
    const char *name;
    spf_paint paint; /* of a line, or of an area */
} spf_legend;

/* Draws the title of a picture that stands alone, on two lines if one is too short. Returns where
 * the rest begins. */
double spf_title_draw(spf_markup *markup, const spf_svg *svg);

/* Draws one entry at (*x, *y), or at the start of the next line if the width is not enough, and
 * moves *x and *y behind it. */
void spf_legend_draw(spf_markup *markup, const spf_legend *legend, double width, double *x,
                     double *y);

#endif
