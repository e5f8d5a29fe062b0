// Waiting for streams as one of several ranks.
#ifndef RANKUNIT_BACKENDS_ASCEND_LAUNCH_RANK_WAIT_H
#define RANKUNIT_BACKENDS_ASCEND_LAUNCH_RANK_WAIT_H

#include <string>
#include <vector>

#include "backends/ascend/device_use.h"
#include "bootstrap/bootstrap.h"
#include "support/deadline.h"

namespace rankunit::ascend {

// A wait for streams, worded for errors.
struct StreamWait {
    std::string what;   // "for what runs on its device before a barrier"
    std::string when;   // "before a barrier"
    const char *still;  // what is there still at the deadline
};

// Until all on the streams has ended, an abort, the death of a peer, or the deadline. Then each is synchronised once,
// which tells whether something on it has failed; if several say so, the cause is thrown rather than what follows from
// it. The context of `home` must be current.
void wait_for_streams(bootstrap::Bootstrap &bootstrap, const StreamHome &home, const std::vector<aclrtStream> &streams,
                      const Deadline &deadline, const StreamWait &wait);

}  // namespace rankunit::ascend

#endif  // RANKUNIT_BACKENDS_ASCEND_LAUNCH_RANK_WAIT_H
