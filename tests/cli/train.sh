#!/bin/sh
# sporf train: what it takes, what it reports, what it refuses.
# Labels: full
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

flowers iris.csv
train="train --data iris.csv --label species --seed 7 --model"

it "a forest is trained, summarised and saved" '
    run 0 $train m.sporf --trees 20
    said_nothing
    printed "rows          150" "20 with" "out of bag" "error" "kappa" "settings" \
        "m.sporf"
    run 0 inspect --model m.sporf
'
it "--json reports every key that is promised" '
    run 0 $train m.sporf --trees 20 --json
    said_nothing
    json "d[\"rows\"] == 150" "d[\"features\"] == 4" "d[\"classes\"] == 3" "d[\"trees\"] == 20" \
        "0 <= d[\"oob_error\"] < .5" "0 < d[\"oob_kappa\"] <= 1" "d[\"seconds\"] > 0" \
        "d[\"nodes\"] == 2 * d[\"leaves\"] - 20" "d[\"mean_depth\"] > 1" \
        "d[\"max_depth\"] >= d[\"mean_depth\"]" "d[\"peak_memory_bytes\"] > 1000000" \
        "d[\"method\"] == \"sporf\"" "d[\"settings\"][\"seed\"] == \"7\"" \
        "d[\"model\"] == \"m.sporf\"" "d[\"trees_requested\"] == 20" "d[\"interrupted\"] is False" \
        "len(d[\"oob_curve\"]) == 20" "d[\"oob_curve\"][-1] == d[\"oob_error\"]" \
        "d[\"class_names\"] == [\"setosa\", \"versicolor\", \"virginica\"]" "d[\"oob_rows\"] > 140"
    size=$(wc -c <m.sporf)
    json "d[\"model_bytes\"] == $size"
'
it "without a bag there is no out-of-bag error, and that is said" '
    run 0 $train m.sporf --trees 5 --bag none --json
    json "d[\"oob_rows\"] == 0" "d[\"oob_error\"] is None" "d[\"oob_kappa\"] is None"
    run 0 $train m.sporf --trees 5 --bag none
    printed "every tree saw every row"
'
it "the defaults are those of the authors where candidates are as many as features" '
    "$SPORF" simulate trunk --rows 100 --features 10 --seed 1 --output trunk.csv
    run 0 train --data trunk.csv --label last --model m.sporf --json --projections p
    json "d[\"settings\"][\"density\"] == \"3/p\""
    run 0 train --data iris.csv --label last --model m.sporf --json --projections p
    json "d[\"trees\"] == 500" "d[\"settings\"][\"method\"] == \"sporf\"" \
        "d[\"settings\"][\"projections\"] == \"p\"" "d[\"settings\"][\"density\"] == \"1/p\"" \
        "d[\"settings\"][\"min-leaf\"] == \"1\"" \
        "d[\"settings\"][\"min-split\"] == \"2\"" "d[\"settings\"][\"max-depth\"] == \"0\"" \
        "d[\"settings\"][\"criterion\"] == \"gini\"" "d[\"settings\"][\"scale\"] == \"none\"" \
        "d[\"settings\"][\"split\"] == \"auto\""
'
it "otherwise small forests choose, and the model says what; training with it gives the same file" '
    run 0 train --data iris.csv --label last --model m.sporf --json --trees 60
    chosen=$(python3 -c "import json, sys; s = json.load(open(sys.argv[1]))[\"settings\"]
print(*[f\"--{n} {s[n]}\" for n in (\"projections\", \"density\", \"min-leaf\", \"scale\")])" "$work/out")
    case $chosen in *auto*) false ;; esac
    json "d[\"chosen\"] == [\"projections\", \"density\", \"min-leaf\"]"
    run 0 train --data iris.csv --label last --model again.sporf --trees 60 $chosen
    same m.sporf again.sporf
    run 0 train --data iris.csv --label last --model m.sporf --trees 60 --density 2/p
    grep -q "^chosen        projections [0-9]*, min-leaf [15]: by pilot forests" "$work/out"
    run 0 train --data iris.csv --target petal_width --ignore species --model m.sporf --json --trees 60
    json "d[\"chosen\"] == [\"projections\", \"density\", \"min-leaf\"]" "0 < d[\"search_seconds\"] < d[\"seconds\"]"
    run 0 train --data iris.csv --label last --model m.sporf --trees 60 --effort high
    printed "search  " "to choose settings"
    for given in "--projections p" "--method rf" "--bag none" "--effort low" "--extend m.sporf"; do
        run 0 train --data iris.csv --model given.sporf --trees 61 $given \
            $(case $given in *petal*|*extend*) ;; *) echo --label last ;; esac) --json
        json "d[\"chosen\"] == []"
    done
    for given in "--projections p" "--method rf" "--bag none" "--extend m.sporf"; do
        run 0 train --data iris.csv --model given.sporf --trees 61 $given --effort default \
            $(case $given in *extend*) ;; *) echo --label last ;; esac)
        said "--effort has no effect, because there is no search for settings: " \
            "$(case $given in *extend*) echo the model has them ;; *p) echo --projections is given ;; *) echo this method, bag ;; esac)"
    done
    run 0 train --data iris.csv --label last --model given.sporf --trees 60 --min-leaf 1 --effort high
    [ ! -s "$work/err" ]
    run 0 crossval --data iris.csv --label last --folds 3 --trees 10 --tune --effort high
    said "--tune has its own"
