// Implements rankunit/comm.h for every backend that uses a bootstrap: checks arguments and turns errors into status
// codes.
#include <cstdint>
#include <cstring>
#include <new>
#include <string>

#include "comm/communicator.h"
#include "comm/front.h"
#include "rankunit/comm.h"
#include "support/failure.h"
#include "support/owning_process.h"

using rankunit::ErrorText;
using rankunit::Failure;
using rankunit::comm::Communicator;
using rankunit::comm::guarded;
using rankunit::comm::require;
using rankunit::comm::require_target;

namespace {

thread_local ErrorText error_text;

}  // namespace

ErrorText &rankunit::comm::last_error() {
    return error_text;
}

Communicator &rankunit::comm::require(CommHandle h) {
    if (h == nullptr) throw Failure(COMM_INVALID_ARGUMENT, "the communicator's handle is NULL");
    h->process.require(COMM_INVALID_STATE, "communicator");
    return h->communicator;
}

void rankunit::comm::require_target(const void *pointer, const char *name) {
    if (pointer == nullptr) throw Failure(COMM_INVALID_ARGUMENT, std::string(name) + " is NULL");
}

CommHandle comm_init(int rank, int nranks, void *stream, const char *rootinfo_path) {
    CommHandle made = nullptr;
    guarded([&] {
        require_target(rootinfo_path, "rootinfo_path");
        made = new CommHandle_{{rank, nranks, stream, rootinfo_path}, {}};
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

int comm_derive_context(CommHandle h, const uint32_t *rank_ids, size_t rank_count, uint32_t domain_rank,
                        size_t window_offset, size_t window_size, uint64_t *device_ctx_out) {
    return guarded([&] {
        require_target(rank_ids, "rank_ids");
        require_target(device_ctx_out, "device_ctx_out");
        *device_ctx_out = require(h).derive(rank_ids, rank_count, domain_rank, window_offset, window_size);
    });
}

int comm_alloc_domain_windows(CommHandle h, uint64_t allocation_id, const uint32_t *rank_ids, size_t rank_count,
                              uint32_t domain_rank, size_t window_size, uint64_t *device_ctx_out,
                              uint64_t *local_window_base_out) {
    return guarded([&] {
        require_target(rank_ids, "rank_ids");
        require_target(device_ctx_out, "device_ctx_out");
        require_target(local_window_base_out, "local_window_base_out");
        *device_ctx_out = require(h).allocate_domain(allocation_id, rank_ids, rank_count, domain_rank, window_size,
                                                     local_window_base_out);
    });
}

int comm_release_domain_windows(CommHandle h, uint64_t allocation_id, size_t rank_count, uint32_t domain_rank) {
    return guarded([&] { require(h).release_domain(allocation_id, rank_count, domain_rank); });
}

int comm_domain_barrier(CommHandle h, uint64_t allocation_id) {
    return guarded([&] { require(h).domain_barrier(allocation_id); });
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
    return rankunit::comm::last_error().get();
}

uint32_t comm_abi_version() {
    return COMM_ABI_VERSION;
}
