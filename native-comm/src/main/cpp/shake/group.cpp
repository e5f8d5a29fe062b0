#include "shake/group.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "rankunit/device.h"
#include "support/failure.h"
#include "support/futex.h"
#include "support/unique_fd.h"

namespace rankunit::shake {
namespace {

constexpr uint64_t kGroupMagic = 0x5055'4f52'4745'4b53;  // "SKEGROUP" in memory

// Processor time of a thread that reaches no point. The first steps of a test in a virtual machine for Java take long.
constexpr int64_t kLongNs = 50'000'000;
constexpr int64_t kLongOfHostNs = 500'000'000;
// Of a host that polls.
constexpr uint32_t kManyCalls = 100;

// Of sleep.
constexpr int64_t kMomentNs = 20'000'000;
constexpr uint32_t kManySleeps = 100;

constexpr std::chrono::milliseconds kBellSlice{5};

GroupWords *map_words(int file, const std::string &what) {
    const int flags = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
    void *const mapped = mmap(nullptr, sizeof(GroupWords), PROT_READ | PROT_WRITE, flags, file, 0);
    if (mapped == MAP_FAILED) throw Failure(DEVICE_SYSTEM, what + system_text("mmap"));
    return static_cast<GroupWords *>(mapped);
}

// Every rank does the same, and new bytes are zeros, so it does not matter who is first.
GroupWords *map_file(const std::string &path) {
    const UniqueFd file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file) throw Failure(DEVICE_SYSTEM, path + ": " + system_text("open"));
    if (ftruncate(file.get(), sizeof(GroupWords)) != 0 || posix_fallocate(file.get(), 0, sizeof(GroupWords)) != 0) {
        throw Failure(DEVICE_SYSTEM, path + ": there is no room for " + std::to_string(sizeof(GroupWords)) + " bytes");
    }
    return map_words(file.get(), path + ": ");
}

void raise_to(std::atomic<uint64_t> &word, uint64_t value) noexcept {
    uint64_t found = word.load();
    while (found < value && !word.compare_exchange_weak(found, value)) {
    }
}

// Whether it reaches no point for long, perhaps since it spins until another thread does something.
bool spins(const ThreadWords &thread, const ThreadLook &found) noexcept {
    const bool may_compute = thread.place.load() != kOwnThread && thread.calls.load() < kManyCalls;
    return static_cast<int64_t>(found.ran - thread.ran_until_point.load()) >= (may_compute ? kLongOfHostNs : kLongNs);
}

// Whether it waits for something. A virtual machine makes the threads of a host sleep while one of its own runs, of
// which all sleep for moments.
bool waits(ThreadWords &thread, const ThreadLook &found) noexcept {
    if (thread.place.load() != kHostElsewhere) return true;
    const int64_t now = Clock::now().time_since_epoch().count();
    if (thread.turns.exchange(found.turns) != found.turns) {
        thread.asleep_since.store(now);
        thread.sleeps.fetch_add(1);
    }
    return now - thread.asleep_since.load() >= kMomentNs || thread.sleeps.load() >= kManySleeps;
}

// What a rank says about its first waiter, with the version; none while it changes.
struct First {
    uint32_t version;
    Turn turn;
};
std::optional<First> first_of(const RankWords &words) noexcept {
    const uint32_t version = words.version.load();
    const First first{version, {words.first.load(), words.due.load(), words.tie.load()}};
    return version % 2 == 0 && words.version.load() == version ? std::optional(first) : std::nullopt;
}

bool is_before(const Turn &one, int rank_of_one, const Turn &other, int rank_of_other) noexcept {
    return std::tie(one.due, one.tie, rank_of_one) < std::tie(other.due, other.tie, rank_of_other);
}

}  // namespace

void Group::Unmap::operator()(GroupWords *words) const {
    munmap(words, sizeof(GroupWords));
}

Group::Group() : words_(map_words(-1, "")) {
    given_up_.resize(1);
    own().process.store(getpid());
}

