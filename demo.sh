#!/usr/bin/env bash
# Sets up what the build needs, installs RankUnit for this user, and runs the sample tests on the simulator.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source .ci/setup.sh

readonly RESULTS=sample-tests/target
readonly REPORT="$RESULTS/rankunit/report.json"
readonly LOG=target/demo.log

usage() {
    cat <<TEXT
Usage: ./demo.sh

Builds RankUnit, installs it into your local Maven repository, and runs its sample tests on the simulator; needs no device.
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

# The local Maven repository that has RankUnit now; nothing if the build did not get that far. The engine needs all other modules
# that users see, so it is the last of them. The samples come after it.
installed_in() {
    if grep -q '^\[INFO\] RankUnit :: engine \.* SUCCESS' "$LOG"; then
        sed -n 's|^\[INFO\] Installing .* to \(.*\)/org/rankunit/rankunit-engine/.*|\1|p' "$LOG" | tail -n 1
    fi
}

show_samples() {
    echo "The tests of the samples; each test with a RankContext ran in one JVM per rank:"
    show_tests sample-tests
    echo
    echo "The run as a page:    ${REPORT%/*}/index.html"
    echo "What each rank did:   $REPORT"
    echo "For JUnit's readers:  $RESULTS/surefire-reports"
}

# Why Maven failed: what the tests say that failed, or else the errors of the build.
show_cause() {
    local failures
    failures="$(show_failures sample-tests)"
    if [[ -n "$failures" ]]; then
        echo "$failures"
        echo "Maven's output: $LOG"
    else
        echo "Maven failed; its errors:"
        show_errors "$LOG"
    fi
}

show_installed() {
    local repository
    repository="$(installed_in)"
    if [[ -n "$repository" ]]; then
        touch "$INSTALLED"
        echo "RankUnit is installed in $repository, for tests of your own: see \"Your first test\" in README.md."
    else
        echo "RankUnit was not installed."
    fi
}

set_up
mkdir -p target
rm -rf "$RESULTS/surefire-reports" "$REPORT" "${REPORT%/*}/index.html"
echo "Building with JDK $(java_version), and running the samples on the simulator. Maven's output: $LOG"

status=0
mvn -B -ntp install -Dsamples.only -pl cli,sample-tests -am -Drankunit.platform=a2a3sim 2>&1 | tee "$LOG" | show_steps || status=$?

echo
if [[ -f "$REPORT" ]]; then
    show_samples
    echo
fi
if ((status != 0)); then
    show_cause
    echo
elif [[ ! -f "$REPORT" ]]; then
    echo "No device test ran to its end: there is no $REPORT. Maven's output: $LOG"
    echo
    status=1
fi
show_installed
exit "$status"
