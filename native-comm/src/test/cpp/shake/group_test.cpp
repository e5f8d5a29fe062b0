// The order between processes whose schedules are shaken together.
#include "shake/group.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <fstream>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "harness/load.h"
#include "harness/ranks.h"
#include "rankunit/device.h"
#include "shake/members.h"
#include "shake/shake.h"
#include "shake/thread_look.h"
#include "support/failure.h"
#include "support/futex.h"

using namespace rankunit::test;
using namespace rankunit::shake;

namespace {

using Order = std::vector<int>;

// Memory that this process shares with those that it forks, of zeros.
template <typename T>
class Shared {
public:
    Shared() : memory_(mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
        CHECK(memory_ != MAP_FAILED);
    }
    Shared(const Shared &) = delete;
    Shared &operator=(const Shared &) = delete;
    ~Shared() { munmap(memory_, sizeof(T)); }

    T *operator->() const { return static_cast<T *>(memory_); }

private:
    void *const memory_;
};

// Who has done something, in its order.
struct Log {
    std::atomic<uint32_t> count;
    std::array<std::atomic<int>, 100> entries;

    void append(int rank) { entries.at(count.fetch_add(1)).store(rank); }
    Order order() const { return {entries.begin(), entries.begin() + count.load()}; }
};

// The file that the ranks share.
class GroupFile {
public:
    ~GroupFile() { unlink(path().c_str()); }
    std::string path() const { return folder_.file("order"); }

private:
    TempFolder folder_;
};

uint64_t seed_of(uint64_t seed, int rank) {
    return seed * kMostRanks + static_cast<uint64_t>(rank);
}

void pass_a_point() {
    const Call call;
}

constexpr size_t kMostRuns = 200;

// What the ranks log who each pass so many points, for each seed.
std::vector<Order> orders(int ranks, int points, Strategy strategy, const std::vector<uint64_t> &seeds) {
    const GroupFile file;
    const Shared<std::array<Log, kMostRuns>> logs;
    run_ranks(ranks, [&](int rank) {
        share_order(file.path(), rank, ranks);
        for (size_t run = 0; run < seeds.size(); run++) {
            begin(strategy, seed_of(seeds[run], rank));
            for (int point = 0; point < points; point++) {
                pass_a_point();
                logs->at(run).append(rank);
            }
            end();
        }
    });
    std::vector<Order> orders;
    for (size_t run = 0; run < seeds.size(); run++) orders.push_back(logs->at(run).order());
    return orders;
}

std::vector<uint64_t> seeds_up_to(uint64_t last) {
    std::vector<uint64_t> seeds;
    for (uint64_t seed = 1; seed <= last; seed++) seeds.push_back(seed);
    return seeds;
}

void check_same_again(int ranks) {
    constexpr size_t kAgain = 20;
    const std::vector<Order> first = orders(ranks, 8, Strategy::kRandom, {1, 2, 3});
    std::set<Order> different;
    for (uint64_t seed = 1; seed <= first.size(); seed++) {
        different.insert(first[seed - 1]);
        CHECK_EQUAL(first[seed - 1].size(), static_cast<size_t>(8 * ranks));
        for (const Order &again : orders(ranks, 8, Strategy::kRandom, std::vector<uint64_t>(kAgain, seed))) {
            CHECK(again == first[seed - 1]);
        }
    }
    CHECK(different.size() > 1);
}

// The state of a process, as proc(5) names it.
char state_of(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string line;
    std::getline(file, line);
    const size_t name_end = line.rfind(')');
    return name_end == std::string::npos || name_end + 2 >= line.size() ? 'X' : line[name_end + 2];
}

struct Meeting {
    std::atomic<int> first_is_there;
};

// So many points that a wait at each would not end before the test is ended.
constexpr int kManyPoints = 300;

// The first rank gets this signal while it is the first to go on, at a point. The second one passes many points.
void check_does_not_hold_up(int signal, char state, Group::Look expected) {
    const GroupFile file;
    const Shared<Meeting> meeting;
    Process first([&] {
        share_order(file.path(), 0, 2);
        begin(Strategy::kRandom, 1);
        pause(0, 1, [] { return false; });
    });
    Process second([&] {
        share_order(file.path(), 1, 2);
        // as long as a thread starts, nobody goes on
        a_member_starts(1);
        begin(Strategy::kRandom, 2);
        meeting->first_is_there.store(1);
        await("the signal", [&] { return state_of(first.pid()) == state; });
        a_member_starts(-1);
        // to begin with, as a wait does it
        is_at_point();
        const Turn turn{getpid(), group().now(), 2};
        group().set_first(turn);
        CHECK(group().look(turn) == expected);
        passed_a_point();
        for (int point = 0; point < kManyPoints; point++) pause(0, 2, [] { return false; });
    });
    await("the second rank", [&] { return meeting->first_is_there.load() == 1; });
    const Group onlooker(file.path(), 2, 3);
    const rankunit::shake::RankWords &words = onlooker.words_of(0);
    // not before it has said all of it
    await("the first rank at its point",
          [&] { return words.first.load() == first.pid() && words.version.load() % 2 == 0; });
    CHECK_EQUAL(::kill(first.pid(), signal), 0);
    CHECK_EQUAL(second.wait(), 0);
    CHECK_EQUAL(state_of(first.pid()), state);
}

}  // namespace

