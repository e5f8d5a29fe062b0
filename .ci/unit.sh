#!/usr/bin/env bash
# Runs the unit tests, of all modules or of the one given: those that start no rank. A module's tests need the others as they are
# installed; if a source of these has changed, they are built and installed first, without their tests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/setup.sh

# A process cannot be started in this way. JNA starts one if it is not told where libraries are.
readonly NO_PROCESS='-Djdk.lang.Process.launchMechanism=NONE -Djna.platform.library.path=/lib:/usr/lib'
readonly OPTIONS=(-Dgroups=unit "-DargLine=$NO_PROCESS" -Dnative.tests.skip -Dnative.test.build.skip)
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

# Whether the local repository of Maven lacks what the sources of these modules say.
is_outdated() {
    local module jar
    [[ -e "$INSTALLED" && -z "$(find pom.xml bom/pom.xml -newer "$INSTALLED")" ]] || return 0
    for module in "$@"; do
        jar="rankunit-$module-$VERSION.jar"
        if [[ -n "$(find "$module/pom.xml" "$module/src/main" -newer "$INSTALLED" -print -quit)" ]] ||
            ! cmp -s "$module/target/$jar" "${HOME}/.m2/repository/org/rankunit/rankunit-$module/$VERSION/$jar"; then
            return 0
        fi
    done
    return 1
}

set_up
if (($# == 0)); then
    status=0
    run_maven test "${OPTIONS[@]}" -pl '!sample-tests' || status=$?
    summarize
    exit "$status"
fi
mapfile -t before < <(modules_before "$1")
if ((${#before[@]} > 0)) && is_outdated "${before[@]}"; then
    echo "Installing the modules before $1, whose sources have changed."
    modules="$(IFS=, && echo "${before[*]}")"
    mvn -B -ntp -q install -Dmaven.test.skip -DskipTests -pl "$modules" -am
    touch "$INSTALLED"
fi
exec mvn -B -ntp test "${OPTIONS[@]}" -pl "$1"
