// The tasks of one rank, as rankunit/coll.h packs them.
#ifndef RANKUNIT_COLL_TASK_H
#define RANKUNIT_COLL_TASK_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rankunit/coll.h"

namespace rankunit::coll {

constexpr size_t kBuffers = COLL_SCRATCH + 1;
constexpr int kNoPeer = -1;

// What the tasks run on and with.
struct Setting {
    int rank;
    int nranks;
    CollType type;
    CollReduction reduction;
    CollMemory memory;
};

struct Task {
    CollTaskKind kind;
    uint32_t stream;
    uint32_t line;    // number among the plan's lines, from 1 on; 0 if it is not known
    int peer;         // or kNoPeer
    uint32_t notify;  // of a post or a wait
    CollBuffer from_buffer;
    CollBuffer to_buffer;
    uint64_t from;
    uint64_t to;
    uint64_t bytes;

    bool moves_data() const { return kind != COLL_POST && kind != COLL_WAIT; }
    bool reduces() const { return kind == COLL_REDUCE || kind == COLL_PUT_REDUCE || kind == COLL_GET_REDUCE; }
    // The ranks whose buffers are read and written, if it moves data.
    int source_of(int self) const { return kind == COLL_GET || kind == COLL_GET_REDUCE ? peer : self; }
    int target_of(int self) const { return kind == COLL_PUT || kind == COLL_PUT_REDUCE ? peer : self; }
};

// The index of a rank's buffer among all buffers of all ranks.
inline uint32_t base_of(int rank, CollBuffer buffer) {
    return static_cast<uint32_t>(static_cast<size_t>(rank) * kBuffers + buffer);
}

size_t bytes_of(CollType type);

// Names for people: "ACK from rank 0 to rank 1", and the owner of a notify between its own streams.
std::string notify_text(uint32_t notify, int from, int to);
std::string local_notify_text(uint32_t notify, int rank);
// "the main stream", "sub stream 0".
std::string stream_text(size_t stream);

// The lines of the algorithm that queued the tasks: "RingAllReduce.java:41".
using Lines = std::vector<std::string>;
// As coll.h has them. Throws COMM_INVALID_ARGUMENT if they are too many.
Lines split_lines(const char *text);
// What is said of a task after its name: " (RingAllReduce.java:41)", or nothing if its line is not known.
std::string line_text(const Lines &lines, uint32_t line);

// Throws COMM_INVALID_ARGUMENT with the number of the first task that cannot be run.
std::vector<Task> unpack(const uint64_t *words, size_t count, const Setting &setting, const Lines &lines);

// How much of the buffers and notifies some tasks use.
struct Extent {
    std::array<uint64_t, kBuffers> bytes;  // of any rank's buffer, by CollBuffer
    uint64_t link_notifies;                // between two ranks in one direction
    uint64_t local_notifies;
    uint64_t streams;
};

Extent extent_of(const std::vector<Task> &tasks);

}  // namespace rankunit::coll

#endif  // RANKUNIT_COLL_TASK_H
