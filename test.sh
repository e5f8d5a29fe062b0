#!/usr/bin/env bash
# Sets up what the build needs, then builds everything and runs every test.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source .ci/setup.sh

usage() {
    cat <<TEXT
Usage: ./test.sh [--quick]

Builds everything and runs every test; needs no device.

  --quick   leave out the small downstream projects that try the packaged jars
TEXT
}

readonly MODULES=(native-comm device-pool annotations engine sample-tests)
options=()
for argument in "$@"; do
    case "$argument" in
        --quick) options+=(-Dinvoker.skip) ;;
        -h | --help)
            usage
            exit
            ;;
        *)
            echo "test.sh: there is no option $argument" >&2
            usage >&2
            exit 2
            ;;
    esac
done

# Other versions of clang-format lay the same code out differently.
check_cpp_format() {
    if ! has clang-format-14; then
        echo "The layout of the C++ sources is not checked: there is no clang-format-14."
        return
    fi
    find native-comm/src sample-tests/src \( -name '*.cpp' -o -name '*.h' \) -print0 |
        xargs -0 clang-format-14 --dry-run --Werror
}

# What became of the downstream projects; a project that is meant to fail succeeds by failing.
count_projects() {
    local -a all good
    mapfile -t all < <(find "$1" -name 'BUILD-*.xml' 2>/dev/null)
    mapfile -t good < <(grep -l -s 'result="success"' "${all[@]}" /dev/null)
    echo "Projects run: ${#all[@]}, as expected: ${#good[@]}"
}

set_up
set_up_if_possible clang-format-14
check_cpp_format
for module in "${MODULES[@]}"; do
    rm -rf "$module/target/surefire-reports" "$module/target/invoker-reports"
done

status=0
mvn -B -ntp verify "${options[@]}" || status=$?

echo
for module in "${MODULES[@]}"; do
    printf '%-14s %s\n' "$module" "$(count_tests "$module")"
done
printf '%-14s %s\n' "all" "$(count_tests "${MODULES[@]}")"
printf '%-14s %s\n' "downstream" "$(count_projects engine/target/invoker-reports)"
exit "$status"
