#include "backends/mpi/reason.h"

#include "rankunit/comm.h"
#include "support/failure.h"

namespace rankunit::mpi {

int first_of(const RankSet &ranks) {
    size_t rank = 0;
    while (!ranks[rank]) rank++;
    return static_cast<int>(rank);
}

std::string name(int rank) {
    return "rank " + std::to_string(rank);
}

std::string list(const RankSet &ranks) {
    std::string text = ranks.count() == 1 ? "rank" : "ranks";
    const char *separator = " ";
    for (size_t rank = 0; rank < ranks.size(); rank++) {
        if (!ranks[rank]) continue;
        text += separator + std::to_string(rank);
        separator = ", ";
    }
    return text;
}

Reason Reason::of(int code, int rank, const std::string &text) {
    Reason reason{code, rank, ""};
    text.copy(reason.text, kMaxText);
    return reason;
}

void Reason::raise() const {
    if (code != COMM_ABORTED) throw Failure(code, text);
    throw Failure(COMM_ABORTED, "aborted because of " + name(rank) + ": " + text);
}

}  // namespace rankunit::mpi
