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
constexpr uint16_t kRatio = 3;  // of cube cores and vector cores in a block

// The kinds of cores in such an entry, by the vendor's headers.
enum Kind : uint32_t {
    kCube = 2,
    kVector = 3,
    kMixedOfCube = 4,
    kMixedOfVector = 5,
    kCubeAgain = 6,
    kVectorAgain = 7,
};

struct Ratio {
    uint16_t cube;
    uint16_t vector;
};

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

// The first entry of this type if it is as long as a T.
template <typename T>
std::optional<T> entry(const std::string &section, uint16_t type) {
    EntryHead head{};
    for (size_t at = 0; at + sizeof(head) <= section.size(); at += sizeof(head) + head.length) {
        std::memcpy(&head, section.data() + at, sizeof(head));
        if (head.type != type) continue;
        T value{};
        if (head.length != sizeof(value) || at + sizeof(head) + sizeof(value) > section.size()) return std::nullopt;
        std::memcpy(&value, section.data() + at + sizeof(head), sizeof(value));
        return value;
    }
    return std::nullopt;
}

// A kernel of mixed kind may have cores of one kind alone.
std::optional<BlockCores> cores_in(const std::string &section) {
    const std::optional<uint32_t> kind = entry<uint32_t>(section, kCores);
    switch (kind.value_or(0)) {
        case kCube:
        case kCubeAgain:
            return BlockCores::kCube;
        case kVector:
        case kVectorAgain:
            return BlockCores::kVector;
        case kMixedOfCube:
        case kMixedOfVector: {
            const Ratio ratio = entry<Ratio>(section, kRatio).value_or(Ratio{1, 2});
            if (ratio.vector == 0) return BlockCores::kCube;
            return ratio.cube == 0 ? BlockCores::kVector : BlockCores::kMixed;
        }
        default:
            return std::nullopt;
    }
}

std::string description_of(const std::string &path) {
    const size_t dot = path.rfind('.');
    const size_t slash = path.rfind('/');
    return (dot == std::string::npos || dot < slash ? path : path.substr(0, dot)) + ".json";
}

bool has_description(const std::string &path) {
    return access(description_of(path).c_str(), R_OK) == 0;
}

std::optional<BlockCores> cores_in_description(const std::string &path) {
    if (!has_description(path)) return std::nullopt;
    const std::string text = contents(description_of(path));
    if (text.find("RT_DEV_BINARY_MAGIC_ELF_AIVEC") != std::string::npos) return BlockCores::kVector;
    if (text.find("RT_DEV_BINARY_MAGIC_ELF_AICUBE") != std::string::npos) return BlockCores::kCube;
    return std::nullopt;
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
        if (section != names_.sections.end() && entry<uint32_t>(section->second, kCores).has_value()) return true;
        if (*part != '\0' && names_.symbols.count(kernel + part) != 0) return true;
    }
    return has_description(path_);
}

std::optional<BlockCores> KernelBinary::cores_of(const std::string &kernel) const {
    const std::optional<BlockCores> by_section = cores_in_sections(kernel);
    if (by_section.has_value()) return by_section;
    const std::optional<BlockCores> by_name = cores_in_names(kernel);
    return by_name.has_value() ? by_name : cores_in_description(path_);
}

std::optional<BlockCores> KernelBinary::cores_in_sections(const std::string &kernel) const {
    for (const char *part : kParts) {
        const auto section = names_.sections.find(kSections + kernel + part);
        if (section == names_.sections.end()) continue;
        const std::optional<BlockCores> cores = cores_in(section->second);
        if (cores.has_value()) return cores;
    }
    return std::nullopt;
}

std::optional<BlockCores> KernelBinary::cores_in_names(const std::string &kernel) const {
    const bool cube = names_.symbols.count(kernel + "_mix_aic") != 0;
    const bool vector = names_.symbols.count(kernel + "_mix_aiv") != 0;
    if (cube && vector) return BlockCores::kMixed;
    if (cube) return BlockCores::kCube;
    return vector ? std::optional(BlockCores::kVector) : std::nullopt;
}

const char *text_of(BlockCores cores) {
    switch (cores) {
        case BlockCores::kVector:
            return "vector cores";
        case BlockCores::kCube:
            return "cube cores";
        case BlockCores::kMixed:
            return "cube and vector cores together";
    }
    return "";
}

}  // namespace rankunit::ascend
