// What a device records.
#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <fstream>
#include <thread>
#include <vector>

#include "record/recording_device.h"

using namespace rankunit::test;
using namespace rankunit::record;

namespace {

// With sanitizers, a graph of very many tasks takes several seconds.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSlow = true;
#else
constexpr bool kIsSlow = false;
#endif

// The actor of the n-th stream.
uint32_t actor_of_stream(const LoggedEvents &events, uint64_t number) {
    for (const Logged &actor : events.of(kActor)) {
        if (actor.words[0] == kStreamActor && actor.words[1] == number) return actor.actor;
    }
    failed(__FILE__, __LINE__, "stream " + std::to_string(number) + " was not introduced");
}

}  // namespace

TEST(nothing_is_recorded_before_it_is_asked_for_and_after_the_device_is_closed) {
    const TempFolder folder;
    const std::string path = folder.file("log");
    {
        const GraphDevice device;
        device.allocate(8);
        CHECK_STATUS(device_record(device.get(), path.c_str(), nullptr, 10));
        CHECK_EQUAL(device_record(device.get(), path.c_str(), nullptr, 10), DEVICE_BUSY);
        CHECK_EQUAL(device_record_mark(device.get(), 4, "m"), DEVICE_INVALID_ARGUMENT);
        CHECK_STATUS(device_record_mark(device.get(), DEVICE_MARK_TEST_BEGIN, "a test"));
    }
    const GraphDevice another;
    another.allocate(8);
    const LoggedEvents events(path);
    CHECK_EQUAL(events.text(events.only(kMark).words[1]), "a test");
    CHECK_EQUAL(events.of(kAllocate).size(), 0u);
    unlink(path.c_str());
    CHECK_EQUAL(device_record(another.get(), "/nowhere/log", nullptr, 10), DEVICE_SYSTEM);
    CHECK_CONTAINS(last_error(), "/nowhere/log");
    CHECK_EQUAL(device_record(another.get(), path.c_str(), nullptr, 0), DEVICE_INVALID_ARGUMENT);
}

TEST(the_host_records_its_memory_and_its_copies_in_order) {
    const RecordingDevice device;
    const uint64_t address = device.device().allocate(64);  // and zeros it
    uint64_t word = 5;
    CHECK_STATUS(device_copy_in(device.get(), address + 8, &word, 8));
    CHECK_STATUS(device_copy(device.get(), address + 32, address, 16));
    CHECK_STATUS(device_copy_out(device.get(), &word, address + 8, 8));
    CHECK_STATUS(device_free(device.get(), address));

    const LoggedEvents events = device.events();
    CHECK_EQUAL(events.kinds_of(kHostActor), "10 12 12 12 12 11");
    const uint64_t host = reinterpret_cast<uint64_t>(&word);
    CHECK_WORDS(events.only(kAllocate), address, 64);
    CHECK_WORDS(events.of(kCopy)[0], kZero, address, 0, 64);
    CHECK_WORDS(events.of(kCopy)[1], kIn, address + 8, host, 8);
    CHECK_WORDS(events.of(kCopy)[2], kAcross, address + 32, address, 16);
    CHECK_WORDS(events.of(kCopy)[3], kOut, host, address + 8, 8);
    CHECK_WORDS(events.only(kFree), address);
}

TEST(memory_is_recorded_with_the_name_that_people_give_it) {
    const RecordingDevice device;
    const uint64_t address = device.device().allocate(64);
    CHECK_STATUS(device_record_name(device.get(), address, 64, "input"));
    CHECK_EQUAL(device_record_name(device.get(), address, 64, nullptr), DEVICE_INVALID_ARGUMENT);
    const LoggedEvents events = device.events();
    const Logged named = events.only(kNamed);
    CHECK_WORDS(named, address, 64, named.words[2]);
    CHECK_EQUAL(events.text(named.words[2]), "input");
}

