// What the programs share that make empty tasks and run them on two cores, so that all are measured alike.
//
//     PROGRAM CHAINS TASKS ROUNDS
//
// Task i depends on task i - CHAINS; without CHAINS, 0, there are no dependencies. In each round all tasks are made and
// run, and the memory is given back, which is not timed. Prints, for each round after one that is not counted, two
// lines: the seconds in which the tasks were made, and those in which they were run. Where tasks run while others are
// made, the first one is 0.
#ifndef RANKUNIT_BENCHMARKS_TASKS_H
#define RANKUNIT_BENCHMARKS_TASKS_H

#include <sched.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace tasks {

struct Shape {
    uint64_t chains;
    uint64_t tasks;
};

// An empty task: a call that the compiler must make.
__attribute__((noinline)) inline void do_nothing() {
    __asm__ volatile("" : : : "memory");
}

// The first two cores that this process may use.
inline void use_two_cores() {
    cpu_set_t allowed, chosen;
    CPU_ZERO(&chosen);
    if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) std::abort();
    for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&chosen) < 2; cpu++) {
        if (CPU_ISSET(cpu, &allowed)) CPU_SET(cpu, &chosen);
    }
    if (sched_setaffinity(0, sizeof(chosen), &chosen) != 0) std::abort();
}

class Clock {
public:
    // Seconds since it was made, or since this was called the last time.
    double lap() {
        const auto now = std::chrono::steady_clock::now();
        const std::chrono::duration<double> passed = now - last_;
        last_ = now;
        return passed.count();
    }

private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

struct Seconds {
    double make;
    double run;
};

// `round` makes and runs the tasks of a Shape and returns Seconds.
template <typename Round>
int measure(int argc, char **argv, Round round) {
    if (argc != 4) {
        std::fprintf(stderr, "usage: %s CHAINS TASKS ROUNDS\n", argv[0]);
        return 2;
    }
    const Shape shape{std::strtoull(argv[1], nullptr, 10), std::strtoull(argv[2], nullptr, 10)};
    const int rounds = std::atoi(argv[3]);
    for (int i = -1; i < rounds; i++) {
        const Seconds seconds = round(shape);
        if (i >= 0) std::printf("%.9f\n%.9f\n", seconds.make, seconds.run);
    }
    return 0;
}

}  // namespace tasks

#endif  // RANKUNIT_BENCHMARKS_TASKS_H
