#!/bin/sh
# Files that are written: what they replace, where links and streams lead, and what is left behind.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

flowers iris.csv
grow="train --data iris.csv --label species --projections p --seed 7"
train="$grow --trees 3 --model"
"$SPORF" $train m.sporf >out || exit 2
predict="predict --model m.sporf --data iris.csv --output"

# mode FILE: its permissions, as in -rw-r-----
mode() { ls -l "$1" | cut -c1-10; }

# alone FOLDER NAME...: the folder holds these and nothing else.
alone() {
    folder=$1
    shift
    [ "$(ls -A "$folder" | tr "\n" " ")" = "$* " ] && return
    ls -lA "$folder"
    return 1
}

# ---- what is replaced -----------------------------------------------------------------------------

it "permissions of what is replaced are kept" '
    mkdir modes
    for permissions in 600 640 664; do
        cp m.sporf modes/m.sporf && echo old >modes/p.csv
        chmod "$permissions" modes/m.sporf modes/p.csv
        ls -l modes | cut -c1-10 >before
        run 0 $train modes/m.sporf
        run 0 $predict modes/p.csv
        ls -l modes | cut -c1-10 >after
        sed 1d before >a && sed 1d after >b && same a b
    done
'
it "a read-only file is not replaced, and a model is refused before any work" '
    mkdir locked
    cp m.sporf locked/m.sporf && echo old >locked/p.csv && chmod 444 locked/m.sporf locked/p.csv
    mkfifo never.csv
    refused 1 "locked/m.sporf: the file is read-only; make it writable" \
        train --data never.csv --label last --model locked/m.sporf
    refused 1 "locked/m.sporf: the file is read-only" \
        tune --data never.csv --label last --model locked/m.sporf
    refused 1 "locked/p.csv: cannot write: the file is read-only; make it writable" \
        predict --model m.sporf --data never.csv --output locked/p.csv
    refused 1 "read-only" importance --model m.sporf --output locked/p.csv
    refused 1 "read-only" prepare --data never.csv --output locked/p.csv
    refused 1 "read-only" simulate trunk --rows 3 --output locked/p.csv
    same locked/m.sporf m.sporf
    [ "$(cat locked/p.csv)" = old ]
    alone locked m.sporf p.csv
'

# ---- links ----------------------------------------------------------------------------------------

it "a link stays a link, also where it leads to a file that is yet to be made" '
    mkdir links store
    ln -s ../store/m.sporf links/m.sporf && ln -s ../store/p.csv links/p.csv
    for round in new old; do
        run 0 $train links/m.sporf
        run 0 $predict links/p.csv
        [ -L links/m.sporf ] && [ -L links/p.csv ]
        same store/m.sporf m.sporf
        alone store m.sporf p.csv
        alone links m.sporf p.csv
    done
'
it "links that go in a circle are found before any work" '
    ln -s two one && ln -s one two
    [ -p never.csv ] || mkfifo never.csv
    refused 1 "symbolic links" train --data never.csv --label last --model one
    refused 1 "symbolic links" predict --model m.sporf --data never.csv --output one
'
if [ "$(id -u)" -ne 0 ]; then
    it "the directory that counts is the one the link leads to" '
        mkdir shut && chmod a-w shut && ln -s shut/m.sporf way
        refused 1 "cannot write to the directory shut/" train --data never.csv --label last --model way
    '
else
    it "the directory that counts is the one the link leads to" '
        ln -s nowhere/m.sporf way
        refused 1 "cannot write to the directory nowhere/" train --data never.csv --label last --model way
    '
fi

# ---- streams --------------------------------------------------------------------------------------

it "what is appended to stays" '
    run 0 $predict p.csv
    for call in "$predict /dev/stdout" "$predict /dev/fd/1" "$predict /proc/self/fd/1" \
        "simulate trunk --rows 5 --output /dev/stdout"; do
        case $call in *proc*) [ -d /proc/self/fd ] || continue ;; esac
        echo precious >log.csv
        "$SPORF" $call >>log.csv
        [ "$(head -n 1 log.csv)" = precious ]
        [ "$(wc -l <log.csv)" -gt 5 ]
    done
    { echo first && "$SPORF" $predict /dev/stdout && echo last; } >log.csv
    { echo first && cat p.csv && echo last; } >wanted
    same log.csv wanted
    "$SPORF" $predict /dev/stdout | same - p.csv
    "$SPORF" $predict /dev/fd/3 3>>log.csv
    { cat wanted p.csv; } | same - log.csv