'
it "every option that shapes the forest reaches the model" '
    for setting in "method rf" "trees 3" "projections 2" "projections 2p" "projections p^0.5" \
        "projections sqrt" "density 2/p" "density 0.25" "weights normal" "weights uniform" \
        "weights one" "nonzeros poisson" "criterion entropy" "split exact" "split auto" \
        "max-depth 3" "min-split 10" \
        "min-leaf 5" "min-leaf-weight 0.05" "bag stratified" "bag subsample" "bag bootstrap" "bag-fraction 0.5" \
        "honest 0.25" \
        "class-weights balanced" "class-weights setosa=2,virginica=0.5" \
        "scale sd" "scale range" "scale iqr" "seed 99"; do
        option=${setting% *} value=${setting#* }
        case $option in trees) extra= ;; *) extra="--trees 3" ;; esac
        case $option in seed) seed= ;; *) seed="--seed 7" ;; esac
        run 0 train --data iris.csv --label last $seed $extra --model one.sporf --json \
            "--$option" "$value"
        [ "$value" != sqrt ] || value="p^0.5"
        json "d[\"settings\"][\"$option\"] == \"$value\""
    done
    run 0 train --data iris.csv --label last --trees 3 --model one.sporf --json --method patch \
        --image-width 2 --patch-min 1 --patch-max 2
    json "d[\"settings\"][\"image-width\"] == \"2\"" "d[\"settings\"][\"patch-max\"] == \"2\"" \
        "d[\"settings\"][\"patch-min\"] == \"1\""
'
it "a share of the rows is drawn where --bag-fraction says so, and told where it is not the default" '
    run 0 $train m.sporf --trees 5 --json
    json "d[\"settings\"][\"bag-fraction\"] == \"1\""
    run 0 inspect --model m.sporf
    if grep -q bag-fraction "$work/out"; then exit 1; fi
    run 0 $train m.sporf --trees 5 --bag subsample
    printed "subsample," "0.632,"
    run 0 $train m.sporf --trees 5 --bag subsample --json
    json "d[\"settings\"][\"bag\"] == \"subsample\"" "d[\"settings\"][\"bag-fraction\"] == \"0.632\""
    run 0 $train m.sporf --trees 5 --bag-fraction 0.3
    printed "bag-fraction"
    run 2 $train m.sporf --bag-fraction 0
    said "bag-fraction must be a number above 0, up to 1, or auto"
'
it "weights of classes that make no sense are refused" '
    run 2 $train m.sporf --class-weights seven
    said "class-weights" "seven" "balanced"
    run 2 $train m.sporf --class-weights virginca=2
    said "virginca" "did you mean" "virginica"
    run 1 $train m.sporf --class-weights setosa=1e30 --weight-is count
    said "divide all weights"
    run 1 $train m.sporf --class-weights setosa=0,virginica=0
    said "only the class" "versicolor"
