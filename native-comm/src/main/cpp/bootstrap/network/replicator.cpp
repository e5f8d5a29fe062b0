#include "bootstrap/network/replicator.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "bootstrap/barrier.h"
#include "bootstrap/segment/abort_record.h"
#include "bootstrap/segment/wait.h"

namespace rankunit::bootstrap {

// relaxed, here and below: the thread that calls has written the word itself
void Replicator::changed_arrivals() {
    publish({Frame::arrived(self_, header_.slots[self_].arrivals.load(std::memory_order_relaxed))});
}

void Replicator::changed_message() {
    const Message &own = header_.messages[self_];
    const uint32_t stage = own.stage.load(std::memory_order_relaxed);
    publish({stage % 2 == 0 ? Frame::closed(self_, stage) : Frame::said(self_, own)});
}

void Replicator::changed_taken(uint64_t owners) {
    std::vector<Frame> frames;
    for (int owner = 0; owner < nranks_; owner++) {
        if (owner == self_ || (owners >> owner & 1) == 0) continue;
        // relaxed: the stage does not change before the owner knows that this rank has read the message
        frames.push_back(Frame::taken(self_, owner, header_.messages[owner].stage.load(std::memory_order_relaxed)));
    }
    publish(frames);
}

void Replicator::changed_abort() {
    const RankSlot &slot = header_.slots[self_];
    publish({Frame::aborted(self_, AbortReason{slot.abort_code, slot.abort_rank, slot.abort_reason})});
}

void Replicator::changed_state() {
    publish({Frame::left(self_)});
}

bool Replicator::is_dead(int rank) const {
    // seq_cst: a sleeper's last check, see wait.h
    return (dead_.load(std::memory_order_seq_cst) >> rank & 1) != 0;
}

void Replicator::apply(const Frame &frame) {
    const int rank = frame.rank();
    RankSlot &slot = header_.slots[rank];
    switch (frame.kind()) {
        case FrameKind::kAttached:
            slot.pid.store(frame.body<AttachedBody>().pid, std::memory_order_relaxed);
            // release: a thread that sees the state also sees the pid
            slot.state.store(kSlotAttached, std::memory_order_release);
            break;
        case FrameKind::kArrived: {
            const uint32_t number = frame.body<ArrivedBody>().number;
            // seq_cst: ordered before the check of the others. Of this thread and the one that enters the barrier here,
            // the last in this order sees all arrivals.
            slot.arrivals.exchange(number, std::memory_order_seq_cst);
            complete_barrier(header_, nranks_, number);
            break;
        }
        case FrameKind::kSaid:
            apply_said(frame);
            break;
        case FrameKind::kClosed:
            // release: the next message cannot be seen before this change
            header_.messages[rank].stage.store(frame.body<ClosedBody>().stage, std::memory_order_release);
            break;
        case FrameKind::kTaken:
            apply_taken(frame);
            break;
        case FrameKind::kAborted: {
            const auto body = frame.body<AbortedBody>();
            record_abort(header_, rank, AbortReason{body.code, body.rank, frame.rest<AbortedBody>()}, nullptr);
            break;
        }
        case FrameKind::kLeft:
            // seq_cst, also of the next one: ordered before the check for sleepers
            slot.state.store(kSlotLeft, std::memory_order_seq_cst);
            wake_sleepers(header_);
            break;
        case FrameKind::kDied:
            dead_.fetch_or(uint64_t{1} << rank, std::memory_order_seq_cst);
            wake_sleepers(header_);
            break;
    }
}

// The rank's last message is over, so that no thread of this process reads it.
void Replicator::apply_said(const Frame &frame) {
    const auto body = frame.body<SaidBody>();
    const std::string bytes = frame.rest<SaidBody>();
    Message &message = header_.messages[frame.rank()];
    message.kind.store(body.kind, std::memory_order_relaxed);
    message.id.store(body.id, std::memory_order_relaxed);
    message.taken.store(uint64_t{1} << frame.rank(), std::memory_order_relaxed);
    message.size = static_cast<uint32_t>(bytes.size());
    std::memcpy(message.bytes, bytes.data(), bytes.size());
    // seq_cst: releases the above, and is ordered before the check for sleepers: here no rank may post later, find all
    // messages and wake the others
    message.stage.store(body.stage, std::memory_order_seq_cst);
    wake_sleepers(header_);
}

void Replicator::apply_taken(const Frame &frame) {
    const auto body = frame.body<TakenBody>();
    Message &message = header_.messages[body.owner];
    // relaxed: the owner, to whom alone this matters, has posted the message before it could be read
    if (message.stage.load(std::memory_order_relaxed) != body.stage) return;
    message.taken.fetch_or(uint64_t{1} << frame.rank(), std::memory_order_seq_cst);
    wake_sleepers(header_);
}

}  // namespace rankunit::bootstrap
