// One run of a plan on one rank: all its streams, by one thread.
#ifndef RANKUNIT_COLL_HOST_RUN_H
#define RANKUNIT_COLL_HOST_RUN_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bootstrap/bootstrap.h"
#include "coll/host/program.h"
#include "coll/host/run_record.h"
#include "coll/host/shaken_order.h"
#include "coll/host/shared_part.h"
#include "coll/task.h"

namespace rankunit::coll {

struct RunContext {
    bootstrap::Bootstrap &bootstrap;
    const std::string &call;
    const Setting &setting;
    const Lines &lines;
    const SharedPart &part;
    const Program &program;
    const std::vector<uint64_t> &bases;
    RunRecord &record;
    uint32_t stamp;
};

class Run {
public:
    explicit Run(const RunContext &context);

    // Returns when all streams have ended. A failure aborts the communicator and is thrown.
    void all();

private:
    void all_in(ShakenOrder order);
    // The stream whose next step is the first of those that need not wait; as many as there are if all must.
    size_t first_in(const ShakenOrder &order) const;
    bool can_run(const Step &step) const;
    // Runs a stream until it ends or must wait; returns whether it has run anything.
    bool advance(size_t stream);
    bool run_step(const Step &step);
    void post(const Step &step);
    void announce();
    bool take(const Step &step);
    void sleep();
    bool can_go_on() const;
    bool awaits(int peer) const;
    const Step *awaited(size_t stream) const;
    std::string waits() const;
    std::string text_of(const Step &step) const;

    const RunContext context_;
    std::vector<size_t> next_;  // step of each stream
    std::vector<bool> local_;   // notifies between streams
    bool unannounced_ = false;  // whether peers that sleep do not know of a post yet
};

}  // namespace rankunit::coll

#endif  // RANKUNIT_COLL_HOST_RUN_H
