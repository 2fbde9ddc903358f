#!/bin/sh
# Compares how many instructions training takes on a table with categories and on the same table with their levels written
# as numbers, with the same number of candidates of the same length: check_categories.sh COMMAND
# Prints a table and fails where categories take more than MOST times as many, 1.5 unless it is set. The last column is the
# ratio for each level of the trees: splits on single levels make deep trees. Needs valgrind.
set -eu

[ $# -eq 1 ] || {
    echo "usage: check_categories.sh COMMAND" >&2
    exit 2
}
command -v valgrind >/dev/null || {
    echo "categories: valgrind is missing; on Debian or Ubuntu: apt-get install valgrind" >&2
    exit 1
}
command=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
most=${MOST:-1.5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
worst=0

# tables ROWS LEVELS CLASSES: words.csv with four categories beside four numbers, and numbers.csv, where levels are numbers.
# Levels have effects, and some are much more frequent than others.
tables() {
    awk -v rows="$1" -v levels="$2" -v classes="$3" '
        function draw() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
        BEGIN {
            seed = 20
            OFS = ","
            for (i = 0; i < 4; i++) for (l = 0; l < levels; l++) effect[i, l] = draw() - .5
            for (f = 0; f < 2; f++) print "a,b,c,d,w,x,y,z,target,class" > (f ? "numbers.csv" : "words.csv")
            for (r = 0; r < rows; r++) {
                words = numbers = ""
                sum = 0
                for (i = 0; i < 4; i++) {
                    l = int(levels * draw() * draw())
                    words = words "l" l ","
                    numbers = numbers l ","
                    sum += effect[i, l]
                }
                for (i = 0; i < 4; i++) {
                    value = draw() - .5
                    words = words value ","
                    numbers = numbers value ","
                    sum += value
                }
                tail = sum ",c" int((sum + 4 + draw()) * 37) % classes
                print words tail > "words.csv"
                print numbers tail > "numbers.csv"
            }
        }'
}

# instructions TABLE ARGUMENT...: of ten trees, less those of two, so that reading does not count.
instructions() {
    table=$1
    shift
    for trees in 2 10; do
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$command" train --data "$table" --model model \
            --seed 7 --threads 1 --trees $trees "$@" >out 2>log || {
            tail -n 5 log >&2
            exit 1
        }
        sed -n 's/.*Collected : //p' log
    done | awk 'NR == 1 { two = $1 } NR == 2 { print $1 - two }'
}

# depth: of the leaves of the last training.
depth() {
    "$command" inspect --model model --json | sed -n 's/^ *"mean_depth": \([0-9.]*\).*/\1/p'
}

# compare WHAT ARGUMENT...: 24 candidates of three terms each. A category of three levels or more has three slots, so that a
# candidate is drawn from 16 with words and from 8 with numbers.
compare() {
    what=$1
    shift
    with_words=$(instructions words.csv --projections 24 --density 0.1875 "$@")
    deep_words=$(depth)
    with_numbers=$(instructions numbers.csv --projections 24 --density 0.375 "$@")
    ratio=$(awk -v a="$with_words" -v b="$with_numbers" -v da="$deep_words" -v db="$(depth)" \
        'BEGIN { printf "%.4f %.4f", a / b, a / da / (b / db) }')
    # shellcheck disable=SC2086  # two numbers
    printf '%-40s %14.0f %14.0f %8s %12s\n' "$what" "$with_words" "$with_numbers" $ratio
    worst=$(awk -v w="$worst" -v r="${ratio% *}" 'BEGIN { print (r > w ? r : w) }')
}

printf '%-40s %14s %14s %8s %12s\n' instructions categories numbers ratio "for a level"
tables 2000 20 2
compare "20 levels, two classes" --label class --ignore target
compare "20 levels, regression" --target target --ignore class
tables 2000 20 12
compare "20 levels, twelve classes" --label class --ignore target
tables 3000 1000 2
compare "1,000 levels, two classes" --label class --ignore target
tables 3000 1000 1000
compare "1,000 levels, 1,000 classes" --label class --ignore target
awk -v worst="$worst" -v most="$most" 'BEGIN { printf "worst ratio %.4f, at most %s allowed\n", worst, most; exit worst > most }'
