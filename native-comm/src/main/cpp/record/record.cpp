#include "record/record.h"

#include <pthread.h>
#include <sys/prctl.h>

#include <cstring>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "rankunit/device.h"
#include "support/failure.h"

namespace rankunit::record {
namespace {

constexpr uint64_t kMostEvents = uint64_t{1} << 28;

thread_local Here on_this_thread;
thread_local uint64_t own_number = 0;             // of this thread; 0 until it is asked for
thread_local uint32_t own_actor = kHostActor;     // of this thread, if it is one
thread_local uint64_t own_events = 0;             // recorded by this thread as own_actor
thread_local const Log *introduced_to = nullptr;  // the log that knows it
// The thread that marks the tests; 0 for none.
std::atomic<uint64_t> host_thread{0};
thread_local uint32_t place_of_this_thread = 0;
thread_local const Log *told_to = nullptr;  // the log that was being written when this thread told its place
// Plain memory, since an unloaded library must not leave a destructor behind in a thread.
thread_local char text_of_place[256] = "";

// A text that this thread has asked for, in plain memory as well.
struct KnownText {
    const Log *log;
    uint32_t number;
    size_t size;
    char text[64];
};
constexpr size_t kKnownTexts = 4;
thread_local KnownText known_texts[kKnownTexts];
thread_local size_t next_known_text = 0;

std::atomic<uint32_t> actors{0};
std::atomic<uint64_t> numbers{0};

uint64_t number_of_this_thread() noexcept {
    if (own_number == 0) own_number = new_number();
    return own_number;
}

// Tells how the tasks of a graph run, and nothing that others can see before its run ends. The memory that is allocated
// is the heap of a ring.
bool runs_tasks(Kind kind) noexcept {
    return kind == kAllocate || (kind >= kGraphBegin && kind <= kTaskEnd) || (kind >= kRing && kind <= kMemoryCopy) ||
           kind == kBlockBegin || kind == kBlockEnd || kind == kArgument;
}

// A place that this thread set under another log, or under none, does not apply any more.
void forget_place_of_other_log() noexcept {
    const Log *const now = log();
    if (told_to == now) return;
    told_to = now;
    place_of_this_thread = 0;
    text_of_place[0] = '\0';
}

void watch(Kind kind) noexcept {
    if (on_this_thread.watch != nullptr && !runs_tasks(kind)) on_this_thread.watch->see();
}

void introduce_this_thread(Log &log) noexcept {
    char name[16] = "";
    prctl(PR_GET_NAME, name);
    if (own_actor == kHostActor) own_actor = new_actor();
    on_this_thread.actor = own_actor;
    introduced_to = &log;
    log.introduce(own_actor, {kThreadActor, number_of_this_thread(), log.text(name), 0, 0});
}

void end_in_child() {
    current_log.store(nullptr, std::memory_order_relaxed);
}

// A log lives as long as its process, since a thread may be about to append to it.
Log *keep(std::unique_ptr<Log> log) {
    static std::mutex mutex;
    static auto *const kept = new std::vector<std::unique_ptr<Log>>();
    const std::lock_guard<std::mutex> lock(mutex);
    kept->push_back(std::move(log));
    return kept->back().get();
}

Log *make(const std::string &path, const std::string &order_path, uint64_t capacity) {
    static const int registered = pthread_atfork(nullptr, nullptr, end_in_child);
    if (registered != 0) throw std::bad_alloc();
    if (capacity < 1 || capacity > kMostEvents) {
        throw Failure(DEVICE_INVALID_ARGUMENT,
                      "capacity = " + std::to_string(capacity) + " is not in [1, " + std::to_string(kMostEvents) + "]");
    }
    if (log() != nullptr) throw Failure(DEVICE_BUSY, "a device of this process records already");
    Log *const made = keep(std::make_unique<Log>(path, std::make_unique<CellOrder>(order_path), capacity));
    Log *none = nullptr;
    if (!current_log.compare_exchange_strong(none, made, std::memory_order_release)) {
        throw Failure(DEVICE_BUSY, "a device of this process records already");
    }
    return made;
}

}  // namespace

std::atomic<Log *> current_log{nullptr};

Recording::Recording(const std::string &path, const std::string &order_path, uint64_t capacity)
    : log_(make(path, order_path, capacity)) {}

Recording::~Recording() {
    host_thread.store(0, std::memory_order_relaxed);
    Log *own = log_;
    current_log.compare_exchange_strong(own, nullptr, std::memory_order_relaxed);
}

Here here() noexcept {
    return on_this_thread;
}

void enter() noexcept {
    Log *const to = log();
    if (to == nullptr || on_this_thread.actor != own_actor || introduced_to == to) return;
    const uint64_t host = host_thread.load(std::memory_order_relaxed);
    if (host != 0 && host != number_of_this_thread()) introduce_this_thread(*to);
}

OwnActor actor_of_this_thread() noexcept {
    return {own_actor, own_events};
}

void become_host() noexcept {
    host_thread.store(number_of_this_thread(), std::memory_order_relaxed);
}

void set_place(const std::string &place) noexcept {
    place_of_this_thread = text(place);
    told_to = log();
    copy_text(log() == nullptr ? "" : place, text_of_place, sizeof(text_of_place));
}

uint32_t place() noexcept {
    forget_place_of_other_log();
    return place_of_this_thread;
}

std::string place_text() {
    forget_place_of_other_log();
    return text_of_place;
}

void AtLine::begin(const char *file, uint32_t line) noexcept {
    const char *const folder_end = std::strrchr(file, '/');
    const std::string name = folder_end == nullptr ? file : folder_end + 1;
    forget_place_of_other_log();
    before_ = std::exchange(place_of_this_thread, text(name + ":" + std::to_string(line)));
}

AtLine::~AtLine() {
    if (changed_) place_of_this_thread = before_;
}

uint32_t text_in(Log &log, const std::string &text) noexcept {
    if (text.empty()) return 0;
    if (text.size() > sizeof(KnownText::text)) return log.text(text);
    for (const KnownText &known : known_texts) {
        const bool is_same = known.log == &log && known.size == text.size();
        if (is_same && std::memcmp(known.text, text.data(), text.size()) == 0) return known.number;
    }
    KnownText &known = known_texts[next_known_text++ % kKnownTexts];
    known.log = &log;
    known.number = log.text(text);
    known.size = text.size();
    std::memcpy(known.text, text.data(), text.size());
    return known.number;
}

uint32_t new_actor() noexcept {
    return actors.fetch_add(1, std::memory_order_relaxed) + 1;
}

uint64_t new_number() noexcept {
    return numbers.fetch_add(1, std::memory_order_relaxed) + 1;
}

Here As::exchange(Here here) noexcept {
    return std::exchange(on_this_thread, here);
}

void append(Log &log, Kind kind, uint32_t actor, const Log::Words &words) noexcept {
    const uint64_t time = now_ns();
    watch(kind);
    if (actor == own_actor && kind != kAcquire) own_events++;
    log.append(kind, actor, time, time, words);
}

void Span::end(Kind kind, uint64_t w0, uint64_t w1, uint64_t w2, uint64_t w3, uint64_t w4) const noexcept {
    if (log_ == nullptr) return;
    watch(kind);
    if (on_this_thread.actor == own_actor) own_events++;
    log_->append(kind, on_this_thread.actor, begin_, now_ns(), {w0, w1, w2, w3, w4});
}

void argument(size_t index, uint64_t kind, uint64_t value, uint64_t bytes) noexcept {
    now(kArgument, index, kind, value, bytes, on_this_thread.work);
}

void arguments(const uint64_t *args, size_t count) noexcept {
    for (size_t i = 0; i < count; i++) argument(i, kUnknownUse, args[i], 0);
}

}  // namespace rankunit::record
