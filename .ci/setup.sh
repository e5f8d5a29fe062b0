# shellcheck shell=bash
# Sourced by test.sh and demo.sh: sees to it that the tools of the build are here, and counts what the tests said.

readonly JAVA_AT_LEAST=17 MAVEN_AT_LEAST=3.8.7 CMAKE_AT_LEAST=3.20

# Installs what is missing where apt-get may be used without asking; elsewhere says what to do and ends the script.
set_up() {
    if [[ -n "${JAVA_HOME:-}" ]] && ! has_jdk; then
        give_up "JAVA_HOME is $JAVA_HOME, and that is no JDK $JAVA_AT_LEAST or newer."
    fi
    local -a missing
    mapfile -t missing < <(missing_tools)
    if ((${#missing[@]} > 0)); then
        may_install || give_up "Missing or too old: ${missing[*]}."
        install "${missing[@]}"
        mapfile -t missing < <(missing_tools)
        ((${#missing[@]} == 0)) || give_up "Installed, but still too old: ${missing[*]}."
    fi
    if ! has make; then
        export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"
    fi
}

# The same for a command that the build can do without, and that some distributions do not have. Its packages are of the same
# name, or given.
set_up_if_possible() {
    if ! has "$1" && may_install; then
        local -a packages=("${@:2}")
        install "${packages[@]:-$1}" || true
    fi
}

# The compiler for the processor that this machine does not have, so that the jar has the libraries for both.
set_up_other_processor() {
    case "$(uname -m)" in
        x86_64) set_up_if_possible aarch64-linux-gnu-g++ g++-aarch64-linux-gnu ;;
        aarch64) set_up_if_possible x86_64-linux-gnu-g++ g++-x86-64-linux-gnu ;;
    esac
}

# Any MPI will do for the backend over it; its tests run with each of these that is here.
set_up_mpi() {
    set_up_if_possible mpicxx.openmpi libopenmpi-dev openmpi-bin
    set_up_if_possible mpicxx.mpich libmpich-dev mpich
    if ! has mpicxx || ! has mpirun; then
        echo "The backend over MPI is not built, and its tests are not run: there is no mpicxx with its mpirun."
    fi
}

has_other_processor() {
    case "$(uname -m)" in
        x86_64) has aarch64-linux-gnu-g++ ;;
        aarch64) has x86_64-linux-gnu-g++ ;;
    esac
}

# What the build needs and does not find, one on a line: names of Debian packages, and JDK.
missing_tools() {
    has_jdk || echo JDK
    has_maven || echo maven
    has_compiler || echo g++
    has_cmake || echo cmake
    has make || has ninja || echo make
}

has() {
    command -v "$1" >/dev/null
}

# Whether the second version is the first or a newer one.
at_least() {
    [[ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" == "$1" ]]
}

has_jdk() {
    local javac=javac
    if [[ -n "${JAVA_HOME:-}" ]]; then
        javac="$JAVA_HOME/bin/javac"
    fi
    has "$javac" && at_least "$JAVA_AT_LEAST" "$("$javac" -version 2>&1 | sed -n 's/^javac //p')"
}

has_maven() {
    has mvn && at_least "$MAVEN_AT_LEAST" "$(mvn -B --version 2>/dev/null | sed -n 's/.*Apache Maven \([0-9.]*\).*/\1/p')"
}

has_compiler() {
    local compiler="${CXX:-c++}"
    has "$compiler" && "$compiler" -std=c++17 -x c++ -fsyntax-only - <<<'#include <filesystem>' 2>/dev/null
}

has_cmake() {
    has cmake && at_least "$CMAKE_AT_LEAST" "$(cmake --version | sed -n 's/^cmake version //p')"
}

# Debian's package of the oldest JDK that will do and that this distribution has.
jdk_package() {
    local version
    for version in 17 21 25; do
        if apt-cache show "openjdk-$version-jdk-headless" >/dev/null 2>&1; then
            echo "openjdk-$version-jdk-headless"
            return
        fi
    done
    echo default-jdk-headless
}

may_install() {
    has apt-get && { ((EUID == 0)) || sudo -n true 2>/dev/null; }
}

install() {
    local -a as_root=()
    if ((EUID != 0)); then
        as_root=(sudo -n)
    fi
    echo "Installing $*"
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${@/#JDK/$(jdk_package)}"
}

give_up() {
    {
        echo "$1"
        echo "The build needs a JDK $JAVA_AT_LEAST or newer (JAVA_HOME, or javac on the PATH), Maven $MAVEN_AT_LEAST or newer," \
            "a C++17 compiler, CMake $CMAKE_AT_LEAST or newer, and make or ninja. On Debian and Ubuntu:"
        echo "    sudo apt-get install -y openjdk-17-jdk-headless maven g++ cmake make"
    } >&2
    exit 1
}

# Adds up Surefire's reports of the modules given, in Maven's own words.
count_tests() {
    cat_reports "${@/%//target/surefire-reports}" | awk '
        function number(name) {
            return match($0, " " name "=\"[0-9]+\"") ? substr($0, RSTART + length(name) + 3) + 0 : 0
        }
        /<testsuite / {
            tests += number("tests"); failures += number("failures")
            errors += number("errors"); skipped += number("skipped")
        }
        END { printf "Tests run: %d, Failures: %d, Errors: %d, Skipped: %d\n", tests, failures, errors, skipped }'
}

cat_reports() {
    find "$@" -maxdepth 1 -name 'TEST-*.xml' -exec cat {} + 2>/dev/null || true
}
