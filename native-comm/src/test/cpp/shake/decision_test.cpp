// What is decided at the points of a schedule, and the order of ready tasks that follows from it.
#include "shake/decision.h"

#include <cmath>
#include <set>
#include <vector>

#include "graph/schedule/ready_queue.h"
#include "harness/check.h"

using namespace rankunit::test;
using namespace rankunit::shake;

namespace {

constexpr Strategy kAll[] = {Strategy::kRandom, Strategy::kPct, Strategy::kDelay};

Point of_host(uint64_t call) {
    return {kHost, call, 0, 0, 0};
}

Point of_block(uint64_t task, uint32_t block, uint32_t step) {
    return {2, 1, task, part_of(block, 0), step};
}

// The pauses of the first points of the host.
std::vector<uint32_t> pauses(Strategy strategy, uint64_t seed, uint64_t points) {
    std::vector<uint32_t> pauses;
    for (uint64_t call = 1; call <= points; call++) pauses.push_back(decide(strategy, seed, of_host(call)).pause);
    return pauses;
}

size_t paused(Strategy strategy, uint64_t seed, uint64_t points) {
    size_t paused = 0;
    for (const uint32_t pause : pauses(strategy, seed, points)) paused += pause > 0 ? 1 : 0;
    return paused;
}

}  // namespace

TEST(a_decision_follows_from_strategy_seed_and_point_alone) {
    for (const Strategy strategy : kAll) {
        std::set<std::vector<uint32_t>> different;
        for (uint64_t seed = 1; seed <= 20; seed++) {
            CHECK(pauses(strategy, seed, 50) == pauses(strategy, seed, 50));
            different.insert(pauses(strategy, seed, 50));
        }
        CHECK(different.size() >= 3);
        CHECK(pauses(strategy, 1, 50) != pauses(strategy, 2, 50) || pauses(strategy, 1, 50) != pauses(strategy, 3, 50));
    }
}

TEST(random_pauses_at_one_of_four_points_and_less_often_where_much_happens) {
    size_t early = 0, late = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        early += paused(Strategy::kRandom, seed, 60);
        late += paused(Strategy::kRandom, seed, 10'000) - paused(Strategy::kRandom, seed, 60);
    }
    CHECK(early > 100 * 12 && early < 100 * 18);
    CHECK(late > 100 * 100 && late < 100 * 400);
}

TEST(delay_pauses_at_a_few_points) {
    size_t all = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) all += paused(Strategy::kDelay, seed, 100);
    CHECK(all > 100 * 2 && all < 100 * 5);
}

// From 0, which does not pause at all, to those that pause at every point.
TEST(with_pct_an_actor_pauses_at_all_of_its_points_or_at_none_until_it_changes) {
    bool none = false, every = false, changed = false;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        const std::vector<uint32_t> first = pauses(Strategy::kPct, seed, 60);
        size_t changes = 0;
        for (size_t i = 1; i < first.size(); i++) changes += first[i] != first[i - 1] ? 1 : 0;
        CHECK(changes <= 1);
        none = none || first.back() == 0;
        every = every || (changes == 0 && first.front() > 0);
        changed = changed || changes == 1;
        CHECK(changes == 0 || first.back() > first.front());
    }
    CHECK(none && every && changed);
}

TEST(a_queued_task_gets_a_priority_and_does_not_pause) {
    std::set<uint32_t> priorities;
    for (uint64_t task = 1; task <= 100; task++) {
        const Decision decision = decide(Strategy::kRandom, 1, {kHost, 3, task, 0, kQueued});
        CHECK_EQUAL(decision.pause, 0u);
        priorities.insert(decision.priority);
    }
    CHECK(priorities.size() > 95);
    CHECK(decide(Strategy::kRandom, 1, {kHost, 3, 7, 0, kPublished}).waits);
}

TEST(the_hash_of_a_decision_names_the_point_and_what_was_decided) {
    const std::set<uint64_t> hashes{hash_of(of_host(1), {0, 0}),        hash_of(of_host(2), {0, 0}),
                                    hash_of(of_host(1), {4, 0}),        hash_of(of_host(1), {0, 4}),
                                    hash_of(of_block(1, 0, 0), {0, 0}), hash_of(of_block(1, 0, 1), {0, 0})};
    CHECK_EQUAL(hashes.size(), 6u);
}

TEST(points_have_names_and_an_order) {
    CHECK_EQUAL(text_of(of_host(12), {16, 0}), "host, call 12: pauses 16");
    CHECK_EQUAL(text_of(Point{2, 5, 0, 0, 0}, {}), "stream 2, work 5: goes on");
    CHECK_EQUAL(text_of(Point{-1, 5, 0, 0, 0}), "earlier stream 1, work 5");
    CHECK_EQUAL(text_of(Point{kHost, 3, 7, 0, kQueued}, {0, 99, false}), "host, call 3, task 7, queued: priority 99");
    CHECK_EQUAL(text_of(Point{kHost, 3, uint64_t{1} << 56 | 7, 0, kPublished}),
                "host, call 3, task 7 of ring 1, published");
    CHECK_EQUAL(text_of(of_block(7, 3, 0)), "stream 2, work 1, task 7, block 3, begin");
    CHECK_EQUAL(text_of(Point{2, 1, 0, part_of(3, kCubePart), 2}),
                "stream 2, work 1, block 3 (cube core), operation 2");
    CHECK_EQUAL(text_of(Point{2, 1, 0, part_of(0, 1), 1}),
                "stream 2, work 1, block 0 (second vector core), operation 1");
    const Point in_order[] = {of_host(2), of_host(10), {1, 1, 0, 0, 0}, {2, 1, 0, 0, 0}, {-1, 1, 0, 0, 0}};
    for (size_t i = 1; i < std::size(in_order); i++) CHECK(in_order[i - 1] < in_order[i]);
}

TEST(tasks_that_are_ready_leave_the_queue_by_their_priority_if_they_have_one) {
    using namespace rankunit::graph;
    const rankunit::device::KernelFunction function{"k", nullptr, nullptr};
    const GraphKernel kernel{function, "k", STREAM_CORES_VECTOR, 0};
    const auto order = [&](bool by_priority, const std::vector<uint64_t> &priorities) {
        std::vector<Task> tasks(priorities.size());
        ReadyQueue queue;
        for (size_t i = 0; i < tasks.size(); i++) {
            tasks[i].kernel = &kernel;
            tasks[i].id = i;
            tasks[i].ready_since = priorities[i];
            TaskList ready;
            ready.push(tasks[i]);
            queue.push(ready, by_priority);
        }
        CHECK_EQUAL(queue.blocks(), priorities.size());
        std::vector<uint64_t> ids;
        while (const Task *task = queue.first(STREAM_CORES_VECTOR)) {
            ids.push_back(task->id);
            queue.take_block(STREAM_CORES_VECTOR);
        }
        return ids;
    };
    CHECK((order(true, {30, 10, 20, 10}) == std::vector<uint64_t>{1, 3, 2, 0}));
    CHECK((order(false, {30, 10, 20, 10}) == std::vector<uint64_t>{0, 1, 2, 3}));
    // Beyond so many that go before it, a task waits at the end.
    std::vector<uint64_t> many(2000);
    for (size_t i = 0; i < many.size(); i++) many[i] = i;
    many.push_back(1500);
    CHECK_EQUAL(order(true, many).back(), 2000u);
}
