// What kernels tell of their accesses through pointers.
#include <algorithm>
#include <string>
#include <vector>

#include "record/recording_device.h"

using namespace rankunit::test;
using namespace rankunit::record;

namespace {

// The accesses, as "read 16 at 0": relative to an address.
std::vector<std::string> accesses(const LoggedEvents &events, uint64_t address) {
    std::vector<std::string> all;
    for (const Logged &event : events.of(kPointerAccess)) {
        all.push_back((event.words[2] == 0 ? "read " : "write ") + std::to_string(event.words[1]) + " at " +
                      std::to_string(event.words[0] - address));
    }
    return all;
}

KernelHandle kernel(const RecordingDevice &device, const char *name) {
    KernelHandle kernel = nullptr;
    CHECK_STATUS(device_load_kernel(device.get(), TEST_TELLING_KERNELS, name, &kernel));
    return kernel;
}

std::string joined(std::vector<std::string> texts) {
    std::sort(texts.begin(), texts.end());
    std::string all;
    for (const std::string &text : texts) all += (all.empty() ? "" : ", ") + text;
    return all;
}

}  // namespace

TEST(neighbouring_bytes_are_one_access_and_variables_are_none) {
    const RecordingDevice device;
    const uint64_t memory = device.device().allocate(4096);
    const uint64_t args[] = {memory, memory + 2048, 100};
    CHECK_STATUS(device_launch(device.get(), kernel(device, "increment"), args, 3));

    const LoggedEvents events = device.events();
    CHECK_EQUAL(joined(accesses(events, memory)),
                "read 400 at 0, read 400 at 400, write 400 at 2048, write 400 at 2448");
    const std::string place = events.text(static_cast<uint32_t>(events.of(kPointerAccess)[0].words[3]));
    CHECK_CONTAINS(place, TEST_TELLING_KERNELS "+0x");
}

TEST(a_gap_separates_accesses) {
    const RecordingDevice device;
    const uint64_t memory = device.device().allocate(4096);
    const uint64_t args[] = {memory, 3, 4};
    CHECK_STATUS(device_launch(device.get(), kernel(device, "stride"), args, 3));

    CHECK_EQUAL(joined(accesses(device.events(), memory)), "write 4 at 0, write 4 at 16, write 4 at 32");
}

TEST(more_gaps_than_are_kept_are_recorded_too) {
    const RecordingDevice device(20'000);
    const uint64_t memory = device.device().allocate(80'000);
    const uint64_t args[] = {memory, 10'000, 2};
    CHECK_STATUS(device_launch(device.get(), kernel(device, "stride"), args, 3));

    CHECK_EQUAL(accesses(device.events(), memory).size(), 10'000u);
}

TEST(an_access_lies_on_its_side_of_a_signal) {
    const RecordingDevice device;
    const uint64_t memory = device.device().allocate(64);
    const uint64_t args[] = {memory, memory + 32};
    CHECK_STATUS(device_launch(device.get(), kernel(device, "write_around_a_signal"), args, 2));

    const LoggedEvents events = device.events();
    const uint32_t block = events.only(kBlockBegin).actor;
    CHECK_EQUAL(events.kinds_of(block), "32 18 30 18 33");
    CHECK_EQUAL(joined(accesses(events, memory)), "write 4 at 0, write 4 at 4");
}

TEST(atomic_operations_work_and_are_no_accesses) {
    const RecordingDevice device;
    const uint64_t memory = device.device().allocate(64);
    CHECK_STATUS(device_launch(device.get(), kernel(device, "count"), &memory, 1));

    CHECK_EQUAL(device.events().of(kPointerAccess).size(), 0u);
}

TEST(a_kernel_that_tells_runs_while_nothing_is_recorded) {
    const GraphDevice device;
    const uint64_t memory = device.allocate(64);
    KernelHandle kernel = nullptr;
    CHECK_STATUS(device_load_kernel(device.get(), TEST_TELLING_KERNELS, "increment", &kernel));
    const uint64_t args[] = {memory, memory + 32, 4};
    CHECK_STATUS(device_launch(device.get(), kernel, args, 3));
    int32_t first = 0;
    CHECK_STATUS(device_copy_out(device.get(), &first, memory + 32, sizeof(first)));
    CHECK_EQUAL(first, 1);
}
