// The tasks of one rank in the form in which they are run: consecutive moves with the same target are one step, so that
// the target is read and written once.
#ifndef RANKUNIT_COLL_HOST_PROGRAM_H
#define RANKUNIT_COLL_HOST_PROGRAM_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "coll/host/shared_part.h"
#include "coll/reduce/reduce.h"
#include "coll/task.h"

namespace rankunit::coll {

// Bytes in a buffer of a rank; their address is known when the plan runs.
struct Place {
    uint32_t base;  // index of the buffer, see base_of
    uint64_t offset;
};

struct Step {
    enum Kind : uint8_t { kMove, kPost, kWait, kPostLocal, kWaitLocal };
    Kind kind;
    bool first_reduces;  // of a move: whether the first source is reduced with the target, and not copied to it
    int peer;
    uint32_t notify;
    uint32_t line;  // number among the plan's lines, see Task
    Notify *word;   // of kPost and kWait
    Place to;
    uint64_t bytes;
    uint32_t first_source;  // those of a move; each but the first is reduced with the target
    uint32_t sources;
};

struct Program {
    std::vector<std::vector<Step>> streams;
    std::vector<Place> sources;
    uint64_t local_notifies = 0;
    // Whether the data of all ranks does not fit in the caches.
    bool past_cache = false;
    size_t element_bytes = 1;
    Combine combine = nullptr;
};

Program compile(const std::vector<Task> &tasks, const Setting &setting, const Extent &own, const SharedPart &part);

}  // namespace rankunit::coll

#endif  // RANKUNIT_COLL_HOST_PROGRAM_H
