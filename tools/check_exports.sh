#!/bin/sh
# Compares what the shared library exports with what sporf.h declares: nothing more, nothing less.
# usage: check_exports.sh [BUILD_DIR]
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
library=${1:-$root/build}/libsporf.so
if ! [ -e "$library" ]; then
    echo "exports: $library is not there; build it with: make" >&2
    exit 1
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nm -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' |
    sort -u >"$work/exported"
# A declaration begins with SPORF_API; the name is the first word followed by a parenthesis.
awk '/^SPORF_API/ { text = ""; reading = 1 }
     reading { text = text " " $0 }
     reading && /\(/ {
         match(text, /sporf_[a-z0-9_]+ *\(/)
         name = substr(text, RSTART, RLENGTH); sub(/ *\($/, "", name); print name; reading = 0
     }' "$root/include/sporf.h" | sort -u >"$work/declared"

comm -23 "$work/exported" "$work/declared" | sed 's/^/exported, but not in sporf.h: /' >"$work/wrong"
comm -13 "$work/exported" "$work/declared" | sed 's/^/in sporf.h, but not exported: /' >>"$work/wrong"
if [ -s "$work/wrong" ]; then
    cat "$work/wrong"
    exit 1
fi
echo "exports: the shared library exports the $(wc -l <"$work/declared") functions of sporf.h, no more"