'
it "options change the forest as they should" '
    run 0 $train m.sporf --trees 9 --max-depth 2 --json
    json "d[\"max_depth\"] <= 2"
    run 0 $train m.sporf --trees 9 --method rf --json
    json "d[\"mean_nonzeros\"] == 1"
    run 0 $train m.sporf --trees 9 --method frc --density 2/p --json
    json "d[\"mean_nonzeros\"] == 2"
    run 0 $train m.sporf --trees 9 --min-leaf 200 --json
    json "d[\"nodes\"] == 9" "d[\"max_depth\"] == 0"
    run 0 $train a.sporf --trees 9 && run 0 $train b.sporf --trees 9 --criterion entropy
    differ a.sporf b.sporf
    run 0 $train b.sporf --trees 9 --bag stratified && differ a.sporf b.sporf
    run 0 $train b.sporf --trees 9 --scale sd && differ a.sporf b.sporf
    run 0 $train b.sporf --trees 9 --class-weights setosa=5 && differ a.sporf b.sporf
    run 0 train --data iris.csv --label species --trees 9 --seed 8 --model b.sporf
    differ a.sporf b.sporf
'
it "--honest alone is one half, and takes another share" '
    run 0 $train half.sporf --trees 9 --honest --json
    json "d[\"settings\"][\"honest\"] == \"0.5\"" "0 <= d[\"oob_error\"] < .5"
    run 0 $train n.sporf --honest --trees 9
    printed "honest 0.5"
    same half.sporf n.sporf
    for same in "--honest 0.5" "--honest=0.5" "--honest 0.50"; do
        run 0 $train n.sporf --trees 9 $same
        same half.sporf n.sporf
    done
    run 0 inspect --model half.sporf
    printed "honest 0.5"
    run 0 $train n.sporf --trees 9 --honest 0.2 && differ half.sporf n.sporf
    run 0 $train plain.sporf --trees 9 && differ half.sporf plain.sporf
    run 0 $train n.sporf --trees 9 --honest 0 && same plain.sporf n.sporf
    refused 2 "honest must be a number from 0 up to less than 1" $train no.sporf --honest 1
    refused 2 "honest must be" $train no.sporf --honest yes
    refused 2 "honest must be" $train no.sporf --honest=
    [ ! -e no.sporf ]
