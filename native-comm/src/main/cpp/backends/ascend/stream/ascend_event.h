// Events of the vendor's runtime.
#ifndef RANKUNIT_BACKENDS_ASCEND_STREAM_ASCEND_EVENT_H
#define RANKUNIT_BACKENDS_ASCEND_STREAM_ASCEND_EVENT_H

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "backends/ascend/stream/ascend_stream.h"

namespace rankunit::ascend {

// One record of an event: an event of the vendor's that is recorded once. The context must be current in every call
// and at its end.
class EventRecord {
public:
    // `event`: "event 3".
    EventRecord(const std::string &event, int device);
    EventRecord(const EventRecord &) = delete;
    EventRecord &operator=(const EventRecord &) = delete;
    ~EventRecord();

    // `self` is this one, to be kept by the streams until they have passed it.
    static void put(const std::shared_ptr<EventRecord> &self, const std::shared_ptr<AscendStream> &stream);
    static void wait(const std::shared_ptr<EventRecord> &self, AscendStream &stream);

    bool is_reached();
    // Throws the failure that ended its stream, DEVICE_TIMEOUT, and what the interruption throws.
    void synchronize(milliseconds timeout, const device::Interruption &interruption);

private:
    void require_reachable() const;
    aclError query(aclrtEventRecordedStatus *status) const;

    const std::string event_;
    const int device_;
    aclrtEvent vendors_ = nullptr;
    std::shared_ptr<AscendStream> stream_;  // none until it is recorded
    uint64_t work_ = 0;                     // its number on that stream
};

// An event of rankunit/stream.h. The vendor's can be recorded again too, but what then becomes of waits for the record
// before differs between its kinds of events; so each record has one of its own. Thread-safe.
class AscendEvent {
public:
    AscendEvent(uint32_t number, int device) : name_("event " + std::to_string(number)), device_(device) {}

    void record(const std::shared_ptr<AscendStream> &stream);
    // Throws DEVICE_INVALID_ARGUMENT if there is none.
    std::shared_ptr<EventRecord> latest() const;

private:
    const std::string name_;
    const int device_;
    mutable std::mutex mutex_;
    std::shared_ptr<EventRecord> latest_;
};

}  // namespace rankunit::ascend

#endif  // RANKUNIT_BACKENDS_ASCEND_STREAM_ASCEND_EVENT_H
