#!/usr/bin/env bash
# Builds what the tests on Slurm need, and runs them, on clusters that they start on this machine; then some samples on a cluster of
# four nodes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/setup.sh

set_up
set_up_slurm
set_up_mpi
if ! has_slurm; then
    {
        echo "Slurm is not installed, and cannot be installed without asking."
        echo "Here: sudo apt-get update && sudo apt-get install -y --no-install-recommends ${SLURM_PACKAGES[*]}"
    } >&2
    exit 1
fi
reason="$(engine/src/test/slurm/mini-slurm.sh why-not)"
if [[ -n "$reason" ]]; then
    echo "No Slurm cluster can be started: $reason" >&2
    exit 1
fi

cluster="$(mktemp -d /tmp/rankunit-slurm-XXXXXX)"
trap 'engine/src/test/slurm/mini-slurm.sh stop "$cluster"; rm -rf "$cluster"' EXIT
engine/src/test/slurm/mini-slurm.sh start "$cluster" 4 4
rm -rf engine/target/slurm-reports sample-tests/target/surefire-reports
status=0
mvn -B -ntp verify -Pslurm,slurm-samples -Dslurm.conf="$cluster/etc/slurm.conf" -Dsamples.skip=true -Dfurther.runs.skip=true \
    -pl engine,sample-tests -am || status=$?
for reports in engine/target/slurm-reports sample-tests/target/surefire-reports; do
    printf '%-38s %s\n' "$reports" "$("$(jdk_tool java)" .ci/TestResults.java "$reports")"
done
exit "$status"
