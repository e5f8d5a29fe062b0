// What goes wrong on one rank is told to all of them, long before a time-out.
#include <signal.h>

#include <thread>

#include "ascend/ascend_ranks.h"

using namespace rankunit::test;

namespace {

constexpr int64_t kLong = 60'000;
constexpr int64_t kAtOnce = 8'000;  // on a busy machine

Way way_of(const std::string &name) {
    for (const Way &way : ways()) {
        if (way.name.rfind(name, 0) == 0) return way;
    }
    return {"", "", ""};
}

// With `fault` on the device of rank 1 of 3, no rank comes up, each knows why, and at once.
void all_fail(const Way &way, const std::string &function, int code, const std::string &expected) {
    const Machine machine(way, function + "/dev1=" + std::to_string(code));
    const TempFolder folder;
    const Trace trace;
    const auto start = std::chrono::steady_clock::now();
    run_ranks(3, [&](int rank) {
        AscendRank self(rank, 3, folder.file("root"), rank, kLong);
        const int status = self.allocate();
        CHECK_EQUAL(status, rank != 1 ? int{COMM_ABORTED} : code >= COMM_VENDOR_ERROR ? code : int{COMM_VENDOR});
        CHECK_CONTAINS(comm_last_error(), function);
        CHECK_CONTAINS(comm_last_error(), expected);
        if (rank != 1) CHECK_CONTAINS(comm_last_error(), "aborted because of rank 1: ");
        CHECK_EQUAL(comm_aborted_by(self.comm()), 1);
    });
    if (elapsed_ms(start) >= kAtOnce) failed(__FILE__, __LINE__, function + ": too late");
    CHECK_EQUAL(trace.count("LEFT"), 0);
}

void all_fail(const Way &way, const std::vector<std::string> &functions) {
    if (way.name.empty()) return;
    for (const std::string &function : functions) {
        if (function.rfind("H", 0) == 0) {
            all_fail(way, function, 4, "4 (HCCL_E_INTERNAL)");
        } else {
            all_fail(way, function, 207001, "207001 (MEMORY_ALLOCATION)");
        }
    }
}

}  // namespace

TEST(a_failure_to_come_up_is_told_to_all) {
    all_fail(ways().front(), {"aclrtMalloc", "aclrtMemset"});
}

TEST(a_failure_of_rank_0_to_make_the_root_info_is_told_to_all) {
    const Machine machine(way_of("hccl"), "HcclGetRootInfo=11");
    const TempFolder folder;
    run_ranks(3, [&](int rank) {
        AscendRank self(rank, 3, folder.file("root"), rank, kLong);
        CHECK_EQUAL(self.allocate(), rank == 0 ? COMM_VENDOR : COMM_ABORTED);
        CHECK_CONTAINS(comm_last_error(), "HcclGetRootInfo failed with 11 (HCCL_E_TCP_CONNECT)");
    });
}

TEST(a_failure_with_fabric_handles_is_told_to_all) {
    all_fail(way_of("fabric"), {"aclrtMemGetAllocationGranularity", "aclrtMallocPhysical", "aclrtReserveMemAddress",
                                "aclrtMapMem", "aclrtMemSetAccess", "aclrtMemExportToShareableHandleV2",
                                "aclrtMemImportFromShareableHandleV2", "aclrtGetLogicDevIdByUserDevId"});
}

TEST(a_failure_with_shareable_handles_is_told_to_all) {
    all_fail(way_of("handle"), {"aclrtMallocPhysical", "aclrtMapMem", "aclrtMemExportToShareableHandle",
                                "aclrtMemImportFromShareableHandle", "aclrtDeviceGetBareTgid"});
    if (vendor() == "vendor-8.1") all_fail(way_of("handle"), {"aclrtMemSetPidToShareableHandle"});
}

TEST(a_failure_with_keys_is_told_to_all) {
    all_fail(way_of("key"), {"aclrtIpcMemGetExportKey", "aclrtIpcMemSetImportPid", "aclrtIpcMemImportByKey"});
}

TEST(a_failure_with_hccls_buffers_is_told_to_all) {
    all_fail(way_of("hccl"),
             {"HcclCommInitRootInfo", "HcclGetCommName", "HcomGetL0TopoTypeEx", "HcclAllocComResourceByTiling"});
}

TEST(a_refused_peer_is_named_when_its_window_cannot_be_mapped) {
    const Way way = way_of("handle");
    if (way.name.empty()) return;
    const Machine machine(way, "aclrtDeviceEnablePeerAccess/dev1=500000");
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        AscendRank self(rank, 2, folder.file("root"), rank, kLong);
        CHECK_EQUAL(self.allocate(), rank == 1 ? 507899 : int{COMM_ABORTED});
        CHECK_CONTAINS(comm_last_error(), "the window of rank 0: device 1: aclrtMemImportFromShareableHandle");
        if (rank == 1)
            CHECK_CONTAINS(comm_last_error(), "(aclrtDeviceEnablePeerAccess of device 0 had failed with 500000");
    });
}

