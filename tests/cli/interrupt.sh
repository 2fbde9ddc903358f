#!/bin/sh
# Ctrl-C, SIGTERM and SIGHUP: the trees grown so far are kept, and are the first ones of the whole forest.
# Labels: full, threads
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3 seq

env --default-signal=INT true 2>/dev/null || {
    echo "1..0 # SKIP env cannot reset signals, which a shell ignores for its background jobs"
    exit 0
}
[ -r /proc/self/status ] || {
    echo "1..0 # SKIP there is no /proc to tell when a training has started"
    exit 0
}
"$SPORF" simulate sparse-parity --rows 1000 --seed 1 --output data.csv || exit 2
train="train --data data.csv --label last --projections p --seed 5"
pause=0.5 # seconds, after which a call has come to where it waits
is_sanitized && pause=3

# start ARGUMENT...: runs the command in the background, where Ctrl-C would reach it.
start() {
    env --default-signal=INT,HUP "$SPORF" "$@" >out 2>err &
    pid=$!
}

# catches: whether the command has set up its handler of Ctrl-C, signal 2, bit 1 of the mask.
catches() {
    grep -q "^SigCgt:.*[2367abef]\$" "/proc/$pid/status"
}

# until_true COMMAND...: waits until the command succeeds.
until_true() {
    for i in $(seq 600); do
        if "$@"; then return; fi
        sleep 0.05
    done
    echo "not true within 30 seconds: $*"
    cat out err
    return 1
}

# growing: waits until the command has read its data and grows trees.
growing() { until_true catches; }

# ends CODE: waits for it and compares its exit code.
ends() {
    got=0
    wait "$pid" || got=$?
    [ "$got" -eq "$1" ] && return
    echo "exit code $got, wanted $1"
    cat out err
    return 1
}

# stopped_by SIGNALS ARGUMENT...: starts the command and stops it after a while; where it had nothing to
# keep by then, which is exit code 1, again after a longer one.
stopped_by() {
    signals=$1
    shift
    for seconds in 0.3 1 2 4 8 16 32; do
        start "$@"
        growing
        sleep "$seconds"
        for signal in $signals; do # it may have ended before the second
            kill -"$signal" "$pid" || true
        done
        got=0
        wait "$pid" || got=$?
        [ "$got" -eq 1 ] || break
    done
    [ "$got" -eq 0 ] && return
    echo "exit code $got, wanted 0"
    cat out err
    return 1
}

