/* The page of a report: chapters, tables and figures as HTML. All text that is not a constant is
 * escaped. */
#ifndef SPF_REPORT_PAGE_H
#define SPF_REPORT_PAGE_H

#include "draw/chart.h"

enum { SPF_PAGE_NAME_MOST = 60, SPF_PAGE_CHAPTERS = 16 };

typedef struct spf_page {
    spf_markup body;
    unsigned pictures; /* so far: each has a number of its own */
    size_t count;      /* of chapters */
    struct {
        const char *id, *title;
    } chapters[SPF_PAGE_CHAPTERS];
} spf_page;

/* Starts a chapter; `about` says in a sentence what it shows. All are constants. */
void spf_page_chapter(spf_page *page, const char *id, const char *title, const char *about);
void spf_page_heading(spf_page *page, const char *title);
/* A name of a table or model as a heading. */
void spf_page_heading_name(spf_page *page, const char *before, const char *name);
/* A paragraph of constant text. */
void spf_page_note(spf_page *page, const char *text);

/* The whole page, after the last chapter: *html gets memory of the caller. */
sporf_status spf_page_finish(spf_page *page, const char *title, const char *subtitle,
                             spf_markup *html);
void spf_page_free(spf_page *page);

/* ---- tables ---------------------------------------------------------------------------------- */

/* A letter for each column says what it holds: n numbers, t text; the last letter holds for all
 * that follow. */
void spf_table_open(spf_page *page, const char *caption, const char *const *heads, size_t count,
                    const char *kinds);
void spf_table_close(spf_page *page);
void spf_row_open(spf_page *page);
void spf_row_close(spf_page *page);
/* Cells: the first of a row is its head, if it is a name. */
void spf_cell_head(spf_page *page, const char *name);
void spf_cell_text(spf_page *page, const char *text);
void spf_cell_number(spf_page *page, double value, int digits);
/* A value and its interval, if it has one. */
void spf_cell_interval(spf_page *page, double value, double low, double high);

/* ---- figures --------------------------------------------------------------------------------- */

/* The most rows and columns of a heat map. */
enum { SPF_PAGE_HEAT_MOST = 30 };

/* Figures stand side by side if there is room. */
void spf_figures_open(spf_page *page);
void spf_figures_close(spf_page *page);

/* Figures with a caption, and their numbers in a table that is opened on demand. The titles of the
 * pictures are the captions, and their descriptions are made here. */
void spf_figure_chart(spf_page *page, const char *caption, const spf_chart *chart);
void spf_figure_bars(spf_page *page, const char *caption, const char *head, const spf_bars *bars);
void spf_figure_heat(spf_page *page, const char *caption, const spf_heat *heat);

#endif
