#include "coll/host/run_record.h"

#include "record/record.h"

namespace rankunit::coll {

RunRecord::RunRecord(const Setting &setting, uint64_t link_notifies, uint64_t token)
    : setting_(setting),
      link_notifies_(link_notifies),
      token_(token),
      posts_(static_cast<size_t>(setting.nranks) * link_notifies),
      waits_(posts_.size()) {}

void RunRecord::moved(const Program &program, const Step &step, const std::vector<uint64_t> &bases) const {
    if (record::log() == nullptr) return;
    const bool there = step.to.base / kBuffers != static_cast<uint32_t>(setting_.rank);
    const uint64_t to = bases[step.to.base] + step.to.offset;
    for (uint32_t i = 0; i < step.sources; i++) {
        const Place &source = program.sources[step.first_source + i];
        const bool reduces = i > 0 || step.first_reduces;
        // Ranks may reduce into the same elements of a peer without an order.
        const record::Way way = reduces && there ? record::kAdd : record::kAcross;
        record::now(record::kCopy, way, to, bases[source.base] + source.offset, step.bytes, record::place());
    }
}

void RunRecord::posted(const Step &step) {
    const uint64_t number = ++posts_[place(step)];
    record::now(record::kNotifyPost, token_of(step.peer, setting_.rank, step.notify), number);
}

void RunRecord::taken(const Step &step) {
    const uint64_t number = ++waits_[place(step)];
    record::now(record::kNotifyWait, token_of(setting_.rank, step.peer, step.notify), number);
}

size_t RunRecord::place(const Step &step) const {
    return static_cast<size_t>(step.peer) * link_notifies_ + step.notify;
}

uint64_t RunRecord::token_of(int rank, int peer, uint32_t notify) const {
    const auto of_rank = static_cast<uint64_t>(rank) * static_cast<uint64_t>(setting_.nranks);
    return token_ + ((of_rank + static_cast<uint64_t>(peer)) * COLL_MAX_NOTIFIES + notify);
}

}  // namespace rankunit::coll
