#!/bin/sh
# Forests that predict numbers, from the command line.
# Labels: full
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

run 0 simulate friedman1 --rows 600 --output train.csv
run 0 simulate friedman1 --rows 400 --seed 2 --output test.csv

it "a target is learned, with its out-of-bag error" '
    run 0 train --data train.csv --target y --trees 60 --model r.sporf --json
    json "d[\"targets\"] == [\"y\"]" "d[\"classes\"] == 0" "0.7 < d[\"oob_r2\"] < 0.95" \
        "1.5 < d[\"oob_rmse\"] < 3.2" "d[\"settings\"][\"density\"] == \"2/p\"" \
        "d[\"settings\"][\"scale\"] == \"sd\""
    run 0 train --data train.csv --target y --trees 20 --density 2/p --scale none --model x.sporf --json
    json "d[\"settings\"][\"density\"] == \"2/p\"" "d[\"settings\"][\"scale\"] == \"none\""
'
it "evaluate finds the target by its name and tells three errors" '
    run 0 evaluate --data test.csv --model r.sporf --json
    json "d[\"rows\"] == 400" "d[\"targets\"][0][\"name\"] == \"y\"" \
        "0 < d[\"targets\"][0][\"mae\"] < d[\"targets\"][0][\"rmse\"] < 3.2" "d[\"targets\"][0][\"r2\"] > 0.7"
    run 0 evaluate --data test.csv --model r.sporf
    grep -Eq "^y +RMSE [0-9.]+, MAE [0-9.]+, R2 0[.]" "$work/out"
'
it "the manual of train names every key of its JSON, and its help says when leaves are larger" '
    flowers flowers.csv
    for what in "train.csv --target y" "flowers.csv --label species"; do
        run 0 train --data $what --trees 2 --model x.sporf --json
        for key in $(python3 -c "import json, sys; print(*json.load(sys.stdin))" <"$work/out"); do
            grep -qw "$key" "$SPORF_ROOT/cli/man/sporf-train.1" || { echo "no $key"; exit 1; }
        done
    done
    run 0 train --help
    tr -s " \n" " " <"$work/out" >words
    holds words "in a leaf, counted in the same way; larger for noisy data"
'
it "scores have at most 6 digits on the screen, and all of them in JSON" '
    run 0 evaluate --data test.csv --model r.sporf --quantiles 0.5 --interval 0.8
    if grep -Eq "[0-9]{7}|[.][0-9]{7}" "$work/out"; then cat "$work/out"; exit 1; fi
    grep -Eq "RMSE [0-9]+[.][0-9]+, MAE" "$work/out"
    run 0 train --data train.csv --target y --trees 20 --model x.sporf
    if grep -Eq "RMSE [0-9]*[.][0-9]{6}" "$work/out"; then cat "$work/out"; exit 1; fi
    run 0 evaluate --data test.csv --model r.sporf --json
    grep -Eq "rmse\": [0-9]+[.][0-9]{9}" "$work/out"
    awk -F, "BEGIN { OFS = FS } NR > 1 { \$NF *= 1e8 } { print }" train.csv >large.csv
    run 0 train --data large.csv --target y --trees 20 --model x.sporf
    grep -Eq "RMSE [0-9]{9}, R2" "$work/out"
'
it "a label of many numbers is said to be a target" '
    run 0 train --data train.csv --label y --trees 2 --model x.sporf
    grep -Eq "the label has [0-9]+ classes in 600 rows, all of them numbers: --target predicts" "$work/err"
    awk -F, "BEGIN { OFS = FS } NR > 1 { \$NF = NR % 51 } { print }" train.csv >grades.csv
    run 0 train --data grades.csv --label y --trees 2 --model x.sporf
    said_nothing
    awk -F, "BEGIN { OFS = FS } NR == 2 { \$NF = \"high\" } { print }" train.csv >text.csv
    run 0 train --data text.csv --label y --trees 2 --model x.sporf
    said "classes in 600 rows, too few of each to learn from"
    if grep -qe "--target" "$work/err"; then exit 1; fi
'
it "predict writes a number for each row, in any order of columns" '
    run 0 predict --data test.csv --model r.sporf && cp "$work/out" a.csv
    test "$(head -n 1 a.csv)" = prediction && test "$(wc -l <a.csv)" -eq 401
    python3 -c "
