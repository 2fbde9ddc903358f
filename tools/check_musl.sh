#!/bin/sh
# Builds a static command with musl, with warnings being errors, and compares its models, predictions and messages with
# those of the given command.
# check_musl.sh [COMMAND [BUILD_DIR]]
set -eu

cd "$(dirname "$0")/.."
command=$(realpath "${1:-build/sporf}") build=${2:-build-musl}
command -v musl-gcc >/dev/null || {
    echo "musl: skipped, there is no musl-gcc (Debian: apt-get install musl-tools)"
    exit 0
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# quietly COMMAND...: its output only if it fails.
quietly() {
    "$@" >"$work/said" 2>&1 || {
        cat "$work/said" >&2
        exit 1
    }
}

# Optimised little: what is compared is what the C library says.
quietly cmake -S . -B "$build" -DCMAKE_C_COMPILER=musl-gcc -DCMAKE_EXE_LINKER_FLAGS=-static -DSPORF_ZLIB=OFF \
    -DCMAKE_C_FLAGS_RELEASE="-O1 -DNDEBUG" -DSPORF_WERROR=ON
quietly cmake --build "$build" --parallel "$(nproc)" --target sporf_command
own=$(realpath "$build/sporf")

mkdir "$work/1" "$work/2"
cd "$work"
compared=0

# both FILE ARGUMENT...: runs both commands, which have to write the same file and the same messages.
both() {
    file=$1
    shift
    (cd 1 && "$command" "$@" 2>said) >1/printed || true
    (cd 2 && "$own" "$@" 2>said) >2/printed || true
    for name in "$file" said; do
        cmp "1/$name" "2/$name" >&2 || {
            echo "musl: not the same: sporf $*" >&2
            exit 1
        }
    done
    compared=$((compared + 1))
}

both classes.csv simulate sparse-parity --rows 2000 --seed 1 --output classes.csv
both numbers.csv simulate friedman1 --rows 2000 --seed 1 --output numbers.csv
for method in sporf rf rr-rf ccf; do
    both model train --data classes.csv --label last --method $method --trees 10 --threads 4 --model model
done
both printed predict --model model --data classes.csv --proba
both numbers train --data numbers.csv --target last --trees 10 --threads 4 --model numbers
both printed predict --model numbers --data numbers.csv --interval 0.8
both boosted boost --data numbers.csv --target last --rounds 10 --model boosted
both printed predict --model boosted --data numbers.csv
both said train --data missing.csv --label last --model model
both said train --data classes.csv --label last --model missing/model
echo "musl: $compared outputs are the same"
