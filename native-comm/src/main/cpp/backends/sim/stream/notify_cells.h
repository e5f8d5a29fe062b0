// The memory of a simulated device's notifies, which other processes can map.
#ifndef RANKUNIT_BACKENDS_SIM_STREAM_NOTIFY_CELLS_H
#define RANKUNIT_BACKENDS_SIM_STREAM_NOTIFY_CELLS_H

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "device/cores/interruption.h"
#include "device/shared_memory.h"
#include "support/unique_fd.h"

namespace rankunit::sim {

// One notify. Cells of different notifies are on different cache lines. Everything starts as zero.
struct alignas(64) NotifyCell {
    std::atomic<uint32_t> flag;  // the sequence number of its latest post if it is set, else 0; the futex of its waiter
    std::atomic<uint32_t> posts;  // so far, of all notifies that have had this cell
    std::atomic<uint64_t> token;  // of the notify that has this cell: random; 0 if none has it
};

// As many as a device of the a2 and a3 has.
constexpr uint32_t kMostNotifies = 8192;

using NotifyMemory = std::shared_ptr<const device::SharedMemory>;

// A notify as one process sees it. Thread-safe.
class SimNotify {
public:
    // `name`: "notify 2". `owned`: whether it is of this device, which may wait for it.
    SimNotify(std::string name, NotifyMemory memory, uint32_t index, uint64_t token, bool owned);

    const std::string &name() const { return name_; }
    bool is_owned() const { return owned_; }
    uint32_t index() const { return index_; }
    uint64_t token() const { return token_; }

    // Throws DEVICE_INVALID_ARGUMENT if its owner has destroyed it.
    void post();
    // Waits until it is set, and clears it. Throws DEVICE_TIMEOUT and what the interruption throws.
    void wait(const device::Interruption &interruption, const std::string &who);
    bool is_set() const { return cell_.flag.load(std::memory_order_seq_cst) != 0; }

private:
    // The sequence number of the post that it takes; 0 if it is not set.
    uint32_t take();
    // The same once it is set.
    uint32_t take_later(const device::Interruption &interruption, const std::string &who);

    const std::string name_;
    const NotifyMemory memory_;
    const uint32_t index_;
    const uint64_t token_;
    const bool owned_;
    NotifyCell &cell_;
};

// The cells of one device. Made when its first notify is. Thread-safe.
class NotifyCells {
public:
    // Throws DEVICE_OUT_OF_MEMORY if the device has kMostNotifies.
    std::shared_ptr<SimNotify> make(const std::string &name);
    void free(const SimNotify &notify);

    // The text with which another process finds a notify.
    std::string key_of(const SimNotify &notify);
    // Throws DEVICE_INVALID_ARGUMENT if it is no key, or its notify is gone.
    static std::shared_ptr<SimNotify> import(const std::string &name, const std::string &key);

private:
    std::mutex mutex_;
    NotifyMemory memory_;
    UniqueFd fd_;  // others open it through /proc
    std::vector<uint32_t> free_;
    uint32_t used_ = 0;
};

}  // namespace rankunit::sim

#endif  // RANKUNIT_BACKENDS_SIM_STREAM_NOTIFY_CELLS_H
