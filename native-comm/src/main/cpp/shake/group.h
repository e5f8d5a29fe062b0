// The processes whose order is decided together: the ranks of a group that are on one machine, or this process alone.
#ifndef RANKUNIT_SHAKE_GROUP_H
#define RANKUNIT_SHAKE_GROUP_H

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "shake/thread_look.h"
#include "support/deadline.h"

namespace rankunit::shake {

constexpr int kMostRanks = 64;
constexpr uint32_t kMostThreads = 256;

// The ranks share these words, and each writes its own, but for the processor times and the bells. Everything starts as
// zero.
enum Place : uint32_t {
    kOwnThread = 0,
    kHostInLibrary,
    kHostElsewhere,
    kMachine,  // a thread of the virtual machine in which the host runs
};

struct ThreadWords {
    std::atomic<int32_t> id;                // 0: none
    std::atomic<uint64_t> ran_until_point;  // processor time at its latest point, or when it was seen asleep
    std::atomic<uint32_t> at_point;         // 1 while it waits there
    std::atomic<uint32_t> place;            // a Place
    std::atomic<uint32_t> calls;            // by the host since its latest point
    // By those who look at it: since when it sleeps without having had a processor more often, and how often it has
    // begun to since its latest point.
    std::atomic<uint64_t> turns;
    std::atomic<int64_t> asleep_since;
    std::atomic<uint32_t> sleeps;
};

struct alignas(64) RankWords {
    std::atomic<int32_t> process;
    std::atomic<uint32_t> bell;   // a futex, on which its first waiter sleeps while that of another rank is before it
    std::atomic<uint64_t> begun;  // shakings
    std::atomic<uint64_t> ended;
    std::atomic<int32_t> starting;      // threads that are none of those below yet
    std::atomic<int32_t> arriving;      // threads that are about to wait at a point
    std::atomic<uint32_t> version;      // of the next three, odd while they change
    std::atomic<int32_t> first;         // the thread that is the first of those who wait at points there; 0 for none
    std::atomic<uint64_t> due;          // when it goes on
    std::atomic<uint64_t> tie;          // which of equal ones is before the other
    ThreadWords threads[kMostThreads];  // what does not fit counts as asleep
};

struct GroupWords {
    std::atomic<uint64_t> magic;
    // Counts steps, and stands still while any thread goes on: the due of who went on last. See Group::now.
    std::atomic<uint64_t> now;
    std::atomic<uint64_t> passed;  // points
    RankWords ranks[kMostRanks];
};

// When a thread goes on that waits at a point.
struct Turn {
    pid_t thread;
    uint64_t due;
    uint64_t tie;
};

// Thread-safe.
class Group {
public:
    // This process alone.
    Group();
    // Makes the file or opens it, whichever rank comes first. Throws DEVICE_SYSTEM, or DEVICE_INVALID_ARGUMENT if it is
    // another kind of file.
    Group(const std::string &path, int rank, int count);
    Group(const Group &) = delete;
    Group &operator=(const Group &) = delete;

    RankWords &words_of(int rank) const noexcept { return words_->ranks[rank]; }
    RankWords &own() const noexcept { return words_of(rank_); }
    bool is_shared() const noexcept { return count_ > 1; }

    // All ranks begin equally often.
    void begin() noexcept;
    void end() noexcept;

    // Begins with the shaking, so that it does not matter how long others are in the one before.
    uint64_t now() const noexcept;
    uint64_t passed() const noexcept { return words_->passed.load(); }
    // Changes when a thread passes a point, or a look finds that a thread that goes on has had a processor: on a
    // busy machine it may take long until one does.
    uint64_t progress() const noexcept { return passed() + ran_.load(); }
    // A thread goes on whose turn this was.
    void pass(const Turn &turn) noexcept;
    // Who is the first now of those who wait at a point in this process.
    void set_first(const std::optional<Turn> &first) noexcept;

    enum class Look {
        kGoesOn,      // no other thread does
        kIsNotFirst,  // in this process
        kIsNotFirstRank,
        kOthersGoOn,
    };
    Look look(const Turn &turn);
    // Sleeps until another rank says that this may be the first one, or for some milliseconds.
    void sleep_until_first(uint32_t bell) noexcept;
    uint32_t bell() const noexcept { return own().bell.load(); }
    // Does not wait any longer for ranks that go on until they reach a point.
    void give_up_others(const Turn &turn);

private:
    struct Unmap {
        void operator()(GroupWords *words) const;
    };

    bool takes_part(int rank) const noexcept;
    bool matters(int rank) const noexcept;
    bool goes_before(int rank, const Turn &turn) const noexcept;
    bool rests(int rank, const Turn &turn, std::vector<uint64_t> &marks);
    bool sleeps(int rank, ThreadWords &thread, std::vector<uint64_t> &marks);
    bool machine_rests(int rank, std::vector<uint64_t> &marks);
    bool last_still_goes_on();
    bool is_dead(int rank);
    void wake_first() noexcept;

    const std::unique_ptr<GroupWords, Unmap> words_;
    const int rank_ = 0;
    const int count_ = 1;
    std::atomic<uint64_t> shaking_{0};

    std::mutex mutex_;  // of the rest
    ThreadLooks threads_;
    std::optional<std::pair<int, ThreadWords *>> last_that_went_on_;
    uint64_t last_ran_ = 0;  // of who goes on
    std::atomic<uint64_t> ran_{0};
    // Another thread of a process, which may run for a host that sleeps.
    struct Helper {
        uint64_t passed = 0;  // points, when it had run so long
        uint64_t ran = 0;
        bool spins = false;
    };
    std::map<std::pair<int, pid_t>, Helper> helpers_;
    struct GivenUp {
        uint64_t shaking = 0;
        uint64_t begun = 0;
        uint32_t version = 0;
    };
    std::vector<GivenUp> given_up_;
};

}  // namespace rankunit::shake

#endif  // RANKUNIT_SHAKE_GROUP_H
