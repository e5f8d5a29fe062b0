// Tasks of OpenMP, made by one thread of two, each with a depend clause: on a word of its chain, or on a word of its
// own if there are no chains. They run while others are made, and GCC's runtime has the maker run a task at once if
// more than 128 wait. Compiled WITHOUT_DEPEND, they have no such clause and hence no order. Arguments and output:
// tasks.h.
#include <vector>

#include "tasks.h"

namespace {

tasks::Seconds round(const tasks::Shape &shape) {
    const uint64_t count = shape.chains > 0 ? shape.chains : shape.tasks;
    std::vector<char> words(count);
    [[maybe_unused]] char *first = words.data();
    tasks::Clock clock;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (uint64_t i = 0; i < shape.tasks; i++) {
#ifdef WITHOUT_DEPEND
#pragma omp task
#else
#pragma omp task depend(inout : first[i % count])
#endif
        tasks::do_nothing();
    }
    return {0, clock.lap()};
}

}  // namespace

int main(int argc, char **argv) {
    tasks::use_two_cores();
    return tasks::measure(argc, argv, round);
}
