#!/usr/bin/env bash
# Builds everything on each supported JDK besides the one that builds here, in a copy of the working tree below target/, and runs
# the tests that start no ranks, the samples and the downstream projects. The results alone go to standard output, a line for
# each JDK. What is missing is installed, where the system has it. A version given as an argument is tried alone.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/setup.sh

readonly NATIVE=native-comm/target/native KERNELS=native-comm/target/test-classes

# Whether the build here has made what is written in C++, which is the same for every JDK. It is brought up to date.
has_native_build() {
    grep -q -s -F "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD/native-comm" "$NATIVE/CMakeCache.txt" &&
        grep -q -s -F "RANKUNIT_TEST_KERNEL_FOLDER:PATH=$PWD/$KERNELS" "$NATIVE/CMakeCache.txt" &&
        cmake --build "$NATIVE" --parallel "$(nproc)" --target all native_tests
}

build_on() {
    local home="$1" folder="$2"
    local -a options=(-Pci,other-jdk)
    rm -rf "$folder"
    copy_tree "$folder"
    if has_native_build >&2; then
        mkdir -p "$folder/$KERNELS"
        cp -a "$NATIVE" "$folder/$NATIVE"
        cp -a "$KERNELS"/*.so "$folder/$KERNELS"
        options+=(-Dnative.ready=true -Dnative.test.build.skip=true)
    fi
    (cd "$folder" && JAVA_HOME="$home" mvn -B -ntp verify "${options[@]}") >&2
}

row() {
    printf '%-14s %s\n' "JDK $1" "$2"
}

set_up >&2
own="$(java_version)"
status=0
for version in "${SUPPORTED_JDKS[@]}"; do
    if [[ "$version" != "${1:-$version}" || "$version" == "${own%%.*}" ]]; then
        continue
    fi
    package="openjdk-$version-jdk-headless"
    if [[ -z "$(jdk_home "$version")" ]] && may_install; then
        try_to_install "$package"
    fi
    home="$(jdk_home "$version")"
    if [[ -z "$home" ]]; then
        row "$version" "not checked: JAVA_${version}_HOME is not set, none is below /usr/lib/jvm, and $package cannot be installed"
        continue
    fi
    folder="target/jdk-$version"
    verdict=
    if ! build_on "$home" "$folder"; then
        verdict="FAILED. "
        status=1
    fi
    row "$version" "$verdict$(count_tests "${MODULES[@]/#/$folder/}"). $(count_projects "$folder"/{engine,cli}/target/invoker-reports)"
done
exit "$status"
