#include "backends/ascend/launch/elf_names.h"

#include <elf.h>

#include <cstring>
#include <string_view>
#include <vector>

namespace rankunit::ascend {
namespace {

// `count` structs at an offset; none if they are not all in the file.
template <typename T>
std::vector<T> structs_at(std::string_view bytes, uint64_t offset, uint64_t count) {
    std::vector<T> all;
    if (offset > bytes.size() || count > (bytes.size() - offset) / sizeof(T)) return all;
    all.resize(count);
    std::memcpy(all.data(), bytes.data() + offset, count * sizeof(T));
    return all;
}

std::string_view contents_of(std::string_view bytes, const Elf64_Shdr &section) {
    if (section.sh_type == SHT_NOBITS || section.sh_offset > bytes.size()) return {};
    return bytes.substr(section.sh_offset, section.sh_size);
}

std::string name_at(std::string_view names, uint64_t offset) {
    if (offset >= names.size()) return "";
    const std::string_view rest = names.substr(offset);
    return std::string(rest.substr(0, rest.find('\0')));
}

void add_symbols(std::string_view bytes, const std::vector<Elf64_Shdr> &sections, const Elf64_Shdr &table,
                 std::set<std::string> *symbols) {
    if (table.sh_link >= sections.size()) return;
    const std::string_view names = contents_of(bytes, sections[table.sh_link]);
    for (const auto &symbol : structs_at<Elf64_Sym>(bytes, table.sh_offset, table.sh_size / sizeof(Elf64_Sym))) {
        if (symbol.st_shndx != SHN_UNDEF) symbols->insert(name_at(names, symbol.st_name));
    }
}

}  // namespace

ElfNames read_elf_names(const std::string &bytes, const std::string &prefix) {
    ElfNames found;
    const std::vector<Elf64_Ehdr> headers = structs_at<Elf64_Ehdr>(bytes, 0, 1);
    if (headers.empty() || std::memcmp(headers[0].e_ident, ELFMAG, SELFMAG) != 0 ||
        headers[0].e_ident[EI_CLASS] != ELFCLASS64 || headers[0].e_ident[EI_DATA] != ELFDATA2LSB) {
        return found;
    }
    const Elf64_Ehdr &header = headers[0];
    const std::vector<Elf64_Shdr> sections = structs_at<Elf64_Shdr>(bytes, header.e_shoff, header.e_shnum);
    if (header.e_shstrndx >= sections.size()) return found;
    const std::string_view names = contents_of(bytes, sections[header.e_shstrndx]);
    for (const Elf64_Shdr &section : sections) {
        const std::string name = name_at(names, section.sh_name);
        if (name.rfind(prefix, 0) == 0) found.sections[name] = contents_of(bytes, section);
        if (section.sh_type == SHT_SYMTAB || section.sh_type == SHT_DYNSYM) {
            add_symbols(bytes, sections, section, &found.symbols);
        }
    }
    return found;
}

}  // namespace rankunit::ascend
