// The runtime tensormap_and_ringbuffer.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "graph_support.h"

using namespace rankunit::test;

namespace {

uint64_t resident_kib() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        unsigned long long kib = 0;
        if (std::sscanf(line.c_str(), "VmRSS: %llu", &kib) == 1) return kib;
    }
    return 0;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr uint64_t kManyTasks = 100'000;
#else
constexpr uint64_t kManyTasks = 1'000'000;
#endif

}  // namespace

TEST(reads_and_writes_of_the_same_bytes_keep_their_order) {
    for (int round = 0; round < 100; round++) {
        const GraphDevice device;
        const uint64_t x = device.allocate(8), y = device.allocate(8), z = device.allocate(8);
        TestGraph graph(device, GRAPH_TENSOR_MAP);
        graph.orchestrate("hazards");
        graph.run_well({x, y, z});
        CHECK_EQUAL(device.word(x), 100u);
        CHECK_EQUAL(device.word(y), 11u);
        CHECK_EQUAL(device.word(z), 16u);
    }
}

TEST(ranges_that_overlap_are_ordered_whatever_address_they_begin_at) {
    for (int round = 0; round < 100; round++) {
        const GraphDevice device;
        const uint64_t array = device.allocate(64);
        TestGraph graph(device, GRAPH_TENSOR_MAP);
        graph.orchestrate("aliases");
        graph.run_well({array});
        CHECK_EQUAL(device.word(array), 7u);
        CHECK_EQUAL(device.word(array + 24), 111u);
        CHECK_EQUAL(device.word(array + 32), 1111u);
    }
}

// Words that hold the order of all that was done to them.
TEST(random_programs_have_the_results_of_running_them_in_order) {
    constexpr uint64_t kWords = 24;
    for (uint32_t seed = 1; seed <= 100; seed++) {
        std::mt19937 random(seed);
        const GraphDevice device;
        const uint64_t words = device.allocate(8 * kWords);
        std::vector<uint64_t> expected(kWords);
        for (uint64_t i = 0; i < kWords; i++) device.set_word(words + 8 * i, expected[i] = i + 1);
        std::vector<uint64_t> args{words};
        for (int task = 0; task < 60; task++) {
            const uint64_t target = random() % kWords, source = random() % kWords;
            const uint64_t targets = 1 + random() % std::min<uint64_t>(4, kWords - target);
            const uint64_t sources = 1 + random() % std::min<uint64_t>(6, kWords - source);
            args.insert(args.end(), {target, targets, source, sources});
            uint64_t sum = 0;
            for (uint64_t i = 0; i < sources; i++) sum += expected[source + i];
            for (uint64_t i = 0; i < targets; i++) expected[target + i] = expected[target + i] * 31 + sum;
        }
        TestGraph graph(device, GRAPH_TENSOR_MAP);
        graph.set(GRAPH_SLOTS, 8);
        graph.orchestrate("program");
        graph.run_well(args);
        for (uint64_t i = 0; i < kWords; i++) CHECK_EQUAL(device.word(words + 8 * i), expected[i]);
    }
}

TEST(a_ring_of_16_slots_runs_208_tasks) {
    const GraphDevice device;
    const uint64_t target = device.allocate(8);
    TestGraph graph(device, GRAPH_TENSOR_MAP);
    graph.set(GRAPH_SLOTS, 16);
    graph.set(GRAPH_HEAP_BYTES, 16 * 1024);
    graph.orchestrate("scopes_of_tasks");
    graph.run_well({target, 208, 16});
    CHECK_EQUAL(device.word(target), 104u);
    CHECK_EQUAL(graph.count(GRAPH_COUNT_COMPLETED), 208u);
    CHECK_EQUAL(graph.count(GRAPH_COUNT_MOST_SLOTS), 16u);
    graph.run_well({target, 208, 2});
    CHECK_EQUAL(device.word(target), 208u);
}

