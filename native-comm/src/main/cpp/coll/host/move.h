// Moves data: copies and reduces.
#ifndef RANKUNIT_COLL_HOST_MOVE_H
#define RANKUNIT_COLL_HOST_MOVE_H

#include <cstdint>
#include <vector>

#include "coll/host/program.h"

namespace rankunit::coll {

// Runs a step of the kind kMove. `bases` has the address of each buffer, see base_of.
void run_move(const Program &program, const Step &step, const std::vector<uint64_t> &bases);

}  // namespace rankunit::coll

#endif  // RANKUNIT_COLL_HOST_MOVE_H