TEST(what_a_thread_asks_for_has_its_place) {
    const RecordingDevice device;
    const uint32_t stream = device.stream();
    CHECK_STATUS(device_record_place(device.get(), "A.java:1"));
    const uint64_t memory = device.device().allocate(64);
    CHECK_STATUS(stream_signal(device.get(), stream, memory, KERNEL_SIGNAL_SET, 1));
    CHECK_STATUS(stream_zero(device.get(), stream, memory, 64));
    device.synchronize(stream);
    TestGraph graph(device.device(), GRAPH_HOST_BUILT);
    graph.task("do_nothing", {}, "t");
    CHECK_STATUS(device_record_place(device.get(), "A.java:2"));
    graph.run_well();
    CHECK_STATUS(device_launch(device.get(), device.kernel("do_nothing"), nullptr, 0));
    std::thread another([&] { CHECK_STATUS(device_zero(device.get(), memory, 8)); });
    another.join();
    CHECK_STATUS(device_record_place(device.get(), nullptr));
    CHECK_STATUS(device_free(device.get(), memory));

    const LoggedEvents events = device.events();
    const uint64_t first = events.only(kAllocate).words[2];
    CHECK_EQUAL(events.text(first), "A.java:1");
    CHECK_EQUAL(events.of(kCopy)[0].words[4], first);
    for (const Logged &enqueue : events.of(kEnqueue)) CHECK_EQUAL(enqueue.words[4], first);
    CHECK_EQUAL(events.only(kSignal).words[4], 0u);  // by the stream
    CHECK_EQUAL(events.of(kCopy)[1].words[4], 0u);
    CHECK_EQUAL(events.only(kTask).words[0] >> 32, first);
    CHECK_EQUAL(events.text(events.of(kWorkBegin)[2].words[3]), "A.java:2");
    CHECK_EQUAL(events.of(kCopy)[2].words[4], 0u);
    CHECK_EQUAL(events.only(kFree).words[1], 0u);
}

TEST(each_thread_is_an_actor_except_the_one_that_marks_the_tests) {
    const RecordingDevice device;
    const uint64_t memory = device.device().allocate(64);
    CHECK_STATUS(device_record_mark(device.get(), DEVICE_MARK_TEST_BEGIN, "a test"));
    uint32_t host = 1;
    uint64_t before = 0;
    CHECK_STATUS(device_record_actor(device.get(), &host, &before));
    CHECK_EQUAL(host, kHostActor);
    uint32_t other = 0;
    uint64_t by_other = 0;
    std::thread another([&] {
        pthread_setname_np(pthread_self(), "another");
        CHECK_STATUS(device_zero(device.get(), memory, 8));
        CHECK_STATUS(device_record_acquire(device.get(), host, 7));
        CHECK_STATUS(device_record_actor(device.get(), &other, &by_other));
    });
    another.join();
    CHECK_EQUAL(by_other, 1u);
    CHECK_STATUS(device_zero(device.get(), memory, 16));
    uint64_t after = 0;
    CHECK_STATUS(device_record_actor(device.get(), &host, &after));
    CHECK_EQUAL(after, before + 1);
    CHECK_STATUS(device_record_no_order(device.get(), "no agent"));
    CHECK_EQUAL(device_record_no_order(device.get(), nullptr), DEVICE_INVALID_ARGUMENT);
    CHECK_EQUAL(device_record_actor(device.get(), nullptr, &after), DEVICE_INVALID_ARGUMENT);
    CHECK_EQUAL(device_record_actor(device.get(), &host, nullptr), DEVICE_INVALID_ARGUMENT);

    const LoggedEvents events = device.events();
    const Logged actor = events.only(kActor);
    CHECK_EQUAL(actor.actor, other);
    CHECK_EQUAL(actor.words[0], kThreadActor);
    CHECK_EQUAL(events.text(actor.words[2]), "another");
    CHECK_EQUAL(events.kinds_of(other), "3 12 5");
    CHECK_WORDS(events.only(kAcquire), host, 7);
    CHECK_EQUAL(events.text(events.only(kOrderIsUnknown).words[0]), "no agent");
}

TEST(a_thread_that_does_nothing_on_the_device_begins_no_test) {
    const RecordingDevice device;
    CHECK_STATUS(device_record_mark(device.get(), DEVICE_MARK_TEST_BEGIN_IF_USED, "a test"));
    std::thread another([&] {
        uint32_t actor = 0;
        uint64_t recorded = 1;
        CHECK_STATUS(device_record_actor(device.get(), &actor, &recorded));
        CHECK_EQUAL(recorded, 0u);
    });
    another.join();
    CHECK_STATUS(device_record_mark(device.get(), DEVICE_MARK_TEST_END, "a test"));
    CHECK_EQUAL(device.events().of(kMark).size(), 0u);
}

