#!/usr/bin/env bash
# Tries two downstream projects with every supported version of JUnit and Surefire, and from JUnit's console. The result alone goes
# to standard output.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/setup.sh

readonly REPORTS=engine/target/matrix-reports

set_up >&2
rm -rf "$REPORTS"
status=0
mvn -B -ntp verify -Pmatrix -Dmaven.test.skip -Dnative.tests.skip -Dnative.test.build.skip -pl engine -am >&2 || status=$?
count_projects "$REPORTS"
exit "$status"