TEST(ranks_with_the_same_seed_go_on_in_the_same_order) {
    check_same_again(2);
    check_same_again(3);
}

TEST(ranks_go_on_in_the_same_order_on_a_busy_machine) {
    const std::vector<Order> first = orders(3, 8, Strategy::kPct, {5, 6});
    const Load load;
    for (int i = 0; i < 3; i++) CHECK(orders(3, 8, Strategy::kPct, {5, 6}) == first);
}

TEST(each_order_of_ranks_is_reached_within_200_seeds) {
    for (const Strategy strategy : {Strategy::kRandom, Strategy::kPct}) {
        const std::vector<Order> of_two = orders(2, 1, strategy, seeds_up_to(50));
        CHECK_EQUAL(std::set<Order>(of_two.begin(), of_two.end()).size(), 2u);
        const std::vector<Order> of_three = orders(3, 1, strategy, seeds_up_to(kMostRuns));
        CHECK_EQUAL(std::set<Order>(of_three.begin(), of_three.end()).size(), 6u);
    }
}

// What a rank does between two points wakes up others, who reach points of their own before anybody else goes on.
TEST(a_thread_that_a_rank_wakes_up_reaches_its_point_before_others_go_on) {
    struct Words {
        std::atomic<uint32_t> woken;
        Log log;
    };
    const auto run = [](uint64_t seed) {
        const GroupFile file;
        const Shared<Words> words;
        run_ranks(3, [&](int rank) {
            share_order(file.path(), rank, 3);
            begin(Strategy::kRandom, seed_of(seed, rank));
            for (uint32_t turn = 0; turn < 10; turn++) {
                if (rank == 2) {
                    while (words->woken.load() <= turn) {
                        rankunit::futex_wait({&words->woken, turn}, std::chrono::milliseconds(1000));
                    }
                }
                pass_a_point();
                words->log.append(rank);
                if (rank != 0) continue;
                words->woken.fetch_add(1);
                rankunit::futex_wake_all(&words->woken);
            }
            end();
        });
        return words->log.order();
    };
    std::set<Order> different;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        const Order first = run(seed);
        different.insert(first);
        for (int i = 0; i < 5; i++) CHECK(run(seed) == first);
    }
    CHECK(different.size() > 1);
}

// As a thread of Java that waits for one that compiles.
TEST(how_long_a_host_waits_for_another_thread_of_its_process_does_not_matter) {
    const auto run = [](uint64_t seed, uint64_t busy_ms) {
        const GroupFile file;
        const Shared<Log> log;
        run_ranks(2, [&](int rank) {
            share_order(file.path(), rank, 2);
            begin(Strategy::kRandom, seed_of(seed, rank));
            for (int turn = 0; turn < 4; turn++) {
                if (rank == 0 && turn > 0) {
                    std::thread helper([&] {
                        while (processor_time() < busy_ms * 1'000'000) {
                        }
                    });
                    helper.join();
                }
                const InLibrary in_library;
                pass_a_point();
                log->append(rank);
            }
            end();
        });
        return log->order();
    };
    std::set<Order> different;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        different.insert(run(seed, 0));
        CHECK(run(seed, 80) == run(seed, 0));
    }
    CHECK(different.size() > 1);
}

