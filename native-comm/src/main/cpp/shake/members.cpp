#include "shake/members.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <iterator>
#include <memory>
#include <mutex>

#include "shake/group.h"
#include "shake/of_process.h"

namespace rankunit::shake {
namespace {

struct Members {
    std::mutex mutex;
    // What a thread has found once it may use for ever, so a group is never destroyed.
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

void add_this_thread(Place place) {
    const std::lock_guard<std::mutex> lock(members.get().mutex);
    ThreadWords *const all = group().own().threads;
    ThreadWords *const free =
        std::find_if(all, all + kMostThreads, [](const ThreadWords &words) { return words.id.load() == 0; });
    place_of_this_thread = free == all + kMostThreads ? kNoRoom : static_cast<uint32_t>(free - all);
    if (place_of_this_thread == kNoRoom) return;
    free->ran_until_point.store(processor_time());
    free->place.store(place);
    free->at_point.store(0);
    free->calls.store(0);
    free->id.store(static_cast<int32_t>(syscall(SYS_gettid)));
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
