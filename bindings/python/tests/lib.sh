# shellcheck shell=sh disable=SC2034
# What the tests in Python share: prepare FILE... makes the environment with tools/python_env.sh and
# sets python to its interpreter, or ends the script as TAP has it: skipped, or failed. One script at a
# time installs.
prepare() {
    if grep -q '^SPORF_SANITIZE:STRING=.' "$SPORF_BUILD/CMakeCache.txt"; then
        echo "1..0 # SKIP the build has sanitizers, which Python was not built with"
        exit 0
    fi
    if command -v flock >/dev/null 2>&1; then
        exec 9>"$SPORF_BUILD/python.lock"
        flock 9
    fi
    log=$(mktemp) || exit 2
    python=$("$SPORF_ROOT/tools/python_env.sh" "$SPORF_BUILD" "$@" 2>"$log")
    status=$?
    exec 9>&-
    reason=$(tail -n 1 "$log")
    [ $status -eq 0 ] || sed 's/^/# /' "$log"
    rm -f "$log"
    case $status in
    0) ;;
    3)
        echo "1..0 # SKIP $reason"
        exit 0
        ;;
    *)
        echo "Bail out! $reason"
        exit 1
        ;;
    esac
    export MPLBACKEND=agg PYTHONDONTWRITEBYTECODE=1 SCIPY_ARRAY_API=1
}

# run_tests MARK ARGUMENT...: becomes pytest with these arguments, for the tests with that mark.
run_tests() {
    prepare "$SPORF_ROOT/bindings/python/tests/requirements.txt"
    cd "$SPORF_ROOT/bindings/python/tests" || exit 2
    export PYTHONPATH=.
    mark=$1
    shift
    exec "$python" -m pytest -p tap -p no:terminal -p no:cacheprovider -m "$mark" "$@"
}
