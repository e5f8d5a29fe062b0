// Shaking a device: what counts as a point, and that a run with the same seed decides the same.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/load.h"
#include "shake/shake_support.h"

using namespace rankunit::test;

namespace {

// A program with everything that has points: it is correct, so that it does the same in every order.
void do_everything(const GraphDevice &device) {
    const uint64_t memory = device.allocate(4096);
    const Stream first(device), second(device);
    uint32_t event = 0;
    CHECK_STATUS(event_create(device.get(), &event));
    first.launch("meet_blocks", {memory}, 4);
    first.launch("meet_parts", {memory + 64, memory + 128, memory + 136, memory + 144}, 2, STREAM_CORES_MIXED);
    CHECK_STATUS(event_record(device.get(), event, first.number()));
    CHECK_STATUS(event_wait(device.get(), second.number(), event));
    CHECK_STATUS(stream_copy(device.get(), second.number(), memory + 512, memory, 8));
    TestGraph graph(device, GRAPH_HOST_BUILT);
    const uint32_t root = graph.task("do_nothing", {});
    for (uint64_t i = 0; i < 16; i++) graph.edge(root, graph.task("put", {memory + 1024 + 8 * i, i}));
    graph.task(graph.kernel("mark_blocks"), {memory + 2048, memory + 3072}, "", 8);
    CHECK_STATUS(stream_run_graph(device.get(), second.number(), graph.number(), nullptr, 0));
    second.synchronize();
    first.synchronize();
    graph.run_well();
    CHECK_EQUAL(device.word(memory + 1024 + 8 * 15), 15u);
    CHECK_STATUS(event_destroy(device.get(), event));
}

}  // namespace

TEST(nothing_is_counted_before_it_is_asked_for_and_after_the_result) {
    const GraphDevice device;
    uint64_t count = 7, hash = 7;
    do_everything(device);
    CHECK_EQUAL(device_shake_result(device.get(), nullptr, &count, &hash), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), "nothing is shaken");
    CHECK_EQUAL(device_shake(device.get(), 4, 1), DEVICE_INVALID_ARGUMENT);
    CHECK_EQUAL(shaken(device, DEVICE_SHAKE_RANDOM, 1, [] {}).count, 0u);
    do_everything(device);
    CHECK_EQUAL(shaken(device, DEVICE_SHAKE_RANDOM, 1, [] {}).count, 0u);
    CHECK_STATUS(device_shake(device.get(), DEVICE_SHAKE_OFF, 1));
    do_everything(device);
    CHECK_EQUAL(device_shake_result(device.get(), nullptr, &count, &hash), DEVICE_INVALID_ARGUMENT);
}

TEST(a_device_that_is_closed_shakes_no_longer) {
    {
        const GraphDevice device;
        CHECK_STATUS(device_shake(device.get(), DEVICE_SHAKE_RANDOM, 1));
    }
    const GraphDevice another;
    do_everything(another);
    uint64_t count = 0, hash = 0;
    CHECK_EQUAL(device_shake_result(another.get(), nullptr, &count, &hash), DEVICE_INVALID_ARGUMENT);
}

TEST(a_group_has_a_file_and_at_most_64_ranks) {
    const GraphDevice device;
    const TempFolder folder;
    const std::string path = folder.file("order");
    CHECK_EQUAL(device_shake_group(device.get(), nullptr, 0, 2), DEVICE_INVALID_ARGUMENT);
    CHECK_EQUAL(device_shake_group(device.get(), path.c_str(), 0, 65), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), "nranks = 65");
    CHECK_EQUAL(device_shake_group(device.get(), path.c_str(), 2, 2), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), "rank = 2");
    CHECK_EQUAL(device_shake_group(device.get(), "/nowhere/order", 0, 2), DEVICE_SYSTEM);
    CHECK_CONTAINS(last_error(), "/nowhere/order");
    shaken(device, DEVICE_SHAKE_RANDOM, 1, [&] {
        CHECK_EQUAL(device_shake_group(device.get(), path.c_str(), 0, 2), DEVICE_INVALID_ARGUMENT);
        CHECK_CONTAINS(last_error(), "call this before");
    });
}

