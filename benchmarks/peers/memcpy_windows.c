// Median time of a memcpy between two halves of one shared mapping, in microseconds, one line for each size given.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

int main(int argc, char **argv) {
    const int count = atoi(argv[1]);
    double *times = malloc(sizeof(double) * (size_t)count);
    for (int i = 2; i < argc; i++) {
        const size_t bytes = (size_t)atol(argv[i]);
        char *memory = mmap(NULL, 2 * bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) return 1;
        memset(memory, 1, 2 * bytes);
        for (int round = 0; round < count; round++) {
            const double start = now();
            memcpy(memory, memory + bytes, bytes);
            // The copy must not be left out.
            __asm__ volatile("" : : "r"(memory) : "memory");
            times[round] = now() - start;
        }
        qsort(times, (size_t)count, sizeof(double), compare);
        printf("%.4f\n", times[count / 2]);
        munmap(memory, 2 * bytes);
    }
    free(times);
}
