#!/bin/sh
# A forest that several runs grow: --settle, --part, join.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

"$SPORF" simulate trunk --rows 400 --seed 1 --output data.csv || exit 2
"$SPORF" simulate trunk --rows 400 --seed 2 --output other.csv || exit 2
"$SPORF" simulate friedman1 --rows 300 --seed 1 --output numbers.csv || exit 2
python3 - <<'EOF' || exit 2
import random
random.seed(1)
with open("typed.csv", "w") as out:
    out.write("plan,town,age,visits,left\n")
    for i in range(300):
        plan, town, age = random.choice("abc"), random.choice(["x", "y", ""]), random.randint(18, 80)
        left = "yes" if (plan == "b") ^ (age > 50) ^ (random.random() < .1) else "no"
        out.write(f"{plan},{town},{age if i % 9 else ''},{i % 4},{left}\n")
EOF

# same PARTS ARGUMENT...: the parts, joined in reverse order, are the model of one training.
same() {
    parts=$1 list= i=1
    shift
    run 0 train "$@" --model whole.sporf
    run 0 train "$@" --settle settings
    while [ "$i" -le "$parts" ]; do
        run 0 train "$@" --settle settings --part "$i/$parts" --model "$i.part" --threads "$i"
        list="$i.part $list"
        i=$((i + 1))
    done
    run 0 join --model joined.sporf $list
    cmp whole.sporf joined.sporf
}

it "parts are joined to the model of one training" '
    rm -f settings
    same 3 --data data.csv --label class --trees 40
    rm settings
    same 2 --data numbers.csv --target y --trees 11 --effort low
    rm settings
    same 5 --data typed.csv --label left --weight visits --class-weights no=1,yes=3 --trees 8 --seed 3
    rm settings
    same 2 --data data.csv --label class --method ccf --trees 4
'
it "without --settle every part chooses the same settings again" '
    run 0 train --data data.csv --label class --trees 40 --model whole.sporf
    run 0 train --data data.csv --label class --trees 40 --part 1/2 --model 1.part
    run 0 train --data data.csv --label class --trees 40 --part 2/2 --model 2.part
    run 0 join --model joined.sporf 1.part 2.part
    printed "parts" "out of bag"
    cmp whole.sporf joined.sporf
'
it "reports are text or JSON" '
    run 0 train --data data.csv --label class --trees 10 --effort low --settle s.txt
    printed "trees 10" "s.txt"
    run 0 train --data data.csv --label class --settle s.txt --part 2/3 --model 2.part
    printed "4 to 6 of 10" "sporf join"
    run 0 train --data data.csv --label class --settle s.txt --part 3/3 --model 3.part --json
    python3 -c "
