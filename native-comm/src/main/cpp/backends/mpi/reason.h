// Ranks, sets of them, and why a communicator can no longer be used.
#ifndef RANKUNIT_BACKENDS_MPI_REASON_H
#define RANKUNIT_BACKENDS_MPI_REASON_H

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>

#include "rankunit/kernel.h"

namespace rankunit::mpi {

constexpr int kMaxRanks = COMM_MAX_RANK_NUM;
constexpr size_t kPageBytes = 4096;

constexpr size_t round_up_to_page(size_t bytes) {
    return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
}

using RankSet = std::bitset<kMaxRanks>;

// Those for which `condition` holds. Asks once for each: the answer may change meanwhile.
template <typename Condition>
RankSet ranks_where(int nranks, Condition condition) {
    RankSet ranks;
    for (int rank = 0; rank < nranks; rank++) ranks[static_cast<size_t>(rank)] = condition(rank);
    return ranks;
}

// The smallest of a set that is not empty.
int first_of(const RankSet &ranks);

// "rank 2".
std::string name(int rank);

// "rank 2" or "ranks 2, 3".
std::string list(const RankSet &ranks);

// Why a communicator can no longer be used. Sent from rank to rank, and kept in shared memory.
struct Reason {
    static constexpr size_t kMaxText = 1200;  // a list of 63 ranks, or two paths

    int32_t code;  // CommStatus that the ranks report; COMM_OK is none
    int32_t rank;  // to blame
    char text[kMaxText + 1];

    static Reason of(int code, int rank, const std::string &text);

    [[noreturn]] void raise() const;
};

}  // namespace rankunit::mpi

#endif  // RANKUNIT_BACKENDS_MPI_REASON_H
