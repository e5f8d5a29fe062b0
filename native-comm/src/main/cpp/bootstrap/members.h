// An ordered subset of the ranks of a communicator: all of them, or a domain.
#ifndef RANKUNIT_BOOTSTRAP_MEMBERS_H
#define RANKUNIT_BOOTSTRAP_MEMBERS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rankunit::bootstrap {

class Members {
public:
    static Members all(int nranks, int self);

    // Throws unless `ranks` are `count` different ranks in [0, nranks) and the one at `place` is `self`.
    static Members of(const uint32_t *ranks, size_t count, uint32_t place, int nranks, int self);

    size_t count() const { return ranks_.size(); }
    size_t place() const { return place_; }  // index of this process's rank in the order
    int rank(size_t at) const { return static_cast<int>(ranks_[at]); }
    int self() const { return rank(place_); }
    uint64_t bits() const;  // one bit for each rank

    std::string text() const;  // "0, 2, 5"

private:
    Members(std::vector<uint32_t> ranks, size_t place) : ranks_(std::move(ranks)), place_(place) {}

    std::vector<uint32_t> ranks_;
    size_t place_;
};

}  // namespace rankunit::bootstrap

#endif  // RANKUNIT_BOOTSTRAP_MEMBERS_H
