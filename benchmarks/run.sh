#!/usr/bin/env bash
# Measure: benchmarks/run.sh SUITE [--quick] [--json]. Suites: overhead, scale, faults, pool, comm, collectives, kernels, golden, runtime,
# report, slurm.
#
# Prints a table, or with --json one object per figure and line. Peers alternate with ours in the same call; one that is not
# installed is installed from Debian's packages where that is possible, and else reported as absent. JAVA_HOME chooses the JDK.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
lib=$here/target/lib
cases=$here/target/cases
output=$here/target/output
java=${JAVA_HOME:+$JAVA_HOME/bin/}java

usage() {
  echo "usage: benchmarks/run.sh overhead|scale|faults|pool|comm|collectives|kernels|golden|runtime|report|slurm [--quick] [--json]" >&2
  exit 2
}
case "${1-}" in
  overhead | scale | faults | pool | comm | collectives | kernels | golden | runtime | report | slurm) ;;
  *) usage ;;
esac
for option in "${@:2}"; do
  case $option in
    --quick | --json) ;;
    *) usage ;;
  esac
done

if { [ "$1" = overhead ] || [ "$1" = collectives ]; } \
  && ! python3 -c 'import torch' 2>/dev/null && ! /usr/bin/python3 -c 'import torch' 2>/dev/null; then
  if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    echo "Installing the peer python3-torch ..." >&2
    { apt-get update -qq && apt-get install -y -qq python3-torch; } >/dev/null 2>&1 \
      || echo "python3-torch cannot be installed; the peer is reported as absent" >&2
  fi
fi
if [ "$1" = golden ] && ! python3 -c 'import numpy' 2>/dev/null && ! /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
  if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    echo "Installing the peer python3-numpy ..." >&2
    { apt-get update -qq && apt-get install -y -qq python3-numpy; } >/dev/null 2>&1 \
      || echo "python3-numpy cannot be installed; the peer is reported as absent" >&2
  fi
fi
# Debian's PyTorch belongs to Debian's Python, which need not be the first one on the path.
if ! python3 -c 'import torch' 2>/dev/null; then
  export PATH=/usr/bin:$PATH
fi

