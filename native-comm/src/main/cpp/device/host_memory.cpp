#include "device/host_memory.h"

#include <fstream>
#include <sstream>

namespace rankunit::device {
namespace {

// The number in a file; none if the file has "max" or no number, or does not exist.
std::optional<uint64_t> number_in(const std::string &path) {
    std::ifstream file(path);
    uint64_t number = 0;
    if (!(file >> number)) return std::nullopt;
    return number;
}

std::optional<MemoryBound> of_machine(const std::string &root) {
    std::ifstream file(root + "/proc/meminfo");
    uint64_t bytes = 0;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string name;
        uint64_t kilobytes = 0;
        words >> name >> kilobytes;
        if (name == "MemTotal:" || name == "SwapTotal:") bytes += kilobytes * 1024;
    }
    if (bytes == 0) return std::nullopt;
    return MemoryBound{bytes, "memory and swap of this machine"};
}

void narrow(std::optional<MemoryBound> &bound, uint64_t bytes, const std::string &reason) {
    if (!bound.has_value() || bytes < bound->bytes) bound = MemoryBound{bytes, reason};
}

// Applies the limits of this process's group in one hierarchy, whose `path` is in its line of /proc/self/cgroup, and of
// the groups above it.
void narrow_by_groups(std::optional<MemoryBound> &bound, const std::string &folder, std::string path,
                      const char *limit) {
    for (;;) {
        const std::string file = folder + path + "/" + limit;
        if (const std::optional<uint64_t> most = number_in(file)) {
            narrow(bound, *most, std::string("the memory limit of this container (") + limit + ")");
        }
        if (path.empty()) return;
        path.erase(path.rfind('/'));
    }
}

}  // namespace

std::optional<MemoryBound> memory_bound(const std::string &root) {
    std::optional<MemoryBound> bound = of_machine(root);
    std::ifstream groups(root + "/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        // "0::/user.slice" in the one hierarchy of version 2, "9:memory:/docker/1a2b" in version 1
        const size_t first = line.find(':');
        const size_t second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        std::string path = line.substr(second + 1);
        if (path == "/") path.clear();
        if (controllers.empty()) narrow_by_groups(bound, root + "/sys/fs/cgroup", path, "memory.max");
        if (controllers == "memory") {
            narrow_by_groups(bound, root + "/sys/fs/cgroup/memory", path, "memory.limit_in_bytes");
        }
    }
    return bound;
}

std::optional<MemoryBound> exceeded_bound(uint64_t bytes) {
    // Read only once: reading these files takes longer than making a communicator. Never destroyed: threads may outlive
    // statics.
    static const std::optional<MemoryBound> &bound = *new std::optional<MemoryBound>(memory_bound(""));
    return bound.has_value() && bytes > bound->bytes ? bound : std::nullopt;
}

}  // namespace rankunit::device
