#!/bin/sh
# Installs the package into a virtual environment, as its users do, and runs its tests but for those
# marked as slow and those of the other scripts here. Speaks TAP; wants SPORF, SPORF_BUILD and
# SPORF_ROOT, as tests/run sets them.
# Labels: full
set -u
. "$SPORF_ROOT/bindings/python/tests/lib.sh"
run_tests "not slow" --ignore=test_dask.py --ignore=test_dask_rows.py --doctest-modules --pyargs . sporf
