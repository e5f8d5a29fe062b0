// What a run tells the log of events: copies, and notifies by which the ranks are ordered. Costs a load and a branch
// for each step while nothing is recorded.
#ifndef RANKUNIT_COLL_HOST_RUN_RECORD_H
#define RANKUNIT_COLL_HOST_RUN_RECORD_H

#include <cstdint>
#include <vector>

#include "coll/host/program.h"
#include "coll/task.h"

namespace rankunit::coll {

// One rank's for all runs of a plan. A post and the wait that takes it have the same number, since none is lost.
class RunRecord {
public:
    // `token` is the same on all ranks, and only for this plan.
    RunRecord(const Setting &setting, uint64_t link_notifies, uint64_t token);

    void moved(const Program &program, const Step &step, const std::vector<uint64_t> &bases) const;
    void posted(const Step &step);
    void taken(const Step &step);

private:
    size_t place(const Step &step) const;
    // Of a notify of `rank` that `peer` sets.
    uint64_t token_of(int rank, int peer, uint32_t notify) const;

    const Setting setting_;
    const uint64_t link_notifies_;
    const uint64_t token_;
    std::vector<uint64_t> posts_;  // so far, by place
    std::vector<uint64_t> waits_;
};

}  // namespace rankunit::coll

#endif  // RANKUNIT_COLL_HOST_RUN_RECORD_H
