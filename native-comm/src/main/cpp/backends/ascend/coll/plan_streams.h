// The streams of a plan: the first is the communicator's, the others are the plan's own.
#ifndef RANKUNIT_BACKENDS_ASCEND_COLL_PLAN_STREAMS_H
#define RANKUNIT_BACKENDS_ASCEND_COLL_PLAN_STREAMS_H

#include <cstdint>
#include <vector>

#include "backends/ascend/device_use.h"

namespace rankunit::ascend {

class PlanStreams {
public:
    // The context of `home` must be current. There is at least the first one.
    PlanStreams(const StreamHome &home, aclrtStream first, uint64_t count);
    PlanStreams(const PlanStreams &) = delete;
    PlanStreams &operator=(const PlanStreams &) = delete;
    // Aborts what a run has left on them: it may wait for a rank that is gone, and would keep the device.
    ~PlanStreams();

    const std::vector<aclrtStream> &all() const { return all_; }

    // Whether something runs that is not known to end.
    void set_unfinished(bool unfinished) { unfinished_ = unfinished; }

private:
    void end() noexcept;

    const StreamHome home_;
    std::vector<aclrtStream> all_;
    bool unfinished_ = false;
};

}  // namespace rankunit::ascend

#endif  // RANKUNIT_BACKENDS_ASCEND_COLL_PLAN_STREAMS_H
