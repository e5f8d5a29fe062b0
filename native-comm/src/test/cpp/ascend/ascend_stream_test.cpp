// Streams of the Ascend backend, on the emulator of the vendor's libraries.
#include <dlfcn.h>

#include <thread>

#include "ascend/ascend_ranks.h"
#include "ascend/ascend_streams.h"
#include "rankunit/graph.h"

using namespace rankunit::test;

namespace {

using Words = std::vector<uint64_t>;

// Fails unless the launch is refused, whose text is returned.
std::string refused_launch(const StreamDevice &device, const char *kernel, uint32_t cores) {
    const uint32_t stream = device.stream();
    const KernelHandle loaded = device.device().kernel(TEST_KERNELS, kernel);
    CHECK_EQUAL(stream_launch(device.get(), stream, loaded, nullptr, 0, 1, cores), DEVICE_INVALID_ARGUMENT);
    return device_last_error();
}

template <typename Function>
Function vendor_function(const char *name) {
    return reinterpret_cast<Function>(dlsym(vendor_library(), name));
}

}  // namespace

TEST(work_on_a_stream_runs_in_order) {
    in_process([] {
        const Trace trace;
        {
            const StreamDevice device;
            const uint64_t data = device.device().allocate(32);
            const uint64_t copy = device.device().allocate(32);
            const uint32_t stream = device.stream();
            const std::array<float, 8> ones{1, 2, 3, 4};
            std::array<float, 8> result{};
            require_ok(stream_copy_in(device.get(), stream, data, ones.data(), 32));
            if (has_kernels()) {
                for (int i = 0; i < 10; i++) device.launch(stream, "add_one", {data, 8}, 4);
            }
            require_ok(stream_copy(device.get(), stream, copy, data, 32));
            require_ok(stream_zero(device.get(), stream, data, 32));
            require_ok(stream_copy_out(device.get(), stream, result.data(), copy, 32));
            device.synchronize(stream);
            CHECK_EQUAL(result[0], has_kernels() ? 11.0f : 1.0f);
            CHECK_EQUAL(result[7], has_kernels() ? 10.0f : 0.0f);
            CHECK(device.device().read(data, 4) == (Words{0, 0, 0, 0}));
            CHECK(device.done(stream));
            require_ok(stream_destroy(device.get(), stream));
        }
        if (has_kernels()) CHECK_EQUAL(trace.count("aclrtLaunchKernelWithConfig(4) = 0"), 10);
        CHECK_EQUAL(trace.count("LEFT"), 0);
    });
}

TEST(a_kernel_gets_declared_arguments_like_others) {
    if (!has_kernels()) return;
    in_process([] {
        const StreamDevice device;
        const uint64_t data = device.device().allocate(32);
        const uint32_t stream = device.stream();
        require_ok(stream_zero(device.get(), stream, data, 32));
        const uint64_t args[] = {GRAPH_INOUT, data, 32, GRAPH_SCALAR, 8, 0};
        require_ok(stream_launch_declared(device.get(), stream, device.device().kernel(TEST_KERNELS, "add_one"), args,
                                          2, 4, STREAM_CORES_VECTOR));
        std::array<float, 8> result{};
        require_ok(stream_copy_out(device.get(), stream, result.data(), data, 32));
        device.synchronize(stream);
        CHECK_EQUAL(result[0], 1.0f);
        CHECK_EQUAL(result[7], 1.0f);
    });
}

TEST(a_call_returns_before_its_work_is_done) {
    in_process([] {
        StreamDevice device;
        const uint64_t data = device.device().allocate(16);
        const uint32_t stream = device.stream();
        device.device().write(data, {1, 2});
        Words in{3, 4};
        Words out{0, 0};
        device.hold_up(stream);
        require_ok(stream_copy_in(device.get(), stream, data, in.data(), 16));
        require_ok(stream_copy_out(device.get(), stream, out.data(), data, 16));
        CHECK(!device.done(stream));
        CHECK(device.device().read(data, 2) == (Words{1, 2}));
        device.let_go();
        device.synchronize(stream);
        CHECK(device.device().read(data, 2) == (Words{3, 4}));
        CHECK(out == (Words{3, 4}));
    });
}

