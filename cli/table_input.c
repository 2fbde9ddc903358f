/* Reads a table by the options. Threads, memory and the like are parsed by the library, so that
 * they are spelled the same for every verb. */
#include "table_input.h"

#include "base/system.h"
#include "cli.h"
#include "out.h"
#include "progress.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void input_declare(opt_list *options, const char *label_help, int needs_classes) {
    const opt_spec table[] = {
        {.help = "Data"},
        {.name = "data",
         .value = "F",
         .required = 1,
         .repeats = 1,
         .help = "the table: CSV or TSV, NumPy .npy, MNIST idx or svmlight, plain or gzip; - is "
                 "standard input; may be repeated for files with the same columns, which are read "
                 "as one table"},
        {.name = "label", .value = "C", .help = label_help},
    };
    const opt_spec label_file = {.name = "label-file",
                                 .value = "F",
                                 .help = "classes from a separate file, in the order of the rows"};
    const opt_spec kind[] = {
        {.name = "format",
         .value = "NAME",
         .range = "auto|csv|npy|idx|svmlight",
         .fallback = "auto",
         .help = "file format; auto detects it"},
        {.name = "header",
         .value = "NAME",
         .range = "auto|yes|no",
         .fallback = "auto",
         .help = "whether the first line of a CSV file names the columns"},
        {.name = "separator",
         .value = "C",
         .fallback = "auto",
         .help =
             "field separator of a CSV file: a character, or comma, semicolon, tab, bar or blanks"},
        {.name = "comment",
         .value = "C",
         .help = "ignore lines of a CSV file that begin with this character; by default, lines "
                 "with # above the table"},
        {.name = "skip-lines",
         .value = "N",
         .fallback = "0",
         .help = "lines to skip at the start of a CSV file, before the header"},
        {.name = "missing",
         .value = "LIST",
         .help = "further spellings of missing values in a CSV file, separated by commas, such as "
                 "99,unknown"},
        {.name = "decimal",
         .value = "MARK",
         .range = "auto|.|,|point|comma",
         .fallback = "auto",
         .help = "decimal mark of a CSV file; auto decides by the numbers of the whole file"},
        {.name = "dates",
         .value = "ORDER",
         .alone = "auto",
         .range = "auto|dmy|mdy",
         .help = "make features of the dates in a CSV file: year, month, weekday, days since 1970 "
                 "and hour; dmy or mdy if 3/4/24 is ambiguous"},
        {.name = "zero-based", .help = "feature numbers of an svmlight file start at 0, not 1"},
    };
    opt_add(options, table, sizeof table / sizeof *table);
    opt_add(options, &label_file, needs_classes ? 1 : 0);
    opt_add(options, kind, sizeof kind / sizeof *kind);
}

static opt_spec *find_data(opt_list *options) {
    opt_spec *spec = options->spec;
    while (!spec->name || strcmp(spec->name, "data") != 0) spec++;
    return spec;
}

void input_data_optional(opt_list *options) {
    find_data(options)->required = 0;
}

void input_data_once(opt_list *options) {
    opt_spec *spec = find_data(options);
    spec->repeats = 0;
    spec->help = "the table: CSV or TSV, NumPy .npy, MNIST idx or svmlight, plain or gzip; "
                 "- is standard input";
}

void input_declare_ignore(opt_list *options) {
    const opt_spec spec = {.name = "ignore",
                           .value = "C,...",
                           .help = "columns to leave out, by name, by number or as 'last'"};
    opt_add(options, &spec, 1);
}

void input_declare_columns(opt_list *options) {
    input_declare_ignore(options);
    const opt_spec specs[] = {
        {.name = "categorical",
         .value = "C,...",
         .help =
             "columns to read as categories, by name or number, even if they look like numbers, "
             "identifiers or dates"},
        {.name = "ordinal",
         .value = "ORDER",
         .help = "ordinal columns, as in 'size=small<medium<large', separated by ';'; integers "
                 "need no list of levels"},
    };
    opt_add(options, specs, sizeof specs / sizeof *specs);
}