for line in open(\"test.csv\"): print(*reversed(line.strip().split(\",\")), sep=\",\")" >turned.csv
    run 0 predict --data turned.csv --model r.sporf && cmp a.csv "$work/out"
'
it "several targets have columns of their own" '
    awk -F, "NR == 1 { print \$0 \",z\" } NR > 1 { print \$0 \",\" 3 * \$1 }" train.csv >two.csv
    run 0 train --data two.csv --target y,z --trees 30 --model two.sporf --json
    json "d[\"targets\"] == [\"y\", \"z\"]" "d[\"features\"] == 10"
    run 0 predict --data test.csv --model two.sporf
    test "$(head -n 1 "$work/out")" = y,z
    run 0 evaluate --data two.csv --model two.sporf --json
    json "[t[\"r2\"] > 0.9 for t in d[\"targets\"]] == [True, True]"
'
it "several targets have out-of-bag results of their own, and a constant one spoils no mean" '
    awk -F, "NR == 1 { print \$0 \",c\" } NR > 1 { print \$0 \",5\" }" two.csv >three.csv
    run 0 train --data three.csv --target y,z,c --trees 30 --model three.sporf --json
    json "[t[\"name\"] for t in d[\"oob_targets\"]] == [\"y\", \"z\", \"c\"]" \
        "d[\"oob_targets\"][2] == {\"name\": \"c\", \"rmse\": 0, \"mae\": 0, \"r2\": None}" \
        "abs(2 * d[\"oob_r2\"] - sum(t[\"r2\"] for t in d[\"oob_targets\"][:2])) < 1e-12"
    cp "$work/out" trained.json
    run 0 inspect --model three.sporf --json
    json "d[\"oob_targets\"] == __import__(\"json\").load(open(\"trained.json\"))[\"oob_targets\"]"
    run 0 inspect --model three.sporf
    grep -Eq "^out of bag +RMSE [0-9.]+, R2 0[.][0-9]+ over 600 rows and all targets" "$work/out"
    grep -Eq "^ +z: RMSE [0-9.]+, R2 0[.]" "$work/out"
    run 0 train --data train.csv --target y --trees 5 --model x.sporf
    ! grep -q "y: RMSE" "$work/out"
'
it "frc joins features unless told otherwise, and no model of numbers claims a criterion" '
    run 0 train --data train.csv --target y --method frc --trees 5 --model x.sporf --json
    json "d[\"settings\"][\"density\"] == \"3/p\"" "d[\"mean_nonzeros\"] == 3" \
        "d[\"settings\"][\"scale\"] == \"sd\"" "\"criterion\" not in d[\"settings\"]"
    run 0 train --data train.csv --target y --method frc --density 2/p --trees 5 --model x.sporf --json
    json "d[\"mean_nonzeros\"] == 2"
'
it "evaluate tells how rows of numbers are weighted" '
    awk -F, "NR == 1 { print \$0 \",w\" } NR > 1 { print \$0 \",\" NR % 3 }" test.csv >weighted.csv
    run 0 evaluate --data weighted.csv --model r.sporf --weight w --json
    json "d[\"weights\"][\"column\"] == \"w\"" "d[\"weights\"][\"largest\"] == 2" "d[\"rows\"] == 400"
    run 0 evaluate --data weighted.csv --model r.sporf --weight w
    grep -q "^weights  *w: 0 to 2 for a row" "$work/out"
    run 0 evaluate --data test.csv --model r.sporf --json
    json "d[\"weights\"] is None"
'
# Results of a row take 100 KB, those of the table 600 MB, of which no more than 32 are held at a time.
it "rows of many numbers are predicted in small blocks" '
    quantiles=$(seq -s, 0.001 0.0005 0.1285)
    python3 - "$SPORF" "$quantiles" <<PYTHON
import random, resource, subprocess, sys
names = ["y%d" % t for t in range(50)]
with open("wide.csv", "w") as file:
    print("x", *names, sep=",", file=file)
    for i in range(30): print(i, *(random.random() for _ in names), sep=",", file=file)
with open("long.csv", "w") as file:
    print("x", *(i % 30 for i in range(6000)), sep="\\n", file=file)
subprocess.run([sys.argv[1], "train", "--data", "wide.csv", "--target", ",".join(names), "--trees", "1",
                "--model", "wide.sporf"], check=True, stdout=subprocess.DEVNULL)
predict = subprocess.Popen([sys.argv[1], "predict", "--model", "wide.sporf", "--data", "long.csv",
                            "--quantiles", sys.argv[2]], stdout=subprocess.PIPE)
columns = len(predict.stdout.readline().split(b","))
predict.stdout.close()
predict.wait()
used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / (1 << (20 if sys.platform == "darwin" else 10))
sys.exit(columns != 50 * 257 or (used > 300 and "%d MB were used" % used))
PYTHON
'
it "trees show the means of their leaves" '
    run 0 inspect --model r.sporf --tree 1
    grep -Eq "(yes|no): [0-9.]+  [(]weight [0-9]+[)]$" "$work/out"
    run 0 inspect --model two.sporf --tree 1 --json
    json "any(len(n.get(\"values\", [])) == 2 for n in d[\"structure\"][0][\"nodes\"])"
'
it "classes and numbers are not mixed up" '
    run 2 train --data train.csv --target y --label x1 --model x.sporf
    grep -q "give --label or --target, not both" "$work/err"
    run 2 train --data train.csv --target y --method ccf --model x.sporf
    refused 2 "--proba is for classification, but the model is for regression" predict --data test.csv --model r.sporf --proba
    for verb in predict evaluate bench-predict; do
        refused 2 "--combine is for classification, but the model is for regression" \
            $verb --data test.csv --model r.sporf --combine posteriors
    done
    refused 2 "numbers: name the column that holds them with --target" \
        evaluate --data test.csv --model r.sporf --label y
    said "and drop --label"
    flowers flowers.csv
    run 0 train --data flowers.csv --label species --trees 2 --model c.sporf
    refused 2 "classes: name the column that holds them with --label" \
        evaluate --data flowers.csv --model c.sporf --target petal_width
    said "and drop --target"
    for option in "--class-weights balanced" "--criterion entropy" "--bag stratified"; do
        refused 2 "for classification" train --data train.csv --target y --model x.sporf $option
    done
    sed "3s/[^,]*$//" train.csv >gap.csv
    run 1 train --data gap.csv --target y --model x.sporf
    grep -q "y" "$work/err"
'
# rmse OPTION...: what evaluate says of each target.
rmse() {
    run 0 evaluate --json "$@"
    python3 -c "import json, sys; print([t[\"rmse\"] for t in json.load(sys.stdin)[\"targets\"]])" <"$work/out"
}
it "a target of another name is named, by name, number or as the last" '
    rmse --data test.csv --model r.sporf >wanted
    sed "1s/y$/yield/" test.csv >renamed.csv
    refused 1 "no target column '\''y'\''" evaluate --data renamed.csv --model r.sporf
    for target in yield 11 last; do
        rmse --data renamed.csv --model r.sporf --target $target >got && same wanted got
    done
'
it "several targets are found by name, and where they are renamed by the order given" '
    rmse --data two.csv --model two.sporf >wanted
    rmse --data two.csv --model two.sporf --target z,y >got && same wanted got
    sed "1s/y,z$/p,q/" two.csv >renamed.csv
    rmse --data renamed.csv --model two.sporf --target p,q >got && same wanted got
    rmse --data renamed.csv --model two.sporf --target 11,12 >got && same wanted got
    rmse --data renamed.csv --model two.sporf --target q,p >got && differ wanted got
    sed "1s/y,z$/y,q/" two.csv >renamed.csv
    rmse --data renamed.csv --model two.sporf --target y,q >got && same wanted got
    refused 1 "no target '\''z'\''" evaluate --data renamed.csv --model two.sporf --target q,y
    refused 1 "no target '\''z'\''" evaluate --data renamed.csv --model two.sporf --target y
'
it "the unit of a target may be left away, but not changed" '
    sed "1s/y$/y [kg]/" train.csv >kg.csv
    run 0 train --data kg.csv --target y --trees 60 --model kg.sporf --json
    json "d[\"targets\"] == [\"y [kg]\"]"
    rmse --data test.csv --model r.sporf >wanted
    rmse --data test.csv --model kg.sporf >got && same wanted got
    sed "1s/y$/y [kg]/" test.csv >other.csv
    rmse --data other.csv --model r.sporf >got && same wanted got
    rmse --data other.csv --model kg.sporf >got && same wanted got
    sed "1s/y$/y [lb]/" test.csv >other.csv
    refused 1 "no target column '\''y [kg]'\''" evaluate --data other.csv --model kg.sporf
    refused 1 "convert the values to that unit" evaluate --data other.csv --model kg.sporf --target last
'
it "years as names are a header where the target is named" '
    sed "1s/x\([0-9]*\)/\1/g; 1s/^1,2,/2019,2020,/" train.csv >years.csv
    run 0 train --data years.csv --target y --trees 60 --model years.sporf --json
    json "d[\"rows\"] == 600" "d[\"features\"] == 10"
    rmse --data years.csv --model years.sporf >got
    rmse --data train.csv --model r.sporf >wanted && same wanted got
    cut -d, -f1-10 years.csv >new.csv
    run 0 predict --data new.csv --model years.sporf && test "$(wc -l <"$work/out")" -eq 601
'
it "targets of one name, or named twice, are refused" '
    sed "1s/y,z$/y,y/" two.csv >twice.csv
    refused 1 "two targets are named '\''y'\''" train --data twice.csv --target 11,12 --model no.sporf
    refused 1 "named twice as target" train --data two.csv --target y,y --model no.sporf
'
it "a target with a unit is told from one without" '
    sed "1s/y,z$/y,y [kg]/" two.csv >units.csv
    run 0 train --data units.csv --target 11,12 --trees 30 --model units.sporf
    rmse --data two.csv --model two.sporf >wanted
    rmse --data units.csv --model units.sporf >got && same wanted got
'
it "the labels of an svmlight file may be the target" '
    for name in train test; do
        awk -F, "NR > 1 { printf \$11; for (i = 1; i <= 10; i++) printf \" %d:%s\", i, \$i; print \"\" }" $name.csv >$name.svm
    done
    run 0 train --data train.svm --target label --trees 60 --model svm.sporf --json
    json "d[\"targets\"] == [\"label\"]" "d[\"features\"] == 10" "d[\"classes\"] == 0"
    rmse --data test.csv --model r.sporf >wanted
    rmse --data test.svm --model svm.sporf >got && same wanted got
    rmse --data test.svm --model r.sporf --target label >got && same wanted got
    rmse --data test.csv --model svm.sporf --target y >got && same wanted got
    run 0 predict --data test.svm --model svm.sporf && cp "$work/out" wanted
    run 0 predict --data test.csv --model r.sporf && same wanted "$work/out"
    refused 1 "are in place of the labels: --target label" train --data train.svm --target 1 --model no.sporf
    refused 1 "are in place of the labels: --target label" evaluate --data test.svm --model r.sporf
'
it "features of an svmlight file that are left out keep their numbers" '
    run 0 train --data train.svm --target label --trees 60 --ignore 1 --model less.sporf
    cut -d" " -f1-8 test.svm >short.svm
    sed "1s/\$/ 10:0/" short.svm >long.svm
    rmse --data long.svm --model less.sporf >wanted
    rmse --data short.svm --model less.sporf >got && same wanted got
    run 0 predict --data long.svm --model less.sporf && cp "$work/out" wanted
    run 0 predict --data short.svm --model less.sporf && same wanted "$work/out"
'
it "--max-memory counts targets and weights, and not what is ignored" '
    awk "BEGIN { for (i = 0; i < 20000; i++) { printf i % 91; for (j = 1; j < 20; j++) printf \",%d\", i % (j + 7); print \"\" } }" >wide.csv
    limited="train --data wide.csv --trees 1 --max-memory 1.8M --model no.sporf"
    refused 1 "the table takes 156.2 KiB" $limited --target 1 --ignore 3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20
    refused 1 "the table takes 781.2 KiB" $limited --target 1,2,3,4,5,6,7,8,9 --ignore 11,12,13,14,15,16,17,18,19,20
    refused 1 "the table takes 234.4 KiB" $limited --target 1 --weight 2 --ignore 4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20
'
finish
