// How tasks of any runtime are run: blocks, cores, waits, predicates, deferred completions, failures.
#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "graph_support.h"
#include "harness/ranks.h"

using namespace rankunit::test;
using Clock = std::chrono::steady_clock;

namespace {

int64_t ms_since(Clock::time_point start) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count();
}

std::string describe(const GraphDevice &device, const TestGraph &graph) {
    char text[1000] = "";
    graph_describe(device.get(), graph.number(), text, sizeof(text));
    return text;
}

}  // namespace

// The first test, since the unwinders of the two libraries are in their first state only once.
TEST(a_kernel_that_fails_runs_its_destructors) {
    const GraphDevice device;
    const uint64_t word = device.allocate(8);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    graph.task("fail_with_a_destructor", {word});
    CHECK_EQUAL(graph.run(), DEVICE_KERNEL_FAILED);
    CHECK_CONTAINS(last_error(), "after the destructor");
    CHECK_EQUAL(device.word(word), 1u);
}

TEST(all_blocks_of_a_task_run_once_before_what_depends_on_it) {
    const GraphDevice device;
    const uint64_t words = device.allocate(8 * 200), runs = device.allocate(8), copy = device.allocate(8);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    const uint32_t blocks = graph.task(graph.kernel("mark_blocks"), {words, runs}, "", 200);
    const uint32_t after = graph.task("add", {copy, runs, 0});
    graph.edge(blocks, after);
    graph.run_well();
    CHECK_EQUAL(device.word(copy), 200u);
    for (uint64_t i = 0; i < 200; i++) CHECK_EQUAL(device.word(words + 8 * i), 201u);
}

// As many blocks as there are cores can wait for each other, although only few threads run at a time.
TEST(blocks_on_all_cores_run_at_the_same_time) {
    const GraphDevice device;
    const uint64_t cell = device.allocate(4);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    graph.task(graph.kernel("meet_blocks"), {cell}, "", 48);
    graph.run_well();
}

TEST(more_blocks_than_cores_that_wait_for_each_other_are_named) {
    const GraphDevice device;
    const uint64_t cell = device.allocate(4);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    graph.task(graph.kernel("meet_blocks"), {cell}, "all", 49);
    CHECK_EQUAL(graph.run({}, 1000), DEVICE_TIMEOUT);
    CHECK_CONTAINS(last_error(),
                   "it did not end within 1000 ms: 1 task has not completed; task 1 \"all\" on vector core ");
    CHECK_EQUAL(device_zero(device.get(), cell, 4), DEVICE_OK);
    TestGraph next(device, GRAPH_HOST_BUILT);
    next.task(next.kernel("meet_blocks"), {cell}, "", 48);
    next.run_well();
}

TEST(the_parts_of_a_mixed_block_run_at_the_same_time) {
    const GraphDevice device;
    const uint64_t cells = device.allocate(4 * 24), cube = device.allocate(8), one = device.allocate(8),
                   two = device.allocate(8);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    const uint32_t kernel = graph.kernel("meet_parts", STREAM_CORES_MIXED);
    const uint32_t single = graph.kernel("do_nothing");
    for (int i = 0; i < 50; i++) graph.task(single, {});
    graph.task(kernel, {cells, cube, one, two}, "", 24);
    graph.run_well();
    CHECK_EQUAL(device.word(cube), 24u);
    CHECK_EQUAL(device.word(one), 24u);
    CHECK_EQUAL(device.word(two), 24u);
}

// The single ones take all vector cores until the mixed one has run, which needs two of them.
TEST(a_mixed_task_starts_before_single_ones) {
    for (int round = 0; round < 20; round++) {
        const GraphDevice device;
        const uint64_t cell = device.allocate(4), unused = device.allocate(8);
        TestGraph graph(device, GRAPH_HOST_BUILT);
        const uint32_t gate = graph.task("do_nothing", {});
        for (int i = 0; i < 60; i++) graph.edge(gate, graph.task("wait_for_cell", {cell, 3}));
        const uint32_t kernel = graph.kernel("meet_parts", STREAM_CORES_MIXED);
        graph.edge(gate, graph.task(kernel, {cell, unused, unused, unused}));
        graph.run_well();
    }
}

TEST(a_task_waits_for_cells_without_taking_a_core) {
    const GraphDevice device;
    const uint64_t cells = device.allocate(64), word = device.allocate(8);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    const uint32_t waiting = graph.task("put", {word, 1}, "waiting");
    graph.wait(waiting, cells, 2);
    graph.wait(waiting, cells + 8, 1);
    const uint32_t first = graph.task("signal_cell", {cells, 1});
    const uint32_t second = graph.task("signal_cell", {cells, 1});
    const uint32_t third = graph.task("signal_cell", {cells + 8, 1});
    graph.edge(first, second);
    graph.edge(second, third);
    // As many as there are cores wait too, so that a core would be missing if they took one.
    for (int i = 0; i < 48; i++) graph.wait(graph.task("do_nothing", {}), cells + 8, 1);
    graph.run_well();
    CHECK_EQUAL(device.word(word), 1u);
}

