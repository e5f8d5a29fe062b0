// The ceiling of collectives: plain loops over memory that processes share, between barriers that spin and then sleep.
// Prints the median time on rank 0, in microseconds. Arguments: ranks; all-reduce (sum of float; each rank reduces a
// part of all inputs, and copies the result to memory of its own) or all-gather; bytes of the output; number of times.
#define _GNU_SOURCE
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_RANKS = 64, BLOCK = 1024 };

struct barrier {
    _Alignas(64) _Atomic int arrived;
    _Alignas(64) _Atomic int phase;
};

static int ranks, spins;
static float *inputs[MOST_RANKS];
static float *result;
static struct barrier *barrier;

static void *shared(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) exit(3);
    return memory;
}

static void meet(void) {
    int phase = atomic_load(&barrier->phase);
    if (atomic_fetch_add(&barrier->arrived, 1) == ranks - 1) {
        atomic_store(&barrier->arrived, 0);
        atomic_store(&barrier->phase, phase + 1);
        syscall(SYS_futex, &barrier->phase, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
        return;
    }
    for (int i = 0; atomic_load(&barrier->phase) == phase;) {
        if (i++ >= spins) syscall(SYS_futex, &barrier->phase, FUTEX_WAIT, phase, NULL, NULL, 0);
    }
}

// In blocks, so that the sum stays in the first-level cache.
static void reduce(long from, long to) {
    for (long start = from; start < to; start += BLOCK) {
        long end = start + BLOCK < to ? start + BLOCK : to;
        float *restrict sum = result;
        for (long i = start; i < end; i++) sum[i] = inputs[0][i] + (ranks > 1 ? inputs[1][i] : 0);
        for (int rank = 2; rank < ranks; rank++) {
            const float *restrict other = inputs[rank];
            for (long i = start; i < end; i++) sum[i] += other[i];
        }
    }
}

static void all_reduce(int rank, long count, float *output) {
    meet();
    reduce(count * rank / ranks, count * (rank + 1) / ranks);
    meet();
    memcpy(output, result, sizeof(float) * count);
    meet();
}

static void all_gather(long count, float *output) {
    meet();
    for (int from = 0; from < ranks; from++) {
        memcpy(output + count / ranks * from, inputs[from], sizeof(float) * (count / ranks));
    }
    meet();
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e6 + time.tv_nsec * 1e-3;
}

static void run(int rank, int reduces, long count, int times) {
    float *output = malloc(sizeof(float) * count);
    double *took = malloc(sizeof(double) * times);
    for (long i = 0; i < count; i++) inputs[rank][i] = rank + 1;
    for (int i = -times / 10 - 2; i < times; i++) {
        double start = now();
        if (reduces) {
            all_reduce(rank, count, output);
        } else {
            all_gather(count, output);
        }
        if (i >= 0) took[i] = now() - start;
    }
    if (output[count / ranks * ranks - 1] != (reduces ? ranks * (ranks + 1) / 2.0f : ranks)) _exit(1);
    qsort(took, times, sizeof(double), ascending);
    if (rank == 0) printf("%.3f\n", took[times / 2]);
    fflush(stdout);
}

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    ranks = atoi(argv[1]);
    if (ranks < 1 || ranks > MOST_RANKS) return 2;
    long count = atol(argv[3]) / (long)sizeof(float);
    spins = ranks <= sysconf(_SC_NPROCESSORS_ONLN) ? 20000 : 50;
    barrier = shared(sizeof(struct barrier));
    result = shared(sizeof(float) * count);
    for (int rank = 0; rank < ranks; rank++) inputs[rank] = shared(sizeof(float) * count);
    pid_t processes[MOST_RANKS];
    for (int rank = 0; rank < ranks; rank++) {
        processes[rank] = fork();
        if (processes[rank] == 0) {
            run(rank, strcmp(argv[2], "all-reduce") == 0, count, atoi(argv[4]));
            _exit(0);
        }
    }
    int failures = 0;
    for (int rank = 0; rank < ranks; rank++) {
        int status;
        waitpid(processes[rank], &status, 0);
        failures += status != 0;
    }
    return failures == 0 ? 0 : 1;
}
