#!/bin/sh
# Model files that are cut off or changed: always an error that names the file, never a crash.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

flowers iris.csv
"$SPORF" train --data iris.csv --label last --trees 5 --model m.sporf >/dev/null || exit 2

it "a model that is cut off anywhere" '
    size=$(wc -c <m.sporf)
    for keep in 0 1 7 8 63 64 65 500 $((size / 2)) $((size - 1)); do
        head -c "$keep" m.sporf >cut.sporf
        refused 1 "cut.sporf" inspect --model cut.sporf
        refused 1 "cut.sporf" predict --model cut.sporf --data iris.csv
        refused 1 "cut.sporf" evaluate --model cut.sporf --data iris.csv --label last
    done
'
it "a model with something behind its end" '
    { cat m.sporf; echo; } >long.sporf
    refused 1 "long.sporf" inspect --model long.sporf
'
it "a model with any bit flipped" '
    python3 - <<EOF
import os, random, subprocess, sys
data = open("m.sporf", "rb").read()
choose = random.Random(1)
places = list(range(0, 80)) + [choose.randrange(len(data)) for _ in range(120)]
for place in places:
    changed = bytearray(data)
    changed[place] ^= 1 << choose.randrange(8)
    open("flip.sporf", "wb").write(changed)
    run = subprocess.run([os.environ["SPORF"], "inspect", "--model", "flip.sporf"],
                         capture_output=True)
    message = run.stderr.decode()
    if run.returncode != 1 or run.stdout or not message.startswith("sporf inspect: "):
        sys.exit("byte %d: exit code %d, %r, %r" % (place, run.returncode, run.stdout, message))
    if "flip.sporf" not in message:
        sys.exit("byte %d: the file is not named: %r" % (place, message))
EOF
'
it "a hostile model is refused or served by every verb, never with a crash" '
    awk "BEGIN { for (i = 0; i < 9; i++) { for (j = 0; j < 20; j++) printf \"%s%d\", j ? \",\" : \"\", i * j % 7; print \"\" } }" >bare.csv
    count=0
    for model in "$SPORF_ROOT"/tests/fuzz/corpus/model/e[mq]*.sporf "$SPORF_ROOT/tests/fuzz/corpus/model/many-features.sporf"; do
        for call in "inspect --tree all" importance "export --c --output e.c" "predict --data bare.csv" "predict --map --data bare.csv"; do
            code=0
            "$SPORF" $call --model "$model" >out 2>err || code=$?
            [ $code -le 1 ] || { echo "$call $model: $code"; cat err; false; }
            [ $code -eq 0 ] || grep -q "^sporf" err
        done
        count=$((count + 1))
    done
    [ $count -gt 30 ]
'
it "a model of a later version of the format says so" '
    python3 - <<EOF
data = bytearray(open("m.sporf", "rb").read())
data[16:20] = (99).to_bytes(4, "little")
open("later.sporf", "wb").write(data)
EOF
    refused 1 "version" inspect --model later.sporf
'
it "a model read while it is replaced is the old one or the new one" '
    run 0 train --data iris.csv --label last --trees 3 --model busy.sporf
    (
        for trees in 4 5 6 7 8 9 3 4 5 6 7 8 9 3; do
            "$SPORF" train --data iris.csv --label last --trees $trees --model busy.sporf >/dev/null
        done
    ) &
    writer=$!
    while kill -0 "$writer" 2>/dev/null; do run 0 inspect --model busy.sporf; done
    wait "$writer"
    [ -z "$(find . -name "*busy.sporf?*")" ]
'
finish
