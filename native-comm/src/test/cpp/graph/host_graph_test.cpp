// The runtime host_build_graph.
#include <algorithm>
#include <atomic>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "graph_support.h"

using namespace rankunit::test;

TEST(a_graph_runs_in_the_order_of_its_edges_as_often_as_it_is_run) {
    const GraphDevice device;
    const uint64_t word = device.allocate(8);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    const uint32_t first = graph.task("scale_and_add_one", {word, 2});
    const uint32_t second = graph.task("scale_and_add_one", {word, 10});
    graph.edge(first, second);
    graph.run_well();
    CHECK_EQUAL(device.word(word), 11u);
    graph.run_well();
    CHECK_EQUAL(device.word(word), 231u);
    const uint32_t third = graph.task("put", {word, 1});
    graph.edge(third, first);
    graph.run_well();
    CHECK_EQUAL(device.word(word), 31u);
    CHECK_EQUAL(graph.count(GRAPH_COUNT_COMPLETED), 3u);
    CHECK_EQUAL(graph.count(GRAPH_COUNT_EDGES), 2u);
}

TEST(a_graph_without_tasks_runs) {
    const GraphDevice device;
    TestGraph graph(device, GRAPH_HOST_BUILT);
    graph.run_well();
    CHECK_EQUAL(graph.count(GRAPH_COUNT_COMPLETED), 0u);
}

TEST(in_random_graphs_each_task_runs_once_after_all_that_it_depends_on) {
    constexpr uint32_t kTasks = 120;
    for (uint32_t seed = 1; seed <= 30; seed++) {
        const GraphDevice device;
        const Stamps stamps(device, kTasks);
        std::mt19937 random(seed);
        TestGraph graph(device, GRAPH_HOST_BUILT);
        const StreamCores kinds[] = {STREAM_CORES_VECTOR, STREAM_CORES_CUBE};
        for (uint32_t i = 0; i < kTasks; i++) graph.task(graph.kernel("stamp", kinds[random() % 2]), stamps.args(i));
        // Tasks in a random order, so that their numbers say nothing.
        std::vector<uint32_t> order(kTasks);
        for (uint32_t i = 0; i < kTasks; i++) order[i] = i;
        std::shuffle(order.begin(), order.end(), random);
        std::vector<std::pair<uint32_t, uint32_t>> edges;
        const uint32_t wanted = random() % (4 * kTasks);
        while (edges.size() < wanted) {
            const uint32_t a = random() % kTasks, b = random() % kTasks;
            if (a < b) edges.emplace_back(order[a], order[b]);
        }
        for (const auto &[before, after] : edges) graph.edge(before + 1, after + 1);
        graph.run_well();
        for (uint32_t i = 0; i < kTasks; i++) CHECK_EQUAL(stamps.runs(i), 1u);
        for (const auto &[before, after] : edges) CHECK(stamps.end(before) < stamps.begin(after));
    }
}

TEST(a_circle_is_named_before_anything_runs) {
    const GraphDevice device;
    const Stamps stamps(device, 4);
    TestGraph graph(device, GRAPH_HOST_BUILT, "ring");
    const uint32_t before = graph.task("stamp", stamps.args(0), "before");
    const uint32_t a = graph.task("stamp", stamps.args(1), "a");
    const uint32_t b = graph.task("stamp", stamps.args(2), "b");
    const uint32_t behind = graph.task("stamp", stamps.args(3), "behind");
    graph.edge(before, a);
    graph.edge(a, b);
    graph.edge(b, a);
    graph.edge(b, behind);
    CHECK_EQUAL(graph.run(), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(
        last_error(),
        "graph \"ring\": its tasks depend on each other in a cycle: task 2 \"a\" -> task 3 \"b\" -> task 2 \"a\"");
    CHECK_EQUAL(stamps.runs(0), 0u);
    TestGraph own(device, GRAPH_HOST_BUILT);
    const uint32_t alone = own.task("do_nothing", {}, "alone");
    own.edge(alone, alone);
    CHECK_EQUAL(own.run(), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), "task 1 \"alone\" -> task 1 \"alone\"");
}

