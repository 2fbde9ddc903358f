#!/bin/sh
# The tests of the Python package with trees that are divided among workers of Dask, apart from run.sh
# so that they run beside it. Speaks TAP, as run.sh does.
# Labels: full
set -u
. "$SPORF_ROOT/bindings/python/tests/lib.sh"
run_tests "not slow" test_dask.py
