#!/bin/sh
# The examples of the documents run, and do what the text around them says.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"

# example DOCUMENT HEADING: runs the first block of commands below a heading.
example() {
    awk -v heading="$2" '/^#/ && substr($0, index($0, " ") + 1) == heading { found = 1 } found && /^```$/ && inside { exit } inside { print }
        found && /^```sh$/ { inside = 1 }' "$SPORF_ROOT/docs/$1" >example.sh
    mkdir -p bin && ln -sf "$SPORF" bin/sporf
    PATH=$PWD/bin:$PATH sh -eu example.sh >out 2>err
}

it "tables as they are" '
    example tables.md "A first example"
    [ "$(grep -c "^sporf" example.sh)" -eq 3 ]
    holds err "column '\''id'\'' is left out: an identifier" "column '\''joined'\'' is left out: dates" \
        "column '\''town'\'': 1 of 3 cells has a level that the model does not know"
    holds out "weights       visits: 1 to 4 for a row" "2 numbers, 2 categories (3 to 5 levels), 2 with missing" \
        "[plan in basic]" " or missing" "prediction,no,yes"
    # the split that the text shows is one of the tree above it
    split=$(sed -n "s/.*\`\(+1 [^\`]* or missing\)\`.*/\1/p" "$SPORF_ROOT/docs/tables.md")
    [ -n "$split" ]
    holds out "$split"
    [ "$(tail -n 3 out | cut -d, -f1 | tr "\n" " ")" = "yes no no " ]
'

it "regression, with intervals that hold the share of rows that the text says" '
    example regression.md Regression
    holds out "out of bag    RMSE" "MAE" "R2"
    example regression.md "Quantiles and intervals"
    [ "$(head -n 1 rows.csv)" = prediction,y_q0.1,y_q0.5,y_q0.9,y_lower,y_upper ]
    holds out "coverage 0.9090"
'
finish
