#include "support/load_error.h"

#include <dlfcn.h>
#include <elf.h>
#include <sys/statvfs.h>

#include <array>
#include <cstring>
#include <fstream>

namespace rankunit {
namespace {

#if defined(__x86_64__)
constexpr unsigned kThisMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kThisMachine = EM_AARCH64;
#endif

std::string name_of(unsigned machine) {
    switch (machine) {
        case EM_X86_64:
            return "x86-64";
        case EM_AARCH64:
            return "aarch64";
        case EM_386:
            return "32-bit x86";
        case EM_ARM:
            return "32-bit ARM";
        case EM_RISCV:
            return "RISC-V";
        default:
            return "a processor with the number " + std::to_string(machine) + " in ELF files";
    }
}

// The machine that an ELF file is for; kThisMachine for other files, since the linker reports those itself.
unsigned machine_of(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::array<unsigned char, 20> start{};
    if (!file.read(reinterpret_cast<char *>(start.data()), start.size())) return kThisMachine;
    if (std::memcmp(start.data(), ELFMAG, SELFMAG) != 0) return kThisMachine;
    return start[EI_DATA] == ELFDATA2MSB ? start[18] << 8 | start[19] : start[19] << 8 | start[18];
}

bool is_noexec(const std::string &path) {
    struct statvfs status{};
    return statvfs(path.c_str(), &status) == 0 && (status.f_flag & ST_NOEXEC) != 0;
}

}  // namespace

std::string load_error(const std::string &path) {
    const char *own_words = dlerror();
    const std::string linker = own_words == nullptr ? path + ": no reason is known" : own_words;
    const unsigned machine = machine_of(path);
    if (machine != kThisMachine) {
        return path + " is built for " + name_of(machine) + ", and this machine is " + name_of(kThisMachine) +
               "; build it for this one";
    }
    if (is_noexec(path)) {
        return linker + "; it lies on a file system that is mounted noexec, from which nothing can be loaded";
    }
    return linker;
}

}  // namespace rankunit
