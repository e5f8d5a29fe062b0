// The runtime aicpu_build_graph.
#include <atomic>
#include <thread>

#include "graph_support.h"

using namespace rankunit::test;

// The first test, since the unwinders of the two libraries are in their first state only once.
TEST(an_orchestration_that_fails_runs_its_destructors) {
    const GraphDevice device;
    const uint64_t word = device.allocate(8);
    TestGraph graph(device, GRAPH_CONTROL_BUILT);
    graph.orchestrate("fail_with_a_destructor_here");
    CHECK_EQUAL(graph.run({word}), DEVICE_KERNEL_FAILED);
    CHECK_CONTAINS(last_error(), "after the destructor");
    CHECK_EQUAL(device.word(word), 1u);
}

TEST(tasks_run_in_the_order_of_the_orchestrations_edges_in_both_modes) {
    for (const uint64_t concurrent : {0, 1}) {
        for (int round = 0; round < 5; round++) {
            const GraphDevice device;
            constexpr uint64_t kTasks = 300, kDistance = 3;
            const Stamps stamps(device, kTasks);
            TestGraph graph(device, GRAPH_CONTROL_BUILT);
            graph.set(GRAPH_CONCURRENT, concurrent);
            graph.orchestrate("stamps_in_chains");
            graph.run_well({stamps.address(), kTasks, kDistance});
            for (uint64_t i = 0; i < kTasks; i++) {
                CHECK_EQUAL(stamps.runs(i), 1u);
                if (i >= kDistance) CHECK(stamps.end(i - kDistance) < stamps.begin(i));
            }
            CHECK_EQUAL(graph.count(GRAPH_COUNT_COMPLETED), kTasks);
        }
    }
}

TEST(an_edge_from_a_completed_task_is_satisfied) {
    const GraphDevice device;
    const Stamps stamps(device, 2);
    TestGraph graph(device, GRAPH_CONTROL_BUILT);
    graph.orchestrate("edge_from_completed");
    graph.run_well({stamps.address()});
    CHECK_EQUAL(stamps.runs(1), 1u);
}

TEST(a_task_that_is_not_published_never_runs_and_is_named) {
    for (const uint64_t concurrent : {0, 1}) {
        const GraphDevice device;
        const Stamps stamps(device, 3);
        TestGraph graph(device, GRAPH_CONTROL_BUILT, "g");
        graph.set(GRAPH_CONCURRENT, concurrent);
        graph.orchestrate("unpublished");
        CHECK_EQUAL(graph.run({stamps.address()}), DEVICE_INVALID_ARGUMENT);
        CHECK_CONTAINS(last_error(), "graph \"g\": task 2 \"forgotten\" was never published");
        CHECK_EQUAL(stamps.runs(0), 1u);
        CHECK_EQUAL(stamps.runs(1), 0u);
        CHECK_EQUAL(stamps.runs(2), 0u);
    }
}

TEST(a_circle_of_an_orchestration_is_named) {
    const GraphDevice device;
    const Stamps stamps(device, 2);
    TestGraph graph(device, GRAPH_CONTROL_BUILT);
    graph.orchestrate("in_a_circle");
    CHECK_EQUAL(graph.run({stamps.address()}), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), "in a cycle: task 1 \"one\" -> task 2 \"two\" -> task 1 \"one\"");
}

