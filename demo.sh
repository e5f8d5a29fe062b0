#!/usr/bin/env bash
# Sets up what the build needs, then runs the sample tests on the simulator and shows what came of them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source .ci/setup.sh

if (($# > 0)); then
    echo "Usage: ./demo.sh" >&2
    echo "Runs the sample tests on the simulator; takes no arguments." >&2
    exit 2
fi

readonly RESULTS=sample-tests/target
readonly REPORT="$RESULTS/rankunit/report.json"

# One line for each device test: what came of it, on how many ranks, its name.
list_device_tests() {
    awk '
        function value() { sub(/^[^:]*: */, ""); gsub(/^"|"?,?$/, ""); return $0 }
        /^    "name" :/ { name = value(); ranks = "" }
        /^      "ranks" : [0-9]/ { ranks = value(); ranks = ranks (ranks == 1 ? " rank" : " ranks") }
        /^    "result" :/ { printf "  %-8s %8s  %s\n", value(), ranks, name }' "$1"
}

set_up
rm -rf "$RESULTS/surefire-reports" "$REPORT"

status=0
mvn -B -ntp test -P samples-only -pl sample-tests -am -Drankunit.platform=a2a3sim || status=$?

echo
if [[ -f "$REPORT" ]]; then
    echo "Device tests, each of them one JVM per rank:"
    list_device_tests "$REPORT"
    echo
    echo "Ordinary and device tests together: $(count_tests sample-tests)"
    echo "What each rank did:   $REPORT"
    echo "For JUnit's readers:  $RESULTS/surefire-reports"
else
    echo "No device test came to its end: there is no $REPORT. See Maven's messages above."
fi
exit "$status"
