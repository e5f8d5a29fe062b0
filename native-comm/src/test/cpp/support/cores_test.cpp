// The cores that a thread may use, and moving between them.
#include "support/cores.h"

#include <sched.h>

#include <chrono>
#include <vector>

#include "harness/check.h"

namespace {

cpu_set_t allowed() {
    cpu_set_t cores;
    CHECK(sched_getaffinity(0, sizeof(cores), &cores) == 0);
    return cores;
}

void allow(const cpu_set_t &cores) {
    CHECK(sched_setaffinity(0, sizeof(cores), &cores) == 0);
}

int first_of(const cpu_set_t &cores) {
    int core = 0;
    while (!CPU_ISSET(core, &cores)) core++;
    return core;
}

// The scheduler may move the thread back before anybody can look.
TEST(a_thread_moves_and_may_use_the_same_cores_afterwards) {
    const cpu_set_t before = allowed();
    if (CPU_COUNT(&before) == 1) return;
    bool moved = false;
    for (int i = 0; i < 1000 && !moved; i++) {
        const int from = sched_getcpu();
        CHECK(rankunit::move_to_another_core());
        moved = sched_getcpu() != from;
        const cpu_set_t after = allowed();
        CHECK(CPU_EQUAL(&before, &after));
    }
    CHECK(moved);
}

TEST(a_thread_with_one_core_stays) {
    const cpu_set_t before = allowed();
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first_of(before), &one);
    allow(one);
    CHECK_EQUAL(rankunit::usable_cores(), 1);
    CHECK(!rankunit::move_to_another_core());
    const cpu_set_t after = allowed();
    CHECK(CPU_EQUAL(&one, &after));
    allow(before);
    CHECK_EQUAL(rankunit::usable_cores(), CPU_COUNT(&before));
}

TEST(it_is_the_turn_of_one_thread_at_a_time_and_of_each_in_its_turn) {
    for (int count = 1; count <= 5; count++) {
        std::vector<int> turns(count);
        const rankunit::Clock::time_point start = rankunit::Clock::now();
        for (int step = 0; step < 100 * count; step++) {
            const rankunit::Clock::time_point now = start + step * std::chrono::microseconds(100);
            int threads = 0;
            for (int self = 0; self < count; self++) {
                if (!rankunit::is_turn_to_move(now, self, count)) continue;
                threads++;
                turns[self]++;
            }
            CHECK_EQUAL(threads, 1);
        }
        for (const int turn : turns) CHECK(turn > 0);
    }
}

}  // namespace
