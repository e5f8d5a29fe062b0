// What tests of shaken devices have in common.
#ifndef RANKUNIT_TEST_SHAKE_SUPPORT_H
#define RANKUNIT_TEST_SHAKE_SUPPORT_H

#include <unistd.h>

#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "graph/graph_support.h"
#include "harness/ranks.h"
#include "rankunit/stream.h"

namespace rankunit::test {

constexpr int64_t kLong = 60'000;

struct Result {
    uint64_t count = 0;
    uint64_t hash = 0;
    std::vector<std::string> lines;

    bool operator==(const Result &other) const {
        return count == other.count && hash == other.hash && lines == other.lines;
    }
};

inline Result result_of(const GraphDevice &device) {
    const TempFolder folder;
    const std::string path = folder.file("decisions");
    Result result;
    CHECK_STATUS(device_shake_result(device.get(), path.c_str(), &result.count, &result.hash));
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) result.lines.push_back(line);
    unlink(path.c_str());
    return result;
}

inline Result shaken(const GraphDevice &device, uint32_t strategy, uint64_t seed, const std::function<void()> &body) {
    CHECK_STATUS(device_shake(device.get(), strategy, seed));
    body();
    return result_of(device);
}

class Stream {
public:
    explicit Stream(const GraphDevice &device) : device_(device) {
        CHECK_STATUS(stream_create(device.get(), &number_));
    }
    ~Stream() { stream_destroy(device_.get(), number_); }
    uint32_t number() const { return number_; }
    void launch(const char *kernel, const std::vector<uint64_t> &args, uint32_t blocks = 1,
                uint32_t cores = STREAM_CORES_VECTOR) const {
        KernelHandle handle = nullptr;
        CHECK_STATUS(device_load_kernel(device_.get(), TEST_GRAPH_KERNELS, kernel, &handle));
        CHECK_STATUS(
            stream_launch(device_.get(), number_, handle, args.data(), static_cast<int>(args.size()), blocks, cores));
    }
    void synchronize() const { CHECK_STATUS(stream_synchronize(device_.get(), number_, kLong)); }

private:
    const GraphDevice &device_;
    uint32_t number_ = 0;
};

}  // namespace rankunit::test

#endif  // RANKUNIT_TEST_SHAKE_SUPPORT_H
