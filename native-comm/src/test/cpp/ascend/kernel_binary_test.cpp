// What a kernel's binary says of its cores.
#include "backends/ascend/launch/kernel_binary.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "harness/check.h"
#include "harness/ranks.h"
#include "support/failure.h"

using namespace rankunit::test;
using rankunit::ascend::BlockCores;
using rankunit::ascend::KernelBinary;

namespace {

// A file until the end of the scope.
class File {
public:
    explicit File(std::string path, const std::string &bytes) : path_(std::move(path)) {
        std::ofstream(path_, std::ios::binary) << bytes;
    }
    File(const File &) = delete;
    File &operator=(const File &) = delete;
    ~File() { std::filesystem::remove(path_); }
    const std::string &path() const { return path_; }

private:
    std::string path_;
};

std::string test_kernels() {
    return KernelBinary(TEST_KERNELS).bytes();
}

}  // namespace

TEST(a_section_or_a_name_says_the_cores) {
    const KernelBinary binary(TEST_KERNELS);
    CHECK(binary.has("add_one"));
    CHECK(binary.says_cores_of("add_one"));
    CHECK(binary.has("tell_cores_by_name"));
    CHECK(binary.says_cores_of("tell_cores_by_name"));
    CHECK(binary.has("say_nothing_of_cores"));
    CHECK(!binary.says_cores_of("say_nothing_of_cores"));
    CHECK(!binary.has("add_two"));
}

TEST(a_section_without_the_entry_of_the_cores_says_nothing) {
    std::string bytes = test_kernels();
    // type 1 and length 4 of the entry, and its cores
    const std::string entry("\1\0\4\0\3\0\0\0", 8);
    size_t entries = 0;
    for (size_t at = bytes.find(entry); at != std::string::npos; at = bytes.find(entry, at + 1)) {
        bytes[at] = 2;
        entries++;
    }
    CHECK(entries >= 7);
    const TempFolder folder;
    const File file(folder.file("kernel.o"), bytes);
    CHECK(KernelBinary(file.path()).has("add_one"));
    CHECK(!KernelBinary(file.path()).says_cores_of("add_one"));
}

TEST(a_description_beside_the_binary_says_the_cores) {
    const TempFolder folder;
    const File file(folder.file("kernel.o"), test_kernels());
    CHECK(!KernelBinary(file.path()).says_cores_of("say_nothing_of_cores"));
    const File description(folder.file("kernel.json"), "{}");
    CHECK(KernelBinary(file.path()).says_cores_of("say_nothing_of_cores"));
}

TEST(a_section_a_name_or_a_description_tells_one_kind_of_cores_from_another) {
    const KernelBinary binary(TEST_KERNELS);
    CHECK(binary.cores_of("add_one") == BlockCores::kVector);
    CHECK(binary.cores_of("run_on_cube_cores") == BlockCores::kCube);
    CHECK(binary.cores_of("run_on_mixed_cores") == BlockCores::kMixed);
    CHECK(binary.says_cores_of("run_on_unknown_cores"));
    CHECK(!binary.cores_of("run_on_unknown_cores").has_value());
    CHECK(binary.cores_of("tell_cores_by_name") == BlockCores::kVector);
    CHECK(binary.cores_of("tell_mixed_cores_by_name") == BlockCores::kMixed);
    CHECK(!binary.cores_of("say_nothing_of_cores").has_value());
    const TempFolder folder;
    const File file(folder.file("kernel.o"), test_kernels());
    for (const auto &[text, cores] : std::vector<std::pair<const char *, std::optional<BlockCores>>>{
             {"{\"magic\": \"RT_DEV_BINARY_MAGIC_ELF_AIVEC\"}", BlockCores::kVector},
             {"{\"magic\": \"RT_DEV_BINARY_MAGIC_ELF_AICUBE\"}", BlockCores::kCube},
             {"{}", std::nullopt}}) {
        const File description(folder.file("kernel.json"), text);
        CHECK(KernelBinary(file.path()).cores_of("say_nothing_of_cores") == cores);
        CHECK(KernelBinary(file.path()).cores_of("add_one") == BlockCores::kVector);
    }
}

// One that is built for both kinds may have cores of one kind alone.
TEST(the_ratio_of_a_mixed_kernel_tells_its_cores) {
    const KernelBinary binary(TEST_KERNELS);
    CHECK(binary.cores_of("run_on_two_to_one") == BlockCores::kMixed);
    CHECK(binary.cores_of("run_on_cube_of_mixed") == BlockCores::kCube);
    CHECK(binary.cores_of("run_on_vector_of_mixed") == BlockCores::kVector);
}

TEST(a_file_that_is_no_binary_or_is_cut_short_is_not_read_beyond_its_end) {
    const std::string whole = test_kernels();
    const TempFolder folder;
    for (size_t size = 0; size < whole.size(); size += size < 512 ? 1 : 509) {
        const File file(folder.file("cut.o"), whole.substr(0, size));
        // the table of sections is at the end
        CHECK(!KernelBinary(file.path()).says_cores_of("add_one"));
    }
    const File text(folder.file("text.o"), "this is no binary");
    CHECK(!KernelBinary(text.path()).has("add_one"));
}

TEST(bytes_that_are_wrong_lead_nowhere_outside_of_the_file) {
    const std::string whole = test_kernels();
    const TempFolder folder;
    for (size_t at = 0; at < whole.size(); at += at < 64 ? 1 : 127) {
        std::string bytes = whole;
        std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), std::min<size_t>(8, bytes.size() - at), '\xff');
        const File file(folder.file("wrong.o"), bytes);
        const KernelBinary binary(file.path());
        CHECK_EQUAL(binary.bytes().size(), whole.size());
        binary.says_cores_of("add_one");
    }
}

TEST(a_missing_file_is_named) {
    try {
        KernelBinary("/no/such.o");
        CHECK(false);
    } catch (const rankunit::Failure &failure) {
        CHECK_CONTAINS(failure.what(), "/no/such.o: No such file");
    }
}
