// Waiting for a stream without the vendor's time-outs.
#ifndef RANKUNIT_BACKENDS_ASCEND_LAUNCH_STREAM_WAIT_H
#define RANKUNIT_BACKENDS_ASCEND_LAUNCH_STREAM_WAIT_H

#include <chrono>

#include "backends/ascend/vendor/vendor_api.h"
#include "support/deadline.h"

namespace rankunit::ascend {

// The pauses between two questions to the runtime: short at first, for work that is nearly done. The vendor has no call
// that waits without logging.
class Pauses {
public:
    void pause();

private:
    std::chrono::microseconds next_{10};
};

// Whether everything on the stream ends within `at_most`. Asks the runtime again and again: a synchronisation that runs
// into its time-out logs an error each time, and on some devices leaves a task on the stream. The stream's context must
// be current. Throws a VendorError, about `when`, if the runtime does not answer.
bool ends_within(aclrtStream stream, milliseconds at_most, const char *when, int device);

}  // namespace rankunit::ascend

#endif  // RANKUNIT_BACKENDS_ASCEND_LAUNCH_STREAM_WAIT_H
