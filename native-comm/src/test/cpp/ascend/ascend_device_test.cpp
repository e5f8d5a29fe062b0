// Devices by way of the vendor's runtime, on its emulator.
#include <dlfcn.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <thread>

#include "ascend/ascend_support.h"

using namespace rankunit::test;

namespace {

bool has_kernels() {
    return vendor() != "vendor-9-bare";
}

void launch(const OpenDevice &device, const char *name, const std::vector<uint64_t> &args) {
    const KernelHandle kernel = device.kernel(TEST_KERNELS, name);
    CHECK_EQUAL(device_launch(device.get(), kernel, args.data(), static_cast<int>(args.size())), DEVICE_OK);
}

}  // namespace

TEST(memory_keeps_what_is_copied_and_zeroed) {
    in_process([] {
        const OpenDevice device;
        const uint64_t a = device.allocate(64);
        const uint64_t b = device.allocate(64);
        device.write(a, {1, 2, 3, 4, 5, 6, 7, 8});
        CHECK_EQUAL(device_copy(device.get(), b, a, 64), DEVICE_OK);
        CHECK_EQUAL(device_zero(device.get(), b + 8, 16), DEVICE_OK);
        CHECK(device.read(b, 8) == (std::vector<uint64_t>{1, 0, 0, 4, 5, 6, 7, 8}));
        CHECK_EQUAL(device_copy_in(device.get(), a, &a, 0), DEVICE_OK);
        CHECK_EQUAL(device_free(device.get(), a), DEVICE_OK);
        CHECK_EQUAL(device_free(device.get(), a), DEVICE_BAD_ADDRESS);
        CHECK_EQUAL(device_zero(device.get(), b + 60, 5), DEVICE_BAD_ADDRESS);
        CHECK_EQUAL(device_malloc(device.get(), 0, nullptr), DEVICE_INVALID_ARGUMENT);
    });
}

TEST(memory_of_another_library_can_be_adopted) {
    in_process([] {
        const OpenDevice device;
        std::array<uint64_t, 2> foreign{};
        const auto address = reinterpret_cast<uint64_t>(foreign.data());
        CHECK_EQUAL(device_zero(device.get(), address, 16), DEVICE_BAD_ADDRESS);
        CHECK_EQUAL(device_adopt(device.get(), address, 16), DEVICE_OK);
        // what is no memory of the device is the vendor's to refuse
        CHECK_EQUAL(device_zero(device.get(), address, 16), 107000);
        CHECK_EQUAL(device_disown(device.get(), address), DEVICE_OK);
        CHECK_EQUAL(device_disown(device.get(), address), DEVICE_BAD_ADDRESS);
    });
}

TEST(an_id_that_is_not_here_is_told_with_those_that_are) {
    in_process([] {
        const Setting devices("RANKUNIT_EMULATOR_DEVICES", "8");
        DeviceHandle none = nullptr;
        CHECK_EQUAL(device_open(8, &none), DEVICE_INVALID_ARGUMENT);
        CHECK_EQUAL(std::string(device_last_error()), "device 8 is not here: this process sees 8 devices, from 0 to 7");
        CHECK_EQUAL(device_open(-1, &none), DEVICE_INVALID_ARGUMENT);
        CHECK(none == nullptr);
    });
}

TEST(visible_devices_are_renumbered) {
    in_process([] {
        const Setting visible("ASCEND_RT_VISIBLE_DEVICES", "2,3");
        const OpenDevice first(0);
        const OpenDevice second(1);
        second.allocate(8);
        DeviceHandle none = nullptr;
        CHECK_EQUAL(device_open(2, &none), DEVICE_INVALID_ARGUMENT);
        CHECK_CONTAINS(device_last_error(),
                       "2 devices, from 0 to 1 (ASCEND_RT_VISIBLE_DEVICES = \"2,3\" renumbers them)");
    });
}

TEST(a_thread_that_never_set_a_device_may_use_one) {
    in_process([] {
        const Trace trace;
        const OpenDevice device;
        const OpenDevice other(1);
        const uint64_t address = device.allocate(8);
        std::thread([&] { device.write(address, {42}); }).join();
        CHECK_EQUAL(device.read(address, 1)[0], 42u);
        CHECK_EQUAL(trace.count("aclInit"), 1);
    });
}