Group::Group(const std::string &path, int rank, int count) : words_(map_file(path)), rank_(rank), count_(count) {
    given_up_.resize(static_cast<size_t>(count));
    uint64_t found = 0;
    if (!words_->magic.compare_exchange_strong(found, kGroupMagic) && found != kGroupMagic) {
        throw Failure(DEVICE_INVALID_ARGUMENT, path + " is not a file for the order of ranks");
    }
    own().process.store(getpid());
}

void Group::begin() noexcept {
    own().begun.store(shaking_.fetch_add(1) + 1);
}

void Group::end() noexcept {
    raise_to(own().ended, shaking_.load());
    wake_first();
}

uint64_t Group::now() const noexcept {
    constexpr uint32_t kStepBits = 40;
    return std::max(words_->now.load(), shaking_.load() << kStepBits);
}

void Group::pass(const Turn &turn) noexcept {
    raise_to(words_->now, turn.due);
    words_->passed.fetch_add(1);
}

void Group::set_first(const std::optional<Turn> &first) noexcept {
    RankWords &words = own();
    words.version.fetch_add(1);
    words.first.store(first.has_value() ? first->thread : 0);
    words.due.store(first.has_value() ? first->due : 0);
    words.tie.store(first.has_value() ? first->tie : 0);
    words.version.fetch_add(1);
    wake_first();
}

// Rings the bell of the rank whose first waiter is before those of all others.
void Group::wake_first() noexcept {
    if (!is_shared()) return;
    std::optional<std::pair<int, Turn>> least;
    for (int rank = 0; rank < count_; rank++) {
        const std::optional<First> first = first_of(words_of(rank));
        if (!first.has_value() || first->turn.thread == 0 || !takes_part(rank)) continue;
        if (!least.has_value() || is_before(first->turn, rank, least->second, least->first))
            least = {rank, first->turn};
    }
    if (!least.has_value() || least->first == rank_) return;
    words_of(least->first).bell.fetch_add(1);
    futex_wake_all(&words_of(least->first).bell);
}

void Group::sleep_until_first(uint32_t bell) noexcept {
    futex_wait({&own().bell, bell}, kBellSlice);
}

// Not those whose shaking has ended. Those whose shaking has not begun do.
bool Group::takes_part(int rank) const noexcept {
    const RankWords &words = words_of(rank);
    const uint64_t shaking = shaking_.load();
    return rank == rank_ || (words.begun.load() <= shaking && words.ended.load() < shaking);
}

// Whether no thread has given it up, in which case it does not matter what it does.
bool Group::matters(int rank) const noexcept {
    if (!takes_part(rank)) return false;
    const RankWords &words = words_of(rank);
    const GivenUp &given_up = given_up_[static_cast<size_t>(rank)];
    return given_up.shaking != shaking_.load() || given_up.begun != words.begun.load() ||
           given_up.version != words.version.load();
}

// Twice, since threads that wake each other up may be asleep one after the other, each when it is looked at. The marks
// are the same if no thread ran between.
Group::Look Group::look(const Turn &turn) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::optional<First> own_first = first_of(own());
    if (!own_first.has_value() || own_first->turn.thread != turn.thread) return Look::kIsNotFirst;
    for (int rank = 0; rank < count_; rank++) {
        if (goes_before(rank, turn) && matters(rank) && !is_dead(rank)) return Look::kIsNotFirstRank;
    }
    if (last_still_goes_on()) return Look::kOthersGoOn;
    std::vector<uint64_t> marks[2];
    for (std::vector<uint64_t> &of_look : marks) {
        for (int rank = 0; rank < count_; rank++) {
            if (matters(rank) && !rests(rank, turn, of_look) && !is_dead(rank)) return Look::kOthersGoOn;
        }
    }
    // it stops being the first when a thread that has less to wait reaches a point meanwhile, and rests there
    const std::optional<First> still = first_of(own());
    if (!still.has_value() || still->version != own_first->version) return Look::kIsNotFirst;
    return marks[0] == marks[1] ? Look::kGoesOn : Look::kOthersGoOn;
}

