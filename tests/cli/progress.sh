#!/bin/sh
# The progress bar: on a terminal, on standard error, and gone when the work is done.
# Labels: full
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3
python3 -c 'import pty; pty.openpty()' 2>/dev/null || {
    echo "1..0 # SKIP there are no pseudo-terminals here (/dev/pts)"
    exit 0
}

rows=8000
is_sanitized && rows=1000
"$SPORF" simulate sparse-parity --rows $rows --seed 1 --output data.csv || exit 2
train="train --data data.csv --label last --trees 60 --projections p --threads 1 --model m.sporf" # for a second or so

# on_terminal COLUMNS SHELL_COMMAND: runs it with a terminal on standard error, whose output goes to
# the file `screen`.
on_terminal() {
    python3 - "$@" <<'EOF'
import fcntl, os, pty, struct, subprocess, sys, termios
master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
child = subprocess.Popen(["sh", "-c", sys.argv[2]], stderr=slave, stdin=subprocess.DEVNULL)
os.close(slave)
seen = b""
while True:
    try:
        block = os.read(master, 65536)
    except OSError:
        break
    if not block:
        break
    seen += block
open("screen", "wb").write(seen)
sys.exit(child.wait())
EOF
}

# lines: what was drawn on the screen, a state of the line to a line, without control sequences.
lines() {
    tr "\r" "\n" <screen | sed "s/$(printf '\033')\[K//g"
}

it "without a terminal there is none" '
    TERM=xterm run 0 $train
    said_nothing
'
it "on a terminal it shows share, count and time left" '
    TERM=xterm on_terminal 80 "\"$SPORF\" $train >out"
    lines | grep -Eq "^\[#*\.*\] +[0-9]+%  [0-9]+/60 trees  [0-9]+s left$"
    lines | grep -q "^reading data.csv"
    if grep -q "left" out; then exit 1; fi
'
it "where settings are chosen, the line says so before the first tree is counted" '
    run 0 simulate trunk --rows 100 --output small.csv
    TERM=xterm on_terminal 80 "\"$SPORF\" train --data small.csv --label last --trees 60 --model m.sporf >out"
    lines | grep -q "^choosing settings"
    TERM=xterm on_terminal 80 "\"$SPORF\" crossval --data small.csv --label last --trees 60 --folds 2 >out"
    lines | grep -q "^choosing settings"
'
it "of a model that is grown further it counts the new trees" '
    run 0 train --data data.csv --label last --trees 20 --projections p --model few.sporf
    TERM=xterm on_terminal 80 "\"$SPORF\" $train --extend few.sporf >out"
    lines | grep -Eq "^\[#*\.*\] +[0-9]+%  [0-9]+/40 trees  [0-9]+s left$"
'
it "it is wiped away at the end" '
    TERM=xterm on_terminal 80 "\"$SPORF\" $train >out"
    [ "$(tail -c 4 screen | od -An -c | tr -d " ")" = "\r033[K" ]
    [ "$(wc -l <screen)" -eq 0 ]
'
it "it is drawn at most ten times a second" '
    start=$(date +%s%N)
    TERM=xterm on_terminal 80 "\"$SPORF\" $train >out"
    end=$(date +%s%N)
    drawn=$(lines | grep -c "trees" || true)
    [ "$drawn" -ge 1 ]
    [ "$drawn" -le $(((end - start) / 100000000 + 2)) ]
'
it "narrow terminals get a shorter line, never a longer one than they have room for" '
    for columns in 60 40 20 10 2; do
        TERM=xterm on_terminal $columns "\"$SPORF\" $train >out"
        lines | awk -v room=$columns "length(\$0) >= room { print; exit 1 }"
    done
'
it "a dumb terminal gets none" '
    TERM=dumb on_terminal 80 "\"$SPORF\" $train >out"
    is_empty screen
'
it "prediction counts rows, with their share of the file where its size is known" '
    { head -n 1 data.csv; for i in 1 2 3 4 5 6 7 8 9 10; do sed 1d data.csv; done; } >long.csv
    blocks="predict --model m.sporf --max-memory 300K --output out"
    TERM=xterm on_terminal 80 "\"$SPORF\" $blocks --data long.csv"
    lines | grep -Eq "^\[#*\.*\] +[0-9]+%  [0-9]+ rows  [0-9]+s left$"
    TERM=xterm on_terminal 80 "cat long.csv | \"$SPORF\" $blocks --data -"
    lines | grep -Eq "^[0-9]+ rows$"
    TERM=xterm on_terminal 10 "\"$SPORF\" $blocks --data long.csv"
    lines | awk "length(\$0) >= 10 { print; exit 1 }"
    [ "$(tail -c 4 screen | od -An -c | tr -d " ")" = "\r033[K" ]
'
it "what is printed does not depend on the terminal" '
    run 0 predict --model m.sporf --data data.csv && cp "$work/out" plain
    TERM=xterm on_terminal 80 "\"$SPORF\" predict --model m.sporf --data data.csv >out"
    same plain out
'
finish
