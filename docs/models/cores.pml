/*
 * Threads that take one of few things, such as the cores of a device, and sleep while there is none.
 *
 * Follows native-comm/src/main/cpp/device/cores/lanes.cpp, and the turns of all ranks in turns.cpp: each statement is one access
 * to shared memory or one step of the system.
 *
 *   N, CORES, ROUNDS   threads, cores, and how often each thread takes one
 *   ONE                0: whoever gives back a core wakes all that wait; 1: one of them
 */
#ifndef N
#define N 3
#endif
#ifndef CORES
#define CORES 1
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef ONE
#define ONE 0
#endif
#define bit(thread) (1 << (thread))

byte taken;
byte given_back;          /* modulo 256: no thread looks twice that late */
byte waiting;
byte in_futex;            /* threads, a bit each */
#define is_asleep(thread) (in_futex & bit(thread))

inline wake() {
    atomic {
        if
        :: in_futex == 0
        :: !ONE && in_futex != 0 -> in_futex = 0
        :: ONE && (in_futex & bit(0)) -> in_futex = in_futex & ~bit(0)
        :: ONE && (in_futex & bit(1)) -> in_futex = in_futex & ~bit(1)
        :: ONE && (in_futex & bit(2)) -> in_futex = in_futex & ~bit(2)
        fi
    }
}

proctype Thread(byte me) {
    byte round, seen;
    do
    :: round == ROUNDS -> break
    :: round < ROUNDS ->
        /* Lanes::take, SharedTurns::take */
#ifndef BUG_READS_AFTER_IT_TRIED
look:
        seen = given_back;
        if
        :: atomic { taken < CORES -> taken++ }; goto mine
        :: else
        fi;
#else
look:
        if
        :: atomic { taken < CORES -> taken++ }; goto mine
        :: else
        fi;
        seen = given_back;
#endif
#ifdef BUG_COUNTS_AFTER_IT_SLEPT
        atomic { if :: given_back == seen -> in_futex = in_futex | bit(me) :: else fi };
        waiting++;
#else
        waiting++;
        atomic { if :: given_back == seen -> in_futex = in_futex | bit(me) :: else fi };
#endif
        !is_asleep(me);
        waiting--;
        goto look;
mine:
        assert(taken <= CORES);
        /* Lanes::give_back, SharedTurns::end */
        taken--;
#ifdef BUG_LOOKS_FOR_WAITERS_FIRST
        if
        :: waiting > 0 -> given_back++; wake()
        :: else -> given_back++
        fi;
#elif defined(BUG_TELLS_NOBODY)
        if
        :: waiting > 0 -> wake()
        :: else
        fi;
#else
        given_back++;
        if
        :: waiting > 0 -> wake()
        :: else
        fi;
#endif
        round++
    od
}

init {
    byte thread;
    atomic { for (thread : 0 .. N - 1) { run Thread(thread) } }
}
