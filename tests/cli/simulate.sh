#!/bin/sh
# sporf simulate: the paper's problems as CSV.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

it "every problem has the rows asked for and its usual features" '
    for problem in "sparse-parity 20" "orthant 6" "trunk 10" "consistency 2" "friedman1 10" "friedman2 4" \
        "friedman3 4"; do
        name=${problem% *} features=${problem#* }
        run 0 simulate $name --rows 50 --seed 3 --output t.csv
        printed_nothing
        said_nothing
        [ "$(wc -l <t.csv)" -eq 51 ]
        awk -F, -v n=$((features + 1)) "NF != n { exit 1 }" t.csv
    done
'
it "--features changes their number" '
    run 0 simulate trunk --rows 5 --features 3
    [ "$(head -n 1 "$work/out" | tr -cd , | wc -c)" -eq 3 ]
'
it "the same seed gives the same table, another seed another" '
    run 0 simulate trunk --rows 50 --seed 3 && cp "$work/out" a
    run 0 simulate trunk --rows 50 --seed 3 --output b && same a b
    run 0 simulate trunk --rows 50 --seed 3 --output - && same a "$work/out"
    run 0 simulate trunk --rows 50 --seed 4 && differ a "$work/out"
    run 0 simulate trunk --rows 50 && cp "$work/out" a
    run 0 simulate trunk --rows 50 --seed 1 && same a "$work/out"
'
it "the class of sparse parity is the parity of the first three signs" '
    run 0 simulate sparse-parity --rows 300 --seed 2
    python3 - "$work/out" <<EOF
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))[1:]
for row in rows:
    assert sum(float(x) > 0 for x in row[:3]) % 2 == int(row[-1]), row
    assert all(-1 <= float(x) <= 1 for x in row[:-1])
assert 100 < sum(int(row[-1]) for row in rows) < 200
EOF
'
it "the target of a friedman problem follows from its features" '
    for problem in 1 2 3; do
        run 0 simulate friedman$problem --rows 300 --noise 0 --seed 5 --output t.csv
        run 0 simulate friedman$problem --rows 300 --seed 5 --output noisy.csv
        python3 - $problem <<EOF
import csv, math, sys
def first(x):
    return 10 * math.sin(math.pi * x[0] * x[1]) + 20 * (x[2] - .5) ** 2 + 10 * x[3] + 5 * x[4]
def second(x):
    return math.hypot(x[0], x[1] * x[2] - 1 / (x[1] * x[3]))
def third(x):
    return math.atan((x[1] * x[2] - 1 / (x[1] * x[3])) / x[0])
k = int(sys.argv[1]) - 1
names, *rows = csv.reader(open("t.csv"))
_, *noisy = csv.reader(open("noisy.csv"))
assert names[-1] == "y" and names[0] == "x1"
for row, other in zip(rows, noisy):
    *x, y = map(float, row)
    assert row[:-1] == other[:-1]
    assert abs(y - (first, second, third)[k](x)) < (1e-5, 1e-3, 1e-3)[k], row
noise = [float(a[-1]) - float(b[-1]) for a, b in zip(noisy, rows)]
sd = math.sqrt(sum(e * e for e in noise) / len(noise)) / (1, 125, .1)[k]
assert .85 < sd < 1.15, sd
EOF
    done
'
it "what is simulated can be learned" '
    run 0 simulate orthant --rows 400 --seed 1 --output a.csv
    run 0 simulate orthant --rows 400 --seed 2 --output b.csv
    run 0 train --data a.csv --label last --method rf --trees 50 --model m.sporf
    run 0 evaluate --model m.sporf --data b.csv --label last --json
    json "d[\"error\"] < .2"
'
it "an unknown problem is answered with the nearest one" '
    refused 2 "did you mean trunk?" simulate trnk --rows 5
    refused 2 "did you mean friedman" simulate freidman1 --rows 5
    refused 2 "sparse-parity, orthant, trunk or consistency" simulate xor --rows 5
    refused 2 "which problem" simulate --rows 5
'
it "numbers that make no sense are refused" '
    refused 2 "--rows must be" simulate trunk --rows 0
    refused 2 "--rows must be" simulate trunk --rows -5
    refused 2 "--rows must be" simulate trunk --rows 1e3
    refused 2 "--rows must be" simulate trunk --rows 99999999999999999999
    refused 2 "--features must be" simulate trunk --rows 5 --features 0
    refused 2 "--seed must be" simulate trunk --rows 5 --seed x
    run 2 simulate sparse-parity --rows 5 --features 2
    run 2 simulate orthant --rows 5 --features 60
    run 2 simulate consistency --rows 5 --features 1
    run 2 simulate friedman1 --rows 5 --features 4
    run 2 simulate friedman2 --rows 5 --features 5
    refused 2 "--noise must be" simulate friedman1 --rows 5 --noise -1
    refused 2 "--noise must be" simulate friedman1 --rows 5 --noise much
    refused 2 "classification" simulate trunk --rows 5 --noise 1
'
it "an output that cannot be written is an error" '
    refused 1 "/dev/full" simulate trunk --rows 5000 --output /dev/full
    refused 1 "nowhere" simulate trunk --rows 5 --output nowhere/t.csv
    got=0
    "$SPORF" simulate trunk --rows 5000 >/dev/full 2>err || got=$?
    [ "$got" -eq 1 ]
    holds err "sporf simulate: "
    [ -c /dev/full ]
'
it "a reader that leaves early is no reason for a message" '
    {
        got=0
        "$SPORF" simulate trunk --rows 50000 2>err || got=$?
        echo $got >code
    } | head -n 1 >first
    [ "$(cat code)" -eq 1 ]
    is_empty err
'
finish
