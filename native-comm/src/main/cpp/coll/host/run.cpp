#include "coll/host/run.h"

#include <algorithm>
#include <optional>

#include "coll/host/move.h"
#include "device/cores/activity.h"
#include "rankunit/comm.h"
#include "support/failure.h"

namespace rankunit::coll {
namespace {

std::string name(int rank) {
    return "rank " + std::to_string(rank);
}

}  // namespace

Run::Run(const RunContext &context)
    : context_(context), next_(context.program.streams.size()), local_(context.program.local_notifies) {}

void Run::all() {
    if (shake::on()) {
        all_in(ShakenOrder(shake::here(), next_.size()));
        return;
    }
    for (;;) {
        bool ended = true;
        bool ran = false;
        for (size_t stream = 0; stream < next_.size(); stream++) {
            ran = advance(stream) || ran;
            ended = ended && next_[stream] == context_.program.streams[stream].size();
        }
        if (ended) break;
        if (!ran) sleep();
    }
    announce();
}

void Run::all_in(ShakenOrder order) {
    size_t left = 0;
    for (size_t stream = 0; stream < next_.size(); stream++) {
        if (awaited(stream) == nullptr) continue;
        left++;
        order.reached(stream, 0);
    }
    while (left > 0) {
        const size_t stream = first_in(order);
        if (stream == next_.size()) {
            sleep();
            continue;
        }
        order.rest(stream);
        run_step(*awaited(stream));
        announce();
        next_[stream]++;
        if (awaited(stream) == nullptr) {
            left--;
        } else {
            order.reached(stream, next_[stream]);
        }
    }
}

size_t Run::first_in(const ShakenOrder &order) const {
    size_t first = next_.size();
    for (size_t stream = 0; stream < next_.size(); stream++) {
        const Step *const step = awaited(stream);
        if (step == nullptr || !can_run(*step)) continue;
        if (first == next_.size() || order.is_before(stream, first)) first = stream;
    }
    return first;
}

// A step that can run still can later: no other thread takes this rank's notifies, or those of this stream.
bool Run::can_run(const Step &step) const {
    if (step.kind == Step::kWaitLocal) return local_[step.notify];
    // relaxed: take() looks again, and synchronizes
    return step.kind != Step::kWait || step.word->load(std::memory_order_relaxed) != 0;
}

bool Run::advance(size_t stream) {
    const std::vector<Step> &steps = context_.program.streams[stream];
    const size_t first = next_[stream];
    while (next_[stream] < steps.size() && run_step(steps[next_[stream]])) next_[stream]++;
    return next_[stream] > first;
}

// Whether the step has ended; else it has not begun, since it must wait.
bool Run::run_step(const Step &step) {
    switch (step.kind) {
        case Step::kMove:
            announce();
            run_move(context_.program, step, context_.bases);
            context_.record.moved(context_.program, step, context_.bases);
            return true;
        case Step::kPost:
        case Step::kPostLocal:
            post(step);
            return true;
        default:
            return take(step);
    }
}

void Run::post(const Step &step) {
    bool was_set = false;
    if (step.kind == Step::kPostLocal) {
        was_set = local_[step.notify];
        local_[step.notify] = true;
    } else {
        // Before the wait that takes it can be recorded.
        context_.record.posted(step);
        // seq_cst: releases what was written before, and is ordered before the check for sleepers
        was_set = step.word->exchange(context_.stamp, std::memory_order_seq_cst) != 0;
        unannounced_ = true;
    }
    if (was_set) {
        context_.bootstrap.fail(COMM_MISMATCH, name(context_.setting.rank) + " posted " + text_of(step) +
                                                   ", which was still set: the earlier post is lost; in " +
                                                   context_.call);
    }
}

// Wakes peers that sleep. All of them wake, and look for what they wait for; so this is done once for all posts in a
// row, before anything that takes long.
void Run::announce() {
    if (unannounced_) context_.bootstrap.announce();
    unannounced_ = false;
}

bool Run::take(const Step &step) {
    if (step.kind == Step::kWaitLocal) {
        if (!local_[step.notify]) return false;
        local_[step.notify] = false;
        return true;
    }
    // acquire: sees what was written before the post
    const uint32_t stamp = step.word->load(std::memory_order_acquire);
    if (stamp == 0) return false;
    // relaxed: the peer posts again only after it has heard of this rank, which releases this
    step.word->store(0, std::memory_order_relaxed);
    if (stamp != context_.stamp) {
        const auto given = [&](int rank) {
            const PartHeader &header = context_.part.header(rank);
            return name(rank) + " has its input at " + std::to_string(header.input.load(std::memory_order_relaxed)) +
                   " and its output at " + std::to_string(header.output.load(std::memory_order_relaxed)) +
                   " of the windows";
        };
        context_.bootstrap.fail(COMM_MISMATCH,
                                given(step.peer) + ", " + given(context_.setting.rank) + "; in " + context_.call);
    }
    context_.record.taken(step);
    return true;
}

// All streams wait.
void Run::sleep() {
    announce();
    bool for_peers = false;
    for (size_t stream = 0; stream < next_.size(); stream++) {
        const Step *const step = awaited(stream);
        for_peers = for_peers || (step != nullptr && step->kind == Step::kWait);
    }
    if (!for_peers) {
        context_.bootstrap.fail(COMM_MISMATCH, "all streams of " + name(context_.setting.rank) +
                                                   " wait for each other" + waits() + "; in " + context_.call);
    }
    std::optional<device::Activity::Wait> told;
    context_.bootstrap.wait_until(
        [this] { return can_go_on(); },
        [&] {
            const std::string what = "in " + context_.call + waits();
            told.emplace([what] { return what; }, [this] { return can_go_on(); }, context_.bootstrap.timeout());
            return bootstrap::WaitSubject{what, "posted", [this](int rank) { return !awaits(rank); }};
        });
}

bool Run::can_go_on() const {
    for (size_t stream = 0; stream < next_.size(); stream++) {
        const Step *const step = awaited(stream);
        // seq_cst: a sleeper's last check
        if (step != nullptr && step->kind == Step::kWait && step->word->load(std::memory_order_seq_cst) != 0) {
            return true;
        }
    }
    return false;
}

bool Run::awaits(int peer) const {
    for (size_t stream = 0; stream < next_.size(); stream++) {
        const Step *const step = awaited(stream);
        if (step != nullptr && step->kind == Step::kWait && step->peer == peer) {
            return step->word->load(std::memory_order_seq_cst) == 0;
        }
    }
    return false;
}

// What a stream waits for; null if it has ended.
const Step *Run::awaited(size_t stream) const {
    const std::vector<Step> &steps = context_.program.streams[stream];
    return next_[stream] == steps.size() ? nullptr : &steps[next_[stream]];
}

// A notify that this rank posts or waits for, and the line that does.
std::string Run::text_of(const Step &step) const {
    const int rank = context_.setting.rank;
    const bool posts = step.kind == Step::kPost;
    const std::string notify = step.peer == kNoPeer
                                   ? local_notify_text(step.notify, rank)
                                   : notify_text(step.notify, posts ? rank : step.peer, posts ? step.peer : rank);
    return notify + line_text(context_.lines, step.line);
}

std::string Run::waits() const {
    std::string text;
    for (size_t stream = 0; stream < next_.size(); stream++) {
        const Step *const step = awaited(stream);
        if (step != nullptr) text += ", " + stream_text(stream) + " for " + text_of(*step);
    }
    return text;
}

}  // namespace rankunit::coll
