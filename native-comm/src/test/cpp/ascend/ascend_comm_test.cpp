// Communicators on the emulated machine: every way of sharing windows, up and down again.
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "ascend/ascend_ranks.h"

using namespace rankunit::test;

namespace {

// Every rank's window starts as zero, and is seen by all.
void exchange(AscendRank &self, int rank, int nranks) {
    const CommContext context = self.context();
    const auto ranks = static_cast<size_t>(nranks);
    const auto place = static_cast<size_t>(rank);
    CHECK_EQUAL(context.rankId, static_cast<uint32_t>(rank));
    CHECK_EQUAL(context.rankNum, static_cast<uint32_t>(nranks));
    const std::vector<uint64_t> fresh = self.device().read(context.windowsIn[rank], context.winSize / 8);
    CHECK(std::all_of(fresh.begin(), fresh.end(), [](uint64_t word) { return word == 0; }));
    self.device().write(context.windowsIn[rank], {1000 + place});
    self.barrier();
    for (size_t pe = 0; pe < ranks; pe++) {
        CHECK_EQUAL(self.device().read(context.windowsIn[pe], 1)[0], 1000 + pe);
        self.device().write(context.windowsIn[pe] + 8 * (1 + place), {100 * pe + place});
    }
    self.barrier();
    const std::vector<uint64_t> got = self.device().read(context.windowsIn[rank], 1 + ranks);
    for (size_t pe = 0; pe < ranks; pe++) CHECK_EQUAL(got[1 + pe], 100 * place + pe);
}

void up_and_down(int nranks) {
    for (const Way &way : ways()) {
        const Machine machine(way);
        const TempFolder folder;
        const Trace trace;
        std::printf("        %s, %d ranks\n", way.name.c_str(), nranks);
        run_ranks(nranks, [&](int rank) {
            AscendRank self(rank, nranks, folder.file("root"));
            self.up();
            exchange(self, rank, nranks);
        });
        CHECK_EQUAL(trace.count("FREED"), 0);
        CHECK_EQUAL(trace.count("CLOSED"), 0);
        CHECK_EQUAL(trace.count("LEFT"), 0);
        CHECK_EQUAL(trace.count("HcclBarrier"), 0);
        // a group of HCCL is for its buffers alone
        const int groups = trace.count("HcclAllocComResourceByTiling");
        CHECK_EQUAL(groups % nranks, 0);
        if (way.name.rfind("hccl", 0) != 0) CHECK_EQUAL(groups, 0);
        CHECK_EQUAL(trace.count("HcclCommInitRootInfo"), groups);
        CHECK_EQUAL(trace.count("HcclCommDestroy() = 0"), groups);
        CHECK_EQUAL(trace.count("aclrtResetDevice"), nranks);
        CHECK_EQUAL(trace.count("aclFinalize"), nranks);
    }
}

const Way &first_way() {
    static const Way way = ways().front();
    return way;
}

bool has_handles() {
    return vendor() != "vendor-9-bare";
}

}  // namespace

TEST(two_ranks_share_windows_in_every_way) {
    up_and_down(2);
}

TEST(four_ranks_share_windows_in_every_way) {
    up_and_down(4);
}

TEST(eight_ranks_share_windows_in_every_way) {
    up_and_down(8);
}

TEST(one_rank_has_a_window_of_its_own) {
    up_and_down(1);
}

TEST(the_size_is_rounded_up_to_what_the_device_has) {
    const Machine machine(first_way());
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        AscendRank self(rank, 2, folder.file("root"));
        self.up(4096);
        size_t bytes = 0;
        CHECK_EQUAL(comm_get_window_size(self.comm(), &bytes), COMM_OK);
        CHECK_EQUAL(bytes, size_t{has_handles() ? 2u : 1u} << 20);
        CHECK_EQUAL(self.context().winSize, bytes);
        self.barrier();
    });
}

