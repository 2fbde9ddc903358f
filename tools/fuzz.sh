#!/bin/sh
# Runs each libFuzzer program for a while, from the committed corpus: fuzz.sh BUILD_DIR SECONDS [NAME]
# Two run at a time; what each says comes when it has ended. With a name, such as fuzz_csv, only that one.
# New inputs stay in BUILD_DIR/corpus; a crash leaves its input there too and makes the run fail.
set -eu

build=$(cd "$1" && pwd)
seconds=$2
cd "$(dirname "$0")/.."

fuzz() { # name
    found=$build/corpus/${1#fuzz_}
    mkdir -p "$found"
    echo "$1 for $seconds s"
    "$build/tests/fuzz/$1" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
        -print_final_stats=1 -verbosity=0 -artifact_prefix="$found/" \
        "$found" "tests/fuzz/corpus/${1#fuzz_}" 2>&1
}

if [ $# -gt 2 ]; then
    said=$(fuzz "$3") && failed=0 || failed=1
    printf '%s\n' "$said"
    exit "$failed"
fi
for source in tests/fuzz/fuzz_*.c; do
    basename "$source" .c
done | xargs -P 2 -I NAME tools/fuzz.sh "$build" "$seconds" NAME
