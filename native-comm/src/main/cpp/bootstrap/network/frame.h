// What ranks tell each other over a connection: one change of the segment by one rank.
#ifndef RANKUNIT_BOOTSTRAP_NETWORK_FRAME_H
#define RANKUNIT_BOOTSTRAP_NETWORK_FRAME_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "bootstrap/segment/abort_record.h"
#include "bootstrap/segment/bootstrap_layout.h"

namespace rankunit::bootstrap {

enum class FrameKind : uint16_t { kAttached = 1, kArrived, kSaid, kClosed, kTaken, kAborted, kLeft, kDied };

// Numbers are in the order of bytes of the machines, which is the same on all that are supported.
struct FrameHead {
    uint32_t bytes;  // of the whole frame
    FrameKind kind;
    uint16_t rank;  // whose change it is
};

struct AttachedBody {
    int32_t pid;
};

struct ArrivedBody {
    uint32_t number;
};

// The bytes of the message follow.
struct SaidBody {
    uint32_t stage;
    uint32_t kind;
    uint64_t id;
};

struct ClosedBody {
    uint32_t stage;
};

struct TakenBody {
    uint32_t owner;
    uint32_t stage;  // of the owner's message
};

// The text follows.
struct AbortedBody {
    int32_t code;
    int32_t rank;
};

constexpr size_t kMaxFrame = sizeof(FrameHead) + sizeof(SaidBody) + kMaxMessage;

// A frame as it is sent.
class Frame {
public:
    static Frame attached(int rank, int32_t pid);
    static Frame arrived(int rank, uint32_t number);
    static Frame said(int rank, const Message &message);
    static Frame closed(int rank, uint32_t stage);
    static Frame taken(int rank, int owner, uint32_t stage);
    static Frame aborted(int rank, const AbortReason &reason);
    static Frame left(int rank);
    static Frame died(int rank);

    // `bytes` came from a peer. Throws COMM_SYSTEM if they are no frame.
    static Frame parse(std::string bytes);

    FrameKind kind() const { return head().kind; }
    int rank() const { return head().rank; }
    const std::string &bytes() const { return bytes_; }

    // The body, which must be that of the kind.
    template <typename Body>
    Body body() const {
        return read<Body>(sizeof(FrameHead));
    }
    // What follows the body.
    template <typename Body>
    std::string rest() const {
        return bytes_.substr(sizeof(FrameHead) + sizeof(Body));
    }

private:
    explicit Frame(std::string bytes) : bytes_(std::move(bytes)) {}

    template <typename Body>
    static Frame of(FrameKind kind, int rank, const Body &body, const std::string &rest = "");
    static Frame of(FrameKind kind, int rank);
    template <typename T>
    T read(size_t at) const;
    FrameHead head() const { return read<FrameHead>(0); }
    bool is_sound() const;

    std::string bytes_;
};

}  // namespace rankunit::bootstrap

#endif  // RANKUNIT_BOOTSTRAP_NETWORK_FRAME_H
