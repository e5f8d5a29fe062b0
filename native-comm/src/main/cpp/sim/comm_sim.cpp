// The simulator's face to rankunit/comm.h: arguments are checked here, errors become codes here.
#include <cstdint>
#include <new>
#include <string>

#include "rankunit/comm.h"
#include "sim/communicator.h"
#include "support/failure.h"

using rankunit::ErrorText;
using rankunit::Failure;
using rankunit::sim::Communicator;

struct CommHandle_ {
    Communicator communicator;
};

namespace {

thread_local ErrorText last_error;

template <typename Body>
int guarded(Body body) noexcept {
    return rankunit::guarded(last_error, COMM_OUT_OF_MEMORY, COMM_SYSTEM, body);
}

Communicator &require(CommHandle h) {
    if (h == nullptr) throw Failure(COMM_INVALID_ARGUMENT, "the communicator's handle is NULL");
    return h->communicator;
}

void require_target(const void *pointer, const char *name) {
    if (pointer == nullptr) throw Failure(COMM_INVALID_ARGUMENT, std::string(name) + " is NULL");
}

}  // namespace

CommHandle comm_init(int rank, int nranks, void * /*stream*/, const char *rootinfo_path) {
    CommHandle made = nullptr;
    guarded([&] {
        require_target(rootinfo_path, "rootinfo_path");
        made = new CommHandle_{{rank, nranks, rootinfo_path}};
    });
    return made;
}

int comm_alloc_windows(CommHandle h, size_t win_size, uint64_t *device_ctx_out) {
    return guarded([&] {
        require_target(device_ctx_out, "device_ctx_out");
        *device_ctx_out = require(h).allocate_windows(win_size);
    });
}

int comm_get_local_window_base(CommHandle h, uint64_t *base_out) {
    return guarded([&] {
        require_target(base_out, "base_out");
        *base_out = require(h).local_window_base();
    });
}

int comm_get_window_size(CommHandle h, size_t *size_out) {
    return guarded([&] {
        require_target(size_out, "size_out");
        *size_out = require(h).window_bytes();
    });
}

int comm_barrier(CommHandle h) {
    return guarded([&] { require(h).barrier(); });
}

int comm_destroy(CommHandle h) {
    return guarded([&] {
        require(h);
        delete h;
    });
}

int comm_abort(CommHandle h, int failed_rank, const char *reason) {
    return guarded([&] { require(h).abort(failed_rank, reason); });
}

int comm_set_timeout(CommHandle h, int64_t milliseconds) {
    return guarded([&] { require(h).set_timeout(milliseconds); });
}

int comm_aborted_by(CommHandle h) {
    int rank = -1;
    guarded([&] { rank = require(h).aborted_by(); });
    return rank;
}

const char *comm_last_error() {
    return last_error.get();
}

uint32_t comm_abi_version() {
    return COMM_ABI_VERSION;
}
