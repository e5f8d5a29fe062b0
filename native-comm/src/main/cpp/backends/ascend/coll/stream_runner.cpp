// Runs plans on streams of the device. Exercised on an emulator only, never on a real device.
#include <algorithm>
#include <cstring>

#include "backends/ascend/coll/plan_notifies.h"
#include "backends/ascend/coll/plan_streams.h"
#include "backends/ascend/coll/reductions.h"
#include "backends/ascend/launch/rank_wait.h"
#include "backends/ascend/memory/window_exchange.h"
#include "backends/ascend/vendor/vendor_error.h"
#include "backends/ascend/vendor/vendor_library.h"
#include "coll/plan_memory.h"
#include "coll/runner.h"
#include "rankunit/comm.h"
#include "support/failure.h"

namespace rankunit::ascend {
namespace {

using coll::base_of;
using coll::Given;
using coll::kNoPeer;
using coll::Prepared;
using coll::Setting;
using coll::Task;

// What all ranks of a run must say alike.
struct RunWish {
    uint64_t plan;
    uint64_t input;  // 0, as the next, where ranks may differ
    uint64_t output;
    char call[512];  // cut
};

std::string name(size_t rank) {
    return "rank " + std::to_string(rank);
}

std::string difference(const RunWish &first, size_t rank, const RunWish &other) {
    if (first.plan != other.plan) {
        const auto runs = [](size_t of, const RunWish &wish) {
            return name(of) + " runs \"" + wish.call + "\" (the plan with number " + std::to_string(wish.plan) + ")";
        };
        return runs(0, first) + ", " + runs(rank, other);
    }
    const auto given = [](size_t of, const RunWish &wish) {
        return name(of) + " has its input at " + std::to_string(wish.input) + " and its output at " +
               std::to_string(wish.output) + " of the windows";
    };
    return given(0, first) + ", " + given(rank, other) + "; in " + first.call;
}

// A little more than the host waits for, which can say who is missing.
uint32_t seconds_beyond(milliseconds timeout) {
    return static_cast<uint32_t>(timeout.count() / 1000 + 10);
}

struct Addresses {
    uint64_t to;
    uint64_t from;
};

class StreamRunner : public coll::Runner {
public:
    StreamRunner(const Prepared &prepared, const StreamHome &home)
        : bootstrap_(prepared.communicator.bootstrap()),
          call_(prepared.call),
          setting_(prepared.setting),
          lines_(prepared.lines),
          tasks_(prepared.tasks),
          home_(home),
          memory_(prepared, 0),
          notifies_(std::make_unique<PlanNotifies>(bootstrap_, home_, prepared)),
          streams_(std::make_unique<PlanStreams>(home_, prepared.communicator.stream(), prepared.own.streams)) {}

    // What runs on the streams uses all the rest.
    ~StreamRunner() override {
        streams_.reset();
        try {
            const ContextScope scope(home_);
            notifies_.reset();
        } catch (const std::exception &) {
            // The context is gone with the device, and the notifies with it.
        }
    }

    uint64_t buffer(int rank, CollBuffer buffer) const override { return memory_.buffer(rank, buffer); }

    void run(const Given &given) override {
        require_apart(given);
        const ContextScope scope(home_);
        streams_->set_unfinished(true);
        telling_first(bootstrap_, [&] {
            agree_on(given);
            const Deadline deadline{bootstrap_.timeout()};
            for (size_t number = 0; number < tasks_.size(); number++) enqueue(number, given);
            wait_for_streams(bootstrap_, home_, streams_->all(), deadline,
                             {"for the end of " + call_, "after " + call_, "it is not over"});
        });
        streams_->set_unfinished(false);
    }

private:
    void agree_on(const Given &given) const;
    void require_apart(const Given &given) const;
    void enqueue(size_t number, const Given &given) const;
    void move(size_t number, const Given &given) const;
    std::string text_of(size_t number) const;
    Addresses addresses_of(const Task &task, const Given &given) const;

