#ifndef RANKUNIT_BACKENDS_MPI_ENDINGS_H
#define RANKUNIT_BACKENDS_MPI_ENDINGS_H

#include <list>
#include <vector>

#include "backends/mpi/mpi_call.h"
#include "backends/mpi/reason.h"

namespace rankunit::mpi {

// Which processes of the run are about to end. MPI_Finalize waits for all of them, and nothing can end that wait, so a
// process looks here first.
class Endings {
public:
    explicit Endings(MPI_Comm comm);
    Endings(const Endings &) = delete;
    Endings &operator=(const Endings &) = delete;

    // Tells all others that this process will end MPI, or that it ends without doing so.
    void say_ends() { say(kEnds); }
    void say_gives_up() { say(kGivesUp); }

    // Receives what the others have said.
    void poll();
    bool all_end() const { return ending_.count() == static_cast<size_t>(ranks_); }
    bool one_gives_up() const { return gives_up_; }
    // Whether what this process has said is on its way no more.
    bool is_said();

private:
    enum Word : int { kEnds, kGivesUp };
    struct Said {
        int word;
        std::vector<MPI_Request> requests;
    };

    void say(Word word);

    MPI_Comm comm_;
    int rank_ = 0;
    int ranks_ = 0;
    RankSet ending_;
    bool gives_up_ = false;
    std::list<Said> said_;
};

}  // namespace rankunit::mpi

#endif  // RANKUNIT_BACKENDS_MPI_ENDINGS_H