TEST(the_ways_that_were_tried_are_named_when_there_is_none_left) {
    const Machine machine(ways().front());
    const Setting nothing("RANKUNIT_ASCEND_WINDOWS", "carrier pigeons");
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        AscendRank self(rank, 2, folder.file("root"), rank, kLong);
        CHECK_EQUAL(self.allocate(), rank == 0 ? COMM_VENDOR : COMM_VENDOR);
        CHECK_CONTAINS(comm_last_error(),
                       "no way in which all ranks can map each other's windows: fabric handles: rank 0: ");
        CHECK_CONTAINS(comm_last_error(), "; HCCL's buffers: rank 0: RANKUNIT_ASCEND_WINDOWS names another way");
    });
}

TEST(a_buffer_of_hccl_that_is_too_small_is_told_with_its_variable) {
    const Machine machine(ways().front());
    const Setting way("RANKUNIT_ASCEND_WINDOWS", "hccl");
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        AscendRank self(rank, 2, folder.file("root"), rank, kLong);
        CHECK_EQUAL(self.allocate(2 << 20), COMM_OUT_OF_MEMORY);
        CHECK_CONTAINS(comm_last_error(), "which has 1048576: set HCCL_BUFFSIZE");
    });
}

TEST(a_barrier_that_fails_on_one_device_is_told_to_all) {
    const Machine machine(ways().front(), "aclrtSynchronizeStream/dev1=507018@2");
    const TempFolder folder;
    const auto start = std::chrono::steady_clock::now();
    run_ranks(3, [&](int rank) {
        AscendRank self(rank, 3, folder.file("root"), rank, kLong);
        self.up();
        self.barrier();
        CHECK_EQUAL(comm_barrier(self.comm()), rank == 1 ? 507018 : int{COMM_ABORTED});
        CHECK_CONTAINS(comm_last_error(), "before a barrier failed with 507018 (AICPU_EXCEPTION)");
    });
    CHECK(elapsed_ms(start) < kAtOnce);
}

TEST(a_kernel_that_hangs_ends_a_barrier_with_the_deadline_and_the_device_is_of_use_again) {
    if (vendor() == "vendor-9-bare") return;
    const Machine machine(ways().front());
    const TempFolder folder;
    const auto start = std::chrono::steady_clock::now();
    const Setting hang("RANKUNIT_EMULATOR_HANG", "aclrtLaunchKernelWithConfig");
    run_ranks(2, [&](int rank) {
        AscendRank self(rank, 2, folder.file("root"), rank, kLong);
        self.up();
        CHECK_EQUAL(comm_set_timeout(self.comm(), rank == 1 ? 500 : kLong), COMM_OK);
        if (rank == 1) {
            const KernelHandle kernel = self.device().kernel(TEST_KERNELS, "count_arguments");
            CHECK_EQUAL(device_launch(self.device().get(), kernel, nullptr, 0), DEVICE_OK);
        }
        CHECK_EQUAL(comm_barrier(self.comm()), rank == 1 ? COMM_TIMEOUT : COMM_ABORTED);
        CHECK_CONTAINS(comm_last_error(), "for what runs on its device before a barrier");
        self.destroy();
        CHECK_EQUAL(device_synchronize(self.device().get()), DEVICE_OK);
        self.device().allocate(8);
    });
    CHECK(elapsed_ms(start) < kAtOnce);
}

TEST(a_call_of_the_vendor_that_never_returns_is_left_behind) {
    const Machine machine(way_of("hccl"));
    const TempFolder folder;
    const auto start = std::chrono::steady_clock::now();
    const Trace trace;
    const Setting hang("RANKUNIT_EMULATOR_HANG", "HcclCommInitRootInfo/dev1");
    run_ranks(2, [&](int rank) {
        // The time of rank 1 includes that in which rank 0 starts, beside whatever this machine does.
        AscendRank self(rank, 2, folder.file("root"), rank, rank == 0 ? kLong : 3'000);
        CHECK_EQUAL(self.allocate(), rank == 1 ? COMM_TIMEOUT : COMM_ABORTED);
        CHECK_CONTAINS(comm_last_error(), "for HcclCommInitRootInfo; rank 1 had not returned from it");
    });
    CHECK(elapsed_ms(start) < kAtOnce);
    // the device is not taken away from under the call
    CHECK_EQUAL(trace.count("aclrtResetDevice(1)"), 0);
}

TEST(a_kernel_that_fails_before_a_barrier_is_told_to_all) {
    if (vendor() == "vendor-9-bare") return;
    const Machine machine(ways().front());
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        AscendRank self(rank, 2, folder.file("root"), rank, kLong);
        self.up();
        const uint64_t code = 1;
        if (rank == 1) {
            const KernelHandle kernel = self.device().kernel(TEST_KERNELS, "fail_with_first_argument");
            CHECK_EQUAL(device_launch(self.device().get(), kernel, &code, 1), DEVICE_OK);
        }
        CHECK_EQUAL(comm_barrier(self.comm()), rank == 1 ? 507015 : int{COMM_ABORTED});
        CHECK_CONTAINS(comm_last_error(), "507015 (AICORE_EXCEPTION)");
    });
}

