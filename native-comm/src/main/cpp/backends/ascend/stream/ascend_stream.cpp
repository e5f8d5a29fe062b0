#include "backends/ascend/stream/ascend_stream.h"

#include <utility>

#include "backends/ascend/launch/stream_wait.h"
#include "backends/ascend/vendor/vendor_error.h"
#include "backends/ascend/vendor/vendor_library.h"
#include "rankunit/device.h"

namespace rankunit::ascend {
namespace {

constexpr int kWaitTimeout = 107019;
constexpr int kTaskTimeout = 107020;

aclrtStream new_stream(int device) {
    aclrtStream stream = nullptr;
    check_acl(acl().aclrtCreateStream(&stream), "aclrtCreateStream", device);
    return stream;
}

// What became of the request to stop what runs, if that needs to be said.
std::string stop_work(aclrtStream stream) {
    if (acl().aclrtStreamAbort == nullptr) {
        return " (it goes on, since this CANN (" + acl_version() + ") lacks aclrtStreamAbort)";
    }
    const aclError result = acl().aclrtStreamAbort(stream);
    return result == ACL_SUCCESS ? "" : " (it goes on, since aclrtStreamAbort said " + std::to_string(result) + ")";
}

}  // namespace

AscendStream::AscendStream(uint32_t number, int device, const device::Interruption &interruption)
    : number_(number),
      device_(device),
      interruption_(interruption),
      copies_(std::make_unique<StreamCopies>(device, new_stream(device))) {}

AscendStream::~AscendStream() {
    give_up();
}

template <typename Body>
auto AscendStream::telling(Body body) {
    try {
        return body();
    } catch (const Failure &) {
        set_told();
        throw;
    }
}

void AscendStream::set_told() {
    const std::lock_guard<std::mutex> lock(mutex_);
    told_ = failure_.has_value();
}

uint64_t AscendStream::put(StreamWork work) {
    return telling([&] { return enqueue(std::move(work)); });
}

uint64_t AscendStream::enqueue(StreamWork work) {
    const std::lock_guard<std::mutex> lock(mutex_);
    throw_if_failed();
    if (work.may_wait) interruption_.check();
    const uint64_t number = log_.put(std::move(work.text));
    if (work.may_wait) last_wait_ = number;
    // before it is enqueued: if that fails half-way, the device may use it nevertheless
    const bool kept = work.uses != nullptr;
    if (kept) held_.push_back(Held{number, std::move(work.uses), std::move(work.check), nullptr});
    work.enqueue(*copies_);
    if (kept) held_.back().at_end = std::move(work.at_end);
    return number;
}

bool AscendStream::is_done() {
    return telling([this] { return ask(); });
}

// What waits for another stream asks that one first: of its failure this one may say nothing, or only that something
// has failed. Where this one has stopped, the other may have failed since it was asked.
bool AscendStream::ask() {
    require_others();
    if (has_stopped()) {
        require_others();
        const std::lock_guard<std::mutex> lock(mutex_);
        if (look()) return true;
    }
    try {
        interruption_.check();
    } catch (const Failure &failure) {
        abort(FailureRecord(failure));
        const std::lock_guard<std::mutex> lock(mutex_);
        throw_if_failed();
    }
    return false;
}

// Asks without the lock, since two streams may wait for each other.
void AscendStream::require_others() {
    std::vector<std::function<void()>> all;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        throw_if_failed();
        for (const Held &held : held_) {
            if (held.check) all.push_back(held.check);
        }
    }
    try {
        for (const auto &check : all) check();
    } catch (const Failure &failure) {
        const std::lock_guard<std::mutex> lock(mutex_);
        throw_if_failed();
        stop(FailureRecord(failure));
        throw_if_failed();
    }
}

void AscendStream::throw_if_ended() {
    const std::lock_guard<std::mutex> lock(mutex_);
    look();
}

void AscendStream::synchronize(milliseconds timeout) {
    const Deadline deadline(timeout);
    telling([&] { await(deadline, timeout); });
}

void AscendStream::settle(const Deadline &deadline, milliseconds timeout) {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (told_) return;
    }
    telling([&] { await(deadline, timeout); });
}