TEST(a_runtime_that_somebody_has_initialized_is_taken_as_it_is) {
    in_process([] {
        void *library = vendor_library();
        const auto initialize = reinterpret_cast<int (*)(const char *)>(dlsym(library, "aclInit"));
        CHECK_EQUAL(initialize(nullptr), 0);
        const Trace trace;
        {
            const OpenDevice device;
            device.allocate(8);
        }
        CHECK_EQUAL(trace.count("aclInit() = 100002"), 1);
        CHECK_EQUAL(trace.count("aclFinalize()"), 0);
        // it is there still
        const auto set = reinterpret_cast<int (*)(int)>(dlsym(library, "aclrtSetDevice"));
        CHECK_EQUAL(set(1), 0);
    });
}

TEST(a_device_that_is_open_twice_is_reset_when_both_are_closed) {
    in_process([] {
        const Trace trace;
        {
            const OpenDevice device;
            const uint64_t address = device.allocate(8);
            {
                const OpenDevice again;
                again.allocate(8);
            }
            CHECK_EQUAL(trace.count("aclrtResetDevice"), 0);
            device.write(address, {1});
        }
        // the vendor counts: a device that is set twice would have to be reset twice
        CHECK_EQUAL(trace.count("aclrtSetDevice(0) = 0"), 1);
        CHECK_EQUAL(trace.count("aclrtResetDevice(0) = 0"), 1);
        CHECK_EQUAL(trace.count("reset of device 0"), 1);
        CHECK_EQUAL(trace.count("LEFT"), 0);
    });
}

TEST(the_runtime_is_finalized_with_the_last_device_and_can_be_used_again) {
    in_process([] {
        const Trace trace;
        {
            const OpenDevice device;
            {
                const OpenDevice other(1);
            }
            CHECK_EQUAL(trace.count("aclFinalize"), 0);
        }
        CHECK_EQUAL(trace.count("aclFinalize"), 1);
        {
            const OpenDevice again;
            again.allocate(8);
        }
        CHECK_EQUAL(trace.count("aclFinalize"), 2);
        CHECK_EQUAL(trace.count("aclInit() = 0"), 2);
        CHECK_EQUAL(trace.count("LEFT"), 0);
    });
}

TEST(a_kernel_has_run_when_its_result_is_copied) {
    if (!has_kernels()) return;
    in_process([] {
        const OpenDevice device;
        const uint64_t word = device.allocate(8);
        const uint64_t result = device.allocate(8);
        device.write(word, {0});
        const std::array<float, 2> data{1, 2};
        const uint64_t floats = device.allocate(sizeof(data));
        CHECK_EQUAL(device_copy_in(device.get(), floats, data.data(), sizeof(data)), DEVICE_OK);
        launch(device, "add_one", {floats, 2});
        std::array<float, 2> after{};
        CHECK_EQUAL(device_copy_out(device.get(), after.data(), floats, sizeof(after)), DEVICE_OK);
        CHECK(after == (std::array<float, 2>{2, 3}));
        CHECK_EQUAL(device_synchronize(device.get()), DEVICE_OK);
        CHECK_EQUAL(device_free(device.get(), result), DEVICE_OK);
    });
}

TEST(a_kernel_is_launched_with_blocks_and_on_a_stream_of_the_callers) {
    if (!has_kernels()) return;
    in_process([] {
        const Trace trace;
        const OpenDevice device;
        const uint64_t word = device.allocate(8);
        device.write(word, {0});
        const KernelHandle kernel = device.kernel(TEST_KERNELS, "write_late");
        const auto launch_on = [&](uint64_t value, uint32_t blocks, void *stream) {
            const std::vector<uint64_t> args{word, value};
            return device_launch_on(device.get(), kernel, args.data(), 2, blocks, stream);
        };
        CHECK_EQUAL(launch_on(5, 8, nullptr), DEVICE_OK);
        CHECK_EQUAL(device.read(word, 1)[0], 5u);
        CHECK_EQUAL(trace.count("aclrtLaunchKernelWithConfig(8) = 0"), 1);
        CHECK_EQUAL(launch_on(5, 0, nullptr), DEVICE_INVALID_ARGUMENT);
        CHECK_EQUAL(std::string(device_last_error()), "blocks = 0 is not in [1, 65535]");

        void *library = vendor_library();
        const auto function = [&](const char *name) { return dlsym(library, name); };
        void *stream = nullptr;
        CHECK_EQUAL(reinterpret_cast<int (*)(void **)>(function("aclrtCreateStream"))(&stream), 0);
        CHECK_EQUAL(launch_on(6, 2, stream), DEVICE_OK);
        CHECK_EQUAL(reinterpret_cast<int (*)(void *)>(function("aclrtSynchronizeStream"))(stream), 0);
        CHECK_EQUAL(device.read(word, 1)[0], 6u);
        CHECK_EQUAL(reinterpret_cast<int (*)(void *)>(function("aclrtDestroyStream"))(stream), 0);
    });
}

