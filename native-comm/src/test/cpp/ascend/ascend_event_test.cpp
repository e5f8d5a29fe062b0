// Events, notifies, and what ends the waits of streams, on the emulator of the vendor's libraries.
#include <dlfcn.h>
#include <unistd.h>

#include <thread>

#include "ascend/ascend_ranks.h"
#include "ascend/ascend_streams.h"

using namespace rankunit::test;

namespace {

using Words = std::vector<uint64_t>;
using Key = std::array<char, STREAM_NOTIFY_KEY_BYTES>;

// Nothing was left on a device, or destroyed while it was used.
void check_clean(const Trace &trace) {
    CHECK_EQUAL(trace.count("LEFT"), 0);
    CHECK_EQUAL(trace.count("DESTROYED"), 0);
}

Key exported(const StreamDevice &device, uint32_t notify) {
    Key key{};
    require_ok(notify_export(device.get(), notify, key.data(), key.size()));
    return key;
}

}  // namespace

TEST(a_stream_and_the_host_wait_for_an_event) {
    in_process([] {
        const Trace trace;
        {
            StreamDevice device;
            const uint64_t data = device.device().allocate(8);
            const uint32_t first = device.stream();
            const uint32_t second = device.stream();
            const uint32_t event = device.event();
            uint64_t out = 0;
            device.device().write(data, {7});
            device.hold_up(first);
            require_ok(stream_copy_out(device.get(), first, &out, data, 8));
            require_ok(event_record(device.get(), event, first));
            require_ok(event_wait(device.get(), second, event));
            require_ok(stream_zero(device.get(), second, data, 8));
            CHECK(!device.happened(event));
            CHECK(!device.done(second));
            CHECK_EQUAL(event_synchronize(device.get(), event, 30), DEVICE_TIMEOUT);
            CHECK_CONTAINS(device_last_error(), " ms for event 1; stream ");
            device.let_go();
            require_ok(event_synchronize(device.get(), event, kLongMs));
            CHECK_EQUAL(out, 7u);  // it was copied before the event
            device.synchronize(second);
            CHECK_EQUAL(device.device().read(data, 1)[0], 0u);
            require_ok(event_destroy(device.get(), event));
            CHECK_EQUAL(event_destroy(device.get(), event), DEVICE_INVALID_ARGUMENT);
        }
        check_clean(trace);
    });
}

TEST(an_event_that_is_recorded_again_means_the_later_record_for_later_waits) {
    in_process([] {
        const Trace trace;
        {
            StreamDevice device;
            const uint32_t first = device.stream();
            const uint32_t second = device.stream();
            const uint32_t event = device.event();
            require_ok(event_record(device.get(), event, first));
            require_ok(event_wait(device.get(), second, event));
            device.hold_up(first);
            require_ok(event_record(device.get(), event, first));
            device.synchronize(second);
            require_ok(event_wait(device.get(), second, event));
            CHECK(!device.done(second));
            require_ok(event_destroy(device.get(), event));  // the wait goes on
            device.let_go();
            device.synchronize(second);
        }
        check_clean(trace);
        CHECK_EQUAL(trace.count("aclrtCreateEvent"), trace.count("aclrtDestroyEvent() = 0"));
    });
}

TEST(an_event_that_is_destroyed_stays_until_the_last_stream_that_waits_for_it_has_passed) {
    in_process([] {
        const Trace trace;
        StreamDevice device;
        const uint32_t recorder = device.stream();
        const uint32_t waiter = device.stream();
        const uint32_t event = device.event();
        device.hold_up(waiter);
        require_ok(event_record(device.get(), event, recorder));
        require_ok(event_wait(device.get(), waiter, event));
        device.synchronize(recorder);
        require_ok(event_destroy(device.get(), event));
        CHECK_EQUAL(trace.count("aclrtDestroyEvent"), 0);
        device.let_go();
        device.synchronize(waiter);
        CHECK_EQUAL(trace.count("aclrtDestroyEvent() = 0"), 1);
        check_clean(trace);
    });
}

