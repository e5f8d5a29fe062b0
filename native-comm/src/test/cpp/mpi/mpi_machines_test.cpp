// The backend over MPI, with ranks that MPI takes to be on two machines, 2i and 2i + 1 on different ones: on each
// machine they share their windows, and of the others they have copies.
#include <signal.h>
#include <sys/wait.h>

#include <atomic>
#include <thread>

#include "mpi/mpi_ranks.h"

using namespace rankunit::test;
using std::chrono::steady_clock;

namespace {

constexpr size_t kWindow = size_t{3} << 20;
constexpr size_t kWords = kWindow / sizeof(uint64_t);

bool is_near(int other) {
    return other % 2 == rank() % 2;
}

uint64_t word(int of_rank, uint64_t round, size_t i) {
    return (static_cast<uint64_t>(of_rank) << 56) + (round << 32) + i;
}

}  // namespace

TEST(windows_of_other_machines_are_as_they_were_in_the_last_barrier) {
    Comm comm(rank(), nranks(), kPath, kWindow);
    for (uint64_t round = 1; round <= 20; round++) {
        for (size_t i = 0; i < kWords; i++) comm.window<uint64_t>(rank())[i] = word(rank(), round, i);
        comm.barrier();
        for (int pe = 0; pe < nranks(); pe++) {
            const uint64_t *window = comm.window<uint64_t>(pe);
            for (size_t i = 0; i < kWords; i++) CHECK_EQUAL(window[i], word(pe, round, i));
        }
        comm.barrier();
    }
}

// Ranks of another machine still read what they got when this one writes for the next round.
TEST(copies_do_not_change_between_barriers) {
    const Counter written;
    Comm comm(rank(), nranks(), kPath, kWindow);
    auto *own = comm.window<uint64_t>(rank());
    own[0] = own[kWords - 1] = 1;
    comm.barrier();
    own[0] = own[kWords - 1] = 2;
    (*written).fetch_add(1);
    await("all ranks to write again", [&] { return (*written).load() == nranks(); });
    for (int pe = 0; pe < nranks(); pe++) {
        const uint64_t expected = is_near(pe) ? 2 : 1;
        CHECK_EQUAL(comm.window<uint64_t>(pe)[0], expected);
        CHECK_EQUAL(comm.window<uint64_t>(pe)[kWords - 1], expected);
    }
    comm.barrier();
    for (int pe = 0; pe < nranks(); pe++) CHECK_EQUAL(comm.window<uint64_t>(pe)[kWords - 1], 2u);
}

TEST(what_ranks_of_a_machine_write_to_each_other_reaches_the_other_machine) {
    Comm comm(rank(), nranks(), kPath);
    for (int pe = 0; pe < nranks(); pe++) {
        if (is_near(pe)) comm.window<int>(pe)[rank()] = 100 + rank();
    }
    comm.barrier();
    for (int pe = 0; pe < nranks(); pe++) {
        for (int writer = 0; writer < nranks(); writer++) {
            CHECK_EQUAL(comm.window<int>(pe)[writer], writer % 2 == pe % 2 ? 100 + writer : 0);
        }
    }
    comm.barrier();
}

TEST(a_write_to_a_window_of_another_machine_ends_the_process) {
    Comm comm(rank(), nranks(), kPath);
    const int far = 1 - rank() % 2;
    Process writer([&] {
        signal(SIGSEGV, SIG_DFL);  // Open MPI has its own answer
        *comm.window<volatile char>(far) = 'x';
    });
    const int status = writer.wait();
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    comm.barrier();
    CHECK_EQUAL(int{*comm.window<char>(far)}, 0);
}

TEST(an_abort_by_another_thread_wakes_those_who_wait) {
    const Counter waiting;
    Comm comm(rank(), nranks(), kPath);
    std::thread aborting;
    if (rank() == 0) {
        aborting = std::thread([&] {
            await("all ranks to wait", [&] { return (*waiting).load() == nranks() - 1; });
            comm_abort(comm.handle(), 0, "golden differs");
        });
    }
    int status = COMM_OK;
    if (rank() == last() && last() > 0) {
        // It is in no barrier, and hears of the abort when it asks.
        (*waiting).fetch_add(1);
        await("the abort", [&] { return comm_aborted_by(comm.handle()) == 0; });
        status = comm_barrier(comm.handle());
    } else {
        if (rank() != 0) (*waiting).fetch_add(1);
        status = comm_barrier(comm.handle());
    }
    const std::string text = comm_last_error();
    if (aborting.joinable()) aborting.join();
    CHECK_EQUAL(status, COMM_ABORTED);
    CHECK_EQUAL(text, "aborted because of rank 0: golden differs");
}

// Each round gives a barrier up in another way, in which some may have begun to transfer and others not. That MPI ends
// all the same is seen when this program does, and that windows are freed when the next communicator comes up.
TEST(barriers_that_are_given_up_do_not_disturb_what_follows) {
    for (int round = 0; round < 20; round++) {
        Comm comm(rank(), nranks(), kPath, kWindow);
        std::thread aborting;
        if (rank() == round % nranks()) {
            aborting = std::thread([&] {
                const auto start = steady_clock::now();
                while (steady_clock::now() - start < std::chrono::microseconds(50 * round)) {
                }
                comm_abort(comm.handle(), rank(), "enough");
            });
        }
        int status = COMM_OK;
        while (status == COMM_OK) status = comm_barrier(comm.handle());
        if (aborting.joinable()) aborting.join();
        CHECK_EQUAL(status, COMM_ABORTED);
    }
    Comm comm(rank(), nranks(), kPath);
    comm.barrier();
}

TEST(a_deadline_that_passes_names_those_who_have_not_arrived) {
    Comm comm(rank(), nranks(), kPath);
    if (rank() == 0) {
        CHECK_EQUAL(comm_set_timeout(comm.handle(), 150), COMM_OK);
        CHECK_EQUAL(comm_barrier(comm.handle()), COMM_TIMEOUT);
        std::string others = nranks() > 2 ? "ranks 1" : "rank 1";
        for (int pe = 2; pe < nranks(); pe++) others += ", " + std::to_string(pe);
        CHECK_CONTAINS(comm_last_error(), " ms in barrier #1; " + others + " had not arrived");
    } else {
        await("the deadline of rank 0", [&] { return comm_aborted_by(comm.handle()) == 1; });
    }
}

TEST(ranks_say_which_of_them_share_a_machine) {
    const Handle comm;
    char text[256] = "";
    CHECK_EQUAL(comm_describe(comm, text, sizeof(text)), COMM_OK);
    std::string near = std::to_string(rank() % 2);
    for (int pe = rank() % 2 + 2; pe < nranks(); pe += 2) near += ", " + std::to_string(pe);
    CHECK_CONTAINS(text, "this one has ranks " + near + ", ");
    CHECK_EQUAL(bring_up(comm), COMM_OK);
}
