// How ranks find each other, and what they have then.
#include <unistd.h>

#include "bootstrap/segment/bootstrap_layout.h"
#include "harness/check.h"
#include "harness/ranks.h"

using namespace rankunit::test;

TEST(every_number_of_ranks_comes_up_and_sees_every_window) {
    for (int nranks = 1; nranks <= 8; nranks++) {
        const TempFolder folder;
        run_ranks(nranks, [&](int rank) {
            Comm comm(rank, nranks, folder.file("root"), 8192);
            CHECK_EQUAL(comm.context().rankId, static_cast<uint32_t>(rank));
            CHECK_EQUAL(comm.context().rankNum, static_cast<uint32_t>(nranks));
            *comm.window<uint64_t>(rank) = 1000 + static_cast<uint64_t>(rank);
            comm.barrier();
            for (int pe = 0; pe < nranks; pe++) {
                CHECK_EQUAL(*comm.window<uint64_t>(pe), 1000 + static_cast<uint64_t>(pe));
                CHECK_EQUAL(comm.window<char>(pe)[8191], 0);
                comm.window<char>(pe)[100 + rank] = 'x';
            }
            comm.barrier();
            for (int pe = 0; pe < nranks; pe++) CHECK_EQUAL(comm.window<char>(rank)[100 + pe], 'x');
        });
        CHECK_EQUAL(folder.entries(), 0);
    }
}

TEST(all_64_ranks_come_up) {
    const TempFolder folder;
    run_ranks(64, [&](int rank) {
        Comm comm(rank, 64, folder.file("root"));
        comm.barrier();
    });
    CHECK_EQUAL(folder.entries(), 0);
}

TEST(the_context_has_window_addresses_and_nothing_else) {
    const TempFolder folder;
    const Comm comm(0, 1, folder.file("root"), 1);
    const CommContext &context = comm.context();
    uint64_t base = 0;
    size_t size = 0;
    CHECK_EQUAL(comm_get_local_window_base(comm.handle(), &base), COMM_OK);
    CHECK_EQUAL(comm_get_window_size(comm.handle(), &size), COMM_OK);
    CHECK_EQUAL(base, context.windowsIn[0]);
    CHECK_EQUAL(base, context.windowsOut[0]);
    CHECK_EQUAL(base % rankunit::bootstrap::kPageBytes, 0u);
    CHECK_EQUAL(size, 4096u);
    CHECK_EQUAL(context.winSize, 4096u);
    CHECK_EQUAL(context.workSpace, 0u);
    CHECK_EQUAL(context.windowsIn[1], 0u);
}

TEST(a_window_size_of_0_stands_for_200_MiB) {
    const TempFolder folder;
    const Comm comm(0, 1, folder.file("root"), 0);
    CHECK_EQUAL(comm.context().winSize, uint64_t{200} << 20);
}

TEST(ranks_may_come_in_any_order) {
    const TempFolder folder;
    Process follower([&] {
        Comm comm(1, 2, folder.file("root"));
        comm.barrier();
    });
    // It looks for the file and sleeps in between.
    await("the follower to wait", [&] { return is_asleep(follower.pid()); });
    Comm comm(0, 2, folder.file("root"));
    comm.barrier();
    CHECK_EQUAL(follower.wait(), 0);
}

TEST(nothing_is_left_after_many_communicators) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        const auto once = [&] {
            Comm comm(rank, 2, folder.file("root"));
            comm.barrier();
        };
        once();
        const int before = open_descriptors();
        for (int i = 0; i < 50; i++) once();
        CHECK_EQUAL(open_descriptors(), before);
    });
    CHECK_EQUAL(folder.entries(), 0);
}

TEST(new_windows_are_zero_also_where_old_ones_were_written) {
    const TempFolder folder;
    for (int round = 0; round < 3; round++) {
        const Comm comm(0, 1, folder.file("root"), 1 << 20);
        auto *window = comm.window<unsigned char>(0);
        for (int i = 0; i < 1 << 20; i++) {
            CHECK_EQUAL(int{window[i]}, 0);
            window[i] = 0xff;
        }
    }
}