TEST(a_long_chain_runs_and_is_checked_without_recursion) {
    const GraphDevice device;
    const uint64_t word = device.allocate(8);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    constexpr uint32_t kTasks = 100'000;
    const uint32_t kernel = graph.kernel("do_nothing");
    uint32_t last = graph.task(kernel, {});
    const uint32_t first = last;
    for (uint32_t i = 1; i < kTasks; i++) {
        const uint32_t next = graph.task(kernel, {});
        graph.edge(last, next);
        last = next;
    }
    const uint32_t end = graph.task("put", {word, 1});
    graph.edge(last, end);
    graph.run_well();
    CHECK_EQUAL(device.word(word), 1u);
    graph.edge(end, first);
    CHECK_EQUAL(graph.run(), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), " more -> task 1 (kernel \"do_nothing\")");
}

TEST(mistakes_are_refused_with_what_where_and_what_to_do) {
    const GraphDevice device;
    TestGraph graph(device, GRAPH_HOST_BUILT, "g");
    const uint32_t kernel = graph.kernel("put", STREAM_CORES_VECTOR, 2);
    const uint64_t memory = device.allocate(64);
    uint32_t task = 0;
    const auto add = [&](uint32_t of, uint32_t blocks, const std::vector<uint64_t> &words) {
        return graph_add_task(device.get(), graph.number(), of, blocks, "t", words.data(), words.size() / 3, &task);
    };
    CHECK_EQUAL(add(7, 1, {}), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), "graph \"g\": it has no kernel 7, but 1 kernels");
    CHECK_EQUAL(add(kernel, 1, {GRAPH_SCALAR, 1, 0}), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), "task 1 \"t\": kernel \"put\" takes 2 arguments, and there are 1");
    CHECK_EQUAL(add(kernel, 1, {GRAPH_OUT, 64, 8, GRAPH_SCALAR, 1, 0}), DEVICE_BAD_ADDRESS);
    CHECK_CONTAINS(last_error(), "task 1 \"t\", argument 0: address 0x40 is in no device memory and no window");
    CHECK_EQUAL(add(kernel, 1, {GRAPH_OUT, memory, 65, GRAPH_SCALAR, 1, 0}), DEVICE_BAD_ADDRESS);
    CHECK_EQUAL(add(kernel, 1, {GRAPH_OUT, memory, 0, GRAPH_SCALAR, 1, 0}), DEVICE_INVALID_ARGUMENT);
    CHECK_EQUAL(add(kernel, 1, {4, memory, 8, GRAPH_SCALAR, 1, 0}), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), "argument 0: its kind = 4 is not in [0, 3]");
    CHECK_EQUAL(add(kernel, 0, {GRAPH_OUT, memory, 8, GRAPH_SCALAR, 1, 0}), DEVICE_INVALID_ARGUMENT);
    CHECK_EQUAL(add(kernel, 2, {GRAPH_OUT, memory, 8, GRAPH_SCALAR, 1, 0}), DEVICE_NOT_SUPPORTED);
    CHECK_CONTAINS(last_error(), "RANKUNIT_BLOCK_KERNEL");
    CHECK_EQUAL(add(kernel, 1, {GRAPH_OUT, memory, 8, GRAPH_SCALAR, 1, 0}), DEVICE_OK);
    CHECK_EQUAL(graph_add_edge(device.get(), graph.number(), 1, 2), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), "graph \"g\": it has no task 2, but 1 tasks");
    CHECK_EQUAL(graph_add_wait(device.get(), graph.number(), 1, 64, 1, 1, 4, KERNEL_EQ, 1), DEVICE_BAD_ADDRESS);
    CHECK_CONTAINS(last_error(), "graph \"g\": task 1 \"t\", a wait: address 0x40 is in no device memory");
    CHECK_EQUAL(graph_add_wait(device.get(), graph.number(), 1, memory, 1, 1, 4, 6, 1), DEVICE_INVALID_ARGUMENT);
    CHECK_EQUAL(graph.run({5}), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), "takes no arguments");
    CHECK_EQUAL(graph.run({}, 0), DEVICE_INVALID_ARGUMENT);
    CHECK_EQUAL(graph_set_orchestration(device.get(), graph.number(), TEST_GRAPH_KERNELS, "hazards"),
                DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(),
                   "graph \"g\": it has 1 tasks that graph_add_task has made, and so gets no orchestration");
    CHECK_EQUAL(graph_set(device.get(), graph.number(), GRAPH_SLOTS, 16), DEVICE_NOT_SUPPORTED);
    CHECK_EQUAL(graph_create(device.get(), 3, "x", &task), DEVICE_INVALID_ARGUMENT);
    graph.run_well();
    CHECK_EQUAL(device_free(device.get(), memory), DEVICE_OK);
    CHECK_EQUAL(graph.run(), DEVICE_BAD_ADDRESS);
    CHECK_CONTAINS(last_error(), "task 1 \"t\", argument 0: address ");
}

