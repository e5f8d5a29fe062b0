#!/usr/bin/env bash
# Runs the unit tests, of all modules or of the one given: those that start no rank. A module's tests need the others as they are
# installed; if a source of these has changed, they are built and installed first, without their tests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/setup.sh

# A process cannot be started in this way. JNA starts one if it is not told where libraries are.
readonly NO_PROCESS='-Djdk.lang.Process.launchMechanism=NONE -Djna.platform.library.path=/lib:/usr/lib'
readonly QUICK_JVM='-XX:TieredStopAtLevel=1 -XX:+UseSerialGC'
readonly OPTIONS=(-Dgroups=unit "-Dtest.limits=$NO_PROCESS" "-Dtest.jvm=$QUICK_JVM" -Dnative.tests.skip -Dnative.test.build.skip)
VERSION="$(sed -n '0,/<version>/s/.*<version>\(.*\)<\/version>.*/\1/p' bom/pom.xml)"
readonly VERSION

# The modules that are built before this one.
modules_before() {
    local module
    for module in "${MODULES[@]}"; do
        [[ "$module" != "$1" ]] || return 0
        echo "$module"
    done
}

# The name of a module's artifact, such as rankunit-engine-rank of the folder engine/rank.
artifact_of() {
    echo "rankunit-${1//\//-}"
}

installed_jar() {
    local artifact
    artifact="$(artifact_of "$1")"
    echo "$HOME/.m2/repository/org/rankunit/$artifact/$VERSION/$artifact-$VERSION.jar"
}

# Whether the local repository of Maven lacks what the sources of these modules say.
is_outdated() {
    local module
    [[ -e "$INSTALLED" && -z "$(find pom.xml bom/pom.xml -newer "$INSTALLED")" ]] || return 0
    for module in "$@"; do
        if [[ -n "$(find "$module/pom.xml" "$module/src/main" -newer "$INSTALLED" -print -quit)" ]] ||
            ! cmp -s "$module/target/$(artifact_of "$module")-$VERSION.jar" "$(installed_jar "$module")"; then
            return 0
        fi
    done
    return 1
}

# The folders of sources that a module's tests share with those of others.
fixtures_of() {
    sed -n "s|.*<source>\(.*/fixtures/java\)</source>.*|$1/\1|p" "$1/pom.xml"
}

# The sources of a module and the class files of each, without their suffix.
sources_and_classes() {
    local -a fixtures
    mapfile -t fixtures < <(fixtures_of "$1")
    find "$1/src/main/java" -name '*.java' -printf "%p $1/target/classes/%P\n"
    find "$1"/src/{test,chaos}/java "${fixtures[@]}" .ci/rules/java -name '*.java' -printf "%p $1/target/test-classes/%P\n" 2>/dev/null
}

# What other sources see of classes, given as class files without their suffix: what is not private, and constants.
seen_of() {
    local class
    local -a files
    for class in "$@"; do
        mapfile -t files < <(compgen -G "$class.class"; compgen -G "$class"'$[!0-9]*.class')
        echo "$class: ${files[*]}"
        ((${#files[@]} == 0)) || "$(jdk_tool javap)" -package -constants "${files[@]}"
    done
}

compile() {
    mvn -B -ntp -q test-compile -Dnative.test.build.skip -pl "$@"
}

# Compiles a module: the sources that have changed, and those alone if the others do not see the difference. Maven by itself
# compiles all of them, which takes longer than the tests.
compile_changed() {
    local -a all changed=() folders=("$1"/target/{classes,test-classes}/org)
    local pair class before half="$1/target/half-compiled"
    mapfile -t all < <(sources_and_classes "$1")
    if [[ -e "$half" ]] || has_lost_sources "${folders[@]}" || has_older_classes "${folders[@]}"; then
        rm -rf "${folders[@]}"
    elif [[ -d "${folders[1]}" ]]; then
        for pair in "${all[@]}"; do
            class="${pair#* }"
            class="${class%.java}"
            [[ "$class.class" -nt "${pair% *}" ]] || changed+=("$class")
        done
    fi
    touch "$half"
    if ((${#changed[@]} > 0)); then
        before="$(seen_of "${changed[@]}")"
        compile "$1" -Dmaven.compiler.useIncrementalCompilation=false
        if [[ "$(seen_of "${changed[@]}")" != "$before" ]]; then
            echo "The change may affect other sources: compiling all of $1."
            rm -rf "${folders[@]}"
            compile "$1"
        fi
    else
        compile "$1"
    fi
    rm "$half"
}

# Whether a class in these folders has a source that is not among the pairs of sources and classes.
has_lost_sources() {
    [[ -n "$(comm -13 <(printf '%s\n' "${all[@]#* }" | sort) \
        <(find "$@" -name '*.class' ! -name '*$*' 2>/dev/null | sed 's/class$/java/' | sort))" ]]
}

# Whether a class in these folders may have been compiled before one of the modules needed was installed. Maven does not ask.
has_older_classes() {
    local module
    for module in "${needed[@]}"; do
        [[ -z "$(find "$@" -name '*.class' ! -newer "$(installed_jar "$module")" -print -quit 2>/dev/null)" ]] || return 0
    done
    return 1
}

set_up
mkdir -p target
if (($# == 0)); then
    status=0
    run_maven test "${OPTIONS[@]}" -pl '!sample-tests' || status=$?
    summarize "${MODULES[@]:0:${#MODULES[@]}-1}"
    exit "$status"
fi
mapfile -t needed < <(modules_before "$1")
if ((${#needed[@]} > 0)) && is_outdated "${needed[@]}"; then
    echo "Installing the modules before $1, whose sources have changed."
    list="$(IFS=, && echo "${needed[*]}")"
    mvn -B -ntp -q install -Dmaven.test.skip -DskipTests -pl "$list" -am
    touch "$INSTALLED"
fi
mkdir -p "$1/target"
compile_changed "$1"
# Of classes in folders and of installed parts: the jar of all, with which ranks start faster, is not needed.
exec mvn -B -ntp surefire:test@default-test "${OPTIONS[@]}" "-Dtested.jar=$ROOT/$1/target/classes" \
    -Dmaven.test.dependency.excludes=none -pl "$1"
