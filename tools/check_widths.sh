#!/bin/sh
# Compares forests of kernels with vectors of different widths: this machine's, and those of an x86-64 processor
# with SSE2 alone and with AVX2, which an emulator runs.
# check_widths.sh [COMPILER FOR X86-64]
set -eu

cd "$(dirname "$0")/.."
cross=${1:-x86_64-linux-gnu-gcc}
for tool in "$cross" qemu-x86_64; do
    command -v "$tool" >/dev/null || {
        echo "widths: skipped, there is no $tool (Debian: apt-get install gcc-x86-64-linux-gnu libc6-dev-amd64-cross qemu-user)"
        exit 0
    }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 tools/amalgamate.py "$work" >/dev/null

# compiled COMPILER NAME: with -O1, and without the -O3 that the file asks for where it is optimised: that takes three times as long.
# What -O3 makes of the kernels is compared by the tests of each machine with golden models.
compiled() {
    "$1" -O1 -U__OPTIMIZE__ -w -I"$work" tests/widths/forests.c -o "$work/$2" -lm -lpthread
}

# emulated PROCESSOR LANES: its forests; it has to have vectors of that width.
emulated() {
    qemu-x86_64 -L "${X86_64_ROOT:-/usr/x86_64-linux-gnu}" -cpu "$1" "$work/x86-64" >"$work/$1"
    [ "$(head -n 1 "$work/$1")" = "lanes: $2" ] || {
        echo "widths: $1 does not use $2 lanes: $(head -n 1 "$work/$1")" >&2
        exit 1
    }
}

compiled "$cross" x86-64 &
compiled "${CC:-cc}" here
wait
"$work/here" >"$work/own"
emulated Nehalem 4 &
emulated max 8
wait
for processor in Nehalem max; do
    [ -s "$work/$processor" ]
    sed 1d "$work/own" >"$work/wanted"
    sed 1d "$work/$processor" | diff "$work/wanted" - >&2 || {
        echo "widths: the forests above differ between this machine and $processor" >&2
        exit 1
    }
done
echo "widths: $(wc -l <"$work/wanted") forests are the same here, with SSE2 and with AVX2"
