// Collectives: libhccl in every CANN.
#include <unistd.h>

#include <cstring>

#include "vendor/declarations.h"
#include "vendor/hccl_group.h"
#include "vendor/machine.h"
#include "vendor/stream.h"

using namespace rankunit::emulator;

// Returns as soon as it is enqueued; the streams of all ranks wait for each other.
HcclResult HcclBarrier(HcclComm comm, aclrtStream stream) {
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
                       return int{kOk};
                   });
        if (*environment("RANKUNIT_EMULATOR_BARRIER_SWITCHES", "") != '\0') {
            make_current(new_context(*current_context()->device));
        }
        return kHcclOk;
    });
}
