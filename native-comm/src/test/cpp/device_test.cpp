// Memory and kernels of the simulated device.
#include "rankunit/device.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "device/host_memory.h"
#include "harness/check.h"
#include "harness/ranks.h"

using namespace rankunit::test;

namespace {

class Device {
public:
    Device() { CHECK_EQUAL(device_open(0, &handle_), DEVICE_OK); }
    ~Device() { device_close(handle_); }
    DeviceHandle get() const { return handle_; }
    uint64_t allocate(size_t bytes) const {
        uint64_t address = 0;
        CHECK_EQUAL(device_malloc(handle_, bytes, &address), DEVICE_OK);
        return address;
    }
    KernelHandle kernel(const char *name) const {
        KernelHandle kernel = nullptr;
        CHECK_EQUAL(device_load_kernel(handle_, TEST_KERNELS, name, &kernel), DEVICE_OK);
        return kernel;
    }

private:
    DeviceHandle handle_ = nullptr;
};

}  // namespace

TEST(memory_keeps_what_is_copied_in) {
    const Device device;
    const uint64_t address = device.allocate(1000);
    CHECK_EQUAL(address % 512, 0u);
    std::vector<char> source(1000, 'a');
    std::vector<char> target(1000);
    CHECK_EQUAL(device_copy_in(device.get(), address, source.data(), 1000), DEVICE_OK);
    CHECK_EQUAL(device_zero(device.get(), address + 10, 20), DEVICE_OK);
    CHECK_EQUAL(device_copy_out(device.get(), target.data(), address, 1000), DEVICE_OK);
    std::memset(source.data() + 10, 0, 20);
    CHECK(source == target);
    CHECK_EQUAL(device_free(device.get(), address), DEVICE_OK);
}

