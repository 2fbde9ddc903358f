#!/bin/sh
# Boosted models, from training to prediction.
# Labels: threads
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3 seq

"$SPORF" simulate trunk --rows 600 --features 8 --seed 1 --output two.csv || exit 2
"$SPORF" simulate trunk --rows 300 --features 8 --seed 2 --output later.csv || exit 2
"$SPORF" simulate friedman1 --rows 600 --seed 1 --output numbers.csv || exit 2
flowers three.csv
python3 - <<'END' || exit 2
import random
random.seed(1)
with open("typed.csv", "w") as typed, open("counts.csv", "w") as counts:
    typed.write("plan,town,age,visits,left\n")
    counts.write("age,size,count\n")
    for i in range(300):
        plan, town, age = random.choice("abc"), random.choice(["x", "y", "NA"]), random.randint(18, 80)
        left = "yes" if (plan == "b") ^ (age > 50) else "no"
        typed.write(f"{plan},{town},{age if i % 9 else ''},{i % 4 + 1},{left}\n")
        counts.write(f"{age},{i % 7},{age // 20 + i % 3}\n")
END

few="--rounds 30 --bags 1"
two="boost --data two.csv --label class $few"
three="boost --data three.csv --label species $few"
numbers="boost --data numbers.csv --target y $few"

it "two classes: a summary with rounds and losses, and predictions that are right" '
    run 0 $two --model m.sporf
    printed "rows          600" "kept of" "at most 30" "held-out rows" "on training rows" "learner boosting" "rate"
    run 0 evaluate --model m.sporf --data later.csv --json
    json "d[\"error\"] < 0.2" "d[\"combine\"] == \"scores\"" "not d[\"calibrated\"]"
'
it "several classes have a score each" '
    run 0 $three --model m.sporf --json
    json "d[\"outputs\"] == 3" "len(d[\"base\"]) == 3" "d[\"trees\"] == 3 * d[\"rounds\"]" "d[\"loss\"] == \"log\""
    run 0 evaluate --model m.sporf --data three.csv --json
    json "d[\"error\"] < 0.2"
'
it "regression" '
    run 0 $numbers --model m.sporf --json
    json "d[\"loss\"] == \"squared\"" "d[\"outputs\"] == 1" "d[\"targets\"] == [\"y\"]" "d[\"classes\"] == 0"
    run 0 evaluate --model m.sporf --data numbers.csv --json
    json "d[\"targets\"][0][\"r2\"] > 0.6"
'
it "JSON has the losses of all rounds and where they were least" '
    run 0 $two --model m.sporf --json
    json "d[\"rounds\"] == d[\"best_round\"] <= d[\"rounds_tried\"] <= 30" "d[\"bags\"] == 1" "d[\"rounds_requested\"] == 30" \
        "len(d[\"losses\"][\"train\"]) == len(d[\"losses\"][\"valid\"]) == d[\"rounds_tried\"]" \
        "d[\"valid_loss\"] == min(d[\"losses\"][\"valid\"]) == d[\"losses\"][\"valid\"][d[\"rounds\"] - 1]" \
        "d[\"train_loss\"] == d[\"losses\"][\"train\"][d[\"rounds\"] - 1]" "d[\"valid_rows\"] == 60" \
        "d[\"rows\"] == 600" "d[\"interrupted\"] is False" "\"oob_error\" not in d" "\"rate\" in d[\"chosen\"]" \
        "float(d[\"settings\"][\"rate\"]) > 0" "d[\"settings\"][\"learner\"] == \"boosting\""
'
it "the model does not depend on the number of threads" '
    for call in "$two" "$three" "$numbers --subsample 0.5" "boost --data typed.csv --label left --bags 3 --rounds 10"; do
        run 0 $call --threads 1 --model one.sporf
        run 0 $call --threads 2 --model other.sporf
        same one.sporf other.sporf
    done
'
it "another seed gives another model" '
    run 0 $two --model one.sporf
    run 0 $two --seed 2 --model other.sporf
    differ one.sporf other.sporf