'
it "the leaves of honest trees hold their share of the rows" '
    run 0 $train m.sporf --trees 4 --honest 0.4 --bag none --max-depth 2
    run 0 inspect --model m.sporf --tree all --json
    json "all(sum(sum(n[\"class_weights\"]) for n in t[\"nodes\"] if \"classes\" in n) == 60
        for t in d[\"structure\"])"
    run 0 evaluate --model m.sporf --data iris.csv --label species --json --combine posteriors
    json "d[\"error\"] < .2" "0 < d[\"brier\"] < 1"
'
it "--split is auto or exact, and the same where no node is large" '
    for split in auto exact; do
        run 0 $train $split.sporf --trees 9 --split $split
        run 0 inspect --model $split.sporf --tree all --json
        json "d[\"settings\"][\"split\"] == \"$split\""
        cp "$work/out" $split.json
    done
    differ auto.sporf exact.sporf
    reads auto.json "d[\"structure\"] == json.load(open(\"exact.json\"))[\"structure\"]"
    refused 2 "split" train --data iris.csv --label last --model no.sporf --split bins
    [ ! -e no.sporf ]
'
it "--split makes a difference where nodes are large" '
    run 0 simulate sparse-parity --rows 3000 --output parity.csv
    for split in auto exact; do
        run 0 train --data parity.csv --label last --trees 2 --seed 1 --model $split.sporf \
            --split $split
        run 0 inspect --model $split.sporf --tree all
        cp "$work/out" $split.txt
    done
    differ auto.txt exact.txt
'
it "--profile tells where the time went, and changes nothing" '
    run 0 $train plain.sporf --trees 20
    if grep -q projecting "$work/out"; then exit 1; fi
    run 0 $train profiled.sporf --trees 20 --profile
    said_nothing
    printed "nodes" "sampling" "projecting" "splitting" "partitioning" "other" "ns/rp" \
        "all"
    same plain.sporf profiled.sporf
'
it "--profile --json adds seconds by phase and by size of node" '
    run 0 $train m.sporf --trees 20 --projections p --json
    json "\"profile\" not in d"
    run 0 $train m.sporf --trees 20 --projections p --json --profile
    said_nothing
    phases="[\"sampling\", \"projecting\", \"splitting\", \"partitioning\", \"other\"]"
    json "set($phases) | {\"row_projections\", \"by_node_size\"} == set(d[\"profile\"])" \
        "all(d[\"profile\"][key] >= 0 for key in $phases)" \
        "0 < sum(d[\"profile\"][key] for key in $phases)" \
        "d[\"profile\"][\"row_projections\"] > 0" \
        "sum(s[\"nodes\"] for s in d[\"profile\"][\"by_node_size\"]) == d[\"nodes\"]" \
        "all(set(s) == set($phases) | {\"rows_from\", \"nodes\", \"row_projections\"}
            for s in d[\"profile\"][\"by_node_size\"])" \
        "d[\"profile\"][\"row_projections\"] == sum(
            s[\"row_projections\"] for s in d[\"profile\"][\"by_node_size\"])" \
        "all(abs(sum(s[key] for s in d[\"profile\"][\"by_node_size\"]) - d[\"profile\"][key]) < 1e-6
            for key in $phases)" \
        "all(s[\"rows_from\"] & (s[\"rows_from\"] - 1) == 0 and s[\"rows_from\"] <= 128
            for s in d[\"profile\"][\"by_node_size\"])"
'
it "the label is named by name, by number or as the last" '
    run 0 $train m.sporf --trees 3
    for label in 5 last; do
        run 0 train --data iris.csv --label $label --seed 7 --trees 3 --model n.sporf
        same m.sporf n.sporf
    done
'
it "a label column that is not there is an error that names the file" '
    refused 1 "iris.csv" train --data iris.csv --label kind --model no.sporf
    said "kind"
    refused 1 "iris.csv" train --data iris.csv --label 6 --model no.sporf
    [ ! -e no.sporf ]
'
it "without a label the command says what is missing" '
    cut -d, -f1-4 iris.csv >numbers.csv
    refused 2 "--label" train --data numbers.csv --model no.sporf
    refused 2 "--label" train --data iris.csv --model no.sporf
    [ ! -e no.sporf ]
'
it "--label and --label-file exclude each other" '
    refused 2 "exclude" train --data iris.csv --label 1 --label-file iris.csv --model no.sporf
'
it "labels may come from a file of their own" '
    cut -d, -f1-4 iris.csv >numbers.csv
    sed 1d iris.csv | cut -d, -f5 >names.txt
    run 0 train --data numbers.csv --label-file names.txt --seed 7 --trees 3 --model n.sporf --json
    json "d[\"classes\"] == 3" "d[\"features\"] == 4"
    head -n 100 names.txt >few.txt
    refused 1 "few.txt" train --data numbers.csv --label-file few.txt --model no.sporf
'
it "a directory that is not there is found out before any work" '
    mkfifo never.csv
    refused 1 "nowhere" train --data never.csv --label last --model nowhere/m.sporf
'
it "a model is no directory, no device and not standard output" '
    mkdir -p folder
    refused 1 "folder is a directory" train --data iris.csv --label last --model folder
    refused 1 "not a regular file" train --data iris.csv --label last --model /dev/null
    refused 2 "--model must name a file" train --data iris.csv --label last --model -
    refused 2 "--model must name a file" train --data iris.csv --label last --model ""
    [ -c /dev/null ]
'
if [ "$(id -u)" -ne 0 ]; then
    it "a directory that cannot be written is found out before any work" '
        mkdir -p locked && chmod a-w locked
        refused 1 "locked" train --data iris.csv --label last --model locked/m.sporf
    '
else
    skip "a directory that cannot be written is found out before any work" "root may write anywhere"
fi
it "--max-memory refuses before it starts, with the figures" '
    run 0 simulate trunk --rows 20000 --output big.csv
    refused 1 "memory" train --data big.csv --label last --model no.sporf --max-memory 100K
    refused 1 "the file takes 2.1 MiB, more than the 1.0 MiB that --max-memory allows" \
        train --data big.csv --label last --model no.sporf --max-memory 1M
    refused 1 "--max-memory 6.0 MiB is too little: the table takes 859.4 KiB" \
        train --data big.csv --label last --model no.sporf --max-memory 6M
    [ ! -e no.sporf ]
    run 0 train --data big.csv --label last --model m.sporf --max-memory 4G --trees 2 --max-depth 4
'
it "the memory told is that of the training, not of the process that started it" '
    held=$(head -c 100000000 /dev/zero | tr "\000" x)
    run 0 $train m.sporf --trees 3 --json
    [ ${#held} -eq 100000000 ]
    peak=$(sed -n "s/.*\"peak_memory_bytes\": *\([0-9]*\).*/\1/p" "$work/out")
    [ "$peak" -gt 1000000 ] && [ "$peak" -lt 60000000 ]
'
it "a failed training leaves an old model as it was" '
    run 0 $train m.sporf --trees 3
    cp m.sporf old.sporf
    run 1 train --data nowhere.csv --label last --model m.sporf
    run 2 train --data iris.csv --label last --model m.sporf --method rf --projections 9
    same m.sporf old.sporf
'
it "a new model takes the place of the old one, and nothing else is left behind" '
    mkdir -p clean
    run 0 $train clean/m.sporf --trees 3
    run 0 $train clean/m.sporf --trees 5
    [ "$(ls -A clean)" = m.sporf ]
    run 0 inspect --model clean/m.sporf --json
    json "d[\"trees\"] == 5"
'
unless_threads "cannot live with a limit on files" "a disk that is full is reported, and the old model stays" '
    mkdir -p full
    run 0 $train full/m.sporf --trees 3
    cp full/m.sporf old.sporf
    (
        limit_files 8
        refused 1 "could not be saved" $train full/m.sporf --trees 300
    )
    same full/m.sporf old.sporf
    [ "$(ls -A full)" = m.sporf ]
'
it "a summary that cannot be written is an error, though the model is saved" '
    got=0
    "$SPORF" $train w.sporf --trees 3 >/dev/full 2>err || got=$?
    [ "$got" -eq 1 ]
    holds err "sporf train: cannot write to standard output"
    run 0 inspect --model w.sporf
'
it "data may come through standard input" '
    run 0 $train m.sporf --trees 3
    "$SPORF" train --data - --label species --seed 7 --trees 3 --model n.sporf <iris.csv >out
    same m.sporf n.sporf
'
with_gzip "packed, too" '
    run 0 $train m.sporf --trees 3
    gzip -c iris.csv | "$SPORF" train --data - --label species --seed 7 --trees 3 --model n.sporf >out
    same m.sporf n.sporf
'
it "neither the table nor a file that is no model is overwritten" '
    cp iris.csv own.csv
    refused 2 "same file" train --data own.csv --label species --model own.csv --trees 2
    same own.csv iris.csv
    refused 1 "not a sporf model" $train own.csv --trees 2
    same own.csv iris.csv
'
it "the summary names features, classes and label" '
    run 0 $train m.sporf --trees 3
    printed "features      4:" "classes       3: setosa (50), versicolor (50), virginica (50)" "label         species"
'
it "the device does not change the model, and the model does not know it" '
    run 0 $train m.sporf --trees 20
    run 0 $train n.sporf --trees 20 --device cpu
    same m.sporf n.sporf
    run 0 $train n.sporf --trees 20 --device auto
    same m.sporf n.sporf
    run 0 train --data iris.csv --label species --device cpu --settle settings
    ! grep device settings
    run 0 crossval --data iris.csv --label species --trees 3 --folds 2 --device cpu
    said_nothing
    ! grep device "$work/out"
'
# A build with GPU support, on a machine with a GPU, has make gpu-check.
if "$SPORF" $train n.sporf --trees 2 --device gpu >/dev/null 2>&1; then
    skip "a GPU that is not there is an error that says what to do" "there is a GPU"
else
    it "a GPU that is not there is an error that says what to do" '
        rm -f n.sporf
        refused 1 "use --device cpu, or --device auto" $train n.sporf --trees 2 --device gpu
        [ ! -e n.sporf ]
        refused 1 "use --device cpu, or --device auto" $train n.sporf --trees 2 --part 1/2 --device gpu
        refused 1 "use --device cpu" tune --data iris.csv --label species --trees 2 --model n.sporf --device gpu
        refused 1 "use --device cpu" crossval --data iris.csv --label species --trees 2 --folds 2 --device gpu
    '
fi
it "other devices, and a GPU for boosting, are refused" '
    refused 2 "--device must be one of auto|cpu|gpu, got '\''tpu'\''" $train n.sporf --device tpu
    refused 2 "it is for forests" boost --data iris.csv --label species --model n.sporf --device gpu
    refused 2 "boosting does not use it" crossval --data iris.csv --label species --learner boosting \
        --rounds 2 --folds 2 --device gpu
'
finish
