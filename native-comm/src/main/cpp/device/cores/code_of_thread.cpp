// Where a thread is in its code: SignalStack, and code_of.
#include <dlfcn.h>
#include <execinfo.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <thread>

#include "device/cores/running.h"
#include "support/deadline.h"

namespace rankunit::device {
namespace {

// Room for the report that a JVM writes when it crashes.
constexpr size_t kSignalStackBytes = 512 << 10;

constexpr int kMostFrames = 32;
// For a thread that runs, to handle a signal.
constexpr std::chrono::milliseconds kAnswerTime{500};

struct SeenCode {
    std::array<void *, kMostFrames> frames;
    int count;
    std::atomic<bool> there;
};
SeenCode seen_code{};

void *pc_of(const void *context) {
    const auto *const machine = &static_cast<const ucontext_t *>(context)->uc_mcontext;
#if defined(__x86_64__)
    return reinterpret_cast<void *>(machine->gregs[REG_RIP]);
#elif defined(__aarch64__)
    return reinterpret_cast<void *>(machine->pc);
#else
#error "where is the program counter?"
#endif
}

// The frames from the one that was interrupted on.
void see_code(int, siginfo_t *, void *context) {
    void *const pc = pc_of(context);
    std::array<void *, kMostFrames> all{};
    const int count = backtrace(all.data(), kMostFrames);
    int first = 0;
    while (first < count && all[static_cast<size_t>(first)] != pc) first++;
    seen_code.count = 0;
    if (first == count) seen_code.frames[static_cast<size_t>(seen_code.count++)] = pc;
    for (int i = first; i < count; i++) {
        seen_code.frames[static_cast<size_t>(seen_code.count++)] = all[static_cast<size_t>(i)];
    }
    seen_code.there.store(true, std::memory_order_release);
}

std::string line_of(const void *address, const Dl_info &library) {
    char offset[24];
    std::snprintf(
        offset, sizeof(offset), "+0x%zx",
        static_cast<size_t>(static_cast<const char *>(address) - static_cast<const char *>(library.dli_fbase)));
    return std::string(library.dli_fname) + offset + "\n";
}

// Down to the code of this library, which has called the kernel.
std::string text_of_seen_code() {
    Dl_info own{};
    dladdr(reinterpret_cast<void *>(&see_code), &own);
    std::string text;
    for (int i = 0; i < seen_code.count; i++) {
        // of a caller, the address is the one after the call
        const void *const address = static_cast<const char *>(seen_code.frames[static_cast<size_t>(i)]) - (i > 0);
        Dl_info library{};
        if (dladdr(const_cast<void *>(address), &library) == 0 || library.dli_fname == nullptr) break;
        if (library.dli_fbase == own.dli_fbase) break;
        text += line_of(address, library);
    }
    return text;
}

}  // namespace

// A signal that neither the JVM nor other libraries use. Its handler is installed with the first question, which is
// asked when a kernel has run for too long.
std::string code_of(uint32_t thread) {
    static std::mutex mutex;
    const std::lock_guard<std::mutex> lock(mutex);
    const int signal = SIGRTMAX - 3;
    struct sigaction action{};
    action.sa_sigaction = see_code;
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    if (sigaction(signal, &action, nullptr) != 0) return "";
    std::array<void *, 1> first_use_loads_a_library{};
    backtrace(first_use_loads_a_library.data(), 1);
    seen_code.there.store(false);
    if (syscall(SYS_tgkill, getpid(), thread, signal) != 0) return "";
    const Deadline deadline(kAnswerTime);
    while (!seen_code.there.load(std::memory_order_acquire)) {
        if (deadline.passed()) return "";
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    return text_of_seen_code();
}

SignalStack::SignalStack() noexcept {
    stack_t present{};
    if (sigaltstack(nullptr, &present) != 0 || (present.ss_flags & SS_DISABLE) == 0) return;
    void *const memory = mmap(nullptr, kSignalStackBytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) return;
    stack_t stack{};
    stack.ss_sp = memory;
    stack.ss_size = kSignalStackBytes;
    if (sigaltstack(&stack, nullptr) != 0) {
        munmap(memory, kSignalStackBytes);
        return;
    }
    memory_ = memory;
}

SignalStack::~SignalStack() {
    if (memory_ == nullptr) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    munmap(memory_, kSignalStackBytes);
}

}  // namespace rankunit::device
