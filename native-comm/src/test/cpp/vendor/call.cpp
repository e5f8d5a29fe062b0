#include "vendor/call.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>

namespace rankunit::emulator {
namespace {

// "HcclBarrier/dev1": whether this call is meant.
bool names(const std::string &pattern, const char *function, int device) {
    const size_t slash = pattern.find("/dev");
    if (pattern.substr(0, slash) != function) return false;
    return slash == std::string::npos || std::atoi(pattern.c_str() + slash + 4) == device;
}

// Whether a variable names this call.
bool lists(const char *variable, const char *function, int device) {
    std::istringstream patterns(environment(variable, ""));
    for (std::string pattern; std::getline(patterns, pattern, ';');) {
        if (names(pattern, function, device)) return true;
    }
    return false;
}

// How often the pattern has been met in this process, this time included.
int count_of(const std::string &pattern) {
    static std::mutex &mutex = *new std::mutex;
    static std::map<std::string, int> &counts = *new std::map<std::string, int>;
    const std::lock_guard<std::mutex> lock(mutex);
    return ++counts[pattern];
}

std::optional<int> fault_of(const char *function, int device) {
    std::istringstream faults(environment("RANKUNIT_EMULATOR_FAULTS", ""));
    for (std::string fault; std::getline(faults, fault, ';');) {
        const size_t equals = fault.find('=');
        if (equals == std::string::npos || !names(fault.substr(0, equals), function, device)) continue;
        const size_t at = fault.find('@', equals);
        const int code = std::atoi(fault.c_str() + equals + 1);
        if (at == std::string::npos || count_of(fault) == std::atoi(fault.c_str() + at + 1)) return code;
    }
    return std::nullopt;
}

}  // namespace

const char *environment(const char *name, const char *otherwise) {
    const char *value = std::getenv(name);
    return value == nullptr || *value == '\0' ? otherwise : value;
}

bool is_to_hang(const char *function, int device) {
    return lists("RANKUNIT_EMULATOR_HANG", function, device);
}

void write_trace(const std::string &line) {
    const char *path = std::getenv("RANKUNIT_EMULATOR_TRACE");
    if (path == nullptr) return;
    const std::string whole = std::to_string(getpid()) + " " + std::to_string(syscall(SYS_gettid)) + " " + line + "\n";
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) return;
    // one write, so that lines of several processes do not mix
    if (write(file, whole.data(), whole.size()) < 0) std::abort();
    close(file);
}

int traced(const CallSite &site, const std::function<int()> &body) {
    const std::string head = std::string(site.function) + "(" + site.arguments + ")";
    if (!site.enqueues && is_to_hang(site.function, site.device)) {
        write_trace(head + " hangs");
        for (;;) pause();
    }
    if (lists("RANKUNIT_EMULATOR_SLOW", site.function, site.device)) usleep(100'000);
    const std::optional<int> fault = fault_of(site.function, site.device);
    const int result = fault.has_value() ? *fault : body();
    write_trace(head + " = " + std::to_string(result));
    return result;
}

}  // namespace rankunit::emulator