TEST(with_one_seed_a_program_decides_the_same_again) {
    for (const uint32_t strategy : {DEVICE_SHAKE_RANDOM, DEVICE_SHAKE_PCT, DEVICE_SHAKE_DELAY}) {
        const GraphDevice device;
        const auto run = [&](uint64_t seed) { return shaken(device, strategy, seed, [&] { do_everything(device); }); };
        const Result first = run(7);
        CHECK_EQUAL(first.lines.size(), first.count);
        CHECK(first.count > 100);
        CHECK(run(8).hash != first.hash);
        // on a device that has done nothing else
        const GraphDevice fresh;
        CHECK(shaken(fresh, strategy, 7, [&] { do_everything(fresh); }) == first);
    }
}

TEST(a_program_decides_the_same_on_a_busy_machine) {
    const GraphDevice device;
    const auto run = [&] { return shaken(device, DEVICE_SHAKE_PCT, 2, [&] { do_everything(device); }); };
    const Result first = run();
    const Load load;
    CHECK(run() == first);
}

TEST(points_are_named_by_what_happens_there) {
    const GraphDevice device;
    const Stream earlier(device);
    const Result result = shaken(device, DEVICE_SHAKE_RANDOM, 3, [&] {
        const uint64_t memory = device.allocate(64);  // its zeroing is call 1
        const Stream stream(device);
        stream.launch("meet_blocks", {memory}, 2);                                 // 2
        CHECK_STATUS(stream_zero(device.get(), earlier.number(), memory + 8, 8));  // 3
        stream.synchronize();                                                      // 4
        earlier.synchronize();                                                     // 5
        TestGraph graph(device, GRAPH_HOST_BUILT);
        graph.task("do_nothing", {});
        graph.run_well();  // 6; and the end of the stream is 7
    });
    std::vector<std::string> names;
    for (const std::string &line : result.lines) names.push_back(line.substr(0, line.find(':')));
    CHECK((names == std::vector<std::string>{
                        "host, call 1", "host, call 2", "host, call 3", "host, call 4", "host, call 5", "host, call 6",
                        "host, call 6, task 1, queued", "host, call 6, task 1, block 0, begin", "host, call 7",
                        "stream 1, work 1", "stream 1, work 1, block 0, begin",
                        "stream 1, work 1, block 0, operation 1", "stream 1, work 1, block 0, operation 2",
                        "stream 1, work 1, block 0, operation 3", "stream 1, work 1, block 1, begin",
                        "stream 1, work 1, block 1, operation 1", "stream 1, work 1, block 1, operation 2",
                        "stream 1, work 1, block 1, operation 3", "earlier stream 1, work 1"}));
}

TEST(an_orchestration_decides_the_same_again) {
    const GraphDevice device;
    const auto run = [&] {
        return shaken(device, DEVICE_SHAKE_RANDOM, 5, [&] {
            const uint64_t words = device.allocate(8 * 16);
            TestGraph graph(device, GRAPH_TENSOR_MAP);
            graph.set(GRAPH_SLOTS, 64);
            graph.orchestrate("empty_tasks");
            graph.run_well({words, 200, 50, 16});
        });
    };
    const Result first = run();
    // the zeroing, the run, and of each task its publication, its priority and the begin of its block
    CHECK_EQUAL(first.count, 2u + 3u * 200u);
    CHECK(run() == first);
}

