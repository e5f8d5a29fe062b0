#include "ascend/ascend_support.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace rankunit::test {
namespace {

std::string new_file() {
    char path[] = "/tmp/rankunit-trace-XXXXXX";
    const int file = mkstemp(path);
    if (file < 0) throw CheckFailed("mkstemp");
    close(file);
    return path;
}

}  // namespace

std::string vendor() {
    const char *name = std::getenv("RANKUNIT_TEST_VENDOR");
    if (name == nullptr) throw CheckFailed("RANKUNIT_TEST_VENDOR is not set; run this by ctest");
    return name;
}

void *vendor_library() {
    void *library = dlopen(vendor() == "vendor-acl-rt" ? "libacl_rt.so" : "libascendcl.so", RTLD_NOW);
    if (library == nullptr) throw CheckFailed(dlerror());
    return library;
}

void in_process(const std::function<void()> &body) {
    run_ranks(1, [&](int) { body(); });
}

Setting::Setting(const char *name, const std::string &value) : name_(name) {
    setenv(name, value.c_str(), 1);
}

Setting::~Setting() {
    unsetenv(name_);
}

Trace::Trace() : path_(new_file()), setting_("RANKUNIT_EMULATOR_TRACE", path_) {}

Trace::~Trace() {
    unlink(path_.c_str());
}

std::vector<std::string> Trace::lines() const {
    std::vector<std::string> all;
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) {
        const size_t start = line.find(' ', line.find(' ') + 1) + 1;
        all.push_back(line.substr(start));
    }
    return all;
}

void Trace::require_order(const std::vector<std::string> &starts) const {
    size_t next = 0;
    std::string whole;
    for (const std::string &line : lines()) {
        whole += "\n          " + line;
        if (next < starts.size() && line.rfind(starts[next], 0) == 0) next++;
    }
    if (next < starts.size()) throw CheckFailed("no " + starts[next] + " in its place in" + whole);
}

int Trace::count(const std::string &start) const {
    int found = 0;
    for (const std::string &line : lines()) found += line.rfind(start, 0) == 0;
    return found;
}

OpenDevice::OpenDevice(int id) {
    if (device_open(id, &handle_) != DEVICE_OK) throw CheckFailed(device_last_error());
}

OpenDevice::~OpenDevice() {
    device_close(handle_);
}

void *OpenDevice::stream() const {
    void *stream = nullptr;
    CHECK_EQUAL(device_stream(handle_, &stream), DEVICE_OK);
    return stream;
}

uint64_t OpenDevice::allocate(size_t bytes) const {
    uint64_t address = 0;
    if (device_malloc(handle_, bytes, &address) != DEVICE_OK) throw CheckFailed(device_last_error());
    return address;
}

KernelHandle OpenDevice::kernel(const char *library, const char *name) const {
    KernelHandle kernel = nullptr;
    if (device_load_kernel(handle_, library, name, &kernel) != DEVICE_OK) throw CheckFailed(device_last_error());
    return kernel;
}

std::vector<uint64_t> OpenDevice::read(uint64_t address, size_t words) const {
    std::vector<uint64_t> data(words);
    if (device_copy_out(handle_, data.data(), address, words * sizeof(uint64_t)) != DEVICE_OK) {
        throw CheckFailed(device_last_error());
    }
    return data;
}

void OpenDevice::write(uint64_t address, const std::vector<uint64_t> &words) const {
    if (device_copy_in(handle_, address, words.data(), words.size() * sizeof(uint64_t)) != DEVICE_OK) {
        throw CheckFailed(device_last_error());
    }
}

}  // namespace rankunit::test
