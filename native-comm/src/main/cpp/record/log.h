// An append-only log of events in a file that other processes can read at any time.
#ifndef RANKUNIT_RECORD_LOG_H
#define RANKUNIT_RECORD_LOG_H

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "record/cell_order.h"
#include "record/format.h"
#include "support/unique_fd.h"

namespace rankunit::record {

uint64_t now_ns() noexcept;

// The file is mapped, so what was appended survives a crash of the process. Appending takes no lock. A full log, or a
// full disk, drops events and counts them. Thread-safe.
class Log {
public:
    // Makes the file. Throws DEVICE_SYSTEM if that fails, as it does if there is such a file.
    Log(const std::string &path, std::unique_ptr<CellOrder> order, uint64_t capacity);
    Log(const Log &) = delete;
    Log &operator=(const Log &) = delete;
    ~Log();

    using Words = std::array<uint64_t, 5>;
    void append(Kind kind, uint32_t actor, uint64_t begin, uint64_t end, const Words &words) noexcept;

    // Appends what introduces an actor, which no test is.
    void introduce(uint32_t actor, const Words &words) noexcept;

    // Counts an event that is not there.
    void missed() noexcept { header_->dropped.fetch_add(1, std::memory_order_relaxed); }

    // The marks of a test. With `if_used`, the begin is appended before the next event, and not at all if the test ends
    // without one; then its end is not appended either.
    void begin_test(const std::string &test, bool if_used) noexcept;
    void end_test(const std::string &test) noexcept;

    // The number of a text, which is in the log once; 0 for an empty one. Longer ones than kMostTextBytes are cut.
    uint32_t text(const std::string &text) noexcept;

    CellOrder &order() { return *order_; }

private:
    // Makes sure that the file has room on its disk for the event: a write to a mapped hole of a full disk is a crash.
    bool make_room(uint64_t index) noexcept;
    void append_now(Kind kind, uint32_t actor, uint64_t begin, uint64_t end, const Words &words) noexcept;
    void append_begin() noexcept;
    void append_text(uint32_t number, const std::string &text) noexcept;

    const std::unique_ptr<CellOrder> order_;
    const uint64_t capacity_;
    UniqueFd fd_;
    size_t bytes_;
    LogHeader *header_;
    Event *events_;
    std::atomic<uint64_t> room_{0};  // events for which there is room
    std::mutex room_mutex_;
    bool disk_is_full_ = false;  // guarded by room_mutex_
    std::mutex text_mutex_;
    std::map<std::string, uint32_t> texts_;
    std::mutex begin_mutex_;
    std::atomic<bool> has_begin_{false};  // a begin is to be appended before the next event
    std::string test_;                    // whose; guarded by begin_mutex_, as the next one
    uint64_t begun_ = 0;
};

}  // namespace rankunit::record

#endif  // RANKUNIT_RECORD_LOG_H
