#include "shake/members.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <list>
#include <mutex>

#include "support/unique_fd.h"

namespace rankunit::shake {
namespace {

// Processor time.
constexpr uint64_t kLongNs = 50'000'000;

uint64_t ns_of(clockid_t clock) {
    timespec time{};
    if (clock_gettime(clock, &time) != 0) return 0;
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

struct Thread {
    explicit Thread(pid_t number) : id(number) {}

    const pid_t id;
    std::atomic<uint64_t> ran_until_point{0};  // processor time at its latest point, or when it was seen asleep
    UniqueFd stat;

    // The clock of a thread by its number, as pthread_getcpuclockid makes it.
    uint64_t ran() const { return ns_of(static_cast<clockid_t>(~static_cast<unsigned>(id) << 3 | 6)); }
};

struct Members {
    std::mutex mutex;
    std::list<Thread> threads;
    std::atomic<int> starting{0};
};

// Never destroyed: threads may end after static objects.
Members &members() {
    static Members &members = *new Members;
    return members;
}

thread_local Thread *this_thread = nullptr;

constexpr char kGone = 'X';

// 'R' and others: see proc(5). 0 if nothing is known.
char state_of(Thread &thread) {
    if (!thread.stat) {
        char path[64];
        std::snprintf(path, sizeof(path), "/proc/self/task/%d/stat", thread.id);
        thread.stat = UniqueFd(open(path, O_RDONLY | O_CLOEXEC));
        if (!thread.stat) return errno == ENOENT ? kGone : '\0';
    }
    // the name of the thread, in parentheses, has at most 15 bytes
    char text[64];
    const ssize_t length = pread(thread.stat.get(), text, sizeof(text) - 1, 0);
    if (length <= 0) return errno == ESRCH ? kGone : '\0';
    text[length] = '\0';
    const char *const name_end = std::strrchr(text, ')');
    return name_end == nullptr || name_end + 2 >= text + length ? '\0' : name_end[2];
}

bool goes_on(Thread &thread, char state) {
    const uint64_t ran = thread.ran();
    if (state == 'R' || state == 'D') return ran - thread.ran_until_point.load(std::memory_order_relaxed) < kLongNs;
    thread.ran_until_point.store(ran, std::memory_order_relaxed);
    return false;
}

}  // namespace

void a_member_starts(int change) noexcept {
    members().starting.fetch_add(change);
}

Member::Member() {
    join();
}

Member::~Member() {
    Members &all = members();
    const std::lock_guard<std::mutex> lock(all.mutex);
    all.threads.remove_if([](const Thread &thread) { return &thread == this_thread; });
    this_thread = nullptr;
}

void join() {
    if (this_thread != nullptr) return;
    Members &all = members();
    const std::lock_guard<std::mutex> lock(all.mutex);
    this_thread = &all.threads.emplace_back(static_cast<pid_t>(syscall(SYS_gettid)));
    this_thread->ran_until_point.store(this_thread->ran());
    // now, while it is surely this thread that has the number
    state_of(*this_thread);
}

void passed_a_point() noexcept {
    if (this_thread != nullptr) this_thread->ran_until_point.store(this_thread->ran(), std::memory_order_relaxed);
}

bool others_sleep() noexcept {
    Members &all = members();
    if (all.starting.load() > 0) return false;
    const std::lock_guard<std::mutex> lock(all.mutex);
    for (auto at = all.threads.begin(); at != all.threads.end();) {
        const char state = &*at == this_thread ? 'S' : state_of(*at);
        if (state == kGone) {
            // it joined and has ended: a thread_local object that says so would need a newer glibc
            at = all.threads.erase(at);
            continue;
        }
        if (&*at != this_thread && goes_on(*at, state)) return false;
        ++at;
    }
    return true;
}

}  // namespace rankunit::shake
