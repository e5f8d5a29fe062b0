#!/usr/bin/env bash
# Builds the C++ tests with the sanitizers, in folders of their own, and runs them: once with those that go together, once with
# the one that goes with no other. The result alone goes to standard output. ThreadSanitizer sees the threads of one process;
# what ranks do to each other's memory it does not see.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/setup.sh

readonly BUILDS=(address,undefined thread)

set_up >&2
failed=()
for sanitizers in "${BUILDS[@]}"; do
    folder="native-comm/target/native-${sanitizers/,/-}"
    echo "The C++ tests with the sanitizers $sanitizers:" >&2
    if ! {
        cmake -S native-comm -B "$folder" -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DRANKUNIT_SANITIZER=$sanitizers" \
            -DRANKUNIT_WARNINGS_ARE_ERRORS=ON --log-level=WARNING &&
            cmake --build "$folder" --parallel "$(nproc)" --target native_tests &&
            ctest --test-dir "$folder" --parallel 4 --output-on-failure
    } >&2; then
        failed+=("$sanitizers")
    fi
done
if ((${#failed[@]} > 0)); then
    echo "failed: ${failed[*]}"
    exit 1
fi
nothing="${BUILDS[*]}"
echo "nothing found: ${nothing//,/ }"
