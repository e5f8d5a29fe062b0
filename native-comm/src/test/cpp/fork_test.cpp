// Handles in a process that was forked after they were made.
#include "harness/check.h"
#include "harness/ranks.h"
#include "rankunit/device.h"

using namespace rankunit::test;

namespace {

void require_refused(int status) {
    CHECK_EQUAL(status, COMM_INVALID_STATE);
    CHECK_CONTAINS(comm_last_error(), "this communicator belongs to process ");
    CHECK_CONTAINS(comm_last_error(), " was forked from it and has to make one of its own");
}

}  // namespace

TEST(a_forked_child_neither_enters_barriers_for_its_parent_nor_leaves_for_it) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        Comm comm(rank, 2, folder.file("root"));
        for (int round = 0; round < 3; round++) {
            if (rank == 0) {
                Process child([&] {
                    require_refused(comm_barrier(comm.handle()));
                    require_refused(comm_abort(comm.handle(), 0, "not mine"));
                    require_refused(comm_set_timeout(comm.handle(), 1));
                    require_refused(comm_destroy(comm.handle()));
                });
                CHECK_EQUAL(child.wait(), 0);
            }
            // Rank 1 would pass without rank 0 if the child's call had counted.
            comm.barrier();
            comm.window<int>(rank)[0] = round;
            comm.barrier();
            CHECK_EQUAL(comm.window<int>(1 - rank)[0], round);
        }
    });
}

TEST(a_forked_child_makes_communicators_and_devices_of_its_own) {
    const TempFolder folder;
    const Comm comm(0, 1, folder.file("root"));
    DeviceHandle device = nullptr;
    CHECK_EQUAL(device_open(0, &device), DEVICE_OK);
    Process child([&] {
        uint64_t address = 0;
        CHECK_EQUAL(device_malloc(device, 8, &address), DEVICE_INVALID_ARGUMENT);
        CHECK_CONTAINS(device_last_error(), "this device belongs to process ");
        CHECK_EQUAL(device_close(device), DEVICE_INVALID_ARGUMENT);
        Comm own(0, 1, folder.file("own"));
        own.barrier();
        CHECK_EQUAL(device_open(0, &device), DEVICE_OK);
        CHECK_EQUAL(device_malloc(device, 8, &address), DEVICE_OK);
        CHECK_EQUAL(device_close(device), DEVICE_OK);
    });
    CHECK_EQUAL(child.wait(), 0);
    CHECK_EQUAL(device_close(device), DEVICE_OK);
}
