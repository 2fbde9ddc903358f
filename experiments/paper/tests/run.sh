#!/bin/sh
# Runs every figure of the paper with tiny settings, and the tests of what the figures share. Speaks
# TAP; wants SPORF, SPORF_BUILD and SPORF_ROOT, as tests/run sets them.
# Labels: slow
set -u
. "$SPORF_ROOT/bindings/python/tests/lib.sh"

prepare "$SPORF_ROOT/bindings/python/tests/requirements.txt" "$SPORF_ROOT/experiments/paper/requirements.txt"
cd "$SPORF_ROOT/experiments/paper" || exit 2
export PYTHONPATH=.:"$SPORF_ROOT/bindings/python/tests" OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
exec "$python" -m pytest -p tap -p no:terminal -p no:cacheprovider -c /dev/null --rootdir . \
    --doctest-modules tests ./*.py
