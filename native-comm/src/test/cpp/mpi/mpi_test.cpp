// The backend over MPI: what holds for ranks on one machine and on several.
#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <string>

#include "mpi/mpi_ranks.h"

using namespace rankunit::test;
using std::chrono::steady_clock;

namespace {

int shared_mappings() {
    std::ifstream maps("/proc/self/maps");
    std::string line;
    int count = 0;
    while (std::getline(maps, line)) {
        if (line.find(" rw-s ") != std::string::npos) count++;
    }
    return count;
}

}  // namespace

TEST(a_world_of_another_size_or_rank_is_named_with_both_values) {
    CHECK(comm_init(rank(), nranks() + 1, nullptr, kPath.c_str()) == nullptr);
    const std::string world = std::to_string(nranks()) + (nranks() == 1 ? " process" : " processes");
    const std::string told = std::to_string(nranks() + 1);
    CHECK_EQUAL(std::string(comm_last_error()),
                "MPI's world has " + world + ", comm_init was told " + told + ": start the ranks by mpirun -n " + told);
    if (nranks() == 1) return;
    const int other = (rank() + 1) % nranks();
    CHECK(comm_init(other, nranks(), nullptr, kPath.c_str()) == nullptr);
    CHECK_EQUAL(std::string(comm_last_error()), "this process is rank " + std::to_string(rank()) +
                                                    " of MPI's world, comm_init was told rank " +
                                                    std::to_string(other));
}

// A JVM has its own answers, and installs them before.
TEST(ucx_leaves_signals_to_the_program) {
    const Handle comm;
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
        struct sigaction action{};
        CHECK_EQUAL(sigaction(number, nullptr, &action), 0);
        Dl_info handler{};
        if (action.sa_handler == SIG_DFL || dladdr(reinterpret_cast<void *>(action.sa_handler), &handler) == 0)
            continue;
        CHECK(std::string(handler.dli_fname).find("libucs") == std::string::npos);
    }
}

TEST(what_can_never_work_is_refused) {
    CHECK(comm_init(0, 65, nullptr, kPath.c_str()) == nullptr);
    CHECK_EQUAL(std::string(comm_last_error()), "nranks = 65 is not in [1, 64]");
    CHECK(comm_init(4, 4, nullptr, kPath.c_str()) == nullptr);
    CHECK_EQUAL(std::string(comm_last_error()), "rank = 4 is not in [0, nranks = 4)");
    CHECK(comm_init(rank(), nranks(), nullptr, nullptr) == nullptr);
    CHECK(comm_init(rank(), nranks(), nullptr, "/no/such/folder/root") == nullptr);
    CHECK_CONTAINS(comm_last_error(), "/no/such/folder is not a folder");
    CHECK_EQUAL(comm_barrier(nullptr), COMM_INVALID_ARGUMENT);
    CHECK_EQUAL(comm_destroy(nullptr), COMM_INVALID_ARGUMENT);
    CHECK_EQUAL(comm_aborted_by(nullptr), -1);
    CHECK_EQUAL(comm_abi_version(), COMM_ABI_VERSION);
    const Handle comm;
    uint64_t word = 0;
    CHECK_EQUAL(comm_barrier(comm), COMM_INVALID_STATE);
    CHECK_EQUAL(comm_get_local_window_base(comm, &word), COMM_INVALID_STATE);
    CHECK_EQUAL(comm_alloc_windows(comm, 1, nullptr), COMM_INVALID_ARGUMENT);
    CHECK_EQUAL(comm_alloc_windows(comm, SIZE_MAX, &word), COMM_INVALID_ARGUMENT);
    CHECK_CONTAINS(comm_last_error(), "win_size = 18446744073709551615");
    CHECK_EQUAL(comm_set_timeout(comm, 0), COMM_INVALID_ARGUMENT);
    CHECK_EQUAL(comm_abort(comm, nranks(), ""), COMM_INVALID_ARGUMENT);
}

TEST(ranks_come_up_and_see_every_window) {
    Comm comm(rank(), nranks(), kPath, 8000);
    const CommContext &context = comm.context();
    CHECK_EQUAL(context.rankId, static_cast<uint32_t>(rank()));
    CHECK_EQUAL(context.rankNum, static_cast<uint32_t>(nranks()));
    CHECK_EQUAL(context.winSize, 8192u);
    uint64_t base = 0;
    size_t size = 0;
    CHECK_EQUAL(comm_get_local_window_base(comm.handle(), &base), COMM_OK);
    CHECK_EQUAL(comm_get_window_size(comm.handle(), &size), COMM_OK);
    CHECK_EQUAL(base, context.windowsIn[rank()]);
    CHECK_EQUAL(size, 8192u);
    for (int pe = 0; pe < nranks(); pe++) {
        CHECK_EQUAL(context.windowsIn[pe] % 4096, 0u);
        CHECK_EQUAL(context.windowsOut[pe], context.windowsIn[pe]);
    }
    for (size_t i = 0; i < size; i++) CHECK_EQUAL(int{comm.window<char>(rank())[i]}, 0);
    comm.barrier();
    *comm.window<uint64_t>(rank()) = 1000 + static_cast<uint64_t>(rank());
    comm.window<char>(rank())[8191] = 'e';
    comm.barrier();
    for (int pe = 0; pe < nranks(); pe++) {
        CHECK_EQUAL(*comm.window<uint64_t>(pe), 1000 + static_cast<uint64_t>(pe));
        CHECK_EQUAL(comm.window<char>(pe)[8191], 'e');
    }
    CHECK_EQUAL(bring_up(comm.handle()), COMM_INVALID_STATE);
}

