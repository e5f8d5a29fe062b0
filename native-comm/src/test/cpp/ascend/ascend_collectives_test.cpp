// The vendor's own collectives: what they compute, and how they end when something goes wrong.
#include <signal.h>

#include <cstring>
#include <thread>

#include "ascend/ascend_ranks.h"
#include "rankunit/coll.h"

using namespace rankunit::test;

namespace {

constexpr int64_t kLong = 60'000;
constexpr int64_t kAtOnce = 8'000;  // on a busy machine

// Memory of a rank for both buffers of its operations.
class CollectiveRank : public AscendRank {
public:
    CollectiveRank(int rank, int nranks, const TempFolder &folder, int64_t timeout_ms = 30'000)
        : AscendRank(rank, nranks, folder.file("root"), rank, timeout_ms),
          send_(device().allocate(1024)),
          recv_(device().allocate(1024)) {
        up();
    }

    int call(CollVendorOperation operation, uint64_t count, CollType type, CollReduction reduction = COLL_SUM,
             uint32_t peer_or_root = 0) {
        return coll_vendor_run(comm(), operation, send_, recv_, count, type, reduction, peer_or_root);
    }
    void run(CollVendorOperation operation, uint64_t count, CollType type, CollReduction reduction = COLL_SUM,
             uint32_t peer_or_root = 0) {
        if (call(operation, count, type, reduction, peer_or_root) != COMM_OK) throw CheckFailed(comm_last_error());
    }
    void give(const std::vector<uint64_t> &words) { device().write(send_, words); }
    std::vector<uint64_t> sent(size_t words) { return device().read(send_, words); }
    std::vector<uint64_t> got(size_t words) { return device().read(recv_, words); }
    uint64_t send() const { return send_; }
    uint64_t recv() const { return recv_; }

private:
    uint64_t send_;
    uint64_t recv_;
};

bool has_hccl() {
    return vendor() != "vendor-acl-rt";
}

uint64_t two_floats(float one, float other) {
    const float both[] = {one, other};
    uint64_t word = 0;
    std::memcpy(&word, both, sizeof(word));
    return word;
}

void is_refused(int status, int expected, const std::string &text) {
    CHECK_EQUAL(status, expected);
    CHECK_CONTAINS(comm_last_error(), text);
}

}  // namespace

TEST(all_ranks_have_the_reduction_of_all) {
    if (!has_hccl()) return;
    for (const Way &way : ways()) {
        const Machine machine(way);
        const TempFolder folder;
        run_ranks(3, [&](int rank) {
            CollectiveRank self(rank, 3, folder);
            const auto own = static_cast<uint64_t>(rank);
            self.give({own, 10 * own + 1});
            self.run(COLL_VENDOR_ALL_REDUCE, 2, COLL_INT64);
            CHECK(self.got(2) == (std::vector<uint64_t>{3, 33}));
            self.run(COLL_VENDOR_ALL_REDUCE, 2, COLL_INT64, COLL_MAX);
            CHECK(self.got(2) == (std::vector<uint64_t>{2, 21}));
            self.run(COLL_VENDOR_ALL_REDUCE, 2, COLL_INT64, COLL_MIN);
            CHECK(self.got(2) == (std::vector<uint64_t>{0, 1}));
            self.run(COLL_VENDOR_ALL_REDUCE, 2, COLL_INT64, COLL_PROD);
            CHECK(self.got(2) == (std::vector<uint64_t>{0, 231}));
            self.give({two_floats(0.5F, static_cast<float>(rank))});
            self.run(COLL_VENDOR_ALL_REDUCE, 2, COLL_FLOAT32);
            CHECK_EQUAL(self.got(1)[0], two_floats(1.5F, 3.0F));
        });
    }
}

TEST(each_type_has_the_number_of_the_vendor) {
    if (!has_hccl()) return;
    const Machine machine(ways().front());
    const TempFolder folder;
    const Trace trace;
    in_process([&] {
        CollectiveRank self(0, 1, folder);
        self.give({7});
        for (int type = COLL_FLOAT32; type < COLL_BYTES; type++) {
            self.run(COLL_VENDOR_ALL_GATHER, 1, static_cast<CollType>(type));
        }
    });
    std::vector<std::string> calls;
    for (const int number : {4, 3, 11, 10, 0, 1, 2, 5, 7, 8, 9, 6}) {
        calls.push_back("HcclAllGather(1, " + std::to_string(number) + ") = 0");
    }
    trace.require_order(calls);
}

TEST(all_ranks_have_what_each_gives_in_the_order_of_the_ranks) {
    if (!has_hccl()) return;
    const Machine machine(ways().front());
    const TempFolder folder;
    run_ranks(3, [&](int rank) {
        CollectiveRank self(rank, 3, folder);
        const auto own = static_cast<uint64_t>(rank);
        for (uint64_t round = 0; round < 20; round++) {
            self.give({100 * round + own, 7 * own});
            self.run(COLL_VENDOR_ALL_GATHER, 2, COLL_UINT64);
            CHECK(self.got(6) == (std::vector<uint64_t>{100 * round, 0, 100 * round + 1, 7, 100 * round + 2, 14}));
        }
    });
}

TEST(each_rank_has_its_part_of_the_reduction) {
    if (!has_hccl() || vendor() == "vendor-9-bare") return;
    const Machine machine(ways().front());
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        CollectiveRank self(rank, 2, folder);
        const auto own = static_cast<uint64_t>(rank);
        self.give({1 + own, 10 + own, 100 + own, 1000 + own});
        self.run(COLL_VENDOR_REDUCE_SCATTER, 2, COLL_INT64);
        CHECK(self.got(2) == (rank == 0 ? std::vector<uint64_t>{3, 21} : std::vector<uint64_t>{201, 2001}));
    });
}