TEST(work_of_no_bytes_is_nothing_but_its_arguments_are_checked) {
    in_process([] {
        const StreamDevice device;
        const uint64_t data = device.device().allocate(64);
        const uint32_t stream = device.stream();
        char byte = 0;
        require_ok(stream_zero(device.get(), stream, data, 0));
        require_ok(stream_copy(device.get(), stream, data, data, 0));
        require_ok(stream_copy_in(device.get(), stream, data, &byte, 0));
        require_ok(stream_copy_out(device.get(), stream, &byte, data, 0));
        CHECK_EQUAL(stream_zero(device.get(), 99, data, 0), DEVICE_INVALID_ARGUMENT);
        CHECK_CONTAINS(device_last_error(), "this device has no stream 99");
        CHECK_EQUAL(stream_copy(device.get(), stream, data + 60, data, 8), DEVICE_BAD_ADDRESS);
        CHECK_EQUAL(stream_zero(device.get(), stream, data + 64, 1), DEVICE_BAD_ADDRESS);
    });
}

TEST(a_synchronization_that_ends_in_time_out_says_what_is_on_the_stream_and_harms_nothing) {
    in_process([] {
        const Trace trace;
        StreamDevice device;
        const uint64_t data = device.device().allocate(16);
        const uint32_t stream = device.stream();
        const std::string name = "stream " + std::to_string(stream);
        device.hold_up(stream);
        CHECK_EQUAL(stream_synchronize(device.get(), stream, 50), DEVICE_TIMEOUT);
        CHECK_EQUAL(std::string(device_last_error()),
                    name + " was not done after 50 ms: work 1 of 1 is " + device.obstacle());
        for (int i = 0; i < 9; i++) require_ok(stream_zero(device.get(), stream, data, 8));
        require_ok(stream_copy(device.get(), stream, data, data + 8, 8));
        std::array<char, 1024> text{};
        require_ok(stream_describe(device.get(), stream, text.data(), text.size()));
        CHECK_CONTAINS(text.data(),
                       name + ": works 1 to 11 of 11 have not all ended: " + device.obstacle() + "; zeroing");
        CHECK_CONTAINS(text.data(), "; ...; a copy of 8 bytes at 0x");
        CHECK_EQUAL(stream_destroy(device.get(), stream), DEVICE_BUSY);
        CHECK_CONTAINS(device_last_error(), "synchronize the stream before it is destroyed");
        device.let_go();
        device.synchronize(stream);
        require_ok(stream_describe(device.get(), stream, text.data(), text.size()));
        CHECK_EQUAL(std::string(text.data()), name + ": all 11 pieces of work are done");
        // each that times out would leave something on the stream
        CHECK_EQUAL(trace.count("aclrtSynchronizeStreamWithTimeout"), 0);
        require_ok(stream_destroy(device.get(), stream));
        CHECK_EQUAL(stream_destroy(device.get(), stream), DEVICE_INVALID_ARGUMENT);
        CHECK_CONTAINS(device_last_error(), name + " has been destroyed");
    });
}