TEST(ranks_that_are_told_to_join_do) {
    CommHandle comm = comm_init(rank(), nranks(), nullptr, COMM_ROOTINFO_BY_JOIN);
    CHECK(comm != nullptr);
    char text[COMM_MAX_ROOT_INFO] = "rankunit-mpi";
    if (rank() == 0) {
        CHECK_EQUAL(comm_root_info(comm, text, 3), COMM_INVALID_ARGUMENT);
        CHECK_EQUAL(comm_root_info(comm, text, sizeof(text)), COMM_OK);
        CHECK_EQUAL(comm_join(comm, text), COMM_INVALID_STATE);
    } else {
        CHECK_EQUAL(comm_root_info(comm, text, sizeof(text)), COMM_INVALID_STATE);
        CHECK_EQUAL(comm_join(comm, "another backend"), COMM_MISMATCH);
        CHECK_EQUAL(comm_join(comm, text), COMM_OK);
    }
    CHECK_EQUAL(bring_up(comm), COMM_OK);
    CHECK_EQUAL(comm_barrier(comm), COMM_OK);
    CHECK_EQUAL(comm_destroy(comm), COMM_OK);
}

TEST(a_thousand_barriers_keep_step) {
    Comm comm(rank(), nranks(), kPath);
    auto *own = comm.window<std::atomic<uint64_t>>(rank());
    for (uint64_t round = 1; round <= 1000; round++) {
        own->store(round, std::memory_order_relaxed);
        comm.barrier();
        for (int pe = 0; pe < nranks(); pe++) {
            const uint64_t count = comm.window<std::atomic<uint64_t>>(pe)->load(std::memory_order_relaxed);
            CHECK(count == round || count == round + 1);
        }
    }
    comm.barrier();
}

TEST(different_window_sizes_are_named_on_every_rank) {
    if (nranks() == 1) return;
    const Handle comm;
    CHECK_EQUAL(bring_up(comm, rank() == last() ? 8192 : 4096), COMM_MISMATCH);
    CHECK_EQUAL(std::string(comm_last_error()), "rank " + std::to_string(last()) +
                                                    " was started with a window size (in whole pages) = 8192, rank 0 "
                                                    "with a window size (in whole pages) = 4096");
    CHECK_EQUAL(comm_aborted_by(comm), last());
    CHECK_EQUAL(comm_barrier(comm), COMM_MISMATCH);
}

TEST(different_paths_are_named_on_every_rank) {
    if (nranks() == 1) return;
    const std::string own = kPath + (rank() == 0 ? "" : "-of-another");
    CommHandle comm = comm_init(rank(), nranks(), nullptr, own.c_str());
    const int status = bring_up(comm);
    const std::string text = comm_last_error();
    CHECK_EQUAL(comm_destroy(comm), COMM_OK);
    CHECK_EQUAL(status, COMM_MISMATCH);
    CHECK_EQUAL(
        text, "rank 1 was started with rootinfo_path = " + kPath + "-of-another, rank 0 with rootinfo_path = " + kPath);
}

TEST(windows_that_find_no_room_are_refused_on_every_rank) {
    const Handle comm;
    CHECK_EQUAL(bring_up(comm, size_t{1} << 43), COMM_OUT_OF_MEMORY);
    CHECK_CONTAINS(comm_last_error(), "the windows of ");
    CHECK_CONTAINS(comm_last_error(), " bytes of shared memory, and /dev/shm");
}

