#include "coll/agreement.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "bootstrap/members.h"
#include "coll/ccl_buffers.h"
#include "support/failure.h"

namespace rankunit::coll {
namespace {

// Below comm::kDeviceTopics, and none of the communicator's own.
constexpr uint32_t kTopic = 15;
static_assert(kTopic < comm::kDeviceTopics);

constexpr size_t kMostText = 1024;
constexpr size_t kMostReason = 512;

// The message of one rank.
struct Said {
    uint64_t digest;  // of the whole text
    uint64_t schedule;
    uint64_t type;
    uint64_t reduction;
    uint64_t memory;
    uint64_t ccl_bytes;
    Extent extent;
    char call[kMostText];  // cut
    char reason_against[kMostReason];
};
static_assert(sizeof(Said) <= bootstrap::kMaxMessage);

// FNV-1a.
uint64_t digest_of(const std::string &text) {
    uint64_t digest = 0xcbf2'9ce4'8422'2325;
    for (const char each : text) digest = (digest ^ static_cast<unsigned char>(each)) * 0x100'0000'01b3;
    return digest;
}

Said say(const Setting &setting, const Wanted &wanted) {
    Said said{};
    said.digest = digest_of(wanted.call);
    said.schedule = wanted.schedule;
    said.type = setting.type;
    said.reduction = setting.reduction;
    said.memory = setting.memory;
    said.ccl_bytes = CclBuffers::bytes_of_each();
    said.extent = wanted.own;
    copy_text(wanted.call, said.call, sizeof(said.call));
    copy_text(wanted.reason_against, said.reason_against, sizeof(said.reason_against));
    return said;
}

Said understand(const std::string &message) {
    Said said{};
    if (message.size() != sizeof(said)) throw Failure(COMM_MISMATCH, "a rank sent a malformed message");
    std::memcpy(&said, message.data(), sizeof(said));
    said.call[kMostText - 1] = '\0';
    said.reason_against[kMostReason - 1] = '\0';
    return said;
}

std::string text_of(int rank, const Said &said) {
    return "rank " + std::to_string(rank) + " wants \"" + said.call + "\"";
}

bool same(const Said &one, const Said &other) {
    return one.digest == other.digest && one.schedule == other.schedule && one.type == other.type &&
           one.reduction == other.reduction && one.memory == other.memory;
}

void widen(Extent &to, const Extent &by) {
    for (size_t i = 0; i < kBuffers; i++) to.bytes[i] = std::max(to.bytes[i], by.bytes[i]);
    to.link_notifies = std::max(to.link_notifies, by.link_notifies);
}

}  // namespace

Extent agree(comm::Communicator &communicator, const Setting &setting, const Wanted &wanted) {
    const Said own = say(setting, wanted);
    bootstrap::Bootstrap &bootstrap = communicator.bootstrap();
    const std::vector<std::string> messages =
        bootstrap.gather(bootstrap::Members::all(setting.nranks, setting.rank),
                         bootstrap::Topic{kTopic, 0, "for all ranks to prepare the same collective"},
                         std::string(reinterpret_cast<const char *>(&own), sizeof(own)));
    Extent all = wanted.own;
    std::string refusal;
    const Said first = understand(messages[0]);
    for (size_t rank = 0; rank < messages.size(); rank++) {
        const Said other = understand(messages[rank]);
        if (!same(first, other)) {
            std::string text = text_of(static_cast<int>(rank), other) + ", " + text_of(0, first);
            if (std::strcmp(first.call, other.call) == 0) {
                text += first.schedule == other.schedule
                            ? ", which differ in what the texts leave out"
                            : ", by different tasks: algorithms of the same name, or with different parameters";
            }
            bootstrap.fail(COMM_MISMATCH, text);
        }
        if (other.ccl_bytes != first.ccl_bytes) {
            const auto size = [](size_t of, const Said &said) {
                return "rank " + std::to_string(of) + " has CCL buffers of " + std::to_string(said.ccl_bytes >> 20) +
                       " MiB";
            };
            bootstrap.fail(COMM_MISMATCH,
                           size(rank, other) + ", " + size(0, first) + ": HCCL_BUFFSIZE must be the same on all ranks");
        }
        if (refusal.empty() && other.reason_against[0] != '\0') {
            refusal = "rank " + std::to_string(rank) + ": " + other.reason_against;
        }
        widen(all, other.extent);
    }
    if (!refusal.empty()) throw Failure(COMM_NOT_SUPPORTED, refusal);
    return all;
}

}  // namespace rankunit::coll
