// A stream of the vendor's runtime, and what is on it.
#ifndef RANKUNIT_BACKENDS_ASCEND_STREAM_ASCEND_STREAM_H
#define RANKUNIT_BACKENDS_ASCEND_STREAM_ASCEND_STREAM_H

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "backends/ascend/stream/stream_copies.h"
#include "backends/ascend/stream/work_log.h"
#include "device/cores/interruption.h"
#include "support/deadline.h"
#include "support/failure.h"

namespace rankunit::ascend {

// A piece of work, which consists of any number of calls that enqueue something.
struct StreamWork {
    std::string text;                             // "the launch of kernel "add_one"": for people
    std::function<void(StreamCopies &)> enqueue;  // throws what the vendor's functions say
    bool may_wait = false;                        // for what others do, so that an abort refuses it
    std::shared_ptr<const void> uses = nullptr;   // kept until the work has ended
    std::function<void()> check = nullptr;        // with `uses`: throws if the work will never end
    std::function<void()> at_end = nullptr;       // with `uses`: when the work was seen to have ended well
};

// Thread-safe. The stream's context must be current in every call but those that only give a text.
//
// What has ended is only seen when a caller asks: then copies to the host reach the caller's memory.
class AscendStream {
public:
    AscendStream(uint32_t number, int device, const device::Interruption &interruption);
    AscendStream(const AscendStream &) = delete;
    AscendStream &operator=(const AscendStream &) = delete;
    // Gives up what has not ended.
    ~AscendStream();

    std::string name() const { return "stream " + std::to_string(number_); }

    // Returns the number of the piece of work on this stream. Throws the failure that ended the stream, if any.
    uint64_t put(StreamWork work);
    // Whether all has ended. Throws the failure that ended the stream; ends it if it waits and waits are to end, or
    // what it waits for will not happen.
    bool is_done();
    // Throws the failure that ended the stream. The caller says set_told if it passes that on.
    void throw_if_ended();
    void set_told();
    void synchronize(milliseconds timeout);
    // The same at the end of a test: throws no failure of which a caller was told.
    void settle(const Deadline &deadline, milliseconds timeout);
    // The same as a piece of work whose end was seen otherwise: it and all before it have ended.
    void seen_ended(uint64_t work);
    std::string describe();

    // Ends a stream that may wait. Throws nothing for one that has failed already.
    void abort(const FailureRecord &reason);
    // Throws DEVICE_BUSY if something has not ended, and a failure of which no caller was told when the stream is
    // destroyed.
    void destroy();
    // Whatever is on it.
    void give_up() noexcept;

private:
    void require_others();
    bool has_stopped();
    uint64_t enqueue(StreamWork work);
    bool ask();
    void await(const Deadline &deadline, milliseconds timeout);
    // Calls `body`, whose caller is told of the failure that ended the stream if it throws.
    template <typename Body>
    auto telling(Body body);
    // These are called with the mutex locked.
    bool look();
    // Whether something has not ended that may wait.
    bool waits() const { return last_wait_ > log_.ended(); }
    void end_until(uint64_t work);
    void fail(int code, const char *call);
    void stop(const FailureRecord &reason);
    void throw_if_failed() const;
    aclError end() noexcept;

    struct Held {
        uint64_t work;
        std::shared_ptr<const void> object;
        std::function<void()> check;
        std::function<void()> at_end;
    };

    const uint32_t number_;
    const int device_;
    const device::Interruption &interruption_;
    mutable std::mutex mutex_;
    std::unique_ptr<StreamCopies> copies_;  // null after the end
    WorkLog log_;
    std::deque<Held> held_;
    uint64_t last_wait_ = 0;  // number of the last piece that may wait
    std::optional<FailureRecord> failure_;
    bool told_ = false;  // a caller was told of the failure
};

}  // namespace rankunit::ascend

#endif  // RANKUNIT_BACKENDS_ASCEND_STREAM_ASCEND_STREAM_H
