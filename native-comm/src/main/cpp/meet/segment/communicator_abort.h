// Lets the abort of a communicator end the waits of this process's devices.
#ifndef RANKUNIT_MEET_SEGMENT_COMMUNICATOR_ABORT_H
#define RANKUNIT_MEET_SEGMENT_COMMUNICATOR_ABORT_H

#include <optional>
#include <string>

#include "device/cores/interruption.h"
#include "meet/segment/bootstrap_layout.h"

namespace rankunit::meet {

// Registered as long as it lives; the header outlives it.
class CommunicatorAbort : public device::AbortSource {
public:
    explicit CommunicatorAbort(const BootstrapHeader &header) : header_(header), registration_(*this) {}

    std::optional<std::string> abort_reason() const override;
    const std::atomic<uint32_t> &abort_word() const override { return header_.abort_winner; }

private:
    const BootstrapHeader &header_;
    const device::AbortRegistration registration_;
};

}  // namespace rankunit::meet

#endif  // RANKUNIT_MEET_SEGMENT_COMMUNICATOR_ABORT_H