void AscendStream::await(const Deadline &deadline, milliseconds timeout) {
    for (Pauses pauses; !ask(); pauses.pause()) {
        if (!deadline.passed()) continue;
        const std::lock_guard<std::mutex> lock(mutex_);
        throw Failure(DEVICE_TIMEOUT,
                      name() + " was not done after " + std::to_string(timeout.count()) + " ms: " + log_.doing());
    }
}

void AscendStream::seen_ended(uint64_t work) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!failure_.has_value()) end_until(work);
}

std::string AscendStream::describe() {
    const std::lock_guard<std::mutex> lock(mutex_);
    try {
        look();
    } catch (const Failure &failure) {
        return std::string("ended: ") + failure.what();
    }
    return name() + ": " + log_.doing();
}

// Whether nothing on it runs any more. Does not ask what has failed, which the vendor tells only once.
bool AscendStream::has_stopped() {
    const std::lock_guard<std::mutex> lock(mutex_);
    throw_if_failed();
    if (log_.all_ended()) return true;
    aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
    return acl().aclrtStreamQuery(copies_->stream(), &status) != ACL_SUCCESS || status == ACL_STREAM_STATUS_COMPLETE;
}

// Asked, and then synchronised once, which tells whether something has failed. With the lock, nothing is put in
// between, so the synchronisation does not wait.
bool AscendStream::look() {
    throw_if_failed();
    if (log_.all_ended()) return true;
    aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
    fail(acl().aclrtStreamQuery(copies_->stream(), &status), "aclrtStreamQuery");
    if (status != ACL_STREAM_STATUS_COMPLETE) return false;
    fail(acl().aclrtSynchronizeStream(copies_->stream()), "aclrtSynchronizeStream");
    end_until(log_.last());
    return true;
}

void AscendStream::end_until(uint64_t work) {
    log_.end(work);
    while (!held_.empty() && held_.front().work <= work) {
        const Held ended = std::move(held_.front());
        held_.pop_front();
        if (ended.at_end) ended.at_end();
    }
}

// Ends the stream unless the code is that of success.
void AscendStream::fail(int code, const char *call) {
    try {
        check_acl(code, call, device_);
    } catch (const VendorError &error) {
        const bool waited = waits() && (code == kWaitTimeout || code == kTaskTimeout);
        failure_.emplace(waited ? DEVICE_TIMEOUT : error.code(),
                         name() + ", " + log_.unended() + ": " + std::string(error.what()));
        throw_if_failed();
    }
}

void AscendStream::throw_if_failed() const {
    if (failure_.has_value()) failure_->raise();
}

void AscendStream::abort(const FailureRecord &reason) {
    const std::lock_guard<std::mutex> lock(mutex_);
    try {
        if (look() || !waits()) return;
    } catch (const Failure &) {
        return;  // it is kept, and told by the next call
    }
    stop(reason);
}

void AscendStream::stop(const FailureRecord &reason) {
    failure_.emplace(reason.code, name() + ", " + log_.unended() + ": " + reason.text + stop_work(copies_->stream()));
}

void AscendStream::destroy() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (copies_ == nullptr) throw_if_failed();
    try {
        if (!look()) {
            throw Failure(DEVICE_BUSY,
                          name() + ": " + log_.doing() + "; synchronize the stream before it is destroyed");
        }
    } catch (const Failure &failure) {
        if (failure.code() == DEVICE_BUSY) throw;
        end();  // one that has failed has nothing left to do, and may say anything
        if (!std::exchange(told_, true)) throw;
        return;
    }
    check_acl(end(), "aclrtDestroyStream", device_);
}

void AscendStream::give_up() noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (copies_ != nullptr) end();
}

// The order matters: what runs there uses all the rest. Nothing is copied to the host's memory, which may be gone.
aclError AscendStream::end() noexcept {
    const AclApi &api = acl();
    aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
    const aclError asked = api.aclrtStreamQuery(copies_->stream(), &status);
    const bool idle = !failure_.has_value() && asked == ACL_SUCCESS && status == ACL_STREAM_STATUS_COMPLETE;
    const bool force = !idle && api.aclrtDestroyStreamForce != nullptr;
    const aclError result =
        force ? api.aclrtDestroyStreamForce(copies_->stream()) : api.aclrtDestroyStream(copies_->stream());
    copies_->free_staging();
    copies_.reset();
    held_.clear();
    if (!failure_.has_value()) failure_.emplace(DEVICE_INVALID_ARGUMENT, name() + " has been destroyed");
    return result;
}

}  // namespace rankunit::ascend
