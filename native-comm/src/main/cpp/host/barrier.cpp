#include "host/barrier.h"

#include <string>

namespace rankunit::host {

void Barrier::enter(PeerWait &wait) {
    number_++;
    // relaxed: read for error texts only
    slot_.arrivals.store(number_, std::memory_order_relaxed);
    // acq_rel: releases what this rank wrote before; the last to arrive acquires what all the others wrote
    if (header_.barrier_arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == header_.nranks) {
        // relaxed: nobody arrives at the next barrier before it has seen the new phase
        header_.barrier_arrived.store(0, std::memory_order_relaxed);
        // seq_cst: hands on all that was acquired above, and is ordered before the look for sleepers
        header_.barrier_phase.store(number_, std::memory_order_seq_cst);
        wake_sleepers(header_);
        return;
    }
    wait.until([this] { return completed(); },
               [this] {
                   return WaitSubject{"in barrier #" + std::to_string(number_), "arrived", [this](int rank) {
                                          return header_.slots[rank].arrivals.load(std::memory_order_relaxed) ==
                                                 number_;
                                      }};
               });
}

bool Barrier::completed() const {
    // A peer cannot complete the next barrier without this rank, so equality is enough, also when the number wraps.
    return header_.barrier_phase.load(std::memory_order_seq_cst) == number_;
}

}  // namespace rankunit::host