TEST(kernels_of_a_graph_are_checked) {
    const GraphDevice device;
    const GraphDevice other;
    TestGraph graph(device, GRAPH_HOST_BUILT);
    KernelHandle kernel = nullptr;
    uint32_t number = 0;
    CHECK_EQUAL(device_load_kernel(other.get(), TEST_GRAPH_KERNELS, "put", &kernel), DEVICE_OK);
    const auto add = [&](uint32_t cores, int32_t nargs, const char *name) {
        return graph_add_kernel(device.get(), graph.number(), kernel, cores, nargs, name, &number);
    };
    CHECK_EQUAL(add(0, 2, "put"), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), "does not belong to this device");
    CHECK_EQUAL(device_load_kernel(device.get(), TEST_GRAPH_KERNELS, "put", &kernel), DEVICE_OK);
    CHECK_EQUAL(add(3, 2, "put"), DEVICE_INVALID_ARGUMENT);
    CHECK_EQUAL(add(STREAM_CORES_MIXED, 2, "put"), DEVICE_NOT_SUPPORTED);
    CHECK_EQUAL(add(0, -2, "put"), DEVICE_INVALID_ARGUMENT);
    CHECK_EQUAL(add(0, 2, ""), DEVICE_INVALID_ARGUMENT);
    CHECK_EQUAL(add(0, 2, "put"), DEVICE_OK);
    CHECK_EQUAL(add(0, 2, "put"), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), "it has a kernel \"put\" already");
}

TEST(the_number_of_tasks_is_limited_with_what_to_raise) {
    const GraphDevice device;
    TestGraph graph(device, GRAPH_HOST_BUILT);
    graph.set(GRAPH_TASKS, 2);
    graph.task("do_nothing", {});
    graph.task("do_nothing", {});
    uint32_t task = 0;
    CHECK_EQUAL(graph_add_task(device.get(), graph.number(), 0, 1, "", nullptr, 0, &task), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), "raise GRAPH_TASKS");
}

TEST(a_destroyed_graph_is_named) {
    const GraphDevice device;
    const TestGraph graph(device, GRAPH_HOST_BUILT);
    CHECK_EQUAL(graph_destroy(device.get(), graph.number()), DEVICE_OK);
    CHECK_EQUAL(graph_destroy(device.get(), graph.number()), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), "graph 1 has been destroyed");
    const TestGraph another(device, GRAPH_HOST_BUILT);
    CHECK_EQUAL(another.number(), 2u);
}

TEST(each_run_calls_the_orchestration_of_a_host_built_graph_for_tasks_of_its_own) {
    const GraphDevice device;
    constexpr uint64_t kTasks = 300, kDistance = 3;
    const Stamps stamps(device, kTasks);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    graph.orchestrate("chains_on_the_host");
    for (uint64_t run = 1; run <= 3; run++) {
        const uint64_t tasks = kTasks - 50 * run;
        graph.run_well({stamps.address(), tasks, kDistance});
        CHECK_EQUAL(graph.count(GRAPH_COUNT_COMPLETED), tasks);
        CHECK_EQUAL(graph.count(GRAPH_COUNT_EDGES), tasks - kDistance);
        for (uint64_t i = 0; i < tasks; i++) {
            CHECK_EQUAL(stamps.runs(i), run);
            if (i >= kDistance) CHECK(stamps.end(i - kDistance) < stamps.begin(i));
        }
    }
    CHECK_EQUAL(graph.run({stamps.address()}), DEVICE_KERNEL_FAILED);
    CHECK_CONTAINS(last_error(), "graph \"g\": orchestration \"chains_on_the_host\": it returned 1");
}