'
it "--valid takes a share, or none" '
    run 0 $two --valid 0.25 --model m.sporf --json
    json "d[\"valid_rows\"] == 150"
    run 0 $two --valid 0 --model m.sporf --json
    json "d[\"valid_rows\"] == 0" "d[\"valid_loss\"] is None" "d[\"losses\"][\"valid\"] == []" "d[\"rounds\"] == 30"
    run 0 $two --valid 0 --model m.sporf
    printed "none were held out"
    said_nothing
'
it "--valid takes a file with the same columns, in any order" '
    run 0 $two --valid later.csv --model m.sporf --json
    json "d[\"valid_rows\"] == 300"
    loss=$(python3 -c "import json, sys; print(json.load(open(sys.argv[1]))[\"valid_loss\"])" "$work/out")
    run 0 evaluate --model m.sporf --data later.csv --json
    json "abs(d[\"log_loss\"] - $loss) < 1e-6"
    awk -F, -v OFS=, "{ last = \$NF; NF--; print last, \$0 }" later.csv >turned.csv
    run 0 $two --valid turned.csv --model other.sporf
    same m.sporf other.sporf
    cp later.csv 0.1
    run 0 $two --valid ./0.1 --model other.sporf
    same m.sporf other.sporf
'
it "a file of --valid that does not fit is refused" '
    sed "s/,[01]\$/,strange/; 1s/,strange/,class/" later.csv >classes.csv
    run 1 $two --valid classes.csv --model x.sporf
    said "strange"
    sed "1s/x3/z/" later.csv >renamed.csv
    run 1 $two --valid renamed.csv --model x.sporf
    said "x3"
    sed "1s/class/truth/" later.csv >unlabelled.csv
    run 1 $two --valid unlabelled.csv --model x.sporf
    said "class"
    run 1 $two --valid none.csv --model x.sporf
    said "none.csv"
    [ ! -e x.sporf ]
'
it "adding rounds gives the model of all rounds at once" '
    for call in "--data two.csv --label class" "--data numbers.csv --target y --subsample 0.7" \
        "--data three.csv --label species --bags 2" "--data typed.csv --label left --weight visits"; do
        run 0 boost $call --rounds 5 --patience 100 --model few.sporf
        run 0 boost $call --rounds 12 --patience 100 --model many.sporf
        run 0 boost $call --rounds 12 --extend few.sporf --model more.sporf
        same many.sporf more.sporf
    done
    run 0 boost --data typed.csv --weight visits --rounds 12 --extend few.sporf --model few.sporf
    same few.sporf many.sporf
'
it "so does adding rounds with a file of held-out rows" '
    run 0 boost --data two.csv --label class --rounds 5 --valid later.csv --model few.sporf
    run 0 boost --data two.csv --label class --rounds 9 --valid later.csv --model many.sporf
    run 0 boost --data two.csv --rounds 9 --valid later.csv --extend few.sporf --model more.sporf
    same many.sporf more.sporf
'
it "trees are added to forests, rounds to boosted models" '
    run 0 train --data two.csv --label class --trees 5 --model forest.sporf
    run 0 $two --model boosted.sporf
    refused 2 "a forest: '\''sporf train --extend'\'' adds trees" boost --data two.csv --extend forest.sporf --rounds 40 --model x.sporf
    refused 2 "a boosted model: '\''sporf boost --extend'\'' adds rounds" train --data two.csv --extend boosted.sporf --trees 40 \
        --model x.sporf
    refused 2 "needs --rounds N" boost --data two.csv --extend boosted.sporf --model x.sporf
    run 2 boost --data two.csv --extend boosted.sporf --rounds 40 --l2 7 --model x.sporf
    said "l2"
    [ ! -e x.sporf ]
'
it "it is said that the loss still fell in the last round" '
    run 0 boost --data two.csv --label class --bags 1 --rounds 3 --rate 0.01 --model m.sporf
    said "still fell" "raise --rounds or --rate"
    run 0 boost --data two.csv --label class --bags 1 --rounds 500 --patience 3 --rate 0.5 --model m.sporf
    said_nothing
