#include "coll/ccl_buffers.h"

#include <cstdlib>
#include <string>
#include <utility>

#include "support/failure.h"

namespace rankunit::coll {
namespace {

constexpr const char *kVariable = "HCCL_BUFFSIZE";
constexpr uint64_t kUsual = 200;
constexpr uint64_t kMost = uint64_t{1} << 20;  // 1 TiB

}  // namespace

const CclBuffers &CclBuffers::of(comm::Communicator &communicator) {
    std::unique_ptr<comm::Attachment> &kept = communicator.shared_attachment();
    if (kept == nullptr) kept = std::make_unique<CclBuffers>(communicator);
    return dynamic_cast<const CclBuffers &>(*kept);
}

uint64_t CclBuffers::bytes_of_each() {
    const char *const text = std::getenv(kVariable);
    if (text == nullptr || *text == '\0') return kUsual << 20;
    char *end = nullptr;
    const uint64_t size = std::strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || size == 0 || size > kMost) {
        throw Failure(COMM_INVALID_ARGUMENT, std::string(kVariable) + " = \"" + text +
                                                 "\": expected the size of a CCL buffer in MiB, from 1 to " +
                                                 std::to_string(kMost));
    }
    return size << 20;
}

CclBuffers::CclBuffers(comm::Communicator &communicator)
    : communicator_(communicator),
      bytes_(bytes_of_each()),
      windows_(communicator.allocate_shared(2 * bytes_, "for all ranks to map the CCL buffers")),
      number_(communicator.shared()) {}

CclBuffers::~CclBuffers() {
    communicator_.give_up_shared(number_, std::move(windows_));
}

}  // namespace rankunit::coll
