#include "coll/plan.h"

#include <utility>

#include "coll/agreement.h"
#include "device/memory_map.h"
#include "support/failure.h"

namespace rankunit::coll {

using device::MemoryMap;

namespace {

void require_memory(const char *name, uint64_t address, uint64_t bytes, MemoryMap::Use use) {
    try {
        MemoryMap::of_process().access(address, bytes, use, [] {});
    } catch (const Failure &failure) {
        throw Failure(COMM_INVALID_ARGUMENT, std::string(name) + ": " + failure.what());
    }
}

}  // namespace

Plan::Plan(comm::Communicator &communicator, Asked asked, const Setting &setting, const std::vector<Task> &tasks)
    : communicator_(communicator),
      asked_(std::move(asked)),
      setting_(setting),
      own_(extent_of(tasks)),
      bases_(static_cast<size_t>(setting.nranks) * kBuffers) {
    const Extent all = agree(communicator, setting,
                             Wanted{asked_.call, asked_.schedule, own_, reason_against(communicator, setting, tasks)});
    communicator.telling_peers(
        [&] { runner_ = make_runner(Prepared{communicator, asked_.call, setting_, tasks, asked_.lines, own_, all}); });
    for (int rank = 0; rank < setting.nranks; rank++) {
        for (const CollBuffer buffer : {COLL_CCL_IN, COLL_CCL_OUT, COLL_SCRATCH}) {
            bases_[base_of(rank, buffer)] = runner_->buffer(rank, buffer);
        }
    }
}

void Plan::run(uint64_t input, uint64_t output) {
    communicator_.bootstrap().require_sound();
    communicator_.telling_peers([&] {
        place(COLL_INPUT, input);
        place(COLL_OUTPUT, output);
    });
    runner_->run(Given{input, output, bases_});
}

void Plan::place(CollBuffer buffer, uint64_t given) {
    const uint64_t bytes = own_.bytes[buffer];
    if (bytes == 0) return;
    const char *const name = buffer == COLL_INPUT ? "input" : "output";
    if (setting_.memory == COLL_SINGLE_OPERATOR) {
        require_memory(name, given, bytes, buffer == COLL_INPUT ? MemoryMap::Use::kRead : MemoryMap::Use::kWrite);
        bases_[base_of(setting_.rank, buffer)] = given;
        return;
    }
    const comm::Windows &windows = communicator_.windows();
    if (given > windows.bytes() || bytes > windows.bytes() - given) {
        throw Failure(COMM_INVALID_ARGUMENT, std::string(name) + " = " + std::to_string(given) + ": " +
                                                 std::to_string(bytes) +
                                                 " bytes from there are not inside the windows, which have " +
                                                 std::to_string(windows.bytes()) + " bytes each");
    }
    for (int rank = 0; rank < setting_.nranks; rank++) {
        bases_[base_of(rank, buffer)] = windows.addresses()[static_cast<size_t>(rank)] + given;
    }
}

}  // namespace rankunit::coll
