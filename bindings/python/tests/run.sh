#!/bin/sh
# Installs the package into a virtual environment, as its users do, and runs its tests. Speaks TAP;
# wants SPORF, SPORF_BUILD and SPORF_ROOT, as tests/run sets them. The environment stays in the build
# directory, so that later runs only compile what has changed.
set -u

if grep -q '^SPORF_SANITIZE:STRING=.' "$SPORF_BUILD/CMakeCache.txt"; then
    echo "1..0 # SKIP the build has sanitizers, which Python was not built with"
    exit 0
fi

venv=$SPORF_BUILD/python
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT

bail() {
    echo "Bail out! $1"
    sed 's/^/# /' "$log"
    exit 1
}

if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "1..0 # SKIP the Python package needs Python 3.11; this is $(python3 --version)"
    exit 0
fi
if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    rm -rf "$venv"
    python3 -m venv "$venv" >"$log" 2>&1 || bail "python3 -m venv does not work; try: make deps"
fi
if ! "$venv/bin/python" -m pip install -q --disable-pip-version-check \
    -r "$SPORF_ROOT/bindings/python/tests/requirements.txt" >"$log" 2>&1; then
    sed 's/^/# /' "$log"
    echo "1..0 # SKIP the tests of the Python package need packages that pip could not get"
    exit 0
fi
"$venv/bin/python" -m pip install -q --disable-pip-version-check --no-build-isolation --no-deps --force-reinstall \
    --config-settings=build-dir="$SPORF_BUILD/python-build" "$SPORF_ROOT" >"$log" 2>&1 ||
    bail "pip install . failed"

cd "$SPORF_ROOT/bindings/python/tests" || exit 2
export MPLBACKEND=agg PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=. SCIPY_ARRAY_API=1
exec "$venv/bin/python" -m pytest -p tap -p no:terminal -p no:cacheprovider \
    --doctest-modules --pyargs . sporf
