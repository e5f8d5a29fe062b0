#include "bootstrap/segment/communicator_abort.h"

#include "bootstrap/segment/abort_record.h"

namespace rankunit::bootstrap {

std::optional<std::string> CommunicatorAbort::abort_reason() const {
    if (!is_aborted(header_)) return std::nullopt;
    return text_of(read_abort(header_));
}

}  // namespace rankunit::bootstrap
