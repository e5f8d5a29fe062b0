// A kernel's binary, and what it says of the cores that its kernels run on.
//
// By the runtime's published sources, the cores are taken from a section ".ascend.meta.<kernel>" of the binary, else
// from a name that ends with "_mix_aic" or "_mix_aiv", else from a file <binary>.json beside it. Where nothing says it,
// the runtime takes a kernel for one of cube cores on A2 and A3, also one that was built for vector cores.
#ifndef RANKUNIT_BACKENDS_ASCEND_LAUNCH_KERNEL_BINARY_H
#define RANKUNIT_BACKENDS_ASCEND_LAUNCH_KERNEL_BINARY_H

#include <optional>
#include <string>

#include "backends/ascend/launch/elf_names.h"

namespace rankunit::ascend {

// What one block of a kernel runs on: a core of one kind, or one of cube with those of vector that belong to it.
enum class BlockCores { kVector, kCube, kMixed };

const char *text_of(BlockCores cores);

class KernelBinary {
public:
    // Reads the file. Throws a Failure with DEVICE_KERNEL_LOAD if it cannot be read.
    explicit KernelBinary(const std::string &path);

    // From the root on.
    const std::string &path() const { return path_; }
    const std::string &bytes() const { return bytes_; }

    bool has(const std::string &kernel) const;
    bool says_cores_of(const std::string &kernel) const;
    // None if it does not say, or says something that is not known here.
    std::optional<BlockCores> cores_of(const std::string &kernel) const;

private:
    std::optional<BlockCores> cores_in_sections(const std::string &kernel) const;
    std::optional<BlockCores> cores_in_names(const std::string &kernel) const;

    const std::string path_;
    const std::string bytes_;
    const ElfNames names_;
};

}  // namespace rankunit::ascend

#endif  // RANKUNIT_BACKENDS_ASCEND_LAUNCH_KERNEL_BINARY_H
