#!/bin/sh
# Installs what building (deps.sh build), testing (deps.sh test) or comparing with other forests
# (deps.sh bench) needs and is not there.
#
# On Debian and Ubuntu it calls apt-get, through sudo where not root, and only when something is
# missing; elsewhere it says what to install. What is there is found by using it, so a compiler or
# library that no package brought counts too.
set -eu

case ${1-} in
build | test | bench) purpose=$1 ;;
*)
    echo "usage: tools/deps.sh build|test|bench" >&2
    exit 2
    ;;
esac

compiler=${CC:-}
if [ -z "$compiler" ]; then
    for candidate in cc gcc clang; do
        if command -v "$candidate" >/dev/null 2>&1; then
            compiler=$candidate
            break
        fi
    done
fi

missing='' packages=''
# need WHAT PACKAGE COMMAND...: notes both when the command fails.
need() {
    what=$1 package=$2
    shift 2
    "$@" >/dev/null 2>&1 && return
    missing="$missing  $what
"
    packages="$packages $package"
}

# wish WHAT PACKAGES COMMAND...: the same for what tests can do without; where apt-get cannot install it, they skip.
wishes=''
wish() {
    what=$1 package=$2
    shift 2
    command -v apt-get >/dev/null 2>&1 || return 0
    "$@" >/dev/null 2>&1 && return
    missing="$missing  $what
"
    wishes="$wishes $package"
}

has() { command -v "$1"; }
r_packages='testthat knitr rmarkdown ranger randomForest caret mlr Matrix tibble future.apply mlbench modeldata'
has_r_packages() {
    # shellcheck disable=SC2086  # a list of words
    Rscript -e 'stopifnot(nzchar(vapply(commandArgs(TRUE), function(p) system.file(package = p), "")))' $r_packages
}
has_python_header() { has_header "$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h"; }
has_ranger() { Rscript -e 'library(ranger)'; }
# shellcheck disable=SC2086  # CC may carry flags
has_compiler() { [ -n "$compiler" ] && $compiler --version; }
# shellcheck disable=SC2086
has_header() { echo "#include <$1>" | $compiler -E -; }

need "a C compiler, gcc or clang" gcc has_compiler
need "the C library's headers" libc6-dev has_header stdio.h
need "make" make has make
need "CMake 3.22 or newer, cmake.org" cmake has cmake
need "zlib with its header, zlib.net" zlib1g-dev has_header zlib.h
if [ "$purpose" = test ]; then
    need "cmocka with its header, cmocka.org" libcmocka-dev has_header cmocka.h
    need "Python 3, for the Python package 3.11 or newer" python3 has python3
    need "Python's module venv" python3-venv python3 -c 'import ensurepip, venv'
    need "Python's header Python.h" python3-dev has_python_header
    need "xxHash with its header, xxhash.com" libxxhash-dev has_header xxhash.h
    need "Random123, github.com/DEShawResearch/random123" librandom123-dev \
        has_header Random123/philox.h
    need "pkg-config" pkg-config has pkg-config
    wish "R with testthat and the packages that its tests compare with" \
        "r-base-core pandoc $(for name in $r_packages; do echo "r-cran-$name"; done | tr '[:upper:]\n' '[:lower:] ')" \
        has_r_packages
    wish "qpdf, which R CMD check asks for" qpdf has qpdf
fi
if [ "$purpose" = bench ]; then
    need "Python 3 with venv" python3-venv python3 -c 'import ensurepip, venv'
    need "a C++ compiler, for Python packages that come as source" g++ has c++
    need "R with the package ranger, cran.r-project.org/package=ranger" r-cran-ranger has_ranger
fi

[ -n "$packages$wishes" ] || exit 0
packages=${packages# }
printf 'Missing:\n%s' "$missing"

if ! command -v apt-get >/dev/null 2>&1; then
    cat >&2 <<END
Please install these with your system's package manager and run make again. On Debian and Ubuntu
the packages are: $packages
END
    exit 1
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        [ -n "$packages" ] || exit 0
        echo "Please run as root: apt-get install $packages" >&2
        exit 1
    fi
    as_root=sudo
fi

# shellcheck disable=SC2086  # lists of words
install_packages() { $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $1; }

# install_all LIST: with fresh package lists, if those that are there do not do.
install_all() {
    [ -n "$1" ] || return 0
    echo "Installing with apt-get: $1"
    install_packages "$1" || {
        echo "Trying again with fresh package lists."
        $as_root apt-get update
        install_packages "$1"
    }
}
install_all "$packages"
install_all "${wishes# }" || echo "Going on without: the tests that need it are skipped."
