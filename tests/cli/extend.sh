#!/bin/sh
# Growing further trees onto a model.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

"$SPORF" simulate trunk --rows 400 --seed 1 --output data.csv || exit 2
"$SPORF" simulate friedman1 --rows 400 --seed 1 --output numbers.csv || exit 2
"$SPORF" simulate trunk --rows 10001 --features 2 --seed 1 --output tall.csv || exit 2
python3 - <<'EOF' || exit 2
import random
random.seed(1)
with open("typed.csv", "w") as out:
    out.write("id,plan,town,size,age,visits,left\n")
    for i in range(300):
        plan, town = random.choice(["a", "b", "c"]), random.choice(["x", "y", "NA"])
        size, age = random.choice(["small", "large", "medium"]), random.randint(18, 80)
        left = "yes" if (plan == "b") ^ (age > 50) ^ (random.random() < .1) else "no"
        out.write(f"k{i},{plan},{town},{size},{age if i % 9 else ''},{i % 4},{left}\n")
EOF

# same FEW MANY ARGUMENT...: a model of a few trees grown further is that of many.
same() {
    few=$1 many=$2
    shift 2
    run 0 train "$@" --effort low --trees "$few" --model few.sporf
    run 0 train "$@" --effort low --trees "$many" --model many.sporf
    run 0 train "$@" --trees "$many" --extend few.sporf --model more.sporf
    cmp many.sporf more.sporf
}

it "a model that is grown further is the file of all trees at once" '
    same 7 20 --data data.csv --label class
    same 7 20 --data numbers.csv --target y --min-leaf 3
    same 7 20 --data data.csv --label class --method rr-rf --bag subsample --honest 0.4 --seed 9
    same 2 3 --data tall.csv --label class
    run 0 inspect --model more.sporf
    printed "bag subsample, bag-fraction 0.8"
