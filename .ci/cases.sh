#!/usr/bin/env bash
# Runs 20,000 random calls of collectives instead of 1,000. The result alone goes to standard output.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/setup.sh

readonly CASES=20000 TEST=RandomCallsTest

set_up >&2
rm -rf collectives/target/surefire-reports
status=0
mvn -B -ntp test -pl collectives -am -Dtest="$TEST" -Dsurefire.failIfNoSpecifiedTests=false -Dnative.tests.skip \
    -Dcollectives.cases="$CASES" >&2 || status=$?
echo "$CASES random calls: $(count_tests collectives)"
exit "$status"
