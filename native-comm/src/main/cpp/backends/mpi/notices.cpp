#include "backends/mpi/notices.h"

#include <algorithm>
#include <cstddef>

#include "rankunit/comm.h"

namespace rankunit::mpi {

Notices::Notices(MPI_Comm comm, int tag, int rank, int nranks)
    : comm_(comm),
      tag_(tag),
      rank_(rank),
      peers_(static_cast<size_t>(nranks)),
      received_(peers_.size()),
      sending_entered_(peers_.size(), MPI_REQUEST_NULL),
      sending_last_(peers_.size(), MPI_REQUEST_NULL),
      receiving_(peers_.size(), MPI_REQUEST_NULL),
      arrived_(peers_.size()) {
    for (size_t peer = 0; peer < peers_.size(); peer++) {
        if (peer != static_cast<size_t>(rank_)) receive_from(peer);
    }
}

void Notices::send_entered(uint64_t number) {
    entered_.kind = kEntered;
    entered_.count = number;
    peers_[static_cast<size_t>(rank_)].entered = number;
    send(entered_, offsetof(Notice, reason), sending_entered_);
}

void Notices::send_last(uint64_t transfers, const Reason *reason) {
    last_sent_ = true;
    last_ = {kLast, transfers, reason == nullptr ? Reason{} : *reason};
    Peer &own = peers_[static_cast<size_t>(rank_)];
    own.last = true;
    own.transfers = transfers;
    send(last_, sizeof(Notice), sending_last_);
}

void Notices::send(const Notice &notice, size_t bytes, std::vector<MPI_Request> &requests) {
    for (size_t peer = 0; peer < peers_.size(); peer++) {
        if (peer == static_cast<size_t>(rank_)) continue;
        require(
            MPI_Isend(&notice, static_cast<int>(bytes), MPI_BYTE, static_cast<int>(peer), tag_, comm_, &requests[peer]),
            "MPI_Isend");
    }
}

void Notices::receive_from(size_t rank) {
    require(
        MPI_Irecv(&received_[rank], sizeof(Notice), MPI_BYTE, static_cast<int>(rank), tag_, comm_, &receiving_[rank]),
        "MPI_Irecv");
}

void Notices::poll() {
    int count = 0;
    require(MPI_Testsome(static_cast<int>(receiving_.size()), receiving_.data(), &count, arrived_.data(),
                         MPI_STATUSES_IGNORE),
            "MPI_Testsome");
    // MPI_UNDEFINED, which is negative, if nothing is to come.
    for (int i = 0; i < count; i++) take(static_cast<size_t>(arrived_[static_cast<size_t>(i)]));
}

void Notices::take(size_t rank) {
    const Notice &notice = received_[rank];
    Peer &peer = peers_[rank];
    if (notice.kind == kEntered) {
        peer.entered = notice.count;
        receive_from(rank);
        return;
    }
    peer.last = true;
    peer.transfers = notice.count;
    peer.left = notice.reason.code == COMM_OK;
    if (!peer.left && !reason_.has_value()) reason_ = notice.reason;
}

bool Notices::are_over() const {
    return std::all_of(peers_.begin(), peers_.end(), [](const Peer &peer) { return peer.last; });
}

uint64_t Notices::most_transfers() const {
    uint64_t most = 0;
    for (const Peer &peer : peers_) most = std::max(most, peer.transfers);
    return most;
}

RankSet Notices::pending() {
    RankSet ranks;
    for (std::vector<MPI_Request> *requests : {&sending_entered_, &sending_last_}) {
        int count = 0;
        require(MPI_Testsome(static_cast<int>(requests->size()), requests->data(), &count, arrived_.data(),
                             MPI_STATUSES_IGNORE),
                "MPI_Testsome");
        for (size_t rank = 0; rank < requests->size(); rank++) {
            if ((*requests)[rank] != MPI_REQUEST_NULL) ranks.set(rank);
        }
    }
    return ranks;
}

void Notices::finish() {
    for (std::vector<MPI_Request> *requests : {&sending_entered_, &sending_last_}) {
        MPI_Waitall(static_cast<int>(requests->size()), requests->data(), MPI_STATUSES_IGNORE);
    }
}

}  // namespace rankunit::mpi