TEST(a_use_of_freed_memory_names_the_lines_that_made_and_freed_it) {
    const RecordingDevice device;
    CHECK_STATUS(device_record_place(device.get(), "A.java:1"));
    const uint64_t memory = device.device().allocate(64);
    CHECK_STATUS(device_record_place(device.get(), "A.java:2"));
    CHECK_STATUS(device_free(device.get(), memory));
    CHECK_STATUS(device_record_place(device.get(), "A.java:3"));
    CHECK_EQUAL(device_zero(device.get(), memory, 64), DEVICE_BAD_ADDRESS);
    CHECK_CONTAINS(last_error(), " at A.java:1, which was freed at A.java:2");
    CHECK_STATUS(device_record_place(device.get(), nullptr));
}

TEST(the_place_that_a_thread_has_told_ends_with_the_record) {
    {
        const RecordingDevice device;
        CHECK_STATUS(device_record_place(device.get(), "A.java:1"));
    }
    {
        const GraphDevice unrecorded;
        const uint64_t memory = unrecorded.allocate(64);
        CHECK_STATUS(device_free(unrecorded.get(), memory));
        CHECK_EQUAL(device_zero(unrecorded.get(), memory, 64), DEVICE_BAD_ADDRESS);
        CHECK(std::string(last_error()).find("A.java") == std::string::npos);
    }
    const RecordingDevice another;
    CHECK_STATUS(device_free(another.get(), another.device().allocate(64)));
    CHECK_EQUAL(another.events().only(kAllocate).words[2], 0u);
    CHECK_EQUAL(another.events().only(kFree).words[1], 0u);
}

TEST(a_stream_records_its_work_and_what_it_waits_for) {
    const RecordingDevice device;
    const uint64_t memory = device.device().allocate(64);
    const uint32_t first = device.stream();
    const uint32_t second = device.stream();
    const uint32_t event = device.event();
    const uint32_t notify = device.notify();
    const uint64_t args[] = {memory, 7};
    CHECK_STATUS(stream_launch(device.get(), first, device.kernel("put"), args, 2, 1, STREAM_CORES_CUBE));
    CHECK_STATUS(event_record(device.get(), event, first));
    CHECK_STATUS(event_wait(device.get(), second, event));
    CHECK_STATUS(stream_copy(device.get(), second, memory + 8, memory, 8));
    CHECK_STATUS(notify_post(device.get(), second, notify));
    CHECK_STATUS(notify_wait(device.get(), first, notify));
    CHECK_STATUS(stream_signal(device.get(), first, memory + 16, KERNEL_SIGNAL_ADD, 3));
    CHECK_STATUS(stream_wait(device.get(), second, memory + 16, 1, 1, 4, KERNEL_GE, 2));
    device.synchronize(first);
    device.synchronize(second);

    const LoggedEvents events = device.events();
    const uint32_t one = actor_of_stream(events, 1);
    const uint32_t two = actor_of_stream(events, 2);
    CHECK_EQUAL(events.kinds_of(one), "3 21 34 34 22 21 24 22 21 27 22 21 30 22");
    CHECK_EQUAL(events.kinds_of(two), "3 21 25 22 21 12 22 21 26 22 21 31 22");

    const std::vector<Logged> enqueued = events.of(kEnqueue);
    CHECK_EQUAL(enqueued.size(), 8u);
    const Logged launch = enqueued[0];
    CHECK_EQUAL(launch.actor, kHostActor);
    CHECK_EQUAL(launch.words[1], kLaunchWork);
    CHECK_EQUAL(launch.words[2], one);
    CHECK_EQUAL(events.text(launch.words[3]), "put");
    CHECK_WORDS(events.of(kWorkBegin, one)[0], launch.words[0], kLaunchWork, launch.words[3]);
    CHECK_WORDS(events.of(kArgument)[1], 1, kUnknownUse, 7, 0, launch.words[0]);
    const Logged block = events.only(kBlockBegin);
    CHECK_WORDS(block, halves(one, launch.words[3]), launch.words[0], halves(0, 1), 0, KERNEL_CORE_CUBE);
    CHECK_EQUAL(events.kinds_of(block.actor), "32 33");
    CHECK_WORDS(events.only(kBlockEnd), 0);

    CHECK_EQUAL(events.only(kEventRecord).words[0], events.only(kEventWait).words[0]);
    const Logged post = events.only(kNotifyPost);
    CHECK_WORDS(post, post.words[0], 1, 0);
    CHECK_WORDS(events.only(kNotifyWait), post.words[0], 1);
    const Logged signal = events.only(kSignal);
    CHECK_WORDS(signal, memory + 16, halves(KERNEL_SIGNAL_ADD, 0), 3, 1);
    CHECK_WORDS(events.only(kWait), memory + 16, KERNEL_GE, 2, 1, halves(3, kWaits));
    CHECK_WORDS(events.of(kStreamSync)[0], one, enqueued[6].words[0]);
    CHECK_WORDS(events.of(kStreamSync)[1], two, enqueued[7].words[0]);
    for (const Logged &work : events.of(kWorkEnd)) CHECK(work.begin <= work.end && work.words[3] == 0);
}

