#!/bin/sh
# sporf strength: strength and correlation of trees.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

flowers iris.csv
"$SPORF" train --data iris.csv --label species --trees 40 --model m.sporf >/dev/null || exit 2
sed 1d iris.csv >bare.csv
"$SPORF" train --data bare.csv --label last --trees 5 --model bare.sporf >/dev/null || exit 2
"$SPORF" simulate friedman1 --rows 100 --output f.csv || exit 2
"$SPORF" train --data f.csv --target y --trees 5 --model f.sporf >/dev/null || exit 2

it "strength, correlation and bound are printed" '
    run 0 strength --model m.sporf --data iris.csv
    said_nothing
    printed "rows          150 out of bag in some tree" "strength" "correlation" "bound"
    [ "$(wc -l <"$work/out")" -eq 4 ]
'
it "--json has the numbers, and the bound follows from the other two" '
    run 0 strength --model m.sporf --data iris.csv --label species --json
    json "d[\"model\"] == \"m.sporf\" and d[\"trees\"] == 40 and d[\"rows\"] == 150" \
        "0.5 < d[\"strength\"] < 1" "0 < d[\"correlation\"] < 1" \
        "abs(d[\"bound\"] - d[\"correlation\"] * (1 - d[\"strength\"] ** 2) / d[\"strength\"] ** 2) < 1e-12"
'
it "a table without a header needs --label" '
    run 0 strength --model bare.sporf --data bare.csv --label last
    refused 1 "name it with --label C" strength --model bare.sporf --data bare.csv
'
it "where every tree is right there is no correlation, and the bound is 0" '
    { echo "x,class"; for i in 1 2 3 4 5 6 7 8 9; do echo "$i,a"; echo "10$i,b"; done; } >apart.csv
    "$SPORF" train --data apart.csv --label class --trees 30 --bag stratified --model apart.sporf >/dev/null
    run 0 strength --model apart.sporf --data apart.csv --json
    json "d[\"strength\"] == 1 and d[\"correlation\"] is None and d[\"bound\"] == 0"
    run 0 strength --model apart.sporf --data apart.csv
    printed "correlation   -"
'
it "any number of threads gives the same" '
    run 0 strength --model m.sporf --data iris.csv --json --threads 1 && cp "$work/out" one.json
    run 0 strength --model m.sporf --data iris.csv --json --threads 5 && same one.json "$work/out"
'
it "weights are those of the training" '
    awk -F, -v OFS=, "NR == 1 { print \$0, \"w\"; next } { print \$0, NR % 3 }" iris.csv >w.csv
    "$SPORF" train --data w.csv --label species --weight w --trees 20 --model w.sporf >/dev/null
    run 0 strength --model w.sporf --data w.csv --weight w && cp "$work/out" given
    run 0 strength --model w.sporf --data w.csv && same given "$work/out"
    refused 1 "weight" strength --model w.sporf --data iris.csv
'
it "other rows, other models and forests of numbers are refused" '
    sed 40q iris.csv >fewer.csv
    refused 1 "not those that the forest was trained on" strength --model m.sporf --data fewer.csv
    refused 2 "regression forest" strength --model f.sporf --data f.csv
    "$SPORF" train --data iris.csv --label species --bag none --trees 5 --model none.sporf >/dev/null
    refused 2 "grown without bags" strength --model none.sporf --data iris.csv
    refused 1 "nowhere.sporf" strength --model nowhere.sporf --data iris.csv
    refused 1 "nowhere.csv" strength --model m.sporf --data nowhere.csv
    refused 2 "--data is missing" strength --model m.sporf
    refused 2 "--model is missing" strength --data iris.csv
'
finish
