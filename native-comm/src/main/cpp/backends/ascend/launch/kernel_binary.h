// A kernel's binary, and what it says of the cores that its kernels run on.
//
// By the runtime's published sources, the cores are taken from a section ".ascend.meta.<kernel>" of the binary, else
// from a name that ends with "_mix_aic" or "_mix_aiv", else from a file <binary>.json beside it. Where nothing says it,
// the runtime takes a kernel for one of cube cores on A2 and A3, also one that was built for vector cores.
#ifndef RANKUNIT_BACKENDS_ASCEND_LAUNCH_KERNEL_BINARY_H
#define RANKUNIT_BACKENDS_ASCEND_LAUNCH_KERNEL_BINARY_H

#include <string>

#include "backends/ascend/launch/elf_names.h"

namespace rankunit::ascend {

class KernelBinary {
public:
    // Reads the file. Throws a Failure with DEVICE_KERNEL_LOAD if it cannot be read.
    explicit KernelBinary(const std::string &path);

    // From the root on.
    const std::string &path() const { return path_; }
    const std::string &bytes() const { return bytes_; }

    bool has(const std::string &kernel) const;
    bool says_cores_of(const std::string &kernel) const;

private:
    const std::string path_;
    const std::string bytes_;
    const ElfNames names_;
};

}  // namespace rankunit::ascend

#endif  // RANKUNIT_BACKENDS_ASCEND_LAUNCH_KERNEL_BINARY_H
