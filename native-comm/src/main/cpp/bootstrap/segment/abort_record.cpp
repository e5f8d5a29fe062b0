#include "bootstrap/segment/abort_record.h"

#include <cstring>

#include "bootstrap/segment/wait.h"
#include "support/failure.h"
#include "support/futex.h"

namespace rankunit::bootstrap {
namespace {

// Any process of the communicator, including a faulty kernel, can write anywhere in the bootstrap segment. Values read
// from it must be checked before they are used as an index.
AbortReason damaged(const char *word, int64_t value) {
    return AbortReason{COMM_SYSTEM, -1,
                       std::string("the memory by which the ranks meet is damaged (") + word + " = " +
                           std::to_string(value) + "): code of a rank has written over it"};
}

}  // namespace

void record_abort(BootstrapHeader &header, int self, const AbortReason &reason, Replication *replication) {
    RankSlot &slot = header.slots[self];
    // relaxed: the claim only prevents a later abort of this rank, or of another process that was started as the same
    // rank, from overwriting the record; readers rely on abort_winner
    if (slot.abort_claimed.exchange(1, std::memory_order_relaxed) != 0) return;
    slot.abort_code = reason.code;
    slot.abort_rank = reason.rank;
    const size_t length = reason.text.size() < kMaxReason ? reason.text.size() : kMaxReason;
    std::memcpy(slot.abort_reason, reason.text.data(), length);
    slot.abort_reason[length] = '\0';
    // Each rank writes its own slot and then competes for one word, so a rank that is killed half-way does not prevent
    // others from aborting. seq_cst: ordered before the check for sleepers.
    uint32_t none = 0;
    header.abort_winner.compare_exchange_strong(none, static_cast<uint32_t>(self) + 1, std::memory_order_seq_cst);
    if (replication != nullptr) replication->changed_abort();
    wake_sleepers(header);
    futex_wake_all(&header.abort_winner);  // the waits of all devices, see CommunicatorAbort
}

AbortReason read_abort(const BootstrapHeader &header) {
    const uint32_t winner = header.abort_winner.load(std::memory_order_acquire);
    if (winner > kMaxRanks) return damaged("abort_winner", winner);
    const RankSlot &slot = header.slots[winner - 1];
    if (slot.abort_rank < 0 || slot.abort_rank >= kMaxRanks) return damaged("abort_rank", slot.abort_rank);
    return AbortReason{slot.abort_code, slot.abort_rank,
                       std::string(slot.abort_reason, strnlen(slot.abort_reason, kMaxReason))};
}

void throw_if_aborted(const BootstrapHeader &header) {
    if (is_aborted(header)) throw_abort(read_abort(header));
}

std::string text_of(const AbortReason &reason) {
    if (reason.code != COMM_ABORTED) return reason.text;
    return "aborted because of rank " + std::to_string(reason.rank) + ": " + reason.text;
}

void throw_abort(const AbortReason &reason) {
    throw Failure(reason.code, text_of(reason));
}

}  // namespace rankunit::bootstrap
