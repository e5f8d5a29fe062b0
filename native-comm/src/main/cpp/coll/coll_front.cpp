// Implements rankunit/coll.h: checks arguments and turns errors into status codes.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "coll/plan.h"
#include "coll/task.h"
#include "comm/front.h"
#include "rankunit/coll.h"
#include "shake/shake.h"
#include "support/failure.h"

using rankunit::Failure;
using rankunit::coll::Asked;
using rankunit::coll::Lines;
using rankunit::coll::Plan;
using rankunit::coll::Setting;
using rankunit::coll::Task;
using rankunit::comm::Communicator;
using rankunit::comm::guarded;
using rankunit::comm::require;
using rankunit::comm::require_target;

namespace {

void require_at_most(const char *name, uint32_t value, uint32_t most) {
    if (value > most) {
        throw Failure(COMM_INVALID_ARGUMENT, std::string(name) + " = " + std::to_string(value) + " is not in [0, " +
                                                 std::to_string(most) + "]");
    }
}

Plan &require_plan(Communicator &communicator, uint32_t number) {
    auto *const plan = dynamic_cast<Plan *>(communicator.attached(number));
    if (plan == nullptr) {
        throw Failure(COMM_INVALID_ARGUMENT, "plan = " + std::to_string(number) + ": there is no such plan");
    }
    return *plan;
}

}  // namespace

int coll_plan_create(CommHandle h, const char *call, uint64_t schedule, uint32_t type, uint32_t reduction,
                     uint32_t memory, const uint64_t *tasks, size_t task_count, const char *lines, uint32_t *plan_out) {
    return guarded([&] {
        require_target(call, "call");
        require_target(plan_out, "plan_out");
        if (task_count > 0) require_target(tasks, "tasks");
        require_at_most("type", type, COLL_BYTES);
        require_at_most("reduction", reduction, COLL_MIN);
        require_at_most("memory", memory, COLL_WINDOWS);
        Communicator &communicator = require(h);
        const Communicator::OneCall one(communicator);
        communicator.windows();
        const Setting setting{communicator.bootstrap().rank(), communicator.bootstrap().nranks(),
                              static_cast<CollType>(type), static_cast<CollReduction>(reduction),
                              static_cast<CollMemory>(memory)};
        Lines split;
        std::vector<Task> unpacked;
        communicator.telling_peers([&] {
            split = rankunit::coll::split_lines(lines);
            unpacked = unpack(tasks, task_count, setting, split);
        });
        *plan_out = communicator.attach(
            std::make_unique<Plan>(communicator, Asked{call, schedule, std::move(split)}, setting, unpacked));
    });
}

int coll_plan_run(CommHandle h, uint32_t plan, uint64_t input, uint64_t output) {
    return guarded([&] {
        Communicator &communicator = require(h);
        const Communicator::OneCall one(communicator);
        Plan &found = require_plan(communicator, plan);
        const rankunit::shake::Call call;
        found.run(input, output);
    });
}

int coll_plan_destroy(CommHandle h, uint32_t plan) {
    return guarded([&] {
        Communicator &communicator = require(h);
        const Communicator::OneCall one(communicator);
        require_plan(communicator, plan);
        communicator.detach(plan);
    });
}
