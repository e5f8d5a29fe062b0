#ifndef RANKUNIT_BACKENDS_MPI_MEETING_H
#define RANKUNIT_BACKENDS_MPI_MEETING_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "backends/mpi/mpi_call.h"
#include "backends/mpi/reason.h"

namespace rankunit::mpi {

constexpr size_t kMaxPath = 512;

// What each rank tells all others when it wants windows.
struct Settings {
    uint64_t window_bytes;
    uint64_t oldest;  // no group before this generation is in use in that rank
    char path[kMaxPath + 1];
};

// The ranks' talk before they bring anything up. Each sends its settings, and then its verdict: that it goes on, or why
// not.
class Meeting {
public:
    Meeting(MPI_Comm comm, int rank, int nranks, uint64_t generation, const Settings &own);
    Meeting(const Meeting &) = delete;
    Meeting &operator=(const Meeting &) = delete;

    void say(const Reason &verdict);

    // Whether nothing is on its way any more. Until then it has to be kept, as MPI writes into it.
    bool is_over();
    // Asks no more. For the end of MPI, since it is kept all the same.
    void give_up();

    bool has_settings_of(int rank) { return answered(settings_asked_[static_cast<size_t>(rank)]); }
    bool has_verdict_of(int rank) { return answered(verdicts_asked_[static_cast<size_t>(rank)]); }
    const Settings &settings_of(int rank) const { return settings_[static_cast<size_t>(rank)]; }
    // The first refusal that has arrived, or nullptr.
    const Reason *refusal();

private:
    size_t own_index() const { return static_cast<size_t>(rank_); }
    static bool answered(MPI_Request &request);
    void send(const void *message, size_t bytes, int tag);

    MPI_Comm comm_;
    const int rank_;
    const int nranks_;
    const int tag_;
    std::vector<Settings> settings_;
    std::vector<Reason> verdicts_;
    std::vector<MPI_Request> settings_asked_;
    std::vector<MPI_Request> verdicts_asked_;
    std::vector<MPI_Request> sent_;
};

}  // namespace rankunit::mpi

#endif  // RANKUNIT_BACKENDS_MPI_MEETING_H
