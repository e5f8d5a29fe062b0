/*
 * The barrier of ranks that have replicas of the segment, whose changes go through the process of rank 0.
 *
 * Follows native-comm/src/main/cpp/bootstrap/barrier.cpp and bootstrap/network step by step. How a rank sleeps until its barrier
 * is completed, and how that wait ends otherwise, is in barrier.pml: here the thread that makes the changes of the
 * others is one more waker.
 *
 *   N, BARRIERS   ranks, and barriers that each goes through
 */
#ifndef N
#define N 3
#endif
#ifndef BARRIERS
#define BARRIERS 2
#endif

#define ALL ((1 << N) - 1)
#define word(replica, rank) arrivals[(replica) * N + (rank)]

byte arrivals[N * N];
byte phase[N];            /* barrier_phase of each replica */
byte came[BARRIERS + 1];  /* ranks that have arrived at barrier n, a bit each */
bool locked;              /* Hub::mutex_ */
/* A rank is at most one barrier behind: no channel fills. */
chan to_hub[N] = [2] of { byte };
chan from_hub[N] = [2 * N] of { byte, byte };

/* Sends an arrival to all ranks but 0 and the one whose it is. */
inline pass_on(whose, n, to) {
    to = 1;
    do
    :: to < N && to != whose -> from_hub[to]!whose, n; to++
    :: to < N && to == whose -> to++
    :: to == N -> break
    od
}

/* complete_barrier, one rank a step */
inline look(replica, n, other, all) {
    other = 0;
    do
    :: other < N && word(replica, other) == n -> other++
    :: other < N && word(replica, other) != n -> all = false; break
    :: other == N -> all = true; break
    od
}

/* Replicator::publish */
inline tell(me, n, to) {
    if
    :: me == 0 ->
        atomic { !locked -> locked = true };
        pass_on(me, n, to);
        locked = false
    :: me != 0 -> to_hub[me]!n
    fi
}

proctype Main(byte me) {
    byte number, other;
    bool last;
    do
    :: number < BARRIERS ->
        atomic {                                       /* Barrier::enter, arrivals.exchange */
            number++;
            word(me, me) = number;
            came[number] = came[number] | (1 << me)
        }
#ifdef BUG_TOLD_BEFORE_LOOKED
        tell(me, number, other);
#endif
        look(me, number, other, last);
        if
        :: last -> phase[me] = number
        :: else
        fi;
#ifndef BUG_TOLD_BEFORE_LOOKED
        tell(me, number, other);
#endif
        phase[me] == number;                           /* Barrier::completed */
        assert(came[number] == ALL)
    :: number == BARRIERS -> break
    od
}

/* Hub::turn, with news of one rank */
proctype Hub() {
    byte rank, number, other;
    bool all;
end:
    do
    :: atomic { len(to_hub[1]) > 0 -> rank = 1 } -> goto heard
#if N > 2
    :: atomic { len(to_hub[2]) > 0 -> rank = 2 } -> goto heard
#endif
#if N > 3
    :: atomic { len(to_hub[3]) > 0 -> rank = 3 } -> goto heard
#endif
    od;
heard:
    atomic { !locked -> locked = true };
    to_hub[rank]?number;
#ifndef BUG_PASSED_ON_LATER
    pass_on(rank, number, other);
#endif
    word(0, rank) = number;                            /* Replicator::apply */
    look(0, number, other, all);
    if
    :: all -> phase[0] = number
    :: else
    fi;
    locked = false;
#ifdef BUG_PASSED_ON_LATER
    pass_on(rank, number, other);
#endif
    goto end
}

/* Member::run */
proctype Member(byte me) {
    byte rank, number, other;
    bool all;
end:
    do
    :: from_hub[me]?rank, number ->
        word(me, rank) = number;
        look(me, number, other, all);
        if
        :: all -> phase[me] = number
        :: else
        fi
    od
}

init {
    byte rank;
    atomic {
        run Hub();
        do
        :: rank < N ->
            run Main(rank);
            if
            :: rank > 0 -> run Member(rank)
            :: else
            fi;
            rank++
        :: rank == N -> break
        od
    }
}
