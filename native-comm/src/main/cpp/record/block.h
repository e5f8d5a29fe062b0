// Recording one block of a kernel.
#ifndef RANKUNIT_RECORD_BLOCK_H
#define RANKUNIT_RECORD_BLOCK_H

#include <cstdint>
#include <optional>
#include <string>

#include "record/record.h"

namespace rankunit::record {

// A block of a kernel while it runs on this thread, as an actor of its own. Its parent is who acts here before; if that
// is a task that is not recorded, the block is not either.
class Block {
public:
    struct Place {
        uint32_t block;
        uint32_t blocks;
        uint32_t kind;  // KernelCore
        uint32_t core;
        uint32_t sub_block;
        bool tells;  // its accesses through pointers
    };

    Block(const std::string &kernel, const Place &place) noexcept {
        if (log() != nullptr) begin(kernel, place);
    }
    Block(const Block &) = delete;
    Block &operator=(const Block &) = delete;
    ~Block() {
        if (as_.has_value()) end();
    }

    void succeeded() noexcept { failed_ = 0; }

private:
    void begin(const std::string &kernel, const Place &place) noexcept;
    void end() noexcept;

    std::optional<As> as_;
    std::optional<Span> span_;
    uint64_t failed_ = 1;
};

}  // namespace rankunit::record

#endif  // RANKUNIT_RECORD_BLOCK_H
