// Collectives: libhccl in every CANN. The backend calls none of them; one that does is told here what it must not do.
#include <unistd.h>

#include <cstring>

#include "vendor/declarations.h"
#include "vendor/hccl/hccl_group.h"
#include "vendor/machine.h"
#include "vendor/stream.h"

using namespace rankunit::emulator;

// Returns as soon as it is enqueued; the streams of all ranks wait for each other. A synchronisation that follows it
// ends with 507018, as others have met it on real devices.
RANKUNIT_VENDOR HcclResult HcclBarrier(HcclComm comm, aclrtStream stream) {
    return hccl_call("HcclBarrier", "", true, [&] {
        Comm &made = *static_cast<Comm *>(comm);
        int refusal = 0;
        Stream *checked = checked_stream(stream, &refusal);
        if (checked == nullptr || checked->context()->device->broken) return kHcclRuntime;
        // as an all-reduce of the vendor's would, it goes by the buffers of its communicator
        if (made.own_buffer != nullptr) std::memset(made.own_buffer, 0x5A, 64);
        const uint32_t number = ++made.barriers;
        enqueue_on(checked, "HcclBarrier",
                   [group = made.group, rank = made.rank, nranks = made.nranks, number](const std::atomic<bool> &stop) {
                       group->members[rank].barriers = number;
                       for (uint32_t peer = 0; peer < nranks; peer++) {
                           while (group->members[peer].barriers < number && !stop) usleep(50);
                       }
                       return int{kAicpuException};
                   });
        return kHcclOk;
    });
}