TEST(more_decisions_than_are_kept_are_counted) {
    const GraphDevice device;
    uint64_t word = 0;
    const uint64_t memory = device.allocate(8);
    const Result result = shaken(device, DEVICE_SHAKE_DELAY, 1, [&] {
        for (int i = 0; i < 70'000; i++) CHECK_STATUS(device_copy_out(device.get(), &word, memory, 8));
    });
    CHECK_EQUAL(result.count, 70'000u);
    CHECK_EQUAL(result.lines.size(), 0u);
    CHECK_STATUS(device_shake(device.get(), DEVICE_SHAKE_DELAY, 1));
    uint64_t count = 0, hash = 0;
    CHECK_EQUAL(device_shake_result(device.get(), "/nowhere/decisions", &count, &hash), DEVICE_SYSTEM);
    CHECK_CONTAINS(last_error(), "/nowhere/decisions");
}

// All become ready at once. The order in which they begin follows the priorities, but for pauses.
TEST(tasks_that_are_ready_at_the_same_time_begin_in_another_order_with_each_seed) {
    constexpr uint64_t kTasks = 12;
    const GraphDevice device;
    std::set<uint64_t> first_to_begin;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        const Stamps stamps(device, kTasks);
        TestGraph graph(device, GRAPH_HOST_BUILT);
        const uint32_t root = graph.task("do_nothing", {});
        for (uint64_t i = 0; i < kTasks; i++) graph.edge(root, graph.task("stamp", stamps.args(i)));
        shaken(device, DEVICE_SHAKE_RANDOM, seed, [&] { graph.run_well(); });
        uint64_t first = 0;
        for (uint64_t i = 0; i < kTasks; i++) {
            CHECK_EQUAL(stamps.runs(i), 1u);
            if (stamps.begin(i) < stamps.begin(first)) first = i;
        }
        first_to_begin.insert(first);
    }
    CHECK(first_to_begin.size() >= 3);
}

// A program in which nothing makes the second stream wait for the first. It seldom shows: the first one is busy first.
TEST(a_seed_that_shows_a_lost_order_shows_it_each_time_and_others_never_do) {
    const GraphDevice device;
    const auto run = [&](uint64_t seed, bool &lost) {
        return shaken(device, DEVICE_SHAKE_RANDOM, seed, [&] {
            const Stamps stamps(device, 2);
            const Stream writer(device), reader(device);
            writer.launch("stamp", stamps.args(0));
            reader.launch("stamp", stamps.args(1));
            reader.synchronize();
            writer.synchronize();
            lost = stamps.begin(1) < stamps.begin(0);
        });
    };
    std::array<uint64_t, 2> first{};  // that does not show it, and that does
    for (uint64_t seed = 20; seed >= 1; seed--) {
        bool lost = false;
        run(seed, lost);
        first[lost ? 1 : 0] = seed;
    }
    CHECK(first[0] != 0 && first[1] != 0);
    const Load load;
    for (const bool expected : {false, true}) {
        const uint64_t seed = first[expected ? 1 : 0];
        std::optional<Result> before;
        for (int i = 0; i < (expected ? 10 : 3); i++) {
            bool lost = !expected;
            const Result now = run(seed, lost);
            CHECK_EQUAL(lost, expected);
            CHECK(!before.has_value() || now == *before);
            before = now;
        }
    }
}

// The kernel spins on a word that the host sets only after the kernel has begun, and never reaches a point.
TEST(a_kernel_that_spins_does_not_hold_up_what_it_spins_for) {
    const GraphDevice device;
    const Result result = shaken(device, DEVICE_SHAKE_RANDOM, 1, [&] {
        const uint64_t word = device.allocate(8);
        const Stream stream(device);
        KernelHandle spins = nullptr;
        CHECK_STATUS(device_load_kernel(device.get(), TEST_KERNELS, "wait_for_word", &spins));
        CHECK_STATUS(stream_launch(device.get(), stream.number(), spins, &word, 1, 1, STREAM_CORES_VECTOR));
        const uint64_t one = 1;
        CHECK_STATUS(device_copy_in(device.get(), word, &one, 8));
        stream.synchronize();
    });
    // zeroing, launch, copy, synchronization and end of the stream by the host; work and block of the stream
    CHECK_EQUAL(result.count, 7u);
}
