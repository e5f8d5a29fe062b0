// What kernels tell of their accesses through pointers.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "record/recording_device.h"

using namespace rankunit::test;
using namespace rankunit::record;

namespace {

// The accesses, as "read 16 at 0" or "read 16 at 0, 3 times by 64": relative to an address.
std::vector<std::string> accesses(const LoggedEvents &events, uint64_t address) {
    std::vector<std::string> all;
    for (const Logged &event : events.of(kPointerAccess)) {
        const uint64_t pieces = event.words[2] >> 32;
        all.push_back(
            ((event.words[2] & UINT32_MAX) == 0 ? "read " : "write ") + std::to_string(event.words[1]) + " at " +
            std::to_string(event.words[0] - address) +
            (pieces == 1 ? "" : ", " + std::to_string(pieces) + " times by " + std::to_string(event.words[4])));
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

// What the kernel `name` accesses in a megabyte, with the address of that before `args`.
std::string told(const char *name, std::vector<uint64_t> args, uint64_t capacity = 4096) {
    const RecordingDevice device(capacity);
    const uint64_t memory = device.device().allocate(1 << 20);
    CHECK_STATUS(device_copy_in(device.get(), memory, "hello", 6));
    CHECK_STATUS(device_copy_in(device.get(), memory + 64, "heLlo", 6));
    args.insert(args.begin(), memory);
    CHECK_STATUS(device_launch(device.get(), kernel(device, name), args.data(), static_cast<int>(args.size())));
    return joined(accesses(device.events(), memory));
}

TEST(a_loop_with_equal_gaps_is_one_access_however_long_it_is) {
    CHECK_EQUAL(told("stride", {4, 2}), "write 4 at 0, 4 times by 8");
    CHECK_EQUAL(told("stride", {100'000, 2}), "write 4 at 0, 100000 times by 8");
    CHECK_EQUAL(told("stride_down", {1000, 3}), "write 4 at 12, 1000 times by 12");
    // again and again, and many columns side by side: row by row
    CHECK_EQUAL(told("columns", {100, 16, 16}), "write 6400 at 0");
    CHECK_EQUAL(told("columns", {100, 16, 15}), "write 60 at 0, 100 times by 64");
    // in an order that is none
    CHECK_EQUAL(told("scatter", {1009, 4, 500}), "write 4 at 0, 1009 times by 16");
}

TEST(gaps_of_all_sizes_separate_accesses_even_if_they_are_more_than_are_kept) {
    CHECK_EQUAL(told("growing_gaps", {5}), "write 4 at 0, write 4 at 24, write 4 at 48, write 4 at 8, write 4 at 80");
    const RecordingDevice device(200'000);
    const uint64_t memory = device.device().allocate(1 << 20);
    const uint64_t args[] = {memory, 131'072};
    CHECK_STATUS(device_launch(device.get(), kernel(device, "random_gaps"), args, 2));
    uint64_t bytes = 0;
    const LoggedEvents events = device.events();
    for (const Logged &event : events.of(kPointerAccess)) bytes += event.words[1] * (event.words[2] >> 32);
    CHECK_EQUAL(bytes, 131'072u * 4);
}

TEST(a_series_over_several_memories_is_one_access_to_each) {
    const RecordingDevice device;
    // the guard pages between them make the distances equal
    std::vector<uint64_t> memories;
    for (int i = 0; i < 6; i++) memories.push_back(device.device().allocate(4096));
    std::sort(memories.begin(), memories.end());
    CHECK_STATUS(device_launch(device.get(), kernel(device, "touch_each"), memories.data(), 6));
    std::vector<std::string> expected;
    for (const uint64_t memory : memories) expected.push_back("write 4 at " + std::to_string(memory - memories[0]));
    CHECK_EQUAL(joined(accesses(device.events(), memories[0])), joined(expected));
}

// A row for each function: [memory, ...] and what it accesses there.
TEST(functions_of_the_c_library_tell_what_they_access) {
    const std::pair<uint64_t, const char *> all[] = {
        {0, "read 8 at 0, read 8 at 64"},           // memcmp == 0 with a constant size
        {1, "read 100 at 0, read 100 at 128"},      // memcmp
        {2, "read 3 at 0"},                         // memchr that finds the third
        {3, "read 6 at 0"},                         // strlen of "hello"
        {4, "read 3 at 0, read 3 at 64"},           // strcmp that differs in the third
        {5, "read 6 at 0"},                         // strcmp with a literal
        {6, "write 3 at 128"},                      // strcpy of a literal
        {7, "read 6 at 0, write 6 at 128"},         // strcpy
        {8, "read 6 at 0, write 10 at 128"},        // strncpy
        {9, "read 400 at 0, write 400 at 512"},     // std::copy
        {10, "read 16 at 0, write 16 at 512"},      // std::copy with a constant size
        {11, "write 100 at 0"},                     // std::fill of bytes
        {12, "read 16 at 0, read 16 at 64"},        // std::equal with a constant size
        {13, "read 5 at 0"},                        // std::string_view == literal
        {14, "read 400 at 512, write 400 at 512"},  // qsort
        {15, "write 32 at 128"},                    // memset with a constant size
        {16, "read 200 at 0, write 200 at 512"},    // assignment of a struct
        {17, "write 200 at 512"},                   // a struct of zeros
        {18, "write 4 at 128"},                     // snprintf of three digits
        {19, "read 200 at 0, write 200 at 4"},      // memmove to a place beside
        {20, "read 6 at 0, read 6 at 64"},          // strcasecmp
        {21, "read 6 at 0, write 6 at 128"},        // mempcpy
    };
    for (const auto &[which, expected] : all) CHECK_EQUAL(told("call", {which}), std::string(expected));
    // many accesses of its own
    const std::string sorted = told("call", {22});
    CHECK_CONTAINS(sorted, "read ");
    CHECK_CONTAINS(sorted, "write ");
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
