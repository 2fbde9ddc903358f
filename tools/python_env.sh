#!/bin/sh
# Installs the Python package, as its users do, into the virtual environment BUILD/python, with what
# the requirements files list, and prints the interpreter: tools/python_env.sh BUILD FILE...
#
# The environment stays there, and the package is installed again where a file has changed. The exit status is
# 3 where Python is too old or pip cannot get the packages (the last line of standard error says
# why), 1 where something is wrong.
set -u

build=$1
shift
root=$(cd "$(dirname "$0")/.." && pwd)
venv=$build/python
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT

give_up() { # status, reason
    cat "$log" >&2
    echo "$2" >&2
    exit "$1"
}

python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    give_up 3 "the Python package needs Python 3.11; this is $(python3 --version)"
if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    rm -rf "$venv"
    python3 -m venv "$venv" >"$log" 2>&1 || give_up 1 "python3 -m venv does not work; try: make deps"
fi
for file; do
    "$venv/bin/python" -m pip install -q --disable-pip-version-check -r "$file" >"$log" 2>&1 ||
        give_up 3 "pip could not get what $file lists"
done
sources=$(cd "$root" && find CMakeLists.txt LICENSE README.md pyproject.toml bindings/python cmake include src \
    -type f ! -name '*.pyc' | LC_ALL=C sort | xargs cksum | cksum)
if [ "$sources" != "$(cat "$venv/sporf-sources" 2>/dev/null)" ]; then
    rm -f "$venv/sporf-sources"
    "$venv/bin/python" -m pip install -q --disable-pip-version-check --no-build-isolation --no-deps --force-reinstall \
        --config-settings=build-dir="$build/python-build" "$root" >"$log" 2>&1 || give_up 1 "pip install . failed"
    echo "$sources" >"$venv/sporf-sources"
fi
echo "$venv/bin/python"
