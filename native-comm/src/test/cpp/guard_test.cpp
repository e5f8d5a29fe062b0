// What keeps a wrong access from reaching other memory: guard pages, contexts that may only be read, checked words.
#include <signal.h>
#include <sys/wait.h>

#include <array>
#include <atomic>
#include <fstream>
#include <functional>
#include <sstream>

#include "bootstrap/segment/bootstrap_layout.h"
#include "harness/check.h"
#include "harness/ranks.h"
#include "rankunit/device.h"

using namespace rankunit::test;

namespace {

constexpr size_t kWindow = 4096;

void write_byte(uint64_t address) {
    *reinterpret_cast<volatile char *>(address) = 'x';
}

// Whether writing there ends a process by SIGSEGV. A sanitizer's own handler is put aside.
bool faults(uint64_t address) {
    Process writer([address] {
        signal(SIGSEGV, SIG_DFL);
        write_byte(address);
    });
    const int status = writer.wait();
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
}

struct Device {
    Device() { CHECK_EQUAL(device_open(0, &handle), DEVICE_OK); }
    Device(const Device &) = delete;
    Device &operator=(const Device &) = delete;
    ~Device() { device_close(handle); }
    DeviceHandle handle = nullptr;
};

// Where this process has mapped the bootstrap segment of its communicator.
uint64_t segment_of_this_process() {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        if (line.find("memfd:rankunit-bootstrap") == std::string::npos) continue;
        uint64_t start = 0;
        std::istringstream(line) >> std::hex >> start;
        return start;
    }
    throw CheckFailed("no bootstrap segment is mapped");
}

}  // namespace

TEST(a_checked_copy_does_not_run_from_one_window_into_the_next) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        const Device device;
        Comm comm(rank, 2, folder.file("root"), kWindow);
        const std::array<char, 2> bytes{'a', 'b'};
        for (const uint64_t window : {comm.context().windowsIn[0], comm.context().windowsIn[1]}) {
            CHECK_EQUAL(device_copy_in(device.handle, window + kWindow - 1, bytes.data(), 1), DEVICE_OK);
            CHECK_EQUAL(device_copy_in(device.handle, window + kWindow - 1, bytes.data(), 2), DEVICE_BAD_ADDRESS);
            CHECK_CONTAINS(device_last_error(), "2 bytes at ");
            CHECK_CONTAINS(device_last_error(), "end outside of the 4096 bytes that start at ");
        }
        comm.barrier();
    });
}

TEST(writing_behind_or_before_a_window_faults_there) {
    const TempFolder folder;
    for (const size_t bytes : {kWindow, 3 * kWindow, size_t{4} << 20}) {
        run_ranks(3, [&](int rank) {
            Comm comm(rank, 3, folder.file("root"), bytes);
            for (int pe = 0; pe < 3; pe++) {
                const uint64_t window = comm.context().windowsIn[pe];
                CHECK(!faults(window));
                CHECK(!faults(window + bytes - 1));
                CHECK(faults(window + bytes));
                CHECK(faults(window - 1));
            }
            comm.barrier();
        });
    }
}

TEST(large_windows_start_where_huge_pages_can) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        Comm comm(rank, 2, folder.file("root"), (size_t{2} << 20) + 1);
        for (int pe = 0; pe < 2; pe++) CHECK_EQUAL(comm.context().windowsIn[pe] % (2 << 20), 0u);
        comm.barrier();
    });
}

TEST(a_context_can_be_read_and_not_written) {
    const Device device;
    const TempFolder folder;
    const Comm comm(0, 1, folder.file("root"), kWindow);
    const auto address = reinterpret_cast<uint64_t>(&comm.context());
    CommContext copy{};
    CHECK_EQUAL(device_copy_out(device.handle, &copy, address, sizeof(copy)), DEVICE_OK);
    CHECK_EQUAL(copy.windowsIn[0], comm.context().windowsIn[0]);
    CHECK_EQUAL(device_copy_in(device.handle, address, &copy, sizeof(copy)), DEVICE_BAD_ADDRESS);
    CHECK_CONTAINS(device_last_error(), "is in the context of a communicator, which may only be read");
    CHECK_EQUAL(device_zero(device.handle, address + 8, 1), DEVICE_BAD_ADDRESS);
    CHECK_EQUAL(device_copy(device.handle, address, comm.context().windowsIn[0], 8), DEVICE_BAD_ADDRESS);
    CHECK_EQUAL(device_copy(device.handle, comm.context().windowsIn[0], address, 8), DEVICE_OK);
    CHECK(faults(address));
    CHECK(faults(address + sizeof(copy)));
}

TEST(writing_behind_device_memory_faults) {
    const Device device;
    for (const size_t bytes : {size_t{512}, size_t{4096}, size_t{1} << 20}) {
        uint64_t address = 0;
        CHECK_EQUAL(device_malloc(device.handle, bytes, &address), DEVICE_OK);
        CHECK_EQUAL(address % 512, 0u);
        CHECK(!faults(address));
        CHECK(!faults(address + bytes - 1));
        CHECK(faults(address + bytes));
        CHECK_EQUAL(device_free(device.handle, address), DEVICE_OK);
    }
}

TEST(a_wild_word_in_the_bootstrap_segment_is_told_and_ends_no_process) {
    constexpr size_t kWord = offsetof(rankunit::bootstrap::BootstrapHeader, abort_winner);
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        Comm comm(rank, 2, folder.file("root"), kWindow);
        comm.barrier();
        if (rank == 0) reinterpret_cast<std::atomic<uint32_t> *>(segment_of_this_process() + kWord)->store(4711);
        CHECK_EQUAL(comm_barrier(comm.handle()), COMM_SYSTEM);
        CHECK_CONTAINS(comm_last_error(), "damaged (abort_winner = 4711)");
        CHECK_EQUAL(comm_aborted_by(comm.handle()), rank);
    });
}
