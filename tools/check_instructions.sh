#!/bin/sh
# Compares how many instructions two builds of the command take to train and to predict with one thread:
# check_instructions.sh OLD NEW
# Prints a table and fails where the new one takes more than MOST times as many, 1.02 unless it is set. Needs valgrind.
set -eu

[ $# -eq 2 ] || {
    echo "usage: check_instructions.sh OLD NEW" >&2
    exit 2
}
command -v valgrind >/dev/null || {
    echo "instructions: valgrind is missing; on Debian or Ubuntu: apt-get install valgrind" >&2
    exit 1
}
absolute() { echo "$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"; }
old=$(absolute "$1") new=$(absolute "$2") most=${MOST:-1.02}
typed=$(cd "$(dirname "$0")" && pwd)/typed_table.awk
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
worst=0

# images ROWS: bytes in the shape of MNIST, with blurred strokes and mostly zeros, as idx files.
images() {
    python3 - "$1" <<'END'
import random, struct, sys
random.seed(1)
rows = int(sys.argv[1])
strokes = [[(random.uniform(6, 22), random.uniform(6, 22)) for _ in range(5)] for _ in range(10)]
with open("images", "wb") as images, open("labels", "wb") as labels:
    images.write(struct.pack(">IIII", 0x803, rows, 28, 28))
    labels.write(struct.pack(">II", 0x801, rows))
    for row in range(rows):
        labels.write(bytes([row % 10]))
        points = [(x + random.gauss(0, 1.5), y + random.gauss(0, 1.5)) for x, y in strokes[row % 10]]
        nearest = [min((i - x) ** 2 + (j - y) ** 2 for x, y in points) for i in range(28) for j in range(28)]
        images.write(bytes(int(max(0, 255 - 28 * d - random.random() * 20)) for d in nearest))
END
}

# instructions COMMAND ARGUMENT...: how many it takes.
instructions() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" --threads 1 >out 2>log || {
        tail -n 5 log >&2
        exit 1
    }
    sed -n 's/.*Collected : //p' log
}

# compare WHAT ARGUMENT...
compare() {
    what=$1
    shift
    before=$(instructions "$old" "$@")
    after=$(instructions "$new" "$@")
    awk -v what="$what" -v a="$before" -v b="$after" 'BEGIN { printf "%-48s %14.0f %14.0f %8.4f\n", what, a, b, b / a }'
    worst=$(awk -v w="$worst" -v a="$before" -v b="$after" 'BEGIN { r = b / a; printf "%.6f", (r > w ? r : w) }')
}

# train_and_predict SUBJECT TABLE TRAIN_OPTION...: the table is predicted several times over, so that starting does not
# hide what prediction takes.
train_and_predict() {
    subject=$1 table=$2
    shift 2
    compare "$subject: train" train --data "$table" --model model --seed 7 "$@"
    set --
    for copy in 1 2 3 4 5 6 7 8; do
        cp "$table" "$copy.$table"
        set -- "$@" --data "$copy.$table"
    done
    compare "$subject: predict" predict --model model --output predictions "$@"
}

images 600
"$old" simulate trunk --rows 20000 --features 28 --seed 1 --output higgs.csv
"$old" simulate sparse-parity --rows 2000 --seed 1 --output parity.csv
"$old" simulate orthant --rows 4000 --seed 1 --output orthant.csv
"$old" simulate friedman1 --rows 4000 --seed 1 --output friedman.csv
awk -f "$typed" orthant.csv >classes.csv
awk -f "$typed" friedman.csv >numbers.csv

printf '%-48s %14s %14s %8s\n' instructions old new ratio
train_and_predict "MNIST-shaped, 600 x 784 bytes" images --label-file labels --trees 4 --projections p
train_and_predict "Higgs-shaped, 20000 x 28" higgs.csv --label class --trees 2 --projections p
train_and_predict "sparse parity, 2000 x 20" parity.csv --label class --trees 8 --projections 4p
train_and_predict "typed, classes" classes.csv --label class --weight weight --ignore count,second --trees 8 --projections p
train_and_predict "typed, numbers" numbers.csv --target y --weight weight --ignore count,second --trees 4 --projections p
head -n 301 parity.csv >few.csv
train_and_predict "sparse parity, 300 x 20, every default" few.csv --label class
awk -v worst="$worst" -v most="$most" 'BEGIN { printf "worst ratio %.4f, at most %s allowed\n", worst, most; exit worst > most }'