TEST(all_ranks_have_what_the_root_has_in_their_windows_too) {
    if (!has_hccl()) return;
    for (const Way &way : ways()) {
        const Machine machine(way);
        const TempFolder folder;
        run_ranks(3, [&](int rank) {
            CollectiveRank self(rank, 3, folder);
            uint64_t window = 0;
            CHECK_EQUAL(comm_get_local_window_base(self.comm(), &window), COMM_OK);
            self.device().write(window, {static_cast<uint64_t>(rank) + 40});
            const int status =
                coll_vendor_run(self.comm(), COLL_VENDOR_BROADCAST, window, 0, 1, COLL_FLOAT64, COLL_SUM, 2);
            if (status != COMM_OK) throw CheckFailed(comm_last_error());
            CHECK_EQUAL(self.device().read(window, 1)[0], 42u);
            self.barrier();
        });
    }
}

TEST(two_ranks_send_and_receive_while_others_do_not) {
    if (!has_hccl()) return;
    const Machine machine(ways().front());
    const TempFolder folder;
    run_ranks(3, [&](int rank) {
        CollectiveRank self(rank, 3, folder);
        const CollVendorOperation first = rank == 0 ? COLL_VENDOR_SEND : COLL_VENDOR_RECV;
        is_refused(self.call(first, 1, COLL_INT32, COLL_SUM, rank == 0 ? 2 : 0), COMM_INVALID_STATE,
                   "is an operation of two ranks, and HCCL's communicator is made by the first one of all ranks");
        self.give({0});
        self.run(COLL_VENDOR_ALL_REDUCE, 1, COLL_INT32);
        for (uint64_t round = 1; round < 10 && rank != 1; round++) {
            const uint32_t peer = rank == 0 ? 2 : 0;
            const bool sends = (rank == 0) == (round % 2 == 0);
            if (sends) self.give({round, ~round});
            self.run(sends ? COLL_VENDOR_SEND : COLL_VENDOR_RECV, 2, COLL_UINT64, COLL_SUM, peer);
            if (!sends) CHECK(self.got(2) == (std::vector<uint64_t>{round, ~round}));
        }
        self.barrier();
    });
}