TEST(a_wait_for_a_matrix_needs_all_cells) {
    const GraphDevice device;
    const uint64_t cells = device.allocate(256);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    const uint32_t waiting = graph.task("do_nothing", {}, "waiting");
    CHECK_STATUS(graph_add_wait(device.get(), graph.number(), waiting, cells, 2, 2, 64, KERNEL_EQ, 1));
    for (const uint64_t offset : {0, 4, 64}) graph.task("signal_cell", {cells + offset, 1});
    CHECK_EQUAL(graph.run(), DEVICE_TIMEOUT);
    CHECK_CONTAINS(last_error(), "task 1 \"waiting\" waits for 2 x 2 cells at ");
    CHECK_CONTAINS(last_error(), " == 1; the cell at ");
    CHECK_EQUAL(device_zero(device.get(), cells, 256), DEVICE_OK);
    graph.task("signal_cell", {cells + 68, 1});
    graph.run_well();
}

TEST(a_wait_that_nobody_posts_is_named_within_a_second) {
    const GraphDevice device;
    const uint64_t cell = device.allocate(4);
    TestGraph graph(device, GRAPH_HOST_BUILT, "s3");
    const uint32_t poster = graph.task("signal_cell", {cell, 1}, "allreduce step");
    const uint32_t ffn = graph.task("do_nothing", {}, "ffn");
    graph.edge(poster, ffn);
    graph.wait(ffn, cell, 2);
    const auto start = Clock::now();
    CHECK_EQUAL(graph.run(), DEVICE_TIMEOUT);
    CHECK(ms_since(start) < 1000);
    CHECK_CONTAINS(last_error(),
                   "graph \"s3\": it cannot go on: 1 task has not completed; task 2 \"ffn\" waits for the cell at 0x");
    CHECK_CONTAINS(last_error(), " >= 2, which is 1");
    CHECK_EQUAL(device_zero(device.get(), cell, 4), DEVICE_OK);
    graph.task("signal_cell", {cell, 1});
    graph.run_well();
}

TEST(a_wait_for_a_window_lasts_until_the_time_out) {
    const TempFolder folder;
    const GraphDevice device;
    const Comm comm(0, 1, folder.file("root"));
    const uint64_t cell = comm.context().windowsIn[0];
    TestGraph graph(device, GRAPH_HOST_BUILT);
    graph.wait(graph.task("do_nothing", {}, "of another rank"), cell, 1);
    const auto start = Clock::now();
    CHECK_EQUAL(graph.run({}, 1500), DEVICE_TIMEOUT);
    CHECK(ms_since(start) >= 1500);
    CHECK_CONTAINS(last_error(),
                   "it did not end within 1500 ms: 1 task has not completed; task 1 \"of another rank\" waits");

    // As late as a wait for memory of the device would have failed long ago.
    std::thread other([cell] {
        std::this_thread::sleep_for(std::chrono::milliseconds(1000));
        reinterpret_cast<std::atomic<int32_t> *>(cell)->store(1);
    });
    const int status = graph.run();
    other.join();
    CHECK_STATUS(status);
}

TEST(an_abort_ends_a_run_with_its_reason) {
    const TempFolder folder;
    const GraphDevice device;
    const Comm comm(0, 1, folder.file("root"));
    TestGraph graph(device, GRAPH_HOST_BUILT);
    graph.wait(graph.task("do_nothing", {}), comm.context().windowsIn[0], 1);
    std::thread other([&] {
        while (describe(device, graph).find(" waits for the cell at ") == std::string::npos) std::this_thread::yield();
        device_abort(device.get(), "rank 2 has failed");
    });
    const int status = graph.run();
    other.join();
    CHECK_EQUAL(status, DEVICE_ABORTED);
    CHECK_CONTAINS(last_error(), "rank 2 has failed");
}

TEST(a_task_has_at_most_64_waits) {
    const GraphDevice device;
    const uint64_t cell = device.allocate(4);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    const uint32_t task = graph.task("do_nothing", {}, "t");
    for (int i = 0; i < GRAPH_MAX_WAITS; i++) graph.wait(task, cell, 0);
    CHECK_EQUAL(graph_add_wait(device.get(), graph.number(), task, cell, 1, 1, 4, KERNEL_EQ, 0),
                DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), "task 1 \"t\" already has the maximum of 64 waits");
    graph.run_well();
}

