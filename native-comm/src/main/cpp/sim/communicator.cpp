#include "sim/communicator.h"

#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "sim/memory_map.h"
#include "sim/root_info.h"
#include "support/deadline.h"
#include "support/failure.h"

namespace rankunit::sim {
namespace {

constexpr int64_t kMaxTimeoutMs = int64_t{31} * 24 * 3600 * 1000;

std::string folder_of(const std::string &path) {
    const size_t slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

void require_folder(const std::string &path) {
    struct stat status {};
    const std::string folder = folder_of(path);
    if (stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
        throw Failure(COMM_INVALID_ARGUMENT, "rootinfo_path = \"" + path + "\": " + folder + " is not a folder");
    }
}

uint64_t random_token() {
    uint64_t token = 0;
    if (getrandom(&token, sizeof(token), 0) != static_cast<ssize_t>(sizeof(token))) {
        throw Failure(COMM_SYSTEM, system_text("getrandom"));
    }
    return token;
}

std::string differ(int rank, const char *what, uint64_t own, uint64_t of_rank_0) {
    return "rank " + std::to_string(rank) + " was started with " + what + " = " + std::to_string(own) +
           ", rank 0 with " + what + " = " + std::to_string(of_rank_0);
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

Communicator::Communicator(int rank, int nranks, std::string rootinfo_path)
    : rank_(rank), nranks_(nranks), path_(std::move(rootinfo_path)) {
    if (nranks < 1 || nranks > kMaxRanks) {
        throw Failure(COMM_INVALID_ARGUMENT, "nranks = " + std::to_string(nranks) + " is not in [1, 64]");
    }
    if (rank < 0 || rank >= nranks) {
        throw Failure(COMM_INVALID_ARGUMENT,
                      "rank = " + std::to_string(rank) + " is not in [0, nranks = " + std::to_string(nranks) + ")");
    }
    if (path_.empty()) throw Failure(COMM_INVALID_ARGUMENT, "rootinfo_path is empty");
    require_folder(path_);
    // Before the other ranks look, as a rule; they know a stale file too, so the order is not needed for safety.
    if (rank_ == 0) remove_stale_root_info(path_);
}

Communicator::~Communicator() {
    if (segment_ == nullptr) return;
    if (attached_) {
        SegmentHeader &header = segment_->header();
        // seq_cst: ordered before the look for sleepers, who must not wait for this rank any longer
        header.slots[rank_].state.store(kSlotLeft, std::memory_order_seq_cst);
        wake_sleepers(header);
    }
    MemoryMap &memory = MemoryMap::of_process();
    if (up_) memory.remove(reinterpret_cast<uint64_t>(&context_), [] {});
    memory.remove(segment_->windows_start(), [this] { segment_.reset(); });
}

uint64_t Communicator::allocate_windows(size_t requested) {
    const OneCall call(*this);
    if (segment_ != nullptr) {
        throw Failure(COMM_INVALID_STATE, "comm_alloc_windows was called before on this communicator");
    }
    const SegmentShape shape = SegmentShape::of(nranks_, requested);
    if (rank_ == 0) {
        bring_up_as_owner(shape);
    } else {
        bring_up_as_follower(shape);
    }
    fill_context();
    up_ = true;
    return reinterpret_cast<uint64_t>(&context_);
}

void Communicator::bring_up_as_owner(const SegmentShape &shape) {
    const uint64_t token = random_token();
    UniqueFd fd;
    adopt(Segment::create(shape, token, &fd));
    take_slot();
    // Both live until all ranks have mapped the segment, or this rank has given up.
    const PublishedRootInfo published(
        path_, RootInfo{COMM_ABI_VERSION, getpid(), fd.get(), token, segment_->bytes(), shape.window_bytes, nranks_});
    wait_for_all();
}

void Communicator::bring_up_as_follower(const SegmentShape &shape) {
    adopt(find_segment());
    require_same(shape);
    take_slot();
    wait_for_all();
}

Segment Communicator::find_segment() {
    using std::chrono::microseconds;
    const Deadline deadline{milliseconds(timeout_ms_.load(std::memory_order_relaxed))};
    microseconds pause{100};
    for (;;) {
        if (const std::optional<AbortReason> reason = early_abort()) throw_abort(*reason);
        const std::optional<RootInfo> info = RootInfo::read(path_);
        if (info.has_value()) {
            if (const UniqueFd fd = info->open_segment()) return Segment::map(fd);
        }
        if (deadline.passed()) {
            std::string text = "rank " + std::to_string(rank_) + " waited " + std::to_string(deadline.waited_ms()) +
                               " ms for rank 0 to write " + path_;
            if (info.has_value()) {
                text += "; the file there is stale, its owner (process " + std::to_string(info->pid) + ") is dead";
            }
            throw Failure(COMM_TIMEOUT, text);
        }
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, microseconds(1000));
    }
}

void Communicator::adopt(Segment segment) {
    const std::lock_guard<std::mutex> lock(abort_mutex_);
    segment_ = std::make_unique<Segment>(std::move(segment));
    if (early_abort_.has_value()) record_abort(segment_->header(), rank_, *early_abort_);
}

void Communicator::require_same(const SegmentShape &shape) {
    SegmentHeader &header = segment_->header();
    std::string difference;
    if (header.version != COMM_ABI_VERSION) {
        difference = differ(rank_, "ABI version", COMM_ABI_VERSION, header.version);
    } else if (header.nranks != static_cast<uint32_t>(nranks_)) {
        difference = differ(rank_, "nranks", static_cast<uint64_t>(nranks_), header.nranks);
    } else if (header.window_bytes != shape.window_bytes) {
        difference = differ(rank_, "a window size (in whole pages)", shape.window_bytes, header.window_bytes);
    } else {
        return;
    }
    refuse(difference);
}

void Communicator::refuse(const std::string &text) {
    {
        const std::lock_guard<std::mutex> lock(abort_mutex_);
        record_abort(segment_->header(), rank_, AbortReason{COMM_MISMATCH, rank_, text});
    }
    throw Failure(COMM_MISMATCH, text);
}

void Communicator::take_slot() {
    SegmentHeader &header = segment_->header();
    RankSlot &slot = header.slots[rank_];
    int32_t holder = 0;
    if (!slot.pid.compare_exchange_strong(holder, getpid(), std::memory_order_relaxed)) {
        const std::string text = "rank " + std::to_string(rank_) + " was started twice: by process " +
                                 std::to_string(holder) + " and by process " + std::to_string(getpid());
        refuse(text);
    }
    // release: who sees the state sees the pid
    slot.state.store(kSlotAttached, std::memory_order_release);
    attached_ = true;
    wait_ = std::make_unique<PeerWait>(header, rank_, timeout_ms_, abort_mutex_);
    barrier_ = std::make_unique<Barrier>(header, rank_);
    MemoryMap::of_process().add(segment_->windows_start(), segment_->bytes() - kHeaderBytes);
}

void Communicator::wait_for_all() {
    SegmentHeader &header = segment_->header();
    const uint32_t all = header.nranks;
    // seq_cst: ordered before the look for sleepers
    if (header.attached.fetch_add(1, std::memory_order_seq_cst) + 1 == all) wake_sleepers(header);
    wait_->until([&header, all] { return header.attached.load(std::memory_order_seq_cst) == all; },
                 [&header] {
                     return WaitSubject{"for all ranks to map the windows", "done so", [&header](int rank) {
                                            return header.slots[rank].state.load(std::memory_order_acquire) !=
                                                   kSlotFree;
                                        }};
                 });
}

void Communicator::fill_context() {
    const SegmentHeader &header = segment_->header();
    context_.rankId = static_cast<uint32_t>(rank_);
    context_.rankNum = static_cast<uint32_t>(nranks_);
    context_.winSize = header.window_bytes;
    for (int rank = 0; rank < nranks_; rank++) {
        context_.windowsIn[rank] = segment_->window(rank);
        context_.windowsOut[rank] = segment_->window(rank);
    }
    MemoryMap::of_process().add(reinterpret_cast<uint64_t>(&context_), sizeof(context_));
}

void Communicator::require_windows() const {
    if (segment_ != nullptr) throw_if_aborted(segment_->header());
    if (!up_) throw Failure(COMM_INVALID_STATE, "comm_alloc_windows has not succeeded on this communicator");
}

uint64_t Communicator::local_window_base() {
    const OneCall call(*this);
    require_windows();
    return segment_->window(rank_);
}

size_t Communicator::window_bytes() {
    const OneCall call(*this);
    require_windows();
    return segment_->header().window_bytes;
}

void Communicator::barrier() {
    const OneCall call(*this);
    require_windows();
    barrier_->enter(*wait_);
}

void Communicator::abort(int failed_rank, const char *reason) {
    if (failed_rank < 0 || failed_rank >= nranks_) {
        throw Failure(COMM_INVALID_ARGUMENT, "failed_rank = " + std::to_string(failed_rank) +
                                                 " is not in [0, nranks = " + std::to_string(nranks_) + ")");
    }
    const AbortReason abort{COMM_ABORTED, failed_rank, reason == nullptr ? "" : reason};
    const std::lock_guard<std::mutex> lock(abort_mutex_);
    if (segment_ != nullptr) {
        record_abort(segment_->header(), rank_, abort);
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
    if (segment_ == nullptr) return early_abort_.has_value() ? early_abort_->rank : -1;
    return is_aborted(segment_->header()) ? read_abort(segment_->header()).rank : -1;
}

std::optional<AbortReason> Communicator::early_abort() {
    const std::lock_guard<std::mutex> lock(abort_mutex_);
    return early_abort_;
}

}  // namespace rankunit::sim
