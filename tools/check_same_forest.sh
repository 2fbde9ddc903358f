#!/bin/sh
# Compares the model files of two builds of the command, byte by byte, for the methods that promise
# the same forest everywhere: check_same_forest.sh COMMAND COMMAND
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" simulate sparse-parity --rows 500 --seed 7 --output "$work/data.csv"
"$2" simulate sparse-parity --rows 500 --seed 7 --output "$work/again.csv"
cmp "$work/data.csv" "$work/again.csv"

for method in sporf rf frc; do
    for criterion in gini entropy; do
        for command in "$1" "$2"; do
            "$command" train --data "$work/data.csv" --label last --model "$work/model" \
                --method $method --criterion $criterion --scale sd --trees 20 --seed 7 \
                --threads 2 >/dev/null
            if [ -e "$work/first" ]; then
                cmp "$work/first" "$work/model"
                rm "$work/first"
            else
                mv "$work/model" "$work/first"
            fi
        done
    done
done
echo "same forest: sporf, rf and frc have the same bytes from $1 and $2"