TEST(no_task_of_a_host_built_graph_runs_before_its_orchestration_has_returned) {
    const GraphDevice device;
    const Stamps stamps(device, 1);
    const uint64_t seen = device.allocate(8);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    graph.orchestrate("look_at_the_first_task");
    graph.run_well({stamps.address(), seen});
    CHECK_EQUAL(device.word(seen), 1u);
    CHECK_EQUAL(stamps.runs(0), 1u);
}

TEST(a_circle_of_a_host_orchestration_is_named_before_anything_runs) {
    const GraphDevice device;
    const Stamps stamps(device, 3);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    graph.orchestrate("circle_on_the_host");
    CHECK_EQUAL(graph.run({stamps.address()}), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(),
                   "orchestration \"circle_on_the_host\": its tasks depend on each other in a cycle: task 1 \"one\" -> "
                   "task 2 \"two\" -> task 1 \"one\"");
    CHECK_EQUAL(stamps.runs(2), 0u);
}

TEST(mistakes_of_a_host_orchestration_are_named) {
    const GraphDevice device;
    const Stamps stamps(device, 4);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    graph.orchestrate("make_a_mistake");
    const std::pair<const char *, int> expected[] = {
        {"it has no kernel \"no such kernel\"", DEVICE_INVALID_ARGUMENT},
        {"there is no task 2, but 1 tasks", DEVICE_INVALID_ARGUMENT},
        {"orchestration \"make_a_mistake\": a host-built graph needs no publish", DEVICE_NOT_SUPPORTED},
        {"task 2 \"short of one\": kernel \"put\" takes 2 arguments, and there are 1", DEVICE_INVALID_ARGUMENT},
        {"task 2 \"into nowhere\", argument 0: address 0x40 is in no device memory", DEVICE_BAD_ADDRESS},
        {"it has no kernel 99", DEVICE_INVALID_ARGUMENT},
        {"this runtime has no scopes", DEVICE_NOT_SUPPORTED},
        {"the shapes do not fit", DEVICE_KERNEL_FAILED},
        {"it returned 23", DEVICE_KERNEL_FAILED},
    };
    uint64_t mistake = 0;
    for (const auto &[text, status] : expected) {
        CHECK_EQUAL(graph.run({stamps.address(), mistake++}), status);
        CHECK_CONTAINS(last_error(), text);
    }
    CHECK_EQUAL(stamps.runs(0), 0u);
    graph.set(GRAPH_TASKS, 3);
    graph.orchestrate("chains_on_the_host");
    CHECK_EQUAL(graph.run({stamps.address(), 4, 1}), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), "it has made 3 tasks, as many as a run may have; raise GRAPH_TASKS");
    graph.run_well({stamps.address(), 3, 1});
}

TEST(a_host_built_graph_has_either_an_orchestration_or_tasks_that_the_host_adds) {
    const GraphDevice device;
    TestGraph graph(device, GRAPH_HOST_BUILT);
    graph.orchestrate("hazards");
    uint32_t task = 0;
    const char *const text = "graph \"g\": orchestration \"hazards\" makes all its tasks, edges and conditions";
    CHECK_EQUAL(graph_add_task(device.get(), graph.number(), 0, 1, "", nullptr, 0, &task), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), text);
    CHECK_EQUAL(graph_add_edge(device.get(), graph.number(), 1, 2), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), text);
    CHECK_EQUAL(graph_add_wait(device.get(), graph.number(), 1, 64, 1, 1, 4, KERNEL_EQ, 1), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), text);
}

TEST(a_host_orchestration_that_never_returns_is_named) {
    const GraphDevice device;
    const uint64_t word = device.allocate(8);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    graph.orchestrate("never_returns");
    CHECK_EQUAL(graph.run({word}, 100), DEVICE_TIMEOUT);
    CHECK_CONTAINS(last_error(), "graph \"g\": it did not end within 100 ms: ");
    CHECK_CONTAINS(last_error(), "orchestration \"never_returns\" has not returned");
    reinterpret_cast<std::atomic<uint64_t> *>(word)->store(1);
    while (graph_destroy(device.get(), graph.number()) == DEVICE_BUSY) std::this_thread::yield();
    TestGraph other(device, GRAPH_HOST_BUILT);
    other.orchestrate("never_ends");
    CHECK_EQUAL(other.run({}, 100), DEVICE_TIMEOUT);
    CHECK_EQUAL(graph_destroy(device.get(), other.number()), DEVICE_OK);
}
