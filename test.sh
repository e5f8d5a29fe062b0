#!/usr/bin/env bash
# Sets up what the build needs, then builds everything and runs its tests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source .ci/setup.sh

usage() {
    cat <<TEXT
Usage: ./test.sh [--quick | --unit [MODULE] | --ci | --full [PART...] | --stress [N] [TEST] | --slurm | --chaos [SEED]]

Builds everything and runs its tests; needs no device.

  --quick         leave out the small downstream projects that try the packaged jars
  --unit [MODULE] instead of all that, the unit tests of all modules or of one, which start no rank; in seconds
  --ci            in addition: check the format of the sources; run Error Prone and NullAway, and take the compilers'
                  warnings for errors; run the C++ tests with sanitizers, and the tests of --slurm
  --full [PART]   instead of all that, what takes long, or these parts of it: ${FULL_PARTS[*]}.
                  Each part leaves a line in $FULL_RECORD; a part that passed with the sources as they are is not run again
                  unless it is named
  --stress [N] [TEST]
                  everything N times (5), or one class of tests, or the C++ tests whose names match, beside endless loops
                  on all processors and a compiler; stops at the first failure
  --slurm         instead of all that, the tests on Slurm clusters that they start on this machine; installs Slurm where it
                  can. Those that cut off nodes need root
  --chaos [SEED]  instead of all that, 500 runs in which a random fault strikes a random rank at a random moment, some of
                  them two at once; SEED, which is printed, repeats them. CHAOS_RUNS is another number of runs.
TEXT
}

die() {
    echo "test.sh: $1" >&2
    usage >&2
    exit 2
}

form="${1:-}"
case "$form" in
    '' | --quick | --ci | --slurm)
        (($# <= 1)) || die "$form goes with no other option"
        ;;
    --unit)
        (($# <= 2)) || die "--unit takes one module at most"
        [[ -z "${2:-}" || " ${MODULES[*]} " == *" $2 "* ]] || die "there is no module $2; there are: ${MODULES[*]}"
        ;;
    --full)
        for part in "${@:2}"; do
            [[ " ${FULL_PARTS[*]} " == *" $part "* ]] || die "there is no part $part; there are: ${FULL_PARTS[*]}"
        done
        ;;
    --stress)
        [[ "${2:-}" =~ ^[0-9]*$ && $# -le 3 || $# -le 2 ]] || die "--stress takes a number and one name of tests"
        ;;
    --chaos)
        [[ "${2:-0}" =~ ^[0-9]+$ && $# -le 2 ]] || die "--chaos takes a number"
        ;;
    -h | --help)
        usage
        exit
        ;;
    *) die "there is no option $form" ;;
esac

case "$form" in
    '' | --quick) ;;
    *) exec ".ci/${form#--}.sh" "${@:2}" ;;
esac

set_up
options=()
if [[ "$form" == --quick ]]; then
    options+=(-Dinvoker.skip)
else
    set_up_tests
fi
status=0
run_maven verify "${options[@]}" || status=$?
summarize
exit "$status"
