#!/bin/sh
# Runs each libFuzzer program for a while, from the committed corpus: fuzz.sh BUILD_DIR SECONDS
# New inputs stay in BUILD_DIR/corpus; a crash leaves its input there too and ends the run.
set -eu

build=$(cd "$1" && pwd)
seconds=$2
cd "$(dirname "$0")/.."
for source in tests/fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    found=$build/corpus/${name#fuzz_}
    mkdir -p "$found"
    echo "$name for $seconds s"
    "$build/tests/fuzz/$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
        -print_final_stats=1 -verbosity=0 -artifact_prefix="$found/" \
        "$found" "tests/fuzz/corpus/${name#fuzz_}"
done