TEST(a_wait_for_an_event_that_was_never_recorded_is_an_error) {
    in_process([] {
        const StreamDevice device;
        const uint32_t event = device.event();
        CHECK_EQUAL(event_wait(device.get(), device.stream(), event), DEVICE_INVALID_ARGUMENT);
        CHECK_EQUAL(std::string(device_last_error()),
                    "event 1 was never recorded, so a wait for it would mean nothing");
        CHECK_EQUAL(event_synchronize(device.get(), event, kLongMs), DEVICE_INVALID_ARGUMENT);
    });
}

TEST(a_cann_without_notifies_says_so) {
    if (has_notifies()) return;
    in_process([] {
        const StreamDevice device;
        uint32_t notify = 0;
        CHECK_EQUAL(notify_create(device.get(), &notify), DEVICE_NOT_SUPPORTED);
        CHECK_EQUAL(std::string(device_last_error()), "this CANN (ACL 1.13.0) has no notifies; CANN 8.5 has them");
        CHECK_EQUAL(notify_import(device.get(), "key", &notify), DEVICE_NOT_SUPPORTED);
    });
}

TEST(a_cann_without_keys_of_notifies_says_so) {
    if (!has_notifies() || has_notify_keys()) return;
    in_process([] {
        const StreamDevice device;
        Key key{};
        CHECK_EQUAL(notify_export(device.get(), device.notify(), key.data(), key.size()), DEVICE_NOT_SUPPORTED);
        CHECK_CONTAINS(device_last_error(), "has no keys of notifies");
    });
}

TEST(one_wait_consumes_one_post_and_posting_a_set_notify_changes_nothing) {
    if (!has_notifies()) return;
    in_process([] {
        const Trace trace;
        {
            const StreamDevice device;
            const uint32_t poster = device.stream();
            const uint32_t waiter = device.stream();
            const uint32_t notify = device.notify();
            for (int i = 0; i < 2; i++) require_ok(notify_post(device.get(), poster, notify));
            device.synchronize(poster);
            require_ok(notify_wait(device.get(), waiter, notify));
            device.synchronize(waiter);
            require_ok(notify_wait(device.get(), waiter, notify));
            CHECK_EQUAL(stream_synchronize(device.get(), waiter, 50), DEVICE_TIMEOUT);
            CHECK_CONTAINS(device_last_error(), "work 2 of 2 is a wait for notify 2");
            require_ok(notify_post(device.get(), poster, notify));
            require_ok(notify_destroy(device.get(), notify));  // what is on the streams goes on
            CHECK_EQUAL(trace.count("aclrtDestroyNotify"), 0);
            device.synchronize(waiter);
            device.synchronize(poster);
            CHECK_EQUAL(trace.count("aclrtDestroyNotify() = 0"), 1);
        }
        check_clean(trace);
        CHECK_EQUAL(trace.count("aclrtWaitAndResetNotify(60) = 0"), 2);
    });
}

TEST(a_wait_for_a_notify_ends_with_the_devices_time_out_in_whole_seconds) {
    if (!has_notifies()) return;
    in_process([] {
        const Trace trace;
        const StreamDevice device;
        const uint32_t stream = device.stream();
        require_ok(device_set_timeout(device.get(), 1));
        require_ok(notify_wait(device.get(), stream, device.notify()));
        CHECK_EQUAL(stream_synchronize(device.get(), stream, kLongMs), DEVICE_TIMEOUT);
        CHECK_CONTAINS(device_last_error(), ", work 1 (a wait for notify 2): device 0: ");
        CHECK_CONTAINS(device_last_error(), "107020 (TASK_TIMEOUT)");
        CHECK_EQUAL(trace.count("aclrtWaitAndResetNotify(1) = 0"), 1);
    });
}

