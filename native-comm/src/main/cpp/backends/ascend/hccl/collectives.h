// HCCL's own collectives on a communicator. Exercised on an emulator only, never on real devices.
#ifndef RANKUNIT_BACKENDS_ASCEND_HCCL_COLLECTIVES_H
#define RANKUNIT_BACKENDS_ASCEND_HCCL_COLLECTIVES_H

#include <memory>
#include <string>

#include "backends/ascend/hccl/hccl_group.h"
#include "comm/device_side.h"

namespace rankunit::ascend {

using comm::VendorRun;

// "HcclAllReduce of 16 float32, sum"
std::string text_of(const VendorRun &run);

class Collectives {
public:
    // On `stream`, among all ranks of `bootstrap`.
    Collectives(bootstrap::Bootstrap &bootstrap, const StreamHome &home, aclrtStream stream)
        : bootstrap_(bootstrap), home_(home), stream_(stream) {}

    // Throws if this CANN cannot run it, or not with these arguments.
    void require(const VendorRun &run) const;

    // Puts it on the stream, once its ranks are known to want the same. The first one makes HCCL's communicator.
    void enqueue(const VendorRun &run);

private:
    void require_arguments(const VendorRun &run) const;
    void require_memory(const char *name, uint64_t address, uint64_t bytes, bool written) const;
    void agree(const VendorRun &run);

    bootstrap::Bootstrap &bootstrap_;
    const StreamHome home_;
    const aclrtStream stream_;
    std::unique_ptr<HcclGroup> group_;
};

}  // namespace rankunit::ascend

#endif  // RANKUNIT_BACKENDS_ASCEND_HCCL_COLLECTIVES_H
