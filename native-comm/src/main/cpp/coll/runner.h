// The seam between plans and the devices that run them.
#ifndef RANKUNIT_COLL_RUNNER_H
#define RANKUNIT_COLL_RUNNER_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "coll/task.h"
#include "comm/communicator.h"

namespace rankunit::coll {

// What a plan is made of. All of it but the tasks and `own` is the same on all ranks; it outlives the runner, but for
// the tasks.
struct Prepared {
    comm::Communicator &communicator;
    const std::string &call;
    const Setting &setting;
    const std::vector<Task> &tasks;  // of this rank, in the order in which they were queued
    const Lines &lines;              // which the tasks have numbers of
    const Extent &own;
    const Extent &all;  // the largest one of any rank
};

// What a run was given, and the addresses of all buffers, see base_of; 0 for those that cannot be reached.
struct Given {
    uint64_t input;
    uint64_t output;
    const std::vector<uint64_t> &bases;
};

// Runs the tasks of one rank. Failures are thrown, and abort the communicator.
class Runner {
public:
    Runner() = default;
    Runner(const Runner &) = delete;
    Runner &operator=(const Runner &) = delete;
    virtual ~Runner() = default;

    // The address of one of the plan's own buffers.
    virtual uint64_t buffer(int rank, CollBuffer buffer) const = 0;

    // Returns when all streams have ended.
    virtual void run(const Given &given) = 0;
};

// Each backend that runs plans defines these two.

// Why the devices cannot run these tasks; empty if they can. Waits for no rank.
std::string reason_against(const comm::Communicator &communicator, const Setting &setting,
                           const std::vector<Task> &tasks);

// All ranks call this. A failure is thrown; the caller tells it to the other ranks.
std::unique_ptr<Runner> make_runner(const Prepared &prepared);

}  // namespace rankunit::coll

#endif  // RANKUNIT_COLL_RUNNER_H