TEST(an_abort_wakes_those_who_wait) {
    if (nranks() == 1) return;
    const Counter waiting;
    Comm comm(rank(), nranks(), kPath);
    const auto start = steady_clock::now();
    if (rank() == last()) {
        await("the others to wait", [&] { return (*waiting).load() == last(); });
        CHECK_EQUAL(comm_aborted_by(comm.handle()), -1);
        CHECK_EQUAL(comm_abort(comm.handle(), last(), "golden differs"), COMM_OK);
        CHECK_EQUAL(comm_abort(comm.handle(), last(), "something else"), COMM_OK);
    } else {
        (*waiting).fetch_add(1);
    }
    CHECK_EQUAL(comm_barrier(comm.handle()), COMM_ABORTED);
    CHECK_EQUAL(std::string(comm_last_error()),
                "aborted because of rank " + std::to_string(last()) + ": golden differs");
    CHECK_EQUAL(comm_aborted_by(comm.handle()), last());
    CHECK(elapsed_ms(start) < 10'000);
    uint64_t base = 0;
    CHECK_EQUAL(comm_get_local_window_base(comm.handle(), &base), COMM_ABORTED);
}

TEST(an_abort_before_there_are_windows_ends_the_bring_up_of_all) {
    if (nranks() == 1) return;
    const Handle comm;
    if (rank() == last()) CHECK_EQUAL(comm_abort(comm, last(), "no device"), COMM_OK);
    CHECK_EQUAL(bring_up(comm), COMM_ABORTED);
    CHECK_EQUAL(std::string(comm_last_error()), "aborted because of rank " + std::to_string(last()) + ": no device");
    CHECK_EQUAL(comm_aborted_by(comm), last());
}

TEST(a_barrier_ends_at_its_deadline_and_names_who_is_missing) {
    if (nranks() == 1) return;
    Comm comm(rank(), nranks(), kPath);
    if (rank() == last()) {
        await("the deadline of the others", [&] { return comm_aborted_by(comm.handle()) != -1; });
        CHECK_EQUAL(comm_barrier(comm.handle()), COMM_ABORTED);
    } else {
        // One rank's deadline passes; for the others that is an abort.
        CHECK_EQUAL(comm_set_timeout(comm.handle(), rank() == 0 ? 150 : 20'000), COMM_OK);
        CHECK_EQUAL(comm_barrier(comm.handle()), rank() == 0 ? COMM_TIMEOUT : COMM_ABORTED);
    }
    CHECK_CONTAINS(comm_last_error(), "rank 0 waited ");
    CHECK_CONTAINS(comm_last_error(), " ms in barrier #1; rank " + std::to_string(last()) + " had not arrived");
    CHECK_EQUAL(comm_aborted_by(comm.handle()), last());
}

TEST(a_bring_up_ends_at_its_deadline_also_for_who_comes_late) {
    if (nranks() == 1) return;
    {
        const Handle comm;
        if (rank() == last()) usleep(400'000);
        CHECK_EQUAL(comm_set_timeout(comm, rank() == 0 ? 150 : 20'000), COMM_OK);
        const auto start = steady_clock::now();
        CHECK_EQUAL(bring_up(comm), rank() == 0 ? COMM_TIMEOUT : COMM_ABORTED);
        CHECK(elapsed_ms(start) < 10'000);
        CHECK_CONTAINS(comm_last_error(), "rank 0 waited ");
        CHECK_CONTAINS(comm_last_error(),
                       " ms for all ranks to ask for windows; rank " + std::to_string(last()) + " had not done so");
    }
    Comm next(rank(), nranks(), kPath);
    next.barrier();
}

TEST(a_rank_that_leaves_is_named_to_those_who_wait_for_it) {
    if (nranks() == 1) return;
    Comm comm(rank(), nranks(), kPath);
    comm.barrier();
    if (rank() == last()) return;
    CHECK_EQUAL(comm_barrier(comm.handle()), COMM_PEER_LEFT);
    CHECK_CONTAINS(comm_last_error(), "rank " + std::to_string(last()) + " has left the communicator while rank ");
    CHECK_CONTAINS(comm_last_error(), " waited in barrier #2");
    CHECK_EQUAL(comm_aborted_by(comm.handle()), last());
}

TEST(two_communicators_at_a_time_do_not_meet) {
    Comm one(rank(), nranks(), kPath);
    Comm two(rank(), nranks(), kPath + "-two");
    CHECK(one.window<char>(0) != two.window<char>(0));
    one.barrier();
    two.barrier();
    CHECK_EQUAL(comm_abort(one.handle(), 0, "over"), COMM_OK);
    two.barrier();
    CHECK_EQUAL(comm_barrier(one.handle()), COMM_ABORTED);
    two.barrier();
}

TEST(the_windows_of_communicators_that_are_gone_are_given_back) {
    const auto once = [] {
        Comm comm(rank(), nranks(), kPath, 1 << 20);
        comm.barrier();
        auto *window = comm.window<unsigned char>(rank());
        for (int i = 0; i < 1 << 20; i++) {
            CHECK_EQUAL(int{window[i]}, 0);
            window[i] = 0xff;
        }
    };
    for (int i = 0; i < 3; i++) once();
    const int before = shared_mappings();
    for (int i = 0; i < 8; i++) once();
    CHECK(shared_mappings() <= before);
}
