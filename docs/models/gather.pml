/*
 * Bootstrap::gather: each of some ranks posts a message, and all of them read all, again and again about the same topic.
 *
 * Follows native-comm/src/main/cpp/bootstrap/bootstrap.cpp step by step, as barrier.pml does. What ends a wait but its
 * success is there; here nobody dies, leaves or gives up.
 *
 *   N, ROUNDS     ranks, and gathers that each of them goes through
 *   PAIRS         0: all ranks gather about one topic; 1: each pair of ranks about a topic of its own, in one order for all
 */
#ifndef N
#define N 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef PAIRS
#define PAIRS 0
#endif
#define SLICES 0
#include "bootstrap.pml"

/* Message */
byte stage[N];            /* odd while there is a message */
byte topic[N];
byte taken[N];            /* ranks that have read it, a bit each */
byte value[N];            /* the message: the round */

#if PAIRS
/* Pairs (0,1), (0,2), (1,2), in this order: the topic is their number from 1 on, and the ranks its members. */
#define TOPICS 3
#define members_of(t) (t == 1 -> 3 : (t == 2 -> 5 : 6))
#else
#define TOPICS 1
#define members_of(t) ALL
#endif

/* Bootstrap::has_message, for one rank: sets `missing` unless there is one of this topic that has not been read here */
inline look_at(peer) {
    if
    :: peer == me || !(members & bit(peer))
    :: else ->
        seen = stage[peer];
        if
        :: seen % 2 == 0 -> missing = true
        :: else ->
            if :: topic[peer] != about -> missing = true :: else fi;
#ifndef BUG_READS_WHAT_WAS_READ
            if :: taken[peer] & bit(me) -> missing = true :: else fi;
#endif
#ifndef BUG_NO_SECOND_LOOK_AT_THE_STAGE
            if :: stage[peer] != seen -> missing = true :: else fi
#endif
        fi
    fi;
    seen = 0
}

inline all_say() {
    missing = false;
    look_at(0);
    look_at(1);
#if N > 2
    look_at(2)
#endif
}

inline all_have_read() {
    missing = (taken[me] != members)
}

/* The two things that are waited for: that all say something, and that all have read what this rank says */
inline ready(readers) {
    if
    :: readers -> all_have_read()
    :: else -> all_say()
    fi
}

/* PeerWait::until, without what can go wrong. What a wait sees awake, it sees asleep too. */
inline wait_for(readers) {
    do
    :: true ->
#ifdef BUG_LOOK_BEFORE_SAYING
        ready(readers);
        if :: !missing -> break :: else fi;
        sleepers++;
        moved_on = moved_on & ~bit(me);
#else
        sleepers++;                                    /* Sleeper::Sleeper */
        moved_on = moved_on & ~bit(me);                /* seen_ = events */
        ready(readers);
        if :: !missing -> sleepers--; break :: else fi;
#endif
        in_futex = (moved_on & bit(me) -> in_futex : in_futex | bit(me));  /* FUTEX_WAIT */
        !is_asleep(me);
        sleepers--
    od
}

inline take_from(peer) {
    if
    :: peer == me || !(members & bit(peer))
    :: else ->
        assert(value[peer] == round && topic[peer] == about);  /* the promise: what that rank says in this gather */
#ifdef BUG_TAKEN_IS_STORED
        seen = taken[peer];
        taken[peer] = seen | bit(me);
        seen = 0
#else
        taken[peer] = taken[peer] | bit(me)            /* Bootstrap::take, fetch_or */
#endif
    fi
}

proctype Main(byte me) {
    byte round, about, members, seen;
    bool missing;
    for (round : 1 .. ROUNDS) {
        for (about : 1 .. TOPICS) {
            members = members_of(about);
            if
            :: !(members & bit(me))
            :: else ->
                assert(stage[me] % 2 == 0);
                topic[me] = about;                     /* Bootstrap::post */
                taken[me] = bit(me);
                value[me] = round;
                stage[me] = (stage[me] + 1) % 8;
                wait_for(false);                       /* whoever says it last hears all at once, and wakes the others */
                take_from(0);
                take_from(1);
#if N > 2
                take_from(2);
#endif
#ifndef BUG_TAKES_SILENTLY
                wake_sleepers();
#endif
#ifndef BUG_DOES_NOT_WAIT_FOR_READERS
                wait_for(true);
#endif
                stage[me] = (stage[me] + 1) % 8
            fi
        }
    }
}

init {
    byte rank;
    atomic {
        assert(left == 0);                             /* nobody leaves */
        for (rank : 0 .. N - 1) {
            run Main(rank)
        }
    }
}
