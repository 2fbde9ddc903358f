#!/bin/sh
# Compares forests and predictions of the GPU with those of the CPU, byte for byte: tests/gpu_check.sh BUILD_DIR [PATTERN...]
#
# BUILD_DIR was configured with SPORF_CUDA=ON, and the machine has a GPU; `make gpu-check` does both steps. One line
# for each case: what the GPU grew and is the same is "passed"; what it does not support, and the CPU grew instead, is
# "on the CPU" and counts as neither. With patterns only cases whose line contains one of them. GPU_CHECK_ROWS limits the
# rows of the tables. The last line is "N passed, N failed", with ", N on the CPU" after it when there are any.
set -u

usage() {
    echo "usage: tests/gpu_check.sh BUILD_DIR [PATTERN...]" >&2
    exit 2
}

case ${1-} in '' | -*) usage ;; esac
build=$(cd "$1" 2>/dev/null && pwd)
[ -x "$build/sporf" ] || {
    echo "gpu_check.sh: there is no command $1/sporf; make it with: make gpu-check" >&2
    exit 2
}
shift
sporf=$build/sporf
most=${GPU_CHECK_ROWS:-100000}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2
passed=0 failed=0 other=0

wanted() {
    line=$1
    shift
    [ $# -eq 0 ] && return 0
    for pattern; do
        case $line in *"$pattern"*) return 0 ;; esac
    done
    return 1
}

# ---- tables ----------------------------------------------------------------------------------------

# table KIND ROWS FEATURES CLASSES: writes the CSV file of that name, once, with the columns x1, ..., w, y. The class
# depends on sums of features. Of the kind "missing" a tenth of the values is, "whole" has numbers from 0 to 15, "bytes" from 0
# to 255, "mixed" a category as its first feature. "regression" has a number in the place of the class.
table() {
    name=$1-$2-$3-$4.csv
    [ -f "$name" ] || awk -v kind="$1" -v rows="$2" -v features="$3" -v classes="$4" '
        function cell(value, j) {
            if (kind == "missing" && rand() < 0.1) return "NA"
            if (kind == "mixed" && j == 1) return substr("abcdefg", 1 + int(7 * value), 1)
            if (kind == "whole") return int(16 * value)
            if (kind == "bytes") return int(256 * value)
            return sprintf("%.7g", value)
        }
        BEGIN {
            srand(rows + 31 * features + 7 * classes)
            for (j = 1; j <= features; j++) printf "x%d,", j
            print "w,y"
            for (i = 0; i < rows; i++) {
                score = 0
                for (j = 1; j <= features; j++) {
                    value = rand()
                    if (j <= 4) score += (j % 2 ? 1 : 0.5) * value
                    printf "%s,", cell(value, j)
                }
                score = score / 3 + 0.1 * (rand() - 0.5)
                group = int(classes * score)
                if (group < 0) group = 0
                if (group >= classes) group = classes - 1
                if (i < 2 * classes) group = i % classes
                printf "%.3g,%s\n", 0.25 + 3 * rand(), kind == "regression" ? score : "c" group
            }
        }' </dev/null >"$name"
}

# ---- cases -----------------------------------------------------------------------------------------

# grow DEVICE MODEL OPTION...
grow() {
    device=$1 model=$2
    shift 2
    "$sporf" train --seed 5 --device "$device" --model "$model" "$@" >out 2>"$device.log"
}

report() { # outcome, what
    printf '%-10s  %s\n' "$1" "$2"
    case $1 in
    passed) passed=$((passed + 1)) ;;
    failed) failed=$((failed + 1)) ;;
    *) other=$((other + 1)) ;;
    esac
}

# compare WHAT OPTION...: the same training on both.
compare() {
    what=$1
    shift
    rm -f cpu.sporf gpu.sporf
    if ! grow cpu cpu.sporf "$@"; then
        report failed "$what: the CPU failed: $(tail -n 1 cpu.log)"
    elif ! grow gpu gpu.sporf "$@"; then
        report failed "$what: $(tail -n 1 gpu.log)"
    elif grep -q 'could not go on' gpu.log; then
        report failed "$what: $(grep 'could not go on' gpu.log)"
    elif ! cmp -s cpu.sporf gpu.sporf; then
        report failed "$what: $(cmp cpu.sporf gpu.sporf 2>&1)"
    elif grep -q 'the CPU grows this forest' gpu.log; then
        report 'on the CPU' "$what: $(sed -n 's/^.*the GPU does not/does not/p' gpu.log | head -n 1)"
    else
        report passed "$what"
    fi
}

# try KIND ROWS FEATURES CLASSES OPTION...: a case, if it is wanted.
try() {
    kind=$1 rows=$2 features=$3 classes=$4
    shift 4
    [ "$rows" -le "$most" ] || return 0
    what="$kind, $rows rows, $features features, $classes classes: $*"
    # shellcheck disable=SC2086  # a list of words
    wanted "$what" $patterns || return 0
    table "$kind" "$rows" "$features" "$classes"
    truth=--label
    [ "$kind" != regression ] || truth=--target
    case " $* " in
    *" --weight "*) compare "$what" --data "$name" $truth y "$@" ;;
    *) compare "$what" --data "$name" $truth y --ignore w "$@" ;;
    esac
}

# predict DEVICE OPTION...: with the forest of the CPU.
predict() {
    device=$1
    shift
    "$sporf" predict --model cpu.sporf --data "$name" --device "$device" --output "$device.csv" "$@" 2>"$device.log"
}

