#include "backends/ascend/stream/work_log.h"

#include <algorithm>
#include <utility>

namespace rankunit::ascend {
namespace {

constexpr size_t kMostEntries = 5;

}  // namespace

uint64_t WorkLog::put(std::string text) {
    last_++;
    if (entries_.size() == kMostEntries) entries_.pop_back();
    entries_.push_back(Entry{last_, std::move(text)});
    return last_;
}

void WorkLog::end(uint64_t until) {
    ended_ = std::max(ended_, until);
    while (!entries_.empty() && entries_.front().number <= ended_) entries_.pop_front();
}

std::string WorkLog::texts() const {
    std::string all;
    uint64_t expected = ended_ + 1;
    for (const Entry &entry : entries_) {
        if (!all.empty()) all += "; ";
        if (entry.number != expected) all += "...; ";
        all += entry.text;
        expected = entry.number + 1;
    }
    return all;
}

std::string WorkLog::unended() const {
    if (all_ended()) return "after work " + std::to_string(last_);
    if (last_ == ended_ + 1) return "work " + std::to_string(last_) + " (" + texts() + ")";
    return "one of works " + std::to_string(ended_ + 1) + " to " + std::to_string(last_) + " (" + texts() + ")";
}

std::string WorkLog::doing() const {
    const std::string all = std::to_string(last_);
    if (all_ended()) return "all " + all + " pieces of work are done";
    if (last_ == ended_ + 1) return "work " + all + " of " + all + " is " + texts();
    return "works " + std::to_string(ended_ + 1) + " to " + all + " of " + all + " have not all ended: " + texts();
}

}  // namespace rankunit::ascend
