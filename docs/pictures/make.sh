#!/usr/bin/env bash
# Makes the pictures in this folder, of the report and of a failure in a terminal, from a real run of samples. One kernel of that run has a mistake: it leaves a
# quarter of rank 1's input out of the sum. The arguments are passed on to Maven. Needs Chromium.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source .ci/setup.sh

readonly WORK="$ROOT/target/pictures"
# Failures name files with their whole paths: those on the pictures are not of whoever makes them.
readonly OUT=/tmp/job/target/rankunit
readonly TESTS=TreduceTest,TwoCardAllReduceTest,ChipBootstrapTest,TokenRingTest,MixedTest,TensorParallelFloat32Test
readonly RIGHT='for (uint64_t i = 0; i < COUNT; i++) output\[i\] += theirs\[i\];'
readonly WRONG='for (uint64_t i = 0; i < COUNT; i++) output[i] += pe == 1 \&\& i \/ 64 == 1 ? 0.0f : theirs[i];'
readonly MOST_BYTES=300000

set_up
set_up_if_possible chromium
has chromium || give_up "The pictures need chromium."

[[ ! -e /tmp/job ]] || give_up "There is already /tmp/job, where the report is made."
trap 'rm -rf /tmp/job' EXIT
rm -rf "$WORK"
mkdir -p "$WORK"
cp -r sample-tests/src/test/kernels "$WORK/kernels"
sed -i "s/$RIGHT/$WRONG/" "$WORK/kernels/aiv/treduce.cpp"
if cmp -s "$WORK/kernels/aiv/treduce.cpp" sample-tests/src/test/kernels/aiv/treduce.cpp; then
    give_up "The kernel has changed: $0 cannot make its mistake in it."
fi

echo "Running the samples with a mistake in treduce.cpp. Maven's output: $WORK/maven.log"
mvn -B -ntp test -Dsamples.only -pl sample-tests -am -Dfurther.runs.skip=true -Dtest="$TESTS" \
    -Dsurefire.failIfNoSpecifiedTests=false -Dmaven.test.failure.ignore=true -Drankunit.platform=a2a3sim -Drankunit.timeline=failed \
    -Drankunit.kernel-sources="$WORK/kernels" -Drankunit.output-dir="$OUT" "$@" >"$WORK/maven.log" 2>&1 ||
    { show_errors "$WORK/maven.log"; exit 1; }
grep -q '"result" : "failed"' "$OUT/report.json" || give_up "The run has no failure to show."

# Chromium writes the picture and ends; the limit is for one that hangs.
picture() { # name, width and height, page, further options
    timeout 60 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$WORK/profile" \
        --window-size="$2" --virtual-time-budget=3000 "${@:4}" --screenshot="$WORK/$1.png" "file://$3" >"$WORK/chromium.log" 2>&1
    [[ "$(stat -c %s "$WORK/$1.png")" -le "$MOST_BYTES" ]] || give_up "$WORK/$1.png has more than $MOST_BYTES bytes."
    cp "$WORK/$1.png" docs/pictures/
    echo "Written: docs/pictures/$1.png"
}

# What Maven prints of the first failure on four ranks, up to its last line of the stack.
readonly FAILURE='sumsTheInputsOfAllRanksOnTheRoot(RankContext) \[4 ranks\] --'
{
    echo '<!doctype html><meta charset="utf-8"><style>body { margin: 0; background: #14161a; color: #d8dce2 }
        pre { margin: 0; padding: 16px 20px; font: 15px/21px "DejaVu Sans Mono", monospace }
        b { color: #ff7b72 } i { color: #8b939e; font-style: normal }</style><pre>'
    echo '<i>$ mvn test</i>'
    sed -n "/$FAILURE/,/at org.rankunit.samples.TreduceTest/p" "$WORK/maven.log" |
        sed -e 's/&/\&amp;/g; s/</\&lt;/g' -e 's/\t/    /' \
            -e 's|^\[ERROR\].*|<b>&</b>|; s|^org.rankunit.golden.*|<b>&</b>|; s|^    at .*|<i>&</i>|'
    echo '</pre>'
} >"$WORK/failure.html"
grep -q 'one contiguous run' "$WORK/failure.html" || give_up "Maven has printed no failure to show: $WORK/maven.log"

picture report-light 1360,900 "$OUT/index.html"
picture report-dark 1360,900 "$OUT/index.html" --blink-settings=preferredColorScheme=0
picture failure 1240,470 "$WORK/failure.html"
