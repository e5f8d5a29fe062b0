// Why a communicator can no longer be used; shared by all its ranks.
#ifndef RANKUNIT_BOOTSTRAP_SEGMENT_ABORT_RECORD_H
#define RANKUNIT_BOOTSTRAP_SEGMENT_ABORT_RECORD_H

#include <string>

#include "bootstrap/segment/bootstrap_layout.h"
#include "bootstrap/segment/replication.h"

namespace rankunit::bootstrap {

struct AbortReason {
    int code;  // the CommStatus that the ranks report
    int rank;  // to blame
    std::string text;
};

inline bool is_aborted(const BootstrapHeader &header) {
    // seq_cst: a sleeper's last check, see wait.h. As an acquire: the winner's slot is complete once its number is
    // visible
    return header.abort_winner.load(std::memory_order_seq_cst) != 0;
}

// Aborts the communicator in the name of rank `self` and wakes every rank; does nothing if it is already aborted. For
// one thread of a rank at a time: a second thread could return before the first has finished, when the communicator is
// not yet aborted.
// `replication` is null where the ranks share the segment, and for an abort that came through it. In a replicated
// segment the first abort that reaches rank 0's process is the first one on all ranks but those that had recorded
// another one.
void record_abort(BootstrapHeader &header, int self, const AbortReason &reason, Replication *replication);

// Returns the first reason. Call it only if the communicator is aborted.
AbortReason read_abort(const BootstrapHeader &header);

// For people.
std::string text_of(const AbortReason &reason);

[[noreturn]] void throw_abort(const AbortReason &reason);

void throw_if_aborted(const BootstrapHeader &header);

}  // namespace rankunit::bootstrap

#endif  // RANKUNIT_BOOTSTRAP_SEGMENT_ABORT_RECORD_H