'
it "settings that were chosen for few trees are kept" '
    run 0 train --data data.csv --label class --trees 20 --model few.sporf --json
    chosen=$(python3 -c "import json, sys; s = json.load(open(sys.argv[1]))[\"settings\"]
print(*[f\"--{n} {s[n]}\" for n in (\"projections\", \"density\", \"min-leaf\", \"scale\")])" "$work/out")
    run 0 train --data data.csv --label class --trees 40 --model many.sporf $chosen
    run 0 train --data data.csv --extend few.sporf --trees 40 --model more.sporf
    cmp many.sporf more.sporf
'
it "settings, label, target and columns come from the model" '
    numbers="--data numbers.csv --target y --min-leaf 3 --density 2/p --seed 4 --effort low"
    run 0 train $numbers --trees 5 --model few.sporf
    run 0 train $numbers --trees 9 --model many.sporf
    run 0 train --data numbers.csv --extend few.sporf --trees 9 --model more.sporf
    cmp many.sporf more.sporf
    typed="--data typed.csv --label left --weight visits --categorical id --ordinal size=small<medium<large"
    run 0 train $typed --class-weights no=1,yes=3 --effort low --trees 5 --model few.sporf
    run 0 train $typed --class-weights no=1,yes=3 --effort low --trees 9 --model many.sporf
    run 0 train --data typed.csv --weight visits --extend few.sporf --trees 9 --model more.sporf
    said_nothing
    cmp many.sporf more.sporf
    run 0 train $typed --class-weights no=1,yes=3 --extend few.sporf --trees 9 --model more.sporf
    cmp many.sporf more.sporf
'
it "a model can be grown further in its place, and says how many trees are new" '
    run 0 train --data data.csv --label class --effort low --trees 8 --model m.sporf --json
    json "d[\"trees\"] == d[\"trees_grown\"] == 8"
    run 0 train --data data.csv --label class --effort low --trees 12 --model m12.sporf
    run 0 train --data data.csv --extend m.sporf --trees 12 --model m.sporf --json
    json "d[\"trees\"] == d[\"trees_requested\"] == 12" "d[\"trees_grown\"] == 4" "not d[\"interrupted\"]" \
        "len(d[\"oob_curve\"]) == 12"
    cmp m.sporf m12.sporf
    run 0 train --data data.csv --extend m.sporf --trees 12 --model same.sporf --json
    json "d[\"trees_grown\"] == 0"
    cmp m.sporf same.sporf
'
it "formats without names are grown further, too" '
    python3 - <<EOF
import random
random.seed(2)
rows = [[random.random() for _ in range(4)] for _ in range(200)]
with open("plain.csv", "w") as plain, open("data.svm", "w") as sparse:
    for r in rows:
        label = int(r[0] + r[1] > 1)
        plain.write(",".join(map(str, r)) + f",{label}\n")
        sparse.write(f"{label} " + " ".join(f"{j + 1}:{x}" for j, x in enumerate(r) if x > .3) + "\n")
EOF
    same 3 6 --data plain.csv --label last
    same 3 6 --data data.svm
    same 3 6 --data data.svm --target label
'
it "what does not fit is refused in words, and nothing is written" '
    run 0 train --data data.csv --label class --trees 8 --model m.sporf
    run 2 train --data data.csv --extend m.sporf --model x.sporf
    said "--extend m.sporf needs --trees N"
    run 2 train --data data.csv --extend m.sporf --trees 7 --model x.sporf
    said "trees is 7, but the forest already has 8"
    run 2 train --data data.csv --extend m.sporf --trees 9 --seed 3 --model x.sporf
    said "seed is 3, but the forest was grown with 1"
    run 1 train --data data.csv --extend none.sporf --trees 9 --model x.sporf
    said "none.sporf"
    run 1 train --data data.csv --extend data.csv --trees 9 --model x.sporf
    sed "\$d" data.csv >shorter.csv
    run 1 train --data shorter.csv --extend m.sporf --trees 9 --model x.sporf
    said "the data are not those that the forest was trained on"
    sed "1s/x3/z/" data.csv >renamed.csv
    run 1 train --data renamed.csv --extend m.sporf --trees 9 --model x.sporf
    said "x3"
    run 1 train --data data.csv --target x3 --extend m.sporf --trees 9 --model x.sporf
    run 0 train --data typed.csv --label left --trees 5 --model t.sporf
    sed "5s/,a,\|,b,\|,c,/,d,/" typed.csv >strange.csv
    run 1 train --data strange.csv --extend t.sporf --trees 9 --model x.sporf
    said "a level that the forest does not know"
    [ ! -e x.sporf ]
'
it "enough trees are those of that number, say why they are enough, and can be added to" '
    for of in "--data data.csv --label class" "--data numbers.csv --target y"; do
        run 0 train $of --projections p --trees auto --threads 3 --model enough.sporf
        holds "$work/out" "with enough trees"
        trees=$("$SPORF" inspect --model enough.sporf --json | python3 -c "import json, sys
report = json.load(sys.stdin)
assert report[\"stopped\"] == \"enough\" and 50 <= report[\"trees\"] < 2000
print(report[\"trees\"])")
        run 0 train $of --projections p --trees $trees --model number.sporf --json
        grep -q "\"stopped\": null" "$work/out"
        run 0 train $of --extend enough.sporf --trees $trees --model same.sporf
        cmp number.sporf same.sporf
    done
'
it "time ends a training with the first trees" '
    run 0 train --data data.csv --label class --projections p --trees 10000000 --time 0.1s --model timed.sporf
    holds "$work/out" "when the time was over"
    "$SPORF" inspect --model timed.sporf | grep -q "when the time was over"
    trees=$("$SPORF" inspect --model timed.sporf --json | python3 -c "import json, sys
print(json.load(sys.stdin)[\"trees\"])")
    run 0 train --data data.csv --label class --projections p --trees $trees --model number.sporf
    run 0 train --data data.csv --extend timed.sporf --trees $trees --model same.sporf
    cmp number.sporf same.sporf
    run 0 boost --data data.csv --label class --time 0.05 --rounds 1000000 --patience 1000000 --model timed.sporf --json
    grep -q "\"stopped\": \"time\"" "$work/out"
'
it "what cannot end by itself needs a number of trees" '
    run 2 train --data data.csv --label class --trees auto --bag none --model x.sporf
    said "needs out-of-bag rows"
    run 2 train --data data.csv --label class --trees auto --part 1/2 --model x.sporf
    said "parts of a forest"
    run 2 tune --data data.csv --label class --trees auto --model x.sporf
    said "equally many trees"
    run 2 boost --data data.csv --label class --trees auto --model x.sporf
    said "rounds N is how many"
    run 2 crossval --data data.csv --label class --folds 3 --time 3
    said "for one training"
    run 0 crossval --data data.csv --label class --folds 2 --trees auto --projections p
    [ ! -e x.sporf ]
'
finish