TEST(a_failure_ends_its_stream_and_what_waits_for_it) {
    if (!has_kernels()) return;
    in_process([] {
        const Trace trace;
        {
            StreamDevice device;
            const uint64_t data = device.device().allocate(8);
            const uint32_t stream = device.stream();
            const uint32_t waiter = device.stream();
            const uint32_t event = device.event();
            device.hold_up(stream);
            device.launch(stream, "fail_with_first_argument", {42});
            require_ok(event_record(device.get(), event, stream));
            require_ok(event_wait(device.get(), waiter, event));
            device.let_go();
            CHECK_EQUAL(stream_synchronize(device.get(), waiter, kLongMs), 507015);
            CHECK_CONTAINS(device_last_error(), "work 1 (a wait for event 1): event 1 will not happen: stream ");
            CHECK_EQUAL(stream_synchronize(device.get(), stream, kLongMs), 507015);
            CHECK_CONTAINS(device_last_error(), ", one of works 1 to 3 (" + device.obstacle() +
                                                    "; the launch of kernel \"fail_with_first_argument\"; the record "
                                                    "of event 1): device 0: aclrtSynchronizeStream failed with 507015");
            CHECK_EQUAL(event_synchronize(device.get(), event, kLongMs), 507015);
            CHECK_EQUAL(stream_zero(device.get(), stream, data, 8), 507015);
            CHECK_EQUAL(stream_synchronize(device.get(), stream, kLongMs), 507015);
            require_ok(stream_destroy(device.get(), stream));
        }
        CHECK_EQUAL(trace.count("LEFT"), 0);
        CHECK_EQUAL(trace.count("DESTROYED"), 0);
    });
}

// The stream that it waits for fails between the questions to the two, of which each takes 100 ms; a device that has
// failed does not begin to wait.
TEST(what_waits_tells_the_failure_that_ends_it_while_it_is_asked) {
    if (!has_kernels()) return;
    in_process([] {
        const Trace trace;
        StreamDevice device;
        const uint32_t stream = device.stream();
        const uint32_t waiter = device.stream();
        const uint32_t event = device.event();
        static std::atomic<int32_t> begins{0};
        device.hold_up(stream);
        device.launch(stream, "fail_with_first_argument", {42});
        require_ok(event_record(device.get(), event, stream));
        device.launch(waiter, "spin_on_cell", {reinterpret_cast<uint64_t>(&begins)});
        require_ok(event_wait(device.get(), waiter, event));
        const Setting slow("RANKUNIT_EMULATOR_SLOW", "aclrtStreamQuery");
        const int before = trace.count("aclrtStreamQuery");
        std::thread meanwhile([&] {
            while (trace.count("aclrtStreamQuery") == before) std::this_thread::yield();
            device.let_go();
            while (trace.count("BROKEN") == 0) std::this_thread::yield();
            begins.store(1);
        });
        const int status = stream_synchronize(device.get(), waiter, kLongMs);
        const std::string text = device_last_error();
        meanwhile.join();
        CHECK_EQUAL(status, 507015);
        CHECK_CONTAINS(text, "; a wait for event 1): event 1 will not happen: stream ");
    });
}

TEST(a_single_piece_of_work_that_fails_is_named) {
    if (!has_kernels()) return;
    in_process([] {
        const StreamDevice device;
        const uint32_t stream = device.stream();
        device.launch(stream, "count_arguments", {});
        device.synchronize(stream);
        device.launch(stream, "fail_with_first_argument", {1});
        CHECK_EQUAL(stream_synchronize(device.get(), stream, kLongMs), 507015);
        CHECK_CONTAINS(device_last_error(), ", work 2 (the launch of kernel \"fail_with_first_argument\"): device 0: ");
    });
}

TEST(settling_waits_for_work_and_tells_of_failures_that_nobody_was_told_of) {
    in_process([] {
        StreamDevice device;
        const uint64_t data = device.device().allocate(16);
        const uint32_t stream = device.stream();
        device.device().write(data, {5, 6});
        device.hold_up(stream);
        require_ok(stream_zero(device.get(), stream, data, 8));
        CHECK_EQUAL(device_settle(device.get(), 50), DEVICE_TIMEOUT);
        CHECK_CONTAINS(device_last_error(), " was not done after 50 ms: ");
        device.let_go();
        require_ok(device_settle(device.get(), kLongMs));
        CHECK(device.device().read(data, 2) == (Words{0, 6}));
        if (!has_kernels()) return;
        const uint32_t failing = device.stream();
        device.launch(failing, "fail_with_first_argument", {1});
        CHECK_EQUAL(device_settle(device.get(), kLongMs), 507015);
        CHECK_CONTAINS(device_last_error(), ", work 1 (the launch of kernel \"fail_with_first_argument\"): device 0: ");
        require_ok(device_settle(device.get(), kLongMs));
        require_ok(stream_destroy(device.get(), failing));
    });
}