TEST(ranks_may_see_the_devices_under_other_numbers) {
    for (const Way &way : ways()) {
        const Machine machine(way);
        const TempFolder folder;
        {
            const Setting visible("ASCEND_RT_VISIBLE_DEVICES", "2,3,7");
            run_ranks(3, [&](int rank) {
                AscendRank self(rank, 3, folder.file("all"));
                self.up();
                exchange(self, rank, 3);
            });
        }
        // each rank sees its own only; where access has to be enabled by id, only a key or a fabric can do without
        if (way.name == "handle" || way.name == "handle on A5") continue;
        run_ranks(2, [&](int rank) {
            const Setting visible("ASCEND_RT_VISIBLE_DEVICES", std::to_string(4 + rank));
            AscendRank self(rank, 2, folder.file("one"), 0);
            self.up();
            exchange(self, rank, 2);
        });
    }
}

TEST(what_is_made_is_given_back_in_order) {
    if (!has_handles()) return;
    const Machine machine(first_way());
    const TempFolder folder;
    const Trace trace;
    run_ranks(1, [&](int rank) {
        AscendRank self(rank, 1, folder.file("root"));
        self.up();
        self.barrier();
    });
    const std::string one_export =
        vendor() == "vendor-8.1" ? "aclrtMemExportToShareableHandle" : "aclrtMemExportToShareableHandleV2";
    trace.require_order({"aclrtMallocPhysical", "aclrtMapMem", "aclrtMemset", one_export, "aclrtFree", "aclrtUnmapMem",
                         "aclrtReleaseMemAddress", "aclrtFreePhysical", "aclrtDestroyStream", "aclrtResetDevice"});
}

TEST(views_are_given_up_before_a_window_is_freed) {
    if (!has_handles()) return;
    const Machine machine(first_way());
    const Setting slow("RANKUNIT_EMULATOR_SLOW", "aclrtUnmapMem/dev1");
    const TempFolder folder;
    const Trace trace;
    run_ranks(2, [&](int rank) {
        AscendRank self(rank, 2, folder.file("root"));
        self.up();
        self.barrier();
    });
    CHECK_EQUAL(trace.count("FREED"), 0);
    CHECK_EQUAL(trace.count("aclrtUnmapMem"), 4);
}

TEST(fabric_handles_need_no_access_between_devices) {
    if (first_way().name != "fabric") return;
    const Machine machine(first_way());
    const TempFolder folder;
    const Trace trace;
    run_ranks(2, [&](int rank) { AscendRank(rank, 2, folder.file("root")).up(); });
    CHECK_EQUAL(trace.count("aclrtDeviceEnablePeerAccess"), 0);
}

TEST(all_copies_reach_the_windows_of_peers) {
    for (const Way &way : ways()) {
        const Machine machine(way);
        const TempFolder folder;
        run_ranks(2, [&](int rank) {
            AscendRank self(rank, 2, folder.file("root"));
            self.up();
            const CommContext context = self.context();
            const uint64_t own = context.windowsIn[rank];
            const uint64_t peer = context.windowsIn[1 - rank];
            const DeviceHandle device = self.device().get();
            const uint64_t memory = self.device().allocate(16);
            self.device().write(memory, {50 + static_cast<uint64_t>(rank), 9});
            self.device().write(own + 64, {3, 3});
            self.barrier();
            CHECK_EQUAL(device_copy(device, peer, memory, 16), DEVICE_OK);
            CHECK_EQUAL(device_zero(device, peer + 64, 8), DEVICE_OK);
            self.barrier();
            CHECK_EQUAL(device_copy(device, memory, peer, 8), DEVICE_OK);
            CHECK_EQUAL(self.device().read(memory, 1)[0], 50u + static_cast<uint64_t>(rank));
            CHECK(self.device().read(own, 2) == (std::vector<uint64_t>{50 + 1 - static_cast<uint64_t>(rank), 9}));
            CHECK(self.device().read(own + 64, 2) == (std::vector<uint64_t>{0, 3}));
            self.barrier();
        });
    }
}

