#ifndef RANKUNIT_BACKENDS_MPI_NOTICES_H
#define RANKUNIT_BACKENDS_MPI_NOTICES_H

#include <cstdint>
#include <optional>
#include <vector>

#include "backends/mpi/mpi_call.h"
#include "backends/mpi/reason.h"

namespace rankunit::mpi {

// What the ranks of a group on several machines tell each other, in small messages: each barrier that they enter, and
// in the end why they enter no more. From one rank to another, messages arrive in the order in which they were sent.
class Notices {
public:
    // `tag` is used for nothing else in `comm`.
    Notices(MPI_Comm comm, int tag, int rank, int nranks);
    Notices(const Notices &) = delete;
    Notices &operator=(const Notices &) = delete;

    // Tells all others that this rank has entered its barrier `number`. The notices of the previous one are under way
    // no more, and the last one is not sent yet.
    void send_entered(uint64_t number);

    // The last notice: this rank has begun `transfers` transfers of windows, and begins no more than others have. It
    // has left, if there is no reason.
    void send_last(uint64_t transfers, const Reason *reason);
    bool last_is_sent() const { return last_sent_; }

    // Receives what has arrived.
    void poll();

    uint64_t entered(int rank) const { return peer(rank).entered; }
    bool has_left(int rank) const { return peer(rank).left; }
    // The first one that has arrived, or nullptr.
    const Reason *reason() const { return reason_.has_value() ? &*reason_ : nullptr; }
    // Whether the last notice of every rank is known, and then how many transfers any rank has begun.
    bool are_over() const;
    uint64_t most_transfers() const;

    // Those to which notices are still under way.
    RankSet pending();
    // Waits until there are none.
    void finish();

private:
    enum Kind : int32_t { kEntered, kLast };
    struct Notice {
        Kind kind;
        uint64_t count;  // barriers entered, or transfers begun
        Reason reason;   // of the last notice
    };
    struct Peer {
        uint64_t entered = 0;
        uint64_t transfers = 0;
        bool last = false;  // its last notice has arrived
        bool left = false;
    };

    const Peer &peer(int rank) const { return peers_[static_cast<size_t>(rank)]; }
    void send(const Notice &notice, size_t bytes, std::vector<MPI_Request> &requests);
    void receive_from(size_t rank);
    void take(size_t rank);

    MPI_Comm comm_;
    const int tag_;
    const int rank_;
    std::vector<Peer> peers_;  // this rank too
    std::optional<Reason> reason_;
    bool last_sent_ = false;

    // MPI reads and writes these; one for each rank where it is a vector.
    Notice entered_{};
    Notice last_{};
    std::vector<Notice> received_;
    std::vector<MPI_Request> sending_entered_;
    std::vector<MPI_Request> sending_last_;
    std::vector<MPI_Request> receiving_;
    std::vector<int> arrived_;
};

}  // namespace rankunit::mpi

#endif  // RANKUNIT_BACKENDS_MPI_NOTICES_H