void input_declare_weight(opt_list *options) {
    const opt_spec spec = {
        .name = "weight",
        .value = "C",
        .help = "the column with the row weights, by name, by number or as 'last': non-negative "
                "numbers"};
    opt_add(options, &spec, 1);
}

void input_declare_target(opt_list *options) {
    const opt_spec spec = {.name = "target",
                           .value = "C,...",
                           .help = "the target columns, for regression, by name, by number or as "
                                   "'last'; 'label' for an svmlight file"};
    opt_add(options, &spec, 1);
}

void input_declare_labels(opt_list *options) {
    const opt_spec spec = {.name = "labels",
                           .value = "C,...",
                           .help = "several class columns, each of which is predicted, by name or "
                                   "by number; instead of --label"};
    opt_add(options, &spec, 1);
}

void input_declare_limits(opt_list *options) {
    const opt_spec specs[] = {
        {.help = "Machine"},
        {.name = "threads",
         .value = "N",
         .fallback = "0",
         .help = "number of threads; 0 for one per core; never changes a result"},
        {.name = "max-memory",
         .value = "SIZE",
         .fallback = "0",
         .help =
             "limit for the memory of the table, as in 500M or 4G; 0: the memory of the machine"},
    };
    opt_add(options, specs, sizeof specs / sizeof *specs);
}

static sporf_status parse_limits(const opt_list *options, sporf_params *params) {
    static const char *const names[] = {"threads", "max-memory"};
    sporf_params_init(params);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = opt_value(options, names[i]);
        sporf_status status = value ? sporf_params_set(params, names[i], value) : SPORF_OK;
        if (status != SPORF_OK) return status;
    }
    return SPORF_OK;
}

/* The end of an item in double quotes, where quotes inside are doubled: the mark after it, or the
 * end of the text. Takes the quotes away. NULL, and nothing is changed, if it is not such an item.
 */
static char *unquote(char *text, char mark) {
    char *close = text + 1;
    if (*text != '"') return NULL;
    while (*close && (*close != '"' || close[1] == '"')) close += 1 + (*close == '"');
    char *end = close + 1 + (*close ? strspn(close + 1, " ") : 0);
    if (!*close || (*end && *end != mark)) return NULL;
    char *to = text;
    for (const char *from = text + 1; from < close; from += 1 + (*from == '"')) *to++ = *from;
    while (to <= close) *to++ = '\0';
    return end;
}

char *input_take_item(char **text, char mark) {
    char *item = *text + strspn(*text, " "), *end = unquote(item, mark), *last;
    if (!end) {
        end = strchr(item, mark);
        if (!end) end = item + strlen(item);
        for (last = end; last > item && last[-1] == ' ';) *--last = '\0';
    }
    *text = *end ? end + 1 : NULL;
    *end = '\0';
    return item;
}

/* Splits an option's value at each mark; pointers and text are one block. Returns 0, or an exit
 * code after a message. */