# Empty tasks of ours, which need what Maven has built, and of peers. One that cannot be built is absent.
build_tasks() {
  local flags=(-O2 -std=c++17 -Wall -Wextra) sim=$root/native-comm/target/classes/linux-$(uname -m | tr _ -)
  local include=$root/native-comm/src/main/cpp/include
  if ! echo '#include <oneapi/tbb/flow_graph.h>' | c++ -std=c++17 -fsyntax-only -x c++ - 2>/dev/null \
    && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    echo "Installing the peer libtbb-dev ..." >&2
    { apt-get update -qq && apt-get install -y -qq libtbb-dev; } >/dev/null 2>&1 || true
  fi
  rm -f "$output"/*_tasks
  c++ "${flags[@]}" -pthread "$here/peers/bare_tasks.cpp" -o "$output/bare_tasks"
  c++ "${flags[@]}" "$here/peers/tbb_tasks.cpp" -ltbb -o "$output/tbb_tasks" 2>/dev/null \
    || echo "The peer oneTBB is absent; install libtbb-dev" >&2
  { g++ "${flags[@]}" -fopenmp "$here/peers/openmp_tasks.cpp" -o "$output/openmp_tasks" \
    && g++ "${flags[@]}" -fopenmp -DWITHOUT_DEPEND "$here/peers/openmp_tasks.cpp" -o "$output/openmp_plain_tasks"; } \
    2>/dev/null || echo "The peer OpenMP of GCC is absent; install g++" >&2
  c++ "${flags[@]}" -fPIC -shared "-I$include" "$here/runtime/task_kernels.cpp" -o "$output/libtask_kernels.so"
  c++ "${flags[@]}" "-I$include" "-DTASK_KERNELS=\"$output/libtask_kernels.so\"" "$here/runtime/rankunit_tasks.cpp" \
    "-L$sim" -lrankunit_sim "-Wl,-rpath,$sim" -o "$output/rankunit_tasks"
}

mkdir -p "$output"
if [ "$1" = comm ] || [ "$1" = collectives ]; then
  if ! command -v mpicc.openmpi >/dev/null && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    echo "Installing the peer openmpi-bin libopenmpi-dev ..." >&2
    { apt-get update -qq && apt-get install -y -qq openmpi-bin libopenmpi-dev; } >/dev/null 2>&1 \
      || echo "Open MPI cannot be installed; the peer is reported as absent" >&2
  fi
  if command -v mpicc.openmpi >/dev/null; then
    mpicc.openmpi -O2 "$here/peers/mpi_barrier.c" -o "$output/mpi_barrier"
    mpicc.openmpi -O2 "$here/peers/mpi_collectives.c" -o "$output/mpi_collectives"
  fi
fi
if command -v cc >/dev/null; then
  cc -O2 "$here/peers/memcpy_windows.c" -o "$output/memcpy_windows"
  cc -O2 "$here/peers/round_trip.c" -o "$output/round_trip"
  cc -O3 -march=native "$here/peers/two_streams.c" -o "$output/two_streams"
  cc -O3 -march=native "$here/peers/shared_collectives.c" -o "$output/shared_collectives"
fi

mvn -B -q -f "$root/pom.xml" -Pbenchmarks -pl benchmarks -am -DskipTests package >&2

if [ "$1" = runtime ]; then
  build_tasks
fi

# Ordinary test methods, thousands of them: what is measured must not be the cost of parameterized tests.
mkdir -p "$cases/org/rankunit/benchmarks"
sources=()
write_plain_case() { # name, tests
  local source=$cases/org/rankunit/benchmarks/$1Case.java i
  {
    echo "package org.rankunit.benchmarks;"
    echo "class $1Case {"
    for i in $(seq "$2"); do
      echo "    @org.junit.jupiter.api.Test void test$i() {}"
    done
    echo "}"
  } >"$source"
  sources+=("$source")
}
write_case() { # name, ranks, tests, what each does, further annotations of the class
  local source=$cases/org/rankunit/benchmarks/$1Case.java i
  {
    echo "package org.rankunit.benchmarks;"
    echo "@org.rankunit.DeviceCount($2) ${5-}"
    echo "public class $1Case {"
    for i in $(seq "$3"); do
      echo "    @org.junit.jupiter.api.Test void test$i(org.rankunit.RankContext rank) throws Exception { ${4-} }"
    done
    echo "}"
  } >"$source"
  sources+=("$source")
}
for ranks in 2 4 8; do
  write_case "Cold${ranks}" "$ranks" 1
  for class in $(seq 20); do
    write_case "Trivial${ranks}x${class}" "$ranks" 100
  done
done
for class in $(seq 100); do
  write_case "Many${class}" 2 20
done
for class in $(seq 21); do
  write_plain_case "Plain${class}" 50
done
write_case Assertion 2 100 "org.rankunit.benchmarks.faults.FaultRun.assertion(rank);"
write_case Barrier 2 100 "org.rankunit.benchmarks.faults.FaultRun.loneBarrier(rank);"
write_case Endless 4 1 "org.rankunit.benchmarks.faults.FaultRun.endless();"
write_case SlurmNear "value = 2, communicator = false" 100 "" "@org.rankunit.Nodes(1)"
write_case SlurmFar "value = 2, communicator = false" 100 "" "@org.rankunit.Nodes(2)"
write_case SlurmEndless "value = 2, communicator = false" 1 "org.rankunit.benchmarks.slurm.SlurmSuite.endless(rank);" \
  "@org.rankunit.Nodes(2)"
for class in $(seq 50); do
  write_case "SlurmBusy${class}" "value = 2, communicator = false" 4 "org.rankunit.benchmarks.slurm.SlurmSuite.work();"
done
"${java}c" -nowarn -proc:none -cp "$lib/*:$here/target/classes" -d "$here/target/classes" "${sources[@]}"

heap=()
[ "$1" = scale ] && heap=(-Xmx256m)
# What large schedules must do with.
[ "$1" = collectives ] && heap=(-Xmx2g)
# Four arrays of 64 Mi elements and what they are made of.
[ "$1" = golden ] && heap=(-Xmx3g)
run=(exec)
if [ "$1" = slurm ]; then
  slurm=$root/engine/src/test/slurm/netns-slurm.sh
  reason=$("$slurm" why-not)
  if [ -n "$reason" ]; then
    echo "There is no Slurm cluster to measure on: $reason" >&2
    exit 1
  fi
  SLURM_CLUSTER_FOLDER=$(mktemp -d /tmp/rankunit-slurm-XXXXXX)
  export SLURM_CLUSTER_FOLDER SLURM_CLUSTER_SCRIPT=$slurm SLURM_CONF=$SLURM_CLUSTER_FOLDER/etc/slurm.conf
  trap '"$slurm" stop "$SLURM_CLUSTER_FOLDER" >&2; rm -rf "$SLURM_CLUSTER_FOLDER"' EXIT
  mkdir "$SLURM_CLUSTER_FOLDER/own"
  HIDE=$SLURM_CLUSTER_FOLDER/own EXTRA_CONF="SlurmdTimeout=300" "$slurm" start "$SLURM_CLUSTER_FOLDER" 4 2 >&2
  run=("$slurm" exec "$SLURM_CLUSTER_FOLDER")
fi
"${run[@]}" "$java" "${heap[@]}" -cp "$lib/*:$here/target/classes" -Dorg.slf4j.simpleLogger.defaultLogLevel=warn \
  org.rankunit.benchmarks.Benchmarks "$1" "$here/peers" "${@:2}"