// An output needs 1 KiB, so that the heap holds the outputs of one and a half scopes, and wraps again and again.
TEST(the_heap_wraps_and_holds_back_submissions) {
    const GraphDevice device;
    const uint64_t target = device.allocate(8);
    TestGraph graph(device, GRAPH_TENSOR_MAP);
    graph.set(GRAPH_SLOTS, 64);
    graph.set(GRAPH_HEAP_BYTES, 3 * 1024);
    graph.orchestrate("scopes_of_tasks");
    graph.run_well({target, 2000, 4});
    CHECK_EQUAL(device.word(target), 1000u);
    CHECK(graph.count(GRAPH_COUNT_MOST_HEAP) <= 3);
    // as many as it holds
    graph.run_well({target, 1998, 6});
    CHECK_EQUAL(device.word(target), 1999u);
    CHECK_EQUAL(graph.count(GRAPH_COUNT_MOST_HEAP), 3u);
}

TEST(a_million_tasks_pass_through_64_slots_in_constant_memory) {
    const GraphDevice device;
    const uint64_t words = device.allocate(8 * 16);
    TestGraph graph(device, GRAPH_TENSOR_MAP);
    graph.set(GRAPH_SLOTS, 64);
    graph.orchestrate("empty_tasks");
    graph.run_well({words, kManyTasks / 10, 50, 16});
    // What tasks leave behind grows in each run. What a thread takes when it works for the first time, 3 MiB in an
    // emulator, grows once, and that may happen in any run.
    uint64_t grown = UINT64_MAX;
    for (int run = 0; run < 3 && grown >= 4096; run++) {
        const uint64_t before = resident_kib();
        graph.run_well({words, kManyTasks, 50, 16});
        CHECK_EQUAL(graph.count(GRAPH_COUNT_COMPLETED), kManyTasks);
        CHECK(graph.count(GRAPH_COUNT_MOST_SLOTS) <= 64);
        const uint64_t after = resident_kib();
        grown = after - std::min(before, after);
    }
    CHECK(grown < 4096);
}

