// The log of events by itself, and the order of signals.
#include "record/log.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <set>
#include <thread>
#include <vector>

#include "harness/ranks.h"
#include "record/logged_events.h"
#include "support/failure.h"

using namespace rankunit::test;
using namespace rankunit::record;

namespace {

// A folder with a log in it.
class TestLog {
public:
    explicit TestLog(uint64_t capacity) : log_(path(), std::make_unique<CellOrder>(""), capacity) {}
    ~TestLog() { unlink(path().c_str()); }

    Log &log() { return log_; }
    LoggedEvents events() const { return LoggedEvents(path()); }
    std::string path() const { return folder_.file("log"); }

private:
    const TempFolder folder_;
    Log log_;
};

}  // namespace

TEST(threads_append_at_the_same_time_and_each_in_its_order) {
    constexpr uint32_t kThreads = 4;
    constexpr uint64_t kEvents = 20'000;
    TestLog test(kThreads * kEvents);
    std::vector<std::thread> threads;
    for (uint32_t thread = 0; thread < kThreads; thread++) {
        threads.emplace_back([&test, thread] {
            for (uint64_t i = 0; i < kEvents; i++) test.log().append(kMark, thread, i, i + 1, {i, i ^ thread, 3, 4, 5});
        });
    }
    for (std::thread &thread : threads) thread.join();

    const LoggedEvents events = test.events();
    CHECK_EQUAL(events.all.size(), kThreads * kEvents);
    CHECK_EQUAL(events.appended, kThreads * kEvents);
    CHECK_EQUAL(events.dropped, 0u);
    std::vector<uint64_t> next(kThreads, 0);
    for (const Logged &event : events.all) {
        const uint64_t number = next[event.actor]++;
        CHECK_EQUAL(event.words[0], number);
        CHECK_EQUAL(event.words[1], number ^ event.actor);
        CHECK_EQUAL(event.end, number + 1);
    }
}

TEST(a_full_log_drops_what_comes_and_counts_it) {
    TestLog test(100);
    for (uint64_t i = 0; i < 130; i++) test.log().append(kMark, 0, i, i, {i});
    const LoggedEvents events = test.events();
    CHECK_EQUAL(events.all.size(), 100u);
    CHECK_EQUAL(events.all.back().words[0], 99u);
    CHECK_EQUAL(events.appended, 130u);
    CHECK_EQUAL(events.dropped, 30u);
}