TEST(a_launch_records_its_arguments_as_they_are_declared) {
    const RecordingDevice device;
    const uint64_t memory = device.device().allocate(64);
    const uint32_t stream = device.stream();
    const uint64_t args[] = {GRAPH_INOUT, memory, 8, GRAPH_SCALAR, 7, 0};
    CHECK_STATUS(stream_launch_declared(device.get(), stream, device.kernel("put"), args, 2, 1, STREAM_CORES_VECTOR));
    device.synchronize(stream);
    const LoggedEvents events = device.events();
    const uint64_t work = events.only(kEnqueue).words[0];
    CHECK_EQUAL(events.of(kArgument).size(), 2u);
    CHECK_WORDS(events.of(kArgument)[0], 0, kReadAndWritten, memory, 8, work);
    CHECK_WORDS(events.of(kArgument)[1], 1, kScalar, 7, 0, work);
    CHECK_EQUAL(events.of(kArgument)[0].actor, actor_of_stream(events, 1));
    uint64_t put = 0;
    CHECK_STATUS(device_copy_out(device.get(), &put, memory, 8));
    CHECK_EQUAL(put, 7u);
}

TEST(a_declaration_that_cannot_be_is_refused) {
    const RecordingDevice device;
    const uint64_t memory = device.device().allocate(64);
    const uint32_t stream = device.stream();
    struct Case {
        std::vector<uint64_t> second;
        int status;
        const char *text;
    };
    const Case cases[] = {
        {{4, memory, 8}, DEVICE_INVALID_ARGUMENT, "argument 1: its kind = 4 is not in [0, 3]"},
        {{GRAPH_IN, memory, 0}, DEVICE_INVALID_ARGUMENT, "argument 1: a tensor needs at least 1 byte"},
        {{GRAPH_OUT, memory + 60, 8}, DEVICE_BAD_ADDRESS, "argument 1: "},
    };
    for (const Case &each : cases) {
        std::vector<uint64_t> args{GRAPH_SCALAR, 1, 0};
        args.insert(args.end(), each.second.begin(), each.second.end());
        CHECK_EQUAL(stream_launch_declared(device.get(), stream, device.kernel("do_nothing"), args.data(), 2, 1,
                                           STREAM_CORES_VECTOR),
                    each.status);
        CHECK_CONTAINS(last_error(), each.text);
    }
    device.synchronize(stream);
    CHECK_EQUAL(device.events().of(kEnqueue).size(), 0u);
}

