#!/bin/sh
# The tests of the Python package that are marked as slow. Speaks TAP, as run.sh does.
# Labels: slow
set -u
. "$SPORF_ROOT/bindings/python/tests/lib.sh"
run_tests slow .
