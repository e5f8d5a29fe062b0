#include "backends/ascend/stream/ascend_event.h"

#include "backends/ascend/launch/stream_wait.h"
#include "backends/ascend/vendor/vendor_error.h"
#include "backends/ascend/vendor/vendor_library.h"
#include "rankunit/device.h"

namespace rankunit::ascend {

EventRecord::EventRecord(const std::string &event, int device) : event_(event), device_(device) {
    check_acl(acl().aclrtCreateEvent(&vendors_), "aclrtCreateEvent", device_);
}

EventRecord::~EventRecord() {
    acl().aclrtDestroyEvent(vendors_);
}

void EventRecord::put(const std::shared_ptr<EventRecord> &self, const std::shared_ptr<AscendStream> &stream) {
    StreamWork work{"the record of " + self->event_, [&](StreamCopies &on) {
                        check_acl(acl().aclrtRecordEvent(self->vendors_, on.stream()), "aclrtRecordEvent",
                                  self->device_);
                    }};
    work.uses = self;
    self->work_ = stream->put(std::move(work));
    self->stream_ = stream;
}

void EventRecord::wait(const std::shared_ptr<EventRecord> &self, AscendStream &stream) {
    StreamWork work{"a wait for " + self->event_, [&](StreamCopies &on) {
                        check_acl(acl().aclrtStreamWaitEvent(on.stream(), self->vendors_), "aclrtStreamWaitEvent",
                                  self->device_);
                    }};
    work.may_wait = true;
    work.uses = self;
    work.check = [self] { self->require_reachable(); };
    stream.put(std::move(work));
}

// What was copied to the host before it is there then.
bool EventRecord::is_reached() {
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    check_acl(query(&status), "aclrtQueryEventStatus of " + event_, device_);
    if (status != ACL_EVENT_RECORDED_STATUS_COMPLETE) return false;
    stream_->seen_ended(work_);
    return true;
}

aclError EventRecord::query(aclrtEventRecordedStatus *status) const {
    return acl().aclrtQueryEventStatus(vendors_, status);
}

// What has failed may have been behind the event.
void EventRecord::require_reachable() const {
    try {
        stream_->throw_if_ended();
    } catch (const Failure &failure) {
        aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
        if (query(&status) != ACL_SUCCESS || status != ACL_EVENT_RECORDED_STATUS_COMPLETE) {
            stream_->set_told();
            throw Failure(failure.code(), event_ + " will not happen: " + failure.what());
        }
    }
}

// An event that its stream will not reach says nothing of the reason; so the stream is asked too.
void EventRecord::synchronize(milliseconds timeout, const device::Interruption &interruption) {
    const Deadline deadline(timeout);
    for (Pauses pauses; !is_reached(); pauses.pause()) {
        require_reachable();
        interruption.check();
        if (!deadline.passed()) continue;
        throw Failure(DEVICE_TIMEOUT, "the host waited " + std::to_string(deadline.waited_ms()) + " ms for " + event_ +
                                          "; " + stream_->describe());
    }
    check_acl(acl().aclrtSynchronizeEvent(vendors_), "aclrtSynchronizeEvent of " + event_, device_);
}

void AscendEvent::record(const std::shared_ptr<AscendStream> &stream) {
    const auto made = std::make_shared<EventRecord>(name_, device_);
    // One lock for both: of two records of an event, the later one on its stream is the one that waits mean.
    const std::lock_guard<std::mutex> lock(mutex_);
    EventRecord::put(made, stream);
    latest_ = made;
}

std::shared_ptr<EventRecord> AscendEvent::latest() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (latest_ == nullptr) {
        throw Failure(DEVICE_INVALID_ARGUMENT, name_ + " was never recorded, so a wait for it would mean nothing");
    }
    return latest_;
}

}  // namespace rankunit::ascend
