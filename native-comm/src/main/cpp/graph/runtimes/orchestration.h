// Orchestration functions, which make the tasks of a run on the control processor.
#ifndef RANKUNIT_GRAPH_RUNTIMES_ORCHESTRATION_H
#define RANKUNIT_GRAPH_RUNTIMES_ORCHESTRATION_H

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "graph/model/edge_pool.h"
#include "graph/runtimes/graph.h"
#include "rankunit/orchestration.h"

namespace rankunit::graph {

// A function of a shared library, which stays loaded as long as this object lives.
class Orchestration {
public:
    // Throws DEVICE_KERNEL_LOAD.
    Orchestration(const std::string &library_path, const std::string &symbol);

    int run(const OrchestrationEnv &env, const std::vector<uint64_t> &args) const;
    const std::string &name() const { return name_; }

private:
    struct Close {
        void operator()(void *library) const;
    };

    std::string name_;
    std::unique_ptr<void, Close> library_;
    int (*function_)(const OrchestrationEnv *env, const uint64_t *args, int nargs);
};

// A run whose tasks an orchestration function makes. Each runtime adds what its operations do. They are called by the
// thread of the function; what they throw stops the run.
class OrchestrationRun : public RunSource {
public:
    OrchestrationRun(std::shared_ptr<const Orchestration> orchestration, const GraphKernels &kernels,
                     device::Device &device, GraphRuntime runtime);

    // Runs the function on a thread of Workers. `self` is this object.
    static void start(const std::shared_ptr<OrchestrationRun> &self, const std::shared_ptr<Scheduler> &scheduler,
                      const std::vector<uint64_t> &args);

    bool is_idle() const override { return ended_.load() || idle_.load(); }
    bool has_ended() const override { return ended_.load(); }
    std::string text() const override;
    uint64_t count(GraphCount count) const override { return count == GRAPH_COUNT_EDGES ? edges_made_.load() : 0; }

protected:
    virtual uint64_t submit(const OrchestrationTask &task) = 0;
    virtual void add_edge(uint64_t before, uint64_t after);
    virtual void publish(uint64_t task);
    virtual void begin_scope(const char *name, bool manual);
    virtual void end_scope();
    // The function has returned 0. Returns whether all its tasks have been published.
    virtual bool returned() = 0;

    // Adds `after` to what depends on `before`, unless that has completed.
    // `derived`: for the log of events.
    void connect(Task &before, Task &after, bool derived = false);
    void set_conditions(Task &task, const OrchestrationTask &wanted) const;
    TaskShape shape_of(const OrchestrationTask &wanted) const;

    Scheduler &scheduler() const { return *scheduler_; }

    EdgePool edges_;
    std::atomic<bool> idle_{false};

private:
    static const OrchestrationOps &ops();
    template <typename Operation>
    static auto call(const OrchestrationEnv *env, Operation operation);
    void orchestrate(const std::vector<uint64_t> &args) noexcept;
    // Whether it returned well, and all is submitted.
    bool run_function(const std::vector<uint64_t> &args) noexcept;
    std::string who() const { return "orchestration \"" + orchestration_->name() + "\""; }

    const std::shared_ptr<const Orchestration> orchestration_;
    const GraphKernels &kernels_;
    device::Device &device_;
    const GraphRuntime runtime_;
    Scheduler *scheduler_ = nullptr;  // while the function runs
    std::atomic<uint64_t> edges_made_{0};
    std::atomic<bool> ended_{false};
};

// What graphs that can have an orchestration function have in common.
class OrchestratedGraph : public Graph {
public:
    using Graph::Graph;

protected:
    void do_set_orchestration(const char *library_path, const char *symbol) override;
    void begin(const std::shared_ptr<RunSource> &source, const std::shared_ptr<Scheduler> &scheduler,
               const std::vector<uint64_t> &args) override;
    bool has_orchestration() const { return orchestration_ != nullptr; }
    // Throws if there is none.
    std::shared_ptr<const Orchestration> orchestration() const;
    std::string name_of_orchestration() const;

private:
    std::shared_ptr<const Orchestration> orchestration_;
};

}  // namespace rankunit::graph

#endif  // RANKUNIT_GRAPH_RUNTIMES_ORCHESTRATION_H
