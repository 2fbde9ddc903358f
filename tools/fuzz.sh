#!/bin/sh
# Runs each libFuzzer program for a while, from the committed corpus: fuzz.sh BUILD_DIR SECONDS [NAME]
# Two run at a time; each says how many inputs it tried, or what it found. With a name, such as fuzz_csv, only that one.
# New inputs stay in BUILD_DIR/corpus; a crash leaves its input there too and makes the run fail.
set -eu

build=$(cd "$1" && pwd)
seconds=$2
cd "$(dirname "$0")/.."

fuzz() { # name
    found=$build/corpus/${1#fuzz_}
    mkdir -p "$found"
    "$build/tests/fuzz/$1" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
        -print_final_stats=1 -verbosity=0 -artifact_prefix="$found/" \
        "$found" "tests/fuzz/corpus/${1#fuzz_}" 2>&1
}

if [ $# -gt 2 ]; then
    if said=$(fuzz "$3"); then
        echo "$3 for $seconds s: $(printf '%s\n' "$said" | sed -n 's/^stat::number_of_executed_units: *//p') inputs"
        exit 0
    fi
    printf '%s failed:\n%s\n' "$3" "$said"
    exit 1
fi
for source in tests/fuzz/fuzz_*.c; do
    basename "$source" .c
done | xargs -P 2 -I NAME tools/fuzz.sh "$build" "$seconds" NAME
