/* The page of a report: head, style, chapters and tables. */
#include "report/page.h"

#include <math.h>
#include <string.h>

enum { LONG_TEXT = 24 };

static const char style[] =
    "*{box-sizing:border-box}html{color-scheme:light dark;-webkit-text-size-adjust:100%}"
    "body{margin:0;background:var(--Paper);color:var(--Ink);"
    "font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}"
    "header,main,nav,footer{max-width:1180px;margin:0 auto;padding:0 16px}"
    "header{padding-top:28px}h1{font-size:1.7rem;line-height:1.2;margin:0 0 6px;"
    "overflow-wrap:anywhere}h2{font-size:1.3rem;margin:0 0 2px}h3{font-size:1.05rem;"
    "margin:26px 0 6px;overflow-wrap:anywhere}"
    "section{border-top:1px solid var(--Grid);padding:26px 0 30px}"
    ".about,.sub,footer,.note{color:var(--Faint)}.about{margin:0 0 14px}.sub{margin:0 0 14px;"
    "overflow-wrap:anywhere}p{max-width:76ch}.note{margin:8px 0;font-size:.92rem}"
    "a{color:var(--T0);text-underline-offset:.15em}"
    "nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:2px 18px;padding:0;margin:10px 0 26px}"
    "nav a{display:inline-block;padding:5px 0}"
    ".skip{position:absolute;left:-9999px}.skip:focus{left:8px;top:8px;background:var(--Paper);"
    "padding:8px;z-index:1}"
    ":focus-visible{outline:3px solid var(--T1);outline-offset:2px}"
    /* shadows at the edges behind which more columns are; covers move with the table */
    ".scroll{overflow-x:auto;max-width:100%;margin:10px 0;background:"
    "linear-gradient(to right,var(--Paper) 40%,transparent) 0/44px 100% no-repeat local,"
    "linear-gradient(to left,var(--Paper) 40%,transparent) 100%/44px 100% no-repeat local,"
    "linear-gradient(to right,var(--Axis),transparent) 0/16px 100% no-repeat scroll,"
    "linear-gradient(to left,var(--Axis),transparent) 100%/16px 100% no-repeat scroll}"
    "table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}"
    "caption{text-align:left;color:var(--Faint);padding:2px 0 6px;font-size:.9rem}"
    "th,td{text-align:left;padding:4px 22px 4px 0;border-bottom:1px solid var(--Grid);"
    "vertical-align:top;font-weight:400;max-width:34em;overflow-wrap:break-word}"
    "thead th{color:var(--Faint);border-bottom-color:var(--Axis);vertical-align:bottom;"
    "overflow-wrap:normal}tbody "
    "th{font-weight:600;min-width:7em}.w{min-width:17em}.n{text-align:right;"
    "white-space:nowrap}.i{color:var(--Faint);white-space:nowrap;font-size:.86em}"
    ".figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,330px),1fr));"
    "gap:22px 28px;align-items:start;margin:14px 0}"
    "figure{margin:0;min-width:0}figcaption{font-weight:600;font-size:.95rem;margin-bottom:4px;"
    "overflow-wrap:anywhere}figure svg{display:block;width:100%;height:auto;max-width:430px}"
    "td svg{display:block}"
    "summary{cursor:pointer;color:var(--T0);font-size:.88rem;padding:4px 0}"
    "pre{overflow-x:auto;background:var(--Grid);padding:12px;"
    "font-size:.86rem;border-radius:4px;white-space:pre-wrap;overflow-wrap:anywhere}"
    "footer{padding-top:18px;padding-bottom:40px;border-top:1px solid var(--Grid);"
    "font-size:.9rem}"
    "@media(max-width:600px){th,td{padding-right:14px}.w{min-width:10em}tbody th{min-width:5em;"
    "max-width:8.5em;position:sticky;left:0;background:var(--Paper)}}"
    "@media print{nav,.skip{display:none}body{font-size:10.5pt}section{padding:14pt 0}"
    "figure,tr,h2,h3{break-inside:avoid}h2,h3{break-after:avoid}.scroll{overflow:visible;"
    "background:none}"
    "details:not([open]){display:none}"
    ".figures{grid-template-columns:repeat(2,1fr)}}";

/* ---- chapters -------------------------------------------------------------------------------- */

void spf_page_chapter(spf_page *page, const char *id, const char *title, const char *about) {
    spf_markup *m = &page->body;
    if (page->count > 0) spf_markup_put(m, "</section>\n");
    if (page->count < SPF_PAGE_CHAPTERS) {
        page->chapters[page->count].id = id;
        page->chapters[page->count++].title = title;
    }
    spf_markup_format(m, "<section id='%s' aria-labelledby='%s-title'><h2 id='%s-title'>%s</h2>\n",
                      id, id, id, title);
    spf_markup_format(m, "<p class='about'>%s</p>\n", about);
}

void spf_page_heading(spf_page *page, const char *title) {
    spf_markup_format(&page->body, "<h3>%s</h3>\n", title);
}

