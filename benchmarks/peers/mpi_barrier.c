// Median of the mean time of a barrier in batches of 100, in microseconds; printed by rank 0.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BATCH = 100 };

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const int batches = atoi(argv[1]);
    double *means = malloc(sizeof(double) * (size_t)batches);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < BATCH * (batches / 10 + 1); i++) MPI_Barrier(MPI_COMM_WORLD);
    for (int batch = 0; batch < batches; batch++) {
        const double start = MPI_Wtime();
        for (int i = 0; i < BATCH; i++) MPI_Barrier(MPI_COMM_WORLD);
        means[batch] = (MPI_Wtime() - start) / BATCH * 1e6;
    }
    qsort(means, (size_t)batches, sizeof(double), compare);
    if (rank == 0) printf("%.4f\n", means[batches / 2]);
    free(means);
    MPI_Finalize();
}
