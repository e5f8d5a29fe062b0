#include "shake/members.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>

#include "shake/group.h"
#include "shake/of_process.h"

namespace rankunit::shake {
namespace {

struct Members {
    std::mutex mutex;
    // What a thread has found once it may use forever, so a group is never destroyed.
    std::atomic<Group *> group{new Group};
};

OfProcess<Members> members;

constexpr uint32_t kNone = kMostThreads;
// No room for it, which it does not ask for again.
constexpr uint32_t kNoRoom = kMostThreads + 1;
thread_local uint32_t place_of_this_thread = kNone;

thread_local bool is_of_host = false;
thread_local int calls_of_this_thread = 0;

ThreadWords *words_of_this_thread() {
    return place_of_this_thread < kMostThreads ? &group().own().threads[place_of_this_thread] : nullptr;
}

// Called with the mutex held. Returns the number of its words, or kNoRoom.
uint32_t add(pid_t thread, Place place, uint64_t ran) {
    ThreadWords *const all = group().own().threads;
    ThreadWords *const free =
        std::find_if(all, all + kMostThreads, [](const ThreadWords &words) { return words.id.load() == 0; });
    if (free == all + kMostThreads) return kNoRoom;
    free->ran_until_point.store(ran);
    free->place.store(place);
    free->at_point.store(0);
    free->calls.store(0);
    free->sleeps.store(0);
    free->id.store(thread);
    return static_cast<uint32_t>(free - all);
}

void add_this_thread(Place place) {
    const std::lock_guard<std::mutex> lock(members.get().mutex);
    place_of_this_thread = add(static_cast<pid_t>(syscall(SYS_gettid)), place, processor_time());
}

std::string name_of(pid_t thread) {
    std::string name;
    std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/comm");
    std::getline(file, name);
    return name;
}

// As HotSpot names those that stop all others.
bool is_of_machine(const std::string &name) {
    return name == "VM Thread" || name.rfind("GC Thread", 0) == 0 || name.rfind("G1 ", 0) == 0;
}

}  // namespace

Group &group() {
    return *members.get().group.load();
}

void a_member_starts(int change) noexcept {
    const std::lock_guard<std::mutex> lock(members.get().mutex);
    group().own().starting.fetch_add(change);
}

Member::Member() {
    add_this_thread(kOwnThread);
}

Member::~Member() {
    const std::lock_guard<std::mutex> lock(members.get().mutex);
    if (ThreadWords *const words = words_of_this_thread()) words->id.store(0);
    place_of_this_thread = kNone;
}

void join() {
    if (place_of_this_thread != kNone) return;
    add_this_thread(kHostInLibrary);
    is_of_host = true;
}

void join_machine() {
    const std::lock_guard<std::mutex> lock(members.get().mutex);
    const ThreadWords *const all = group().own().threads;
    for (const pid_t thread : threads_of(getpid())) {
        const bool known =
            std::any_of(all, all + kMostThreads, [&](const ThreadWords &words) { return words.id.load() == thread; });
        if (!known && is_of_machine(name_of(thread))) add(thread, kMachine, 0);
    }
}

void InLibrary::enter(int change) noexcept {
    calls_of_this_thread += change;
    if (!is_of_host) return;
    ThreadWords *const words = words_of_this_thread();
    if (words == nullptr) return;
    words->place.store(calls_of_this_thread == 0 ? kHostElsewhere : kHostInLibrary);
    if (change > 0) words->calls.fetch_add(1, std::memory_order_relaxed);
}

void is_at_point() noexcept {
    if (ThreadWords *const words = words_of_this_thread()) words->at_point.store(1);
}

void passed_a_point() noexcept {
    ThreadWords *const words = words_of_this_thread();
    if (words == nullptr) return;
    words->ran_until_point.store(processor_time());
    words->calls.store(0);
    words->sleeps.store(0);
    words->at_point.store(0);
}

void join_group(const std::string &path, int rank, int count) {
    auto joined = std::make_unique<Group>(path, rank, count);
    const std::lock_guard<std::mutex> lock(members.get().mutex);
    RankWords &from = group().own();
    RankWords &to = joined->own();
    to.starting.store(from.starting.load());
    for (uint32_t i = 0; i < kMostThreads; i++) {
        to.threads[i].ran_until_point.store(from.threads[i].ran_until_point.load());
        to.threads[i].place.store(from.threads[i].place.load());
        to.threads[i].id.store(from.threads[i].id.load());
    }
    members.get().group.store(joined.release());
}

void forget_members_in_child() noexcept {
    members.forget_in_child();
    place_of_this_thread = kNone;
    is_of_host = false;
}

}  // namespace rankunit::shake
