#include "coll/host/move.h"

#include <algorithm>
#include <cstring>

#include "coll/host/past_cache.h"

namespace rankunit::coll {
namespace {

// Of a target that stays in the first-level cache while its sources are reduced with it, beside a block of each.
constexpr uint64_t kBlockBytes = 8192;
// What is smaller is likely to be read from the cache again soon.
constexpr uint64_t kLeastPastCache = 256 << 10;

bool overlap(uint64_t one, uint64_t other, uint64_t bytes) {
    return one < other + bytes && other < one + bytes;
}

void *at(uint64_t address) {
    return reinterpret_cast<void *>(address);
}

// A move whose addresses are known.
class Move {
public:
    Move(const Program &program, const Step &step, const std::vector<uint64_t> &bases)
        : program_(program),
          step_(step),
          bases_(bases),
          sources_(&program.sources[step.first_source]),
          to_(bases[step.to.base] + step.to.offset) {}

    // Whether a source lies in the target, at least in part. It must then be read after the sources before it have been
    // written.
    bool reads_target() const {
        for (uint32_t i = 0; i < step_.sources; i++) {
            if (overlap(source(i), to_, step_.bytes)) return true;
        }
        return false;
    }

    void in_order() const {
        uint32_t next = 0;
        if (!step_.first_reduces) std::memmove(at(to_), at(source(next++)), step_.bytes);
        combine_rest(at(to_), at(to_), next, 0, step_.bytes);
    }

    // All sources of a part of the target that stays in the first-level cache.
    void in_blocks() const {
        for (uint64_t done = 0; done < step_.bytes; done += kBlockBytes) {
            const uint64_t bytes = std::min(kBlockBytes, step_.bytes - done);
            const void *const first = at(step_.first_reduces ? to_ + done : source(0) + done);
            combine_rest(at(to_ + done), first, step_.first_reduces ? 0 : 1, done, bytes);
        }
    }

    void past_cache() const {
        if (step_.sources == 1 && !step_.first_reduces) {
            copy_past_cache(at(to_), at(source(0)), step_.bytes);
        } else {
            alignas(kWholeLine) char block[kBlockBytes];
            // The first block ends with a line of the target.
            uint64_t bytes = (kBlockBytes - to_ % kWholeLine) / program_.element_bytes * program_.element_bytes;
            for (uint64_t done = 0; done < step_.bytes; done += bytes, bytes = kBlockBytes) {
                bytes = std::min(bytes, step_.bytes - done);
                const void *const first = at(step_.first_reduces ? to_ + done : source(0) + done);
                combine_rest(block, first, step_.first_reduces ? 0 : 1, done, bytes);
                copy_past_cache(at(to_ + done), block, bytes);
            }
        }
        finish_past_cache();
    }

private:
    uint64_t source(uint32_t i) const { return bases_[sources_[i].base] + sources_[i].offset; }

    // Reduces the sources from `next` on with `so_far`; there is at least one, or `to` is already `so_far`.
    void combine_rest(void *to, const void *so_far, uint32_t next, uint64_t done, uint64_t bytes) const {
        for (; next < step_.sources; next++, so_far = to) {
            program_.combine(to, so_far, at(source(next) + done), bytes / program_.element_bytes);
        }
    }

    const Program &program_;
    const Step &step_;
    const std::vector<uint64_t> &bases_;
    const Place *const sources_;
    const uint64_t to_;
};

}  // namespace

void run_move(const Program &program, const Step &step, const std::vector<uint64_t> &bases) {
    const Move move(program, step, bases);
    if (move.reads_target()) {
        move.in_order();
    } else if (program.past_cache && step.bytes >= kLeastPastCache) {
        move.past_cache();
    } else if (step.sources == 1) {
        move.in_order();
    } else {
        move.in_blocks();
    }
}

}  // namespace rankunit::coll
