#!/bin/sh
# The example with a real table in the README does what the text around it says.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"

# The first block of commands below a heading.
block() {
    awk -v heading="## $1" '$0 == heading { found = 1 } found && /^```$/ { exit } inside { print }
        found && /^```sh$/ { inside = 1 }' "$SPORF_ROOT/README.md"
}

it "tables as they are" '
    block "Tables as they are" >example.sh
    [ "$(grep -c "^sporf" example.sh)" -eq 3 ]
    mkdir bin && ln -s "$SPORF" bin/sporf
    PATH=$PWD/bin:$PATH sh -eu example.sh >out 2>err
    holds err "column '\''id'\'' is left out: an identifier" "column '\''joined'\'' is left out: dates" \
        "column '\''town'\'': 1 of 3 cells has a level that the model does not know"
    holds out "weights       visits: 1 to 4 for a row" "2 numbers, 2 categories (3 to 5 levels), 2 with missing" \
        "[plan in basic]" " or missing" "prediction,no,yes"
    # the split that the text shows is one of the tree above it
    split=$(sed -n "s/.*\`\(+1 [^\`]* or missing\)\`.*/\1/p" "$SPORF_ROOT/README.md")
    [ -n "$split" ]
    holds out "$split"
    [ "$(tail -n 3 out | cut -d, -f1 | tr "\n" " ")" = "yes no no " ]
'
finish
