#include "meet/barrier.h"

#include <string>

namespace rankunit::meet {

void Barrier::enter(PeerWait &wait) {
    number_++;
    // seq_cst: releases what this rank wrote before, and is ordered before its look at the others. Of ranks that arrive
    // at the same time, the last in that order sees all. An exchange where a store would do: QEMU on x86 lets the load
    // after a seq_cst store of an Arm program pass that store, and the two compile to the same instruction on x86.
    slot_.arrivals.exchange(number_, std::memory_order_seq_cst);
    if (all_have_arrived()) {
        // Several ranks may come here for one barrier. They store the same, and nobody enters the next before each of
        // them has left. seq_cst: hands on what all the others wrote, and is ordered before the look for sleepers; an
        // exchange as above.
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

// Equality is enough, also when the number wraps: a peer that is in the next barrier has passed this one, so that it is
// completed.
bool Barrier::has_arrived(int rank) const {
    return header_.slots[rank].arrivals.load(std::memory_order_seq_cst) == number_;
}

// A peer cannot complete the next barrier without this rank.
bool Barrier::completed() const {
    return header_.barrier_phase.load(std::memory_order_seq_cst) == number_;
}

}  // namespace rankunit::meet
