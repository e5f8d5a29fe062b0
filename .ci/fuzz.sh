#!/usr/bin/env bash
# Reads inputs that Jazzer makes, with each reader of foreign input (FuzzedReaders) for FUZZ_SECONDS (20), and starts from the inputs that
# its test has. Of FUZZ_TARGETS only, if they are given. A finding is left in target/fuzz, with the command that reads it again. The result
# alone goes to standard output.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/setup.sh

readonly SECONDS_EACH="${FUZZ_SECONDS:-20}" FOLDER="$ROOT/target/fuzz"
readonly DEPENDENCIES=org.apache.maven.plugins:maven-dependency-plugin:3.8.1
readonly JAZZER_VERSION=0.24.0

set_up >&2
if [[ "$(uname -m)" != x86_64 ]]; then
    echo "not checked: Jazzer has no library for $(uname -m)"
    exit
fi
mapfile -t tests < <(git ls-files --cached --others --exclude-standard '*/src/test/java/*ReaderFuzzTest.java')
modules="$(printf '%s\n' "${tests[@]%%/src/*}" | sort -u | paste -s -d ,)"
mkdir -p "$FOLDER"
{
    mvn -B -ntp -q test-compile "$DEPENDENCIES:build-classpath" -Dmdep.outputFile=target/class-path -Dnative.tests.skip \
        -Dnative.test.build.skip=true \
        -pl "$modules" -am
    for artifact in jazzer jazzer-api; do
        [[ -e "$FOLDER/$artifact-$JAZZER_VERSION.jar" ]] || mvn -B -ntp -q "$DEPENDENCIES:copy" -DoutputDirectory="$FOLDER" -N \
            -Dartifact="com.code-intelligence:$artifact:$JAZZER_VERSION"
    done
} >&2

# Runs in the folder of a module, as its tests do.
java_with() {
    "$(jdk_tool java)" -XX:+UseSerialGC -Xmx2g -cp "$FOLDER/jazzer-$JAZZER_VERSION.jar:$FOLDER/jazzer-api-$JAZZER_VERSION.jar:$class_path" "$@"
}

# The reader's own limits are those of FuzzTarget; the hooks of Jazzer look for other faults than those of readers.
fuzz() {
    local -a command=(com.code_intelligence.jazzer.Jazzer --target_class=org.rankunit.rules.CoverageFuzz "--target_args=$type $1"
        "--instrumentation_includes=org.rankunit.**:com.fasterxml.**:org.yaml.**" --disabled_hooks=**
        "--reproducer_path=$FOLDER" "-artifact_prefix=$FOLDER/found/$1-" -timeout=20 -rss_limit_mb=0 -max_len=65536)
    if java_with "${command[@]}" -max_total_time="$SECONDS_EACH" "$FOLDER/corpus/$1" "$FOLDER/seeds/$1" >"$FOLDER/$1.log" 2>&1; then
        return
    fi
    {
        echo "FAILED: $1. Its log: $FOLDER/$1.log. What was found, and how to read it again:"
        grep -h -E '^== Java Exception|^Caused by|ALARM|The reader' "$FOLDER/$1.log" | head -n 5
        ls "$FOLDER/found/$1-"* 2>/dev/null
        printf 'cd %s && ' "$ROOT/$module" && printf '%q ' "$(jdk_tool java)" -cp \
            "$FOLDER/jazzer-$JAZZER_VERSION.jar:$FOLDER/jazzer-api-$JAZZER_VERSION.jar:$class_path" "${command[@]}" && echo FILE
    } >&2
    return 1
}

failed=()
count=0
for test in "${tests[@]}"; do
    module="${test%%/src/*}"
    type="${test#*/src/test/java/}"
    type="${type%.java}"
    type="${type//\//.}"
    class_path="$ROOT/$module/target/test-classes:$ROOT/$module/target/classes:$(<"$module/target/class-path")"
    cd "$ROOT/$module"
    mapfile -t targets < <(java_with org.rankunit.rules.CoverageFuzz "$type" "$FOLDER/seeds")
    for target in "${targets[@]}"; do
        if [[ -z "${FUZZ_TARGETS:-}" || " $FUZZ_TARGETS " == *" $target "* ]]; then
            mkdir -p "$FOLDER/corpus/$target" "$FOLDER/found"
            count=$((count + 1))
            fuzz "$target" || failed+=("$target")
        fi
    done
    cd "$ROOT"
done
if ((${#failed[@]} > 0)); then
    echo "failed: ${failed[*]} ($FOLDER)"
    exit 1
fi
((count > 0)) || { echo "there is no such reader: $FUZZ_TARGETS" && exit 1; }
echo "$count readers, $SECONDS_EACH s each: nothing found"
