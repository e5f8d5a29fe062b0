// What all ranks must agree on before a plan can run.
#ifndef RANKUNIT_COLL_AGREEMENT_H
#define RANKUNIT_COLL_AGREEMENT_H

#include <string>

#include "coll/task.h"
#include "comm/communicator.h"

namespace rankunit::coll {

// Waits until all ranks have said which collective they want, and how much of the buffers and notifies they use.
// Returns the largest use of each. Aborts the communicator and throws COMM_MISMATCH if they want different ones.
Extent agree(comm::Communicator &communicator, const Setting &setting, const std::string &call, const Extent &own);

}  // namespace rankunit::coll

#endif  // RANKUNIT_COLL_AGREEMENT_H
