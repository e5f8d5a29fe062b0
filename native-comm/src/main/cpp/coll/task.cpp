#include "coll/task.h"

#include <algorithm>
#include <cstring>

#include "support/failure.h"

namespace rankunit::coll {
namespace {

// Half of the address space of a process on the smallest supported machine: sums of two cannot overflow.
constexpr uint64_t kMostBytes = uint64_t{1} << 46;

[[noreturn]] void refuse(size_t number, const std::string &reason) {
    throw Failure(COMM_INVALID_ARGUMENT, "task " + std::to_string(number) + ": " + reason);
}

void require_below(size_t number, const char *name, uint64_t value, uint64_t limit) {
    if (value >= limit) {
        refuse(number,
               std::string(name) + " = " + std::to_string(value) + " is not in [0, " + std::to_string(limit) + ")");
    }
}

Task parse(const uint64_t *words, size_t number) {
    const uint64_t kind = words[0] & 0xff;
    const uint64_t from_buffer = words[0] >> 8 & 0xff;
    const uint64_t to_buffer = words[0] >> 16 & 0xff;
    require_below(number, "kind", kind, COLL_WAIT + 1);
    require_below(number, "buffer", std::max(from_buffer, to_buffer), kBuffers);
    const auto peer = static_cast<uint32_t>(words[1]);
    return Task{static_cast<CollTaskKind>(kind),
                static_cast<uint32_t>(words[0] >> 32 & 0xffff),
                static_cast<uint32_t>(words[0] >> 48),
                peer == UINT32_MAX ? kNoPeer : static_cast<int>(peer),
                static_cast<uint32_t>(words[1] >> 32),
                static_cast<CollBuffer>(from_buffer),
                static_cast<CollBuffer>(to_buffer),
                words[2],
                words[3],
                words[4]};
}

void check_data(const Task &task, size_t number, const Setting &setting) {
    require_below(number, "from", task.from, kMostBytes);
    require_below(number, "to", task.to, kMostBytes);
    require_below(number, "bytes", task.bytes, kMostBytes);
    const bool alone = task.kind == COLL_COPY || task.kind == COLL_REDUCE;
    if (alone != (task.peer == kNoPeer)) refuse(number, alone ? "it has a peer" : "it has no peer");
    if (task.reduces() && setting.type == COLL_BYTES) refuse(number, "elements of this type cannot be reduced");
    if (task.reduces() && task.bytes % bytes_of(setting.type) != 0) {
        refuse(number, std::to_string(task.bytes) + " bytes are not a whole number of elements of " +
                           std::to_string(bytes_of(setting.type)));
    }
    const CollBuffer there = task.source_of(setting.rank) == setting.rank ? task.to_buffer : task.from_buffer;
    if (!alone && setting.memory == COLL_SINGLE_OPERATOR && there != COLL_CCL_IN && there != COLL_CCL_OUT) {
        refuse(number, "of another rank's memory, only the CCL buffers can be reached");
    }
}

void check(const Task &task, size_t number, const Setting &setting, const Lines &lines) {
    require_below(number, "stream", task.stream, COLL_MAX_STREAMS);
    require_below(number, "line", task.line, lines.size() + 1);
    if (task.peer != kNoPeer) {
        if (task.peer < 0 || task.peer >= setting.nranks || task.peer == setting.rank) {
            refuse(number, "peer = " + std::to_string(task.peer) + " is not another of the " +
                               std::to_string(setting.nranks) + " ranks");
        }
    }
    if (task.moves_data()) {
        check_data(task, number, setting);
    } else {
        require_below(number, "notify", task.notify, COLL_MAX_NOTIFIES);
    }
}

}  // namespace

size_t bytes_of(CollType type) {
    switch (type) {
        case COLL_FLOAT64:
        case COLL_INT64:
        case COLL_UINT64:
            return 8;
        case COLL_FLOAT32:
        case COLL_INT32:
        case COLL_UINT32:
            return 4;
        case COLL_FLOAT16:
        case COLL_BFLOAT16:
        case COLL_INT16:
        case COLL_UINT16:
            return 2;
        default:
            return 1;
    }
}

std::string notify_text(uint32_t notify, int from, int to) {
    static const std::array<const char *, COLL_SIGNALS> kNames{"ACK", "DATA_SIGNAL", "DATA_ACK"};
    const uint32_t link = notify / COLL_SIGNALS;
    return std::string(kNames[notify % COLL_SIGNALS]) + " from rank " + std::to_string(from) + " to rank " +
           std::to_string(to) + (link == 0 ? "" : " on link " + std::to_string(link));
}

std::string local_notify_text(uint32_t notify, int rank) {
    return "notify " + std::to_string(notify) + " of rank " + std::to_string(rank);
}

std::string stream_text(size_t stream) {
    return stream == 0 ? "the main stream" : "sub stream " + std::to_string(stream - 1);
}

Lines split_lines(const char *text) {
    Lines lines;
    for (const char *rest = text; rest != nullptr && *rest != '\0';) {
        const char *const end = std::strchr(rest, '\n');
        lines.push_back(end == nullptr ? std::string(rest) : std::string(rest, end));
        rest = end == nullptr ? nullptr : end + 1;
    }
    if (lines.size() > COLL_MAX_LINES) {
        throw Failure(COMM_INVALID_ARGUMENT, "lines: " + std::to_string(lines.size()) + " of them, where at most " +
                                                 std::to_string(COLL_MAX_LINES) + " can be numbered");
    }
    return lines;
}

std::string line_text(const Lines &lines, uint32_t line) {
    return line == 0 ? "" : " (" + lines[line - 1] + ")";
}

std::vector<Task> unpack(const uint64_t *words, size_t count, const Setting &setting, const Lines &lines) {
    std::vector<Task> tasks;
    tasks.reserve(count);
    for (size_t number = 0; number < count; number++) {
        tasks.push_back(parse(words + number * COLL_TASK_WORDS, number));
        check(tasks.back(), number, setting, lines);
    }
    return tasks;
}

Extent extent_of(const std::vector<Task> &tasks) {
    Extent extent{};
    const auto cover = [&](CollBuffer buffer, uint64_t end) {
        extent.bytes[buffer] = std::max(extent.bytes[buffer], end);
    };
    for (const Task &task : tasks) {
        extent.streams = std::max<uint64_t>(extent.streams, task.stream + 1);
        if (task.moves_data()) {
            cover(task.from_buffer, task.from + task.bytes);
            cover(task.to_buffer, task.to + task.bytes);
        } else {
            uint64_t &notifies = task.peer == kNoPeer ? extent.local_notifies : extent.link_notifies;
            notifies = std::max<uint64_t>(notifies, task.notify + 1);
        }
    }
    return extent;
}

}  // namespace rankunit::coll