// Whoever stops being the first while it looks at others has found out nothing about them, although it may be the first
// again when it is done.
TEST(a_thread_goes_on_after_all_others_that_reach_points_before_its_turn) {
    const Load load;
    for (int run = 0; run < 10; run++) {
        begin(Strategy::kRandom, 1);
        std::atomic<int> passed{0};
        std::thread earlier = member_thread([&] {
            for (int point = 0; point < kManyPoints; point++) {
                pause(0, 1, [] { return false; });
                passed.fetch_add(1);
            }
        });
        pause(16, 2, [] { return false; });
        const int found = passed.load();
        earlier.join();
        end();
        CHECK_EQUAL(found, kManyPoints);
    }
}

TEST(a_rank_that_is_killed_at_its_point_does_not_hold_up_others) {
    check_does_not_hold_up(SIGKILL, 'Z', Group::Look::kGoesOn);
}

TEST(a_rank_that_is_stopped_at_its_point_holds_up_others_once) {
    check_does_not_hold_up(SIGSTOP, 'T', Group::Look::kIsNotFirstRank);
}

TEST(a_rank_that_never_begins_holds_up_others_once) {
    const GroupFile file;
    run_ranks(1, [&](int) {
        share_order(file.path(), 0, 2);
        begin(Strategy::kRandom, 1);
        for (int point = 0; point < kManyPoints; point++) pass_a_point();
        end();
    });
}

TEST(a_rank_that_has_ended_holds_up_nobody) {
    const GroupFile file;
    const Shared<Meeting> meeting;
    Process ended([&] {
        share_order(file.path(), 0, 2);
        begin(Strategy::kRandom, 1);
        pass_a_point();
        end();
        // it goes on
        await("the other rank", [&] { return meeting->first_is_there.load() == 1; });
    });
    Process other([&] {
        share_order(file.path(), 1, 2);
        begin(Strategy::kRandom, 2);
        for (int point = 0; point < kManyPoints; point++) pass_a_point();
        end();
        meeting->first_is_there.store(1);
    });
    CHECK_EQUAL(other.wait(), 0);
    CHECK_EQUAL(ended.wait(), 0);
}

// As a test in Java that polls, with and without pauses between.
TEST(a_host_that_polls_does_not_hold_up_what_it_polls_for) {
    for (const bool sleeps : {false, true}) {
        begin(Strategy::kRandom, 1);
        const auto call_library = [] { const InLibrary in_library; };
        call_library();
        std::atomic<bool> done{false};
        std::thread thread = member_thread([&] {
            for (int point = 0; point < kManyPoints; point++) pause(0, 1, [] { return false; });
            done.store(true);
        });
        while (!done.load()) {
            call_library();
            if (sleeps) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        thread.join();
        end();
    }
}

TEST(a_forked_child_does_not_act_for_its_parent) {
    const GroupFile file;
    run_ranks(1, [&](int) {
        share_order(file.path(), 0, 1);
        begin(Strategy::kRandom, 1);
        pass_a_point();
        const uint64_t passed = group().passed();
        run_ranks(1, [](int) {
            CHECK(!on());
            begin(Strategy::kPct, 2);
            for (int point = 0; point < 5; point++) pass_a_point();
            CHECK_EQUAL(end("").count, 5u);
        });
        CHECK_EQUAL(group().passed(), passed);
        CHECK_EQUAL(group().own().begun.load(), 1u);
        CHECK_EQUAL(group().own().ended.load(), 0u);
        pass_a_point();
        CHECK_EQUAL(end("").count, 2u);
    });
}

TEST(a_file_that_is_something_else_is_refused) {
    const GroupFile file;
    std::ofstream(file.path()) << "something else";
    try {
        Group(file.path(), 0, 2);
        CHECK(false);
    } catch (const rankunit::Failure &failure) {
        CHECK_EQUAL(failure.code(), DEVICE_INVALID_ARGUMENT);
        CHECK_CONTAINS(failure.what(), "is not a file for the order of ranks");
    }
}