void spf_page_heading_name(spf_page *page, const char *before, const char *name) {
    spf_markup_format(&page->body, "<h3>%s", before);
    spf_markup_text(&page->body, name, SPF_PAGE_NAME_MOST);
    spf_markup_put(&page->body, "</h3>\n");
}

void spf_page_note(spf_page *page, const char *text) {
    spf_markup_format(&page->body, "<p class='note'>%s</p>\n", text);
}

static void put_head(spf_markup *html, const char *title) {
    spf_markup_put(html, "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'/>\n"
                         "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; "
                         "style-src 'unsafe-inline'; img-src data:\"/>\n"
                         "<meta name='viewport' content='width=device-width, initial-scale=1'/>\n"
                         "<meta name='color-scheme' content='light dark'/>\n<title>");
    spf_markup_text(html, title, 200);
    spf_markup_put(html, "</title>\n<style>");
    spf_markup_put(html, spf_svg_style);
    spf_markup_put(html, style);
    spf_markup_put(html, "</style>\n</head>\n<body>\n");
}

static void put_contents(spf_markup *html, const spf_page *page) {
    spf_markup_put(html, "<nav aria-label='Chapters'><ul>\n");
    for (size_t i = 0; i < page->count; i++)
        spf_markup_format(html, "<li><a href='#%s'>%s</a></li>\n", page->chapters[i].id,
                          page->chapters[i].title);
    spf_markup_put(html, "</ul></nav>\n");
}

sporf_status spf_page_finish(spf_page *page, const char *title, const char *subtitle,
                             spf_markup *html) {
    if (page->body.status != SPORF_OK) return page->body.status;
    put_head(html, title);
    spf_markup_put(html, "<a class='skip' href='#main'>Skip to the report</a>\n<header><h1>");
    spf_markup_text(html, title, 200);
    spf_markup_put(html, "</h1>\n<p class='sub'>");
    spf_markup_text(html, subtitle, 400);
    spf_markup_put(html, "</p></header>\n");
    put_contents(html, page);
    spf_markup_put(html, "<main id='main' tabindex='-1'>\n");
    spf_markup_put(html, page->body.text ? page->body.text : "");
    spf_markup_put(html, page->count > 0 ? "</section>\n</main>\n" : "</main>\n");
    spf_markup_format(html, "<footer>Made by sporf %s. This file needs no network.</footer>\n",
                      sporf_version());
    spf_markup_put(html, "</body>\n</html>\n");
    return html->status;
}

void spf_page_free(spf_page *page) {
    spf_markup_free(&page->body);
}

/* ---- tables ---------------------------------------------------------------------------------- */

void spf_table_open(spf_page *page, const char *caption, const char *const *heads, size_t count,
                    const char *kinds) {
    spf_markup *m = &page->body;
    spf_markup_put(m, "<div class='scroll' tabindex='0' role='region' aria-label='");
    spf_markup_text(m, caption, 200);
    spf_markup_put(m, "'><table><caption>");
    spf_markup_text(m, caption, 200);
    spf_markup_put(m, "</caption><thead><tr>");
    for (size_t i = 0; i < count; i++) {
        spf_markup_put(m, *kinds == 'n' ? "<th scope='col' class='n'>" : "<th scope='col'>");
        spf_markup_text(m, heads[i], SPF_PAGE_NAME_MOST);
        if (kinds[1]) kinds++;
        spf_markup_put(m, "</th>");
    }
    spf_markup_put(m, "</tr></thead><tbody>\n");
}

void spf_table_close(spf_page *page) {
    spf_markup_put(&page->body, "</tbody></table></div>\n");
}

void spf_row_open(spf_page *page) {
    spf_markup_put(&page->body, "<tr>");
}

void spf_row_close(spf_page *page) {
    spf_markup_put(&page->body, "</tr>\n");
}

void spf_cell_head(spf_page *page, const char *name) {
    spf_markup_put(&page->body, "<th scope='row'>");
    spf_markup_text(&page->body, name, SPF_PAGE_NAME_MOST);
    spf_markup_put(&page->body, "</th>");
}

void spf_cell_text(spf_page *page, const char *text) {
    spf_markup_put(&page->body, strlen(text) > LONG_TEXT ? "<td class='w'>" : "<td>");
    spf_markup_text(&page->body, text, 200);
    spf_markup_put(&page->body, "</td>");
}

void spf_cell_number(spf_page *page, double value, int digits) {
    spf_markup_put(&page->body, "<td class='n'>");
    spf_markup_number(&page->body, value, digits);
    spf_markup_put(&page->body, "</td>");
}

void spf_cell_interval(spf_page *page, double value, double low, double high) {
    spf_markup *m = &page->body;
    spf_markup_put(m, "<td class='n'>");
    spf_markup_number(m, value, 4);
    if (isfinite(low) && isfinite(high)) {
        spf_markup_put(m, " <span class='i'>");
        spf_markup_number(m, low, 4);
        spf_markup_put(m, " to ");
        spf_markup_number(m, high, 4);
        spf_markup_put(m, "</span>");
    }
    spf_markup_put(m, "</td>");
}
