#ifndef RANKUNIT_BACKENDS_MPI_ONE_MACHINE_H
#define RANKUNIT_BACKENDS_MPI_ONE_MACHINE_H

#include <memory>
#include <vector>

#include "backends/mpi/group.h"
#include "backends/mpi/shared_windows.h"

namespace rankunit::mpi {

// A group whose ranks are all on one machine. What they know of each other lies in memory that they share.
class OneMachine final : public Group {
public:
    // All ranks of `world` are inside this call.
    OneMachine(MPI_Comm world, uint64_t generation, int rank, int nranks, size_t window_bytes);
    ~OneMachine() override;

    // How much memory is shared.
    static uint64_t bytes(int nranks, size_t window_bytes);

    uint64_t window(int rank) const override { return windows_->window(rank); }
    uint64_t enter() override;
    Progress look() override;
    bool aborted() override;
    const Reason &reason() const override;
    void abort(const Reason &reason) override;
    void settle() override;

private:
    struct Header;
    struct Slot;

    void say_left() override;
    void say_ended(const Reason &reason) override;
    bool test();
    Slot &slot(int rank) const;
    Slot &own() const { return slot(rank_); }

    MPI_Comm comm_ = MPI_COMM_NULL;
    std::unique_ptr<SharedWindows> windows_;
    Header *header_ = nullptr;
    std::vector<MPI_Request> requests_;  // barriers that MPI has not completed, most of them given up
    uint64_t barrier_ = 0;               // that was entered last, or should have been
    bool waiting_ = false;               // for MPI, in that barrier
};

}  // namespace rankunit::mpi

#endif  // RANKUNIT_BACKENDS_MPI_ONE_MACHINE_H
