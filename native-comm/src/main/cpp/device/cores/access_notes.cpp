#include "device/cores/access_notes.h"

#include <iterator>

namespace rankunit::device {

void AccessNotes::note(uint64_t address, size_t bytes, AccessKind kind, uint64_t code) {
    Slot &slot = slot_of(code, kind);
    const uint64_t end = address + bytes;
    if (slot.code != 0 && address <= slot.end && end >= slot.begin) {
        if (address < slot.begin) slot.begin = address;
        if (end > slot.end) slot.end = end;
        return;
    }
    if (slot.code != 0) end_piece(slot);
    slot.code = code;
    slot.kind = kind;
    slot.begin = address;
    slot.end = end;
}

// The slot of this code, or an empty one.
AccessNotes::Slot &AccessNotes::slot_of(uint64_t code, AccessKind kind) {
    const size_t first = (code ^ code >> 8) * 3 + static_cast<size_t>(kind);
    Slot *empty = nullptr;
    for (size_t probe = 0; probe < kProbes && empty == nullptr; probe++) {
        Slot &slot = slots_[(first + probe) % kSlots];
        if (slot.code == code && slot.kind == kind) return slot;
        if (slot.code == 0) empty = &slot;
    }
    if (empty == nullptr) {
        Slot &last = slots_[first % kSlots];
        end_piece(last);
        end_series(last);
        last = Slot();
        return last;
    }
    used_.push_back(static_cast<uint16_t>(empty - slots_.data()));
    return *empty;
}

void AccessNotes::end_piece(Slot &slot) {
    const uint64_t bytes = slot.end - slot.begin;
    AccessSeries &series = slot.series;
    if (series.count == 1 && bytes == series.bytes) {
        series.distance = slot.begin - series.begin;
        series.count = 2;
        return;
    }
    if (series.count > 1 && bytes == series.bytes && slot.begin == series.begin + series.count * series.distance) {
        series.count++;
        return;
    }
    end_series(slot);
    series = {slot.begin, bytes, 0, 1};
}

void AccessNotes::end_series(Slot &slot) {
    AccessSeries series = slot.series;
    slot.series = {};
    if (series.count == 0) return;
    if (series.distance > UINT64_MAX / 2) {
        series.begin += (series.count - 1) * series.distance;
        series.distance = 0 - series.distance;
    }
    if (series.count >= kLeastPieces && series.bytes < series.distance) {
        keep(slot.code, slot.kind, series);
        return;
    }
    for (uint64_t i = 0; i < series.count; i++) {
        keep(slot.code, slot.kind, {series.begin + i * series.distance, series.bytes, 0, 1});
    }
}

void AccessNotes::keep(uint64_t code, AccessKind kind, const AccessSeries &series) {
    if (count_ >= kMostRanges) pass_on_kept();
    if (series.count > 1 && is_kept(code, kind, series)) return;
    const Shape shape{code, kind, series.distance, series.count};
    Ranges &ranges = ranges_[shape];
    const auto [begin, end] = merge(ranges, series.begin, series.begin + series.bytes);
    if (series.count == 1 || end - begin < series.distance) return;
    // Series side by side have filled the gaps.
    ranges.erase(begin);
    count_--;
    keep(code, kind, {begin, (series.count - 1) * series.distance + (end - begin), 0, 1});
}

// Whether all of a series, with its gaps, has been accessed before.
bool AccessNotes::is_kept(uint64_t code, AccessKind kind, const AccessSeries &series) const {
    const auto pieces = ranges_.find({code, kind, 0, 1});
    if (pieces == ranges_.end()) return false;
    const auto next = pieces->second.upper_bound(series.begin);
    return next != pieces->second.begin() &&
           std::prev(next)->second >= series.begin + (series.count - 1) * series.distance + series.bytes;
}

// Returns the range that this has become a part of.
std::pair<uint64_t, uint64_t> AccessNotes::merge(Ranges &ranges, uint64_t begin, uint64_t end) {
    auto next = ranges.upper_bound(begin);
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
    return {begin, end};
}

void AccessNotes::pass_on() {
    for (const uint16_t number : used_) {
        Slot &slot = slots_[number];
        end_piece(slot);
        end_series(slot);
        slot = Slot();
    }
    used_.clear();
    pass_on_kept();
}

void AccessNotes::pass_on_kept() {
    for (const auto &[shape, ranges] : ranges_) {
        const auto &[code, kind, distance, count] = shape;
        if (count == 1) {
            pass_on_pieces(code, kind, ranges);
            continue;
        }
        for (const auto &[begin, end] : ranges) receiver_(to_, code, kind, {begin, end - begin, distance, count});
    }
    ranges_.clear();
    count_ = 0;
}

// Pieces that were not accessed in turn may be at the same distance all the same.
void AccessNotes::pass_on_pieces(uint64_t code, AccessKind kind, const Ranges &ranges) const {
    for (auto at = ranges.begin(); at != ranges.end();) {
        AccessSeries series{at->first, at->second - at->first, 0, 1};
        auto next = std::next(at);
        for (; next != ranges.end() && next->second - next->first == series.bytes; ++next) {
            if (series.count == 1) series.distance = next->first - series.begin;
            if (next->first != series.begin + series.count * series.distance) break;
            series.count++;
        }
        if (series.count < kLeastPieces) {
            series.count = 1;
            series.distance = 0;
            next = std::next(at);
        }
        receiver_(to_, code, kind, series);
        at = next;
    }
}

}  // namespace rankunit::device