TEST(hccls_communicator_is_made_once_and_ends_with_the_ranks) {
    if (!has_hccl()) return;
    const Machine machine(ways().front());
    const Setting keeps("RANKUNIT_ASCEND_WINDOWS", vendor() == "vendor-9-bare" ? "hccl" : "handle");
    const TempFolder folder;
    const Trace trace;
    run_ranks(2, [&](int rank) {
        CollectiveRank self(rank, 2, folder);
        self.give({1});
        for (int round = 0; round < 3; round++) self.run(COLL_VENDOR_ALL_REDUCE, 1, COLL_INT32);
    });
    const int of_each = vendor() == "vendor-9-bare" ? 2 : 1;  // one of the windows' own
    CHECK_EQUAL(trace.count("HcclCommInitRootInfo"), 2 * of_each);
    CHECK_EQUAL(trace.count("HcclCommDestroy"), 2 * of_each);
    CHECK_EQUAL(trace.count("LEFT"), 0);
}

TEST(what_was_launched_before_is_done_first) {
    if (!has_hccl() || vendor() == "vendor-9-bare") return;
    const Machine machine(ways().front());
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        CollectiveRank self(rank, 2, folder);
        self.give({1});
        self.run(COLL_VENDOR_ALL_REDUCE, 1, COLL_INT32);
        const uint64_t code = 1;
        if (rank == 1) {
            const KernelHandle kernel = self.device().kernel(TEST_KERNELS, "fail_with_first_argument");
            CHECK_EQUAL(device_launch(self.device().get(), kernel, &code, 1), DEVICE_OK);
        }
        CHECK(self.call(COLL_VENDOR_ALL_REDUCE, 1, COLL_INT32) != COMM_OK);
        CHECK_EQUAL(comm_aborted_by(self.comm()), 1);
    });
}

TEST(arguments_that_hccl_does_not_have_are_refused_and_nothing_is_done) {
    if (!has_hccl()) return;
    const Machine machine(ways().front());
    const TempFolder folder;
    const Trace trace;
    run_ranks(2, [&](int rank) {
        CollectiveRank self(rank, 2, folder);
        is_refused(self.call(COLL_VENDOR_ALL_GATHER, 1, COLL_BYTES), COMM_INVALID_ARGUMENT,
                   "type = 12: HCCL has no bytes without a type, and the numbers of its FP8 types depend on the "
                   "version of CANN. COLL_UINT8 moves any bytes");
        is_refused(coll_vendor_run(self.comm(), 6, 0, 0, 1, 0, 0, 0), COMM_INVALID_ARGUMENT,
                   "operation = 6 is not in [0, 5]");
        is_refused(coll_vendor_run(self.comm(), 0, 0, 0, 1, 13, 0, 0), COMM_INVALID_ARGUMENT,
                   "type = 13 is not in [0, 12]");
        is_refused(coll_vendor_run(self.comm(), 0, 0, 0, 1, 0, 4, 0), COMM_INVALID_ARGUMENT,
                   "reduction = 4 is not in [0, 3]");
        is_refused(self.call(COLL_VENDOR_ALL_REDUCE, 0, COLL_INT8), COMM_INVALID_ARGUMENT, "count = 0, which is none");
        is_refused(self.call(COLL_VENDOR_ALL_GATHER, UINT64_MAX, COLL_INT8), COMM_INVALID_ARGUMENT, "more than");
        is_refused(self.call(COLL_VENDOR_BROADCAST, 1, COLL_INT8, COLL_SUM, 2), COMM_INVALID_ARGUMENT,
                   "peer_or_root = 2 is not a rank of these 2");
        is_refused(self.call(COLL_VENDOR_SEND, 1, COLL_INT8, COLL_SUM, static_cast<uint32_t>(rank)),
                   COMM_INVALID_ARGUMENT, "is not another rank of these 2");
        is_refused(self.call(COLL_VENDOR_ALL_REDUCE, 1 << 20, COLL_INT8), COMM_INVALID_ARGUMENT, "send: ");
        is_refused(self.call(COLL_VENDOR_ALL_GATHER, 1024, COLL_INT8), COMM_INVALID_ARGUMENT, "recv: ");
        const uint64_t other = self.context().windowsIn[1 - rank];
        is_refused(coll_vendor_run(self.comm(), COLL_VENDOR_ALL_REDUCE, other, self.recv(), 1, COLL_INT8, 0, 0),
                   COMM_INVALID_ARGUMENT, "send is not memory of this rank's device");
        self.barrier();
    });
    for (const char *function : {"HcclAllReduce", "HcclAllGather", "HcclBroadcast", "HcclSend"}) {
        CHECK_EQUAL(trace.count(function), 0);
    }
}

