#!/usr/bin/env bash
# Builds everything with the checks of the compilers, runs all tests, those on Slurm as well, and beside them what keeps the
# processors busy while tests wait: the check of the layout, and the C++ tests with sanitizers.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/setup.sh

readonly BESIDE=(format sanitizers)

# At a lower priority than the tests, which have deadlines.
check_beside() {
    local name status=0
    renice -n 5 "$BASHPID" >/dev/null
    for name in "${BESIDE[@]}"; do
        run_check "$name" || status=1
    done
    return "$status"
}

# A cluster for the samples; the engine's tests start their own.
slurm_cluster=
start_slurm() {
    slurm_cluster="$(mktemp -d /tmp/rankunit-slurm-XXXXXX)"
    trap stop_slurm EXIT
    engine/src/test/slurm/mini-slurm.sh start "$slurm_cluster" 4 4
}

stop_slurm() {
    engine/src/test/slurm/mini-slurm.sh stop "$slurm_cluster" || true
    rm -rf "$slurm_cluster"
}

set_up
set_up_tests
set_up_slurm
# The benchmarks do not run here, but they must compile.
profiles=ci,benchmarks
options=()
why_no_slurm="$(engine/src/test/slurm/mini-slurm.sh why-not)"
if [[ -z "$why_no_slurm" ]]; then
    start_slurm
    profiles+=,with-slurm,slurm-samples
    options+=("-Dslurm.conf=$slurm_cluster/etc/slurm.conf")
fi
# What was compiled without the checks would not be compiled again.
rm -rf "${MODULES[@]/%//target/classes/org}" "${MODULES[@]/%//target/test-classes/org}"
check_beside &
beside=$!

status=0
run_maven verify "-P$profiles" "${options[@]}" || status=$?
wait "$beside" || status=1
# Takes no time, and a library that is too new for the machines of users fails there alone.
run_check glibc || status=1
summarize
for name in "${BESIDE[@]}" glibc; do
    show_check "$name"
done
if [[ -n "$why_no_slurm" ]]; then
    echo "Slurm          not run: $why_no_slurm"
fi
exit "$status"
