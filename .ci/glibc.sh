#!/usr/bin/env bash
# Fails if a library needs a newer glibc than we promise, naming what it needs it for. Looks at the libraries that go into the
# jar and at those that the tests link the same way, or at those given as arguments, for any processor. The result alone
# goes to standard output.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source "$here/setup.sh"

# docs/supported-machines.md promises it.
readonly GLIBC_AT_MOST=2.17

# Lines "VERSION SYMBOL" of what a library wants from glibc, and "VERSION" of what it wants of glibc itself.
needs() {
    readelf --wide --dyn-syms "$1" | sed -n 's/.* UND \([^ ]*\)@GLIBC_\([^ ]*\).*/\2 \1/p'
    readelf --wide --version-info "$1" | sed -n 's/.* Name: GLIBC_\([^ ]*\) .*/\1/p'
}

libraries=("$@")
if ((${#libraries[@]} == 0)); then
    mapfile -t libraries < <(cd "$here/.." && find native-comm/target -path '*/classes/linux-*/*.so' -o \
        -name libnewer_functions.so | sort)
    cd "$here/.."
fi
if ((${#libraries[@]} == 0)); then
    echo "no library has been built"
    exit 1
fi

newest=0
too_new=0
for library in "${libraries[@]}"; do
    needed="$(needs "$library" | sort -uV)"
    # Whatever is written in C needs something: an empty list would mean that readelf was not understood.
    if [[ -z "$needed" ]]; then
        echo "nothing found out about $library"
        exit 1
    fi
    while read -r version symbol; do
        # Some versions have no number, such as GLIBC_PRIVATE.
        if [[ ! "$version" =~ ^[0-9.]+$ ]] || ! at_least "$version" "$GLIBC_AT_MOST"; then
            echo "$library needs GLIBC_$version${symbol:+ for $symbol}" >&2
            too_new=$((too_new + 1))
        elif ! at_least "$version" "$newest"; then
            newest="$version"
        fi
    done <<<"$needed"
done
if ((too_new > 0)); then
    echo "too new for glibc $GLIBC_AT_MOST: $too_new needs"
    exit 1
fi
echo "newest needed: $newest, allowed: $GLIBC_AT_MOST (libraries: ${#libraries[@]})"
