#!/usr/bin/env bash
# Builds all that is published twice, javadoc included, in two folders and time zones, and compares it byte by byte.
# Under one umask: Maven writes the modes of files into jars as it finds them. The result alone goes to standard output.
# Where the build here has made the libraries, one of the two takes them, as built in a third folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/setup.sh

# The main build checks the same sources, so only one of the two builds runs the checks. They must not affect the result.
readonly UNCHECKED=-Derrorprone.options=-XepDisableAllChecks
readonly PUBLISHED=bom,native-comm,device-pool,annotations,collectives,distributed,engine,cli

build_in() {
    copy_tree "$1"
    (
        cd "$1"
        umask 022
        TZ="$2" mvn -B -ntp -q package -Prelease,ci -Dboth.processors -Dmaven.test.skip -DskipTests -pl "$PUBLISHED" -am \
            "${@:3}" >&2
    )
}

# Whether the build here has made the libraries, in the folder of one processor. They are brought up to date.
has_libraries() {
    grep -q -s -F "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD/native-comm" "$1/CMakeCache.txt" &&
        cmake --build "$1" --parallel "$(nproc)"
}

# The first folder, with the libraries that are there already.
build_first() {
    local folder="$1" native="$PWD/native-comm/target/native" other
    other="$native-$(other_processor)"
    local -a options=("$UNCHECKED")
    if has_libraries "$native" && has_libraries "$other"; then
        (
            umask 022
            cmake --install "$other" --strip --component backends --prefix "$folder/native-comm/target/classes"
        )
        options+=("-Dnative.build=$native" -Dnative.ready=true -Dcross.skip=true)
    fi >&2
    build_in "$folder" UTC "${options[@]}"
}

# The jars, and the poms that are made by the build.
published_in() {
    (cd "$1" && find . \( -path '*/target/rankunit-*.jar' -o -name dependency-reduced-pom.xml \) | sort)
}

set_up >&2
set_up_other_processor >&2
if ! has_other_processor; then
    echo "not checked: there is no compiler for the other processor, and no release without it"
    exit
fi
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
build_first "$folder/one"
build_in "$folder/two/further/down" Asia/Kathmandu

mapfile -t files < <(published_in "$folder/one")
if [[ "${files[*]}" != "$(published_in "$folder/two/further/down" | tr '\n' ' ' | sed 's/ $//')" ]]; then
    echo "The two builds made different files." >&2
    exit 1
fi
different=0
for file in "${files[@]}"; do
    if ! cmp "$folder/one/$file" "$folder/two/further/down/$file" >&2; then
        different=$((different + 1))
    fi
done
echo "Files built twice: ${#files[@]}, different: $different"
((different == 0))
