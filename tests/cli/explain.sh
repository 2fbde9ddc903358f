#!/bin/sh
# sporf explain: Shapley values of rows.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

flowers iris.csv
"$SPORF" train --data iris.csv --label species --trees 20 --seed 1 --model m.sporf >/dev/null || exit 2
"$SPORF" simulate friedman1 --rows 200 --output f.csv || exit 2
"$SPORF" train --data f.csv --target y --trees 10 --model f.sporf >/dev/null || exit 2
"$SPORF" boost --data iris.csv --label species --rounds 5 --model b.sporf >/dev/null || exit 2
"$SPORF" train --data f.csv --target y --method rr-rf --trees 5 --model dense.sporf >/dev/null || exit 2

# Whether the values of each line and the base add up to the prediction.
adds_up() {
    python3 - "$1" <<'PYTHON'
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))[1:]
assert rows
for row in rows:
    base, prediction, *values = map(float, row[2:])
    assert abs(base + sum(values) - prediction) < 1e-9 * max(1, abs(prediction)), row
PYTHON
}

it "each row has a line for the class that it is predicted as, which adds up" '
    run 0 explain --model m.sporf --data iris.csv
    said_nothing
    [ "$(wc -l <"$work/out")" -eq 151 ]
    [ "$(head -1 "$work/out" | cut -d, -f1-4)" = row,class,base,prediction ]
    cp "$work/out" values.csv
    adds_up values.csv
    run 0 predict --model m.sporf --data iris.csv --combine votes
    cut -d, -f2 values.csv | sed 1d >said
    sed 1d "$work/out" | cut -d, -f1 >predicted
    same said predicted
'
it "--class names one class or all" '
    run 0 explain --model m.sporf --data iris.csv --class all --combine posteriors --output all.csv
    [ "$(wc -l <all.csv)" -eq 451 ]
    adds_up all.csv
    run 0 explain --model m.sporf --data iris.csv --class setosa
    [ "$(cut -d, -f2 "$work/out" | sort -u | wc -l)" -eq 2 ]
    refused 2 "the model has no such class" explain --model m.sporf --data iris.csv --class sitosa
    refused 2 "is for classification" explain --model f.sporf --data f.csv --class 1
'
it "targets, scores and projections add up" '
    run 0 explain --model f.sporf --data f.csv --sample 20 --output f1.csv && adds_up f1.csv
    run 0 explain --model b.sporf --data iris.csv --output b1.csv && adds_up b1.csv
    run 0 explain --model f.sporf --data f.csv --projections 3 --sample 20 --output p1.csv && adds_up p1.csv
    [ "$(head -1 p1.csv | awk -F, "{print NF}")" -eq 8 ]
    head -1 p1.csv | grep -q "all other projections"
'
it "the background may be a table of its own, and --data a pipe" '
    head -4 iris.csv >few.csv
    run 0 explain --model m.sporf --data few.csv --background iris.csv && cp "$work/out" file.csv
    "$SPORF" explain --model m.sporf --data - --background iris.csv <few.csv >pipe.csv
    same file.csv pipe.csv
'
it "what is estimated adds up, and is reported" '
    run 0 explain --model dense.sporf --data f.csv --sample 10 --steps 20 --output d.csv
    adds_up d.csv
    said "are estimated from random orders"
'
it "--json has mean absolute values" '
    run 0 explain --model f.sporf --data f.csv --sample 20 --json
    json "d[\"rows\"] == 200 and d[\"background_rows\"] == 20 and d[\"estimated\"] == 0" \
        "len(d[\"outputs\"]) == 1 and len(d[\"outputs\"][0][\"mean_absolute\"]) == 10" \
        "max(d[\"outputs\"][0][\"mean_absolute\"], key=lambda f: f[\"value\"])[\"feature\"] in (\"x1\", \"x2\", \"x4\")"
'
it "the class that a model decides for is explained" '
    "$SPORF" train --data iris.csv --label species --trees 20 --seed 1 --cost "setosa:versicolor=1000" \
        --model cost.sporf >/dev/null
    run 0 predict --model cost.sporf --data iris.csv && sed 1d "$work/out" | cut -d, -f1 >decided
    run 0 explain --model cost.sporf --data iris.csv && sed 1d "$work/out" | cut -d, -f2 >explained
    same decided explained
    ! same predicted decided >/dev/null
'
it "a single row needs a background" '
    head -2 iris.csv >single.csv
    refused 2 "--background" explain --model m.sporf --data single.csv
    run 0 explain --model m.sporf --data single.csv --background iris.csv
'
it "--row explains one row as a list, or as the line that it has in the table" '
    run 0 explain --model m.sporf --data iris.csv --sample 50 && { head -1 "$work/out"; sed -n 72p "$work/out"; } >line
    run 0 explain --model m.sporf --data iris.csv --sample 50 --row 71 --output - && same line "$work/out"
    run 0 explain --model m.sporf --data iris.csv --sample 50 --row 71 --top 2
    [ "$(wc -l <"$work/out")" -eq 7 ]
    grep -q "^row 71, versicolor: share of votes" "$work/out"
    grep -q "^2 other features" "$work/out"
    grep -q "^as a probability, by predict  *0\.[0-9]*$" "$work/out"
    sed 1d "$work/out" | awk "{ v[NR] = \$NF } END { d = v[1] + v[2] + v[3] + v[4] - v[5]; exit !(d * d < 1e-6) }"
    refused 2 "the table has 150 rows" explain --model m.sporf --data iris.csv --row 151
'
it "threads change nothing" '
    run 0 explain --model m.sporf --data iris.csv --threads 1 && cp "$work/out" one.csv
    run 0 explain --model m.sporf --data iris.csv --threads 3 && same one.csv "$work/out"
'
it "a table without rows, or without a column of the model, is refused or empty" '
    head -1 iris.csv >none.csv
    refused 1 "" explain --model m.sporf --data iris.csv --background none.csv
    cut -d, -f2- iris.csv >less.csv
    refused 1 "" explain --model m.sporf --data less.csv
'
finish
