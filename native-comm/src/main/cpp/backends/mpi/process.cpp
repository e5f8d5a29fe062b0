#include "backends/mpi/process.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "backends/mpi/one_machine.h"
#include "backends/mpi/pause.h"
#include "backends/mpi/several_machines.h"
#include "support/deadline.h"

namespace rankunit::mpi {
namespace {

constexpr milliseconds kForOthersToEnd{1'000};

}  // namespace

Mpi &Mpi::of_process() {
    static Mpi *mpi = new Mpi;
    return *mpi;
}

Mpi::Mpi() : pid_(getpid()) {
    int initialized = 0;
    int finalized = 0;
    int level = MPI_THREAD_SINGLE;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (finalized != 0) throw Failure(COMM_INVALID_STATE, "MPI has ended in this process");
    if (initialized != 0) {
        MPI_Query_thread(&level);
    } else {
        require(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level), "MPI_Init_thread");
        ours_ = true;
    }
    give_signals_back();
    any_thread_may_call_ = level >= MPI_THREAD_SERIALIZED;
    int is_main = 0;
    MPI_Is_thread_main(&is_main);
    if (!any_thread_may_call_ && is_main == 0) {
        throw Failure(COMM_INVALID_STATE,
                      "MPI was started for its main thread alone, and another one has called comm_init; the program "
                      "has to ask MPI_Init_thread for MPI_THREAD_SERIALIZED");
    }
    // Our messages and those of the program do not meet.
    require(MPI_Comm_dup(MPI_COMM_WORLD, &comm_), "MPI_Comm_dup");
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
    machines_.emplace(comm_);
    endings_.emplace(comm_);
    // MPI's way of telling that it is about to end, no matter what ends it.
    int key = MPI_KEYVAL_INVALID;
    require(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, before_end, &key, nullptr), "MPI_Comm_create_keyval");
    require(MPI_Comm_set_attr(MPI_COMM_SELF, key, this), "MPI_Comm_set_attr");
    if (ours_) std::atexit(finalize);
}

std::unique_ptr<Meeting> Mpi::open_meeting(int nranks, size_t window_bytes, const std::string &path,
                                           uint64_t *generation_out) {
    return call([&] {
        meetings_.remove_if([](const std::unique_ptr<Meeting> &old) { return old->is_over(); });
        *generation_out = ++generation_;
        Settings settings{window_bytes, *generation_out, ""};
        for (const std::unique_ptr<Group> &group : groups_) {
            if (group->in_use()) settings.oldest = std::min(settings.oldest, group->generation());
        }
        path.copy(settings.path, kMaxPath);
        return std::make_unique<Meeting>(comm_, rank_, nranks, *generation_out, settings);
    });
}

void Mpi::close_meeting(std::unique_ptr<Meeting> meeting) {
    call([&] {
        if (!meeting->is_over()) meetings_.push_back(std::move(meeting));
    });
}

Group *Mpi::bring_up(uint64_t generation, uint64_t oldest, int nranks, size_t window_bytes) {
    return call([&] {
        groups_.remove_if([&](const std::unique_ptr<Group> &group) { return group->generation() < oldest; });
        if (machines_->are_several()) {
            groups_.push_back(
                std::make_unique<SeveralMachines>(comm_, *machines_, generation, rank_, nranks, window_bytes));
        } else {
            groups_.push_back(std::make_unique<OneMachine>(comm_, generation, rank_, nranks, window_bytes));
        }
        return groups_.back().get();
    });
}

void Mpi::finalize() {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized != 0 || getpid() != of_process().pid_) return;
    if (of_process().all_will_end()) MPI_Finalize();
}

// All ranks are told before this rank waits for any, so that none of them waits for this one.
void Mpi::say_that_it_ends() {
    if (ended_) return;
    ended_ = true;
    for (const std::unique_ptr<Group> &group : groups_) {
        if (group->in_use()) {
            abandoned_ = true;
            group->end(Reason::of(
                COMM_PEER_DIED, rank_,
                name(rank_) + " (process " + std::to_string(pid_) + ") has ended without leaving the communicator"));
        }
    }
    endings_->say_ends();
}

// Whether the end of MPI will not wait for a process that goes on. One that ends with its work undone, as by exit() in
// the middle, does not wait for the others for long: what it ended with is seen only once it is gone.
bool Mpi::all_will_end() {
    const std::lock_guard<std::mutex> lock(mutex_);
    say_that_it_ends();
    const Deadline deadline(kForOthersToEnd);
    for (Pause pause;; pause.next()) {
        endings_->poll();
        if (!endings_->one_gives_up() && endings_->all_end()) return true;
        if (endings_->one_gives_up() || (abandoned_ && deadline.passed())) break;
    }
    endings_->say_gives_up();
    const Deadline last(kForLastMessages);
    for (Pause pause; !endings_->is_said() && !last.passed(); pause.next()) {
    }
    return false;
}

int Mpi::before_end(MPI_Comm, int, void *mpi, void *) {
    static_cast<Mpi *>(mpi)->end();
    return MPI_SUCCESS;
}

// Nothing is freed: threads may still look at what a group knows.
void Mpi::end() {
    const std::lock_guard<std::mutex> lock(mutex_);
    say_that_it_ends();
    for (const std::unique_ptr<Group> &group : groups_) group->settle();
    for (const std::unique_ptr<Meeting> &meeting : meetings_) meeting->give_up();
    for (Pause pause; !endings_->all_end() || !endings_->is_said(); pause.next()) endings_->poll();
}

}  // namespace rankunit::mpi
