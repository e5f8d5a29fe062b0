/*
 * The floor: a bare round trip between one process and N others over Unix-domain sockets. The one sends a message to
 * each and waits, as the engine does, on all sockets at once until all have answered.
 *
 * Usage: round_trip PROCESSES ROUNDS. Prints the median time of a round in milliseconds.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 64, BYTES = 64 };

static void require(int holds, const char *what) {
    if (!holds) {
        perror(what);
        exit(1);
    }
}

static double now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void answer(int socket) {
    char message[BYTES];
    while (read(socket, message, BYTES) == BYTES) {
        require(write(socket, message, BYTES) == BYTES, "write");
    }
    _exit(0);
}

int main(int argc, char **argv) {
    int processes = argc > 2 ? atoi(argv[1]) : 0, rounds = argc > 2 ? atoi(argv[2]) : 0;
    if (processes < 1 || processes > MOST || rounds < 1) {
        fprintf(stderr, "usage: round_trip PROCESSES ROUNDS\n");
        return 2;
    }
    struct pollfd sockets[MOST];
    for (int i = 0; i < processes; i++) {
        int pair[2];
        require(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0, "socketpair");
        pid_t child = fork();
        require(child >= 0, "fork");
        if (child == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            for (int j = 0; j < i; j++) {
                close(sockets[j].fd);
            }
            close(pair[0]);
            answer(pair[1]);
        }
        close(pair[1]);
        sockets[i].fd = pair[0];
    }
    double *times = calloc(rounds, sizeof *times);
    require(times != NULL, "calloc");
    char message[BYTES] = {0};
    for (int round = 0; round < rounds; round++) {
        double begin = now_ms();
        for (int i = 0; i < processes; i++) {
            require(write(sockets[i].fd, message, BYTES) == BYTES, "write");
            sockets[i].events = POLLIN;
        }
        for (int answered = 0; answered < processes;) {
            require(poll(sockets, processes, 10000) > 0, "poll");
            for (int i = 0; i < processes; i++) {
                if (sockets[i].revents & POLLIN) {
                    require(read(sockets[i].fd, message, BYTES) == BYTES, "read");
                    sockets[i].events = 0;
                    answered++;
                } else {
                    require(sockets[i].revents == 0, "a process has ended");
                }
            }
        }
        times[round] = now_ms() - begin;
    }
    for (int i = 0; i < processes; i++) {
        close(sockets[i].fd);
    }
    while (wait(NULL) > 0) {
    }
    qsort(times, rounds, sizeof *times, ascending);
    printf("%.6f\n", times[rounds / 2]);
    return 0;
}
