#!/usr/bin/env bash
# Sets up what the build needs, then runs the sample tests on the simulator and shows what came of them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source .ci/setup.sh

readonly RESULTS=sample-tests/target
readonly REPORT="$RESULTS/rankunit/report.json"
readonly LOG=target/demo.log

usage() {
    cat <<TEXT
Usage: ./demo.sh

Builds RankUnit and runs its sample tests on the simulator; needs no device.
Installs the tools that are missing on Debian and Ubuntu, as root or with password-less sudo.
The first run takes some minutes, since Maven downloads what it needs; its output goes to $LOG.

  -h, --help   show this text
TEXT
}

case "$#,${1:-}" in
    0,) ;;
    1,-h | 1,--help)
        usage
        exit
        ;;
    *)
        echo "demo.sh: takes no arguments, and was given: $*" >&2
        usage >&2
        exit 2
        ;;
esac

# Shows of Maven's output which module it has come to, and the tests that run.
show_steps() {
    local line
    while IFS= read -r line; do
        if [[ "$line" =~ ^\[INFO\]\ Building\ RankUnit(\ ::\ (.*))?\ [0-9][^\ ]*\ +\[([0-9]+)/([0-9]+)\]$ ]]; then
            echo "  [${BASH_REMATCH[3]}/${BASH_REMATCH[4]}] ${BASH_REMATCH[2]:-parent of all modules}"
        elif [[ "$line" =~ ^\[INFO\]\ Running\ .*\.([A-Za-z0-9]+)$ ]]; then
            echo "        running ${BASH_REMATCH[1]}"
        fi
    done
}

set_up
mkdir -p target
rm -rf "$RESULTS/surefire-reports" "$REPORT" "${REPORT%/*}/index.html"
echo "Building with JDK $(java_version), and running the samples on the simulator. Maven's output: $LOG"

status=0
mvn -B -ntp test -Dsamples.only -pl sample-tests -am -Drankunit.platform=a2a3sim 2>&1 | tee "$LOG" | show_steps || status=$?

echo
if [[ -f "$REPORT" ]]; then
    echo "The tests of the samples; each test with a RankContext ran in one JVM per rank:"
    show_tests sample-tests
    echo
    echo "The run as a page:    ${REPORT%/*}/index.html"
    echo "What each rank did:   $REPORT"
    echo "For JUnit's readers:  $RESULTS/surefire-reports"
fi
if ((status != 0)); then
    echo "Maven failed; its errors:"
    show_errors "$LOG"
elif [[ ! -f "$REPORT" ]]; then
    echo "No device test came to its end: there is no $REPORT. Maven's output is in $LOG."
    status=1
fi
exit "$status"
