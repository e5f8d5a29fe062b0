// What the system says about threads, of this process and of others.
#ifndef RANKUNIT_SHAKE_THREAD_LOOK_H
#define RANKUNIT_SHAKE_THREAD_LOOK_H

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "support/unique_fd.h"

namespace rankunit::shake {

// All of a process; none if it has ended.
std::vector<pid_t> threads_of(pid_t process);

// Of this thread, in ns.
uint64_t processor_time() noexcept;

struct ThreadLook {
    char state = '\0';   // 'R' and others: see proc(5). '\0' if nothing is known
    uint64_t ran = 0;    // processor time in ns
    uint64_t turns = 0;  // how often it was given a processor; 0 if the system does not count

    // A thread that could run but has no processor goes on.
    bool goes_on() const { return state == 'R' || state == 'D'; }
    bool is_gone() const { return state == 'X' || state == 'Z'; }
};

// Looks at threads again and again, for which it keeps files open. Not thread-safe.
class ThreadLooks {
public:
    ThreadLook look(pid_t process, pid_t thread);

private:
    struct Files {
        UniqueFd stat;
        UniqueFd schedstat;
    };
    using Thread = std::pair<pid_t, pid_t>;

    Files &files_of(const Thread &thread);

    std::map<Thread, Files> open_;
};

}  // namespace rankunit::shake

#endif  // RANKUNIT_SHAKE_THREAD_LOOK_H