# stopped SIGNAL: a training of very many trees, stopped by the signal, leaves a valid model.
stopped() {
    rm -f m.sporf
    stopped_by "$1" $train --trees 1000000 --max-depth 8 --json --model m.sporf
    holds err "sporf train: stopped after" "of 1000000 trees; the model is valid"
    reads out "d[\"interrupted\"] is True" "d[\"trees_requested\"] == 1000000" \
        "0 < d[\"trees\"] < 1000000" "len(d[\"oob_curve\"]) == d[\"trees\"]"
    run 0 inspect --model m.sporf --json
    reads out "d[\"trees\"] == $(python3 -c "import json, sys
print(json.load(open(sys.argv[1]))[\"trees\"])" "$work/out")"
}

it "Ctrl-C keeps the trees grown so far" "stopped INT"
it "so does SIGTERM" "stopped TERM"
it "so does SIGHUP" "stopped HUP"
it "so do two of them, as a closed terminal sends" '
    rm -f m.sporf
    stopped_by "HUP HUP" $train --trees 1000000 --max-depth 8 --model m.sporf
    run 0 inspect --model m.sporf
'
it "they are the first trees of the whole forest" '
    stopped INT
    trees=$(python3 -c "import json; print(json.load(open(\"out\"))[\"trees\"])")
    error=$(python3 -c "import json; print(json.load(open(\"out\"))[\"oob_error\"])")
    run 0 $train --trees "$trees" --max-depth 8 --json --model whole.sporf
    json "d[\"oob_error\"] == $error"
    run 0 predict --model m.sporf --data data.csv --proba --output a.csv
    run 0 predict --model whole.sporf --data data.csv --proba --output b.csv
    same a.csv b.csv
    run 0 inspect --model m.sporf --tree "$trees" && sed 1d "$work/out" >a.tree
    run 0 inspect --model whole.sporf --tree "$trees" && sed 1d "$work/out" >b.tree
    same a.tree b.tree
'
it "a training that was stopped is taken up again where it ended" '
    stopped INT
    trees=$(python3 -c "import json; print(json.load(open(\"out\"))[\"trees\"])")
    run 0 $train --extend m.sporf --trees "$((trees + 10))" --model more.sporf
    run 0 $train --max-depth 8 --trees "$((trees + 10))" --model whole.sporf
    cmp more.sporf whole.sporf
'
it "Ctrl-C while a model is grown further keeps at least what it had" '
    run 0 $train --trees 30 --max-depth 8 --model m.sporf
    rm -f more.sporf
    start $train --extend m.sporf --trees 1000000 --json --model more.sporf
    growing
    kill -INT "$pid"
    ends 0
    holds err "of 1000000 trees; the model is valid"
    reads out "d[\"interrupted\"]" "d[\"trees\"] == 30 + d[\"trees_grown\"]"
'
it "Ctrl-C during a search keeps the best so far" '
    start tune --data data.csv --label last --trees 100000 --max-depth 4 --method rf --search race \
        --projections 1,2 --json --model tuned.sporf
    growing
    kill -INT "$pid"
    ends 1
    holds err "sporf tune: " "no model was written"
    [ ! -e tuned.sporf ]
    many=$(seq -s , 20)
    stopped_by INT tune --data data.csv --label last --trees 30 --search all --projections $many \
        --density 1/p,2/p,3/p,4/p,5/p,6/p,7/p,8/p,9/p,10/p --json --model tuned.sporf
    holds err "the best so far has 30 of 30 trees; the model is valid"
    reads out "d[\"interrupted\"]" "d[\"trees\"] == 30" "d[\"tried\"][-1][\"trees\"] == 0" \
        "d[\"oob_error\"] == min(t[\"error\"] for t in d[\"tried\"] if t[\"trees\"] > 0)"
    run 0 inspect --model tuned.sporf
'
it "so it does where settings are compared by folds" '
    stopped_by INT tune --data data.csv --label last --method ccf --trees 60 --search all \
        --projections "$(seq -s , 20)" --json --model folded.sporf
    holds err "the best so far has 60 of 60 trees; the model is valid"
    reads out "d[\"interrupted\"]" "d[\"trees\"] == 60" "d[\"tried\"][-1][\"trees\"] == 0"
    run 0 inspect --model folded.sporf
'
# stopped_beside SIGNAL CODE ARGUMENT...: a call that the signal stops, once it has something to keep,
# ends with the code, and m.sporf is as it was.
stopped_beside() {
    signal=$1 code=$2
    shift 2
    cp m.sporf old.sporf
    rm -f m.sporf.partial
    for seconds in 0.3 1 2 4 8 16 32; do
        start "$@"
        growing
        sleep "$seconds"
        kill -"$signal" "$pid"
        got=0
        wait "$pid" || got=$?
        [ "$got" -eq 1 ] || break
    done
    [ "$got" -eq "$code" ] || {
        echo "exit code $got, wanted $code"
        cat out err
        return 1
    }
    same m.sporf old.sporf
    [ "$(ls -l m.sporf.partial | cut -c1-10)" = "$(ls -l m.sporf | cut -c1-10)" ]
    run 0 inspect --model m.sporf.partial --json
}

it "a training that is stopped leaves the model that is there, and says so" '
    run 0 $train --trees 1 --max-depth 2 --model m.sporf
    chmod 600 m.sporf
    for ending in INT:130 TERM:143 HUP:129; do
        stopped_beside "${ending%:*}" "${ending#*:}" $train --threads 1 --trees 1000000 --json \
            --model m.sporf
        holds err "of 1000000 trees; m.sporf stays as it was, the trees so far are in m.sporf.partial"
        reads out "d[\"model\"] == \"m.sporf.partial\"" "d[\"interrupted\"]" "0 < d[\"trees\"]"
    done
    trees=$(python3 -c "import json; print(json.load(open(\"out\"))[\"trees\"])")
    run 0 $train --extend m.sporf.partial --trees "$((trees + 3))" --model more.sporf
'
it "an empty file is no model" '
    rm -f m.sporf.partial
    : >m.sporf
    stopped_by TERM $train --trees 1000000 --max-depth 8 --json --model m.sporf
    reads out "d[\"model\"] == \"m.sporf\"" "d[\"trees\"] > 1"
    [ ! -e m.sporf.partial ]
'
it "so does a search" '
    run 0 $train --trees 30 --model m.sporf
    stopped_beside TERM 143 tune --data data.csv --label last --trees 30 --search all \
        --projections "$(seq -s , 20)" --density 1/p,2/p,3/p,4/p,5/p,6/p,7/p,8/p,9/p,10/p --json --model m.sporf
    holds err "the best so far has 30 of 30 trees; m.sporf stays as it was"
    reads out "d[\"model\"] == \"m.sporf.partial\"" "d[\"interrupted\"]"
'
it "a model that is grown further in its place is replaced: it has no fewer trees" '
    run 0 $train --trees 30 --max-depth 8 --model m.sporf
    start $train --extend m.sporf --trees 1000000 --json --model m.sporf
    growing
    kill -TERM "$pid"
    ends 0
    reads out "d[\"model\"] == \"m.sporf\"" "d[\"trees\"] >= 30"
'
it "Ctrl-C in the first fold of a cross-validation ends it" '
    start crossval --data data.csv --label last --trees 100000 --folds 3 --output folds.csv
    growing
    kill -INT "$pid"
    ends 1
    holds err "sporf crossval: stopped in fold 1 of 3"
    [ ! -e folds.csv ]
'
it "Ctrl-C later keeps the folds that are done" '
    for way in "" --json; do
        stopped_by INT crossval --data data.csv --label last --projections p --trees 10 --threads 1 \
            --folds 500 --keep-folds kept.folds --output folds.csv $way
        holds err "sporf crossval: stopped after " " of 500 folds; the results are those of the finished folds"
    done
    reads out "d[\"interrupted\"]" "d[\"folds_requested\"] == 500" "0 < len(d[\"folds\"]) < 500" \
        "abs(d[\"error\"] - sum(f[\"error\"] for f in d[\"folds\"]) / len(d[\"folds\"])) < 1e-12"
    python3 - <<EOF
import csv, json
done = len(json.load(open("out"))["folds"])
kept = [[int(row) for row in line.split(",")] for line in open("kept.folds")][:done]
rows = list(csv.DictReader(open("folds.csv")))
assert {int(r["fold"]) for r in rows} == set(range(1, done + 1))
assert [int(r["row"]) for r in rows] == sorted(row for fold in kept for row in fold)
EOF
'
it "before the first tree there is nothing to keep, and an old model stays" '
    run 0 simulate trunk --rows 60000 --seed 1 --output slow.csv
    run 0 $train --trees 2 --model m.sporf
    cp m.sporf old.sporf
    start train --data slow.csv --label last --projections 20p --trees 10 --threads 1 \
        --model m.sporf
    growing
    kill -INT "$pid"
    ends 1
    holds err "sporf train: " "no model was written"
    is_empty out
    same m.sporf old.sporf
    [ -z "$(find . -name "*m.sporf?*" ! -name "*.partial")" ]
'
unless_threads "holds signals back while a write waits" \
    "a second Ctrl-C ends at once" '
    # More class names than a pipe holds, and a reader that does not read: the first Ctrl-C stops the
    # training, and the report after it waits for the reader.
    awk "BEGIN { for (i = 0; i < 800; i++) { printf \"%d,%d,\", i, i % 7; for (k = 0; k < 30; k++) printf \"class%d\", i; print \"\" } }" >names.csv
    mkfifo pipe
    sleep 60 <pipe &
    reader=$!
    env --default-signal=INT "$SPORF" train --data names.csv --label last --projections p --trees 1000000 \
        --max-depth 2 --json --model long.sporf >pipe 2>err &
    pid=$!
    : >out
    growing
    sleep "$pause"
    kill -INT "$pid"
    until_true [ -e long.sporf ]
    sleep "$pause"
    kill -INT "$pid"
    ends 130
    kill "$reader"
    run 0 inspect --model long.sporf
'
it "Ctrl-C while a table is read ends at once and leaves nothing" '
    mkfifo never.csv
    start train --data never.csv --label last --model none.sporf
    sleep "$pause"
    kill -INT "$pid"
    ends 130
    [ ! -e none.sporf ]
'
unless_threads "holds signals back while a read waits" \
    "Ctrl-C during prediction leaves the old output and no rest of the new one" '
    run 0 $train --trees 2 --model m.sporf
    mkdir -p place
    echo old >place/p.csv
    mkfifo slow.fifo
    sleep 60 >slow.fifo &
    writer=$!
    start predict --model m.sporf --data slow.fifo --output place/p.csv
    growing
    [ "$(ls -A place | wc -l)" -eq 2 ]
    kill -INT "$pid"
    ends 130
    kill "$writer"
    [ "$(cat place/p.csv)" = old ]
    [ "$(ls -A place)" = p.csv ]
'
unless_threads "holds signals back while a read waits" \
    "so does Ctrl-C after some blocks have been predicted" '
    mkdir -p later
    mkfifo more.fifo
    { for i in $(seq 10); do sed 1d data.csv; done; sleep 60; } >more.fifo &
    writer=$!
    start predict --model m.sporf --data more.fifo --header no --label last --max-memory 300K \
        --output later/p.csv
    until_true [ -s later/.p.csv.sporf-0.tmp ]
    kill -INT "$pid"
    ends 130
    kill "$writer" || true # it may have ended with the pipe
    [ -z "$(ls -A later)" ]
'
it "Ctrl-C while a table is written leaves the old one and no rest of the new one" '
    mkdir -p tables
    for call in "noise --data data.csv --columns 20000" "simulate trunk --rows 20000 --features 200"; do
        echo old >tables/t.csv
        start $call --output tables/t.csv
        until_true [ -s tables/.t.csv.sporf-0.tmp ]
        kill -INT "$pid"
        ends 130
        [ "$(cat tables/t.csv)" = old ]
        [ "$(ls -A tables)" = t.csv ]
    done
'
it "so it does while the folds are written that are to be kept" '
    awk "BEGIN { for (i = 0; i < 2000000; i++) print i % 7 \",\" i % 2 }" >long.csv
    mkdir -p folds
    for i in $(seq 10); do # it is written in a moment, and may be done before the signal comes
        start crossval --data long.csv --label last --folds 3 --keep-folds folds/kept --trees 1
        while [ ! -s folds/kept ] && [ ! -s folds/.kept.sporf-0.tmp ] && [ ! -s err ]; do :; done
        kill -INT "$pid"
        got=0
        wait "$pid" || got=$?
        [ "$got" -ne 130 ] || break
        rm folds/kept
    done
    [ "$got" -eq 130 ]
    [ -z "$(ls -A folds)" ]
'
it "a signal that was ignored from the start stays ignored" '
    (
        trap "" INT
        exec "$SPORF" train --data data.csv --label last --trees 100 --projections 200 --model m.sporf >out 2>err
    ) &
    pid=$!
    sleep 0.2
    kill -INT "$pid"
    ends 0
    is_empty err
    run 0 inspect --model m.sporf --json
    json "d[\"trees\"] == 100"
'
finish
