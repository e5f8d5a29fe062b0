// A communication library such as a stranger writes it: plain C, one rank, the functions that a backend cannot do
// without and no more. FORM says which comm_init it has: 1 with a stream, 2 with a device, 3 with neither.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct Comm {
    struct {
        uint64_t work_space, work_space_size;
        uint32_t rank_id, rank_num;
        uint64_t win_size, windows_in[64], windows_out[64];
    } context;
};

static struct Comm *make(int rank, int nranks, const char *path, uint64_t seen) {
    if (rank != 0 || nranks != 1 || strstr(path, "root") == NULL) return NULL;
    struct Comm *comm = calloc(1, sizeof(*comm));
    comm->context.work_space_size = seen;  // so that a test can see what comm_init was given
    comm->context.rank_num = 1;
    return comm;
}

#if FORM == 1
void *comm_init(int rank, int nranks, void *stream, const char *path) {
    return make(rank, nranks, path, (uint64_t)(uintptr_t)stream + 1000);
}
#elif FORM == 2
void *comm_init(int rank, int nranks, int device_id, const char *path) {
    return make(rank, nranks, path, (uint64_t)device_id + 2000);
}
#else
void *comm_init(int rank, int nranks, const char *path) {
    return make(rank, nranks, path, 3000);
}
#endif

#ifdef TELLS_FORM
int comm_init_form(void) {
    return FORM;
}
#endif

int comm_alloc_windows(struct Comm *h, size_t win_size, uint64_t *ctx_out) {
    void *window = NULL;
    if (posix_memalign(&window, 4096, win_size) != 0) return -1;
    memset(window, 0, win_size);
    h->context.win_size = win_size;
    h->context.windows_in[0] = (uint64_t)(uintptr_t)window;
    *ctx_out = (uint64_t)(uintptr_t)&h->context;
    return 0;
}

int comm_get_local_window_base(struct Comm *h, uint64_t *base_out) {
    *base_out = h->context.windows_in[0];
    return 0;
}

int comm_get_window_size(struct Comm *h, size_t *size_out) {
    *size_out = h->context.win_size;
    return 0;
}

#ifndef LACKS_BARRIER
// 4 is a time-out in RankUnit's numbers, and is none in this library's.
int comm_barrier(struct Comm *h) {
    return *(const char *)(uintptr_t)h->context.windows_in[0] == 4 ? 4 : 0;
}
#endif

int comm_destroy(struct Comm *h) {
    free((void *)(uintptr_t)h->context.windows_in[0]);
    free(h);
    return 0;
}