'
it "losses for regression" '
    for loss in squared absolute quantile poisson; do
        run 0 boost --data counts.csv --target count $few --loss $loss --model m.sporf --json
        json "d[\"loss\"] == \"$loss\""
    done
    run 0 boost --data counts.csv --target count $few --loss quantile --quantile 0.9 --model m.sporf
    run 0 predict --model m.sporf --data counts.csv --output p.csv
    python3 - <<END
import csv
pairs = [(float(p["prediction"]), float(r["count"])) for p, r in zip(csv.DictReader(open("p.csv")), csv.DictReader(open("counts.csv")))]
share = sum(y <= p + 1e-6 for p, y in pairs) / len(pairs)
assert share > 0.75, share
END
'
it "wrong values are refused" '
    refused 2 "--rate must be" $two --rate 0 --model x.sporf
    refused 2 "--loss must be" $two --loss hinge --model x.sporf
    refused 2 "--valid must be" $two --valid 0.95 --model x.sporf
    refused 2 "--quantile is for --loss quantile" $numbers --quantile 0.9 --model x.sporf
    refused 2 "--patience needs held-out rows" $two --valid 0 --patience 5 --model x.sporf
    awk -F, -v OFS=, "NR > 1 { \$NF = -1 - \$NF } { print }" numbers.csv >negative.csv
    run 1 boost --data negative.csv --target y --loss poisson --model x.sporf
    said "poisson"
    run 2 $two --loss squared --model x.sporf
    said "loss"
    run 2 $numbers --loss log --model x.sporf
    said "loss"
    [ ! -e x.sporf ]
'
it "options of forests are refused, and those of boosting by train" '
    refused 2 "--rounds N is how many" boost --trees 5 --data two.csv --label class --model x.sporf
    refused 2 "it is for forests" boost --bag none --data two.csv --label class --model x.sporf
    refused 2 "it is for boosting" train --rate 0.1 --data two.csv --label class --model x.sporf
    refused 2 "'\''sporf boost'\'' trains by boosting" train --learner boosting --data two.csv --label class --model x.sporf
    refused 2 "--density is for --method" $two --method rf --density 2/p --model x.sporf
    refused 2 "--trees is for --learner forest" crossval --data two.csv --label class --folds 3 --learner boosting --trees 5
    refused 2 "--rounds is for --learner boosting" crossval --data two.csv --label class --folds 3 --rounds 5
    refused 2 "--combine is for forests" crossval --data two.csv --label class --folds 3 --learner boosting --combine votes
'
it "class weights, row weights and missing values" '
    typed="boost --data typed.csv --label left $few"
    run 0 $typed --weight visits --class-weights no=1,yes=5 --model m.sporf --json
    json "d[\"weights\"][\"column\"] == \"visits\"" "d[\"features_with_missing\"] == 2"
    run 0 evaluate --model m.sporf --data typed.csv --weight visits --json
    json "d[\"error\"] < 0.3"
'
it "predict writes classes, probabilities and scores" '
    run 0 $two --model m.sporf
    run 0 predict --model m.sporf --data later.csv --proba --scores --output p.csv
    python3 - <<END
import csv, math
for row in csv.DictReader(open("p.csv")):
    names = [k for k in row if k not in ("prediction", "score")]
    odds = 1 / (1 + math.exp(-float(row["score"])))
    assert abs(odds - float(row[names[1]])) < 1e-9 and abs(1 - odds - float(row[names[0]])) < 1e-9, row
    assert row["prediction"] == max(names, key=lambda n: float(row[n])), row
END
    run 0 $three --model m.sporf
    run 0 predict --model m.sporf --data three.csv --scores --output p.csv
    [ "$(head -n 1 p.csv)" = prediction,setosa_score,versicolor_score,virginica_score ]
    run 0 $numbers --model m.sporf
    run 0 predict --model m.sporf --data numbers.csv --scores --output p.csv
    [ "$(head -n 1 p.csv)" = prediction,score ]
    awk -F, "NR > 1 && \$1 != \$2 { exit 1 }" p.csv
    refused 2 "--loss quantile" predict --model m.sporf --data numbers.csv --quantiles 0.5
    run 0 train --data two.csv --label class --trees 5 --model forest.sporf
    refused 2 "--scores is for boosted models" predict --model forest.sporf --data later.csv --scores
    run 0 $two --model m.sporf
    refused 2 "--combine is for forests" predict --model m.sporf --data later.csv --combine votes
