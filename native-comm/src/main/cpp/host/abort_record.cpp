#include "host/abort_record.h"

#include <cstring>

#include "host/wait.h"
#include "support/failure.h"

namespace rankunit::host {

void record_abort(BoardHeader &header, int self, const AbortReason &reason) {
    RankSlot &slot = header.slots[self];
    // relaxed: the claim only keeps what was written from being overwritten, by a later abort of this rank or by
    // another process that was started as the same rank; readers go by abort_winner
    if (slot.abort_claimed.exchange(1, std::memory_order_relaxed) != 0) return;
    slot.abort_code = reason.code;
    slot.abort_rank = reason.rank;
    const size_t length = reason.text.size() < kMaxReason ? reason.text.size() : kMaxReason;
    std::memcpy(slot.abort_reason, reason.text.data(), length);
    slot.abort_reason[length] = '\0';
    // Each rank writes a slot of its own and then competes for one word, so a rank that is killed half-way
    // keeps nobody else from aborting. seq_cst: ordered before the look for sleepers.
    uint32_t none = 0;
    header.abort_winner.compare_exchange_strong(none, static_cast<uint32_t>(self) + 1, std::memory_order_seq_cst);
    wake_sleepers(header);
}

AbortReason read_abort(const BoardHeader &header) {
    const uint32_t winner = header.abort_winner.load(std::memory_order_acquire);
    const RankSlot &slot = header.slots[winner - 1];
    return AbortReason{slot.abort_code, slot.abort_rank, slot.abort_reason};
}

void throw_if_aborted(const BoardHeader &header) {
    if (is_aborted(header)) throw_abort(read_abort(header));
}

void throw_abort(const AbortReason &reason) {
    if (reason.code != COMM_ABORTED) throw Failure(reason.code, reason.text);
    throw Failure(COMM_ABORTED, "aborted because of rank " + std::to_string(reason.rank) + ": " + reason.text);
}

}  // namespace rankunit::host
