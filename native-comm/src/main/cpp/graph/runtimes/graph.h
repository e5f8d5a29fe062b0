// What graphs of all runtimes have in common.
#ifndef RANKUNIT_GRAPH_RUNTIMES_GRAPH_H
#define RANKUNIT_GRAPH_RUNTIMES_GRAPH_H

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "device/cores/launch.h"
#include "device/device.h"
#include "graph/model/task_setup.h"
#include "graph/schedule/deferrals.h"
#include "graph/schedule/scheduler.h"
#include "rankunit/graph.h"

namespace rankunit::graph {

// What graphs use of their device.
struct GraphDevice {
    device::Device &device;
    device::Cores &cores;
    Deferrals deferrals;
};

// The source of a run's tasks, with what there is to tell of it.
class RunSource : public TaskSource {
public:
    // The counts that the scheduler does not know.
    virtual uint64_t count(GraphCount) const { return 0; }
    // Tasks that are not in the log of events.
    virtual uint64_t unrecorded() const { return 0; }
};

// See rankunit/graph.h for the contract. Failures are thrown. Thread-safe; it does one thing at a time.
class Graph {
public:
    Graph(GraphDevice &device, std::string name) : device_(device), name_(std::move(name)) {}
    Graph(const Graph &) = delete;
    Graph &operator=(const Graph &) = delete;
    virtual ~Graph() = default;

    void set(uint32_t setting, uint64_t value);
    uint32_t add_kernel(const device::KernelFunction &function, uint32_t cores, int32_t nargs, const char *name);
    void set_orchestration(const char *library_path, const char *symbol);
    uint32_t add_task(uint32_t kernel, uint32_t blocks, const char *name, const uint64_t *args, size_t nargs);
    void add_edge(uint32_t before, uint32_t after);
    void add_wait(uint32_t task, const KernelCells &cells, uint32_t compare, int32_t value);
    void set_predicate(uint32_t task, const KernelCells &cells, uint32_t compare, int32_t value);
    void run(const uint64_t *args, int32_t nargs, int64_t timeout_ms);
    uint64_t count(uint32_t count) const;
    std::string describe() const;

    // Throws DEVICE_BUSY while it runs or is reserved, or while something of its last run goes on.
    void require_idle();
    // For the end of the device.
    void wait_until_idle() const;

    const std::string &name() const { return name_; }

    // While it lives, the graph can be run, but neither changed nor destroyed.
    class Reservation {
    public:
        explicit Reservation(std::shared_ptr<Graph> graph);
        Reservation(const Reservation &) = delete;
        Reservation &operator=(const Reservation &) = delete;
        ~Reservation();

        Graph &graph() const { return *graph_; }

    private:
        const std::shared_ptr<Graph> graph_;
    };

protected:
    // What each runtime has of its own. Called while nothing else uses the graph. Those that it does not have throw.
    virtual bool try_set(GraphSetting setting, uint64_t value) = 0;
    virtual void do_set_orchestration(const char *library_path, const char *symbol) = 0;
    virtual uint32_t do_add_task(const TaskShape &shape);
    virtual void do_add_edge(uint32_t before, uint32_t after);
    virtual Task &task(uint32_t number);
    virtual std::string what() const = 0;
    // Makes the source of a new run. It publishes nothing yet.
    virtual std::shared_ptr<RunSource> make_source(const std::vector<uint64_t> &args) = 0;
    // Begins to publish.
    virtual void begin(const std::shared_ptr<RunSource> &source, const std::shared_ptr<Scheduler> &scheduler,
                       const std::vector<uint64_t> &args) = 0;

    GraphDevice &device_;
    GraphKernels kernels_;

private:
    // Runs `body` if the graph is idle. Its failures get the name of the graph.
    template <typename Body>
    auto while_idle(Body body);
    // The same, if it is not reserved either.
    template <typename Body>
    auto change(Body body);
    // Called with the mutex held.
    bool goes_on() const;
    std::string where() const;
    void require_unreserved() const;

    const std::string name_;
    mutable std::mutex mutex_;
    bool running_ = false;
    uint32_t reservations_ = 0;
    std::shared_ptr<RunSource> source_;  // of the latest run
    std::shared_ptr<Scheduler> scheduler_;
};

[[noreturn]] void refuse_value(const char *name, uint64_t value, const std::string &allowed);

}  // namespace rankunit::graph

#endif  // RANKUNIT_GRAPH_RUNTIMES_GRAPH_H
