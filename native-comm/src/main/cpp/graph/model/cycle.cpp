#include "graph/model/cycle.h"

#include <vector>

namespace rankunit::graph {
namespace {

constexpr size_t kMostNamed = 16;

struct Step {
    uint64_t task;
    const Edge *next;
};

std::string text_of(const std::vector<Step> &path, size_t start, const std::function<const Task &(uint64_t)> &task) {
    std::string text;
    for (size_t i = start; i < path.size() && i - start < kMostNamed; i++) text += task(path[i].task).text() + " -> ";
    if (path.size() - start > kMostNamed) text += std::to_string(path.size() - start - kMostNamed) + " more -> ";
    return text + task(path[start].task).text();
}

}  // namespace

// Depth-first, without recursion, since a graph may be one chain.
std::string text_of_cycle(size_t count, const std::function<const Task &(uint64_t)> &task,
                          const std::function<const Edge *(const Task &)> &edges) {
    enum : char { kNew, kOnPath, kDone };
    std::vector<char> state(count + 1, kNew);
    std::vector<Step> path;
    for (uint64_t first = 1; first <= count; first++) {
        if (state[first] != kNew) continue;
        state[first] = kOnPath;
        path.push_back({first, edges(task(first))});
        while (!path.empty()) {
            Step &step = path.back();
            if (step.next == nullptr) {
                state[step.task] = kDone;
                path.pop_back();
                continue;
            }
            const uint64_t after = step.next->after->id;
            step.next = step.next->next;
            if (state[after] == kOnPath) {
                size_t start = path.size() - 1;
                while (path[start].task != after) start--;
                return text_of(path, start, task);
            }
            if (state[after] == kDone) continue;
            state[after] = kOnPath;
            path.push_back({after, edges(task(after))});
        }
    }
    return "";
}

}  // namespace rankunit::graph
