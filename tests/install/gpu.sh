#!/bin/sh
# The GPU trainer compiles, with nvcc and the flags of the build; running it takes a GPU: `make gpu-check`. Wants
# SPORF_ROOT as tests/run sets it.
# Labels: full
. "$SPORF_ROOT/tests/cli/lib/tap.sh"

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
if [ -z "$nvcc" ]; then
    echo "1..0 # SKIP src/gpu is not compiled: there is no nvcc on the PATH or in /usr/local/cuda/bin"
    exit 0
fi
found=
for source in "$SPORF_ROOT"/src/gpu/*.cu; do [ ! -f "$source" ] || found=1; done
if [ -z "$found" ]; then
    echo "1..0 # SKIP src/gpu is not compiled: it has no .cu files"
    exit 0
fi

# shellcheck disable=SC2016  # evaluated later
it "src/gpu compiles with nvcc" '
    cmake -S "$SPORF_ROOT" -B cuda -DSPORF_CUDA=ON -DSPORF_BUILD_EXAMPLES=OFF -DCMAKE_CUDA_COMPILER="$nvcc" >log 2>&1 &&
        cmake --build cuda --target sporf_gpu >>log 2>&1 || { tail -n 30 log; false; }
'
finish