'
it "a model may come through a pipe" '
    run 0 predict --model m.sporf --data iris.csv --output wanted.csv
    for path in /dev/stdin /dev/fd/0; do
        cat m.sporf | "$SPORF" predict --model "$path" --data iris.csv --output piped.csv
        same piped.csv wanted.csv
    done
    cat m.sporf | "$SPORF" train --data iris.csv --extend /dev/stdin --trees 5 --model more.sporf >out
    run 0 $grow --trees 5 --model whole.sporf
    same more.sporf whole.sporf
'
it "predictions of a cross-validation do not go where its report goes" '
    call="crossval --data iris.csv --label species --projections p --trees 2 --folds 3"
    for path in - /dev/stdout /dev/fd/1; do
        refused 2 "standard output has the report" $call --output "$path"
        refused 2 "standard output has the report" $call --keep-folds "$path"
    done
    "$SPORF" $call --output /dev/fd/3 3>unseen.csv >out
    [ "$(wc -l <unseen.csv)" -eq 151 ]
    holds out "mean"
'

# ---- two results ----------------------------------------------------------------------------------

it "two results never go to one file, however it is spelled" '
    mkdir there && ln -s there/f to_f
    for other in ./there/f to_f; do
        for content in none some; do
            rm -f there/f
            [ $content = none ] || echo some >there/f
            refused 2 "--output and --keep-folds are the same file" crossval --data iris.csv --label species \
                --projections p --trees 2 --folds 3 --keep-folds there/f --output "$other"
            refused 2 "--output and --catmap are the same file" prepare --data iris.csv --output "$other" \
                --catmap there/f
        done
    done
    ln there/f hard
    refused 2 "same file" prepare --data iris.csv --output hard --catmap there/f
    refused 2 "same file" prepare --data iris.csv --catmap -
    refused 2 "same file" prepare --data iris.csv --catmap /dev/stdout
    [ "$(cat there/f)" = some ]
    run 0 prepare --data iris.csv --output /dev/null --catmap /dev/null
    ln -s m.c there/m.h
    refused 2 "the source and the header are the same file" export --c --model m.sporf --output there/m.c
    alone there f m.h
'
if strace -o probe true 2>/dev/null; then
    unless_threads "is not traced" "export writes both files or neither, whichever call fails" '
        rename="?rename,?renameat,?renameat2"
        for old in "" old; do
            for call in fsync:when=1 fsync:when=2 "$rename:when=1" "$rename:when=2"; do
                rm -rf pair && mkdir pair
                if [ -n "$old" ]; then
                    run 0 export --c --model m.sporf --output pair/e.c --name other
                    cp -r pair wanted.pair
                else
                    mkdir wanted.pair
                fi
                ASAN_OPTIONS=detect_leaks=0 strace -o trace \
                    -e inject="${call%%:*}":error=ENOSPC:"${call#*:}" \
                    "$SPORF" export --c --model m.sporf --output pair/e.c >out 2>err && exit 1
                holds err "No space left"
                diff -r pair wanted.pair
                rm -r wanted.pair
            done
        done
    '
else
    skip "export writes both files or neither, whichever call fails" "strace may not trace here"
fi

# ---- what is left behind --------------------------------------------------------------------------

it "what a killed process left behind neither blocks nor stays" '
    mkdir dead
    for i in 0 1 2 7; do
        : >dead/.p.csv.sporf-$i.tmp
        : >dead/.m.sporf.sporf-$i.tmp
    done
    run 0 $predict dead/p.csv
    run 0 $train dead/m.sporf
    alone dead m.sporf p.csv
'
it "kill -9 at any moment leaves at most one file, which the next run takes away" '
    mkdir killed
    mkfifo slow
    sleep 60 >slow &
    writer=$!
    for i in 1 2 3 4 5; do
        "$SPORF" predict --model m.sporf --data slow --output killed/p.csv 2>err &
        pid=$!
        for k in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
            [ -e killed/.p.csv.sporf-0.tmp ] && break
            sleep 0.05
        done
        kill -9 "$pid"
        wait "$pid" || true
        alone killed .p.csv.sporf-0.tmp
    done
    kill "$writer"
    run 0 $predict killed/p.csv
    alone killed p.csv
'
unless_threads "cannot live with a limit on files" "a limit on the size of files is an error, and leaves nothing" '
    mkdir small
    for call in "simulate trunk --rows 2000 --output small/t.csv" "$grow --trees 300 --model small/m.sporf"; do
        got=0
        (
            limit_files 4
            exec "$SPORF" $call >out 2>err
        ) || got=$?
        [ "$got" -eq 1 ]
        holds err "File too large"
        [ -z "$(ls -A small)" ]
    done
'
finish
