// A backend over MPI: rankunit/comm.h for ranks that mpirun or srun starts, on one or more machines. Windows are host
// memory, so kernels of the simulator's kind can work on them. The ranks of one machine share them; of windows of other
// machines they have copies.
//
// Most of MPI's collective calls block until all ranks are in them, which nothing can end. So ranks meet first, by
// messages that can be waited for with a deadline, and call those only once each knows of all that they will. What
// blocks in any case is the start of MPI in the first comm_init, and its end when the process ends: both wait for all
// processes of the run.
//
// A process that is killed is no case here: mpirun kills the others then. Domains are left out.
#include <cstring>
#include <string>

#include "backends/mpi/communicator.h"
#include "rankunit/comm.h"
#include "support/failure.h"

using rankunit::ErrorText;
using rankunit::Failure;
using rankunit::mpi::Communicator;

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

void require_target(const void *pointer, const char *what) {
    if (pointer == nullptr) throw Failure(COMM_INVALID_ARGUMENT, std::string(what) + " is NULL");
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

int comm_root_info(CommHandle h, char *text_out, size_t capacity) {
    return guarded([&] {
        require_target(text_out, "text_out");
        const std::string text = require(h).root_info();
        if (text.size() >= capacity) {
            throw Failure(COMM_INVALID_ARGUMENT, "capacity = " + std::to_string(capacity) + ": the root info has " +
                                                     std::to_string(text.size() + 1) + " bytes");
        }
        std::memcpy(text_out, text.c_str(), text.size() + 1);
    });
}

int comm_join(CommHandle h, const char *root_info) {
    return guarded([&] {
        require_target(root_info, "root_info");
        require(h).join(root_info);
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

int comm_describe(CommHandle h, char *text_out, size_t capacity) {
    return guarded([&] {
        require_target(text_out, "text_out");
        rankunit::copy_text(require(h).describe(), text_out, capacity);
    });
}

const char *comm_last_error() {
    return last_error.get();
}

uint32_t comm_abi_version() {
    return COMM_ABI_VERSION;
}
