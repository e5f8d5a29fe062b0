// A communicator of HCCL among all ranks of a bootstrap.
#ifndef RANKUNIT_BACKENDS_ASCEND_HCCL_HCCL_GROUP_H
#define RANKUNIT_BACKENDS_ASCEND_HCCL_HCCL_GROUP_H

#include <functional>
#include <string>

#include "backends/ascend/device_use.h"
#include "backends/ascend/vendor/vendor_api.h"
#include "bootstrap/bootstrap.h"

namespace rankunit::ascend {

class HcclGroup {
public:
    // Rank 0's root info is said to the others on the bootstrap, as a topic of kind `topic`. Waits for all ranks.
    HcclGroup(bootstrap::Bootstrap &bootstrap, const StreamHome &home, uint32_t topic);
    HcclGroup(const HcclGroup &) = delete;
    HcclGroup &operator=(const HcclGroup &) = delete;
    // Never waits long, and never fails: with a peer gone, HCCL may do either.
    ~HcclGroup();

    HcclComm get() const { return comm_; }

    // Runs a call on this communicator that may wait for other ranks, so that this rank can leave it behind when the
    // bootstrap is aborted, a peer dies, or the deadline passes: nothing can end it. It runs on a thread of its own,
    // which may go on after this has thrown, so what it uses must be its own; the communicator is not destroyed then.
    void call_leaving(bootstrap::Bootstrap &bootstrap, const std::string &what,
                      const std::function<void(HcclComm)> &call);

private:
    const StreamHome home_;
    HcclComm comm_ = nullptr;
};

}  // namespace rankunit::ascend

#endif  // RANKUNIT_BACKENDS_ASCEND_HCCL_HCCL_GROUP_H
