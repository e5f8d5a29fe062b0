#include "meet/barrier.h"

#include <string>

namespace rankunit::meet {

void Barrier::enter(PeerWait &wait) {
    number_++;
    // seq_cst: releases this rank's earlier writes, and is ordered before its check of the others. Of ranks that arrive
    // at the same time, the last in this order sees all. An exchange instead of a store: in an Arm program, QEMU on x86
    // lets a load pass an earlier seq_cst store. On x86 both compile to the same instruction.
    slot_.arrivals.exchange(number_, std::memory_order_seq_cst);
    if (all_have_arrived()) {
        // Several ranks may get here for one barrier. They store the same value, and no rank enters the next barrier
        // before each of them has left this one. seq_cst: passes on the writes of all the others, and is ordered before
        // the check for sleepers; an exchange for the same reason as above.
        header_.barrier_phase.exchange(number_, std::memory_order_seq_cst);
        wake_sleepers(header_);
        return;
    }
    wait.until([this] { return completed(); },
               [this] {
                   return WaitSubject{"in barrier #" + std::to_string(number_), "arrived",
                                      [this](int rank) { return has_arrived(rank); }};
               });
}

bool Barrier::all_have_arrived() const {
    for (int rank = 0; rank < nranks_; rank++) {
        if (!has_arrived(rank)) return false;
    }
    return true;
}

// Equality is sufficient, even when the number wraps: if a peer is in the next barrier, it has passed this one, so this
// one is completed.
bool Barrier::has_arrived(int rank) const {
    return header_.slots[rank].arrivals.load(std::memory_order_seq_cst) == number_;
}

// A peer cannot complete the next barrier without this rank.
bool Barrier::completed() const {
    return header_.barrier_phase.load(std::memory_order_seq_cst) == number_;
}

}  // namespace rankunit::meet
