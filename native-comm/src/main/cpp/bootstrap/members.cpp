#include "bootstrap/members.h"

#include <numeric>

#include "rankunit/comm.h"
#include "support/failure.h"

namespace rankunit::bootstrap {

Members Members::all(int nranks, int self) {
    std::vector<uint32_t> ranks(static_cast<size_t>(nranks));
    std::iota(ranks.begin(), ranks.end(), 0u);
    return Members(std::move(ranks), static_cast<size_t>(self));
}

Members Members::of(const uint32_t *ranks, size_t count, uint32_t place, int nranks, int self) {
    const std::string all = "nranks = " + std::to_string(nranks);
    if (count < 1 || count > static_cast<size_t>(nranks)) {
        throw Failure(COMM_INVALID_ARGUMENT, "rank_count = " + std::to_string(count) + " is not in [1, " + all + "]");
    }
    uint64_t seen = 0;
    for (size_t i = 0; i < count; i++) {
        const std::string at = "rank_ids[" + std::to_string(i) + "] = " + std::to_string(ranks[i]);
        if (ranks[i] >= static_cast<uint32_t>(nranks)) {
            throw Failure(COMM_INVALID_ARGUMENT, at + " is not in [0, " + all + ")");
        }
        const uint64_t bit = uint64_t{1} << ranks[i];
        if ((seen & bit) != 0) throw Failure(COMM_INVALID_ARGUMENT, at + " is there twice");
        seen |= bit;
    }
    if (place >= count) {
        throw Failure(COMM_INVALID_ARGUMENT, "domain_rank = " + std::to_string(place) +
                                                 " is not in [0, rank_count = " + std::to_string(count) + ")");
    }
    if (ranks[place] != static_cast<uint32_t>(self)) {
        throw Failure(COMM_INVALID_ARGUMENT, "domain_rank = " + std::to_string(place) + " is rank " +
                                                 std::to_string(ranks[place]) + ", but this is rank " +
                                                 std::to_string(self));
    }
    return Members(std::vector<uint32_t>(ranks, ranks + count), place);
}

uint64_t Members::bits() const {
    uint64_t bits = 0;
    for (const uint32_t rank : ranks_) bits |= uint64_t{1} << rank;
    return bits;
}

std::string Members::text() const {
    std::string text;
    for (const uint32_t rank : ranks_) text += (text.empty() ? "" : ", ") + std::to_string(rank);
    return text;
}

}  // namespace rankunit::bootstrap