bool Group::goes_before(int rank, const Turn &turn) const noexcept {
    const std::optional<First> first = first_of(words_of(rank));
    return rank != rank_ && first.has_value() && first->turn.thread != 0 && is_before(first->turn, rank, turn, rank_);
}

// Whether no thread goes on in a rank, and its first waiter goes on after `turn`.
bool Group::rests(int rank, const Turn &turn, std::vector<uint64_t> &marks) {
    RankWords &words = words_of(rank);
    const std::optional<First> first = first_of(words);
    if (!first.has_value() || words.begun.load() < shaking_.load()) return false;
    if (words.starting.load() > 0 || words.arriving.load() > 0 || goes_before(rank, turn)) return false;
    marks.push_back(first->version);
    for (ThreadWords &thread : words.threads) {
        if (!sleeps(rank, thread, marks)) {
            last_that_went_on_ = {rank, &thread};
            return false;
        }
    }
    last_that_went_on_.reset();
    return true;
}

bool Group::sleeps(int rank, ThreadWords &thread, std::vector<uint64_t> &marks) {
    int32_t id = thread.id.load();
    if (id == 0 || thread.at_point.load() != 0) return true;
    const ThreadLook found = threads_.look(words_of(rank).process.load(), id);
    if (found.goes_on()) {
        if (spins(thread, found)) return true;
        if (std::exchange(last_ran_, found.ran + found.turns) != found.ran + found.turns) ran_.fetch_add(1);
        return false;
    }
    if (found.is_gone()) {
        // a thread_local object that says so would need a newer glibc
        if (rank == rank_) thread.id.compare_exchange_strong(id, 0);
        return true;
    }
    raise_to(thread.ran_until_point, found.ran);
    marks.push_back(found.turns);
    return waits(thread, found) && (thread.place.load() != kHostElsewhere || machine_rests(rank, marks));
}

// Whether no thread that is not among those of the rank goes on. A host that sleeps in its virtual machine may wait for
// any of them, such as one that compiles, and on a busy machine for long.
bool Group::machine_rests(int rank, std::vector<uint64_t> &marks) {
    const RankWords &words = words_of(rank);
    for (const pid_t thread : threads_of(words.process.load())) {
        const bool known = std::any_of(std::begin(words.threads), std::end(words.threads),
                                       [&](const ThreadWords &each) { return each.id.load() == thread; });
        if (known) continue;
        const ThreadLook found = threads_.look(words.process.load(), thread);
        Helper &helper = helpers_[{rank, thread}];
        if (helper.passed != passed()) helper = {passed(), found.ran, helper.spins};
        helper.spins =
            found.goes_on() && (helper.spins || static_cast<int64_t>(found.ran - helper.ran) >= kLongOfHostNs);
        if (helper.spins) continue;
        if (found.goes_on()) {
            if (std::exchange(last_ran_, found.ran + found.turns) != found.ran + found.turns) ran_.fetch_add(1);
            return false;
        }
        marks.push_back(found.turns);
    }
    return true;
}

// A quick look at the thread because of which the latest look failed.
bool Group::last_still_goes_on() {
    if (!last_that_went_on_.has_value()) return false;
    const auto [rank, thread] = *last_that_went_on_;
    std::vector<uint64_t> marks;
    return matters(rank) && !sleeps(rank, *thread, marks) && !is_dead(rank);
}

bool Group::is_dead(int rank) {
    const pid_t process = words_of(rank).process.load();
    return process != 0 && rank != rank_ && threads_.look(process, process).is_gone();
}

void Group::give_up_others(const Turn &turn) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (int rank = 0; rank < count_; rank++) {
        std::vector<uint64_t> marks;
        if (rank == rank_ || !matters(rank) || rests(rank, turn, marks)) continue;
        const RankWords &words = words_of(rank);
        given_up_[static_cast<size_t>(rank)] = {shaking_.load(), words.begun.load(), words.version.load()};
    }
}

}  // namespace rankunit::shake
