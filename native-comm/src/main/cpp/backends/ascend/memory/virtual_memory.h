// Physical memory of a device, mapped at an address of its own.
#ifndef RANKUNIT_BACKENDS_ASCEND_MEMORY_VIRTUAL_MEMORY_H
#define RANKUNIT_BACKENDS_ASCEND_MEMORY_VIRTUAL_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/ascend/memory/sharing.h"
#include "backends/ascend/vendor/vendor_api.h"

namespace rankunit::ascend {

using Check = std::function<void(int code, const std::string &call)>;

// What is made in steps is given back in the reverse order, as far as it has come: unmap, release the address, free.
class Mapping {
public:
    // Takes the handle over. `check` is called with what the vendor returns, and throws.
    Mapping(int device, aclrtDrvMemHandle handle, size_t bytes) : device_(device), handle_(handle), bytes_(bytes) {}
    Mapping(const Mapping &) = delete;
    Mapping &operator=(const Mapping &) = delete;
    ~Mapping();

    void map(uint64_t page_kind, const Check &check);

    aclrtDrvMemHandle handle() const { return handle_; }
    void *address() const { return address_; }
    size_t bytes() const { return bytes_; }

private:
    void allow_access(const Check &check);

    const int device_;
    const aclrtDrvMemHandle handle_;
    const size_t bytes_;
    void *address_ = nullptr;
    bool mapped_ = false;
};

// What the two ways by handles of physical memory have in common.
class VirtualSharing : public Sharing {
public:
    VirtualSharing(int device, aclrtMemAttr attribute, uint64_t page_kind)
        : Sharing(device), attribute_(attribute), page_kind_(page_kind) {}

    void create(size_t bytes) override;
    void *address() const override { return own_->address(); }
    size_t bytes() const override { return own_->bytes(); }
    void close_views() noexcept override { views_.clear(); }
    void free_own() noexcept override { own_.reset(); }

protected:
    virtual bool has_functions() const;
    aclrtDrvMemHandle own_handle() const { return own_->handle(); }
    void *map_view(aclrtDrvMemHandle handle, size_t bytes);

private:
    Check checker() const;

    const aclrtMemAttr attribute_;
    const uint64_t page_kind_;
    std::unique_ptr<Mapping> own_;
    std::vector<std::unique_ptr<Mapping>> views_;
};

}  // namespace rankunit::ascend

#endif  // RANKUNIT_BACKENDS_ASCEND_MEMORY_VIRTUAL_MEMORY_H
