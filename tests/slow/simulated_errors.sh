#!/bin/sh
# The errors of the paper's simulations, with the settings that the authors' tuning chose: sparse
# parity (p = 20, n = 5,000) and orthant (p = 6, n = 400), 10,000 test rows, as means over three
# samples.
# Labels: slow
. "$SPORF_ROOT/tests/cli/lib/tap.sh"

# mean_error PROBLEM ROWS TRAIN_OPTION...: prints the mean test error over three samples.
mean_error() {
    problem=$1 rows=$2
    shift 2
    sum=0
    for seed in 1 2 3; do
        "$SPORF" simulate "$problem" --rows "$rows" --seed "$seed" --output train.csv
        "$SPORF" simulate "$problem" --rows 10000 --seed "10$seed" --output test.csv
        "$SPORF" train --data train.csv --label last --model m.sporf --seed "$seed" "$@" >/dev/null
        error=$("$SPORF" evaluate --model m.sporf --data test.csv --label last --json |
            python3 -c 'import json, sys; print(json.load(sys.stdin)["error"])')
        echo "# $problem $* sample $seed: $error" >&2
        sum=$(echo "$sum $error" | awk '{ print $1 + $2 }')
    done
    echo "$sum" | awk '{ print $1 / 3 }'
}

# between LOW ERROR HIGH
between() {
    echo "error $2, wanted $1 to $3"
    echo "$1 $2 $3" | awk '{ exit !($1 <= $2 && $2 <= $3) }'
}

it "sporf solves sparse parity: at most .004" '
    between 0 "$(mean_error sparse-parity 5000 --projections 400 --density 2/p)" .004
'
it "a random forest does not: .05 to .25" '
    between .05 "$(mean_error sparse-parity 5000 --method rf --projections 20)" .25
'
it "a random forest does well on orthant: .03 to .08" '
    between .03 "$(mean_error orthant 400 --method rf)" .08
'
it "sporf does as well with one feature on average: .03 to .08" '
    between .03 "$(mean_error orthant 400 --density 1/p)" .08
'
it "frc with two features is clearly worse: the paper has .104" '
    between .085 "$(mean_error orthant 400 --method frc --density 2/p)" .18
'
it "a rotated forest is far worse: the paper has .383" '
    between .33 "$(mean_error orthant 400 --method rr-rf)" .44
'
it "ccf with two features lies between them: the paper has .184" '
    between .15 "$(mean_error orthant 400 --method ccf --projections 2)" .22
'
finish
