#!/usr/bin/env bash
# Runs the engine's tests on Slurm, on clusters that they start on this machine. The result alone goes to standard output. Works
# in the folders of Maven's build, which must have ended, and takes the C++ libraries that it has made. With --build it makes
# everything that these tests need, and fails if Slurm is not here.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/setup.sh

readonly REPORTS=engine/target/slurm-reports

build=false
options=(-Pslurm,ci -Dnative.ready=true)
if [[ "${1:-}" == --build ]]; then
    build=true
    options=(-Pslurm)
fi

set_up >&2
set_up_slurm >&2
if "$build" && ! has_slurm; then
    {
        echo "Slurm is not installed, and cannot be installed without asking."
        echo "Here: sudo apt-get update && sudo apt-get install -y --no-install-recommends ${SLURM_PACKAGES[*]}"
    } >&2
    exit 1
fi
reason="$(engine/src/test/slurm/mini-slurm.sh why-not)"
if [[ -n "$reason" ]]; then
    echo "not run: $reason"
    if "$build"; then
        exit 1
    fi
    exit
fi

rm -rf "$REPORTS"
status=0
mvn -B -ntp verify "${options[@]}" -Dcross.skip=true -pl engine -am >&2 || status=$?
"$(jdk_tool java)" .ci/TestResults.java "$REPORTS"
exit "$status"