TEST(a_kernel_that_nobody_waits_for_is_told_once_when_its_device_settles) {
    if (!has_kernels()) return;
    for (const bool is_told : {false, true}) {
        in_process([is_told] {
            const StreamDevice device;
            const uint64_t code = 1;
            const KernelHandle kernel = device.device().kernel(TEST_KERNELS, "fail_with_first_argument");
            require_ok(device_settle(device.get(), kLongMs));
            require_ok(device_launch(device.get(), kernel, &code, 1));
            if (is_told) CHECK_EQUAL(device_synchronize(device.get()), 507015);
            CHECK_EQUAL(device_settle(device.get(), kLongMs), is_told ? int{DEVICE_OK} : 507015);
        });
    }
}

TEST(destroying_a_stream_tells_of_its_failure_and_destroys_it) {
    if (!has_kernels()) return;
    in_process([] {
        const StreamDevice device;
        const uint32_t stream = device.stream();
        device.launch(stream, "fail_with_first_argument", {1});
        int status = DEVICE_BUSY;
        while (status == DEVICE_BUSY) status = stream_destroy(device.get(), stream);
        CHECK_EQUAL(status, 507015);
        CHECK_CONTAINS(device_last_error(), ", work 1 (the launch of kernel \"fail_with_first_argument\"): device 0: ");
        CHECK_EQUAL(stream_destroy(device.get(), stream), DEVICE_INVALID_ARGUMENT);
        require_ok(device_settle(device.get(), kLongMs));
    });
}

TEST(a_call_that_the_vendor_refuses_does_not_end_the_stream) {
    in_process([] {
        const StreamDevice device;
        const uint64_t data = device.device().allocate(16);
        const uint32_t stream = device.stream();
        device.device().write(data, {5, 6});
        {
            const Setting faults("RANKUNIT_EMULATOR_FAULTS", "aclrtMemsetAsync=207001");
            CHECK_EQUAL(stream_zero(device.get(), stream, data, 16), 207001);
            CHECK_CONTAINS(device_last_error(), "aclrtMemsetAsync of 16 bytes failed with 207001 (MEMORY_ALLOCATION)");
        }
        require_ok(stream_zero(device.get(), stream, data, 8));
        device.synchronize(stream);
        CHECK(device.device().read(data, 2) == (Words{0, 6}));
        const Setting faults("RANKUNIT_EMULATOR_FAULTS", "aclrtCreateStream=207001");
        uint32_t none = 0;
        CHECK_EQUAL(stream_create(device.get(), &none), 207001);
    });
}

TEST(a_launch_on_other_cores_than_the_kernel_was_built_for_is_refused) {
    if (!has_kernels()) return;
    in_process([] {
        const StreamDevice device;
        CHECK_CONTAINS(refused_launch(device, "add_one", STREAM_CORES_CUBE),
                       "kernel \"add_one\" was built for vector cores, and the launch asks for cube cores");
        CHECK_CONTAINS(refused_launch(device, "run_on_cube_cores", STREAM_CORES_VECTOR), "was built for cube cores");
        CHECK_CONTAINS(refused_launch(device, "tell_cores_by_name", STREAM_CORES_MIXED),
                       "was built for vector cores, and the launch asks for cube and vector cores together");
        CHECK_CONTAINS(refused_launch(device, "run_on_mixed_cores", STREAM_CORES_CUBE),
                       "was built for cube and vector cores together");
        const uint32_t stream = device.stream();
        for (const auto &[kernel, cores] : std::vector<std::pair<const char *, uint32_t>>{
                 {"run_on_cube_cores", STREAM_CORES_CUBE}, {"run_on_mixed_cores", STREAM_CORES_MIXED}}) {
            const KernelHandle loaded = device.device().kernel(TEST_KERNELS, kernel);
            require_ok(stream_launch(device.get(), stream, loaded, nullptr, 0, 2, cores));
        }
        device.synchronize(stream);
        const Setting said("RANKUNIT_ASCEND_KERNEL_CORES", "cube");
        CHECK_CONTAINS(refused_launch(device, "say_nothing_of_cores", STREAM_CORES_VECTOR), "was built for cube cores");
    });
}

