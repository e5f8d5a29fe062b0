#include "coll/plan.h"

#include <utility>

#include "coll/agreement.h"
#include "coll/run.h"
#include "device/memory_map.h"
#include "support/failure.h"

namespace rankunit::coll {

using device::MemoryMap;

namespace {

// The same on all ranks that were given the same; never 0. If other offsets have the same stamp, a mistake goes
// unnoticed.
uint32_t stamp_of(uint64_t input, uint64_t output) {
    const uint64_t mixed = (input * 0x9e37'79b9'7f4a'7c15 ^ output) * 0xd6e8'feb8'6659'fd93;
    return static_cast<uint32_t>(mixed >> 32) | 1;
}

void require_memory(const char *name, uint64_t address, uint64_t bytes, MemoryMap::Use use) {
    try {
        MemoryMap::of_process().access(address, bytes, use, [] {});
    } catch (const Failure &failure) {
        throw Failure(COMM_INVALID_ARGUMENT, std::string(name) + ": " + failure.what());
    }
}

}  // namespace

Plan::Plan(comm::Communicator &communicator, std::string call, const Setting &setting, const std::vector<Task> &tasks)
    : communicator_(communicator),
      call_(std::move(call)),
      setting_(setting),
      own_(extent_of(tasks)),
      part_(communicator, agree(communicator, setting, call_, own_), call_),
      program_(compile(tasks, setting, own_, part_)),
      record_(setting, part_.link_notifies(), part_.token()),
      bases_(static_cast<size_t>(setting.nranks) * kBuffers) {
    for (int rank = 0; rank < setting.nranks; rank++) {
        for (const CollBuffer buffer : {COLL_CCL_IN, COLL_CCL_OUT, COLL_SCRATCH}) {
            bases_[base_of(rank, buffer)] = part_.buffer(rank, buffer);
        }
    }
}

void Plan::run(uint64_t input, uint64_t output) {
    communicator_.bootstrap().require_sound();
    set_bases(input, output);
    const bool symmetric = setting_.memory == COLL_WINDOWS;
    PartHeader &own = part_.header(setting_.rank);
    // relaxed: only looked at for messages
    own.input.store(input, std::memory_order_relaxed);
    own.output.store(output, std::memory_order_relaxed);
    Run(RunContext{communicator_.bootstrap(), call_, setting_, part_, program_, bases_, record_,
                   symmetric ? stamp_of(input, output) : 1})
        .all();
}

void Plan::set_bases(uint64_t input, uint64_t output) {
    place(COLL_INPUT, input);
    place(COLL_OUTPUT, output);
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
