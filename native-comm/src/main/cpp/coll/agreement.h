// What all ranks must agree on before a plan can run.
#ifndef RANKUNIT_COLL_AGREEMENT_H
#define RANKUNIT_COLL_AGREEMENT_H

#include <string>

#include "coll/task.h"
#include "comm/communicator.h"

namespace rankunit::coll {

// What one rank wants.
struct Wanted {
    const std::string &call;
    uint64_t schedule;  // a digest of the tasks of all ranks
    const Extent &own;
    std::string reason_against;  // why this rank's devices cannot run it, or empty
};

// Waits until all ranks have said which collective they want, and how much of the buffers and notifies they use.
// Returns the largest use of each. Aborts the communicator and throws COMM_MISMATCH if they want different ones. If the
// devices of any rank cannot run it, throws COMM_NOT_SUPPORTED on all ranks, with the first one's reason and nothing
// done.
Extent agree(comm::Communicator &communicator, const Setting &setting, const Wanted &wanted);

}  // namespace rankunit::coll

#endif  // RANKUNIT_COLL_AGREEMENT_H