TEST(a_copy_that_is_larger_than_what_it_passes_through_is_whole) {
    if (!has_handles()) return;
    const Machine machine(first_way());
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        constexpr size_t kWords = (size_t{40} << 20) / sizeof(uint64_t);
        AscendRank self(rank, 2, folder.file("root"));
        self.up(kWords * sizeof(uint64_t));
        std::vector<uint64_t> words(kWords);
        for (size_t i = 0; i < kWords; i++) words[i] = i + static_cast<size_t>(rank);
        self.device().write(self.context().windowsIn[1 - rank], words);
        self.barrier();
        for (size_t i = 0; i < kWords; i++) words[i] = i + 1 - static_cast<size_t>(rank);
        CHECK(self.device().read(self.context().windowsIn[rank], kWords) == words);
        for (size_t i = 0; i < kWords; i++) words[i] = i + static_cast<size_t>(rank);
        CHECK(self.device().read(self.context().windowsIn[1 - rank], kWords) == words);
        self.barrier();
    });
}

TEST(kernels_find_their_peers_through_the_context) {
    if (!has_handles()) return;
    const Machine machine(first_way());
    const TempFolder folder;
    run_ranks(4, [&](int rank) {
        AscendRank self(rank, 4, folder.file("root"));
        self.up();
        self.device().write(self.context().windowsIn[rank], {10 + static_cast<uint64_t>(rank)});
        self.barrier();
        const uint64_t result = self.device().allocate(32);
        const std::vector<uint64_t> args{self.context_address(), result};
        const KernelHandle kernel = self.device().kernel(TEST_KERNELS, "gather_first_words");
        CHECK_EQUAL(device_launch(self.device().get(), kernel, args.data(), 2), DEVICE_OK);
        CHECK(self.device().read(result, 4) == (std::vector<uint64_t>{10, 11, 12, 13}));
        self.barrier();
    });
}

TEST(a_barrier_waits_for_what_was_launched_before) {
    if (!has_handles()) return;
    const Machine machine(first_way());
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        AscendRank self(rank, 2, folder.file("root"));
        self.up();
        const uint32_t ranks[] = {0, 1};
        uint64_t context = 0;
        uint64_t base = 0;
        CHECK_EQUAL(
            comm_alloc_domain_windows(self.comm(), 1, ranks, 2, static_cast<uint32_t>(rank), 64, &context, &base),
            COMM_OK);
        const auto write_to_peer = [&](const CommContext &windows, uint64_t value) {
            if (rank != 0) return;
            const std::vector<uint64_t> args{windows.windowsIn[1], value};
            const KernelHandle kernel = self.device().kernel(TEST_KERNELS, "write_late");
            CHECK_EQUAL(device_launch(self.device().get(), kernel, args.data(), 2), DEVICE_OK);
        };
        write_to_peer(self.context(), 7);
        self.barrier();
        if (rank == 1) CHECK_EQUAL(self.device().read(self.context().windowsIn[1], 1)[0], 7u);
        write_to_peer(self.context_at(context), 9);
        CHECK_EQUAL(comm_domain_barrier(self.comm(), 1), COMM_OK);
        if (rank == 1) CHECK_EQUAL(self.device().read(base, 1)[0], 9u);
        self.barrier();
    });
}

TEST(a_wait_for_a_long_kernel_leaves_nothing_on_the_stream) {
    if (!has_handles()) return;
    const Machine machine(first_way());
    const TempFolder folder;
    const Trace trace;
    run_ranks(1, [&](int rank) {
        AscendRank self(rank, 1, folder.file("root"));
        self.up();
        const std::vector<uint64_t> args{self.context().windowsIn[0], 7};
        const KernelHandle kernel = self.device().kernel(TEST_KERNELS, "write_late");
        for (int i = 0; i < 3; i++) CHECK_EQUAL(device_launch(self.device().get(), kernel, args.data(), 2), DEVICE_OK);
        self.barrier();
    });
    CHECK(trace.count("aclrtStreamQuery() = 0") > 1);
    CHECK_EQUAL(trace.count("aclrtSynchronizeStream() = 0"), 2);  // in the barrier, and at the end
    CHECK_EQUAL(trace.count("LEFT"), 0);
}

