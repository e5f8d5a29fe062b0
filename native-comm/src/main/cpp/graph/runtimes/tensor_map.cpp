#include "graph/runtimes/tensor_map.h"

#include <algorithm>
#include <iterator>

namespace rankunit::graph {
namespace {

// So many readers of a segment are looked through for those that have completed.
constexpr size_t kManyReaders = 16;

bool is_ordered_by_hand(const TaskUse &one, const TaskUse &other) {
    return one.manual_scope != 0 && one.manual_scope == other.manual_scope;
}

bool is_same(const TaskUse &one, const TaskUse &other) {
    return one.task == other.task && one.id == other.id;
}

void erase_completed(std::vector<TaskUse> &uses) {
    uses.erase(std::remove_if(uses.begin(), uses.end(), [](const TaskUse &use) { return use.has_completed(); }),
               uses.end());
}

void add_others(const std::vector<TaskUse> &uses, const TaskUse &use, std::vector<TaskUse> &found) {
    for (const TaskUse &other : uses) {
        if (!is_same(other, use) && !is_ordered_by_hand(other, use) && !other.has_completed()) found.push_back(other);
    }
}

}  // namespace

TensorMap::Segments::const_iterator TensorMap::first_meeting(const Range &range) const {
    const auto next = segments_.upper_bound(range.start);
    if (next != segments_.begin() && std::prev(next)->second.end > range.start) return std::prev(next);
    return next;
}

void TensorMap::find(const Range &range, bool writes, const TaskUse &use, std::vector<TaskUse> &found) const {
    for (auto at = first_meeting(range); at != segments_.end() && at->first < range.end; ++at) {
        add_others(at->second.writers, use, found);
        if (writes) add_others(at->second.readers, use, found);
    }
}

void TensorMap::add(const Range &range, bool writes, const TaskUse &use) {
    if (writes && use.manual_scope == 0) {
        write_whole(range, use);
    } else {
        split(range.start);
        split(range.end);
        fill_gaps(range);
        for (auto at = segments_.find(range.start); at != segments_.end() && at->first < range.end; ++at) {
            if (writes) {
                write(at->second, use);
            } else {
                read(at->second, use);
            }
        }
    }
    if (segments_.size() >= forget_at_) forget_completed();
}

// All that was known of these bytes follows from the new task now.
void TensorMap::write_whole(const Range &range, const TaskUse &use) {
    const auto same = segments_.find(range.start);
    if (same != segments_.end() && same->second.end == range.end) {
        same->second.writers.assign(1, use);
        same->second.readers.clear();
        return;
    }
    split(range.start);
    split(range.end);
    segments_.erase(segments_.lower_bound(range.start), segments_.lower_bound(range.end));
    segments_.emplace(range.start, Segment{range.end, {use}, {}});
}

// No writer is replaced: another writer of the manual scope depends on the same tasks as this one.
void TensorMap::write(Segment &segment, const TaskUse &use) {
    erase_completed(segment.writers);
    erase_completed(segment.readers);
    segment.writers.push_back(use);
}

void TensorMap::read(Segment &segment, const TaskUse &use) {
    std::vector<TaskUse> &readers = segment.readers;
    if (!readers.empty() && is_same(readers.back(), use)) return;
    if (readers.size() >= kManyReaders && readers.size() == readers.capacity()) erase_completed(readers);
    readers.push_back(use);
}

void TensorMap::split(uint64_t at) {
    const auto next = segments_.lower_bound(at);
    if (next == segments_.begin()) return;
    Segment &segment = std::prev(next)->second;
    if (segment.end <= at) return;
    Segment rest = segment;
    segment.end = at;
    segments_.emplace_hint(next, at, std::move(rest));
}

void TensorMap::fill_gaps(const Range &range) {
    uint64_t start = range.start;
    while (start < range.end) {
        const auto next = segments_.lower_bound(start);
        const uint64_t end = next == segments_.end() ? range.end : std::min(next->first, range.end);
        if (end > start) segments_.emplace_hint(next, start, Segment{end, {}, {}});
        start = end > start || next == segments_.end() ? end : next->second.end;
    }
}

// Amortized: at least half of them have been added since the last time.
void TensorMap::forget_completed() {
    for (auto at = segments_.begin(); at != segments_.end();) {
        erase_completed(at->second.writers);
        erase_completed(at->second.readers);
        const bool empty = at->second.writers.empty() && at->second.readers.empty();
        at = empty ? segments_.erase(at) : std::next(at);
    }
    forget_at_ = std::max<size_t>(1024, 2 * segments_.size());
}

}  // namespace rankunit::graph
