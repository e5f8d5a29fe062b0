#ifndef RANKUNIT_BACKENDS_MPI_MACHINES_H
#define RANKUNIT_BACKENDS_MPI_MACHINES_H

#include <algorithm>
#include <cstddef>
#include <vector>

#include "backends/mpi/mpi_call.h"

namespace rankunit::mpi {

// Which ranks run on which machine, which MPI decides: those that can share memory are on one.
class Machines {
public:
    // All ranks of `world` are inside this call.
    explicit Machines(MPI_Comm world);

    // Of the ranks of this one, in the order of their ranks in the world.
    MPI_Comm this_one() const { return this_one_; }
    bool on_this_one(int rank) const { return first_[static_cast<size_t>(rank)] == first_[static_cast<size_t>(rank_)]; }
    int ranks_on_this_one() const { return static_cast<int>(std::count(first_.begin(), first_.end(), first())); }
    // The smallest rank on this machine.
    int first() const { return first_[static_cast<size_t>(rank_)]; }
    bool are_several() const { return ranks_on_this_one() < static_cast<int>(first_.size()); }

private:
    int rank_ = 0;
    MPI_Comm this_one_ = MPI_COMM_NULL;
    std::vector<int> first_;  // for each rank, the smallest one on its machine
};

}  // namespace rankunit::mpi

#endif  // RANKUNIT_BACKENDS_MPI_MACHINES_H
