#ifndef RANKUNIT_BACKENDS_MPI_SEVERAL_MACHINES_H
#define RANKUNIT_BACKENDS_MPI_SEVERAL_MACHINES_H

#include <atomic>
#include <memory>
#include <vector>

#include "backends/mpi/group.h"
#include "backends/mpi/machines.h"
#include "backends/mpi/notices.h"
#include "backends/mpi/shared_windows.h"
#include "backends/mpi/window_copies.h"

namespace rankunit::mpi {

// A group whose ranks are on several machines. Those of one machine share their windows. Of the windows of other
// machines each rank has copies, which are made anew in each barrier: in between, none of them changes.
//
// In a barrier, a rank tells all others that it has entered, by messages that can be waited for with a deadline. Once
// it has heard that from all of them it begins to transfer windows: it sends its own to each rank of another machine,
// and receives theirs. Not before, since ranks of its own machine may write to its window until they enter.
//
// A transfer ends only if both sides have begun it, and what MPI has begun must end before MPI does. So the last thing
// that a rank tells is how many transfers it has begun, and in the end all ranks begin as many as any of them has.
class SeveralMachines final : public Group {
public:
    // All ranks of `world` are inside this call.
    SeveralMachines(MPI_Comm world, const Machines &machines, uint64_t generation, int rank, int nranks,
                    size_t window_bytes);
    ~SeveralMachines() override;

    uint64_t window(int rank) const override { return windows_[static_cast<size_t>(rank)]; }
    uint64_t enter() override;
    Progress look() override;
    bool aborted() override;
    const Reason &reason() const override { return reason_; }
    void abort(const Reason &reason) override;
    void settle() override;

private:
    void say_left() override { close(nullptr); }
    void say_ended(const Reason &reason) override { close(&reason); }
    void close(const Reason *reason);
    void poll();
    void begin_transfer();
    RankSet missing();

    MPI_Comm comm_ = MPI_COMM_NULL;
    MPI_Datatype page_ = MPI_DATATYPE_NULL;
    std::vector<int> far_;  // the ranks of other machines
    std::unique_ptr<WindowCopies> copies_;
    std::unique_ptr<SharedWindows> shared_;
    std::vector<uint64_t> windows_;
    std::unique_ptr<Notices> notices_;

    uint64_t barrier_ = 0;  // that was entered last, or should have been
    uint64_t begun_ = 0;    // transfers, one for each barrier
    // Windows under way, by rank.
    std::vector<MPI_Request> sending_;
    std::vector<MPI_Request> receiving_;
    std::vector<int> completed_;

    std::atomic<bool> aborted_{false};
    Reason reason_{};  // written once, before `aborted_`
};

}  // namespace rankunit::mpi

#endif  // RANKUNIT_BACKENDS_MPI_SEVERAL_MACHINES_H
