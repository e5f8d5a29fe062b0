// Runs plans on the host: for devices whose memory it reaches.
#include "coll/host/program.h"
#include "coll/host/run.h"
#include "coll/host/run_record.h"
#include "coll/host/shared_part.h"
#include "coll/runner.h"

namespace rankunit::coll {
namespace {

// The same on all ranks that were given the same; never 0. If other offsets have the same stamp, a mistake goes
// unnoticed.
uint32_t stamp_of(uint64_t input, uint64_t output) {
    const uint64_t mixed = (input * 0x9e37'79b9'7f4a'7c15 ^ output) * 0xd6e8'feb8'6659'fd93;
    return static_cast<uint32_t>(mixed >> 32) | 1;
}

class HostRunner : public Runner {
public:
    explicit HostRunner(const Prepared &prepared)
        : bootstrap_(prepared.communicator.bootstrap()),
          call_(prepared.call),
          setting_(prepared.setting),
          lines_(prepared.lines),
          part_(prepared),
          program_(compile(prepared.tasks, prepared.setting, prepared.own, part_)),
          record_(prepared.setting, part_.link_notifies(), part_.token()) {}

    uint64_t buffer(int rank, CollBuffer buffer) const override { return part_.buffer(rank, buffer); }

    void run(const Given &given) override {
        PartHeader &own = part_.header(setting_.rank);
        // relaxed: only looked at for messages
        own.input.store(given.input, std::memory_order_relaxed);
        own.output.store(given.output, std::memory_order_relaxed);
        const bool symmetric = setting_.memory == COLL_WINDOWS;
        Run(RunContext{bootstrap_, call_, setting_, lines_, part_, program_, given.bases, record_,
                       symmetric ? stamp_of(given.input, given.output) : 1})
            .all();
    }

private:
    bootstrap::Bootstrap &bootstrap_;
    const std::string &call_;
    const Setting &setting_;
    const Lines &lines_;
    const SharedPart part_;
    const Program program_;
    RunRecord record_;
};

}  // namespace

std::string reason_against(const comm::Communicator & /*communicator*/, const Setting & /*setting*/,
                           const std::vector<Task> & /*tasks*/) {
    return "";
}

std::unique_ptr<Runner> make_runner(const Prepared &prepared) {
    return std::make_unique<HostRunner>(prepared);
}

}  // namespace rankunit::coll