import json, sys
r = json.load(open(sys.argv[1]))
assert (r[\"first_tree\"], r[\"trees_grown\"], r[\"trees\"], r[\"rows\"]) == (7, 4, 10, 400), r" "$work/out"
    run 0 train --data data.csv --label class --settle s.txt --part 1/3 --model 1.part
    run 0 join --model j.sporf 1.part 2.part 3.part --json
    python3 -c "
import json, sys
r = json.load(open(sys.argv[1]))
assert (r[\"parts\"], r[\"trees\"]) == (3, 10), r" "$work/out"
'
it "missing, repeated and foreign parts are named" '
    run 2 join --model x.sporf 1.part 3.part
    said "trees 4 to 6 are missing, between 1.part and 3.part"
    run 2 join --model x.sporf 1.part 2.part 2.part 3.part
    said "both have tree 4"
    run 0 train --data data.csv --label class --settle s.txt --seed 1 --part 2/3 --model 2.part
    run 0 train --data other.csv --label class --effort low --trees 10 --part 2/3 --model b.part
    run 1 join --model x.sporf 1.part b.part 3.part
    said "1.part and b.part were grown on different tables"
    run 0 train --data data.csv --label class --effort low --trees 10 --seed 2 --part 2/3 --model c.part
    run 2 join --model x.sporf 1.part c.part 3.part
    said "1.part was grown with seed 1, c.part with seed 2"
    test ! -e x.sporf
'
it "the first trees are those of a forest of as many" '
    run 2 join --model x.sporf --first-trees 2.part 3.part
    said "trees 1 to 3 are missing: 2.part begins with tree 4"
    run 0 join --model first.sporf --first-trees 3.part 1.part
    printed "trees 3"
    run 0 train --data data.csv --label class --effort low --trees 3 --model three.sporf
    cmp first.sporf three.sporf
'
it "parts and models are not taken for each other" '
    run 1 predict --model 1.part --data data.csv
    said "1.part is a part of a forest: it has trees 1 to 3 of 10" "join"
    run 1 train --data data.csv --extend 1.part --trees 20 --model x.sporf
    said "is a part of a forest"
    run 1 join --model x.sporf j.sporf
    said "j.sporf is a whole model"
    run 1 join --model x.sporf nowhere.part
    said "nowhere.part"
    run 2 join --model 1.part 1.part
    said "is one of the parts"
    run 2 join --model x.sporf
    said "the parts are missing"
    head -c 500 1.part >cut.part
    run 1 join --model x.sporf cut.part 2.part 3.part
    said "cut.part is cut off"
'
it "settings of another table, version or option are refused" '
    run 1 train --data other.csv --label class --settle s.txt --part 1/3 --model x.part
    said "was written for another table"
    run 2 train --data data.csv --label class --settle s.txt --trees 11 --part 1/3 --model x.part
    said "--trees is 11, but --settle s.txt has 10"
    sed "s/^version .*/version 9.9.9/" s.txt >old.txt
    run 1 train --data data.csv --label class --settle old.txt --part 1/3 --model x.part
    said "is of sporf 9.9.9"
    run 1 train --data data.csv --label class --settle nowhere.txt --part 1/3 --model x.part
    said "there is no such file" "without --part"
    run 1 train --data data.csv --label class --settle data.csv --part 1/3 --model x.part
    said "is not a file of settings"
    sed "s/^min-leaf .*/min-leaf many/" s.txt >bad.txt
    run 2 train --data data.csv --label class --settle bad.txt --part 1/3 --model x.part
    said "min-leaf"
    test ! -e x.part
'
it "a file of settings that lacks a line, or has one too many, is refused" '
    for name in version table trees method min-leaf seed; do
        grep -v "^$name " s.txt >short.txt
        run 1 train --data data.csv --label class --settle short.txt --part 1/3 --model x.part
        said "$name is missing"
    done
    (cat s.txt; echo "seed 2") >twice.txt
    run 1 train --data data.csv --label class --settle twice.txt --part 1/3 --model x.part
    said "seed is there twice"
    for line in "threads 1" "learner boosting" "nonsense 3" "seed"; do
        (cat s.txt; echo "$line") >more.txt
        run 1 train --data data.csv --label class --settle more.txt --part 1/3 --model x.part
        said "--settle more.txt"
    done
    sed "s/^table .*/table 12/" s.txt >bad.txt
    run 1 train --data data.csv --label class --settle bad.txt --part 1/3 --model x.part
    said "table is no checksum"
    sed "s/$/$(printf "\\r")/" s.txt >windows.txt
    run 0 train --data data.csv --label class --settle windows.txt --part 1/3 --model w.part
    cmp w.part 1.part
    run 0 train --data data.csv --label class --settle s.txt --projections auto --part 1/3 --model w.part
    cmp w.part 1.part
    test ! -e x.part
'
it "no other file is lost" '
    cp data.csv kept.csv
    run 2 train --data kept.csv --label class --settle kept.csv
    cmp data.csv kept.csv
    echo "my notes" >notes.txt
    run 1 train --data data.csv --label class --settle notes.txt
    said "exists and is not a file of settings"
    grep -q "my notes" notes.txt
    cp j.sporf model.sporf
    run 1 train --data data.csv --label class --settle model.sporf
    said "exists and is not a file of settings"
    run 1 train --data data.csv --label class --settle s.txt --part 1/3 --model model.sporf
    said "exists and is not a part of a forest"
    cp 1.part other.part
    run 1 join --model other.part 1.part 2.part 3.part
    said "exists and is not a sporf model"
    cmp j.sporf model.sporf
    cmp 1.part other.part
    run 1 train --data data.csv --label class --settle nowhere/s.txt
    said "cannot write to the directory nowhere"
    run 2 train --data data.csv --label class --settle -
    run 2 train --data data.csv --label class --settle ""
    run 0 train --data data.csv --label class --trees 10 --effort low --settle s.txt
'
it "--part, --settle and --model must fit each other" '
    for part in 0/3 4/3 3 3/ /3 1/11 a/b -1/3 1/3/5 99999999999/99999999999; do
        run 2 train --data data.csv --label class --trees 10 --effort low --part $part --model x.part
        said "--part must be I/N"
    done
    run 2 train --data data.csv --label class --trees 10 --part 1/2
    said "--model is missing"
    run 2 train --data data.csv --label class --settle s2.txt --part 1/2
    said "--model is missing"
    run 2 train --data data.csv --label class --settle s2.txt --model m.sporf
    said "leave --model out"
    run 2 train --data data.csv --label class --settle s2.txt --extend j.sporf --trees 20
    said "cannot be used together"
    run 2 train --data data.csv --label class
    said "--model is missing"
    run 2 boost --data data.csv --label class --model m.sporf --part 1/2
    said "unknown option --part"
    test ! -e s2.txt -a ! -e m.sporf
'
finish
