# shellcheck shell=bash
# Sourced by the scripts: sees to it that the tools of the build are here, runs Maven, and counts what the tests said.

readonly JAVA_AT_LEAST=17 MAVEN_AT_LEAST=3.8.7 CMAKE_AT_LEAST=3.20
readonly MODULES=(native-comm device-pool annotations collectives distributed
    engine/protocol engine/kernels engine/analysis engine/report engine/rank engine/site engine/slurm engine cli sample-tests)
readonly SUPPORTED_JDKS=(17 21 25)
# The parts of the long form: those that run Maven in this folder, and those that mostly compile C++ elsewhere.
readonly FULL_WITH_MAVEN=(jdks matrix cases chaos fuzz) FULL_OF_NATIVE=(sources aarch64 reproducible glibc models)
readonly FULL_PARTS=("${FULL_WITH_MAVEN[@]}" "${FULL_OF_NATIVE[@]}") FULL_RECORD=target/full.txt
readonly SLURM_PACKAGES=(slurmctld slurmd slurm-client munge)
readonly ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
# Made when all modules have been installed into Maven's local repository.
readonly INSTALLED="$ROOT/target/installed"
readonly INSTALL_LOG="$ROOT/target/install.log" TEST_LOG="$ROOT/target/test.log" CHECKS="$ROOT/target/checks"

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
    # Each of the many runs of Maven, those of the downstream projects too, is over before the optimizing compiler pays.
    export MAVEN_OPTS="${MAVEN_OPTS--XX:TieredStopAtLevel=1 -XX:+UseSerialGC}"
    if ! has make; then
        export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"
    fi
}

# The same for a command that the build can do without, and that some distributions do not have. Says in one line what is not
# tested without it, which is the second argument. Its packages are of the same name, or given.
set_up_optional() {
    local -a packages=("${@:3}")
    if ! has "$1" && may_install; then
        try_to_install "${packages[@]:-$1}"
    fi
    has "$1" || echo "Without $1, $2."
}

# A module of Python, of which the first is used that has it; says in one line what is not tested without it.
set_up_python() {
    has_python_module "$1" || ! may_install || try_to_install "python3-$1"
    has_python_module "$1" || echo "Without Python's $1, $2."
}

has_python_module() {
    python3 -c "import $1" 2>/dev/null || /usr/bin/python3 -c "import $1" 2>/dev/null
}

# The compiler for the processor that this machine does not have.
set_up_other_processor() {
    local without="nothing is built for the other processor"
    case "$(uname -m)" in
        x86_64) set_up_optional aarch64-linux-gnu-g++ "$without" g++-aarch64-linux-gnu ;;
        aarch64) set_up_optional x86_64-linux-gnu-g++ "$without" g++-x86-64-linux-gnu ;;
    esac
}

# What some of the default tests need.
set_up_tests() {
    set_up_mpi
    set_up_optional chromium "the page of the report is not tested in a browser"
    set_up_optional dot "the graphs of tasks are not drawn" graphviz
}

# Any MPI will do for the backend over it; its tests run with each of these that is here.
set_up_mpi() {
    local without="the backend over MPI is not tested with it"
    set_up_optional mpicxx.openmpi "$without" libopenmpi-dev openmpi-bin
    set_up_optional mpicxx.mpich "$without" libmpich-dev mpich
}

# The daemons with which tests start clusters of their own, and what makes networks for the nodes of these.
set_up_slurm() {
    if ! has_slurm && may_install; then
        try_to_install "${SLURM_PACKAGES[@]}"
    fi
    set_up_optional ip "no node of a cluster is cut off from the network" iproute2
}

# Debian has the daemons where only root looks.
has_slurm() {
    local program
    for program in slurmctld slurmd srun munged; do
        PATH="$PATH:/usr/sbin" has "$program" || return
    done
}

has_other_processor() {
    case "$(uname -m)" in
        x86_64) has aarch64-linux-gnu-g++ ;;
        aarch64) has x86_64-linux-gnu-g++ ;;
    esac
}

# As the folders of its libraries name it.
other_processor() {
    case "$(uname -m)" in
        x86_64) echo linux-aarch64 ;;
        aarch64) echo linux-x86-64 ;;
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
    has "$(jdk_tool javac)" && at_least "$JAVA_AT_LEAST" "$(java_version)"
}

# A command of the JDK that builds.
jdk_tool() {
    echo "${JAVA_HOME:+$JAVA_HOME/bin/}$1"
}