TEST(domains_have_windows_of_their_own) {
    if (!has_handles()) return;
    const Machine machine(first_way());
    const TempFolder folder;
    const Trace trace;
    run_ranks(4, [&](int rank) {
        AscendRank self(rank, 4, folder.file("root"));
        self.up();
        const std::vector<uint32_t> ranks = rank % 2 == 0 ? std::vector<uint32_t>{2, 0} : std::vector<uint32_t>{1, 3};
        const uint32_t place = ranks[0] == static_cast<uint32_t>(rank) ? 0 : 1;
        for (uint64_t round = 0; round < 2; round++) {
            uint64_t context = 0;
            uint64_t base = 0;
            CHECK_EQUAL(comm_alloc_domain_windows(self.comm(), 7, ranks.data(), 2, place, 64, &context, &base),
                        COMM_OK);
            CHECK_EQUAL(self.device().read(base, 1)[0], 0u);
            self.device().write(base, {round + ranks[place]});
            CHECK_EQUAL(comm_domain_barrier(self.comm(), 7), COMM_OK);
            const CommContext domain = self.context_at(context);
            CHECK_EQUAL(domain.rankId, place);
            CHECK_EQUAL(self.device().read(domain.windowsIn[1 - place], 1)[0], round + ranks[1 - place]);
            CHECK_EQUAL(comm_domain_barrier(self.comm(), 7), COMM_OK);
            CHECK_EQUAL(comm_release_domain_windows(self.comm(), 7, 2, place), COMM_OK);
        }
    });
    CHECK_EQUAL(trace.count("FREED"), 0);
}

TEST(several_communicators_live_side_by_side) {
    const Machine machine(first_way());
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        AscendRank first(rank, 2, folder.file("a"));
        AscendRank second(rank, 2, folder.file("b"));
        first.up();
        second.up();
        exchange(second, rank, 2);
        exchange(first, rank, 2);
        first.destroy();
        second.barrier();
    });
}

TEST(a_stream_that_was_made_otherwise_is_at_home_where_its_context_is_current) {
    const Machine machine(first_way());
    in_process([] {
        const TempFolder folder;
        void *library = vendor_library();
        const auto function = [&](const char *name) { return dlsym(library, name); };
        void *stream = nullptr;
        CHECK_EQUAL(reinterpret_cast<int (*)(const char *)>(function("aclInit"))(nullptr), 0);
        CHECK_EQUAL(reinterpret_cast<int (*)(int)>(function("aclrtSetDevice"))(5), 0);
        CHECK_EQUAL(reinterpret_cast<int (*)(void **)>(function("aclrtCreateStream"))(&stream), 0);
        const CommHandle comm = comm_init(0, 1, stream, folder.file("root").c_str());
        uint64_t context = 0;
        // on a thread that has no context of its own
        std::thread([&] {
            CHECK_EQUAL(comm_alloc_windows(comm, 64, &context), COMM_OK);
            CHECK_EQUAL(comm_barrier(comm), COMM_OK);
        }).join();
        CHECK_EQUAL(comm_destroy(comm), COMM_OK);
    });
}

TEST(a_thread_keeps_the_device_that_it_had_set) {
    const Machine machine(first_way());
    in_process([] {
        const TempFolder folder;
        AscendRank self(0, 1, folder.file("root"));
        void *library = vendor_library();
        const auto set = reinterpret_cast<int (*)(int)>(dlsym(library, "aclrtSetDevice"));
        const auto get = reinterpret_cast<int (*)(int *)>(dlsym(library, "aclrtGetDevice"));
        CHECK_EQUAL(set(3), 0);
        self.up();
        int device = -1;
        CHECK_EQUAL(get(&device), 0);
        CHECK_EQUAL(device, 3);
        self.barrier();
        CHECK_EQUAL(get(&device), 0);
        CHECK_EQUAL(device, 3);
    });
}

TEST(a_stream_of_a_device_is_needed) {
    in_process([] {
        const TempFolder folder;
        CHECK(comm_init(0, 1, nullptr, folder.file("root").c_str()) == nullptr);
        CHECK_CONTAINS(comm_last_error(), "stream is NULL");
        CHECK_CONTAINS(comm_last_error(), "device_stream");
    });
}
