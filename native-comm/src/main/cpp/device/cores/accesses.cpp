#include "device/cores/accesses.h"

#include <dlfcn.h>

#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <new>
#include <sstream>
#include <utility>

#include "device/memory_map.h"

namespace rankunit::device {
namespace {

using Hook = void (*)(const void *, size_t, int, const void *);

thread_local NotedAccesses *noting = nullptr;

}  // namespace

class NotedAccesses::Notes {
public:
    explicit Notes(record::Log &log) : log_(log) {}

    void note(uint64_t address, size_t bytes, bool writes, uint64_t code) {
        Run &run = runs_[(code >> 2) % runs_.size()];
        const uint64_t end = address + bytes;
        if (run.code == code && run.writes == writes && address <= run.end && end >= run.begin) {
            if (address < run.begin) run.begin = address;
            if (end > run.end) run.end = end;
            return;
        }
        const Run last = run;
        run = {code, address, end, writes};
        keep(last);
    }

    void record() {
        for (Run &run : runs_) {
            const Run last = run;
            run = {};
            keep(last);
        }
        record_kept();
    }

private:
    // Bytes that the code which returns to `code` has accessed without a gap.
    struct Run {
        uint64_t code = 0;  // 0: none
        uint64_t begin = 0;
        uint64_t end = 0;
        bool writes = false;
    };
    using Code = std::pair<uint64_t, bool>;       // and whether it writes
    using Ranges = std::map<uint64_t, uint64_t>;  // begin to end; disjoint, with gaps between them

    // They can be recorded at any time before the next order, and more would only take memory.
    static constexpr size_t kMostRanges = 4096;

    void keep(const Run &run) {
        if (run.code == 0) return;
        if (count_ >= kMostRanges) record_kept();
        Ranges &ranges = ranges_[{run.code, run.writes}];
        auto next = ranges.upper_bound(run.begin);
        uint64_t begin = run.begin;
        uint64_t end = run.end;
        if (next != ranges.begin() && std::prev(next)->second >= begin) {
            --next;
            begin = next->first;
        }
        while (next != ranges.end() && next->first <= end) {
            if (next->second > end) end = next->second;
            next = ranges.erase(next);
            count_--;
        }
        ranges.emplace_hint(next, begin, end);
        count_++;
    }

    void record_kept() {
        for (const auto &[code, ranges] : ranges_) {
            for (const auto &[begin, end] : ranges) {
                if (!MemoryMap::of_process().start_of(begin).has_value()) continue;
                record::now(record::kPointerAccess, begin, end - begin, code.second ? 1 : 0, text_of(code.first));
            }
        }
        ranges_.clear();
        count_ = 0;
    }

    // "/cache/libfill.so+0x1a2f", where the call of the hook is; readers have tools that find the line.
    uint32_t text_of(uint64_t code) {
        const auto [place, is_new] = texts_.try_emplace(code, 0);
        Dl_info library{};
        // the address of return is behind the call, and that may be the next line
        const uint64_t call = code - 1;
        if (is_new && dladdr(reinterpret_cast<const void *>(call), &library) != 0 && library.dli_fname != nullptr) {
            std::ostringstream text;
            text << library.dli_fname << "+0x" << std::hex << call - reinterpret_cast<uint64_t>(library.dli_fbase);
            place->second = log_.text(text.str());
        }
        return place->second;
    }

    record::Log &log_;
    std::array<Run, 64> runs_;  // by code: loops go through memory in turn
    std::map<Code, Ranges> ranges_;
    size_t count_ = 0;
    std::map<uint64_t, uint32_t> texts_;
};

void listen_to(void *library) noexcept {
    void *const found = dlsym(library, "rankunit_access");
    // others may run kernels of the library, and set the same
    if (found != nullptr) __atomic_store_n(static_cast<Hook *>(found), &NotedAccesses::note_here, __ATOMIC_RELAXED);
}

NotedAccesses::NotedAccesses() noexcept : before_(noting), log_(record::log()) {
    noting = log_ == nullptr ? nullptr : this;
}

NotedAccesses::~NotedAccesses() {
    record_here();
    noting = before_;
}

void NotedAccesses::note_here(const void *address, size_t bytes, int writes, const void *code) noexcept {
    NotedAccesses *const here = noting;
    if (here == nullptr || bytes == 0) return;
    // variables of the code, which are most of what is told; the stack grows downwards
    if (address >= __builtin_frame_address(0) && address < here) return;
    try {
        if (here->notes_ == nullptr) here->notes_ = std::make_unique<Notes>(*here->log_);
        here->notes_->note(reinterpret_cast<uint64_t>(address), bytes, writes != 0, reinterpret_cast<uint64_t>(code));
    } catch (const std::bad_alloc &) {
        here->log_->missed();
    }
}

void NotedAccesses::record_here() noexcept {
    if (noting == nullptr || noting->notes_ == nullptr) return;
    try {
        noting->notes_->record();
    } catch (const std::bad_alloc &) {
        noting->log_->missed();
    }
}

}  // namespace rankunit::device
