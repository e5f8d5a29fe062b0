// Dependencies by byte ranges, against a map of single bytes.
#include "graph/runtimes/tensor_map.h"

#include <deque>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "graph_support.h"

using namespace rankunit::graph;

namespace {

std::set<uint64_t> ids(const std::vector<TaskUse> &uses) {
    std::set<uint64_t> ids;
    for (const TaskUse &use : uses) ids.insert(use.id);
    return ids;
}

struct Byte {
    std::set<uint64_t> writers;
    std::set<uint64_t> readers;
};

}  // namespace

TEST(it_finds_what_a_map_of_single_bytes_finds) {
    constexpr uint64_t kBytes = 64;
    for (uint32_t seed = 1; seed <= 200; seed++) {
        std::mt19937 random(seed);
        TensorMap map;
        std::vector<Byte> bytes(kBytes);
        std::deque<Task> tasks;
        std::map<uint64_t, uint64_t> scope_of;
        for (uint64_t id = 1; id <= 150; id++) {
            Task &task = tasks.emplace_back();
            task.id = id;
            const uint64_t scope = id % 20 < 6 ? id / 20 + 1 : 0;  // every now and then a manual one
            scope_of[id] = scope;
            const uint64_t start = random() % kBytes;
            const TensorMap::Range range{start, start + 1 + random() % (kBytes - start)};
            const bool writes = random() % 2 == 0;
            std::vector<TaskUse> found;
            map.find(range, writes, {&task, id, scope}, found);
            std::set<uint64_t> expected;
            const auto expect = [&](const std::set<uint64_t> &others) {
                for (const uint64_t other : others) {
                    const bool by_hand = scope != 0 && scope_of[other] == scope;
                    if (!by_hand && !tasks[other - 1].has_completed()) expected.insert(other);
                }
            };
            for (uint64_t at = range.start; at < range.end; at++) {
                expect(bytes[at].writers);
                if (writes) expect(bytes[at].readers);
            }
            CHECK(ids(found) == expected);
            map.add(range, writes, {&task, id, scope});
            for (uint64_t at = range.start; at < range.end; at++) {
                if (!writes) {
                    bytes[at].readers.insert(id);
                } else if (scope == 0) {
                    bytes[at] = {{id}, {}};
                } else {
                    bytes[at].writers.insert(id);
                }
            }
            if (random() % 4 == 0) tasks[random() % id].successors.store(completed_edges());
        }
    }
}

TEST(a_task_does_not_depend_on_itself) {
    TensorMap map;
    Task task;
    task.id = 1;
    map.add({0, 8}, false, {&task, 1, 0});
    std::vector<TaskUse> found;
    map.find({0, 8}, true, {&task, 1, 0}, found);
    CHECK(found.empty());
}

TEST(it_forgets_what_has_completed) {
    TensorMap map;
    Task task;
    for (uint64_t id = 1; id <= 100'000; id++) {
        task.id = id;
        map.add({16 * id, 16 * id + 8}, id % 2 == 0, {&task, id, 0});
    }
    CHECK(map.size() <= 2048);
}

TEST(a_slot_that_has_another_task_now_is_no_dependency) {
    TensorMap map;
    Task task;
    task.id = 1;
    map.add({0, 8}, true, {&task, 1, 0});
    task.id = 17;
    Task reader;
    reader.id = 2;
    std::vector<TaskUse> found;
    map.find({0, 8}, false, {&reader, 2, 0}, found);
    CHECK(found.empty());
}
