// Graphs that run on streams.
#include <string>
#include <thread>
#include <vector>

#include "graph_support.h"

using namespace rankunit::test;

namespace {

constexpr int64_t kLong = 60'000;

// A stream of a device.
class TestStream {
public:
    explicit TestStream(const GraphDevice &device) : device_(device.get()) {
        CHECK_STATUS(stream_create(device_, &number_));
    }
    uint32_t number() const { return number_; }
    int put(const TestGraph &graph, const std::vector<uint64_t> &args = {}) const {
        return stream_run_graph(device_, number_, graph.number(), args.data(), static_cast<int32_t>(args.size()));
    }
    void put_well(const TestGraph &graph, const std::vector<uint64_t> &args = {}) const {
        CHECK_STATUS(put(graph, args));
    }
    void hold_up(uint64_t cell) const { CHECK_STATUS(stream_wait(device_, number_, cell, 1, 1, 4, KERNEL_GE, 1)); }
    void signal(uint64_t cell) const { CHECK_STATUS(stream_signal(device_, number_, cell, KERNEL_SIGNAL_SET, 1)); }
    int end() const { return stream_synchronize(device_, number_, kLong); }
    void end_well() const { CHECK_STATUS(end()); }

private:
    const DeviceHandle device_;
    uint32_t number_ = 0;
};

}  // namespace

TEST(a_graph_runs_in_order_with_the_other_work_of_its_stream) {
    const GraphDevice device;
    const uint64_t word = device.allocate(8), copy = device.allocate(8), cell = device.allocate(4);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    const uint32_t first = graph.task("scale_and_add_one", {word, 2});
    graph.edge(first, graph.task("scale_and_add_one", {word, 10}));
    const TestStream stream(device);
    const uint64_t five = 5;
    stream.hold_up(cell);
    CHECK_STATUS(stream_copy_in(device.get(), stream.number(), word, &five, 8));
    stream.put_well(graph);
    CHECK_STATUS(stream_copy(device.get(), stream.number(), copy, word, 8));
    stream.put_well(graph);
    CHECK_EQUAL(graph.count(GRAPH_COUNT_COMPLETED), 0u);
    CHECK_EQUAL(device.word(word), 0u);
    TestStream(device).signal(cell);
    stream.end_well();
    CHECK_EQUAL(device.word(copy), 111u);   // (5 * 2 + 1) * 10 + 1
    CHECK_EQUAL(device.word(word), 2231u);  // (111 * 2 + 1) * 10 + 1
    CHECK_EQUAL(graph.count(GRAPH_COUNT_COMPLETED), 2u);
}

TEST(arguments_are_copied_for_the_orchestration) {
    const GraphDevice device;
    const uint64_t words = device.allocate(24);
    for (const GraphRuntime runtime : {GRAPH_HOST_BUILT, GRAPH_TENSOR_MAP}) {
        TestGraph graph(device, runtime);
        const Stamps stamps(device, 3);
        const uint64_t cell = device.allocate(4);
        graph.orchestrate(runtime == GRAPH_TENSOR_MAP ? "hazards" : "chains_on_the_host");
        const TestStream stream(device);
        stream.hold_up(cell);
        std::vector<uint64_t> args{stamps.address(), 3, 1};
        if (runtime == GRAPH_TENSOR_MAP) args = {words, words + 8, words + 16};
        stream.put_well(graph, args);
        args.assign(3, 0);
        TestStream(device).signal(cell);
        stream.end_well();
        if (runtime == GRAPH_HOST_BUILT) CHECK_EQUAL(stamps.runs(2), 1u);
    }
    CHECK_EQUAL(device.word(words + 16), 16u);
}

TEST(a_run_that_fails_ends_its_stream_and_names_the_task) {
    const GraphDevice device;
    const uint64_t word = device.allocate(8), untouched = device.allocate(8), cell = device.allocate(4);
    device.set_word(untouched, 9);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    graph.task("put", {word, 1}, "fine");
    graph.task("return_seven", {}, "sum");
    const TestStream stream(device);
    stream.hold_up(cell);
    stream.put_well(graph);
    CHECK_STATUS(stream_zero(device.get(), stream.number(), untouched, 8));
    TestStream(device).signal(cell);
    CHECK_EQUAL(stream.end(), DEVICE_KERNEL_FAILED);
    CHECK_CONTAINS(last_error(), "stream 1, work 2 (the run of graph \"g\"): graph \"g\": task 2 \"sum\"");
    CHECK_CONTAINS(last_error(), "returned 7");
    CHECK_EQUAL(device.word(untouched), 9u);
    CHECK_EQUAL(stream.put(graph), DEVICE_KERNEL_FAILED);
    // the graph and the device can be used again
    CHECK_EQUAL(graph.run(), DEVICE_KERNEL_FAILED);
    TestGraph other(device, GRAPH_HOST_BUILT);
    other.task("put", {word, 3});
    const TestStream next(device);
    next.put_well(other);
    next.end_well();
    CHECK_EQUAL(device.word(word), 3u);
}

