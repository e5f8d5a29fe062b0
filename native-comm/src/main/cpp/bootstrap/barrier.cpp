#include "bootstrap/barrier.h"

#include <string>

namespace rankunit::bootstrap {
namespace {

// Equality is sufficient, even when the number wraps: if a peer is in the next barrier, it has passed this one, so this
// one is completed.
bool is_in_barrier(const BootstrapHeader &header, int rank, uint32_t number) {
    return header.slots[rank].arrivals.load(std::memory_order_seq_cst) == number;
}

}  // namespace

bool complete_barrier(BootstrapHeader &header, int nranks, uint32_t number) {
    for (int rank = 0; rank < nranks; rank++) {
        if (!is_in_barrier(header, rank, number)) return false;
    }
    // Several ranks may get here for one barrier, and in a replica several threads. They store the same value, and no
    // rank enters the next barrier before each of them has left this one. seq_cst: passes on the writes of all the
    // others, and is ordered before the check for sleepers; an exchange for the same reason as in `enter`.
    header.barrier_phase.exchange(number, std::memory_order_seq_cst);
    wake_sleepers(header);
    return true;
}

void Barrier::enter(PeerWait &wait) {
    number_++;
    // seq_cst: releases this rank's earlier writes, and is ordered before its check of the others. Of ranks that arrive
    // at the same time, the last in this order sees all. An exchange instead of a store: in an Arm program, QEMU on x86
    // lets a load pass an earlier seq_cst store. On x86 both compile to the same instruction.
    slot_.arrivals.exchange(number_, std::memory_order_seq_cst);
    const bool last = complete_barrier(header_, nranks_, number_);
    // Only now: as long as the peers do not know of this arrival, none can be in the next barrier, where this check
    // would miss it.
    if (replication_ != nullptr) replication_->changed_arrivals();
    if (last) return;
    wait.until([this] { return completed(); },
               [this] {
                   return WaitSubject{"in barrier #" + std::to_string(number_), "arrived",
                                      [this](int rank) { return has_arrived(rank); }};
               });
}

bool Barrier::has_arrived(int rank) const {
    return is_in_barrier(header_, rank, number_);
}

// A peer cannot complete the next barrier without this rank.
bool Barrier::completed() const {
    return header_.barrier_phase.load(std::memory_order_seq_cst) == number_;
}

}  // namespace rankunit::bootstrap
