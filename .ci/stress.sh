#!/usr/bin/env bash
# Repeats all tests, or those of one class, or the C++ tests whose names match, beside endless loops on all processors and a
# compiler, which take what they get of them. Stops at the first failure, whose output is kept.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/setup.sh

readonly FOLDER=target/stress COMPILED=native-comm/src/main/cpp/comm/communicator.cpp

runs=5
if [[ "${1:-}" =~ ^[0-9]+$ ]]; then
    runs="$1"
    shift
fi
name="${1:-}"

load=()
# Each in a process group of its own, so that what it starts ends with it.
start_load() {
    local i
    set -m
    for ((i = 0; i < $(nproc); i++)); do
        (while :; do :; done) &
        load+=($!)
    done
    (while :; do "${CXX:-c++}" -std=c++17 -O2 -Inative-comm/src/main/cpp -Inative-comm/src/main/cpp/include -c "$COMPILED" -o /dev/null; done) &
    load+=($!)
    set +m
}

stop_load() {
    local group
    for group in "${load[@]}"; do
        kill -- "-$group" 2>/dev/null || true
    done
}

# The command that runs the tests once.
tests() {
    local file module
    if [[ -z "$name" ]]; then
        ./test.sh
        return
    fi
    file="$(find "${MODULES[@]/%//src}" -name "$name.java" -print -quit)"
    if [[ -n "$file" ]]; then
        module="${file%%/src/*}"
        mvn -B -ntp test -pl "$module" -am -Dtest="$name" -Dsurefire.failIfNoSpecifiedTests=false -Dnative.tests.skip
    else
        mvn -B -ntp -q process-test-classes -pl native-comm -am -Dmaven.test.skip -Dnative.test.build.skip=false
        ctest --test-dir native-comm/target/native --output-on-failure --no-tests=error -R "$name"
    fi
}

set_up
[[ -e "$COMPILED" ]] || give_up "There is no $COMPILED to compile."
mkdir -p "$FOLDER"
start_load
trap stop_load EXIT
for ((run = 1; run <= runs; run++)); do
    start="$SECONDS"
    if ! tests >"$FOLDER/$run.log" 2>&1; then
        echo "Run $run of $runs FAILED after $((SECONDS - start)) s. The end of its output, all of which is in $FOLDER/$run.log:"
        tail -n 60 "$FOLDER/$run.log"
        exit 1
    fi
    echo "Run $run of $runs passed after $((SECONDS - start)) s: $(grep -E '^(all |\[INFO\] Tests run:|\[WARNING\] Tests run:|100% tests)' "$FOLDER/$run.log" | tail -n 1)"
done
