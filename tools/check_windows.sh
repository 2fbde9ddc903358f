#!/bin/sh
# Compiles for Windows, with warnings being errors: both libraries, the command, the examples, the amalgamation, and the C
# code of the packages for R and Python, with the headers of those that are installed here. Nothing is run. What the DLL
# exports is compared with the header, and neither it nor the command may need libraries of MinGW.
# check_windows.sh [BUILD_DIR]
set -eu

cd "$(dirname "$0")/.."
build=${1:-build-windows} cross=x86_64-w64-mingw32
command -v $cross-gcc >/dev/null || {
    echo "Windows: skipped, there is no $cross-gcc (Debian: apt-get install gcc-mingw-w64-x86-64)"
    exit 0
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# quietly COMMAND...: its output only if it fails.
quietly() {
    said=$(mktemp "$work/XXXXXX")
    "$@" >"$said" 2>&1 || {
        cat "$said" >&2
        exit 1
    }
}

# Optimised little, since nothing is run.
python3 tools/amalgamate.py "$work" >/dev/null
(quietly $cross-gcc -O0 -Wall -Wextra -Werror -c "$work/sporf.c" -o "$work/sporf.o") &
amalgamation=$!
quietly cmake -S . -B "$build" -DCMAKE_TOOLCHAIN_FILE=cmake/mingw-w64.cmake -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_FLAGS_RELEASE="-O1 -DNDEBUG" -DSPORF_ZLIB=OFF -DSPORF_WERROR=ON
quietly cmake --build "$build" --parallel "$(nproc)"
wait $amalgamation

# package LANGUAGE HEADER INCLUDES FILES: compiles the files of a package, if the header is here.
checked='' unchecked=''
package() {
    if [ ! -e "$3/$2" ]; then
        unchecked="$unchecked; the package for $1 is left out, there is no $2"
        return
    fi
    for file in bindings/"$4"/*.c; do
        quietly $cross-gcc -O1 -Wall -Wextra -Werror -D__USE_MINGW_ANSI_STDIO=1 -Iinclude -I"$work/include" -I"$3" \
            -fsyntax-only "$file"
    done
    checked="$checked, the package for $1"
}
mkdir -p "$work/include/sys"
: >"$work/include/sys/select.h" # the headers of Python that are here were configured for a system that has it
package R Rinternals.h "$(Rscript -e 'cat(R.home("include"))' 2>/dev/null || true)" R/src
package Python Python.h "$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')" python/core

tables() { $cross-objdump -p "$1"; }
tables "$build/libsporf.dll" | sed -nE 's/^.*\[ *[0-9]+\] .*(sporf_[a-z0-9_]+)$/\1/p' | sort -u >"$work/exported"
sed 1d "$build/sporf.def" | sort -u >"$work/declared"
diff "$work/declared" "$work/exported" >&2 || {
    echo "Windows: the DLL does not export what sporf.h declares" >&2
    exit 1
}
for file in libsporf.dll sporf.exe; do
    ! tables "$build/$file" | grep 'DLL Name: lib' >&2 || {
        echo "Windows: $file needs the libraries above" >&2
        exit 1
    }
done
echo "Windows: the libraries, the command, the examples, the amalgamation$checked compile$unchecked; $(wc -l <"$work/exported") functions are exported"
