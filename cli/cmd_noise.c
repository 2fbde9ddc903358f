/* sporf noise: adds columns of noise to a table. */
#include "cli.h"
#include "out.h"
#include "table_input.h"

static const char verb[] = "noise";

static void declare(opt_list *options) {
    const opt_spec specs[] = {
        {.help = "Noise"},
        {.name = "columns", .value = "N", .required = 1, .help = "columns of noise to add"},
        {.name = "seed",
         .value = "S",
         .fallback = "1",
         .help = "the same seed gives the same numbers, on every machine"},
        {.name = "output",
         .value = "F",
         .fallback = "-",
         .help = "CSV file to write; - is standard output"},
    };
    const opt_spec target = {
        .name = "target",
        .value = "C,...",
        .help = "the target columns; if they are the last ones, they stay the last ones"};
    input_declare(options, "the class column; if it is the last one, it stays the last one", 0);
    input_data_once(options);
    opt_add(options, &target, 1);
    opt_add(options, specs, sizeof specs / sizeof *specs);
    input_declare_limits(options);
}

static int add(const opt_list *options, const sporf_read_options *read) {
    uint64_t columns = 0, seed = 1;
    if (opt_count(options, "columns", 1, &columns) || opt_count(options, "seed", 0, &seed))
        return EXIT_USAGE;
    out_file file;
    int code = out_lend(&file, verb, opt_value(options, "output"));
    if (code != EXIT_DONE) return code;
    return out_lent(&file,
                    sporf_file_add_noise(opt_value(options, "data"), read, columns, seed, "-"));
}

static int run(const opt_list *options) {
    sporf_read_options read;
    int code = input_options(options, &read);
    if (code == EXIT_DONE) code = input_protect(options, "output");
    if (code == EXIT_DONE) code = add(options, &read);
    input_free(&read);
    return code;
}

const cli_verb cmd_noise = {
    .name = verb,
    .summary = "adds columns of Gaussian noise to a table",
    .usage = "sporf noise --data F --columns N [--label C | --target C]\n"
             "                   [--seed S] [--output F]",
    .text = "Adds columns of numbers from N(0, 1) to a table, to test how robust a forest is to "
            "noise features. The rest of a CSV file stays the same, byte for byte: text, quotes, "
            "missing cells, header. The noise comes after the last column, or before it if --label "
            "or --target names that column. Numbers must have decimal points. Each number depends "
            "only on seed, row and column, so asking for more columns leaves the first ones "
            "unchanged. With a header the columns are called noise1, noise2 and so on.",
    .example = "  sporf noise --data iris.csv --label species --columns 100 --output noisy.csv\n",
    .declare = declare,
    .run = run,
};
