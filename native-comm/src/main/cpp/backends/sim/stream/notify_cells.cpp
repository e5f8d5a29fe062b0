#include "backends/sim/stream/notify_cells.h"

#include <sys/random.h>
#include <unistd.h>

#include <cstdio>

#include "device/cores/activity.h"
#include "rankunit/device.h"
#include "rankunit/stream.h"
#include "record/record.h"
#include "support/deadline.h"
#include "support/failure.h"
#include "support/futex.h"

namespace rankunit::sim {
namespace {

constexpr const char *kNotifiesName = "rankunit-notifies";
constexpr size_t kBytes = kMostNotifies * sizeof(NotifyCell);

NotifyCell &cell_of(const NotifyMemory &memory, uint32_t index) {
    return static_cast<NotifyCell *>(memory->part(0))[index];
}

uint64_t random_token() {
    uint64_t token = 0;
    while (token == 0) {
        if (getrandom(&token, sizeof(token), 0) != static_cast<ssize_t>(sizeof(token))) {
            throw Failure(DEVICE_SYSTEM, system_text("getrandom"));
        }
    }
    return token;
}

// What a key says.
struct Key {
    int pid = 0;
    unsigned long long started = 0;  // distinguishes the process from a later one with its pid
    int fd = 0;
    unsigned index = 0;
    unsigned long long token = 0;
};

constexpr const char *kFormat = "rankunit-notify-1 %d %llu %d %u %llx";

Key parse(const std::string &text) {
    Key key;
    const std::string format = std::string(kFormat) + "%n";
    int length = 0;
    const int found =
        std::sscanf(text.c_str(), format.c_str(), &key.pid, &key.started, &key.fd, &key.index, &key.token, &length);
    if (found != 5 || static_cast<size_t>(length) != text.size() || key.index >= kMostNotifies) {
        throw Failure(DEVICE_INVALID_ARGUMENT, "key = \"" + text + "\" is not the key of a notify, or only a part");
    }
    return key;
}

}  // namespace

SimNotify::SimNotify(std::string name, NotifyMemory memory, uint32_t index, uint64_t token, bool owned)
    : name_(std::move(name)),
      memory_(std::move(memory)),
      index_(index),
      token_(token),
      owned_(owned),
      cell_(cell_of(memory_, index)) {}

void SimNotify::post() {
    if (cell_.token.load(std::memory_order_acquire) != token_) {
        throw Failure(DEVICE_INVALID_ARGUMENT, name_ + " has been destroyed by the device that created it");
    }
    uint32_t sequence = cell_.posts.fetch_add(1, std::memory_order_relaxed) + 1;
    // 0 would mean that it is not set
    if (sequence == 0) sequence = cell_.posts.fetch_add(1, std::memory_order_relaxed) + 1;
    const record::Span span;
    // seq_cst: releases this thread's earlier writes, and is ordered before the wake-up
    const uint32_t replaced = cell_.flag.exchange(sequence, std::memory_order_seq_cst);
    span.end(record::kNotifyPost, token_, sequence, replaced);
    futex_wake(&cell_.flag, 1);
}

// Only one thread of the owner takes it for one post.
uint32_t SimNotify::take() {
    return cell_.flag.exchange(0, std::memory_order_seq_cst);
}

void SimNotify::wait(const device::Interruption &interruption, const std::string &who) {
    const record::Span span;
    uint32_t taken = take();
    if (taken == 0) taken = take_later(interruption, who);
    span.end(record::kNotifyWait, token_, taken);
}

uint32_t SimNotify::take_later(const device::Interruption &interruption, const std::string &who) {
    const Deadline deadline(interruption.timeout());
    const device::Activity::Wait wait([this] { return name_ + ", which is not set"; }, [this] { return is_set(); },
                                      interruption.timeout());
    for (;;) {
        const uint32_t taken = take();
        if (taken != 0) return taken;
        interruption.sleep_on(cell_.flag, 0, deadline.left());
        interruption.check();
        if (deadline.passed() && !is_set()) {
            throw Failure(DEVICE_TIMEOUT, who + " waited " + std::to_string(deadline.waited_ms()) + " ms for " + name_ +
                                              ", which was never posted");
        }
    }
}

std::shared_ptr<SimNotify> NotifyCells::make(const std::string &name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (memory_ == nullptr) {
        memory_ =
            std::make_shared<const device::SharedMemory>(device::SharedMemory::create(kNotifiesName, kBytes, 1, &fd_));
    }
    if (free_.empty() && used_ == kMostNotifies) {
        throw Failure(DEVICE_OUT_OF_MEMORY,
                      "the device has " + std::to_string(kMostNotifies) + " notifies, and cannot have more");
    }
    const uint64_t token = random_token();
    uint32_t index = used_;
    if (free_.empty()) {
        used_++;
    } else {
        index = free_.back();
        free_.pop_back();
    }
    NotifyCell &cell = cell_of(memory_, index);
    cell.flag.store(0, std::memory_order_relaxed);
    cell.token.store(token, std::memory_order_release);
    return std::make_shared<SimNotify>(name, memory_, index, token, true);
}

void NotifyCells::free(const SimNotify &notify) {
    const std::lock_guard<std::mutex> lock(mutex_);
    record::now(record::kNotifyGone, notify.token());
    cell_of(memory_, notify.index()).token.store(0, std::memory_order_release);
    free_.push_back(notify.index());
}

std::string NotifyCells::key_of(const SimNotify &notify) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const int pid = device::pid_in_proc();
    char text[STREAM_NOTIFY_KEY_BYTES];
    std::snprintf(text, sizeof(text), kFormat, pid, static_cast<unsigned long long>(device::start_of_process(pid)),
                  fd_.get(), notify.index(), static_cast<unsigned long long>(notify.token()));
    return text;
}

std::shared_ptr<SimNotify> NotifyCells::import(const std::string &name, const std::string &text) {
    const Key key = parse(text);
    UniqueFd fd;
    if (device::start_of_process(key.pid) == key.started) fd = device::open_of_process(key.pid, key.fd, kNotifiesName);
    if (!fd) {
        throw Failure(DEVICE_INVALID_ARGUMENT,
                      "the device that created the notify is gone, or on another machine (process " +
                          std::to_string(key.pid) + ")");
    }
    const auto memory = std::make_shared<const device::SharedMemory>(device::SharedMemory::map(fd, kBytes, 1));
    if (cell_of(memory, key.index).token.load(std::memory_order_acquire) != key.token) {
        throw Failure(DEVICE_INVALID_ARGUMENT, "the notify has been destroyed by the device that created it");
    }
    return std::make_shared<SimNotify>(name, memory, key.index, key.token, false);
}

}  // namespace rankunit::sim
