#include "backends/mpi/endings.h"

namespace rankunit::mpi {
namespace {

// Above those of meetings, which use the same communicator.
constexpr int kTag = 32'767;

}  // namespace

Endings::Endings(MPI_Comm comm) : comm_(comm) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &ranks_);
}

void Endings::say(Word word) {
    ending_.set(static_cast<size_t>(rank_));
    said_.push_back({word, std::vector<MPI_Request>(static_cast<size_t>(ranks_), MPI_REQUEST_NULL)});
    Said &said = said_.back();
    for (int peer = 0; peer < ranks_; peer++) {
        if (peer == rank_) continue;
        MPI_Isend(&said.word, 1, MPI_INT, peer, kTag, comm_, &said.requests[static_cast<size_t>(peer)]);
    }
}

void Endings::poll() {
    for (;;) {
        int arrived = 0;
        MPI_Status status{};
        MPI_Iprobe(MPI_ANY_SOURCE, kTag, comm_, &arrived, &status);
        if (arrived == 0) return;
        int word = kEnds;
        MPI_Recv(&word, 1, MPI_INT, status.MPI_SOURCE, kTag, comm_, MPI_STATUS_IGNORE);
        ending_.set(static_cast<size_t>(status.MPI_SOURCE));
        if (word == kGivesUp) gives_up_ = true;
    }
}

bool Endings::is_said() {
    for (Said &said : said_) {
        int done = 0;
        MPI_Testall(ranks_, said.requests.data(), &done, MPI_STATUSES_IGNORE);
        if (done == 0) return false;
    }
    return true;
}

}  // namespace rankunit::mpi