static int split(const opt_list *options, const char *name, char mark, const char *const **list,
                 size_t *count) {
    const char *value = opt_value(options, name);
    if (!value) return EXIT_DONE;
    size_t parts = 1, length = strlen(value);
    for (const char *p = value; *p; p++) parts += *p == mark;
    char **pointers = malloc(parts * sizeof *pointers + length + 1);
    if (!pointers) {
        out_error(options->verb, "out of memory");
        return EXIT_FAILED;
    }
    char *text = memcpy(pointers + parts, value, length + 1);
    *list = (const char *const *)pointers;
    for (*count = 0; text; (*count)++) {
        pointers[*count] = input_take_item(&text, mark);
        if (*pointers[*count] != '\0') continue;
        out_error(options->verb, "--%s '%s' names %s", name, value,
                  strcmp(name, "missing") == 0 ? "an empty cell, which is missing anyway"
                                               : "a column without a name");
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

int input_list(const opt_list *options, const char *name, const char *const **list, size_t *count) {
    return split(options, name, ',', list, count);
}

static int column_options(const opt_list *options, sporf_read_options *read) {
    read->weight = opt_value(options, "weight");
    int code = input_list(options, "categorical", &read->categorical, &read->categorical_count);
    if (code == EXIT_DONE)
        code = input_list(options, "ignore", &read->ignored, &read->ignored_count);
    if (code == EXIT_DONE)
        code = split(options, "ordinal", ';', &read->ordinal, &read->ordinal_count);
    if (code == EXIT_DONE)
        code = input_list(options, "target", &read->targets, &read->targets_count);
    if (code == EXIT_DONE) code = input_list(options, "labels", &read->labels, &read->labels_count);
    if (code == EXIT_DONE) code = input_list(options, "keep", &read->kept, &read->kept_count);
    return code;
}

/* Options for how a CSV file is written. */
static int text_options(const opt_list *options, sporf_read_options *read) {
    const char *lines = opt_value(options, "skip-lines");
    char *end = NULL;
    errno = 0;
    unsigned long long count = lines ? strtoull(lines, &end, 10) : 0;
    if (lines && (*lines < '0' || *lines > '9' || *end != '\0' || errno != 0 || count > SIZE_MAX)) {
        out_error(options->verb, "--skip-lines must be a whole number from 0, got '%s'", lines);
        return EXIT_USAGE;
    }
    read->separator = opt_value(options, "separator");
    read->comment = opt_value(options, "comment");
    read->skip_lines = (size_t)count;
    return input_list(options, "missing", &read->missing, &read->missing_count);
}

void input_free(sporf_read_options *read) {
    free((void *)read->missing);
    free((void *)read->categorical);
    free((void *)read->ignored);
    free((void *)read->ordinal);
    free((void *)read->targets);
    free((void *)read->labels);
    free((void *)read->kept);
}

/* How many files --data has after the first; further values may be those of another option. */
static size_t more_files(const opt_list *options) {
    size_t i = 0;
    while (!options->spec[i].name || strcmp(options->spec[i].name, "data") != 0) i++;
    return options->spec[i].repeats ? options->more_count : 0;
}

static const char *data_file(const opt_list *options, size_t file) {
    return file == 0 ? opt_value(options, "data") : options->more[file - 1];
}

/* Refuses a file that is given twice, under one name or two. */
static int refuse_copies(const opt_list *options) {
    size_t count = more_files(options) + 1, one = 0, other = 0;
    spf_file_info *files = count > 1 ? calloc(count, sizeof *files) : NULL;
    for (size_t i = 0; files && i < count; i++) {
        if (spf_system_look(data_file(options, i), &files[i]) != 0 ||
            files[i].kind != SPF_FILE_REGULAR)
            continue;
        for (size_t k = 0; k < i && other == 0; k++)
            if (files[k].number == files[i].number && files[k].device == files[i].device) {
                one = k;
                other = i;
            }
    }
    free(files);
    if (other == 0) return EXIT_DONE;
    out_error(options->verb,
              "--data %s and --data %s are the same file: its rows would count twice; give it once "
              "(rows that count more than others are what --weight is for)",
              data_file(options, one), data_file(options, other));
    return EXIT_USAGE;
}

int input_options(const opt_list *options, sporf_read_options *read) {
    static const sporf_decimal decimals[] = {SPORF_DECIMAL_AUTO, SPORF_DECIMAL_POINT,
                                             SPORF_DECIMAL_COMMA, SPORF_DECIMAL_POINT,
                                             SPORF_DECIMAL_COMMA};
    unsigned format, header, decimal;
    sporf_params params;
    sporf_read_options_init(read);
    if (opt_choice(options, "format", &format) || opt_choice(options, "header", &header) ||
        opt_choice(options, "decimal", &decimal))
        return EXIT_USAGE;
    sporf_status status = parse_limits(options, &params);
    if (status != SPORF_OK) return out_failure(options->verb, status, NULL);
    read->format = (sporf_format)format;
    read->header = (sporf_header)header;
    read->decimal = decimals[decimal];
    if (opt_value(options, "dates")) {
        unsigned dates;
        if (opt_choice(options, "dates", &dates)) return EXIT_USAGE;
        read->dates = (sporf_dates)(SPORF_DATES_AUTO + dates);
    }
    read->label = opt_value(options, "label");
    read->label_file = opt_value(options, "label-file");
    read->zero_based = opt_value(options, "zero-based") != NULL;
    read->more_files = options->more;
    read->more_files_count = more_files(options);
    read->threads = params.threads;
    read->max_memory = params.max_memory;
    int code = column_options(options, read);
    if (code == EXIT_DONE) code = text_options(options, read);
    if (code == EXIT_DONE) code = refuse_copies(options);
    if (code != EXIT_DONE) return code;
    if (!read->label || !read->label_file) return EXIT_DONE;
    out_error(options->verb, "--label and --label-file exclude each other; leave one of them out");
    return EXIT_USAGE;
}

sporf_status input_read_file(const char *path, const sporf_read_options *read,
                             sporf_dataset **out) {
    progress note;
    progress_note(&note, "reading", path);
    sporf_status status = sporf_dataset_read(path, read, out);
    progress_end(&note);
    return status;
}

sporf_status input_read(const opt_list *options, const sporf_read_options *read,
                        sporf_dataset **out) {
    return input_read_file(opt_value(options, "data"), read, out);
}

int input_read_labelled(const opt_list *options, const sporf_read_options *read,
                        sporf_dataset **out) {
    int named = read->label || read->label_file;
    sporf_status status = input_read(options, read, out);
    int unclear = !named && status == SPORF_ERROR_DATA && read->format != SPORF_FORMAT_SVMLIGHT;
    const char *hint = read->schema ? "if a column holds the classes, name it with --label C"
                                    : "if a column holds the classes, name it with --label C, if "
                                      "it holds numbers to predict, with --target C";
    if (status != SPORF_OK) return out_failure(options->verb, status, unclear ? hint : NULL);
    if (sporf_dataset_classes(*out) > 0) return EXIT_DONE;
    out_error(options->verb,
              "--label is missing: say which column of %s holds the classes, by its name, its "
              "number or 'last'; or give them with --label-file F%s",
              opt_value(options, "data"),
              read->schema ? "" : "; for regression, name the target column with --target C");
    sporf_dataset_free(*out);
    *out = NULL;
    return EXIT_USAGE;
}

int input_same_file(const char *one, const char *other) {
    spf_file_info a, b;
    return one && other && spf_system_look(one, &a) == 0 && spf_system_look(other, &b) == 0 &&
           a.kind == SPF_FILE_REGULAR && a.device == b.device && a.number == b.number;
}

static int refuse_output(const opt_list *options, const char *output, const char *input) {
    out_error(options->verb,
              "--%s and --%s are the same file, %s, which would be lost; name another one", output,
              input, opt_value(options, output));
    return EXIT_USAGE;
}

int input_protect(const opt_list *options, const char *output) {
    static const char *const inputs[] = {"data", "label-file", "model", "folds", "valid", "settle"};
    const char *path = opt_value(options, output);
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        if (strcmp(inputs[i], output) == 0) continue;
        if (input_same_file(opt_value(options, inputs[i]), path))
            return refuse_output(options, output, inputs[i]);
    }
    for (size_t i = 0; i < options->more_count; i++)
        if (input_same_file(options->more[i], path))
            return refuse_output(options, output, more_files(options) > 0 ? "data" : "model");
    return EXIT_DONE;
}

uint64_t input_bytes(const sporf_dataset *data) {
    uint64_t numbers = sporf_dataset_features(data) + sporf_dataset_targets(data);
    uint64_t labels = sporf_dataset_labels(data) ? sizeof(uint32_t) : 0;
    uint64_t weights = sporf_dataset_weights(data) ? sizeof(float) : 0;
    return sporf_dataset_rows(data) * (numbers * sizeof(float) + labels + weights);
}
