#!/bin/sh
# Compares the layout of the C files with .clang-format; with --fix it changes the files instead.
# Only version 14 counts, since other versions lay some lines out otherwise.
set -eu

cd "$(dirname "$0")/.."
formatter=
for candidate in clang-format-14 clang-format; do
    case $("$candidate" --version 2>/dev/null || true) in
    *"version 14."*)
        formatter=$candidate
        break
        ;;
    esac
done
if [ -z "$formatter" ]; then
    echo "format: skipped, there is no clang-format 14 (Debian: apt-get install clang-format-14)"
    exit 0
fi

mode="--dry-run -Werror"
[ "${1-}" = --fix ] && mode=-i
# shellcheck disable=SC2086  # a list of words
find include src cli examples tests bindings -name '*.[ch]' -exec "$formatter" --style=file $mode {} +
echo "format: every C file is laid out as .clang-format says"
