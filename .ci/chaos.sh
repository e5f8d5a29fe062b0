#!/usr/bin/env bash
# Runs the campaign of random faults from a seed on, given or random, which repeats it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/setup.sh

set_up >&2
seed="${1:-$RANDOM}"
again="./test.sh --chaos $seed repeats it"
echo "Chaos from seed $seed on; $again." >&2
rm -rf engine/target/surefire-reports
status=0
mvn -B -ntp test -pl engine -am -Dtest=ChaosTest -Dsurefire.failIfNoSpecifiedTests=false -Dnative.tests.skip \
    -Dchaos.seed="$seed" -Dchaos.runs="${CHAOS_RUNS:-500}" -Dchaos.long=true >&2 || status=$?
echo "seed $seed: $(count_tests engine); $again"
exit "$status"