TEST(a_task_whose_predicate_does_not_hold_completes_without_running) {
    const GraphDevice device;
    const uint64_t cell = device.allocate(4), word = device.allocate(8), after = device.allocate(8);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    const uint32_t signal = graph.task("signal_cell", {cell, 1});
    const uint32_t perhaps = graph.task("put", {word, 1});
    const uint32_t last = graph.task("put", {after, 1});
    graph.edge(signal, perhaps);
    graph.edge(perhaps, last);
    CHECK_STATUS(graph_set_predicate(device.get(), graph.number(), perhaps, cell, KERNEL_GE, 2));
    graph.run_well();
    CHECK_EQUAL(device.word(word), 0u);
    CHECK_EQUAL(device.word(after), 1u);
    CHECK_EQUAL(graph.count(GRAPH_COUNT_SKIPPED), 1u);
    graph.run_well();
    CHECK_EQUAL(device.word(word), 1u);
    CHECK_EQUAL(graph.count(GRAPH_COUNT_SKIPPED), 0u);
    CHECK_EQUAL(graph.count(GRAPH_COUNT_COMPLETED), 3u);
}

TEST(a_long_chain_of_skipped_tasks_needs_no_stack) {
    const GraphDevice device;
    const uint64_t cell = device.allocate(4), word = device.allocate(8);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    const uint32_t kernel = graph.kernel("return_seven");
    uint32_t last = 0;
    for (uint32_t i = 0; i < 50'000; i++) {
        const uint32_t next = graph.task(kernel, {});
        CHECK_STATUS(graph_set_predicate(device.get(), graph.number(), next, cell, KERNEL_NE, 0));
        if (last != 0) graph.edge(last, next);
        last = next;
    }
    graph.edge(last, graph.task("put", {word, 1}));
    graph.run_well();
    CHECK_EQUAL(device.word(word), 1u);
    CHECK_EQUAL(graph.count(GRAPH_COUNT_SKIPPED), 50'000u);
}

TEST(a_deferred_task_completes_when_it_is_told) {
    const GraphDevice device;
    const uint64_t token = device.allocate(8), word = device.allocate(8);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    const uint32_t deferred = graph.task("defer", {token}, "dma");
    graph.edge(deferred, graph.task("put", {word, 1}));
    uint64_t before = 99;
    std::thread host([&] {
        const auto &told = *reinterpret_cast<std::atomic<uint64_t> *>(token);
        while (told == 0) std::this_thread::yield();
        device_copy_out(device.get(), &before, word, 8);
        graph_complete(device.get(), told);
    });
    const int status = graph.run();
    host.join();
    CHECK_STATUS(status);
    CHECK_EQUAL(before, 0u);
    CHECK_EQUAL(device.word(word), 1u);
    CHECK_EQUAL(graph_complete(device.get(), device.word(token)), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), "token 1 is not valid");
}

TEST(a_kernel_completes_what_another_one_deferred) {
    const GraphDevice device;
    const uint64_t token = device.allocate(8), word = device.allocate(8);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    const uint32_t deferred = graph.task("defer", {token});
    const uint32_t after = graph.task("put", {word, 1});
    const uint32_t completing = graph.task("complete_other", {token});
    graph.edge(deferred, after);
    graph.wait(completing, token, 1);
    graph.run_well();
    CHECK_EQUAL(device.word(word), 1u);
}

TEST(a_deferred_task_that_nobody_completes_is_named_with_its_token) {
    const GraphDevice device;
    const uint64_t token = device.allocate(8);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    graph.task("defer", {token}, "dma");
    CHECK_EQUAL(graph.run({}, 200), DEVICE_TIMEOUT);
    CHECK_CONTAINS(last_error(), "task 1 \"dma\" is to be completed with token 1");
    CHECK_EQUAL(graph_complete(device.get(), 1), DEVICE_INVALID_ARGUMENT);
}

TEST(a_kernel_outside_of_a_graph_cannot_defer) {
    const GraphDevice device;
    KernelHandle kernel = nullptr;
    CHECK_EQUAL(device_load_kernel(device.get(), TEST_GRAPH_KERNELS, "defer", &kernel), DEVICE_OK);
    const uint64_t word = device.allocate(8);
    CHECK_EQUAL(device_launch(device.get(), kernel, &word, 1), DEVICE_NOT_SUPPORTED);
    CHECK_CONTAINS(last_error(), "this kernel does not run in one");
}

