#!/usr/bin/env bash
# Sets up what the build needs, then builds everything and runs every test.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source .ci/setup.sh

usage() {
    cat <<TEXT
Usage: ./test.sh [--quick | --full | --slurm | --chaos [SEED]]

Builds everything and runs every test; needs no device.

  --quick   leave out the small downstream projects that try the packaged jars
  --full    take the compilers' warnings for errors;
            try the downstream projects with every supported version of JUnit and Surefire, and from JUnit's console;
            run 20,000 random collective calls instead of 1,000;
            build everything on the other supported JDKs as well (JAVA_21_HOME, JAVA_25_HOME, or below /usr/lib/jvm),
            and run there the tests that start no ranks, the samples and the downstream projects;
            build everything twice and compare;
            run the C++ tests with the address, undefined-behaviour and thread sanitizers, and for Arm in an emulator;
            look at which glibc the libraries need;
            search the models of docs/models with Spin;
            run the tests of --slurm
  --slurm   instead of all that, the tests on Slurm clusters that they start on this machine, and that no other form but
            --full runs; installs Slurm where it can. Those that cut off nodes need root
  --chaos   instead of all that, 500 runs in which a random fault strikes a random rank at a random moment, some of them
            two at once; SEED, which is printed, repeats them. CHAOS_RUNS is another number of runs.
TEXT
}

options=()
full=false
slurm=false
chaos=
if [[ "${1:-}" == --chaos ]]; then
    chaos="${2:-$RANDOM}"
    [[ "$chaos" =~ ^[0-9]+$ && $# -le 2 ]] || { usage >&2; exit 2; }
    set --
fi
for argument in "$@"; do
    case "$argument" in
        --quick) options+=(-Dinvoker.skip) ;;
        --full) full=true ;;
        --slurm) slurm=true ;;
        -h | --help)
            usage
            exit
            ;;
        *)
            echo "test.sh: there is no option $argument" >&2
            usage >&2
            exit 2
            ;;
    esac
done
if "$slurm" && (($# > 1)); then
    echo "test.sh: --slurm goes with no other option" >&2
    exit 2
fi

# Other versions of clang-format lay the same code out differently.
check_cpp_format() {
    if ! has clang-format-14; then
        echo "The layout of the C++ sources is not checked: there is no clang-format-14."
        return
    fi
    find native-comm/src sample-tests/src \( -name '*.cpp' -o -name '*.h' \) -print0 |
        xargs -0 clang-format-14 --dry-run --Werror
}

readonly CHECKS=target/checks MAVEN_ENDED=target/checks/maven-ended LIBRARIES='native-comm/target/rankunit-native-comm-*.jar'
readonly CHECKS_IN_ORDER=(reproducible sanitizers aarch64 glibc models)

# Runs one of the scripts that --full adds. Its result is left in a file; its log is printed only if it fails.
check() {
    local start="$SECONDS" status=0
    ".ci/$1.sh" >"$CHECKS/$1.result" 2>"$CHECKS/$1.log" || status=$?
    if ((status != 0)); then
        echo "FAILED after $((SECONDS - start)) s: .ci/$1.sh. Its log:"
        cat "$CHECKS/$1.log"
        return "$status"
    fi
    echo "Passed after $((SECONDS - start)) s: .ci/$1.sh. Its log: $CHECKS/$1.log"
}

# Skips checks that the other lane has begun.
check_all() {
    local name status=0
    for name in "$@"; do
        if mkdir "$CHECKS/$name.begun" 2>/dev/null; then
            check "$name" || status=1
        fi
    done
    return "$status"
}

# Or this script, which may be killed.
maven_ended() {
    [[ -e "$MAVEN_ENDED" ]] || ! kill -0 "$$" 2>/dev/null
}

# Runs beside Maven, which does not keep two cores busy, at a lower priority than its tests. All checks but the sanitizers use
# Maven's C++ build, so they wait until it is complete or Maven has ended. reproducible and aarch64 use the same folder of it and
# must not run at the same time. models and jdks run here or after Maven, wherever there is time first.
check_beside_maven() {
    local status=0
    renice -n 5 "$BASHPID" >/dev/null
    check_all sanitizers || status=1
    until compgen -G "$LIBRARIES" >/dev/null || maven_ended; do sleep 1; done
    check_all reproducible aarch64 glibc models jdks || status=1
    return "$status"
}

set_up
if [[ -n "$chaos" ]]; then
    echo "Chaos from seed $chaos on; ./test.sh --chaos $chaos repeats it."
    exec mvn -B -ntp verify -pl engine -am -Dinvoker.skip -Dtest=ChaosTest -Dsurefire.failIfNoSpecifiedTests=false \
        -Dchaos.seed="$chaos" -Dchaos.runs="${CHAOS_RUNS:-500}" -Dchaos.long=true
fi
if "$slurm"; then
    exec .ci/slurm.sh
fi
set_up_other_processor
set_up_mpi
set_up_if_possible clang-format-14
set_up_if_possible chromium
has chromium || echo "The page of the report is not tested in a browser: there is no chromium."
check_cpp_format
for module in "${MODULES[@]}"; do
    rm -rf "$module"/target/{surefire,slurm,invoker}-reports
done

# A cluster for the samples; the engine's tests start their own.
slurm_cluster=
stop_slurm() {
    if [[ -n "$slurm_cluster" ]]; then
        engine/src/test/slurm/mini-slurm.sh stop "$slurm_cluster" || true
        rm -rf "$slurm_cluster"
    fi
}

profiles=matrix,ci
if "$full"; then
    set_up_slurm
    why_no_slurm="$(engine/src/test/slurm/mini-slurm.sh why-not)"
    if [[ -z "$why_no_slurm" ]]; then
        slurm_cluster="$(mktemp -d /tmp/rankunit-slurm-XXXXXX)"
        trap stop_slurm EXIT
        engine/src/test/slurm/mini-slurm.sh start "$slurm_cluster" 4 4
        profiles+=,with-slurm,slurm-samples
        options+=("-Dslurm.conf=$slurm_cluster/etc/slurm.conf")
    fi
    options+=("-P$profiles" -Dcollectives.cases=20000)
fi

status=0
if "$full"; then
    mkdir -p "$CHECKS"
    # shellcheck disable=SC2086 # a pattern
    rm -rf $LIBRARIES "$MAVEN_ENDED" "$CHECKS"/*.begun
    check_beside_maven &
    lane=$!
fi
mvn -B -ntp verify "${options[@]}" || status=$?
if "$full"; then
    touch "$MAVEN_ENDED"
    check_all jdks models || status=1
    wait "$lane" || status=1
fi

echo
for module in "${MODULES[@]}"; do
    printf '%-14s %s\n' "$module" "$(count_tests "$module")"
done
printf '%-14s %s\n' "all" "$(count_tests "${MODULES[@]}")"
printf '%-14s %s\n' "downstream" "$(count_projects engine/target/invoker-reports)"
if "$full"; then
    printf '%-14s %s\n' slurm "${why_no_slurm:+not run: $why_no_slurm}$([[ -n "$why_no_slurm" ]] || "$(jdk_tool java)" .ci/TestResults.java engine/target/slurm-reports)"
    cat "$CHECKS/jdks.result"
    for name in "${CHECKS_IN_ORDER[@]}"; do
        printf '%-14s %s\n' "$name" "$(cat "$CHECKS/$name.result")"
    done
fi
exit "$status"
