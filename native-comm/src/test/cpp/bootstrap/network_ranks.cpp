#include "bootstrap/network_ranks.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "support/failure.h"

namespace rankunit::test {
namespace {

constexpr size_t kPage = 4096;
constexpr uint32_t kUp = 1;
constexpr uint32_t kGather = 2;

}  // namespace

MeetAddress::MeetAddress(const std::string &address) {
    setenv("RANKUNIT_MEET_ADDRESS", address.c_str(), 1);
}

MeetAddress::~MeetAddress() {
    unsetenv("RANKUNIT_MEET_ADDRESS");
}

SharedNumbers::SharedNumbers() {
    void *page = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) throw CheckFailed("mmap");
    numbers_ = static_cast<std::atomic<int64_t> *>(page);
}

SharedNumbers::~SharedNumbers() {
    munmap(numbers_, kPage);
}

NetworkRank::NetworkRank(int rank, int nranks, const std::string &path, int64_t timeout_ms)
    : bootstrap_(rank, nranks, path) {
    bootstrap_.set_timeout(timeout_ms);
}

NetworkRank &NetworkRank::up() {
    bootstrap_.open();
    CHECK(bootstrap_.spans_machines());
    const bootstrap::Members all = bootstrap::Members::all(bootstrap_.nranks(), bootstrap_.rank());
    bootstrap_.gather(all, bootstrap::Topic{kUp, 0, "for all ranks to come"}, "");
    bootstrap_.settle();
    return *this;
}

std::vector<std::string> NetworkRank::gather(const std::vector<uint32_t> &ranks, uint64_t id,
                                             const std::string &message) {
    const auto self = static_cast<uint32_t>(bootstrap_.rank());
    const auto place = static_cast<uint32_t>(std::find(ranks.begin(), ranks.end(), self) - ranks.begin());
    const bootstrap::Members members =
        bootstrap::Members::of(ranks.data(), ranks.size(), place, bootstrap_.nranks(), bootstrap_.rank());
    return bootstrap_.gather(members, bootstrap::Topic{kGather, id, "for the others to say something"}, message);
}

Outcome fail(const std::function<void()> &body) {
    try {
        body();
    } catch (const Failure &failure) {
        return {failure.code(), failure.what()};
    }
    throw CheckFailed("nothing has failed");
}

TextPipe::TextPipe() {
    if (pipe(ends_) != 0) throw CheckFailed("pipe");
}

TextPipe::~TextPipe() {
    close(ends_[0]);
    close(ends_[1]);
}

void TextPipe::write_text(const std::string &text) const {
    CHECK_EQUAL(write(ends_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
}

std::string TextPipe::read_text() const {
    char text[512];
    const ssize_t bytes = read(ends_[0], text, sizeof(text));
    CHECK(bytes > 0);
    return std::string(text, static_cast<size_t>(bytes));
}

int64_t now_us() {
    return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

}  // namespace rankunit::test
