#!/bin/sh
# Takes away what `make install` put below a prefix, and nothing else:
#   tools/uninstall.sh BUILD_DIR PREFIX
# The list is install_manifest.txt in the build directory. DESTDIR is honoured as for installing.
set -eu

build=$1 prefix=${2%/}
manifest=$build/install_manifest.txt
[ -f "$manifest" ] || {
    echo "uninstall: $build holds no list of installed files: nothing was installed from here" >&2
    exit 1
}
# The last line of the list may lack its end.
while IFS= read -r file || [ -n "$file" ]; do
    case $file in "$prefix"/*) continue ;; esac
    echo "uninstall: the last installation from here was not below $prefix: it has $file;" \
        "give its PREFIX, or install there again first" >&2
    exit 1
done <"$manifest"

while IFS= read -r file || [ -n "$file" ]; do
    echo "Removing ${DESTDIR-}$file"
    rm -f "${DESTDIR-}$file"
    # A directory of our own goes when it is empty.
    directory=$(dirname "$file")
    case $directory in
    */sporf | */sporf/examples) rmdir "${DESTDIR-}$directory" "${DESTDIR-}${directory%/examples}" 2>/dev/null || true ;;
    esac
done <"$manifest"

# The loader forgets the library, too.
case ${DESTDIR-}$prefix in
/usr | /usr/local) PATH=$PATH:/sbin:/usr/sbin ldconfig 2>/dev/null || true ;;
esac
