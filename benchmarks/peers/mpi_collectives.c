// Collectives of MPI: the median time of one, in microseconds; printed by rank 0. Arguments: all-reduce (sum of float)
// or all-gather, bytes of the output, number of times. Buffers are separate.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 4) return 2;
    int reduces = strcmp(argv[1], "all-reduce") == 0;
    int count = atoi(argv[2]) / (int)sizeof(float);
    int times = atoi(argv[3]);
    float *input = malloc(sizeof(float) * count);
    float *output = malloc(sizeof(float) * count);
    double *took = malloc(sizeof(double) * times);
    for (int i = 0; i < count; i++) input[i] = rank + 1;
    for (int i = -times / 10 - 2; i < times; i++) {
        double start = MPI_Wtime();
        if (reduces) {
            MPI_Allreduce(input, output, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        } else {
            MPI_Allgather(input, count / ranks, MPI_FLOAT, output, count / ranks, MPI_FLOAT, MPI_COMM_WORLD);
        }
        if (i >= 0) took[i] = MPI_Wtime() - start;
    }
    float last = reduces ? ranks * (ranks + 1) / 2.0f : ranks;
    if (output[count / ranks * ranks - 1] != last) {
        fprintf(stderr, "the result is wrong\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    qsort(took, times, sizeof(double), ascending);
    if (rank == 0) printf("%.3f\n", took[times / 2] * 1e6);
    MPI_Finalize();
    return 0;
}
