#include "device/cores/accesses.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <new>
#include <sstream>

#include "device/cores/access_notes.h"
#include "device/memory_map.h"

namespace rankunit::device {
namespace {

using Hook = void (*)(const void *, size_t, int, const void *);

thread_local NotedAccesses *noting = nullptr;

}  // namespace

class NotedAccesses::Notes {
public:
    explicit Notes(record::Log &log) : log_(log), notes_(record_series, this) {}

    void note(uint64_t address, size_t bytes, AccessKind kind, uint64_t code) {
        notes_.note(address, bytes, kind, code);
    }
    void record() { notes_.pass_on(); }

private:
    static constexpr uint64_t kMostPieces = UINT32_MAX;  // of an event

    // The pieces of a series may lie in several ranges of memory, such as the windows of ranks, or in none.
    static void record_series(void *to, uint64_t code, AccessKind kind, const AccessSeries &series) {
        AccessSeries rest = series;
        while (rest.count > 0) {
            const MemoryMap::Extent extent = MemoryMap::of_process().extent_of(rest.begin);
            AccessSeries here = rest;
            here.count = rest.distance == 0 ? rest.count : (extent.end - 1 - rest.begin) / rest.distance + 1;
            here.count = std::min({here.count, rest.count, kMostPieces});
            if (extent.known) static_cast<Notes *>(to)->record(code, kind, here);
            rest.begin += here.count * rest.distance;
            rest.count -= here.count;
        }
    }

    void record(uint64_t code, AccessKind kind, const AccessSeries &series) {
        const uint64_t distance = series.count == 1 ? 0 : series.distance;
        if (kind == AccessKind::kAtomicChange) {
            record::now(record::kAtomicChange, series.begin, series.bytes, record::halves(0, series.count),
                        text_of(code), distance);
            return;
        }
        record::now(record::kPointerAccess, series.begin, series.bytes,
                    record::halves(kind == AccessKind::kWrite ? 1 : 0, series.count), text_of(code), distance);
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
    AccessNotes notes_;
    std::map<uint64_t, uint32_t> texts_;
};

bool listen_to(void *library) noexcept {
    void *const found = dlsym(library, "rankunit_access");
    // others may run kernels of the library, and set the same
    if (found != nullptr) __atomic_store_n(static_cast<Hook *>(found), &NotedAccesses::note_here, __ATOMIC_RELAXED);
    return found != nullptr;
}

NotedAccesses::NotedAccesses() noexcept : before_(noting), log_(record::log()) {
    noting = log_ == nullptr ? nullptr : this;
}

NotedAccesses::~NotedAccesses() {
    record_here();
    noting = before_;
}

void NotedAccesses::note_here(const void *address, size_t bytes, int kind, const void *code) noexcept {
    NotedAccesses *const here = noting;
    if (here == nullptr || bytes == 0) return;
    // variables of the code, which are most of what is told; the stack grows downwards
    if (address >= __builtin_frame_address(0) && address < here) return;
    try {
        if (here->notes_ == nullptr) here->notes_ = std::make_unique<Notes>(*here->log_);
        here->notes_->note(reinterpret_cast<uint64_t>(address), bytes, static_cast<AccessKind>(kind),
                           reinterpret_cast<uint64_t>(code));
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
