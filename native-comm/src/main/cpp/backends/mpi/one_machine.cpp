#include "backends/mpi/one_machine.h"

#include <sched.h>

#include <algorithm>
#include <atomic>

namespace rankunit::mpi {
namespace {

constexpr size_t kCacheLine = 64;

}  // namespace

// One rank's own part of the header; only that rank writes it.
struct alignas(kCacheLine) OneMachine::Slot {
    std::atomic<uint64_t> barriers;  // entered; MPI knows of each
    std::atomic<uint32_t> entering;  // about to enter one
    std::atomic<uint32_t> left;

    // Written once, before the header's `abort_winner` can name it.
    alignas(kCacheLine) uint32_t abort_claimed;
    Reason reason;
};

// What the ranks of one communicator share. Everything starts as zero.
struct OneMachine::Header {
    // 1 + the rank whose slot holds the reason of the abort; 0 while there is none. Set once.
    alignas(kCacheLine) std::atomic<uint32_t> abort_winner;
    // Set by an abort, and by the first rank that leaves: no barrier is entered any more. See settle.
    std::atomic<uint32_t> closed;
    Slot slots[kMaxRanks];
};

static_assert(std::atomic<uint64_t>::is_always_lock_free, "processes share these words");

uint64_t OneMachine::bytes(int nranks, size_t window_bytes) {
    return SharedWindows::bytes(nranks, round_up_to_page(sizeof(Header)), window_bytes);
}

OneMachine::OneMachine(MPI_Comm world, uint64_t generation, int rank, int nranks, size_t window_bytes)
    : Group(generation, rank, nranks, window_bytes) {
    require(MPI_Comm_dup(world, &comm_), "MPI_Comm_dup");
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    try {
        windows_ = std::make_unique<SharedWindows>(comm_, round_up_to_page(sizeof(Header)), window_bytes);
    } catch (...) {
        MPI_Comm_free(&comm_);
        throw;
    }
    header_ = static_cast<Header *>(windows_->header());
}

OneMachine::~OneMachine() {
    settle();
    windows_.reset();
    MPI_Comm_free(&comm_);
}

OneMachine::Slot &OneMachine::slot(int rank) const {
    return header_->slots[rank];
}

uint64_t OneMachine::enter() {
    // seq_cst, with `closed`: a rank that has closed the group sees that this rank enters, or this rank sees that it is
    // closed
    own().entering.store(1, std::memory_order_seq_cst);
    const bool open = header_->closed.load(std::memory_order_seq_cst) == 0;
    barrier_ = own().barriers.load(std::memory_order_relaxed) + 1;
    waiting_ = open;
    int error = MPI_SUCCESS;
    if (open) {
        windows_->sync();
        // release: who sees the number sees what this rank wrote before
        own().barriers.fetch_add(1, std::memory_order_release);
        requests_.push_back(MPI_REQUEST_NULL);
        error = MPI_Ibarrier(comm_, &requests_.back());
    }
    own().entering.store(0, std::memory_order_release);
    require(error, "MPI_Ibarrier");
    return barrier_;
}

Progress OneMachine::look() {
    // acquire: what the rank wrote before
    const auto is_missing = [&](int rank) { return slot(rank).barriers.load(std::memory_order_acquire) < barrier_; };
    // acquire: the barriers that it has entered before are seen too
    const auto has_gone = [&](int rank) {
        return slot(rank).left.load(std::memory_order_acquire) != 0 && is_missing(rank);
    };
    Progress progress{};
    // In the reverse of the order in which a peer does these: it arrives, sees an abort, and leaves.
    progress.gone = ranks_where(nranks_, has_gone);
    progress.aborted = aborted();
    progress.completed = test();
    // MPI alone does not tell: a rank that is gone completes what its peers have entered.
    progress.missing = ranks_where(nranks_, is_missing);
    return progress;
}

// Whether MPI has completed the barrier that was entered last; then it is forgotten.
bool OneMachine::test() {
    if (!waiting_) return false;
    int done = 0;
    require(MPI_Test(&requests_.back(), &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done == 0) return false;
    waiting_ = false;
    requests_.pop_back();
    windows_->sync();
    return true;
}

bool OneMachine::aborted() {
    return header_->abort_winner.load(std::memory_order_acquire) != 0;
}

const Reason &OneMachine::reason() const {
    return slot(static_cast<int>(header_->abort_winner.load(std::memory_order_acquire)) - 1).reason;
}

void OneMachine::abort(const Reason &reason) {
    if (own().abort_claimed != 0) return;
    own().abort_claimed = 1;
    own().reason = reason;
    uint32_t none = 0;
    // release, at least: who sees the winner sees its reason
    header_->abort_winner.compare_exchange_strong(none, static_cast<uint32_t>(rank_) + 1, std::memory_order_seq_cst);
    header_->closed.store(1, std::memory_order_seq_cst);
}

void OneMachine::say_left() {
    own().left.store(1, std::memory_order_release);
    header_->closed.store(1, std::memory_order_seq_cst);
}

void OneMachine::say_ended(const Reason &reason) {
    abort(reason);
    say_left();
}

// Enters the barriers that a peer has entered and this rank has not. The group is closed, so they become no more.
void OneMachine::settle() {
    uint64_t most = 0;
    for (int rank = 0; rank < nranks_; rank++) {
        while (slot(rank).entering.load(std::memory_order_seq_cst) != 0) sched_yield();
        most = std::max(most, slot(rank).barriers.load(std::memory_order_acquire));
    }
    for (uint64_t entered = own().barriers.load(std::memory_order_relaxed); entered < most; entered++) {
        requests_.push_back(MPI_REQUEST_NULL);
        MPI_Ibarrier(comm_, &requests_.back());
    }
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    requests_.clear();
}

}  // namespace rankunit::mpi
