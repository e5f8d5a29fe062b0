#include "bootstrap/segment/peer_watch.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace rankunit::bootstrap {

int PeerWatch::find_dead() {
    if (replication_ != nullptr) return find_lost();
    std::array<pollfd, kMaxRanks> watched{};
    std::array<int, kMaxRanks> ranks{};
    nfds_t count = 0;
    for (int rank = 0; rank < nranks_; rank++) {
        switch (watch(rank)) {
            case Presence::kUnknown:
                break;
            case Presence::kDead:
                if (!has_left(rank)) return rank;
                break;
            case Presence::kWatched:
                watched[count] = pollfd{processes_[rank].get(), POLLIN, 0};
                ranks[count++] = rank;
                break;
        }
    }
    if (count == 0 || poll(watched.data(), count, 0) <= 0) return -1;
    for (nfds_t i = 0; i < count; i++) {
        // A peer marks itself as left before its process can end, so checking in this order never blames it wrongly.
        if (watched[i].revents != 0 && !has_left(ranks[i])) return ranks[i];
    }
    return -1;
}

bool PeerWatch::dies_within(int rank, std::chrono::milliseconds at_most) {
    if (replication_ != nullptr) return is_lost(rank);
    switch (watch(rank)) {
        case Presence::kUnknown:
            return false;
        case Presence::kDead:
            return !has_left(rank);
        case Presence::kWatched:
            break;
    }
    pollfd process{processes_[rank].get(), POLLIN, 0};
    return poll(&process, 1, static_cast<int>(at_most.count())) > 0 && !has_left(rank);
}

int PeerWatch::find_left(const std::function<bool(int)> &has_done) const {
    const bool cut_off = replication_ != nullptr && replication_->is_cut_off();
    bool missing = false;
    for (int rank = 0; rank < nranks_; rank++) {
        if (rank == self_) continue;
        const bool left = has_left(rank);
        if (has_done(rank)) continue;
        if (left) return rank;
        missing = true;
    }
    return missing && cut_off ? 0 : -1;
}

int PeerWatch::find_lost() const {
    for (int rank = 0; rank < nranks_; rank++) {
        if (is_lost(rank)) return rank;
    }
    return -1;
}

bool PeerWatch::is_lost(int rank) const {
    return replication_->is_dead(rank) && !has_left(rank);
}

bool PeerWatch::has_left(int rank) const {
    // seq_cst: a sleeper's last check, see wait.h
    return header_.slots[rank].state.load(std::memory_order_seq_cst) == kSlotLeft;
}

PeerWatch::Presence PeerWatch::watch(int rank) {
    if (processes_[rank]) return Presence::kWatched;
    const RankSlot &slot = header_.slots[rank];
    if (rank == self_ || slot.state.load(std::memory_order_acquire) != kSlotAttached) return Presence::kUnknown;
    const int pid = slot.pid.load(std::memory_order_relaxed);
    if (pid == getpid()) return Presence::kUnknown;  // ranks that are threads of one process end together
    processes_[rank] = UniqueFd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
    if (processes_[rank]) return Presence::kWatched;
    return errno == ESRCH ? Presence::kDead : Presence::kUnknown;
}

}  // namespace rankunit::bootstrap
