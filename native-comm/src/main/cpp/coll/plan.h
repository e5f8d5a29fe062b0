// One rank's side of a collective that is prepared to run.
#ifndef RANKUNIT_COLL_PLAN_H
#define RANKUNIT_COLL_PLAN_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "coll/runner.h"
#include "coll/task.h"
#include "comm/communicator.h"

namespace rankunit::coll {

// What a plan was asked for with, beside its tasks.
struct Asked {
    std::string call;   // for people
    uint64_t schedule;  // a digest of the tasks of all ranks
    Lines lines;        // of this rank's tasks
};

// Failures are thrown. The communicator outlives it.
class Plan : public comm::Attachment {
public:
    // Waits for all ranks. They are told of a failure of this one; what the devices of a rank cannot run, all ranks
    // refuse.
    Plan(comm::Communicator &communicator, Asked asked, const Setting &setting, const std::vector<Task> &tasks);

    // Other ranks are told if this one is given what it cannot take.
    void run(uint64_t input, uint64_t output);

private:
    void place(CollBuffer buffer, uint64_t given);

    comm::Communicator &communicator_;
    const Asked asked_;
    const Setting setting_;
    const Extent own_;
    std::unique_ptr<Runner> runner_;
    std::vector<uint64_t> bases_;  // addresses of all buffers, see base_of; 0 for those that cannot be reached
};

}  // namespace rankunit::coll

#endif  // RANKUNIT_COLL_PLAN_H