TEST(destroying_a_graph_tells_of_a_run_that_has_ended_a_stream_unless_somebody_was_told) {
    const GraphDevice device;
    const TestStream first(device), second(device);
    TestGraph untold(device, GRAPH_HOST_BUILT);
    untold.task("return_seven", {}, "sum");
    TestGraph told(device, GRAPH_HOST_BUILT);
    told.task("return_seven", {}, "sum");
    TestGraph sound(device, GRAPH_HOST_BUILT);
    first.put_well(untold);
    second.put_well(told);
    CHECK_EQUAL(second.end(), DEVICE_KERNEL_FAILED);
    int status = DEVICE_BUSY;
    while (status == DEVICE_BUSY) {
        status = graph_destroy(device.get(), untold.number());
        std::this_thread::yield();
    }
    CHECK_EQUAL(status, DEVICE_KERNEL_FAILED);
    CHECK_CONTAINS(last_error(), "stream 1, work 1 (the run of graph \"g\"): graph \"g\": task 1 \"sum\"");
    CHECK_STATUS(graph_destroy(device.get(), told.number()));
    CHECK_STATUS(graph_destroy(device.get(), sound.number()));
    CHECK_STATUS(device_settle(device.get(), 60'000));
}

TEST(the_time_out_of_the_device_ends_a_run_on_a_stream) {
    const GraphDevice device;
    const uint64_t token = device.allocate(8);
    CHECK_STATUS(device_set_timeout(device.get(), 200));
    TestGraph graph(device, GRAPH_HOST_BUILT);
    graph.task("defer", {token}, "later");
    const TestStream stream(device);
    stream.put_well(graph);
    CHECK_EQUAL(stream.end(), DEVICE_TIMEOUT);
    CHECK_CONTAINS(last_error(), "the run of graph \"g\"): graph \"g\": it did not end within 200 ms: ");
    CHECK_CONTAINS(last_error(), "task 1 \"later\" is to be completed with token ");
}

TEST(a_graph_on_a_stream_is_neither_changed_nor_destroyed_before_it_has_run) {
    const GraphDevice device;
    const uint64_t word = device.allocate(8), cell = device.allocate(4);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    graph.task("put", {word, 1});
    const TestStream stream(device);
    stream.hold_up(cell);
    stream.put_well(graph);
    uint32_t task = 0;
    CHECK_EQUAL(graph_add_task(device.get(), graph.number(), 0, 1, "", nullptr, 0, &task), DEVICE_BUSY);
    CHECK_CONTAINS(last_error(), "graph \"g\": it has been put on a stream and has not ended there");
    CHECK_EQUAL(graph_destroy(device.get(), graph.number()), DEVICE_BUSY);
    graph.run_well();
    TestStream(device).signal(cell);
    stream.end_well();
    CHECK_STATUS(graph_destroy(device.get(), graph.number()));
}

TEST(a_graph_that_runs_on_one_stream_is_refused_by_another) {
    const GraphDevice device;
    const uint64_t cell = device.allocate(4);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    graph.task("wait_for_cell", {cell, 1});
    const TestStream first(device), second(device);
    first.put_well(graph);
    char text[512];
    do {
        CHECK_STATUS(graph_describe(device.get(), graph.number(), text, sizeof(text)));
        std::this_thread::yield();
    } while (std::string(text).find("which runs") == std::string::npos);
    second.put_well(graph);
    CHECK_EQUAL(second.end(), DEVICE_BUSY);
    CHECK_CONTAINS(last_error(), "stream 2, work 1 (the run of graph \"g\"): graph \"g\": it runs");
    TestStream(device).signal(cell);
    first.end_well();
}

TEST(closing_a_device_ends_the_graphs_of_its_streams) {
    const GraphDevice device;
    const uint64_t cell = device.allocate(4);
    TestGraph graph(device, GRAPH_HOST_BUILT);
    graph.task("wait_for_cell", {cell, 1});
    const TestStream stream(device);
    for (int i = 0; i < 3; i++) stream.put_well(graph);
}

TEST(wrong_arguments_of_a_run_on_a_stream_are_refused_by_the_call) {
    const GraphDevice device;
    const TestGraph graph(device, GRAPH_HOST_BUILT);
    const TestStream stream(device);
    CHECK_EQUAL(stream_run_graph(device.get(), stream.number(), 9, nullptr, 0), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), "graph 9");
    CHECK_EQUAL(stream_run_graph(device.get(), 9, graph.number(), nullptr, 0), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), "stream 9");
    CHECK_EQUAL(stream_run_graph(device.get(), stream.number(), graph.number(), nullptr, -1), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(last_error(), "nargs");
    CHECK_EQUAL(stream_run_graph(device.get(), stream.number(), graph.number(), nullptr, 1), DEVICE_INVALID_ARGUMENT);
    // a refused call leaves the graph as it was
    CHECK_STATUS(graph_destroy(device.get(), graph.number()));
}