TEST(mistakes_of_an_orchestration_are_named) {
    const GraphDevice device;
    const Stamps stamps(device, 1);
    TestGraph graph(device, GRAPH_CONTROL_BUILT, "g");
    graph.orchestrate("make_a_mistake");
    const std::pair<const char *, int> expected[] = {
        {"graph \"g\": orchestration \"make_a_mistake\": it has no kernel \"no such kernel\", but \"do_nothing\", "
         "\"stamp\"",
         DEVICE_INVALID_ARGUMENT},
        {"there is no task 2, but 1 tasks", DEVICE_INVALID_ARGUMENT},
        {"task 1 \"one\" has been published already", DEVICE_INVALID_ARGUMENT},
        {"task 2 \"short of one\": kernel \"put\" takes 2 arguments, and there are 1", DEVICE_INVALID_ARGUMENT},
        {"task 2 \"into nowhere\", argument 0: address 0x40 is in no device memory and no window", DEVICE_BAD_ADDRESS},
        {"it has no kernel 99", DEVICE_INVALID_ARGUMENT},
        {"this runtime has no scopes", DEVICE_NOT_SUPPORTED},
        {"orchestration \"make_a_mistake\": the shapes do not fit", DEVICE_KERNEL_FAILED},
        {"orchestration \"make_a_mistake\": it returned 23", DEVICE_KERNEL_FAILED},
    };
    uint64_t mistake = 0;
    for (const auto &[text, status] : expected) {
        CHECK_EQUAL(graph.run({stamps.address(), mistake++}), status);
        CHECK_CONTAINS(last_error(), text);
    }
    graph.orchestrate("unpublished");
    TestGraph next(device, GRAPH_CONTROL_BUILT);
    next.orchestrate("stamps_in_chains");
    next.run_well({stamps.address(), 1, 1});
}

TEST(an_orchestration_that_never_returns_is_named) {
    const GraphDevice device;
    const uint64_t word = device.allocate(8);
    TestGraph graph(device, GRAPH_CONTROL_BUILT, "g");
    graph.orchestrate("never_returns");
    CHECK_EQUAL(graph.run({word}, 100), DEVICE_TIMEOUT);
    CHECK_CONTAINS(last_error(), "graph \"g\": it did not end within 100 ms: ");
    CHECK_CONTAINS(last_error(), "orchestration \"never_returns\" has not returned");
    CHECK_CONTAINS(last_error(), "it has been stopped, but still goes on: orchestration \"never_returns\"");
    CHECK_EQUAL(graph.run({word}), DEVICE_BUSY);
    reinterpret_cast<std::atomic<uint64_t> *>(word)->store(1);
    while (graph_destroy(device.get(), graph.number()) == DEVICE_BUSY) std::this_thread::yield();
}

TEST(an_orchestration_that_goes_on_is_ended_by_its_next_operation) {
    const GraphDevice device;
    TestGraph graph(device, GRAPH_CONTROL_BUILT);
    graph.orchestrate("never_ends");
    CHECK_EQUAL(graph.run({}, 100), DEVICE_TIMEOUT);
    CHECK(last_error().find("still goes on") == std::string::npos);
    CHECK_EQUAL(graph_destroy(device.get(), graph.number()), DEVICE_OK);
}

TEST(the_tasks_of_an_orchestration_are_limited) {
    const GraphDevice device;
    const Stamps stamps(device, 4);
    TestGraph graph(device, GRAPH_CONTROL_BUILT);
    graph.set(GRAPH_TASKS, 3);
    graph.orchestrate("stamps_in_chains");
    CHECK_EQUAL(graph.run({stamps.address(), 4, 1}), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), "it has made 3 tasks, as many as a run may have; raise GRAPH_TASKS");
    graph.run_well({stamps.address(), 3, 1});
}

TEST(missing_orchestrations_are_named) {
    const GraphDevice device;
    const TestGraph graph(device, GRAPH_CONTROL_BUILT, "g");
    CHECK_EQUAL(graph_run(device.get(), graph.number(), nullptr, 0, 1000), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), "graph \"g\": it has no orchestration function");
    CHECK_EQUAL(graph_set_orchestration(device.get(), graph.number(), "/no/such.so", "x"), DEVICE_KERNEL_LOAD);
    CHECK_EQUAL(graph_set_orchestration(device.get(), graph.number(), TEST_GRAPH_KERNELS, "put"), DEVICE_KERNEL_LOAD);
    CHECK_CONTAINS(last_error(), "RANKUNIT_ORCHESTRATION");
    uint32_t task = 0;
    CHECK_EQUAL(graph_add_task(device.get(), graph.number(), 0, 1, "", nullptr, 0, &task), DEVICE_INVALID_ARGUMENT);
}
