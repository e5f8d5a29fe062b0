#!/usr/bin/env bash
# Builds the C++ tests once with each sanitizer, in folders of their own, and runs them. The result alone goes to standard
# output. ThreadSanitizer sees the threads of one process; what ranks do to each other's memory it does not see.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/setup.sh

readonly SANITIZERS=(address undefined thread)

set_up >&2
failed=()
for sanitizer in "${SANITIZERS[@]}"; do
    folder="native-comm/target/native-$sanitizer"
    echo "The C++ tests with the $sanitizer sanitizer:" >&2
    if ! {
        cmake -S native-comm -B "$folder" -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DRANKUNIT_SANITIZER=$sanitizer" \
            -DRANKUNIT_WARNINGS_ARE_ERRORS=ON --log-level=WARNING &&
            cmake --build "$folder" --parallel "$(nproc)" --target native_tests &&
            ctest --test-dir "$folder" --output-on-failure
    } >&2; then
        failed+=("$sanitizer")
    fi
done
if ((${#failed[@]} > 0)); then
    echo "failed: ${failed[*]}"
    exit 1
fi
echo "nothing found: ${SANITIZERS[*]}"
