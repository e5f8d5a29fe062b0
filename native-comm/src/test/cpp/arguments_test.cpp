// What is refused before anything is done.
#include <cstdint>

#include "harness/check.h"
#include "harness/ranks.h"

using namespace rankunit::test;

TEST(ranks_out_of_range_are_refused_with_value_and_range) {
    CHECK(comm_init(0, 0, nullptr, "/tmp/x") == nullptr);
    CHECK_EQUAL(std::string(comm_last_error()), "nranks = 0 is not in [1, 64]");
    CHECK(comm_init(0, 65, nullptr, "/tmp/x") == nullptr);
    CHECK_EQUAL(std::string(comm_last_error()), "nranks = 65 is not in [1, 64]");
    CHECK(comm_init(4, 4, nullptr, "/tmp/x") == nullptr);
    CHECK_EQUAL(std::string(comm_last_error()), "rank = 4 is not in [0, nranks = 4)");
    CHECK(comm_init(-1, 4, nullptr, "/tmp/x") == nullptr);
}

TEST(paths_that_can_never_work_are_refused) {
    CHECK(comm_init(0, 1, nullptr, nullptr) == nullptr);
    CHECK_CONTAINS(comm_last_error(), "rootinfo_path is NULL");
    CHECK(comm_init(0, 1, nullptr, "") == nullptr);
    CHECK_CONTAINS(comm_last_error(), "rootinfo_path is empty");
    CHECK(comm_init(0, 1, nullptr, "/no/such/folder/root") == nullptr);
    CHECK_CONTAINS(comm_last_error(), "/no/such/folder is not a folder");
}

TEST(null_handles_and_targets_are_refused) {
    uint64_t word = 0;
    size_t size = 0;
    CHECK_EQUAL(comm_alloc_windows(nullptr, 0, &word), COMM_INVALID_ARGUMENT);
    CHECK_EQUAL(comm_get_local_window_base(nullptr, &word), COMM_INVALID_ARGUMENT);
    CHECK_EQUAL(comm_get_window_size(nullptr, &size), COMM_INVALID_ARGUMENT);
    CHECK_EQUAL(comm_barrier(nullptr), COMM_INVALID_ARGUMENT);
    CHECK_EQUAL(comm_destroy(nullptr), COMM_INVALID_ARGUMENT);
    CHECK_EQUAL(comm_abort(nullptr, 0, ""), COMM_INVALID_ARGUMENT);
    CHECK_EQUAL(comm_aborted_by(nullptr), -1);

    const TempFolder folder;
    const Comm comm(0, 1, folder.file("root"));
    CHECK_EQUAL(comm_get_local_window_base(comm.handle(), nullptr), COMM_INVALID_ARGUMENT);
    CHECK_EQUAL(comm_get_window_size(comm.handle(), nullptr), COMM_INVALID_ARGUMENT);
    CHECK_EQUAL(comm_abort(comm.handle(), 1, ""), COMM_INVALID_ARGUMENT);
    CHECK_EQUAL(comm_set_timeout(comm.handle(), 0), COMM_INVALID_ARGUMENT);
    CHECK_EQUAL(comm_set_timeout(comm.handle(), INT64_MAX), COMM_INVALID_ARGUMENT);
}

TEST(calls_out_of_order_are_refused) {
    const TempFolder folder;
    CommHandle comm = comm_init(0, 1, nullptr, folder.file("root").c_str());
    uint64_t word = 0;
    CHECK_EQUAL(comm_barrier(comm), COMM_INVALID_STATE);
    CHECK_EQUAL(comm_get_local_window_base(comm, &word), COMM_INVALID_STATE);
    CHECK_EQUAL(comm_alloc_windows(comm, 1, &word), COMM_OK);
    CHECK_EQUAL(comm_alloc_windows(comm, 1, &word), COMM_INVALID_STATE);
    CHECK_EQUAL(comm_barrier(comm), COMM_OK);
    CHECK_EQUAL(comm_destroy(comm), COMM_OK);
}

TEST(windows_too_large_to_address_are_refused) {
    const TempFolder folder;
    CommHandle comm = comm_init(0, 1, nullptr, folder.file("root").c_str());
    uint64_t word = 0;
    CHECK_EQUAL(comm_alloc_windows(comm, SIZE_MAX, &word), COMM_INVALID_ARGUMENT);
    CHECK_CONTAINS(comm_last_error(), "win_size = 18446744073709551615");
    CHECK_EQUAL(comm_destroy(comm), COMM_OK);
}
