#ifndef RANKUNIT_BACKENDS_MPI_GROUP_H
#define RANKUNIT_BACKENDS_MPI_GROUP_H

#include <cstddef>
#include <cstdint>

#include "backends/mpi/reason.h"

namespace rankunit::mpi {

// How far the barrier that a rank has entered last has come.
struct Progress {
    bool completed;   // MPI has nothing more to do
    bool aborted;     // see Group::reason
    RankSet gone;     // have left without entering it
    RankSet missing;  // are waited for. Empty only if everything that was written before is there
};

// Ranks that have come up together, with their windows and what they know of each other. Outlives the communicator: it
// takes all ranks to free it, which are all inside the constructor and the destructor.
//
// `abort`, `aborted` and `reason` may be called by any thread at any time. All other calls are made under the lock of
// Mpi.
class Group {
public:
    Group(uint64_t generation, int rank, int nranks, size_t window_bytes)
        : rank_(rank), nranks_(nranks), window_bytes_(window_bytes), generation_(generation) {}
    Group(const Group &) = delete;
    Group &operator=(const Group &) = delete;
    virtual ~Group() = default;

    uint64_t generation() const { return generation_; }
    bool in_use() const { return in_use_; }
    size_t window_bytes() const { return window_bytes_; }
    virtual uint64_t window(int rank) const = 0;

    // Enters the next barrier, unless the group is aborted, and returns its number. The first one has number 1.
    virtual uint64_t enter() = 0;
    virtual Progress look() = 0;

    virtual bool aborted() = 0;
    // Of a group that is aborted.
    virtual const Reason &reason() const = 0;
    // The first one wins.
    virtual void abort(const Reason &reason) = 0;

    void leave() {
        in_use_ = false;
        say_left();
    }
    // The process ends, without having left.
    void end(const Reason &reason) {
        in_use_ = false;
        say_ended(reason);
    }
    // Completes what was given up, without which MPI can neither free the communicator nor end. This rank has left, and
    // every rank will be inside this call.
    virtual void settle() = 0;

protected:
    const int rank_;
    const int nranks_;
    const size_t window_bytes_;

private:
    virtual void say_left() = 0;
    virtual void say_ended(const Reason &reason) = 0;

    const uint64_t generation_;
    bool in_use_ = true;
};

}  // namespace rankunit::mpi

#endif  // RANKUNIT_BACKENDS_MPI_GROUP_H