TEST(a_kernel_that_fails_leaves_the_device_unusable_and_is_named_by_what_follows) {
    if (!has_kernels()) return;
    in_process([] {
        {
            const OpenDevice device;
            launch(device, "fail_with_first_argument", {3});
            CHECK_EQUAL(device_synchronize(device.get()), 507015);
            CHECK_CONTAINS(device_last_error(), "507015 (AICORE_EXCEPTION): a kernel has failed on the device");
            uint64_t address = 0;
            CHECK_EQUAL(device_malloc(device.get(), 8, &address), 507899);
            CHECK_CONTAINS(device_last_error(), "The first failure on this device was: device 0: aclrtSynchronize");
            CHECK_CONTAINS(device_last_error(), "507015");
        }
        const OpenDevice anew;
        anew.allocate(8);
    });
}

TEST(a_kernel_that_does_not_end_is_given_up_and_so_is_its_device) {
    if (!has_kernels()) return;
    in_process([] {
        const Setting limit("RANKUNIT_ASCEND_SYNCHRONIZE_MS", "100");
        const Setting hang("RANKUNIT_EMULATOR_HANG", "aclrtLaunchKernelWithConfig");
        const Trace trace;
        const auto start = std::chrono::steady_clock::now();
        {
            const OpenDevice device;
            launch(device, "count_arguments", {});
            CHECK_EQUAL(device_synchronize(device.get()), 507046);
            CHECK_CONTAINS(device_last_error(), "of 100 ms failed with 507046 (STREAM_SYNC_TIMEOUT)");
        }
        CHECK(elapsed_ms(start) < 5000);
        trace.require_order({"aclrtDestroyStreamForce() = 0", "aclrtResetDevice(0) = 0"});
    });
}

TEST(what_is_left_is_given_back_in_order) {
    if (!has_kernels()) return;
    in_process([] {
        const Trace trace;
        {
            const OpenDevice device;
            device.allocate(8);
            device.kernel(TEST_KERNELS, "add_one");
        }
        trace.require_order({"aclInit", "aclrtSetDevice(0) = 0", "aclrtCreateStream", "aclrtDestroyStream() = 0",
                             "aclrtBinaryUnLoad", "aclrtFree", "aclrtResetDevice(0) = 0",
                             vendor() == "vendor-8.1" ? "aclFinalize() = 0" : "aclFinalizeReference() = 0"});
    });
}

TEST(a_kernel_that_cannot_be_loaded_is_explained) {
    in_process([] {
        const OpenDevice device;
        KernelHandle kernel = nullptr;
        const auto load = [&](const char *path, const char *name) {
            CHECK_EQUAL(device_load_kernel(device.get(), path, name, &kernel), DEVICE_KERNEL_LOAD);
            return std::string(device_last_error());
        };
        if (!has_kernels()) {
            CHECK_CONTAINS(load(TEST_KERNELS, "add_one"), "this CANN (ACL 1.17.0) cannot load kernels");
            return;
        }
        CHECK_CONTAINS(load("/no/such.o", "x"), "/no/such.o: No such file");
        CHECK_CONTAINS(load(TEST_KERNELS, "add_two"), "there is no kernel \"add_two\" in ");
        const std::vector<uint64_t> args(129);
        kernel = device.kernel(TEST_KERNELS, "count_arguments");
        CHECK_EQUAL(device_launch(device.get(), kernel, args.data(), 129), DEVICE_INVALID_ARGUMENT);
        CHECK_CONTAINS(device_last_error(), "takes at most 128");
    });
}

