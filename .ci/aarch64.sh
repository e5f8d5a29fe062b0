#!/usr/bin/env bash
# Builds the C++ tests for Arm servers and runs them in an emulator. The result alone goes to standard output.
# The emulator passes system calls on to this machine's kernel, and its processor's memory order is no weaker than this
# machine's: what only a weaker order would show is not shown.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/setup.sh

readonly FOLDER=native-comm/target/native-linux-aarch64

set_up >&2
if [[ "$(uname -m)" == aarch64 ]]; then
    echo "not needed: this machine is one, and the build has run them"
    exit
fi
set_up_other_processor >&2
set_up_optional qemu-aarch64-static "nothing is run for aarch64" qemu-user-static >&2
if ! has aarch64-linux-gnu-g++; then
    echo "not checked: there is no aarch64-linux-gnu-g++"
    exit
fi
if ! has qemu-aarch64-static && ! has qemu-aarch64; then
    echo "not checked: there is no qemu-aarch64"
    exit
fi

echo "The C++ tests for aarch64:" >&2
if ! {
    cmake -S native-comm -B "$FOLDER" "-DCMAKE_TOOLCHAIN_FILE=$PWD/native-comm/cmake/linux-aarch64.cmake" \
        -DRANKUNIT_WARNINGS_ARE_ERRORS=ON -DCMAKE_BUILD_TYPE=Release --log-level=WARNING &&
        cmake --build "$FOLDER" --parallel "$(nproc)" --target native_tests
} >&2; then
    echo "not built"
    exit 1
fi
report="$(ctest --test-dir "$FOLDER" --output-on-failure)" && status=0 || status=$?
echo "$report" >&2
sed -n 's/.*tests passed, \([0-9]* tests failed out of [0-9]*\)/\1/p' <<<"$report"
exit "$status"