    bootstrap::Bootstrap &bootstrap_;
    const std::string &call_;
    const Setting &setting_;
    const coll::Lines &lines_;
    const std::vector<Task> tasks_;
    const StreamHome home_;
    const coll::PlanMemory memory_;
    std::unique_ptr<PlanNotifies> notifies_;
    std::unique_ptr<PlanStreams> streams_;
};

// A device does not see what the ranks were given, and who does not come is named here.
void StreamRunner::agree_on(const Given &given) const {
    RunWish own{};
    own.plan = memory_.number();
    if (setting_.memory == COLL_WINDOWS) {
        own.input = given.input;
        own.output = given.output;
    }
    copy_text(call_, own.call, sizeof(own.call));
    const Members everybody = Members::all(setting_.nranks, setting_.rank);
    const std::string what = "for all ranks to come to " + call_;
    const std::vector<RunWish> wishes = say_all(Exchange{bootstrap_, everybody, 0, home_}, kPlanRun, what.c_str(), own);
    for (size_t rank = 1; rank < wishes.size(); rank++) {
        const RunWish &first = wishes[0];
        const RunWish &other = wishes[rank];
        const bool same = first.plan == other.plan && first.input == other.input && first.output == other.output;
        if (!same) bootstrap_.fail(COMM_MISMATCH, difference(first, rank, other));
    }
}

Addresses StreamRunner::addresses_of(const Task &task, const Given &given) const {
    return {given.bases[base_of(task.target_of(setting_.rank), task.to_buffer)] + task.to,
            given.bases[base_of(task.source_of(setting_.rank), task.from_buffer)] + task.from};
}

std::string StreamRunner::text_of(size_t number) const {
    return "task " + std::to_string(number) + coll::line_text(lines_, tasks_[number].line) + " of " + call_;
}

// What a device makes of a copy whose ends overlap is not known.
void StreamRunner::require_apart(const Given &given) const {
    for (size_t number = 0; number < tasks_.size(); number++) {
        const Task &task = tasks_[number];
        if (!task.moves_data()) continue;
        const auto [to, from] = addresses_of(task, given);
        if (to == from || to + task.bytes <= from || from + task.bytes <= to) continue;
        throw Failure(COMM_INVALID_ARGUMENT, text_of(number) + ": the " + std::to_string(task.bytes) +
                                                 " bytes that it reads and those that it writes overlap, which streams "
                                                 "do not move");
    }
}

void StreamRunner::enqueue(size_t number, const Given &given) const {
    const Task &task = tasks_[number];
    if (task.moves_data()) return move(number, given);
    const AscendNotify &notify = notifies_->of(task);
    const aclrtStream stream = streams_->all()[task.stream];
    if (task.kind == COLL_POST) {
        notify.record_on(stream);
    } else {
        notify.wait_and_reset_on(stream, seconds_beyond(bootstrap_.timeout()));
    }
}

void StreamRunner::move(size_t number, const Given &given) const {
    const Task &task = tasks_[number];
    const aclrtStream stream = streams_->all()[task.stream];
    const auto [to, from] = addresses_of(task, given);
    if (task.bytes == 0 || (!task.reduces() && to == from)) return;
    const aclError result = task.reduces() ? reduce_on(stream, to, from, task.bytes, setting_.type, setting_.reduction)
                                           : acl().aclrtMemcpyAsync(reinterpret_cast<void *>(to), task.bytes,
                                                                    reinterpret_cast<const void *>(from), task.bytes,
                                                                    ACL_MEMCPY_DEVICE_TO_DEVICE, stream);
    if (result == ACL_SUCCESS) return;
    check_acl(result,
              std::string(task.reduces() ? "aclrtReduceAsync" : "aclrtMemcpyAsync") + " of " +
                  std::to_string(task.bytes) + " bytes for " + text_of(number),
              home_.device);
}

}  // namespace
}  // namespace rankunit::ascend

namespace rankunit::coll {

using namespace rankunit::ascend;

std::string reason_against(const comm::Communicator &communicator, const Setting &setting,
                           const std::vector<Task> &tasks) {
    const auto any = [&](auto is) { return std::any_of(tasks.begin(), tasks.end(), is); };
    const bool signals = any([](const Task &task) { return !task.moves_data(); });
    const bool links = any([](const Task &task) { return !task.moves_data() && task.peer != kNoPeer; });
    if ((signals && !AscendNotify::can_be_created()) || (links && !AscendNotify::can_be_shared())) {
        return "this CANN (" + acl_version() + ") has no notifies that " + (links ? "ranks" : "streams") +
               " could share, by which the streams of a plan wait for each other; CANN 8.5 has them";
    }
    if (links && communicator.spans_machines()) {
        return "the ranks meet over a network (RANKUNIT_MEET_ADDRESS), and the notifies by which they wait for each "
               "other are of one machine";
    }
    const bool reduces = any([](const Task &task) { return task.reduces(); });
    return reduces ? reason_against_reduction(setting.type, setting.reduction) : "";
}

std::unique_ptr<Runner> make_runner(const Prepared &prepared) {
    const StreamHome home = home_of(prepared.communicator.stream());
    const ContextScope scope(home);
    return telling_first(prepared.communicator.bootstrap(),
                         [&]() -> std::unique_ptr<Runner> { return std::make_unique<StreamRunner>(prepared, home); });
}

}  // namespace rankunit::coll