'
it "inspect shows a boosted model" '
    run 0 $three --model m.sporf
    run 0 inspect --model m.sporf
    printed "learner       boosting" "outputs       3" "curve         round 1:" "kept of" "loss          log:"
    run 0 inspect --model m.sporf --json
    json "d[\"learner\"] == \"boosting\"" "len(d[\"base\"]) == 3" "len(d[\"losses\"][\"valid\"]) == d[\"rounds_tried\"]"
    run 0 inspect --model m.sporf --tree 5
    printed "round 2, bag 1, output 2" "(weight "
    run 0 inspect --model m.sporf --tree 5 --json
    json "all(len(n[\"values\"]) == 1 for n in d[\"structure\"][0][\"nodes\"] if \"values\" in n)"
'
it "the other verbs take a boosted model, or say why not" '
    run 0 $two --model m.sporf
    run 0 importance --model m.sporf --json
    run 1 importance --model m.sporf --permutation --data two.csv
    said "boosted"
    run 1 strength --model m.sporf --data two.csv
    said "boosted"
    run 0 bench-predict --model m.sporf --data later.csv --threads 1 --seconds 0.01 --json
    json "d[\"combine\"] == \"scores\""
'
it "cross-validation takes boosting" '
    run 0 crossval --data two.csv --label class --folds 3 --learner boosting --rounds 10 --bags 1 --json
    json "d[\"error\"] < 0.3" "d[\"settings\"][\"learner\"] == \"boosting\"" "\"trees\" not in d[\"settings\"]" \
        "d[\"chosen\"] == []"
    run 0 crossval --data numbers.csv --target y --folds 3 --learner boosting --rounds 10 --bags 1
    printed "learner boosting, rounds 10"
    run 0 crossval --data two.csv --label class --folds 3 --trees 5 --json
    json "\"rounds\" not in d[\"settings\"]" "\"learner\" not in d[\"settings\"]"
'
it "a search takes boosting, and compares by folds" '
    run 0 tune --data two.csv --label class --learner boosting --rounds 10 --bags 1 --folds 3 --projections 3,p \
        --density 1/p,3/p --model m.sporf --json
    json "d[\"compared_by\"] == \"folds\"" "len(d[\"tried\"]) == 4" "d[\"rounds_requested\"] == 10" \
        "d[\"settings\"][\"learner\"] == \"boosting\""
'
it "a model file is not written over the table or the held-out rows" '
    cp later.csv kept.csv
    refused 2 "are the same file" $two --valid kept.csv --model kept.csv
    same later.csv kept.csv
'
if env --default-signal=INT true 2>/dev/null && [ -r /proc/self/status ]; then
    it "Ctrl-C keeps the rounds so far, and training is taken up again" '
        rm -f m.sporf
        run 0 simulate trunk --rows 4000 --seed 1 --output large.csv
        env --default-signal=INT "$SPORF" boost --data large.csv --label class --rounds 1000000 --valid 0 \
            --bags 1 --json --model m.sporf >out 2>err &
        pid=$!
        for i in $(seq 600); do
            ! grep -q "^SigCgt:.*[2367abef]\$" "/proc/$pid/status" || break
            sleep 0.05
        done
        sleep 1
        kill -INT "$pid"
        wait "$pid"
        holds err "sporf boost: stopped after" "of 1000000 rounds; the model is valid"
        reads out "d[\"interrupted\"]" "0 < d[\"rounds\"] < 1000000" "d[\"rounds_requested\"] == 1000000"
        rounds=$(python3 -c "import json; print(json.load(open(\"out\"))[\"rounds\"] + 3)")
        run 0 boost --data large.csv --extend m.sporf --rounds "$rounds" --model more.sporf
        run 0 boost --data large.csv --label class --rounds "$rounds" --valid 0 --bags 1 --model whole.sporf
        same more.sporf whole.sporf
    '
else
    skip "Ctrl-C keeps the rounds so far, and training is taken up again" "env cannot reset signals, or there is no /proc"
fi
finish
