// What the C functions of comm.h and coll.h share: the handle, its checks, and the text of the last failure.
#ifndef RANKUNIT_COMM_FRONT_H
#define RANKUNIT_COMM_FRONT_H

#include "comm/communicator.h"
#include "rankunit/comm.h"
#include "record/record.h"
#include "shake/members.h"
#include "support/failure.h"
#include "support/owning_process.h"

struct CommHandle_ {
    rankunit::comm::Communicator communicator;
    rankunit::OwningProcess process;
};

namespace rankunit::comm {

// The text of the last failure of a function on this thread.
ErrorText &last_error();

// Runs the body of a C function and returns its status.
template <typename Body>
int guarded(Body body) noexcept {
    return rankunit::guarded(last_error(), COMM_OUT_OF_MEMORY, COMM_SYSTEM, [&] {
        const shake::InLibrary in_library;
        record::enter();
        body();
    });
}

// These throw.
Communicator &require(CommHandle h);
void require_target(const void *pointer, const char *name);

}  // namespace rankunit::comm

#endif  // RANKUNIT_COMM_FRONT_H
