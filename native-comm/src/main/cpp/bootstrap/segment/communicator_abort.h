// Lets the abort of a communicator end the waits of this process's devices.
#ifndef RANKUNIT_BOOTSTRAP_SEGMENT_COMMUNICATOR_ABORT_H
#define RANKUNIT_BOOTSTRAP_SEGMENT_COMMUNICATOR_ABORT_H

#include <optional>
#include <string>

#include "bootstrap/segment/bootstrap_layout.h"
#include "device/cores/interruption.h"

namespace rankunit::bootstrap {

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

}  // namespace rankunit::bootstrap

#endif  // RANKUNIT_BOOTSTRAP_SEGMENT_COMMUNICATOR_ABORT_H
