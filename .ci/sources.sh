#!/usr/bin/env bash
# Checks each C++ source by itself, without the headers of others that the other builds give it, and generates no code. The
# result alone goes to standard output.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/setup.sh

readonly FOLDER=native-comm/target/native-sources

set_up >&2
rm -rf "$FOLDER"
# Its libraries have no code, and other checks would take them for those that the build has made.
trap 'rm -rf "$FOLDER"' EXIT
cmake -S native-comm -B "$FOLDER" "-DCMAKE_PROJECT_rankunit_native_comm_INCLUDE=$PWD/native-comm/cmake/sources.cmake" \
    -DRANKUNIT_WARNINGS_ARE_ERRORS=ON --log-level=WARNING >&2
if ! cmake --build "$FOLDER" --parallel "$(nproc)" --target all native_tests >&2; then
    echo "not every source compiles by itself"
    exit 1
fi
echo "each source compiles by itself"