TEST(a_device_that_is_to_fail_does_so_where_its_work_is_waited_for) {
    setenv(DEVICE_SIM_FAULTS, "3:507899,0:507015", 1);
    const Device device;
    DeviceHandle other = nullptr;
    CHECK_EQUAL(device_open(1, &other), DEVICE_OK);
    setenv(DEVICE_SIM_FAULTS, "0;507015", 1);
    DeviceHandle none = nullptr;
    CHECK_EQUAL(device_open(0, &none), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(device_last_error(), "RANKUNIT_SIM_FAULTS = \"0;507015\"");
    for (const char *bad : {"0:hang ", "0:hangs", "0:507015x", "-1:507015", "0:5", ":", "1:507015,,"}) {
        setenv(DEVICE_SIM_FAULTS, bad, 1);
        CHECK_EQUAL(device_open(0, &none), DEVICE_INVALID_ARGUMENT);
    }
    setenv(DEVICE_SIM_FAULTS, "3:hang,0:507033", 1);
    CHECK_EQUAL(device_open(0, &none), 507033);
    unsetenv(DEVICE_SIM_FAULTS);

    device.allocate(8);
    CHECK_EQUAL(device_synchronize(device.get()), 507015);
    CHECK_CONTAINS(device_last_error(), "error 507015");
    CHECK_EQUAL(device_launch(device.get(), device.kernel("add_one"), nullptr, 0), 507015);
    CHECK_EQUAL(device_synchronize(other), DEVICE_OK);
    CHECK_EQUAL(device_close(other), DEVICE_OK);
}

TEST(wrong_addresses_are_errors_with_a_text) {
    const Device device;
    const uint64_t address = device.allocate(100);
    char byte = 0;
    CHECK_EQUAL(device_copy_out(device.get(), &byte, 64, 1), DEVICE_BAD_ADDRESS);
    CHECK_EQUAL(std::string(device_last_error()), "address 0x40 is in no device memory and no window");
    CHECK_EQUAL(device_zero(device.get(), address + 90, 11), DEVICE_BAD_ADDRESS);
    CHECK_CONTAINS(device_last_error(), "11 bytes at ");
    CHECK_EQUAL(device_zero(device.get(), address, SIZE_MAX), DEVICE_BAD_ADDRESS);
    CHECK_EQUAL(device_free(device.get(), address + 1), DEVICE_BAD_ADDRESS);
    CHECK_EQUAL(device_free(device.get(), address), DEVICE_OK);
    CHECK_EQUAL(device_free(device.get(), address), DEVICE_BAD_ADDRESS);
    CHECK_EQUAL(device_zero(device.get(), address, 1), DEVICE_BAD_ADDRESS);
}

TEST(an_address_of_freed_memory_is_named_by_its_allocation_as_long_as_nobody_else_can_have_it) {
    const Device device;
    CHECK_EQUAL(device_record_mark(device.get(), DEVICE_MARK_TEST_BEGIN, "a test"), DEVICE_OK);
    const uint64_t first = device.allocate(100);
    CHECK_EQUAL(device_free(device.get(), first), DEVICE_OK);
    CHECK_EQUAL(device_zero(device.get(), first + 8, 1), DEVICE_BAD_ADDRESS);
    CHECK_CONTAINS(device_last_error(),
                   "is in no device memory and no window: it is 8 bytes into the 100 of allocation 1 in this test, "
                   "which was freed");
    const uint64_t second = device.allocate(100);
    CHECK(second != first);
    CHECK_EQUAL(device_free(device.get(), second), DEVICE_OK);
    for (int i = 0; i < 100; i++) CHECK(device.allocate(100) != second);
    const char *const text = "of allocation 2 in this test, which was freed";
    char byte = 0;
    const auto refused = [&](int status) {
        CHECK_EQUAL(status, DEVICE_BAD_ADDRESS);
        CHECK_CONTAINS(device_last_error(), text);
    };
    refused(device_copy_in(device.get(), second, &byte, 1));
    refused(device_copy_out(device.get(), &byte, second + 99, 1));
    refused(device_copy(device.get(), second, device.allocate(8), 8));
    refused(device_copy(device.get(), device.allocate(8), second, 8));
    refused(device_free(device.get(), second));
    const std::array<uint64_t, 2> args{second, 1};
    refused(device_launch(device.get(), device.kernel("add_one"), args.data(), 2));
    CHECK_CONTAINS(device_last_error(), "kernel \"add_one\": argument 0: address 0x");
    CHECK_EQUAL(device_copy_in(device.get(), second + 100, &byte, 1), DEVICE_BAD_ADDRESS);
    CHECK(std::string(device_last_error()).find("allocation") == std::string::npos);

    CHECK_EQUAL(device_record_mark(device.get(), DEVICE_MARK_TEST_BEGIN, "another test"), DEVICE_OK);
    CHECK_EQUAL(device_zero(device.get(), second, 1), DEVICE_BAD_ADDRESS);
    CHECK_CONTAINS(device_last_error(), "of allocation 2 in an earlier test, which was freed");
}

TEST(memory_can_be_allocated_and_freed_for_ever) {
    const Device device;
    for (int i = 0; i < 3000; i++) {
        CHECK_EQUAL(device_free(device.get(), device.allocate(size_t{1} << (i % 30))), DEVICE_OK);
    }
}

TEST(a_copy_onto_a_part_of_its_source_is_refused_and_moves_nothing) {
    const Device device;
    const uint64_t address = device.allocate(100);
    std::vector<char> data(100);
    for (size_t i = 0; i < data.size(); i++) data[i] = static_cast<char>(i);
    CHECK_EQUAL(device_copy_in(device.get(), address, data.data(), data.size()), DEVICE_OK);
    for (const auto &[target, source] : {std::pair{1, 0}, {0, 1}, {39, 0}, {0, 39}, {60, 21}}) {
        CHECK_EQUAL(device_copy(device.get(), address + target, address + source, 40), DEVICE_INVALID_ARGUMENT);
        CHECK_CONTAINS(device_last_error(),
                       "of 40 bytes overlap by " + std::to_string(40 - std::abs(target - source)) + " bytes");
    }
    char text[160];
    std::snprintf(text, sizeof(text), "the source [0x%llx, 0x%llx) and the target [0x%llx, 0x%llx) of 40 bytes",
                  static_cast<unsigned long long>(address + 21), static_cast<unsigned long long>(address + 61),
                  static_cast<unsigned long long>(address + 60), static_cast<unsigned long long>(address + 100));
    CHECK_CONTAINS(device_last_error(), text);
    std::vector<char> after(100);
    CHECK_EQUAL(device_copy_out(device.get(), after.data(), address, after.size()), DEVICE_OK);
    CHECK(after == data);

    CHECK_EQUAL(device_copy(device.get(), address + 40, address, 40), DEVICE_OK);
    CHECK_EQUAL(device_copy(device.get(), address, address + 40, 40), DEVICE_OK);
    CHECK_EQUAL(device_copy(device.get(), address, address, 100), DEVICE_OK);
    CHECK_EQUAL(device_copy(device.get(), address, address + 1, 0), DEVICE_OK);
}

TEST(windows_are_device_memory_until_the_communicator_is_destroyed) {
    const Device device;
    const TempFolder folder;
    uint64_t base = 0;
    char byte = 'x';
    {
        const Comm comm(0, 1, folder.file("root"));
        base = comm.context().windowsIn[0];
        CHECK_EQUAL(device_copy_in(device.get(), base + 4095, &byte, 1), DEVICE_OK);
        CHECK_EQUAL(device_copy_in(device.get(), base + 4096, &byte, 1), DEVICE_BAD_ADDRESS);
        CHECK_EQUAL(comm.window<char>(0)[4095], 'x');
    }
    CHECK_EQUAL(device_copy_in(device.get(), base, &byte, 1), DEVICE_BAD_ADDRESS);
}

TEST(sizes_that_cannot_be_had_are_refused) {
    const Device device;
    uint64_t address = 0;
    CHECK_EQUAL(device_malloc(device.get(), 0, &address), DEVICE_INVALID_ARGUMENT);
    CHECK_EQUAL(device_malloc(device.get(), SIZE_MAX, &address), DEVICE_OUT_OF_MEMORY);
    CHECK_EQUAL(device_malloc(nullptr, 1, &address), DEVICE_INVALID_ARGUMENT);
    DeviceHandle none = nullptr;
    CHECK_EQUAL(device_open(-1, &none), DEVICE_INVALID_ARGUMENT);
    CHECK_EQUAL(device_close(nullptr), DEVICE_INVALID_ARGUMENT);
}

TEST(memory_that_this_machine_can_never_hold_is_refused_with_the_numbers) {
    const Device device;
    const uint64_t most = rankunit::device::memory_bound("").value().bytes;
    uint64_t address = 0;
    CHECK_EQUAL(device_malloc(device.get(), most / 2 + 4096, &address), DEVICE_OK);
    CHECK_EQUAL(device_malloc(device.get(), most / 2, &address), DEVICE_OUT_OF_MEMORY);
    CHECK_CONTAINS(device_last_error(), "there is no device memory for " + std::to_string(most / 2) + " bytes, with ");
    CHECK_CONTAINS(device_last_error(), " bytes that are taken: ");
    CHECK_CONTAINS(device_last_error(), " is " + std::to_string(most) + " bytes");
    CHECK_EQUAL(device_free(device.get(), address), DEVICE_OK);
    CHECK_EQUAL(device_malloc(device.get(), most / 2, &address), DEVICE_OK);
}

TEST(a_kernel_works_on_device_memory) {
    const Device device;
    std::array<float, 4> data{1, 2, 3, 4};
    const uint64_t address = device.allocate(sizeof(data));
    CHECK_EQUAL(device_copy_in(device.get(), address, data.data(), sizeof(data)), DEVICE_OK);
    const std::array<uint64_t, 2> args{address, data.size()};
    CHECK_EQUAL(device_launch(device.get(), device.kernel("add_one"), args.data(), 2), DEVICE_OK);
    CHECK_EQUAL(device_synchronize(device.get()), DEVICE_OK);
    CHECK_EQUAL(device_copy_out(device.get(), data.data(), address, sizeof(data)), DEVICE_OK);
    CHECK(data == (std::array<float, 4>{2, 3, 4, 5}));
}

TEST(a_kernel_reads_its_peers_windows_through_the_context) {
    const TempFolder folder;
    run_ranks(4, [&](int rank) {
        const Device device;
        Comm comm(rank, 4, folder.file("root"));
        *comm.window<uint64_t>(rank) = 10 + static_cast<uint64_t>(rank);
        comm.barrier();
        std::array<uint64_t, 4> result{};
        const uint64_t address = device.allocate(sizeof(result));
        const std::array<uint64_t, 2> args{reinterpret_cast<uint64_t>(&comm.context()), address};
        CHECK_EQUAL(device_launch(device.get(), device.kernel("gather_first_words"), args.data(), 2), DEVICE_OK);
        CHECK_EQUAL(device_copy_out(device.get(), result.data(), address, sizeof(result)), DEVICE_OK);
        CHECK(result == (std::array<uint64_t, 4>{10, 11, 12, 13}));
        comm.barrier();
    });
}

TEST(a_kernel_that_fails_is_named_with_its_code) {
    const Device device;
    const uint64_t code = 42;
    CHECK_EQUAL(device_launch(device.get(), device.kernel("fail_with_first_argument"), &code, 1), DEVICE_KERNEL_FAILED);
    CHECK_EQUAL(std::string(device_last_error()), "kernel \"fail_with_first_argument\" returned 42");
    CHECK_EQUAL(device_launch(device.get(), device.kernel("count_arguments"), nullptr, 0), DEVICE_OK);
    CHECK_EQUAL(device_launch(device.get(), device.kernel("count_arguments"), &code, -1), DEVICE_INVALID_ARGUMENT);
    CHECK_EQUAL(device_launch(device.get(), nullptr, &code, 1), DEVICE_INVALID_ARGUMENT);
    CHECK_EQUAL(device_launch_on(device.get(), device.kernel("count_arguments"), nullptr, 0, 1, nullptr), DEVICE_OK);
    CHECK_EQUAL(device_launch_on(device.get(), device.kernel("count_arguments"), nullptr, 0, 2, nullptr),
                DEVICE_NOT_SUPPORTED);
    CHECK_CONTAINS(device_last_error(), "one block");
}

TEST(missing_libraries_and_symbols_are_named) {
    const Device device;
    KernelHandle kernel = nullptr;
    CHECK_EQUAL(device_load_kernel(device.get(), "/no/such.so", "x", &kernel), DEVICE_KERNEL_LOAD);
    CHECK_CONTAINS(device_last_error(), "/no/such.so");
    CHECK_EQUAL(device_load_kernel(device.get(), TEST_KERNELS, "add_two", &kernel), DEVICE_KERNEL_LOAD);
    CHECK_CONTAINS(device_last_error(), "there is no kernel \"add_two\" in ");
}

TEST(a_kernel_library_for_another_processor_is_named_with_both) {
    const Device device;
    const TempFolder folder;
    const std::string file = folder.file("libother.so");
    std::ifstream whole(TEST_KERNELS, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(whole)), std::istreambuf_iterator<char>());
    const bool isArm = static_cast<unsigned char>(bytes.at(18)) == 183;
    bytes[18] = static_cast<char>(isArm ? 62 : 183);
    std::ofstream(file, std::ios::binary) << bytes;
    KernelHandle kernel = nullptr;
    CHECK_EQUAL(device_load_kernel(device.get(), file.c_str(), "add_one", &kernel), DEVICE_KERNEL_LOAD);
    CHECK_EQUAL(std::string(device_last_error()), "the kernel library cannot be loaded: " + file + " is built for " +
                                                      (isArm ? "x86-64" : "aarch64") + ", and this machine is " +
                                                      (isArm ? "aarch64" : "x86-64") + "; build it for this one");
}
