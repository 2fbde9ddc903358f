#!/bin/sh
# Shows that a change of the code changed no result and costs no time: builds the command of a commit and the present one
# and compares their models, reports and numbers of instructions; then those of categories and of numbers.
# compare_with.sh COMMIT [DATA]       DATA: a folder with further tables, see check_same_forest.sh
set -eu

[ $# -eq 1 ] || [ $# -eq 2 ] || {
    echo "usage: compare_with.sh COMMIT [DATA]" >&2
    exit 2
}
root=$(cd "$(dirname "$0")/.." && pwd)
data=${2:+$(cd "$2" && pwd)}
cd "$root"
commit=$(git rev-parse --verify "$1^{commit}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# build NAME SOURCES: the command of these sources, as users build it.
build() {
    if ! cmake -S "$2" -B "$work/$1" -DCMAKE_BUILD_TYPE=Release -DSPORF_BUILD_EXAMPLES=OFF >"$work/log" 2>&1 ||
        ! cmake --build "$work/$1" --parallel "$(getconf _NPROCESSORS_ONLN)" --target sporf_command >>"$work/log" 2>&1; then
        tail -n 20 "$work/log" >&2
        exit 1
    fi
}

mkdir "$work/sources"
git archive "$commit" | tar -x -C "$work/sources"
build old "$work/sources"
build new "$root"
tools/check_same_forest.sh "$work/old/sporf" "$work/new/sporf" ${data:+"$data"}
tools/check_instructions.sh "$work/old/sporf" "$work/new/sporf"
tools/check_categories.sh "$work/new/sporf"
