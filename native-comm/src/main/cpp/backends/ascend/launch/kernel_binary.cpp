#include "backends/ascend/launch/kernel_binary.h"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "rankunit/device.h"
#include "support/failure.h"

namespace rankunit::ascend {
namespace {

// The vendor's file has one kernel in two parts, one for each kind of core; it is found by its name without these.
constexpr const char *kParts[] = {"", "_mix_aic", "_mix_aiv"};

constexpr char kSections[] = ".ascend.meta.";

// What a section of a kernel consists of: entries of a head and `length` bytes.
struct EntryHead {
    uint16_t type;
    uint16_t length;
};
constexpr uint16_t kCores = 1;

// The vendor wants a path from the root on.
std::string whole_path(const std::string &path) {
    char whole[PATH_MAX];
    if (realpath(path.c_str(), whole) == nullptr) {
        throw Failure(DEVICE_KERNEL_LOAD, "the kernel's binary cannot be loaded: " + system_text(path.c_str()));
    }
    return whole;
}

std::string contents(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (!file.good() && !file.eof()) {
        throw Failure(DEVICE_KERNEL_LOAD, "the kernel's binary cannot be read: " + system_text(path.c_str()));
    }
    return bytes;
}

bool names_cores(const std::string &section) {
    EntryHead head{};
    for (size_t at = 0; at + sizeof(head) <= section.size(); at += sizeof(head) + head.length) {
        std::memcpy(&head, section.data() + at, sizeof(head));
        if (head.type == kCores)
            return head.length == sizeof(uint32_t) && at + sizeof(head) + head.length <= section.size();
    }
    return false;
}

bool has_description(const std::string &path) {
    const size_t dot = path.rfind('.');
    const size_t slash = path.rfind('/');
    const std::string stem = dot == std::string::npos || dot < slash ? path : path.substr(0, dot);
    return access((stem + ".json").c_str(), R_OK) == 0;
}

}  // namespace

KernelBinary::KernelBinary(const std::string &path)
    : path_(whole_path(path)), bytes_(contents(path_)), names_(read_elf_names(bytes_, kSections)) {}

bool KernelBinary::has(const std::string &kernel) const {
    return std::any_of(std::begin(kParts), std::end(kParts),
                       [&](const char *part) { return names_.symbols.count(kernel + part) != 0; });
}

bool KernelBinary::says_cores_of(const std::string &kernel) const {
    for (const char *part : kParts) {
        const auto section = names_.sections.find(kSections + kernel + part);
        if (section != names_.sections.end() && names_cores(section->second)) return true;
        if (*part != '\0' && names_.symbols.count(kernel + part) != 0) return true;
    }
    return has_description(path_);
}

}  // namespace rankunit::ascend
