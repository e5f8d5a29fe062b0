#include "ascend/ascend_ranks.h"

namespace rankunit::test {
namespace {

constexpr char kA2[] = "Ascend910B3";
constexpr char kA3[] = "Ascend910_9391";
constexpr char kA5[] = "Ascend950PR_9589";
constexpr char kNoHandles[] = "aclrtMemExportToShareableHandle=207000;";
constexpr char kNoKeys[] = "aclrtIpcMemImportByKey=507899;";  // as between devices on PCIe

}  // namespace

std::vector<Way> ways() {
    if (vendor() == "vendor-9-bare") {
        return {{"hccl on A2", kA2, ""}, {"hccl on A3", kA3, ""}, {"hccl on A5", kA5, ""}};
    }
    if (vendor() == "vendor-8.1") return {{"handle", kA3, ""}, {"hccl", kA2, kNoHandles}};
    std::vector<Way> all{{"fabric", kA3, ""}, {"handle", kA2, ""}, {"handle on A5", kA5, ""}, {"key", kA2, kNoHandles}};
    if (vendor() != "vendor-acl-rt") all.push_back({"hccl", kA2, std::string(kNoHandles) + kNoKeys});
    return all;
}

Machine::Machine(const Way &way, const std::string &more_faults)
    : soc_("RANKUNIT_EMULATOR_SOC", way.soc),
      faults_("RANKUNIT_EMULATOR_FAULTS", way.faults + more_faults),
      buffers_("HCCL_BUFFSIZE", "1") {}

AscendRank::AscendRank(int rank, int nranks, const std::string &path, int device, int64_t timeout_ms)
    : rank_(rank),
      device_(std::make_unique<OpenDevice>(device)),
      comm_(comm_init(rank, nranks, device_->stream(), path.c_str())) {
    if (comm_ == nullptr) throw CheckFailed(comm_last_error());
    CHECK_EQUAL(comm_set_timeout(comm_, timeout_ms), COMM_OK);
}

AscendRank::~AscendRank() {
    destroy();
}

void AscendRank::destroy() {
    if (comm_ != nullptr) comm_destroy(comm_);
    comm_ = nullptr;
}

int AscendRank::allocate(size_t bytes) {
    return comm_alloc_windows(comm_, bytes, &context_address_);
}

void AscendRank::up(size_t bytes) {
    if (allocate(bytes) != COMM_OK) throw CheckFailed(comm_last_error());
}

void AscendRank::barrier() {
    if (comm_barrier(comm_) != COMM_OK) throw CheckFailed(comm_last_error());
}

CommContext AscendRank::context_at(uint64_t address) const {
    CommContext context{};
    if (device_copy_out(device_->get(), &context, address, sizeof(context)) != DEVICE_OK) {
        throw CheckFailed(device_last_error());
    }
    return context;
}

}  // namespace rankunit::test
