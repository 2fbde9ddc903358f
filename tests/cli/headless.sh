#!/bin/sh
# Tables without a header: columns are found by their numbers, wherever labels, targets, weights and
# ignored columns stand.
# Labels: full
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

# table ROLES: with a column for each letter (f feature, t target, l label, w weight, i ignored)
# writes n.csv and the same as n.npy, h.csv with a header, and f.csv with the features alone; `options`
# names the columns.
table() {
    options=$(python3 - "$1" <<'END'
import array, random, sys
random.seed(5)
values = array.array("d")
roles = sys.argv[1]
names = [r + str(roles[:k].count(r)) for k, r in enumerate(roles)]
with open("n.csv", "w") as n, open("h.csv", "w") as h, open("f.csv", "w") as f:
    h.write(",".join(names) + "\n")
    for i in range(150):
        x = [round(random.random(), 3) for r in roles if r == "f"]
        left, sums = list(x), [10 * x[0] - 5 * x[-1], 3 * x[1]]
        cells = {"w": lambda: random.choice([1, 2, 5]), "i": lambda: round(50 * random.random(), 1),
                 "t": lambda: sums.pop(0), "f": lambda: left.pop(0), "l": lambda: int(x[0] > x[-1])}
        line = ",".join("%g" % cells[r]() for r in roles) + "\n"
        n.write(line)
        values.extend(map(float, line.split(",")))
        h.write(line)
        f.write(",".join("%g" % v for v in x) + "\n")
head = "{'descr': '%sf8', 'fortran_order': False, 'shape': (150, %d)}" % ("<>"[sys.byteorder == "big"], len(roles))
with open("n.npy", "wb") as file:
    file.write(b"\x93NUMPY\x01\x00\x76\x00" + head.ljust(117).encode() + b"\n" + values.tobytes())
flag = {"t": "--target", "l": "--label", "w": "--weight", "i": "--ignore"}
print(*("%s %s" % (flag[r], ",".join(str(k + 1) for k in range(len(roles)) if roles[k] == r))
        for r in "tlwi" if r in roles))
END
)
    marked=$(echo "$options" | sed "s/ *--ignore [0-9,]*//")
    unweighted=$(echo "$marked" | sed "s/ *--weight [0-9,]*//")
}

# scores MODEL TABLE OPTION...: what evaluate has to say, but for names and times.
scores() {
    model=$1 data=$2
    shift 2
    run 0 evaluate --model "$model" --data "$data" --json "$@"
    python3 -c "
import json, sys
d = json.load(sys.stdin)
for t in d.get(\"targets\", []): t.pop(\"name\")
print({k: d.get(k) for k in (\"rows\", \"error\", \"log_loss\", \"targets\")})" <"$work/out"
}

# both ROLES: a table with a header and one without give models that score and predict alike.
both() {
    table "$1"
    run 0 train --data n.csv --trees 4 --min-leaf 8 --model n.sporf $options
    run 0 train --data h.csv --trees 4 --min-leaf 8 --model h.sporf $options
    scores h.sporf h.csv $marked >wanted
    scores n.sporf n.csv $marked >got && same wanted got
    scores n.sporf n.npy $marked >got && same wanted got
    scores h.sporf h.csv $unweighted >wanted
    scores n.sporf n.csv $unweighted >got && same wanted got
    run 0 predict --model h.sporf --data h.csv && cp "$work/out" wanted
    run 0 predict --model n.sporf --data f.csv && tail -n +2 "$work/out" >got
    tail -n +2 wanted | same - got
}

it "targets, weights and ignored columns may stand anywhere" '
    for roles in tfff fftf itffwf ftwiff fiffwt tfwffi; do
        echo $roles
        both $roles
        scores n.sporf n.csv $(echo $marked | sed "s/--target [0-9]*//") >got
        scores h.sporf h.csv $marked >wanted && same wanted got
        run 0 predict --model h.sporf --data h.csv && tail -n +2 "$work/out" >wanted
        target=$(echo $unweighted | sed "s/--target //")
        run 0 predict --model n.sporf --data n.csv && tail -n +2 "$work/out" >got && same wanted got
        for file in n.csv n.npy; do
            run 0 predict --model n.sporf --data $file --label $target
            tail -n +2 "$work/out" >got && same wanted got
        done
    done
'
it "so may several targets, which keep their order" '
    for roles in ttff itffwtf tfwtffi; do
        echo $roles
        both $roles
        run 0 evaluate --model n.sporf --data n.csv --json
        json "len(d[\"targets\"]) == 2" "all(t[\"r2\"] > 0.3 for t in d[\"targets\"])"
        scores n.sporf n.csv --target $(echo $unweighted | sed "s/--target //; s/\(.*\),\(.*\)/\2,\1/") >turned
        scores n.sporf n.csv >got && same got turned
    done
'
it "and labels" '
    for roles in lfff ffl fflwfif wlffif lwiffi; do
        echo $roles
        both $roles
        label=$(echo $unweighted | sed "s/--label //")
        run 0 predict --model h.sporf --data h.csv && tail -n +2 "$work/out" >wanted
        for file in n.csv n.npy; do
            run 0 predict --model n.sporf --data $file --label $label
            tail -n +2 "$work/out" >got && same wanted got
        done
        cut -d, -f$label --complement n.csv >unlabelled.csv
        run 0 predict --model n.sporf --data unlabelled.csv
        tail -n +2 "$work/out" >got && same wanted got
    done
'
it "a number that another option takes is no feature" '
    table tffii
    run 0 train --data n.csv $options --trees 3 --model n.sporf
    refused 1 "column 2 is named as weight, but for the model it is a feature" \
        evaluate --model n.sporf --data n.csv --weight 2
    cut -d, -f1,2 n.csv >short.csv
    refused 1 "trained with column 3" predict --model n.sporf --data short.csv --label 1
'
it "a first line that holds levels of the model is a row, even if it is the only one" '
    printf "%s\n" red,small,p blue,big,q red,big,p blue,small,q red,small,p blue,small,q >words.csv
    for label in 3 1; do
        run 0 train --data words.csv --header no --label $label --trees 3 --model words.sporf
        run 0 predict --model words.sporf --data words.csv --label $label
        [ "$(wc -l <"$work/out")" -eq 7 ]
        run 0 predict --model words.sporf --data words.csv --header no --label $label
        sed 1q words.csv >one.csv
        run 0 predict --model words.sporf --data one.csv --label $label
        [ "$(wc -l <"$work/out")" -eq 2 ]
    done
'
finish
