#include "bootstrap/network/frame.h"

#include <cstring>
#include <utility>

#include "support/failure.h"

namespace rankunit::bootstrap {

template <typename T>
T Frame::read(size_t at) const {
    T value;
    std::memcpy(&value, bytes_.data() + at, sizeof(value));
    return value;
}

template FrameHead Frame::read(size_t) const;
template AttachedBody Frame::read(size_t) const;
template ArrivedBody Frame::read(size_t) const;
template SaidBody Frame::read(size_t) const;
template ClosedBody Frame::read(size_t) const;
template TakenBody Frame::read(size_t) const;
template AbortedBody Frame::read(size_t) const;

template <typename Body>
Frame Frame::of(FrameKind kind, int rank, const Body &body, const std::string &rest) {
    const size_t size = sizeof(FrameHead) + sizeof(body) + rest.size();
    const FrameHead head{static_cast<uint32_t>(size), kind, static_cast<uint16_t>(rank)};
    std::string bytes;
    bytes.reserve(size);
    bytes.append(reinterpret_cast<const char *>(&head), sizeof(head));
    bytes.append(reinterpret_cast<const char *>(&body), sizeof(body));
    bytes += rest;
    return Frame(std::move(bytes));
}

Frame Frame::of(FrameKind kind, int rank) {
    const FrameHead head{sizeof(FrameHead), kind, static_cast<uint16_t>(rank)};
    return Frame(std::string(reinterpret_cast<const char *>(&head), sizeof(head)));
}

Frame Frame::attached(int rank, int32_t pid) {
    return of(FrameKind::kAttached, rank, AttachedBody{pid});
}

Frame Frame::arrived(int rank, uint32_t number) {
    return of(FrameKind::kArrived, rank, ArrivedBody{number});
}

// relaxed: the writer of the message calls this
Frame Frame::said(int rank, const Message &message) {
    const SaidBody body{message.stage.load(std::memory_order_relaxed), message.kind.load(std::memory_order_relaxed),
                        message.id.load(std::memory_order_relaxed)};
    return of(FrameKind::kSaid, rank, body, std::string(reinterpret_cast<const char *>(message.bytes), message.size));
}

Frame Frame::closed(int rank, uint32_t stage) {
    return of(FrameKind::kClosed, rank, ClosedBody{stage});
}

Frame Frame::taken(int rank, int owner, uint32_t stage) {
    return of(FrameKind::kTaken, rank, TakenBody{static_cast<uint32_t>(owner), stage});
}

Frame Frame::aborted(int rank, const AbortReason &reason) {
    return of(FrameKind::kAborted, rank, AbortedBody{reason.code, reason.rank}, reason.text.substr(0, kMaxReason));
}

Frame Frame::left(int rank) {
    return of(FrameKind::kLeft, rank);
}

Frame Frame::died(int rank) {
    return of(FrameKind::kDied, rank);
}

Frame Frame::parse(std::string bytes) {
    Frame frame(std::move(bytes));
    if (!frame.is_sound()) throw Failure(COMM_SYSTEM, "a rank sent a malformed frame");
    return frame;
}

bool Frame::is_sound() const {
    if (bytes_.size() < sizeof(FrameHead) || rank() >= kMaxRanks) return false;
    const size_t body = bytes_.size() - sizeof(FrameHead);
    switch (kind()) {
        case FrameKind::kAttached:
            return body == sizeof(AttachedBody);
        case FrameKind::kArrived:
            return body == sizeof(ArrivedBody);
        case FrameKind::kSaid:
            return body >= sizeof(SaidBody) && body <= sizeof(SaidBody) + kMaxMessage;
        case FrameKind::kClosed:
            return body == sizeof(ClosedBody);
        case FrameKind::kTaken:
            return body == sizeof(TakenBody) && this->body<TakenBody>().owner < kMaxRanks;
        case FrameKind::kAborted:
            return body >= sizeof(AbortedBody) && body <= sizeof(AbortedBody) + kMaxReason;
        case FrameKind::kLeft:
        case FrameKind::kDied:
            return body == 0;
    }
    return false;
}

}  // namespace rankunit::bootstrap
