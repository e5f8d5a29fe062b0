// Distinguishes the process that made an object from one that was forked from it later.
#ifndef RANKUNIT_SUPPORT_OWNING_PROCESS_H
#define RANKUNIT_SUPPORT_OWNING_PROCESS_H

#include <cstdint>

namespace rankunit {

// A forked child inherits handles, and the memory through which its parent meets its peers. Anything it did there would
// count as done by its parent. The check costs one load from memory. Thread-safe.
class OwningProcess {
public:
    OwningProcess();

    // Throws a Failure with `code` in a process that was forked after this object was made. `what` names the object's
    // owner: "communicator".
    void require(int code, const char *what) const {
        if (forks_ != forks_so_far()) refuse(code, what);
    }

private:
    // How many forks led to this process, as far as this library has seen them.
    static uint32_t forks_so_far();
    [[noreturn]] void refuse(int code, const char *what) const;

    int pid_;
    uint32_t forks_;
};

}  // namespace rankunit

#endif  // RANKUNIT_SUPPORT_OWNING_PROCESS_H