TEST(a_function_that_this_cann_lacks_is_named) {
    if (vendor() != "vendor-9-bare" && has_hccl()) return;
    const Machine machine(ways().front());
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        CollectiveRank self(rank, 2, folder);
        is_refused(self.call(COLL_VENDOR_REDUCE_SCATTER, 1, COLL_INT32), COMM_NOT_SUPPORTED,
                   has_hccl() ? "does not have HcclReduceScatter" : "libhccl.so of CANN, the vendor's toolkit, cannot");
        self.barrier();
    });
}

TEST(what_hccl_does_not_reduce_is_its_own_to_say) {
    if (!has_hccl()) return;
    const Machine machine(ways().front());
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        CollectiveRank self(rank, 2, folder, kLong);
        const int status = self.call(COLL_VENDOR_ALL_REDUCE, 2, COLL_UINT32, COLL_MAX);
        CHECK(status == COMM_VENDOR || status == COMM_ABORTED);
        CHECK_CONTAINS(comm_last_error(), "HcclAllReduce of 2 uint32, max failed with 5 (HCCL_E_NOT_SUPPORT)");
    });
}

TEST(ranks_that_want_different_things_are_told_so) {
    if (!has_hccl()) return;
    const Machine machine(ways().front());
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        CollectiveRank self(rank, 2, folder, kLong);
        const int status = rank == 0 ? self.call(COLL_VENDOR_ALL_REDUCE, 2, COLL_INT32, COLL_MAX)
                                     : self.call(COLL_VENDOR_BROADCAST, 2, COLL_INT32, COLL_SUM, 1);
        is_refused(status, COMM_MISMATCH,
                   "rank 0 wants HcclAllReduce of 2 int32, max, rank 1 wants HcclBroadcast of 2 int32, root 1");
    });
}

TEST(a_rank_that_does_not_come_is_named) {
    if (!has_hccl()) return;
    const Machine machine(ways().front());
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        CollectiveRank self(rank, 2, folder, rank == 0 ? 300 : kLong);
        if (rank == 0) {
            is_refused(self.call(COLL_VENDOR_ALL_REDUCE, 2, COLL_INT32), COMM_TIMEOUT,
                       "for all ranks to come to HcclAllReduce of 2 int32, sum; rank 1 had not");
        } else {
            await("rank 0 to give up", [&] { return comm_aborted_by(self.comm()) >= 0; });
        }
    });
}

TEST(a_failure_of_one_rank_is_told_to_the_others_which_leave_the_call_behind) {
    if (!has_hccl()) return;
    const Machine machine(ways().front(), "HcclAllReduce/dev1=4");
    const TempFolder folder;
    const auto start = std::chrono::steady_clock::now();
    run_ranks(3, [&](int rank) {
        CollectiveRank self(rank, 3, folder, kLong);
        is_refused(self.call(COLL_VENDOR_ALL_REDUCE, 2, COLL_INT32), rank == 1 ? COMM_VENDOR : COMM_ABORTED,
                   "HcclAllReduce of 2 int32, sum failed with 4 (HCCL_E_INTERNAL)");
        CHECK_EQUAL(comm_aborted_by(self.comm()), 1);
    });
    CHECK(elapsed_ms(start) < kAtOnce);
}

TEST(a_failure_to_make_hccls_communicator_is_told_to_all) {
    if (!has_hccl() || vendor() == "vendor-9-bare") return;
    const Machine machine(ways().front(), "HcclCommInitRootInfo/dev1=3");
    const TempFolder folder;
    const auto start = std::chrono::steady_clock::now();
    run_ranks(2, [&](int rank) {
        CollectiveRank self(rank, 2, folder, kLong);
        is_refused(self.call(COLL_VENDOR_ALL_REDUCE, 2, COLL_INT32), rank == 1 ? COMM_VENDOR : COMM_ABORTED,
                   "HcclCommInitRootInfo as rank 1 of 2 failed with 3 (HCCL_E_MEMORY)");
    });
    CHECK(elapsed_ms(start) < kAtOnce);
}