TEST(a_post_that_finds_the_notify_set_says_so_and_a_wait_takes_the_latest) {
    const RecordingDevice device;
    const uint32_t stream = device.stream();
    const uint32_t notify = device.notify();
    for (int i = 0; i < 2; i++) CHECK_STATUS(notify_post(device.get(), stream, notify));
    CHECK_STATUS(notify_wait(device.get(), stream, notify));
    CHECK_STATUS(notify_post(device.get(), stream, notify));
    device.synchronize(stream);
    const LoggedEvents events = device.events();
    const uint64_t token = events.only(kNotifyWait).words[0];
    CHECK_WORDS(events.of(kNotifyPost)[0], token, 1, 0);
    CHECK_WORDS(events.of(kNotifyPost)[1], token, 2, 1);
    CHECK_WORDS(events.only(kNotifyWait), token, 2);
    CHECK_WORDS(events.of(kNotifyPost)[2], token, 3, 0);
}

TEST(blocks_record_their_signals_and_waits_as_actors_of_their_own) {
    const RecordingDevice device;
    const uint64_t cell = device.device().allocate(4);
    const uint32_t stream = device.stream();
    CHECK_STATUS(stream_launch(device.get(), stream, device.kernel("meet_blocks"), &cell, 1, 3, STREAM_CORES_VECTOR));
    device.synchronize(stream);
    const LoggedEvents events = device.events();
    CHECK_EQUAL(events.of(kBlockBegin).size(), 3u);
    uint64_t orders = 0;
    for (const Logged &block : events.of(kBlockBegin)) {
        CHECK_EQUAL(events.kinds_of(block.actor), "32 30 31 33");
        CHECK_EQUAL(block.words[0] & UINT32_MAX, actor_of_stream(events, 1));
    }
    for (const Logged &signal : events.of(kSignal)) orders += signal.words[3];
    CHECK_EQUAL(orders, 1u + 2u + 3u);
    for (const Logged &wait : events.of(kWait)) CHECK_WORDS(wait, cell, KERNEL_GE, 3, 3, halves(3, kWaits));
}

TEST(a_transfer_is_an_actor_that_its_block_may_wait_for) {
    const RecordingDevice device;
    const uint64_t memory = device.device().allocate(64);
    const uint32_t stream = device.stream();
    const uint64_t args[] = {memory, memory + 32};
    CHECK_STATUS(stream_launch(device.get(), stream, device.kernel("start_two"), args, 2, 1, STREAM_CORES_VECTOR));
    device.synchronize(stream);
    const LoggedEvents events = device.events();
    const uint32_t block = events.only(kBlockBegin).actor;
    std::vector<Logged> transfers;
    for (const Logged &actor : events.of(kActor)) {
        if (actor.words[0] == kTransferActor) transfers.push_back(actor);
    }
    CHECK_EQUAL(transfers.size(), 2u);
    CHECK_EQUAL(events.kinds_of(block), "32 20 20 23 33");
    for (const Logged &transfer : transfers) {
        CHECK_EQUAL(transfer.words[1], block);
        CHECK_EQUAL(events.kinds_of(transfer.actor), "3 21 12 22");
    }
    CHECK_EQUAL(events.of(kStreamSync)[0].words[0], transfers[0].actor);
}

TEST(work_that_fails_says_so) {
    const RecordingDevice device;
    const uint32_t stream = device.stream();
    CHECK_STATUS(
        stream_launch(device.get(), stream, device.kernel("return_seven"), nullptr, 0, 1, STREAM_CORES_VECTOR));
    CHECK_EQUAL(stream_synchronize(device.get(), stream, kLong), DEVICE_KERNEL_FAILED);
    const LoggedEvents events = device.events();
    CHECK_WORDS(events.only(kBlockEnd), 1);
    CHECK_EQUAL(events.only(kWorkEnd).words[3], 1u);
    CHECK_EQUAL(events.of(kStreamSync).size(), 0u);
}

