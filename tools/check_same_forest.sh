#!/bin/sh
# Compares the model files of two builds of the command, byte by byte, for every method:
# check_same_forest.sh COMMAND COMMAND [DATA]
# A command may be a script that runs another machine's build in an emulator. DATA is a folder with tables to
# train on as well: tables/*.csv.gz (label 'class'), medium/class-*.csv.gz and medium/number-*.csv.gz ('target'),
# uci/*.csv.gz (label last).
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" simulate trunk --rows 500 --features 16 --seed 7 --output "$work/data.csv"
"$2" simulate trunk --rows 500 --features 16 --seed 7 --output "$work/again.csv"
cmp "$work/data.csv" "$work/again.csv"

# same_on TABLE TRAIN_OPTION...
same_on() {
    table=$1
    shift
    for command in "$first" "$second"; do
        "$command" train --data "$table" --model "$work/$command_number" \
            --trees $trees --seed 7 --threads 2 "$@" >/dev/null 2>&1
        command_number=$((3 - command_number))
    done
    cmp "$work/1" "$work/2"
}

# same TRAIN_OPTION...
same() {
    same_on "$work/data.csv" --label last "$@"
}

first=$1 second=$2 command_number=1 trees=20
for criterion in gini entropy; do
    same --method sporf --criterion $criterion --scale sd
    same --method rf --criterion $criterion
    same --method frc --criterion $criterion --scale iqr
    same --method rr-rf --criterion $criterion --scale sd
    same --method ccf --criterion $criterion
done
same --method sporf --weights normal --bag stratified --scale range
same --method sporf --nonzeros poisson --weights uniform --bag subsample
same --method patch --image-width 4 --patch-max 3
same --method ccf --projections 5 --scale iqr --bag bootstrap
trees=2 # of nodes large enough for bins, blocks and copies
for problem in trunk orthant; do
    "$1" simulate $problem --rows 20000 --seed 8 --output "$work/data.csv"
    same
    same --split exact --projections sqrt
    same --method rr-rf
    same --method ccf
done
"$1" simulate trunk --rows 300 --features 300 --seed 9 --output "$work/data.csv"
same --method rr-rf
same --method ccf --projections 60

if [ $# -gt 2 ]; then
    trees=3
    for table in "$3"/tables/*.csv.gz; do same_on "$table" --label class --projections sqrt; done
    for table in "$3"/medium/class-*.csv.gz; do same_on "$table" --label target --projections sqrt; done
    for table in "$3"/medium/number-*.csv.gz; do same_on "$table" --target target; done
    for table in "$3"/uci/*.csv.gz; do same_on "$table" --label last --method rf; done
fi
echo "same forest: every method has the same bytes from $1 and $2"
