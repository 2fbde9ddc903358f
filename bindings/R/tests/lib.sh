# shellcheck shell=sh
# What the scripts beside it share.

# Of the library as one file only the first compilation takes its time, where there is ccache.
if [ -d /usr/lib/ccache ]; then
    PATH=/usr/lib/ccache:$PATH CCACHE_DIR=$SPORF_BUILD/ccache CCACHE_NOHASHDIR=1
    export PATH CCACHE_DIR CCACHE_NOHASHDIR
fi

# need_r PACKAGE: skips all tests if R, or one of its packages, is not there.
need_r() {
    if ! command -v Rscript >/dev/null; then
        echo "1..0 # SKIP R is not installed; on Debian or Ubuntu: apt-get install r-base-core"
        exit 0
    fi
    if ! Rscript -e 'stopifnot(nzchar(system.file(package = commandArgs(TRUE))))' "$1" >/dev/null 2>&1; then
        echo "1..0 # SKIP the R package $1 is not installed; on Debian or Ubuntu: apt-get install r-cran-$1"
        exit 0
    fi
}
