#include "backends/mpi/communicator.h"

#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "backends/mpi/one_machine.h"
#include "backends/mpi/pause.h"
#include "backends/mpi/shared_windows.h"
#include "device/host_memory.h"
#include "rankunit/comm.h"
#include "support/deadline.h"
#include "support/failure.h"

namespace rankunit::mpi {
namespace {

constexpr size_t kMaxReason = 400;
constexpr size_t kDefaultWindowBytes = size_t{200} << 20;
constexpr size_t kMaxBytes = size_t{1} << 46;
constexpr size_t kHeaderRoom = size_t{1} << 20;
constexpr const char *kRootInfo = "rankunit-mpi";
constexpr int64_t kMaxTimeoutMs = int64_t{31} * 24 * 3600 * 1000;

Reason differ(int rank, const std::string &what, const std::string &value, const std::string &of_rank_0) {
    return Reason::of(
        COMM_MISMATCH, rank,
        name(rank) + " was started with " + what + " = " + value + ", rank 0 with " + what + " = " + of_rank_0);
}

}  // namespace

// Two threads inside one communicator would corrupt the order of its calls; the second is refused.
class Communicator::OneCall {
public:
    explicit OneCall(Communicator &communicator) : busy_(communicator.busy_) {
        if (busy_.exchange(true, std::memory_order_acquire)) {
            throw Failure(COMM_INVALID_STATE, "another thread is inside a call on this communicator");
        }
    }
    OneCall(const OneCall &) = delete;
    OneCall &operator=(const OneCall &) = delete;
    ~OneCall() { busy_.store(false, std::memory_order_release); }

private:
    std::atomic<bool> &busy_;
};

Communicator::Communicator(int rank, int nranks, std::string path)
    : rank_(rank), nranks_(nranks), path_(std::move(path)) {
    if (nranks < 1 || nranks > kMaxRanks) {
        throw Failure(COMM_INVALID_ARGUMENT, "nranks = " + std::to_string(nranks) + " is not in [1, 64]");
    }
    require_rank("rank", rank);
    require_path();
    const Mpi &mpi = Mpi::of_process();
    if (mpi.size() != nranks) {
        throw Failure(COMM_MISMATCH, "MPI's world has " + std::to_string(mpi.size()) +
                                         (mpi.size() == 1 ? " process" : " processes") + ", comm_init was told " +
                                         std::to_string(nranks) + ": start the ranks by mpirun -n " +
                                         std::to_string(nranks));
    }
    if (mpi.rank() != rank) {
        throw Failure(COMM_MISMATCH,
                      "this process is " + name(mpi.rank()) + " of MPI's world, comm_init was told " + name(rank));
    }
}

Communicator::~Communicator() {
    // Once MPI has ended, the group has gone with it.
    try {
        if (group_ != nullptr) Mpi::of_process().call([&] { group_->leave(); });
    } catch (const Failure &) {
    }
}

const char *Communicator::root_info() {
    const OneCall call(*this);
    if (rank_ != 0) throw Failure(COMM_INVALID_STATE, "comm_root_info is rank 0's; this is " + name(rank_));
    return kRootInfo;
}

void Communicator::join(const char *root_info) {
    const OneCall call(*this);
    if (rank_ == 0) throw Failure(COMM_INVALID_STATE, "rank 0 makes the root info and must not join");
    if (std::strcmp(root_info, kRootInfo) != 0) {
        throw Failure(COMM_MISMATCH, "what comm_join was given is not a root info of this backend");
    }
}

uint64_t Communicator::allocate_windows(size_t requested) {
    const OneCall call(*this);
    if (asked_) throw Failure(COMM_INVALID_STATE, "comm_alloc_windows was called before on this communicator");
    const size_t wanted = requested == 0 ? kDefaultWindowBytes : requested;
    if (wanted > kMaxBytes / static_cast<size_t>(nranks_) - kHeaderRoom - 2 * kPageBytes) {
        throw Failure(COMM_INVALID_ARGUMENT, "win_size = " + std::to_string(requested) + ": " +
                                                 std::to_string(nranks_) + " windows of this size cannot be addressed");
    }
    asked_ = true;
    Mpi &mpi = Mpi::of_process();
    uint64_t generation = 0;
    std::unique_ptr<Meeting> meeting = mpi.open_meeting(nranks_, round_up_to_page(wanted), path_, &generation);
    uint64_t oldest = generation;
    Reason refusal{};
    try {
        refusal = meet(*meeting, &oldest);
    } catch (const Failure &failure) {
        refusal = Reason::of(failure.code(), rank_, failure.what());
    }
    mpi.close_meeting(std::move(meeting));
    if (refusal.code != COMM_OK) {
        const std::lock_guard<std::mutex> lock(abort_mutex_);
        early_abort_ = refusal;
        refusal.raise();
    }
    Group *group = mpi.bring_up(generation, oldest, nranks_, round_up_to_page(wanted));
    fill_context(*group);
    const std::lock_guard<std::mutex> lock(abort_mutex_);
    group_ = group;
    if (early_abort_.has_value()) group_->abort(*early_abort_);
    return reinterpret_cast<uint64_t>(&context_);
}

uint64_t Communicator::local_window_base() {
    const OneCall call(*this);
    return require_group().window(rank_);
}

size_t Communicator::window_bytes() {
    const OneCall call(*this);
    return require_group().window_bytes();
}

void Communicator::barrier() {
    const OneCall call(*this);
    Mpi &mpi = Mpi::of_process();
    Group &group = require_group();
    const Deadline deadline{milliseconds(timeout_ms_.load(std::memory_order_relaxed))};
    const std::string where = "in barrier #" + std::to_string(mpi.call([&] { return group.enter(); }));
    for (Pause pause;; pause.next()) {
        const bool late = deadline.passed();  // before looking: who has arrived in time is not missing
        const Progress progress = mpi.call([&] { return group.look(); });
        if (!progress.completed && !progress.aborted && progress.gone.none() && !late) continue;
        if (progress.missing.none()) return;
        if (progress.aborted) group.reason().raise();
        if (progress.gone.any()) {
            const int gone = first_of(progress.gone);
            fail(group, COMM_PEER_LEFT,
                 Reason::of(COMM_PEER_LEFT, gone,
                            name(gone) + " has left the communicator while " + name(rank_) + " waited " + where));
        }
        if (late) {
            // It is this rank's deadline that has passed; for its peers it is a reason to stop.
            fail(group, COMM_TIMEOUT,
                 Reason::of(COMM_ABORTED, first_of(progress.missing),
                            name(rank_) + " waited " + std::to_string(deadline.waited_ms()) + " ms " + where + "; " +
                                list(progress.missing) + " had not arrived"));
        }
    }
}

void Communicator::abort(int failed_rank, const char *reason) {
    require_rank("failed_rank", failed_rank);
    const Reason abort =
        Reason::of(COMM_ABORTED, failed_rank, std::string(reason == nullptr ? "" : reason).substr(0, kMaxReason));
    const std::lock_guard<std::mutex> lock(abort_mutex_);
    if (group_ != nullptr) {
        group_->abort(abort);
    } else if (!early_abort_.has_value()) {
        early_abort_ = abort;
    }
}

void Communicator::set_timeout(int64_t milliseconds) {
    if (milliseconds < 1 || milliseconds > kMaxTimeoutMs) {
        throw Failure(COMM_INVALID_ARGUMENT, "milliseconds = " + std::to_string(milliseconds) + " is not in [1, " +
                                                 std::to_string(kMaxTimeoutMs) + "]");
    }
    timeout_ms_.store(milliseconds, std::memory_order_relaxed);
}

int Communicator::aborted_by() {
    const std::lock_guard<std::mutex> lock(abort_mutex_);
    if (group_ != nullptr) return group_->aborted() ? group_->reason().rank : -1;
    return early_abort_.has_value() ? early_abort_->rank : -1;
}

std::string Communicator::describe() {
    const Machines &machines = Mpi::of_process().machines();
    if (!machines.are_several()) return "MPI: windows are memory that the ranks share";
    std::string near;
    for (int rank = 0; rank < nranks_; rank++) {
        if (machines.on_this_one(rank)) near += (near.empty() ? "" : ", ") + std::to_string(rank);
    }
    return "MPI, on several machines: this one has ranks " + near +
           ", which share their windows; windows of the others are copies as of the last barrier";
}

void Communicator::require_rank(const char *what, int rank) const {
    if (rank >= 0 && rank < nranks_) return;
    throw Failure(COMM_INVALID_ARGUMENT, std::string(what) + " = " + std::to_string(rank) +
                                             " is not in [0, nranks = " + std::to_string(nranks_) + ")");
}

// The ranks find each other through MPI; the path is checked all the same, so that no program is wrong here unnoticed.
void Communicator::require_path() const {
    if (path_.empty()) throw Failure(COMM_INVALID_ARGUMENT, "rootinfo_path is empty");
    const size_t slash = path_.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path_.substr(0, std::max<size_t>(slash, 1));
    struct stat status{};
    if (stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
        throw Failure(COMM_INVALID_ARGUMENT, "rootinfo_path = \"" + path_ + "\": " + folder + " is not a folder");
    }
}

Group &Communicator::require_group() {
    const std::lock_guard<std::mutex> lock(abort_mutex_);
    if (group_ != nullptr) {
        if (group_->aborted()) group_->reason().raise();
        return *group_;
    }
    if (asked_ && early_abort_.has_value()) early_abort_->raise();
    throw Failure(COMM_INVALID_STATE, "comm_alloc_windows has not succeeded on this communicator");
}

// Why this rank does not go on; COMM_OK if all ranks do. A rank that gives up says so to those that have come and to
// those that will, and all go on only if each has heard of all that they do: then none is left alone in what blocks.
Reason Communicator::meet(Meeting &meeting, uint64_t *oldest) {
    Mpi &mpi = Mpi::of_process();
    const Reason verdict = gather(meeting, oldest);
    // It is this rank's deadline that has passed; for its peers it is a reason to stop.
    Reason for_peers = verdict;
    if (verdict.code == COMM_TIMEOUT) for_peers.code = COMM_ABORTED;
    mpi.call([&] { meeting.say(for_peers); });
    if (verdict.code != COMM_OK) return verdict;
    // From here on this rank must go on if the others do; an abort waits until there are windows. It may still give up
    // at its deadline, for then a rank has not said that it goes on: unless that is merely stopped for so long, none
    // will.
    return wait_for_all("to agree on the windows", false, meeting,
                        [&](int rank) { return meeting.has_verdict_of(rank); });
}

Reason Communicator::gather(Meeting &meeting, uint64_t *oldest) {
    const Reason refusal = wait_for_all("for all ranks to ask for windows", true, meeting,
                                        [&](int rank) { return meeting.has_settings_of(rank); });
    if (refusal.code != COMM_OK) return refusal;
    const Settings &of_0 = meeting.settings_of(0);
    for (int rank = 0; rank < nranks_; rank++) {
        const Settings &settings = meeting.settings_of(rank);
        if (settings.window_bytes != of_0.window_bytes) {
            return differ(rank, "a window size (in whole pages)", std::to_string(settings.window_bytes),
                          std::to_string(of_0.window_bytes));
        }
        if (std::strcmp(settings.path, of_0.path) != 0) {
            return differ(rank, "rootinfo_path", settings.path, of_0.path);
        }
        *oldest = std::min(*oldest, settings.oldest);
    }
    const Mpi &mpi = Mpi::of_process();
    if (mpi.machines().are_several() && !mpi.any_thread_may_call()) {
        return Reason::of(COMM_NOT_SUPPORTED, rank_,
                          "MPI was started for the main thread of " + name(rank_) +
                              " alone, and between machines any thread may send an abort; the program has to ask "
                              "MPI_Init_thread for MPI_THREAD_SERIALIZED");
    }
    return rank_ == mpi.machines().first() ? find_room(of_0.window_bytes) : Reason{};
}

// MPICH takes memory that is not there, and the first touch ends the process; of Open MPI one rank fails and the
// others wait for it. So the first rank of each machine looks where both of them put it. Copies of windows are memory
// of no folder.
Reason Communicator::find_room(uint64_t window_bytes) const {
    const Machines &machines = Mpi::of_process().machines();
    const int near = machines.ranks_on_this_one();
    const std::string where = machines.are_several() ? " on the machine of " + name(rank_) : "";
    const char *folder = std::getenv("OMPI_MCA_osc_sm_backing_directory");
    if (folder == nullptr) folder = "/dev/shm";
    const uint64_t needed =
        machines.are_several() ? SharedWindows::bytes(near, 0, window_bytes) : OneMachine::bytes(near, window_bytes);
    struct statvfs room{};
    if (statvfs(folder, &room) == 0 && needed > uint64_t{room.f_bavail} * room.f_frsize) {
        return Reason::of(COMM_OUT_OF_MEMORY, rank_,
                          "the windows of " + std::to_string(near) + " ranks need " + std::to_string(needed) +
                              " bytes of shared memory, and " + folder + where + " has " +
                              std::to_string(uint64_t{room.f_bavail} * room.f_frsize) +
                              " left. Ask for smaller windows, or give the container more (--shm-size)");
    }
    const uint64_t copies = static_cast<uint64_t>(near) * static_cast<uint64_t>(nranks_ - near) * window_bytes;
    const std::optional<device::MemoryBound> exceeded = device::exceeded_bound(copies);
    if (!exceeded.has_value()) return Reason{};
    return Reason::of(COMM_OUT_OF_MEMORY, rank_,
                      "the copies that " + std::to_string(near) + " ranks have of " + std::to_string(nranks_ - near) +
                          " windows of other machines take " + std::to_string(copies) + " bytes" + where + ", and " +
                          exceeded->reason + " is " + std::to_string(exceeded->bytes) +
                          " bytes; ask for smaller windows");
}

Reason Communicator::wait_for_all(const char *what, bool may_abort, Meeting &meeting,
                                  const std::function<bool(int)> &has_answered) {
    const Deadline deadline{milliseconds(timeout_ms_.load(std::memory_order_relaxed))};
    for (Pause pause;; pause.next()) {
        if (const std::optional<Reason> abort = may_abort ? early_abort() : std::nullopt) return *abort;
        const std::optional<Reason> answer = Mpi::of_process().call([&]() -> std::optional<Reason> {
            const RankSet missing =
                ranks_where(nranks_, [&](int rank) { return rank != rank_ && !has_answered(rank); });
            // Afterwards: what has arrived while we looked may be a refusal.
            if (const Reason *refusal = meeting.refusal()) return *refusal;
            if (missing.none()) return Reason{};
            if (!deadline.passed()) return std::nullopt;
            return Reason::of(COMM_TIMEOUT, first_of(missing),
                              name(rank_) + " waited " + std::to_string(deadline.waited_ms()) + " ms " + what + "; " +
                                  list(missing) + " had not done so");
        });
        if (answer.has_value()) return *answer;
    }
}

std::optional<Reason> Communicator::early_abort() {
    const std::lock_guard<std::mutex> lock(abort_mutex_);
    return early_abort_;
}

void Communicator::fail(Group &group, int code, const Reason &for_peers) {
    {
        const std::lock_guard<std::mutex> lock(abort_mutex_);
        group.abort(for_peers);
    }
    throw Failure(code, for_peers.text);
}

void Communicator::fill_context(const Group &group) {
    context_.rankId = static_cast<uint32_t>(rank_);
    context_.rankNum = static_cast<uint32_t>(nranks_);
    context_.winSize = group.window_bytes();
    for (int rank = 0; rank < nranks_; rank++) {
        context_.windowsIn[rank] = group.window(rank);
        context_.windowsOut[rank] = group.window(rank);
    }
}

}  // namespace rankunit::mpi
