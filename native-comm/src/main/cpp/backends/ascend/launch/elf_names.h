// What an ELF file has by name.
#ifndef RANKUNIT_BACKENDS_ASCEND_LAUNCH_ELF_NAMES_H
#define RANKUNIT_BACKENDS_ASCEND_LAUNCH_ELF_NAMES_H

#include <map>
#include <set>
#include <string>

namespace rankunit::ascend {

struct ElfNames {
    std::map<std::string, std::string> sections;  // contents by name
    std::set<std::string> symbols;                // that are defined
};

// Of a 64-bit little-endian file; empty for anything else. Of its sections those whose names start with `prefix`. What
// lies outside of the file is left out.
ElfNames read_elf_names(const std::string &bytes, const std::string &prefix);

}  // namespace rankunit::ascend

#endif  // RANKUNIT_BACKENDS_ASCEND_LAUNCH_ELF_NAMES_H