TEST(a_graph_of_the_host_records_tasks_edges_and_blocks_of_each_run) {
    const RecordingDevice device;
    const uint64_t memory = device.device().allocate(64);
    const uint64_t cell = memory + 32;
    TestGraph graph(device.device(), GRAPH_HOST_BUILT, "two steps");
    const uint64_t target[] = {GRAPH_OUT, memory, 8, GRAPH_SCALAR, 7, 0};
    uint32_t first = 0;
    CHECK_STATUS(graph_add_task(device.get(), graph.number(), graph.kernel("put"), 1, "first", target, 2, &first));
    const uint32_t second = graph.task("do_nothing", {}, "second");
    graph.edge(first, second);
    const uint32_t never = graph.task("do_nothing", {}, "never");
    CHECK_STATUS(graph_set_predicate(device.get(), graph.number(), never, cell, KERNEL_EQ, 1));
    graph.run_well();
    graph.run_well();

    const LoggedEvents events = device.events();
    // the cell is 0, so what the predicate has seen is the opposite
    CHECK_EQUAL(events.of(kWait).size(), 2u);
    CHECK_WORDS(events.of(kWait)[0], cell, KERNEL_NE, 1, 0, halves(0, kPredicates));
    CHECK_EQUAL(events.of(kGraphBegin).size(), 2u);
    const uint64_t run = events.of(kGraphBegin)[0].words[0];
    CHECK_EQUAL(events.text(events.of(kGraphBegin)[0].words[1]), "two steps");
    CHECK_WORDS(events.of(kGraphEnd)[0], run, 0);
    const std::vector<Logged> tasks = events.of(kTask);
    CHECK_EQUAL(tasks.size(), 6u);
    CHECK_EQUAL(tasks[0].actor, kHostActor);
    CHECK_WORDS(tasks[0], tasks[0].words[0], run, 1, tasks[0].words[3], halves(1, STREAM_CORES_VECTOR));
    CHECK_EQUAL(events.text(tasks[0].words[3]), "put");
    CHECK_EQUAL(events.text(tasks[0].words[3] >> 32), "first");
    CHECK(tasks[3].words[0] != tasks[0].words[0]);
    CHECK_WORDS(events.of(kArgument)[0], 0, kWritten, memory, 8);
    CHECK_WORDS(events.of(kArgument)[1], 1, kScalar, 7);
    CHECK_WORDS(events.of(kEdge)[0], tasks[0].words[0], tasks[1].words[0], 0, 0);
    const auto actor = [&](size_t task) { return static_cast<uint32_t>(tasks[task].words[0]); };
    CHECK_EQUAL(events.kinds_of(actor(0)), "34 34 47");
    CHECK_EQUAL(events.of(kBlockBegin).size(), 4u);
    CHECK_EQUAL(events.of(kBlockBegin)[0].words[1], 0u);
    for (const Logged &end : events.of(kTaskEnd)) {
        CHECK_EQUAL(end.words[1], end.actor == actor(2) || end.actor == actor(5) ? 1u : 0u);
    }
}

TEST(an_orchestration_records_what_it_makes_and_how_full_its_rings_are) {
    const RecordingDevice device(1 << 16);
    const uint64_t words = device.device().allocate(8 * 16);
    TestGraph graph(device.device(), GRAPH_TENSOR_MAP);
    graph.set(GRAPH_SLOTS, 64);
    graph.orchestrate("empty_tasks");
    graph.run_well({words, 200, 50, 16});

    const LoggedEvents events = device.events();
    const Logged begin = events.only(kOrchestrationBegin);
    CHECK_EQUAL(begin.words[0], events.only(kGraphBegin).words[0]);
    CHECK_EQUAL(events.of(kTask).size(), 200u);
    CHECK_EQUAL(events.of(kPublish).size(), 200u);
    CHECK_EQUAL(events.of(kTaskEnd).size(), 200u);
    CHECK_EQUAL(events.of(kRing).size(), 200u);
    CHECK_EQUAL(events.of(kScopeBegin).size(), events.of(kScopeEnd).size());
    CHECK_EQUAL(events.of(kEdge).size() >= graph.count(GRAPH_COUNT_EDGES), true);
    uint64_t most = 0;
    for (const Logged &ring : events.of(kRing)) {
        CHECK_EQUAL(ring.actor, begin.actor);
        CHECK_EQUAL(ring.words[2], 64u);
        most = std::max(most, ring.words[1]);
    }
    CHECK_EQUAL(most, graph.count(GRAPH_COUNT_MOST_SLOTS));
    CHECK_WORDS(events.only(kOrchestrationEnd), begin.words[0], 0);
}

