#include "record/log.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <new>

#include "rankunit/device.h"
#include "support/failure.h"

namespace rankunit::record {
namespace {

// Room is made for so many events at a time: as many as there is room for, from 64 KiB to 1 MiB. Most tests need
// little, and the disk of temporary files may be small.
constexpr uint64_t kLeastStep = 1'024;
constexpr uint64_t kMostStep = 16'384;

// Has the kernel make the pages of new room at once: fault by fault, it takes ten times as long.
void prepare(void *room, size_t bytes) noexcept {
#ifndef MADV_POPULATE_WRITE
    constexpr int MADV_POPULATE_WRITE = 23;  // Linux 5.14; older kernels refuse it, and pages come fault by fault
#endif
    madvise(room, bytes, MADV_POPULATE_WRITE);
}

}  // namespace

uint64_t now_ns() noexcept {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

Log::Log(const std::string &path, std::unique_ptr<CellOrder> order, uint64_t capacity)
    : order_(std::move(order)),
      capacity_(capacity),
      fd_(open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)),
      bytes_(kHeaderBytes + capacity * kEventBytes) {
    if (!fd_) throw Failure(DEVICE_SYSTEM, path + ": " + system_text("open"));
    void *mapped = MAP_FAILED;
    const bool sized =
        ftruncate(fd_.get(), static_cast<off_t>(bytes_)) == 0 && posix_fallocate(fd_.get(), 0, kHeaderBytes) == 0;
    if (sized) mapped = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, fd_.get(), 0);
    if (mapped == MAP_FAILED) {
        const std::string text = system_text(sized ? "mmap" : "ftruncate");
        unlink(path.c_str());
        throw Failure(DEVICE_SYSTEM, path + ": " + text);
    }
    header_ = static_cast<LogHeader *>(mapped);
    events_ = reinterpret_cast<Event *>(static_cast<char *>(mapped) + kHeaderBytes);
    header_->version = kLogVersion;
    header_->header_bytes = kHeaderBytes;
    header_->event_bytes = kEventBytes;
    header_->pid = static_cast<uint32_t>(getpid());
    header_->capacity = capacity;
    header_->began = now_ns();
    // a reader that finds the magic number finds the rest
    header_->magic.store(kLogMagic, std::memory_order_release);
}

Log::~Log() {
    munmap(header_, bytes_);
}

void Log::begin_test(const std::string &test, bool if_used) noexcept {
    const uint64_t now = now_ns();
    if (!if_used) {
        append(kMark, kHostActor, now, now, {kTestBegin, text(test)});
        return;
    }
    try {
        const std::lock_guard<std::mutex> lock(begin_mutex_);
        test_ = test;
        begun_ = now;
        has_begin_.store(true, std::memory_order_release);
    } catch (const std::bad_alloc &) {
        header_->dropped.fetch_add(1, std::memory_order_relaxed);
    }
}

void Log::end_test(const std::string &test) noexcept {
    {
        const std::lock_guard<std::mutex> lock(begin_mutex_);
        if (has_begin_.load(std::memory_order_relaxed)) {
            has_begin_.store(false, std::memory_order_relaxed);
            return;
        }
    }
    const uint64_t now = now_ns();
    append(kMark, kHostActor, now, now, {kTestEnd, text(test)});
}

// Another thread that comes meanwhile waits: its event belongs to the test too, and must be behind the begin.
void Log::append_begin() noexcept {
    const std::lock_guard<std::mutex> lock(begin_mutex_);
    if (!has_begin_.load(std::memory_order_relaxed)) return;
    append_now(kMark, kHostActor, begun_, begun_, {kTestBegin, text(test_)});
    has_begin_.store(false, std::memory_order_release);
}

void Log::append(Kind kind, uint32_t actor, uint64_t begin, uint64_t end, const Words &words) noexcept {
    if (has_begin_.load(std::memory_order_acquire)) append_begin();
    append_now(kind, actor, begin, end, words);
}

void Log::introduce(uint32_t actor, const Words &words) noexcept {
    const uint64_t now = now_ns();
    append_now(kActor, actor, now, now, words);
}

void Log::append_now(Kind kind, uint32_t actor, uint64_t begin, uint64_t end, const Words &words) noexcept {
    const uint64_t index = header_->appended.fetch_add(1, std::memory_order_relaxed);
    if (index >= room_.load(std::memory_order_acquire) && !make_room(index)) {
        header_->dropped.fetch_add(1, std::memory_order_relaxed);
        return;
    }
    Event &event = events_[index];
    event.begin = begin;
    event.end = end;
    event.actor = actor;
    std::copy(words.begin(), words.end(), event.words);
    event.kind.store(kind, std::memory_order_release);
}

bool Log::make_room(uint64_t index) noexcept {
    if (index >= capacity_) return false;
    const std::lock_guard<std::mutex> lock(room_mutex_);
    uint64_t room = room_.load(std::memory_order_relaxed);
    while (room <= index && !disk_is_full_) {
        const uint64_t step = std::min(std::clamp(room, kLeastStep, kMostStep), capacity_ - room);
        const uint64_t offset = kHeaderBytes + room * kEventBytes;
        disk_is_full_ =
            posix_fallocate(fd_.get(), static_cast<off_t>(offset), static_cast<off_t>(step * kEventBytes)) != 0;
        if (!disk_is_full_) {
            prepare(reinterpret_cast<char *>(header_) + offset, step * kEventBytes);
            room += step;
        }
    }
    room_.store(room, std::memory_order_release);
    return index < room;
}

uint32_t Log::text(const std::string &text) noexcept {
    if (text.empty()) return 0;
    try {
        const std::lock_guard<std::mutex> lock(text_mutex_);
        const auto [place, is_new] = texts_.emplace(text, static_cast<uint32_t>(texts_.size() + 1));
        if (is_new) append_text(place->second, text);
        return place->second;
    } catch (const std::bad_alloc &) {
        return 0;
    }
}

void Log::append_text(uint32_t number, const std::string &text) noexcept {
    const size_t total = std::min<size_t>(text.size(), kMostTextBytes);
    const uint64_t now = now_ns();
    for (size_t offset = 0; offset < total; offset += kTextChunkBytes) {
        Words words{number | static_cast<uint64_t>(offset) << 32};
        std::memcpy(&words[1], text.data() + offset, std::min<size_t>(kTextChunkBytes, total - offset));
        append_now(kText, static_cast<uint32_t>(total), now, now, words);
    }
}

}  // namespace rankunit::record