TEST(a_kernel_that_does_not_say_its_cores_is_refused_with_what_to_do) {
    if (!has_kernels()) return;
    in_process([] {
        const OpenDevice device;
        KernelHandle kernel = nullptr;
        const auto refused = [&] {
            CHECK_EQUAL(device_load_kernel(device.get(), TEST_KERNELS, "say_nothing_of_cores", &kernel),
                        DEVICE_KERNEL_LOAD);
            return std::string(device_last_error());
        };
        const std::string text = refused();
        CHECK_CONTAINS(text, "does not say on which cores kernel \"say_nothing_of_cores\" runs");
        CHECK_CONTAINS(text, "ascendc_fatbin_library of CANN's ascendc.cmake");
        CHECK_CONTAINS(text, "set RANKUNIT_ASCEND_KERNEL_CORES to vector or cube");
        const Setting cores("RANKUNIT_ASCEND_KERNEL_CORES", "round");
        CHECK_CONTAINS(refused(), "RANKUNIT_ASCEND_KERNEL_CORES = \"round\": give \"vector\" or \"cube\"");
    });
}

TEST(the_cores_of_kernels_can_be_said_by_a_key_a_name_or_a_file_beside) {
    if (!has_kernels()) return;
    const auto adds_one = [](const char *library, const char *kernel, const std::string &loads) {
        const Trace trace;
        const OpenDevice device;
        const std::array<float, 2> data{1, 2};
        const uint64_t floats = device.allocate(sizeof(data));
        CHECK_EQUAL(device_copy_in(device.get(), floats, data.data(), sizeof(data)), DEVICE_OK);
        const KernelHandle loaded = device.kernel(library, kernel);
        const std::vector<uint64_t> args{floats, 2};
        CHECK_EQUAL(device_launch(device.get(), loaded, args.data(), 2), DEVICE_OK);
        std::array<float, 2> after{};
        CHECK_EQUAL(device_copy_out(device.get(), after.data(), floats, sizeof(after)), DEVICE_OK);
        CHECK(after == (std::array<float, 2>{2, 3}));
        CHECK_EQUAL(trace.count(loads), 1);
    };
    in_process([&] { adds_one(TEST_KERNELS, "tell_cores_by_name", "aclrtBinaryLoadFromFile"); });
    in_process([&] {
        const Setting cores("RANKUNIT_ASCEND_KERNEL_CORES", "vector");
        adds_one(TEST_KERNELS, "say_nothing_of_cores", "aclrtBinaryLoadFromData");
        adds_one(TEST_KERNELS, "add_one", "aclrtBinaryLoadFromFile");
    });
    in_process([&] {
        const TempFolder folder;
        const std::string copy = folder.file("kernel.o");
        std::filesystem::copy_file(TEST_KERNELS, copy);
        std::ofstream(folder.file("kernel.json")) << R"({"magic": "RT_DEV_BINARY_MAGIC_ELF_AIVEC"})";
        adds_one(copy.c_str(), "say_nothing_of_cores", "aclrtBinaryLoadFromFile");
        std::filesystem::remove(copy);
        std::filesystem::remove(folder.file("kernel.json"));
    });
}

TEST(a_device_that_cannot_be_opened_leaves_nothing_behind) {
    in_process([] {
        DeviceHandle none = nullptr;
        const Trace trace;
        {
            const Setting faults("RANKUNIT_EMULATOR_FAULTS", "aclrtCreateStream=207001");
            CHECK_EQUAL(device_open(0, &none), 207001);
        }
        {
            const Setting faults("RANKUNIT_EMULATOR_FAULTS", "aclrtGetCurrentContext=107002");
            CHECK_EQUAL(device_open(0, &none), 107002);
        }
        CHECK_EQUAL(trace.count("aclrtResetDevice(0) = 0"), 2);
        CHECK_EQUAL(trace.count("aclFinalize"), 2);
        CHECK_EQUAL(trace.count("LEFT"), 0);
        const OpenDevice device;
    });
}

TEST(a_device_of_the_vendor_records_nothing) {
    in_process([] {
        const OpenDevice device;
        CHECK_EQUAL(device_record(device.get(), "/nowhere/log", nullptr, 10), DEVICE_NOT_SUPPORTED);
        CHECK_EQUAL(device_record_mark(device.get(), DEVICE_MARK_TEST_BEGIN, "a test"), DEVICE_OK);
        CHECK_EQUAL(device_record_name(device.get(), 64, 8, "input"), DEVICE_OK);
    });
}
