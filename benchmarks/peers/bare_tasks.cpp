// The ceiling: a list of functions, of which each of two threads calls its half. A chain belongs to one thread as a
// whole, so that its order costs nothing. Arguments and output: tasks.h.
#include <thread>
#include <vector>

#include "tasks.h"

namespace {

using Task = void (*)();

void run_half(const std::vector<Task> &list, uint64_t chains, uint64_t half) {
    const uint64_t width = chains > 0 ? chains : list.size();
    const uint64_t begin = half * (width / 2), end = half == 0 ? width / 2 : width;
    for (uint64_t row = 0; row < list.size(); row += width) {
        for (uint64_t i = row + begin; i < row + end && i < list.size(); i++) list[i]();
    }
}

tasks::Seconds round(const tasks::Shape &shape) {
    tasks::Clock clock;
    std::vector<Task> list;
    for (uint64_t i = 0; i < shape.tasks; i++) list.push_back(tasks::do_nothing);
    const double made = clock.lap();
    std::thread other([&] { run_half(list, shape.chains, 0); });
    run_half(list, shape.chains, 1);
    other.join();
    return {made, clock.lap()};
}

}  // namespace

int main(int argc, char **argv) {
    tasks::use_two_cores();
    return tasks::measure(argc, argv, round);
}
