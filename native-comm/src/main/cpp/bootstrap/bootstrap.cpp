#include "bootstrap/bootstrap.h"

#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <thread>
#include <utility>

#include "bootstrap/mismatch.h"
#include "bootstrap/network/hello.h"
#include "bootstrap/network/hub.h"
#include "bootstrap/network/member.h"
#include "support/failure.h"

namespace rankunit::bootstrap {
namespace {

constexpr int64_t kMaxTimeoutMs = int64_t{31} * 24 * 3600 * 1000;

std::string folder_of(const std::string &path) {
    const size_t slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

void require_folder(const std::string &path) {
    struct stat status{};
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

}  // namespace

Bootstrap::Bootstrap(int rank, int nranks, std::string path)
    : rank_(rank), nranks_(nranks), path_(std::move(path)), by_join_(path_ == COMM_ROOTINFO_BY_JOIN) {
    if (nranks < 1 || nranks > kMaxRanks) {
        throw Failure(COMM_INVALID_ARGUMENT, "nranks = " + std::to_string(nranks) + " is not in [1, 64]");
    }
    if (rank < 0 || rank >= nranks) {
        throw Failure(COMM_INVALID_ARGUMENT,
                      "rank = " + std::to_string(rank) + " is not in [0, nranks = " + std::to_string(nranks) + ")");
    }
    if (by_join_) return;
    if (path_.empty()) throw Failure(COMM_INVALID_ARGUMENT, "rootinfo_path is empty");
    require_folder(path_);
    // Usually happens before the other ranks look. They also detect a stale file, so safety does not depend on the
    // order.
    if (rank_ == 0) remove_stale_root_info(path_);
}

Bootstrap::~Bootstrap() {
    if (!attached_) return;
    // seq_cst: ordered before the check for sleepers, which must no longer wait for this rank
    header_->slots[rank_].state.store(kSlotLeft, std::memory_order_seq_cst);
    wake_sleepers(*header_);
    if (replication_ != nullptr) replication_->changed_state();
}

std::string Bootstrap::make_root_info() {
    if (rank_ != 0) {
        throw Failure(COMM_INVALID_STATE, "comm_root_info is rank 0's; this is rank " + std::to_string(rank_));
    }
    if (header_ == nullptr) make();
    if (!root_info_.has_value()) throw Failure(COMM_INVALID_STATE, "all ranks have joined already");
    return root_info_->text();
}

void Bootstrap::join(const std::string &root_info) {
    if (rank_ == 0) throw Failure(COMM_INVALID_STATE, "rank 0 makes the root info and must not join");
    if (header_ != nullptr) throw Failure(COMM_INVALID_STATE, "this rank has joined already");
    RootInfo info = RootInfo::parse(root_info, "what comm_join was given is not a root info, or only a part of one");
    require_reachable(info);
    to_join_ = std::move(info);
}

void Bootstrap::open() {
    if (rank_ != 0) {
        find();
        return;
    }
    if (header_ == nullptr) make();
    if (!by_join_) published_ = std::make_unique<PublishedRootInfo>(path_, *root_info_);
}

void Bootstrap::settle() {
    published_.reset();
    root_info_.reset();
    segment_fd_.reset();
    if (replication_ != nullptr) replication_->settle();
}

void Bootstrap::make() {
    if (const std::optional<std::string> address = meet_address()) {
        make_at(*address);
    } else {
        adopt(new_segment(random_token(), &segment_fd_));
        root_info_ = RootInfo::of_this_process(segment_fd_.get(), header_->token, nranks_);
    }
    take_slot();
}

void Bootstrap::make_at(const std::string &address) {
    if (!why_one_machine_.empty()) {
        throw Failure(COMM_NOT_SUPPORTED, "RANKUNIT_MEET_ADDRESS = \"" + address +
                                              "\" lets ranks of several machines meet, but " + why_one_machine_ +
                                              "; unset it");
    }
    Endpoint endpoint{address, 0, Secret::random()};
    UniqueFd listener = listen_at(address, &endpoint.port);
    UniqueFd not_shared;
    adopt(new_segment(endpoint.secret.high, &not_shared), [&](BootstrapHeader &header) {
        return std::make_unique<Hub>(header, nranks_, std::move(listener), endpoint.secret);
    });
    root_info_ = RootInfo::of_endpoint(endpoint, nranks_);
}

device::SharedMemory Bootstrap::new_segment(uint64_t token, UniqueFd *fd_out) const {
    device::SharedMemory memory = device::SharedMemory::create(kBootstrapName, sizeof(BootstrapHeader), 1, fd_out);
    auto *header = new (memory.part(0)) BootstrapHeader;  // in a memory file that is all zero: nothing is written here
    header->magic = kBootstrapMagic;
    header->version = COMM_ABI_VERSION;
    header->nranks = static_cast<uint32_t>(nranks_);
    header->token = token;
    return memory;
}

void Bootstrap::find() {
    if (!by_join_) {
        find_by_file();
    } else if (!to_join_.has_value()) {
        throw Failure(COMM_INVALID_STATE, "comm_join has not been called on rank " + std::to_string(rank_));
    } else if (!enter(*to_join_, Deadline{timeout()})) {
        const std::string text = "rank 0 (" + to_join_->owner() + ") is gone, or its communicator";
        record(AbortReason{COMM_PEER_DIED, 0, text});
        throw Failure(COMM_PEER_DIED, text);
    }
    require_same();
    take_slot();
}

void Bootstrap::find_by_file() {
    using std::chrono::microseconds;
    const Deadline deadline{timeout()};
    microseconds pause{100};
    for (;;) {
        if (const std::optional<AbortReason> reason = early_abort()) throw_abort(*reason);
        const std::optional<RootInfo> info = RootInfo::read(path_);
        if (info.has_value()) {
            require_reachable(*info);
            if (enter(*info, deadline)) return;
        }
        if (deadline.passed()) {
            std::string text = "rank " + std::to_string(rank_) + " waited " + std::to_string(deadline.waited_ms()) +
                               " ms for rank 0 to write " + path_;
            if (info.has_value()) text += "; the file there is stale, its owner (" + info->owner() + ") is dead";
            throw Failure(COMM_TIMEOUT, text);
        }
        std::this_thread::sleep_for(pause);
        // A connection that is refused costs another machine something too.
        const bool knocked = info.has_value() && info->endpoint.has_value();
        pause = std::min(pause * 2, microseconds(knocked ? 20'000 : 1000));
    }
}

// False if the owner of the root info is gone.
bool Bootstrap::enter(const RootInfo &info, const Deadline &deadline) {
    if (info.endpoint.has_value()) return !info.abandoned && enter_over_network(info, deadline);
    const UniqueFd fd = info.open_segment();
    if (fd) adopt(device::SharedMemory::map(fd, sizeof(BootstrapHeader), 1));
    return static_cast<bool>(fd);
}

bool Bootstrap::enter_over_network(const RootInfo &info, const Deadline &deadline) {
    const auto check = [this] {
        if (const std::optional<AbortReason> reason = early_abort()) throw_abort(*reason);
    };
    Connection hub;
    try {
        hub = introduce(*info.endpoint, static_cast<uint32_t>(rank_), static_cast<uint32_t>(nranks_), deadline, check);
    } catch (const Failure &failure) {
        // as a rank in a shared segment, which tells the others itself
        if (failure.code() == COMM_MISMATCH) record(AbortReason{COMM_MISMATCH, rank_, failure.what()});
        throw;
    }
    if (!hub) return false;
    UniqueFd not_shared;
    adopt(new_segment(info.endpoint->secret.high, &not_shared),
          [&](BootstrapHeader &header) { return std::make_unique<Member>(header, rank_, nranks_, std::move(hub)); });
    return true;
}

void Bootstrap::require_reachable(const RootInfo &info) const {
    if (!info.endpoint.has_value() || why_one_machine_.empty()) return;
    throw Failure(COMM_NOT_SUPPORTED, "rank 0 listens at " + info.endpoint->text() +
                                          " for ranks of several machines, but " + why_one_machine_ +
                                          "; start it without RANKUNIT_MEET_ADDRESS");
}

void Bootstrap::adopt(device::SharedMemory memory, const MakeReplication &make_replication) {
    const std::lock_guard<std::mutex> lock(abort_mutex_);
    memory_ = std::make_shared<const device::SharedMemory>(std::move(memory));
    auto *header = static_cast<BootstrapHeader *>(memory_->part(0));
    if (make_replication) replication_ = make_replication(*header);
    header_ = header;
    ends_device_waits_ = std::make_unique<CommunicatorAbort>(*header_);
    shares_turns_ = std::make_unique<device::SharesTurns>(
        std::make_shared<device::SharedTurns>(memory_, header_->turns, header_->abort_winner));
    if (early_abort_.has_value()) record_abort(*header_, rank_, *early_abort_, replication_.get());
}

void Bootstrap::require_same() {
    if (header_->version != COMM_ABI_VERSION) {
        fail(COMM_MISMATCH, differ(rank_, "ABI version", COMM_ABI_VERSION, header_->version));
    }
    if (header_->nranks != static_cast<uint32_t>(nranks_)) {
        fail(COMM_MISMATCH, differ(rank_, "nranks", static_cast<uint64_t>(nranks_), header_->nranks));
    }
}

void Bootstrap::take_slot() {
    RankSlot &slot = header_->slots[rank_];
    int32_t holder = 0;
    if (!slot.pid.compare_exchange_strong(holder, getpid(), std::memory_order_relaxed)) {
        fail(COMM_MISMATCH, started_twice(rank_, holder, getpid()));
    }
    // release: a process that sees the state also sees the pid
    slot.state.store(kSlotAttached, std::memory_order_release);
    attached_ = true;
    wait_ = std::make_unique<PeerWait>(*header_, rank_, nranks_, timeout_ms_, abort_mutex_, replication_.get());
    barrier_ = std::make_unique<Barrier>(*header_, rank_, nranks_, replication_.get());
}

// Whether `rank` has a message on this topic that this rank has not read yet.
bool Bootstrap::has_message(int rank, const Topic &topic) const {
    const Message &message = header_->messages[rank];
    // seq_cst: a sleeper's last check, see wait.h; as an acquire: the message is complete
    const uint32_t stage = message.stage.load(std::memory_order_seq_cst);
    if (stage % 2 == 0) return false;
    // acquire: each is ordered before the last load of the stage. The words belong together only if no new message was
    // posted in the meantime. A message for this rank stays until it has been read; one for others may change at any
    // time.
    const bool meant = message.kind.load(std::memory_order_acquire) == topic.kind &&
                       message.id.load(std::memory_order_acquire) == topic.id &&
                       (message.taken.load(std::memory_order_acquire) >> rank_ & 1) == 0;
    return meant && message.stage.load(std::memory_order_relaxed) == stage;
}

void Bootstrap::post(const Topic &topic, const std::string &message) {
    if (message.size() > kMaxMessage) throw Failure(COMM_INVALID_ARGUMENT, "a message is too long");
    Message &own = header_->messages[rank_];
    own.kind.store(topic.kind, std::memory_order_relaxed);
    own.id.store(topic.id, std::memory_order_relaxed);
    own.taken.store(uint64_t{1} << rank_, std::memory_order_relaxed);
    own.size = static_cast<uint32_t>(message.size());
    std::memcpy(own.bytes, message.data(), message.size());
    // seq_cst: releases the above, and is ordered before this rank's own check of the others. This wakes no rank: the
    // last rank to post finds all messages at once, and wakes the others when it has read them.
    own.stage.fetch_add(1, std::memory_order_seq_cst);
    if (replication_ != nullptr) replication_->changed_message();
}

std::string Bootstrap::take(int rank) {
    Message &message = header_->messages[rank];
    std::string said(reinterpret_cast<const char *>(message.bytes), std::min<size_t>(message.size, kMaxMessage));
    // seq_cst: allows the message to be overwritten, and is ordered before the check for sleepers
    message.taken.fetch_or(uint64_t{1} << rank_, std::memory_order_seq_cst);
    return said;
}

void Bootstrap::wait_for(const Members &members, const Topic &topic, const char *done,
                         const std::function<bool(int)> &has_done) {
    const auto all = [&] {
        for (size_t i = 0; i < members.count(); i++) {
            if (!has_done(members.rank(i))) return false;
        }
        return true;
    };
    const uint64_t bits = members.bits();
    wait_->until(all, [&] {
        return WaitSubject{topic.text, done, [&, bits](int rank) { return (bits >> rank & 1) == 0 || has_done(rank); }};
    });
}

std::vector<std::string> Bootstrap::gather(const Members &members, const Topic &topic, const std::string &message) {
    post(topic, message);
    wait_for(members, topic, "arrived", [&](int rank) { return rank == rank_ || has_message(rank, topic); });
    std::vector<std::string> said;
    for (size_t i = 0; i < members.count(); i++) said.push_back(take(members.rank(i)));
    wake_sleepers(*header_);
    if (replication_ != nullptr) replication_->changed_taken(members.bits());
    Message &own = header_->messages[rank_];
    wait_for(members, topic, "read what this rank says",
             [&own](int rank) { return (own.taken.load(std::memory_order_seq_cst) >> rank & 1) != 0; });
    // release: the next message cannot be seen before this change
    own.stage.fetch_add(1, std::memory_order_release);
    if (replication_ != nullptr) replication_->changed_message();
    return said;
}

void Bootstrap::wait_slowly(const std::string &what, const char *done, const std::function<bool()> &ready) {
    wait_->until_slowly(ready, WaitSubject{what, done, [this](int rank) { return rank != rank_; }});
}

void Bootstrap::require_sound() const {
    if (header_ != nullptr) throw_if_aborted(*header_);
}

void Bootstrap::record(const AbortReason &reason) {
    const std::lock_guard<std::mutex> lock(abort_mutex_);
    if (header_ != nullptr) {
        record_abort(*header_, rank_, reason, replication_.get());
    } else if (!early_abort_.has_value()) {
        early_abort_ = reason;
    }
}

void Bootstrap::fail(int code, const std::string &text) {
    record(AbortReason{code, rank_, text});
    throw Failure(code, text);
}

void Bootstrap::require_present(int rank, const std::string &wanted) {
    wait_->require_present(rank, wanted);
}

void Bootstrap::tell_failure(const std::string &text) {
    if (wait_ != nullptr) wait_->require_all_alive(text);
    record(AbortReason{COMM_ABORTED, rank_, text});
}

void Bootstrap::abort(int failed_rank, const char *reason) {
    if (failed_rank < 0 || failed_rank >= nranks_) {
        throw Failure(COMM_INVALID_ARGUMENT, "failed_rank = " + std::to_string(failed_rank) +
                                                 " is not in [0, nranks = " + std::to_string(nranks_) + ")");
    }
    record(AbortReason{COMM_ABORTED, failed_rank, reason == nullptr ? "" : reason});
}

void Bootstrap::set_timeout(int64_t milliseconds) {
    if (milliseconds < 1 || milliseconds > kMaxTimeoutMs) {
        throw Failure(COMM_INVALID_ARGUMENT, "milliseconds = " + std::to_string(milliseconds) + " is not in [1, " +
                                                 std::to_string(kMaxTimeoutMs) + "]");
    }
    timeout_ms_.store(milliseconds, std::memory_order_relaxed);
}

int Bootstrap::aborted_by() {
    const std::lock_guard<std::mutex> lock(abort_mutex_);
    if (header_ == nullptr) return early_abort_.has_value() ? early_abort_->rank : -1;
    if (!is_aborted(*header_)) return -1;
    const int rank = read_abort(*header_).rank;
    // If the record is damaged, the only rank that can be named is this one, which found the damage.
    return rank < 0 ? rank_ : rank;
}

std::optional<AbortReason> Bootstrap::early_abort() {
    const std::lock_guard<std::mutex> lock(abort_mutex_);
    return early_abort_;
}

}  // namespace rankunit::bootstrap
