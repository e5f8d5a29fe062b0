// What happens around each call of an emulated function: faults that a test has asked for, and the trace.
//
// All is asked for by environment variables, which are read at each call:
//
//     RANKUNIT_EMULATOR_FAULTS   "aclrtMalloc=207001@2;HcclBarrier/dev1=9": the function fails with the code; on its
//                                n-th call only, counted from 1 in each process; on one device only
//     RANKUNIT_EMULATOR_HANG     "HcclCommInitRootInfo/dev1;HcclBarrier": the call never returns, or, where the
//     function
//                                only enqueues, what it has enqueued never ends
//     RANKUNIT_EMULATOR_SLOW     "aclrtUnmapMem/dev0": the call takes 100 ms
//     RANKUNIT_EMULATOR_TRACE    a file to which each call appends a line: "<pid> <tid> aclrtSetDevice(0) = 0"
#ifndef RANKUNIT_VENDOR_CALL_H
#define RANKUNIT_VENDOR_CALL_H

#include <functional>
#include <sstream>
#include <string>

// Of libascendcl, for the emulated libraries that are linked to it.
#define RANKUNIT_EMULATOR_INTERNAL __attribute__((visibility("default")))

#define RANKUNIT_VENDOR extern "C" __attribute__((visibility("default")))

namespace rankunit::emulator {

struct CallSite {
    const char *function;
    std::string arguments;
    int device;             // logical id, -1 if the thread has none
    bool enqueues = false;  // a hang is one of the enqueued work
};

// Returns what the body returns, or what a fault says without running it.
int traced(const CallSite &site, const std::function<int()> &body);

bool is_to_hang(const char *function, int device);

void write_trace(const std::string &line);

// "a, b, c"
template <typename... Values>
std::string text(const Values &...values) {
    std::ostringstream out;
    const char *separator = "";
    ((out << separator << values, separator = ", "), ...);
    return out.str();
}

const char *environment(const char *name, const char *otherwise);

}  // namespace rankunit::emulator

#endif  // RANKUNIT_VENDOR_CALL_H