TEST(a_notify_is_posted_by_another_process_and_waited_for_by_its_creator_alone) {
    if (!has_notify_keys()) return;
    const Trace trace;
    int pipe_ends[2];
    CHECK_EQUAL(pipe(pipe_ends), 0);
    run_ranks(2, [&](int rank) {
        const StreamDevice device(rank);
        const uint32_t stream = device.stream();
        if (rank == 0) {
            const uint32_t notify = device.notify();
            require_ok(notify_wait(device.get(), stream, notify));
            const Key key = exported(device, notify);
            CHECK_EQUAL(write(pipe_ends[1], key.data(), key.size()), static_cast<ssize_t>(key.size()));
            device.synchronize(stream);
            return;
        }
        Key key{};
        CHECK_EQUAL(read(pipe_ends[0], key.data(), key.size()), static_cast<ssize_t>(key.size()));
        uint32_t notify = 0;
        require_ok(notify_import(device.get(), key.data(), &notify));
        CHECK_EQUAL(notify_wait(device.get(), stream, notify), DEVICE_INVALID_ARGUMENT);
        CHECK_CONTAINS(device_last_error(), "was imported: only the device that created it may wait for it");
        Key again{};
        CHECK_EQUAL(notify_export(device.get(), notify, again.data(), again.size()), DEVICE_INVALID_ARGUMENT);
        require_ok(notify_post(device.get(), stream, notify));
        device.synchronize(stream);
        require_ok(notify_destroy(device.get(), notify));
    });
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    check_clean(trace);
    CHECK_EQUAL(trace.count("aclrtNotifyGetExportKey(65, 2) = 0"), 1);
}

TEST(a_key_that_is_none_or_whose_notify_is_gone_is_refused) {
    if (!has_notify_keys()) return;
    in_process([] {
        const StreamDevice device;
        uint32_t imported = 0;
        for (const char *text : {"", "rankunit-notify-1 12", "rankunit-ascend-notify-1 "}) {
            CHECK_EQUAL(notify_import(device.get(), text, &imported), DEVICE_INVALID_ARGUMENT);
            CHECK_CONTAINS(device_last_error(), "is not the key of a notify, or only a part");
        }
        CHECK_EQUAL(notify_import(device.get(), "rankunit-ascend-notify-1 x", &imported), 107000);
        const uint32_t notify = device.notify();
        const Key key = exported(device, notify);
        Key small{};
        CHECK_EQUAL(notify_export(device.get(), notify, small.data(), 10), DEVICE_INVALID_ARGUMENT);
        require_ok(notify_destroy(device.get(), notify));
        CHECK_EQUAL(notify_import(device.get(), key.data(), &imported), 507899);
        CHECK_CONTAINS(device_last_error(), "the device that created the notify may be gone");
    });
}

TEST(an_abort_ends_waits_now_and_later) {
    in_process([] {
        const Trace trace;
        {
            StreamDevice device;
            const uint64_t data = device.device().allocate(8);
            const uint32_t idle = device.stream();
            const uint32_t held_up = device.stream();
            const uint32_t waiter = device.stream();
            const uint32_t event = device.event();
            device.hold_up(held_up);
            require_ok(event_record(device.get(), event, held_up));
            require_ok(event_wait(device.get(), waiter, event));
            std::thread waiting([&] {
                CHECK_EQUAL(stream_synchronize(device.get(), held_up, kLongMs), DEVICE_ABORTED);
                CHECK_CONTAINS(device_last_error(), device.obstacle());
                CHECK_CONTAINS(device_last_error(), "aborted: rank 3 failed");
            });
            require_ok(device_abort(device.get(), "rank 3 failed"));
            waiting.join();
            CHECK_EQUAL(stream_synchronize(device.get(), waiter, kLongMs), DEVICE_ABORTED);
            CHECK_CONTAINS(device_last_error(), "work 1 (a wait for event 1): aborted: rank 3 failed");
            CHECK_EQUAL(event_synchronize(device.get(), event, kLongMs), DEVICE_ABORTED);
            CHECK_EQUAL(stream_zero(device.get(), waiter, data, 8), DEVICE_ABORTED);
            // what waits for nobody goes on
            require_ok(stream_zero(device.get(), idle, data, 8));
            device.synchronize(idle);
            CHECK_EQUAL(event_wait(device.get(), idle, event), DEVICE_ABORTED);
            require_ok(stream_destroy(device.get(), held_up));
        }
        CHECK_EQUAL(trace.count("aclrtStreamAbort() = 0"), 2);
        check_clean(trace);
    });
}