TEST(streams_do_not_signal_and_wait_on_cells) {
    in_process([] {
        const StreamDevice device;
        const uint64_t cell = device.device().allocate(4);
        const uint32_t stream = device.stream();
        CHECK_EQUAL(stream_signal(device.get(), stream, cell, KERNEL_SIGNAL_SET, 1), DEVICE_NOT_SUPPORTED);
        CHECK_CONTAINS(device_last_error(), "on this platform kernels signal and wait (TNOTIFY, TWAIT)");
        CHECK_EQUAL(stream_wait(device.get(), stream, cell, 1, 1, 4, KERNEL_EQ, 1), DEVICE_NOT_SUPPORTED);
    });
}

TEST(a_call_leaves_the_context_of_its_thread_as_it_was) {
    in_process([] {
        const StreamDevice device;
        const StreamDevice other(1);
        const uint64_t data = device.device().allocate(8);
        const uint32_t stream = device.stream();
        std::thread([&] {
            require_ok(stream_zero(device.get(), stream, data, 8));
            device.synchronize(stream);
        }).join();
        CHECK_EQUAL(vendor_function<int (*)(int)>("aclrtSetDevice")(1), 0);
        require_ok(stream_zero(device.get(), stream, data, 8));
        device.synchronize(stream);
        int32_t current = -1;
        CHECK_EQUAL(vendor_function<int (*)(int32_t *)>("aclrtGetDevice")(&current), 0);
        CHECK_EQUAL(current, 1);
        CHECK_EQUAL(vendor_function<int (*)(int)>("aclrtResetDevice")(1), 0);
    });
}

TEST(streams_copy_to_and_from_the_windows_of_other_ranks) {
    for (const Way &way : ways()) {
        if (way.name.rfind("hccl", 0) == 0) continue;  // whose buffers are of one size, and large
        const Machine machine(way);
        const TempFolder folder;
        run_ranks(2, [&](int rank) {
            constexpr size_t kBytes = (size_t{16} << 20) + 4096;  // more than passes through at a time
            AscendRank self(rank, 2, folder.file("root"));
            self.up(kBytes);
            const DeviceHandle device = self.device().get();
            const uint64_t peers = self.context().windowsIn[1 - rank];
            uint32_t stream = 0;
            require_ok(stream_create(device, &stream));
            const Words words(kBytes / 8, static_cast<uint64_t>(rank) + 1);
            require_ok(stream_copy_in(device, stream, peers, words.data(), kBytes));
            require_ok(stream_zero(device, stream, peers + 8, 16));
            require_ok(stream_synchronize(device, stream, kLongMs));
            self.barrier();
            const Words own = self.device().read(self.context().windowsIn[rank], kBytes / 8);
            CHECK_EQUAL(own[0], 2u - static_cast<uint64_t>(rank));
            CHECK_EQUAL(own[2], 0u);
            CHECK_EQUAL(own.back(), 2u - static_cast<uint64_t>(rank));
            Words back(kBytes / 8);
            require_ok(stream_copy_out(device, stream, back.data(), peers, kBytes));
            require_ok(stream_synchronize(device, stream, kLongMs));
            CHECK_EQUAL(back[1], 0u);
            CHECK_EQUAL(back.back(), static_cast<uint64_t>(rank) + 1);
            self.barrier();
        });
    }
}