TEST(a_scope_with_more_tasks_than_its_ring_has_slots_fails_at_once_by_name) {
    const GraphDevice device;
    TestGraph graph(device, GRAPH_TENSOR_MAP, "g");
    graph.set(GRAPH_SLOTS, 16);
    graph.orchestrate("large_scope");
    graph.run_well({8, 16});
    CHECK_EQUAL(graph.run({8, 17}), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(
        last_error(),
        "graph \"g\": orchestration \"large_scope\": scope \"layer 3\" is too large: it holds 16 tasks, and its "
        "ring 1 has 16 slots");
    CHECK_CONTAINS(last_error(), "raise GRAPH_SLOTS");
    graph.set(GRAPH_SLOTS, 32);
    graph.run_well({8, 17});
}

TEST(a_scope_with_larger_outputs_than_its_heap_fails_at_once_by_name) {
    const GraphDevice device;
    TestGraph graph(device, GRAPH_TENSOR_MAP);
    graph.set(GRAPH_HEAP_BYTES, 4096);
    graph.orchestrate("large_scope");
    graph.run_well({1024, 4});
    CHECK_EQUAL(graph.run({1025, 3}), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(
        last_error(),
        "scope \"layer 3\" is too large: it holds 4096 bytes of outputs, and its ring 1 has a heap of 4096 bytes, "
        "of which task \"tile\" needs 2048");
    CHECK_CONTAINS(last_error(), "raise GRAPH_HEAP_BYTES");
    CHECK_EQUAL(graph.run({4097, 1}), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), "task \"tile\" needs 5120 bytes for its outputs, and the heap of a ring has 4096");
}

TEST(tasks_of_a_manual_scope_are_ordered_by_hand_and_the_others_as_ever) {
    for (int round = 0; round < 50; round++) {
        const GraphDevice device;
        const uint64_t word = device.allocate(8), copy = device.allocate(8), cell = device.allocate(4);
        TestGraph graph(device, GRAPH_TENSOR_MAP);
        graph.orchestrate("manual_scope");
        graph.run_well({word, copy});
        CHECK_EQUAL(device.word(copy), 31u);
        TestGraph unordered(device, GRAPH_TENSOR_MAP);
        unordered.orchestrate("unordered_by_hand");
        unordered.run_well({cell});
    }
}

TEST(an_output_cannot_be_used_when_its_scope_has_ended) {
    const GraphDevice device;
    const uint64_t word = device.allocate(8);
    TestGraph graph(device, GRAPH_TENSOR_MAP);
    graph.orchestrate("use_after_scope");
    CHECK_EQUAL(graph.run({word}), DEVICE_BAD_ADDRESS);
    CHECK_CONTAINS(last_error(),
                   "argument 1: 8 bytes in the heap of ring 1 that belong to no output of a scope that is open");
}

TEST(mistakes_with_scopes_are_named) {
    const GraphDevice device;
    TestGraph graph(device, GRAPH_TENSOR_MAP);
    graph.orchestrate("scope_mistake");
    const char *const texts[] = {"it returned without ending scope \"left open\"", "a scope ends, but none has begun",
                                 "a task is published with its submission",
                                 "a task of kernel \"put\" has an `after`, but scope \"the whole orchestration\""};
    uint64_t mistake = 0;
    for (const char *text : texts) {
        CHECK(graph.run({mistake++}) != DEVICE_OK);
        CHECK_CONTAINS(last_error(), text);
    }
}

TEST(submitted_tasks_wait_for_cells_and_have_predicates) {
    const GraphDevice device;
    const uint64_t cell = device.allocate(4), other_cell = device.allocate(4), word = device.allocate(8);
    TestGraph graph(device, GRAPH_TENSOR_MAP);
    graph.orchestrate("wait_and_predicate");
    CHECK_EQUAL(graph.run({cell, word, 0}), DEVICE_TIMEOUT);
    CHECK_CONTAINS(last_error(), "task 1 \"ffn\" waits for the cell at ");
    graph.run_well({cell, word, 2});
    CHECK_EQUAL(device.word(word), 1u);
    CHECK_EQUAL(graph.count(GRAPH_COUNT_SKIPPED), 1u);
    // the first cell is still 2, which would let the tasks go on before the signal
    graph.run_well({other_cell, word, 3});
    CHECK_EQUAL(device.word(word), 7u);
    CHECK_EQUAL(graph.count(GRAPH_COUNT_SKIPPED), 0u);
}

// The orchestration waits for a slot, and what holds it waits for a cell.
TEST(a_full_ring_behind_a_wait_that_nobody_posts_is_named) {
    const GraphDevice device;
    const uint64_t cell = device.allocate(4), word = device.allocate(8);
    TestGraph graph(device, GRAPH_TENSOR_MAP);
    graph.orchestrate("blocked_by_wait");
    graph.set(GRAPH_SLOTS, 4);
    CHECK_EQUAL(graph.run({cell, word}), DEVICE_TIMEOUT);
    CHECK_CONTAINS(last_error(), "orchestration \"blocked_by_wait\" has not returned, but waits for room in a ring");
    CHECK_CONTAINS(last_error(), "task 1 of ring 1 \"blocker\" waits for the cell at ");
}

TEST(impossible_sizes_are_refused) {
    const GraphDevice device;
    const TestGraph graph(device, GRAPH_TENSOR_MAP);
    for (const uint64_t slots : {uint64_t{0}, uint64_t{12}, uint64_t{1} << 21}) {
        CHECK_EQUAL(graph_set(device.get(), graph.number(), GRAPH_SLOTS, slots), DEVICE_INVALID_ARGUMENT);
    }
    CHECK_CONTAINS(last_error(), "GRAPH_SLOTS = 2097152 is not a power of two in [1, 1048576]");
    for (const uint64_t bytes : {uint64_t{0}, uint64_t{1000}, UINT64_MAX - 1023}) {
        CHECK_EQUAL(graph_set(device.get(), graph.number(), GRAPH_HEAP_BYTES, bytes), DEVICE_INVALID_ARGUMENT);
    }
    CHECK_EQUAL(graph_set(device.get(), graph.number(), GRAPH_TASKS, 5), DEVICE_NOT_SUPPORTED);
    CHECK_EQUAL(graph_set(device.get(), graph.number(), 9, 5), DEVICE_INVALID_ARGUMENT);
}
