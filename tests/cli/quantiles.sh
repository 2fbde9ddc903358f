#!/bin/sh
# Quantiles and prediction intervals, from the command line.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3
reader=$SPORF_ROOT/tests/support/read_model.py

run 0 simulate friedman1 --rows 500 --output train.csv
run 0 simulate friedman1 --rows 300 --seed 2 --output test.csv
run 0 train --data train.csv --target y --trees 100 --min-leaf 2 --model r.sporf --json

it "predict writes columns after the mean, named by target and quantile" '
    run 0 predict --data test.csv --model r.sporf --quantiles 0.05,.5,0.95 --interval 0.8
    test "$(head -n 1 "$work/out")" = prediction,y_q0.05,y_q.5,y_q0.95,y_lower,y_upper
    test "$(wc -l <"$work/out")" -eq 301
    cp "$work/out" all.csv
    awk -F, "NR > 1 && !(\$2 <= \$3 && \$3 <= \$4 && \$5 <= \$6) { exit 1 }" all.csv
    run 0 predict --data test.csv --model r.sporf
    cut -d, -f1 all.csv | cmp - "$work/out"
    run 0 predict --data test.csv --model r.sporf --interval 0.8
    cut -d, -f1,5,6 all.csv | cmp - "$work/out"
'
it "any number of threads, a pipe and any order of columns give the same" '
    run 0 predict --data test.csv --model r.sporf --quantiles 0.05,.5,0.95 --interval 0.8 --threads 3
    cmp all.csv "$work/out"
    "$SPORF" predict --data - --model r.sporf --quantiles 0.05,.5,0.95 --interval 0.8 <test.csv >piped
    cmp all.csv piped
    python3 -c "
for line in open(\"test.csv\"): print(*reversed(line.strip().split(\",\")), sep=\",\")" >turned.csv
    run 0 predict --data turned.csv --model r.sporf --quantiles 0.05,.5,0.95 --interval 0.8
    cmp all.csv "$work/out"
'
it "a reader written from the description finds the same quantiles" '
    head -n 31 test.csv >few.csv
    run 0 predict --data few.csv --model r.sporf --quantiles 0,0.1,0.5,0.77,1
    cp "$work/out" own.csv
    python3 "$reader" r.sporf few.csv --header --quantiles 0,0.1,0.5,0.77,1 >other.csv
    python3 -c "
from struct import pack
def single(row): return [pack(\"f\", float(cell)) for cell in row]
own = [single(line.split(\",\")[1:]) for line in open(\"own.csv\").readlines()[1:]]
other = [single(line.split(\",\")) for line in open(\"other.csv\")]
assert len(own) == 30 and own == other"
'
it "several targets have columns of their own" '
    awk -F, "NR == 1 { print \$0 \",z\" } NR > 1 { print \$0 \",\" 3 * \$1 }" train.csv >two.csv
    run 0 train --data two.csv --target y,z --trees 30 --model two.sporf --json
    json "d[\"samples\"] == True"
    run 0 predict --data test.csv --model two.sporf --quantiles 0.5 --interval 0.9
    test "$(head -n 1 "$work/out")" = y,y_q0.5,y_lower,y_upper,z,z_q0.5,z_lower,z_upper
'
it "evaluate tells shares, losses, coverage and width" '
    run 0 evaluate --data test.csv --model r.sporf --quantiles 0.1,0.9 --interval 0.8 --json
    json "[q[\"quantile\"] for q in d[\"targets\"][0][\"quantiles\"]] == [0.1, 0.9]" \
        "d[\"targets\"][0][\"quantiles\"][0][\"below\"] < 0.2 < 0.8 < d[\"targets\"][0][\"quantiles\"][1][\"below\"]" \
        "all(q[\"pinball\"] > 0 for q in d[\"targets\"][0][\"quantiles\"])" \
        "d[\"targets\"][0][\"interval\"][\"level\"] == 0.8" \
        "abs(d[\"targets\"][0][\"interval\"][\"coverage\"] - 0.8) < 0.08" \
        "0 < d[\"targets\"][0][\"interval\"][\"width\"] < 12"
    run 0 evaluate --data test.csv --model r.sporf --quantiles 0.1 --interval 0.8
    grep -Eq "^ +quantile 0.1: share below 0[.][0-9]+, pinball loss [0-9.]+$" "$work/out"
    grep -Eq "^ +interval 0.8: coverage 0[.][0-9]+, mean width [0-9.]+$" "$work/out"
'
it "samples can be left out of a model, which then says so" '
    run 0 train --data train.csv --target y --trees 100 --min-leaf 2 --samples drop --model d.sporf
    grep -q "^samples *none" "$work/out"
    test "$(wc -c <d.sporf)" -lt "$(wc -c <r.sporf)"
    run 0 inspect --model r.sporf && grep -q "^samples *kept" "$work/out"
    run 0 inspect --model d.sporf --json && json "d[\"samples\"] == False"
    run 2 predict --data test.csv --model d.sporf --quantiles 0.5
    grep -q "without --samples drop" "$work/err"
    run 2 evaluate --data test.csv --model d.sporf --interval 0.5
    run 0 predict --data test.csv --model d.sporf --output d.csv
    run 0 predict --data test.csv --model r.sporf && cmp d.csv "$work/out"
'
it "what makes no sense is refused" '
    for list in 2 -0.1 0.1,,0.2 0.1, nan x 0.5x ""; do
        run 2 predict --data test.csv --model r.sporf --quantiles "$list"
        grep -q "from 0 to 1" "$work/err"
    done
    for level in 0 1 1.5 x; do
        run 2 predict --data test.csv --model r.sporf --interval "$level"
        grep -q "above 0 and below 1" "$work/err"
    done
    run 2 train --data train.csv --target y --quantiles 0.5 --model x.sporf
    grep -q "sporf predict" "$work/err"
    run 0 simulate trunk --rows 100 --output classes.csv
    run 0 train --data classes.csv --label last --trees 5 --model c.sporf
    run 2 predict --data classes.csv --label last --model c.sporf --quantiles 0.5
    grep -q "the model is for classification" "$work/err"
    run 2 evaluate --data classes.csv --label last --model c.sporf --interval 0.5
'
finish