TEST(a_log_can_be_read_while_it_is_written) {
    TestLog test(200'000);
    std::atomic<bool> ended{false};
    std::thread writer([&] {
        for (uint64_t i = 0; i < 200'000; i++) test.log().append(kMark, 7, i, i, {i, ~i});
        ended = true;
    });
    size_t before = 0;
    for (bool last = false; !last;) {
        last = ended;
        const LoggedEvents events = test.events();
        CHECK(events.all.size() >= before);
        before = events.all.size();
        for (const Logged &event : events.all) CHECK_EQUAL(event.words[1], ~event.words[0]);
    }
    writer.join();
    CHECK_EQUAL(before, 200'000u);
}

TEST(a_text_is_in_the_log_once) {
    TestLog test(100);
    const std::string longer(70, 'x');
    const uint32_t one = test.log().text("add_one");
    const uint32_t other = test.log().text(longer);
    CHECK_EQUAL(test.log().text("add_one"), one);
    CHECK_EQUAL(test.log().text(""), 0u);
    const LoggedEvents events = test.events();
    CHECK_EQUAL(events.appended, 4u);
    CHECK_EQUAL(events.text(one), "add_one");
    CHECK_EQUAL(events.text(other), longer);
}

TEST(a_file_that_exists_is_not_overwritten) {
    TestLog test(1);
    try {
        Log other(test.path(), std::make_unique<CellOrder>(""), 1);
    } catch (const rankunit::Failure &failure) {
        CHECK_CONTAINS(failure.what(), "File exists");
        return;
    }
    failed(__FILE__, __LINE__, "nothing was thrown");
}

// Processes that map the file at different addresses count the signals to a cell together.
TEST(ranks_share_the_order_of_a_cell) {
    constexpr int kRanks = 3;
    constexpr int kSignals = 2'000;
    const TempFolder folder;
    run_ranks(kRanks, [&](int rank) {
        CellOrder order(folder.file("order"));
        // the same cell in windows at different addresses
        const uint64_t cell = 0x10000u * static_cast<uint64_t>(rank + 1) + 20;
        uint64_t last = 0;
        for (int i = 0; i < kSignals; i++) {
            CellOrder::Held held(order, cell);
            const uint64_t next = held.next();
            CHECK(next > last);
            CHECK_EQUAL(held.seen(), next);
            last = next;
        }
    });
    CellOrder order(folder.file("order"));
    CHECK_EQUAL(CellOrder::Held(order, 20).seen(), static_cast<uint64_t>(kRanks * kSignals));
    CHECK_EQUAL(order.broken(), 0u);
    unlink(folder.file("order").c_str());
}

TEST(a_lock_whose_holder_died_is_taken_from_it) {
    const TempFolder folder;
    run_ranks(1, [&](int) {
        CellOrder order(folder.file("order"));
        new CellOrder::Held(order, 8);  // never given back
    });
    CellOrder order(folder.file("order"));
    CHECK_EQUAL(CellOrder::Held(order, 8).next(), 1u);
    CHECK_EQUAL(order.broken(), 1u);
    CHECK_EQUAL(CellOrder::Held(order, 8).next(), 2u);
    CHECK_EQUAL(order.broken(), 1u);
    unlink(folder.file("order").c_str());
}

TEST(another_file_is_not_taken_for_an_order) {
    const TempFolder folder;
    const std::string path = folder.file("order");
    std::ofstream(path) << "something else";
    try {
        const CellOrder order(path);
    } catch (const rankunit::Failure &failure) {
        unlink(path.c_str());
        CHECK_CONTAINS(failure.what(), "is not a file for the order of signals");
        return;
    }
    failed(__FILE__, __LINE__, "nothing was thrown");
}

TEST(a_test_that_records_nothing_leaves_nothing) {
    TestLog test(100);
    test.log().begin_test("idle", true);
    test.log().end_test("idle");
    CHECK_EQUAL(test.events().appended, 0u);

    test.log().begin_test("used", true);
    const uint32_t name = test.log().text("stream 1");
    test.log().append(kFree, 4, 5, 6, {7});
    test.log().end_test("used");
    const LoggedEvents events = test.events();
    const std::vector<Logged> marks = events.of(kMark);
    CHECK_EQUAL(marks.size(), 2u);
    CHECK_EQUAL(marks[0].words[0], kTestBegin);
    CHECK_EQUAL(events.text(marks[0].words[1]), "used");
    CHECK_EQUAL(marks[1].words[0], kTestEnd);
    CHECK_EQUAL(events.text(marks[1].words[1]), "used");
    CHECK_EQUAL(events.text(name), "stream 1");
    CHECK_EQUAL(events.kinds_of(kHostActor), "2 2");
    CHECK(marks[0].begin <= marks[1].begin);
}

TEST(a_begin_may_be_wanted_in_any_case) {
    TestLog test(100);
    test.log().begin_test("idle", false);
    test.log().end_test("idle");
    const LoggedEvents events = test.events();
    CHECK_EQUAL(events.of(kMark).size(), 2u);
}

TEST(the_begin_of_a_test_is_before_the_events_of_all_threads) {
    constexpr uint64_t kTests = 2'000;
    TestLog test(kTests * 8);
    for (uint64_t number = 1; number <= kTests; number++) {
        test.log().begin_test("t", true);
        std::vector<std::thread> threads;
        for (uint32_t thread = 1; thread <= 2; thread++) {
            threads.emplace_back([&test, thread, number] { test.log().append(kFree, thread, 0, 0, {number}); });
        }
        for (std::thread &thread : threads) thread.join();
        test.log().end_test("t");
    }
    const LoggedEvents events = test.events();
    uint64_t begun = 0;
    bool inside = false;
    for (const Logged &event : events.all) {
        if (event.kind == kMark) {
            inside = event.words[0] == kTestBegin;
            if (inside) begun++;
        } else if (event.kind == kFree) {
            CHECK(inside);
            CHECK_EQUAL(event.words[0], begun);
        }
    }
    CHECK_EQUAL(begun, kTests);
}