TEST(an_abort_ends_what_runs_on_the_devices_own_stream) {
    if (!has_kernels()) return;
    in_process([] {
        const StreamDevice device;
        const uint64_t data = device.device().allocate(8);
        const KernelHandle kernel = device.device().kernel(TEST_KERNELS, "count_arguments");
        {
            const Setting hang("RANKUNIT_EMULATOR_HANG", "aclrtLaunchKernelWithConfig");
            CHECK_EQUAL(device_launch(device.get(), kernel, nullptr, 0), DEVICE_OK);
        }
        int status = DEVICE_OK;
        std::string text;
        std::thread waiting([&] {
            status = device_synchronize(device.get());
            text = device_last_error();
        });
        require_ok(device_abort(device.get(), "rank 3 failed"));
        waiting.join();
        CHECK_EQUAL(status, DEVICE_ABORTED);
        CHECK_EQUAL(text, "aborted: rank 3 failed");
        device.device().write(data, {1});
        CHECK_EQUAL(device_synchronize(device.get()), DEVICE_OK);
    });
}

TEST(the_abort_of_a_communicator_ends_a_wait) {
    const Machine machine(ways().front());
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        AscendRank self(rank, 2, folder.file("root"));
        self.up();
        StreamDevice device(rank);
        const uint32_t stream = device.stream();
        device.hold_up(stream);
        self.barrier();
        if (rank == 1) CHECK_EQUAL(comm_abort(self.comm(), 1, "the test has failed"), COMM_OK);
        CHECK_EQUAL(stream_synchronize(device.get(), stream, kLongMs), DEVICE_ABORTED);
        CHECK_CONTAINS(device_last_error(), "the test has failed");
        if (!has_notifies()) device.let_go();
    });
}

TEST(closing_a_device_gives_up_what_its_streams_wait_for) {
    in_process([] {
        const Trace trace;
        const auto start = std::chrono::steady_clock::now();
        uint64_t out = 7;
        {
            StreamDevice device;
            const uint64_t data = device.device().allocate(8);
            const uint32_t stream = device.stream();
            const uint32_t waiter = device.stream();
            const uint32_t event = device.event();
            device.hold_up(stream);
            require_ok(stream_copy_out(device.get(), stream, &out, data, 8));
            require_ok(event_record(device.get(), event, stream));
            require_ok(event_wait(device.get(), waiter, event));
        }
        CHECK(elapsed_ms(start) < 20'000);
        CHECK_EQUAL(out, 7u);
        CHECK_EQUAL(trace.count("aclrtDestroyStreamForce() = 0"), 2);
        CHECK_EQUAL(trace.count("aclrtCreateEvent() = 0"), trace.count("aclrtDestroyEvent() = 0"));
        CHECK_EQUAL(trace.count("aclrtCreateNotify(0) = 0"), trace.count("aclrtDestroyNotify() = 0"));
        CHECK_EQUAL(trace.count("aclrtMallocHost(8) = 0"), trace.count("aclrtFreeHost() = 0"));
        check_clean(trace);
    });
}

// As the vendor's rules are, which the backend keeps: told by the emulator, should it break them.
TEST(the_emulator_refuses_what_belongs_to_another_context) {
    in_process([] {
        void *library = vendor_library();
        const auto call = [&](const char *name) { return dlsym(library, name); };
        const OpenDevice device;
        const OpenDevice other(1);
        const auto set = reinterpret_cast<int (*)(int)>(call("aclrtSetDevice"));
        const auto create = reinterpret_cast<int (*)(void **)>(call("aclrtCreateEvent"));
        const auto record = reinterpret_cast<int (*)(void *, void *)>(call("aclrtRecordEvent"));
        const auto destroy = reinterpret_cast<int (*)(void *)>(call("aclrtDestroyEvent"));
        void *event = nullptr;
        CHECK_EQUAL(set(0), 0);
        CHECK_EQUAL(create(&event), 0);
        CHECK_EQUAL(set(1), 0);
        CHECK_EQUAL(record(event, other.stream()), 107003);
        CHECK_EQUAL(record(event, device.stream()), 107003);
        CHECK_EQUAL(destroy(event), 107003);
        CHECK_EQUAL(set(0), 0);
        CHECK_EQUAL(destroy(event), 0);
        CHECK_EQUAL(destroy(event), 107003);
        const auto reset = reinterpret_cast<int (*)(int)>(call("aclrtResetDevice"));
        CHECK_EQUAL(reset(0), 0);
        CHECK_EQUAL(reset(0), 0);
        CHECK_EQUAL(reset(1), 0);
    });
}
