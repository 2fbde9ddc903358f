#!/bin/sh
# The demonstration behind `make demo`: sparse parity, where the class is the parity of the signs of
# three features out of twenty, learned by a sporf and by a random forest with the same number of
# trees. usage: demo.sh COMMAND
set -eu

sporf=$1
rows=5000 trees=50
work=$(dirname "$sporf")/demo
mkdir -p "$work"

"$sporf" simulate sparse-parity --rows "$rows" --seed 1 --output "$work/train.csv"
"$sporf" simulate sparse-parity --rows 10000 --seed 2 --output "$work/test.csv"

# value NAME: a number out of JSON on standard input.
value() { sed -n "s/.*\"$1\" *: *\([-+.0-9eE]*\).*/\1/p" | head -n 1; }

# contest METHOD OPTION...: trains, evaluates and prints one line of the table.
contest() {
    name=$1
    set -- --method "$@"
    "$sporf" train --data "$work/train.csv" --label last --model "$work/$name.sporf" \
        --trees "$trees" --seed 1 --json "$@" >"$work/$name.train.json"
    "$sporf" evaluate --model "$work/$name.sporf" --data "$work/test.csv" --label last \
        --json >"$work/$name.test.json"
    printf '  %-46s %10.4f %11.4f %8.1f\n' "$*" \
        "$(value error <"$work/$name.test.json")" \
        "$(value oob_error <"$work/$name.train.json")" \
        "$(value seconds <"$work/$name.train.json")"
}

cat <<END

Sparse parity: 20 features, $rows training rows, 10000 test rows, $trees trees.
The class says whether an even or an odd number of the first three features is positive.

  forest                                         test error  out-of-bag  seconds
END
contest sporf --projections 400 --density 2/p
contest rf --projections 20
cat <<END

A guess would be wrong half of the time. Data and models are in $work. What to try next:

  $sporf inspect  --model $work/sporf.sporf
  $sporf predict  --model $work/sporf.sporf --data $work/test.csv --proba
  $sporf train    --data YOUR.csv --label last --model YOUR.sporf
  $sporf train    --help
END
