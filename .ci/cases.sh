#!/usr/bin/env bash
# Runs 20,000 random calls of collectives instead of 1,000, verifies the repertoire for every number of ranks up to 64, and holds the
# verifier against all orders of the tasks of 100,000 random schedules instead of 2,000, and the checks of simulators against all orders
# of 100,000 random programs instead of 3,000, of which 1,000 run on simulated devices instead of 40. Judges 20,000 random comparisons
# of goldens by NumPy instead of 1,000, and 50,000 summaries of records instead of 2,000, and 2,000 by torch.testing. The result alone goes to standard output.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/setup.sh

readonly CASES=20000 SCHEDULES=100000 MUTANTS=100 PROGRAMS=100000 SUMMARIES=50000 RUNS=1000 NUMPY=20000 TORCH=2000
readonly TESTS=RandomCallsTest,RepertoireOfManyRanksTest,VerifierTruthTest,RandomProgramsTest,SummarizedRunsTest,ProgramRunsTest,ReferenceTest

set_up >&2
set_up_python numpy "goldens are not judged by it" >&2
set_up_python torch "goldens are not judged by it" >&2
rm -rf {annotations,collectives,engine/analysis,engine}/target/surefire-reports
status=0
mvn -B -ntp test -pl annotations,collectives,engine/analysis,engine -am -Dtest="$TESTS" -Dsurefire.failIfNoSpecifiedTests=false -Dnative.tests.skip \
    -Dcollectives.cases="$CASES" -Dcollectives.all-ranks=true \
    -Dcollectives.schedules="$SCHEDULES" -Dcollectives.mutants="$MUTANTS" -Drandom.programs="$PROGRAMS" -Drandom.summaries="$SUMMARIES" \
    -Drandom.runs="$RUNS" -Drandom.shaken=100 -Dgolden.numpy="$NUMPY" -Dgolden.torch="$TORCH" >&2 || status=$?
echo "$CASES random calls, all numbers of ranks, $SCHEDULES random schedules, $PROGRAMS random programs, $SUMMARIES summaries of records, $RUNS of them on devices, $NUMPY comparisons by NumPy and $TORCH by torch: $(count_tests annotations collectives engine/analysis engine)"
exit "$status"