# compare_rows WHAT OPTION...: the same prediction on both.
compare_rows() {
    what=$1
    shift
    rm -f cpu.csv gpu.csv
    if ! predict cpu "$@"; then
        report failed "$what: the CPU failed: $(tail -n 1 cpu.log)"
    elif ! predict gpu "$@"; then
        report failed "$what: $(tail -n 1 gpu.log)"
    elif grep -q 'the CPU predicts' gpu.log; then
        report failed "$what: $(grep 'the CPU predicts' gpu.log)"
    elif ! cmp -s cpu.csv gpu.csv; then
        report failed "$what: $(cmp cpu.csv gpu.csv 2>&1)"
    else
        report passed "$what"
    fi
}

# rows KIND ROWS FEATURES CLASSES OPTION...: predictions with a forest that the CPU grew, in each way, if wanted.
rows() {
    kind=$1 rows=$2 features=$3 classes=$4
    shift 4
    [ "$rows" -le "$most" ] || return 0
    what="predict $kind, $rows rows, $features features, $classes classes: $*"
    # shellcheck disable=SC2086  # a list of words
    wanted "$what" $patterns || return 0
    table "$kind" "$rows" "$features" "$classes"
    truth=--label
    [ "$kind" != regression ] || truth=--target
    if ! grow cpu cpu.sporf --data "$name" $truth y --ignore w "$@"; then
        report failed "$what: the CPU failed: $(tail -n 1 cpu.log)"
    elif [ "$kind" = regression ]; then
        compare_rows "$what"
    else
        all=$what
        compare_rows "$all, votes" --proba
        compare_rows "$all, votes, not calibrated" --proba --calibration none
        compare_rows "$all, posteriors" --proba --combine posteriors
        compare_rows "$all, posteriors, not calibrated" --proba --combine posteriors --calibration none
    fi
}
patterns=$*

"$sporf" simulate sparse-parity --rows 50 --features 4 --output first.csv || exit 2
if ! grow gpu first.sporf --data first.csv --label last --trees 2 --method rf; then
    cat gpu.log >&2
    exit 2
fi

given="--projections p" # so that pilot forests, which the CPU grows, do not take the time
# shellcheck disable=SC2086  # lists of words
{
    for method in sporf rf frc; do
        for classes in 2 3 10 40; do
            try plain 1000 10 $classes --method $method $given --trees 20
        done
        for rows in 100 500 3000 20000; do
            try plain $rows 8 3 --method $method $given --trees 10
        done
        for criterion in gini entropy; do
            try plain 2000 6 2 --method $method $given --criterion $criterion --trees 10
            try plain 2000 6 5 --method $method $given --criterion $criterion --trees 10
        done
        for kind in missing whole bytes mixed; do
            try $kind 1500 9 3 --method $method $given --trees 10
            try $kind 1500 9 2 --method $method $given --trees 10 --min-leaf 5
        done
        for bag in bootstrap stratified subsample none; do
            try plain 1500 7 3 --method $method $given --bag $bag --trees 10
        done
        for weighing in "--weight w" "--weight w --weight-is relative --min-leaf 5" "--class-weights balanced" \
            "--weight w --class-weights c0=3"; do
            try plain 1500 7 3 --method $method $given $weighing --trees 10
        done
        for limit in "--min-leaf 5" "--max-depth 1" "--max-depth 4" "--min-split 20" "--min-leaf-weight 0.02" \
            "--bag-fraction 0.3" "--bag subsample --bag-fraction 0.5" "--split exact" "--scale sd" "--scale none" \
            "--calibration none"; do
            try plain 1500 7 3 --method $method $given $limit --trees 10
        done
        for trees in 2 3 100; do
            try plain 600 6 2 --method $method $given --trees $trees
        done
        try plain 600 6 2 --method $method $given --trees auto
        try plain 300 60 2 --method $method $given --trees 10
        for features in 100 500 900; do
            try plain 1000 $features 2 --method $method --projections 20 --trees 4
        done
        try plain 300 1 2 --method $method --projections 1 --trees 10
        try regression 2000 6 3 --method $method $given --trees 10
        try plain 600 6 3 --method $method $given --trees 10 --honest
    done
    try plain 1500 12 3 --trees 60
    try plain 1500 12 3 --projections 2p --density 5/p --trees 10
    for weights in sign one uniform normal; do
        for nonzeros in grid poisson; do
            try plain 1000 12 3 $given --weights $weights --nonzeros $nonzeros --trees 10
        done
    done
    for method in rr-rf ccf patch; do
        try plain 600 6 3 --method $method $given --trees 5
    done
    for classes in 2 3 40; do
        rows plain 3000 10 $classes $given --trees 40 --min-leaf 3
    done
    for kind in missing whole bytes mixed; do
        rows $kind 1500 9 3 $given --trees 20 --min-leaf 3
    done
    rows plain 1500 40 3 --projections 10 --density 0.5 --trees 20
    rows plain 1500 8 2 --method rr-rf --trees 10
    rows regression 3000 6 3 $given --trees 20
    rows plain 100000 10 2 $given --trees 50
    for method in sporf rf frc; do
        try plain 100000 10 2 --method $method $given --trees 4
        try plain 100000 20 10 --method $method --projections sqrt --trees 4
    done
}

echo "$passed passed, $failed failed$([ $other -eq 0 ] || echo ", $other on the CPU")"
[ $failed -eq 0 ]