TEST(one_that_does_not_end_ends_with_the_deadline_and_the_device_is_of_use_again) {
    if (!has_hccl()) return;
    const Machine machine(ways().front());
    const Setting hang("RANKUNIT_EMULATOR_HANG", "HcclAllReduce/dev1");
    const TempFolder folder;
    const auto start = std::chrono::steady_clock::now();
    run_ranks(2, [&](int rank) {
        CollectiveRank self(rank, 2, folder, kLong);
        CHECK_EQUAL(comm_set_timeout(self.comm(), rank == 1 ? 700 : kLong), COMM_OK);
        is_refused(self.call(COLL_VENDOR_ALL_REDUCE, 2, COLL_INT32), rank == 1 ? COMM_TIMEOUT : COMM_ABORTED,
                   "for the end of HcclAllReduce of 2 int32, sum");
        self.destroy();
        CHECK_EQUAL(device_synchronize(self.device().get()), DEVICE_OK);
        self.device().allocate(8);
    });
    CHECK(elapsed_ms(start) < kAtOnce);
}

TEST(what_a_call_uses_that_was_left_behind_ends_with_the_process) {
    if (!has_hccl()) return;
    const Machine machine(ways().front(), "HcclAllReduce/dev1=4");
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        const Trace trace;
        {
            CollectiveRank self(rank, 2, folder, kLong);
            is_refused(self.call(COLL_VENDOR_ALL_REDUCE, 2, COLL_INT32), rank == 1 ? COMM_VENDOR : COMM_ABORTED,
                       "HcclAllReduce of 2 int32, sum failed with 4 (HCCL_E_INTERNAL)");
        }
        // Rank 0 waits in the call for rank 1 to connect, and so uses the stream and the buffers still.
        const int ends = rank == 1 ? 1 : 0;
        CHECK_EQUAL(trace.count("aclrtDestroyStream"), ends);
        CHECK_EQUAL(trace.count("aclrtResetDevice"), ends);
        CHECK_EQUAL(trace.count("aclrtFree("), 1 + 2 * ends);  // the communicator's context and the two buffers
    });
}

TEST(an_abort_ends_the_wait) {
    if (!has_hccl()) return;
    const Machine machine(ways().front());
    const Setting hang("RANKUNIT_EMULATOR_HANG", "HcclBroadcast");
    const TempFolder folder;
    const auto start = std::chrono::steady_clock::now();
    run_ranks(2, [&](int rank) {
        CollectiveRank self(rank, 2, folder, kLong);
        std::thread aborting([&] {
            if (rank == 0) return;
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            comm_abort(self.comm(), 1, "golden differs");
        });
        CHECK_EQUAL(self.call(COLL_VENDOR_BROADCAST, 2, COLL_INT32), COMM_ABORTED);
        CHECK_CONTAINS(comm_last_error(), "golden differs");
        aborting.join();
    });
    CHECK(elapsed_ms(start) < kAtOnce);
}

TEST(the_death_of_a_rank_meanwhile_is_noticed_and_keeps_nobody) {
    if (!has_hccl()) return;
    const Machine machine(ways().front());
    const Setting hang("RANKUNIT_EMULATOR_HANG", "HcclAllReduce/dev1");
    const TempFolder folder;
    const Trace trace;
    const auto start = std::chrono::steady_clock::now();
    Process dying([&] {
        CollectiveRank self(1, 2, folder, kLong);
        self.call(COLL_VENDOR_ALL_REDUCE, 2, COLL_INT32);
    });
    Process living([&] {
        CollectiveRank self(0, 2, folder, kLong);
        is_refused(self.call(COLL_VENDOR_ALL_REDUCE, 2, COLL_INT32), COMM_PEER_DIED, "died while rank 0 waited for");
    });
    await("both to be inside", [&] { return trace.count("HcclAllReduce(2, 2, 0) = 0") == 2; });
    dying.kill();
    CHECK_EQUAL(living.wait(), 0);
    CHECK(elapsed_ms(start) < kAtOnce);
}