// What the last task of many does says whether it is recorded, and whether others may have seen it.
TEST(of_very_many_tasks_those_are_not_recorded_that_use_what_others_have_used) {
    constexpr uint64_t kSlots = 64;
    constexpr uint64_t kRecorded = 65'536;
    constexpr uint64_t kTasks = kRecorded + 1000;
    struct Case {
        uint64_t last;
        uint64_t tasks;
        uint64_t most_unrecorded;  // fewer by those that were in slots when so many had completed
        uint64_t seen;
    };
    size_t left = kIsSlow ? 2 : SIZE_MAX;
    for (const Case &each :
         {Case{0, kTasks, 1001, 0}, Case{4, kTasks, 1001, 1}, Case{0, kRecorded - 1, 0, 0}, Case{1, kTasks, 1000, 0},
          Case{2, kTasks, 1000, 0}, Case{3, kTasks, 1000, 0}, Case{5, kTasks, 1000, 1}, Case{6, kTasks, 1000, 1},
          Case{7, kTasks, 0, 0}, Case{8, kTasks, 1002, 0}}) {
        if (left-- == 0) break;
        const RecordingDevice device(uint64_t{1} << 20);
        const uint64_t words = device.device().allocate(8 * 16);
        TestGraph graph(device.device(), GRAPH_TENSOR_MAP);
        graph.set(GRAPH_SLOTS, kSlots);
        graph.orchestrate("repeated_tasks");
        graph.run_well({words, each.tasks, each.last});

        const LoggedEvents events = device.events();
        const uint64_t recorded = events.of(kTask).size();
        const uint64_t unrecorded = graph.count(GRAPH_COUNT_COMPLETED) - recorded;
        CHECK(unrecorded <= each.most_unrecorded && unrecorded + kSlots >= each.most_unrecorded);
        CHECK_EQUAL(events.of(kTaskEnd).size(), recorded);
        CHECK_EQUAL(events.of(kBlockBegin).size(), recorded);
        CHECK_EQUAL(events.of(kBlockEnd).size(), recorded);
        CHECK_EQUAL(events.of(kRing).size(), recorded);
        CHECK_EQUAL(events.of(kScopeBegin).size(), events.of(kScopeEnd).size());
        CHECK_EQUAL(events.of(kUnrecorded).size(), each.most_unrecorded == 0 ? 0u : 1u);
        for (const Logged &event : events.of(kUnrecorded)) {
            CHECK_WORDS(event, events.only(kGraphBegin).words[0], unrecorded, each.seen);
        }
    }
}

