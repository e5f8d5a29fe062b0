// Empty tasks on a simulated device. With the arguments of ../peers/tasks.h as a graph of host_build_graph; with
//
//     rankunit_tasks ring SLOTS WORDS TASKS ROUNDS
//
// through tensormap_and_ringbuffer: task i reads and writes word i % WORDS, and a scope has half as many tasks as a
// ring has slots. Then it prints, for each round after a short one that is not counted, the seconds of the run, and by
// how many KiB the peak of the process's memory grew in it; -1 if the system does not tell.
#include <string>
#include <vector>

#include "../peers/tasks.h"
#include "rankunit/graph.h"

namespace {

constexpr int64_t kTimeoutMs = 300'000;
constexpr uint64_t kShort = 10'000;

void check(int status) {
    if (status == DEVICE_OK) return;
    std::fprintf(stderr, "%d: %s\n", status, device_last_error());
    std::exit(1);
}

class Graph {
public:
    Graph(DeviceHandle device, GraphRuntime runtime) : device_(device) {
        check(graph_create(device, runtime, "benchmark", &number_));
        KernelHandle handle = nullptr;
        check(device_load_kernel(device, TASK_KERNELS, "do_nothing", &handle));
        check(graph_add_kernel(device, number_, handle, STREAM_CORES_VECTOR, -1, "do_nothing", &kernel_));
    }
    Graph(const Graph &) = delete;
    Graph &operator=(const Graph &) = delete;
    ~Graph() { graph_destroy(device_, number_); }

    uint32_t number() const { return number_; }
    uint32_t kernel() const { return kernel_; }

    void run(uint64_t tasks, const std::vector<uint64_t> &args = {}) const {
        check(graph_run(device_, number_, args.data(), static_cast<int32_t>(args.size()), kTimeoutMs));
        uint32_t completed = 0;
        check(graph_count(device_, number_, GRAPH_COUNT_COMPLETED, &completed));
        if (completed == tasks) return;
        std::fprintf(stderr, "%u tasks have completed\n", completed);
        std::exit(1);
    }

private:
    DeviceHandle device_;
    uint32_t number_ = 0;
    uint32_t kernel_ = 0;
};

tasks::Seconds host_graph(DeviceHandle device, const tasks::Shape &shape) {
    tasks::Clock clock;
    const Graph graph(device, GRAPH_HOST_BUILT);
    check(graph_set(device, graph.number(), GRAPH_TASKS, shape.tasks));
    for (uint64_t i = 0; i < shape.tasks; i++) {
        uint32_t task = 0;
        check(graph_add_task(device, graph.number(), graph.kernel(), 1, "", nullptr, 0, &task));
        if (shape.chains > 0 && i >= shape.chains) {
            check(graph_add_edge(device, graph.number(), task - static_cast<uint32_t>(shape.chains), task));
        }
    }
    const double made = clock.lap();
    graph.run(shape.tasks);
    return {made, clock.lap()};
}

long peak_kib() {
    std::FILE *status = std::fopen("/proc/self/status", "r");
    if (status == nullptr) return -1;
    char line[256];
    long kib = -1;
    while (kib < 0 && std::fgets(line, sizeof(line), status) != nullptr) std::sscanf(line, "VmHWM: %ld", &kib);
    std::fclose(status);
    return kib;
}

// From now on the peak is what is used now, and what comes.
bool forget_peak() {
    std::FILE *refs = std::fopen("/proc/self/clear_refs", "w");
    if (refs == nullptr) return false;
    const bool written = std::fputs("5", refs) >= 0;
    return std::fclose(refs) == 0 && written;
}

void ring(DeviceHandle device, uint64_t slots, uint64_t words, uint64_t tasks, int rounds) {
    uint64_t address = 0;
    check(device_malloc(device, 8 * words, &address));
    const Graph graph(device, GRAPH_TENSOR_MAP);
    check(graph_set(device, graph.number(), GRAPH_SLOTS, slots));
    check(graph_set_orchestration(device, graph.number(), TASK_KERNELS, "empty_tasks"));
    graph.run(kShort, {address, words, kShort, slots / 2});
    for (int i = 0; i < rounds; i++) {
        const bool forgotten = forget_peak();
        const long before = peak_kib();
        tasks::Clock clock;
        graph.run(tasks, {address, words, tasks, slots / 2});
        const double seconds = clock.lap();
        std::printf("%.9f\n%ld\n", seconds, forgotten && before >= 0 ? peak_kib() - before : -1);
    }
}

}  // namespace

int main(int argc, char **argv) {
    tasks::use_two_cores();
    DeviceHandle device = nullptr;
    check(device_open(0, &device));
    int status = 0;
    if (argc == 6 && std::string(argv[1]) == "ring") {
        const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
        ring(device, number(2), number(3), number(4), std::atoi(argv[5]));
    } else {
        status = tasks::measure(argc, argv, [&](const tasks::Shape &shape) { return host_graph(device, shape); });
    }
    device_close(device);
    return status;
}