TEST(a_failure_stops_the_graph_and_names_task_kernel_block_and_core) {
    const GraphDevice device;
    const Stamps stamps(device, 2);
    TestGraph graph(device, GRAPH_HOST_BUILT, "g");
    const uint32_t first = graph.task("stamp", stamps.args(0));
    const uint32_t bad = graph.task("return_seven", {}, "bad");
    const uint32_t last = graph.task("stamp", stamps.args(1));
    graph.edge(first, bad);
    graph.edge(bad, last);
    CHECK_EQUAL(graph.run(), DEVICE_KERNEL_FAILED);
    CHECK_CONTAINS(last_error(), "graph \"g\": task 2 \"bad\", block 0 of 1 on vector core ");
    CHECK_CONTAINS(last_error(), ": kernel \"return_seven\" returned 7");
    CHECK_EQUAL(stamps.runs(0), 1u);
    CHECK_EQUAL(stamps.runs(1), 0u);
    CHECK_EQUAL(graph.count(GRAPH_COUNT_COMPLETED), 1u);
}

TEST(a_failing_block_is_named_with_its_reason) {
    const GraphDevice device;
    TestGraph graph(device, GRAPH_HOST_BUILT);
    graph.task(graph.kernel("fail_in_block_two", STREAM_CORES_CUBE), {}, "matmul", 4);
    CHECK_EQUAL(graph.run(), DEVICE_KERNEL_FAILED);
    CHECK_CONTAINS(last_error(), "task 1 \"matmul\": kernel \"fail_in_block_two\", block 2 of 4 on cube core ");
    CHECK_CONTAINS(last_error(), ": block two does not like it");
}

TEST(an_exception_of_a_kernel_is_a_failure) {
    const GraphDevice device;
    TestGraph graph(device, GRAPH_HOST_BUILT);
    graph.task("throw_exception", {}, "t");
    CHECK_EQUAL(graph.run(), DEVICE_KERNEL_FAILED);
    CHECK_CONTAINS(last_error(), "task 1 \"t\", block 0 of 1 on vector core ");
    CHECK_CONTAINS(last_error(), "out of luck");
}

// What waits in a kernel would otherwise wait for its own time-out, since who would signal is not started any more.
TEST(a_failure_ends_kernels_that_wait) {
    const GraphDevice device;
    const uint64_t cell = device.allocate(4), started = device.allocate(4);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    const uint32_t signal = graph.task("signal_cell", {started, 1});
    const uint32_t waiting = graph.task("wait_for_cell", {cell, 1});
    const uint32_t bad = graph.task("return_seven", {});
    graph.edge(signal, waiting);
    graph.wait(bad, started, 1);
    const auto start = Clock::now();
    CHECK_EQUAL(graph.run(), DEVICE_KERNEL_FAILED);
    CHECK_CONTAINS(last_error(), "returned 7");
    CHECK(ms_since(start) < 5000);
}

TEST(tasks_that_spin_on_each_other_all_get_a_thread) {
    const GraphDevice device;
    const uint64_t word = device.allocate(8);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    for (int i = 0; i < 8; i++) graph.task("spin_on_word", {word});
    graph.task("signal_cell", {word, 1});
    graph.run_well();
}

TEST(a_kernel_that_does_not_end_is_named_and_keeps_its_graph_busy) {
    const GraphDevice device;
    const uint64_t word = device.allocate(8), other = device.allocate(8);
    TestGraph graph(device, GRAPH_HOST_BUILT, "stuck");
    graph.task("spin_on_word", {word}, "endless");
    CHECK_EQUAL(graph.run({}, 100), DEVICE_TIMEOUT);
    CHECK_CONTAINS(
        last_error(),
        "graph \"stuck\": it did not end within 100 ms: 1 task has not completed; task 1 \"endless\" on vector core ");
    CHECK_CONTAINS(last_error(), "it has been stopped, but still goes on: task 1 \"endless\"");
    CHECK_EQUAL(graph.run(), DEVICE_BUSY);
    CHECK_EQUAL(graph_destroy(device.get(), graph.number()), DEVICE_BUSY);
    TestGraph next(device, GRAPH_HOST_BUILT);
    next.task("put", {other, 1});
    next.run_well();
    CHECK_EQUAL(device.word(other), 1u);
    reinterpret_cast<std::atomic<uint64_t> *>(word)->store(1);
    while (graph_destroy(device.get(), graph.number()) == DEVICE_BUSY) std::this_thread::yield();
}

TEST(graphs_of_several_threads_run_at_the_same_time) {
    const GraphDevice device;
    const uint64_t cells = device.allocate(64);
    TestGraph one(device, GRAPH_HOST_BUILT), two(device, GRAPH_HOST_BUILT);
    one.edge(one.task("signal_cell", {cells, 1}), one.task("wait_for_cell", {cells + 4, 1}));
    two.edge(two.task("wait_for_cell", {cells, 1}), two.task("signal_cell", {cells + 4, 1}));
    int status = -1;
    std::thread other([&] { status = two.run(); });
    const int own = one.run();
    other.join();
    CHECK_EQUAL(own, DEVICE_OK);
    CHECK_EQUAL(status, DEVICE_OK);
}