// However many slots there are: what a task does is seen when it runs, and not when it is submitted.
TEST(no_task_is_left_out_before_those_before_it_have_run) {
    if (kIsSlow) return;
    const RecordingDevice device(uint64_t{1} << 20);
    const uint64_t words = device.device().allocate(8 * 16);
    TestGraph graph(device.device(), GRAPH_TENSOR_MAP);
    graph.set(GRAPH_SLOTS, uint64_t{1} << 17);
    graph.orchestrate("repeated_tasks");
    graph.run_well({words, 70'000, 7});

    const LoggedEvents events = device.events();
    CHECK_EQUAL(events.of(kUnrecorded).size(), 0u);
    CHECK_EQUAL(events.of(kTask).size(), uint64_t{graph.count(GRAPH_COUNT_COMPLETED)});
}

TEST(a_task_of_an_orchestration_has_the_line_that_submits_it) {
    const RecordingDevice device;
    const uint64_t words = device.device().allocate(16);
    TestGraph graph(device.device(), GRAPH_TENSOR_MAP);
    graph.orchestrate("manual_scope");
    graph.run_well({words, words + 8});

    const LoggedEvents events = device.events();
    const std::vector<Logged> tasks = events.of(kTask);
    CHECK_EQUAL(tasks.size(), 4u);
    const std::string put = events.text(tasks[0].words[0] >> 32);
    const std::string add = events.text(tasks[3].words[0] >> 32);
    CHECK_CONTAINS(put, "graph_orchestrations.cpp:");
    CHECK_CONTAINS(add, "graph_orchestrations.cpp:");
    CHECK_EQUAL(put == add, false);
    // submitted without a place
    CHECK_EQUAL(tasks[1].words[0] >> 32, 0u);
    CHECK_EQUAL(tasks[2].words[0] >> 32, 0u);
}

TEST(the_memory_of_the_arguments_of_tasks_is_copied_before_and_after) {
    const TempFolder folder;
    const std::string path = folder.file("memory");
    const RecordingDevice device;
    const uint64_t word = device.device().allocate(8);
    TestGraph graph(device.device(), GRAPH_HOST_BUILT);
    const uint32_t put = graph.declared_task(graph.kernel("put"), {GRAPH_OUT, word, 8, GRAPH_SCALAR, 7, 0}, "puts");
    const std::vector<uint64_t> of_add{GRAPH_INOUT, word, 8, GRAPH_IN, word, 8, GRAPH_SCALAR, 3, 0};
    graph.edge(put, graph.declared_task(graph.kernel("add"), of_add, "adds"));
    graph.run_well();
    CHECK_EQUAL(device.events().of(kMemoryCopy).size(), 0u);  // nobody has asked for it
    CHECK_STATUS(device_record_memory(device.get(), path.c_str(), 28));
    CHECK_EQUAL(access(path.c_str(), F_OK), -1);
    graph.run_well();
    CHECK_STATUS(device_record_memory(device.get(), nullptr, 0));
    graph.run_well();

    const LoggedEvents events = device.events();
    const std::vector<Logged> copies = events.of(kMemoryCopy);
    CHECK_EQUAL(copies.size(), 4u);
    const std::vector<Logged> tasks = events.of(kTask);
    CHECK_EQUAL(copies[0].actor, static_cast<uint32_t>(tasks[2].words[0]));
    for (size_t i = 1; i < 4; i++) CHECK_EQUAL(copies[i].actor, static_cast<uint32_t>(tasks[3].words[0]));
    CHECK_WORDS(copies[0], halves(0, 1), 0, 8);
    CHECK_WORDS(copies[1], halves(0, 0), 8, 8);
    CHECK_WORDS(copies[2], halves(1, 0), 16, 8);
    CHECK_WORDS(copies[3], halves(0, 1), kNoCopy, 8);  // more than 28 bytes
    std::ifstream file(path, std::ios::binary);
    std::array<uint64_t, 4> words{};
    file.read(reinterpret_cast<char *>(words.data()), sizeof(words));
    CHECK_EQUAL(file.gcount(), 24);
    for (size_t i = 0; i < 3; i++) CHECK_EQUAL(words[i], 7u);
    unlink(path.c_str());
}

TEST(the_wait_of_a_task_is_recorded_as_its_own) {
    const RecordingDevice device;
    const uint64_t cell = device.device().allocate(4);
    TestGraph graph(device.device(), GRAPH_HOST_BUILT);
    const uint32_t waits = graph.task("do_nothing", {}, "waits");
    graph.wait(waits, cell, 5);
    graph.task("signal_cell", {cell, 5}, "signals");
    graph.run_well();
    const LoggedEvents events = device.events();
    const Logged wait = events.only(kWait);
    CHECK_WORDS(wait, cell, KERNEL_GE, 5, 1, halves(5, kTaskWaits));
    CHECK_EQUAL(wait.actor, static_cast<uint32_t>(events.of(kTask)[0].words[0]));
}

TEST(a_deferred_completion_is_tied_to_its_task) {
    const RecordingDevice device;
    const uint64_t token = device.device().allocate(8);
    TestGraph graph(device.device(), GRAPH_HOST_BUILT);
    const uint32_t deferred = graph.task("defer", {token}, "deferred");
    const uint32_t reads = graph.task("do_nothing", {}, "comes after");
    graph.edge(deferred, reads);
    std::thread completes([&] {
        const auto word = [token] { return rankunit_pointer<std::atomic<uint64_t>>(token)->load(); };
        await("the token", [&] { return word() != 0; });
        CHECK_STATUS(graph_complete(device.get(), word()));
    });
    graph.run_well();
    completes.join();
    const LoggedEvents events = device.events();
    const uint64_t task = events.of(kTask)[0].words[0];
    const Logged defer = events.only(kDefer);
    CHECK_EQUAL(defer.words[1], task);
    CHECK_WORDS(events.only(kDeferredComplete), defer.words[0], task);
    CHECK_EQUAL(events.only(kDeferredComplete).actor, kHostActor);
}
