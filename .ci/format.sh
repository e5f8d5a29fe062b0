#!/usr/bin/env bash
# Checks the layout of the sources. The result alone goes to standard output.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/setup.sh

set_up_optional npm "the layout of the C++ sources cannot be checked" nodejs npm >&2
if ! ./format.sh --check >&2; then
    echo "differs: ./format.sh mends it"
    exit 1
fi
echo "as it should be"