TEST(a_kernel_that_fails_is_told_at_the_deadline_where_asking_does_not_tell) {
    if (vendor() == "vendor-9-bare") return;
    // says 0 and no more, as if the stream were never done
    const Machine machine(ways().front(), "aclrtStreamQuery=0");
    const TempFolder folder;
    run_ranks(1, [&](int rank) {
        AscendRank self(rank, 1, folder.file("root"), rank, 500);
        self.up();
        const uint64_t code = 1;
        const KernelHandle kernel = self.device().kernel(TEST_KERNELS, "fail_with_first_argument");
        CHECK_EQUAL(device_launch(self.device().get(), kernel, &code, 1), DEVICE_OK);
        CHECK_EQUAL(comm_barrier(self.comm()), 507015);
    });
}

TEST(the_death_of_a_rank_is_noticed_and_keeps_nobody) {
    for (const Way &way : ways()) {
        const Machine machine(way);
        const TempFolder folder;
        const auto start = std::chrono::steady_clock::now();
        Process dying([&] {
            AscendRank self(1, 2, folder.file("root"), 1, kLong);
            self.up();
            self.barrier();
            raise(SIGKILL);
        });
        run_ranks(1, [&](int) {
            AscendRank self(0, 2, folder.file("root"), 0, kLong);
            self.up();
            self.barrier();
            CHECK_EQUAL(comm_barrier(self.comm()), COMM_PEER_DIED);
        });
        CHECK(elapsed_ms(start) < kAtOnce);
    }
}

TEST(a_death_while_the_vendor_waits_is_noticed_too) {
    const Machine machine(way_of("hccl"));
    const TempFolder folder;
    const auto start = std::chrono::steady_clock::now();
    const Setting hang("RANKUNIT_EMULATOR_HANG", "HcclCommInitRootInfo/dev1");
    const Trace trace;
    Process dying([&] {
        AscendRank self(1, 2, folder.file("root"), 1, kLong);
        self.allocate();
    });
    Process living([&] {
        AscendRank self(0, 2, folder.file("root"), 0, kLong);
        CHECK_EQUAL(self.allocate(), COMM_PEER_DIED);
        CHECK_CONTAINS(comm_last_error(), "died while rank 0 waited for HcclCommInitRootInfo");
    });
    await("rank 1 to hang", [&] { return trace.count("HcclCommInitRootInfo(2, 1) hangs") == 1; });
    dying.kill();
    CHECK_EQUAL(living.wait(), 0);
    CHECK(elapsed_ms(start) < kAtOnce);
}

TEST(windows_that_not_all_can_map_are_given_back_before_the_next_way) {
    if (vendor() != "vendor-9") return;
    const Way way = way_of("fabric");
    const Machine machine(way, "aclrtMemImportFromShareableHandleV2/dev2=207000");
    // one that still maps the others' windows when they have given up theirs
    const Setting slow("RANKUNIT_EMULATOR_SLOW", "aclrtUnmapMem/dev0");
    const TempFolder folder;
    const Trace trace;
    run_ranks(3, [&](int rank) {
        AscendRank self(rank, 3, folder.file("root"), rank, kLong);
        self.up();
        self.barrier();
    });
    CHECK_EQUAL(trace.count("FREED"), 0);
    CHECK_EQUAL(trace.count("aclrtMemImportFromShareableHandle("), 6);
}

TEST(ranks_whose_devices_have_other_ways_take_one_that_all_have) {
    if (vendor() != "vendor-9") return;
    const Way way = way_of("fabric");
    const Machine machine(way,
                          "aclrtMemExportToShareableHandleV2/dev1=207000;aclrtMemExportToShareableHandle/dev0=207000");
    const TempFolder folder;
    const Trace trace;
    run_ranks(2, [&](int rank) {
        AscendRank self(rank, 2, folder.file("root"), rank, kLong);
        self.up();
        self.barrier();
    });
    CHECK_EQUAL(trace.count("aclrtIpcMemImportByKey"), 2);
    CHECK_EQUAL(trace.count("aclrtIpcMemClose"), 4);
    CHECK_EQUAL(trace.count("CLOSED"), 0);
}
