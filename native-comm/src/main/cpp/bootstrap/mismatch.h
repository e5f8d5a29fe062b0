// What is said of ranks that were started in ways that do not go together.
#ifndef RANKUNIT_BOOTSTRAP_MISMATCH_H
#define RANKUNIT_BOOTSTRAP_MISMATCH_H

#include <cstdint>
#include <string>

namespace rankunit::bootstrap {

inline std::string differ(int rank, const char *what, uint64_t own, uint64_t of_rank_0) {
    return "rank " + std::to_string(rank) + " was started with " + what + " = " + std::to_string(own) +
           ", rank 0 with " + what + " = " + std::to_string(of_rank_0);
}

inline std::string started_twice(int rank, int first, int second) {
    return "rank " + std::to_string(rank) + " was started twice: by process " + std::to_string(first) +
           " and by process " + std::to_string(second);
}

}  // namespace rankunit::bootstrap

#endif  // RANKUNIT_BOOTSTRAP_MISMATCH_H
