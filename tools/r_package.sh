#!/usr/bin/env bash
# Makes the R package: r_package.sh BUILD. Its sources, with the library as one C file, are laid
# out in BUILD/r/sporf and packed as BUILD/sporf_VERSION.tar.gz. With --sources they are only laid
# out; with --document the help pages and NAMESPACE are written anew (needs roxygen2).
set -euo pipefail

cd "$(dirname "$0")/.."
mode=pack
case ${1:-} in --sources | --document) mode=${1#--} && shift ;; esac
build=$(realpath "${1:-build}")
version=$(sed -n 's/^#define SPORF_VERSION "\(.*\)"/\1/p' include/sporf.h)
package=$build/r/sporf

lay_out() {
    mkdir -p "$package/src"
    # Files that are no longer there must not stay in the package; objects may.
    find "$package" -type f ! -name '*.o' ! -name '*.so' -delete
    cp -r bindings/R/. "$package"
    sed "s/^Version: .*/Version: $version/" bindings/R/DESCRIPTION >"$package/DESCRIPTION"
    python3 tools/amalgamate.py "$package/src" >/dev/null
}

if ! command -v R >/dev/null; then
    echo "R is not installed, so that its package cannot be made. On Debian or Ubuntu: apt-get install r-base-core" >&2
    exit 1
fi
lay_out
case $mode in
pack)
    rm -f "$package"/src/*.o "$package"/src/*.so
    (cd "$build" && R CMD build --no-manual r/sporf)
    echo "$build/sporf_$version.tar.gz"
    ;;
document)
    (cd "$package" && Rscript -e 'roxygen2::roxygenise(load_code = "installed")')
    cp "$package/NAMESPACE" bindings/R/
    rm -rf bindings/R/man && cp -r "$package/man" bindings/R/
    ;;
esac
