#include "backends/mpi/several_machines.h"

#include "backends/mpi/pause.h"
#include "backends/mpi/process.h"
#include "rankunit/comm.h"
#include "support/deadline.h"
#include "support/failure.h"

namespace rankunit::mpi {
namespace {

constexpr int kNotice = 0;
constexpr int kWindow = 1;

// Throws the failure of the smallest rank that has one. All ranks of `comm` are inside this call.
void agree(MPI_Comm comm, int nranks, Reason reason) {
    std::vector<int32_t> codes(static_cast<size_t>(nranks));
    require(MPI_Allgather(&reason.code, 1, MPI_INT32_T, codes.data(), 1, MPI_INT32_T, comm), "MPI_Allgather");
    const RankSet failed = ranks_where(nranks, [&](int rank) { return codes[static_cast<size_t>(rank)] != COMM_OK; });
    if (failed.none()) return;
    require(MPI_Bcast(&reason, sizeof(reason), MPI_BYTE, first_of(failed), comm), "MPI_Bcast");
    reason.raise();
}

}  // namespace

SeveralMachines::SeveralMachines(MPI_Comm world, const Machines &machines, uint64_t generation, int rank, int nranks,
                                 size_t window_bytes)
    : Group(generation, rank, nranks, window_bytes),
      windows_(static_cast<size_t>(nranks)),
      sending_(static_cast<size_t>(nranks), MPI_REQUEST_NULL),
      receiving_(static_cast<size_t>(nranks), MPI_REQUEST_NULL),
      completed_(static_cast<size_t>(nranks)) {
    std::vector<int> near;
    for (int peer = 0; peer < nranks; peer++) (machines.on_this_one(peer) ? near : far_).push_back(peer);
    Reason failure{};
    try {
        copies_ = std::make_unique<WindowCopies>(far_.size(), window_bytes);
    } catch (const Failure &failed) {
        failure = Reason::of(failed.code(), rank, "the copies of windows of " + name(rank) + ": " + failed.what());
    }
    agree(world, nranks, failure);
    require(MPI_Comm_dup(world, &comm_), "MPI_Comm_dup");
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    // Windows are counted in pages, so that their size fits into an int.
    MPI_Type_contiguous(kPageBytes, MPI_BYTE, &page_);
    MPI_Type_commit(&page_);
    try {
        shared_ = std::make_unique<SharedWindows>(machines.this_one(), 0, window_bytes);
        notices_ = std::make_unique<Notices>(comm_, kNotice, rank, nranks);
    } catch (...) {
        MPI_Type_free(&page_);
        MPI_Comm_free(&comm_);
        throw;
    }
    for (size_t i = 0; i < near.size(); i++) {
        windows_[static_cast<size_t>(near[i])] = shared_->window(static_cast<int>(i));
    }
    for (size_t i = 0; i < far_.size(); i++) windows_[static_cast<size_t>(far_[i])] = copies_->to_read(i);
}

SeveralMachines::~SeveralMachines() {
    settle();
    shared_.reset();
    MPI_Comm_free(&comm_);
}

uint64_t SeveralMachines::enter() {
    const uint64_t number = begun_ + 1;
    barrier_ = number;
    if (!notices_->last_is_sent()) {
        shared_->sync();
        notices_->send_entered(number);
    }
    return number;
}

Progress SeveralMachines::look() {
    poll();
    const RankSet not_entered = ranks_where(nranks_, [&](int rank) { return notices_->entered(rank) < barrier_; });
    if (not_entered.none() && begun_ < barrier_ && !notices_->last_is_sent()) begin_transfer();
    Progress progress{};
    progress.aborted = aborted_.load(std::memory_order_relaxed);
    progress.gone =
        ranks_where(nranks_, [&](int rank) { return notices_->has_left(rank) && notices_->entered(rank) < barrier_; });
    progress.missing = not_entered.any() ? not_entered : missing();
    progress.completed = progress.missing.none();
    if (progress.completed) shared_->sync();
    return progress;
}

// Of ranks that have all entered the barrier.
RankSet SeveralMachines::missing() {
    RankSet ranks = notices_->pending();
    for (std::vector<MPI_Request> *requests : {&sending_, &receiving_}) {
        int count = 0;
        require(MPI_Testsome(nranks_, requests->data(), &count, completed_.data(), MPI_STATUSES_IGNORE),
                "MPI_Testsome");
        for (const int rank : far_) {
            const size_t i = static_cast<size_t>(rank);
            if ((*requests)[i] != MPI_REQUEST_NULL) ranks.set(i);
        }
    }
    // It has given up before its transfer.
    if (begun_ < barrier_) ranks.set(static_cast<size_t>(rank_));
    return ranks;
}

// Once a rank's own part has ended it may write to its window, though others may not have received all of it from MPI.
// Ranks of its machine may write to it even earlier, while MPI still reads it: no rank may read what that changes
// before the next barrier anyway.
void SeveralMachines::begin_transfer() {
    begun_++;
    const int pages = static_cast<int>(window_bytes_ / kPageBytes);
    for (size_t i = 0; i < far_.size(); i++) {
        MPI_Request &request = receiving_[static_cast<size_t>(far_[i])];
        require(MPI_Irecv(copies_->to_write(i), pages, page_, far_[i], kWindow, comm_, &request), "MPI_Irecv");
    }
    const void *own = reinterpret_cast<const void *>(windows_[static_cast<size_t>(rank_)]);
    for (const int rank : far_) {
        require(MPI_Isend(own, pages, page_, rank, kWindow, comm_, &sending_[static_cast<size_t>(rank)]), "MPI_Isend");
    }
}

bool SeveralMachines::aborted() {
    if (!aborted_.load(std::memory_order_acquire)) Mpi::of_process().call([&] { poll(); });
    return aborted_.load(std::memory_order_acquire);
}

void SeveralMachines::abort(const Reason &reason) {
    if (aborted_.load(std::memory_order_acquire)) return;
    Mpi::of_process().call([&] {
        poll();
        close(&reason);
    });
}

void SeveralMachines::poll() {
    notices_->poll();
    if (notices_->reason() != nullptr) close(notices_->reason());
}

// Tells the others, unless they know the last of this rank already. The reason is that of this rank, or of another one,
// which all ranks thus pass on.
void SeveralMachines::close(const Reason *reason) {
    if (notices_->last_is_sent()) return;
    if (reason != nullptr) {
        reason_ = *reason;
        aborted_.store(true, std::memory_order_release);
    }
    notices_->send_last(begun_, reason);
    const Deadline deadline(kForLastMessages);
    for (Pause pause; notices_->pending().any() && !deadline.passed(); pause.next()) {
    }
}

void SeveralMachines::settle() {
    for (Pause pause; !notices_->are_over(); pause.next()) notices_->poll();
    while (begun_ < notices_->most_transfers()) begin_transfer();
    MPI_Waitall(nranks_, sending_.data(), MPI_STATUSES_IGNORE);
    MPI_Waitall(nranks_, receiving_.data(), MPI_STATUSES_IGNORE);
    notices_->finish();
    MPI_Type_free(&page_);
}

}  // namespace rankunit::mpi
