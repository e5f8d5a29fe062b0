#ifndef RANKUNIT_BACKENDS_MPI_PROCESS_H
#define RANKUNIT_BACKENDS_MPI_PROCESS_H

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "backends/mpi/endings.h"
#include "backends/mpi/group.h"
#include "backends/mpi/machines.h"
#include "backends/mpi/meeting.h"
#include "backends/mpi/mpi_call.h"
#include "rankunit/comm.h"
#include "support/failure.h"

namespace rankunit::mpi {

// MPI as this process has it: started by the first communicator, unless the program has done so; ended with the process
// if it was started here. MPI is called by one thread at a time.
class Mpi {
public:
    // Never destroyed: threads may still be inside when the process ends, and a forked child is none of MPI's
    // processes.
    static Mpi &of_process();
    Mpi(const Mpi &) = delete;
    Mpi &operator=(const Mpi &) = delete;

    int rank() const { return rank_; }
    int size() const { return size_; }
    const Machines &machines() const { return *machines_; }
    bool any_thread_may_call() const { return any_thread_may_call_; }

    // Runs `body`, which calls MPI, while no other thread does.
    template <typename Body>
    auto call(Body body) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (ended_) throw Failure(COMM_INVALID_STATE, "MPI has ended in this process");
        return body();
    }

    std::unique_ptr<Meeting> open_meeting(int nranks, size_t window_bytes, const std::string &path,
                                          uint64_t *generation_out);
    void close_meeting(std::unique_ptr<Meeting> meeting);

    // All ranks are inside this call, with the same values. `oldest` is that of the rank with the smallest.
    Group *bring_up(uint64_t generation, uint64_t oldest, int nranks, size_t window_bytes);

private:
    Mpi();
    static void finalize();
    static int before_end(MPI_Comm comm, int key, void *mpi, void *extra);
    void say_that_it_ends();
    bool all_will_end();
    void end();

    const pid_t pid_;
    bool ours_ = false;
    bool ended_ = false;
    bool any_thread_may_call_ = false;
    bool abandoned_ = false;  // this process ends without having left a communicator
    int rank_ = 0;
    int size_ = 0;
    MPI_Comm comm_ = MPI_COMM_NULL;
    std::optional<Machines> machines_;
    std::optional<Endings> endings_;
    std::mutex mutex_;
    uint64_t generation_ = 0;
    std::list<std::unique_ptr<Group>> groups_;  // oldest first, the same in all ranks
    std::list<std::unique_ptr<Meeting>> meetings_;
};

}  // namespace rankunit::mpi

#endif  // RANKUNIT_BACKENDS_MPI_PROCESS_H
