#include "backends/mpi/meeting.h"

#include "rankunit/comm.h"

namespace rankunit::mpi {

Meeting::Meeting(MPI_Comm comm, int rank, int nranks, uint64_t generation, const Settings &own)
    : comm_(comm),
      rank_(rank),
      nranks_(nranks),
      // Neighbours in time only must not be mixed up; 32767 is the largest tag that every MPI has.
      tag_(static_cast<int>(generation % 16'000) * 2),
      settings_(static_cast<size_t>(nranks)),
      verdicts_(static_cast<size_t>(nranks)),
      settings_asked_(static_cast<size_t>(nranks), MPI_REQUEST_NULL),
      verdicts_asked_(static_cast<size_t>(nranks), MPI_REQUEST_NULL) {
    settings_[own_index()] = own;
    for (int peer = 0; peer < nranks_; peer++) {
        if (peer == rank_) continue;
        const size_t i = static_cast<size_t>(peer);
        require(MPI_Irecv(&settings_[i], sizeof(Settings), MPI_BYTE, peer, tag_, comm_, &settings_asked_[i]),
                "MPI_Irecv");
        require(MPI_Irecv(&verdicts_[i], sizeof(Reason), MPI_BYTE, peer, tag_ + 1, comm_, &verdicts_asked_[i]),
                "MPI_Irecv");
    }
    send(&settings_[own_index()], sizeof(Settings), tag_);
}

void Meeting::say(const Reason &verdict) {
    verdicts_[own_index()] = verdict;
    send(&verdicts_[own_index()], sizeof(Reason), tag_ + 1);
}

bool Meeting::is_over() {
    for (std::vector<MPI_Request> *requests : {&settings_asked_, &verdicts_asked_, &sent_}) {
        int done = 0;
        MPI_Testall(static_cast<int>(requests->size()), requests->data(), &done, MPI_STATUSES_IGNORE);
        if (done == 0) return false;
    }
    return true;
}

void Meeting::give_up() {
    for (std::vector<MPI_Request> *asked : {&settings_asked_, &verdicts_asked_}) {
        for (MPI_Request &request : *asked) {
            if (request == MPI_REQUEST_NULL) continue;
            MPI_Cancel(&request);
            MPI_Request_free(&request);
        }
    }
}

const Reason *Meeting::refusal() {
    for (int rank = 0; rank < nranks_; rank++) {
        const Reason &verdict = verdicts_[static_cast<size_t>(rank)];
        if (rank != rank_ && has_verdict_of(rank) && verdict.code != COMM_OK) return &verdict;
    }
    return nullptr;
}

bool Meeting::answered(MPI_Request &request) {
    int done = 0;
    require(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done != 0;
}

void Meeting::send(const void *message, size_t bytes, int tag) {
    for (int peer = 0; peer < nranks_; peer++) {
        if (peer == rank_) continue;
        sent_.push_back(MPI_REQUEST_NULL);
        require(MPI_Isend(message, static_cast<int>(bytes), MPI_BYTE, peer, tag, comm_, &sent_.back()), "MPI_Isend");
    }
}

}  // namespace rankunit::mpi