# The version of the JDK that builds, or of another one, given by its javac.
java_version() {
    "${1:-$(jdk_tool javac)}" -version 2>&1 | sed -n 's/^javac //p'
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

# The home of a JDK of this version, if there is one: the variable JAVA_<version>_HOME, else below /usr/lib/jvm.
jdk_home() {
    local variable="JAVA_$1_HOME" home version
    for home in "${!variable:-}" /usr/lib/jvm/*; do
        if [[ -n "$home" && -x "$home/bin/javac" ]]; then
            version="$(java_version "$home/bin/javac")"
            if [[ "${version%%.*}" == "$1" ]]; then
                echo "$home"
                return
            fi
        fi
    done
}

# The package of the oldest JDK that will do and that this distribution has.
jdk_package() {
    local version
    for version in "${SUPPORTED_JDKS[@]}"; do
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
    update_packages
    echo "Installing ${*/#JDK/$(jdk_package)}; the output of apt-get: $INSTALL_LOG"
    if ! run_apt_get install -y -qq --no-install-recommends "${@/#JDK/$(jdk_package)}"; then
        echo "apt-get failed:"
        show_errors "$INSTALL_LOG"
        return 1
    fi
}

# Installs packages that this distribution may not have.
try_to_install() {
    update_packages
    run_apt_get install -y -qq --no-install-recommends "$@" || true
}

# Once for each script.
update_packages() {
    if [[ -z "${packages_updated:-}" ]]; then
        run_apt_get update -qq || true
        packages_updated=true
    fi
}

run_apt_get() {
    local -a as_root=()
    if ((EUID != 0)); then
        as_root=(sudo -n)
    fi
    mkdir -p "$(dirname "$INSTALL_LOG")"
    # Checks that run side by side would find apt-get's own locks taken. What apt-get starts does not keep this one.
    exec 9>"$INSTALL_LOG.lock"
    flock 9
    local status=0
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get "$@" >"$INSTALL_LOG" 2>&1 9>&- || status=$?
    exec 9>&-
    return "$status"
}

# The lines of a log that say what is wrong, of apt-get, CMake, a C++ compiler or Maven, and where the others are. Not Maven's words
# on how to find out more.
show_errors() {
    local -a errors
    mapfile -t errors < <(awk '
        /^\[ERROR\] +(\[Help|-> \[Help|Re-run Maven|To see the full|For more information|After correcting|mvn <args>|\tat )/ { next }
        /^CMake Error/ { more = 4 }
        /^E: |^\[ERROR\] +[^ ]|: (fatal )?error: / || (more-- > 0 && NF)
    ' "$1")
    if ((${#errors[@]} == 0)); then
        mapfile -t errors < <(tail -n 15 "$1")
    fi
    printf '    %s\n' "${errors[@]:0:20}"
    echo "All of it: $1"
}

give_up() {
    {
        echo "$1"
        echo "The build needs a JDK $JAVA_AT_LEAST or newer (JAVA_HOME, or javac on the PATH), Maven $MAVEN_AT_LEAST or newer," \
            "a C++17 compiler, CMake $CMAKE_AT_LEAST or newer, and make or ninja."
        if has apt-get; then
            echo "Here: sudo apt-get update && sudo apt-get install -y $(jdk_package) maven g++ cmake make"
        fi
    } >&2
    exit 1
}

# Copies the working tree without what was built in it, into a folder that is made.
copy_tree() {
    mkdir -p "$1"
    tar -C "$ROOT" --exclude=./.git --exclude=target -cf - . | tar -xf - -C "$1"
}

# What became of the downstream projects; a project that is meant to fail succeeds by failing.
count_projects() {
    local -a all good
    mapfile -t all < <(find "$@" -name 'BUILD-*.xml' 2>/dev/null)
    mapfile -t good < <(grep -l -s 'result="success"' "${all[@]}" /dev/null)
    echo "Projects run: ${#all[@]}, as expected: ${#good[@]}"
}

# Runs Maven in this folder, without reports of runs before, and keeps what it prints for summarize. Modules that need none that
# failed are still built and tested.
run_maven() {
    local module
    for module in "${MODULES[@]}"; do
        rm -rf "$module"/target/{surefire,slurm,invoker}-reports "$module/target/rank-starts"
    done
    mkdir -p "${TEST_LOG%/*}"
    mvn -B -ntp --fail-at-end "$@" 2>&1 | tee "$TEST_LOG"
}

# What became of these modules, or of all, why Maven failed, and where the time went.
summarize() {
    local -a modules=("${@:-${MODULES[@]}}")
    "$(jdk_tool java)" "$ROOT/.ci/TestResults.java" --summary "$TEST_LOG" "${modules[@]}"
}

# Adds up Surefire's reports of the modules given, in Maven's own words.
count_tests() {
    "$(jdk_tool java)" "$ROOT/.ci/TestResults.java" "${@/%//target/surefire-reports}"
}

# The same, and before it each test with its result.
show_tests() {
    "$(jdk_tool java)" "$ROOT/.ci/TestResults.java" --list "${@/%//target/surefire-reports}"
}

# What the tests say that failed, those with the same cause together; nothing if none failed.
show_failures() {
    "$(jdk_tool java)" "$ROOT/.ci/TestResults.java" --failures "${@/%//target/surefire-reports}"
}

# Runs one of the scripts beside this one. Its result, a line, is left in a file; its log is printed only if it fails.
run_check() {
    local start="$SECONDS" status=0
    mkdir -p "$CHECKS"
    "$ROOT/.ci/$1.sh" >"$CHECKS/$1.result" 2>"$CHECKS/$1.log" || status=$?
    if ((status != 0)); then
        echo "FAILED after $((SECONDS - start)) s: .ci/$1.sh. Its log:"
        cat "$CHECKS/$1.log"
    else
        echo "Passed after $((SECONDS - start)) s: .ci/$1.sh. Its log: $CHECKS/$1.log"
    fi
    return "$status"
}

show_check() {
    printf '%-14s %s\n' "$1" "$(cat "$CHECKS/$1.result")"
}
