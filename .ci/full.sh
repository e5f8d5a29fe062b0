#!/usr/bin/env bash
# Runs the parts of the long form that are given, or all that have not passed with the sources as they are. Two run at a time: one
# that uses Maven in this folder, and one that does not. Each leaves a line in a file: when it ended, its name, what became of it,
# how long it took, the sources, and its result.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/setup.sh

# Names the content of all sources, also of those that are not committed; nothing outside of a clone.
sources() {
    local index
    git rev-parse --git-dir >/dev/null 2>&1 || return 0
    index="$(mktemp)"
    GIT_INDEX_FILE="$index" sh -c 'git read-tree HEAD && git add --all && git write-tree'
    rm -f "$index"
}

has_passed() {
    [[ -n "$tree" ]] && grep -q -s " $1 *passed .* $tree " "$FULL_RECORD"
}

run_part() {
    local start="$SECONDS" verdict=passed
    run_check "$1" || verdict=FAILED
    # What a tool was missing for has not passed, and is tried again the next time.
    if [[ "$verdict" == passed ]] && ! grep -q -v -E 'not (checked|needed)' "$CHECKS/$1.result"; then
        verdict=skipped
    fi
    printf '%s %-12s %s after %d s, sources %s : %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$1" "$verdict" "$((SECONDS - start))" \
        "${tree:-unknown}" "$(tr '\n' ' ' <"$CHECKS/$1.result")" >>"$FULL_RECORD"
    [[ "$verdict" != FAILED ]]
}

# Runs those of the parts that were asked for.
lane() {
    local part status=0
    for part in "$@"; do
        if [[ " ${asked[*]} " == *" $part "* ]]; then
            run_part "$part" || status=1
        fi
    done
    return "$status"
}

asked=()
tree="$(sources)"
for part in "${FULL_PARTS[@]}"; do
    if (($# > 0)); then
        [[ " $* " != *" $part "* ]] || asked+=("$part")
    elif has_passed "$part"; then
        echo "Passed before, with the same sources: $part"
    else
        asked+=("$part")
    fi
done

set_up
set_up_mpi
mkdir -p "${FULL_RECORD%/*}"
status=0
if ((${#asked[@]} > 1)); then
    # The parts use this, and do not wait for each other to make it.
    mvn -B -ntp -q process-test-classes -pl native-comm -am -Dmaven.test.skip -Dnative.test.build.skip=false
fi
lane "${FULL_OF_NATIVE[@]}" &
native=$!
lane "${FULL_WITH_MAVEN[@]}" || status=1
wait "$native" || status=1
echo
for part in "${asked[@]}"; do
    show_check "$part"
done
echo "All results: $FULL_RECORD"
exit "$status"
