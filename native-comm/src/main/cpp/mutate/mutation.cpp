#include "mutate/mutation.h"

#include <array>
#include <cstdlib>

#include "rankunit/device.h"
#include "record/record.h"
#include "support/failure.h"

namespace rankunit::mutate {
namespace {

constexpr std::array<const char *, 11> kNames = {"",           "edge",        "task-wait",   "publish",
                                                 "event-wait", "notify-post", "notify-wait", "signal",
                                                 "cell-wait",  "synchronize", "tensor"};

std::atomic<uint64_t> number{0};
std::atomic<uint64_t> so_far{0};

uint32_t step_named(const std::string &name) {
    for (uint32_t step = 1; step < kNames.size(); step++) {
        if (name == kNames[step]) return step;
    }
    return 0;
}

}  // namespace

std::atomic<uint32_t> wanted{0};

bool reached(Step step, uint32_t task, uint64_t argument) noexcept {
    const uint64_t count = so_far.fetch_add(1, std::memory_order_relaxed) + 1;
    if (count != number.load(std::memory_order_relaxed)) return false;
    record::now(record::kLeftOut, step, count, task, argument);
    return true;
}

void leave_out(const std::string &what) {
    const size_t colon = what.find(':');
    const uint32_t step = what.empty() ? 0 : step_named(what.substr(0, colon));
    char *end = nullptr;
    const uint64_t count = colon == std::string::npos ? 0 : std::strtoull(what.c_str() + colon + 1, &end, 10);
    if (!what.empty() && (step == 0 || count == 0 || *end != '\0')) {
        throw Failure(DEVICE_INVALID_ARGUMENT,
                      "what = \"" + what + "\" is not a kind of step and its number, such as edge:3");
    }
    number.store(count, std::memory_order_relaxed);
    begin_anew();
    wanted.store(step, std::memory_order_relaxed);
}

void begin_anew() noexcept {
    so_far.store(0, std::memory_order_relaxed);
}

}  // namespace rankunit::mutate
