/*
 * The barrier of the simulator's communicator, and every way in which a wait in it ends.
 *
 * Follows native-comm/src/main/cpp/bootstrap step by step: each statement here is one access to shared memory or one system
 * call there, and the comment names the function. What one process alone sees is merged into its neighbour.
 * README.md says what is assumed, and runs.txt with which of the numbers and faults below the model is run.
 *
 *   N, BARRIERS   ranks, and barriers that each goes through
 *   ABORTS        ranks, a bit each, whose control thread calls comm_abort, at any moment if they live on till then
 *   DEATHS        ranks that may be killed, between any two steps
 *   LEAVES        a rank may call comm_destroy before the last barrier
 *   STUCK         a rank may never come to its next barrier, and lives on
 *   DEADLINE      deadlines may pass
 *   SLICES        a sleeper looks again after its slice (kSlice); without them a lost wake-up is a deadlock
 */
#ifndef N
#define N 2
#endif
#ifndef BARRIERS
#define BARRIERS 2
#endif
#ifndef ABORTS
#define ABORTS 0
#endif
#ifndef DEATHS
#define DEATHS 0
#endif
#ifndef LEAVES
#define LEAVES 0
#endif
#ifndef STUCK
#define STUCK 0
#endif
#ifndef DEADLINE
#define DEADLINE 0
#endif
#ifndef SLICES
#define SLICES 0
#endif
#include "bootstrap.pml"

byte came[BARRIERS + 1];  /* ranks that have arrived at barrier n, a bit each */

#define completed (phase == number)                    /* Barrier::completed */

/* The thread that runs the tests. */
proctype Main(byte me) {
    byte number, text, gone, leavers, other;
    bool last, late, failed_before, looked_early;
    {
        skip;
call:
        if                                             /* Bootstrap::require_sound */
        :: winner != 0 -> read_abort(); goto failed
        :: else
        fi;
        atomic {
            /* After a wait that failed the communicator is aborted, and nobody gets further than this. */
            assert(!failed_before);
            if                                         /* what the test does next */
            :: number == BARRIERS -> goto leave
            :: number < BARRIERS
            :: LEAVES && number < BARRIERS -> fault = true; goto leave
            :: STUCK && number < BARRIERS -> fault = true; goto stuck
            fi;
            number++;
#ifndef BUG_LOOKS_BEFORE_IT_ARRIVES
            arrivals[me] = number;                     /* Barrier::enter, arrivals.store */
#endif
            came[number] = came[number] | bit(me);
            other = 0
        }
        do                                             /* complete_barrier, one rank a step */
        :: other < N && (other == me || arrivals[other] == number) -> other++
        :: other < N && other != me && arrivals[other] != number -> break
        :: other == N -> break
        od;
        atomic {
#ifdef BUG_LOOKS_BEFORE_IT_ARRIVES
            arrivals[me] = number;
#endif
            last = (other == N);
            other = 0
        }
        if
        :: last ->
#ifdef BUG_WAKE_BEFORE_STORE
            wake_sleepers();
            phase = number;
#else
            phase = number;
            wake_sleepers();
#endif
            goto passed
        :: else
        fi;

        /* PeerWait::until, WaitPolicy::wait_awake: whatever it sees awake, wait_asleep sees again, but for this */
        if
        :: completed -> goto passed
        :: true
        fi;

        /* PeerWait::wait_asleep */
look:
#ifdef BUG_LOOK_BEFORE_SAYING
        looked_early = completed;
        sleepers++;
        moved_on = moved_on & ~bit(me);                /* seen_ = events */
        if :: looked_early -> looked_early = false; goto passed_asleep :: else fi;
        if :: winner != 0 -> goto aborted_asleep :: else fi;
#elif defined(BUG_ABORT_LOOK_BEFORE_SAYING)
        looked_early = (winner != 0);
        sleepers++;
        moved_on = moved_on & ~bit(me);                /* seen_ = events */
        if :: completed -> goto passed_asleep :: else fi;
        if :: looked_early -> looked_early = false; goto aborted_asleep :: else fi;
#elif defined(BUG_EVENT_READ_AFTER_LOOK)
        sleepers++;
        if :: completed -> goto passed_asleep :: else fi;
        if :: winner != 0 -> goto aborted_asleep :: else fi;
        moved_on = moved_on & ~bit(me);                /* seen_ = events */
#else
        sleepers++;                                    /* Sleeper::Sleeper */
        moved_on = moved_on & ~bit(me);                /* seen_ = events */
        if :: completed -> goto passed_asleep :: else fi;
        if :: winner != 0 -> goto aborted_asleep :: else fi;
#endif
        if
        :: DEATHS > 0 || phase == BARRIERS -> find_dead()
        :: else                                        /* nobody can be dead: saves states */
        fi;
        atomic {
            leavers = (gone == 0 -> left & ~bit(me) : 0);  /* PeerWatch::find_left */
            if :: DEADLINE -> late = true :: true fi
        }
        if
        :: gone != 0 || leavers != 0 || late ->
#ifndef BUG_NO_SECOND_LOOK
            if :: completed -> goto passed_asleep :: else fi;
            if :: winner != 0 -> goto aborted_asleep :: else fi;
#endif
            /* A rank is blamed for its death only if it has died, and had not left before. */
            atomic {
                assert((gone & (~dead | left)) == 0);
                fault = fault || (gone == 0 && leavers == 0);
                assert(fault)
            }
            abort_as(2 * me + 1);                      /* PeerWait::fail */
            sleepers--;
            goto failed
        :: else
        fi;
        in_futex = (moved_on & bit(me) -> in_futex : in_futex | bit(me));  /* Sleeper::sleep, FUTEX_WAIT */
        if
        :: !is_asleep(me)                              /* woken, or `events` had moved on */
#ifndef BUG_NO_SLICE
        /* The slice has passed. Of its turns only those are of interest that find something, and one that is early. */
        :: SLICES && is_asleep(me) && (dead != 0 || !looked_early) ->
            atomic { looked_early = (dead == 0 || looked_early); wake_up(me) }
#endif
        :: DEADLINE && is_asleep(me) -> atomic { wake_up(me); late = true }
        fi;
        sleepers--;                                    /* Sleeper::~Sleeper */
        goto look;

passed_asleep:
        sleepers--;
passed:
        atomic {
            gone = 0; leavers = 0; late = false; last = false; looked_early = false;
            assert(came[number] == ALL);               /* the promise of comm_barrier */
            goto call
        }

aborted_asleep:
        read_abort();
        sleepers--;
failed:
        atomic {
            gone = 0; leavers = 0; late = false; last = false; looked_early = false;
            assert(fault);
            if
            :: !failed_before -> failed_before = true; goto call  /* a clean-up method calls comm_barrier once more */
            :: else
            fi
        }

leave:
        if
        :: true ->
            left = left | bit(me);                     /* Bootstrap::~Bootstrap */
            wake_sleepers()
        :: number == BARRIERS                          /* _exit right behind the last barrier */
        fi;
        dead = dead | bit(me);
        goto done;
stuck:
end_stuck:
        false;
done:
        skip
    } unless { is_dead(me) }
}

/* Another thread of the rank, on which the parent's release arrives: Bootstrap::abort. */
proctype Control(byte me) {
    {
        abort_as(2 * me + 2)
    } unless { is_dead(me) }
}

/* SIGKILL, between any two steps. Behind the last barrier it must disturb nobody. */
proctype Killer() {
    byte victim;
    do
    :: kills < DEATHS ->
        select (victim : 0 .. N - 1);
        atomic {
            if
            :: !is_dead(victim) ->
                fault = fault || phase != BARRIERS;
                dead = dead | bit(victim)
            :: else
            fi;
            kills++
        }
    :: true -> break
    od
}

init {
    byte rank;
    atomic {
        fault = (ABORTS != 0);
        for (rank : 0 .. N - 1) {
            run Main(rank);
            if :: ABORTS & bit(rank) -> run Control(rank) :: else fi
        }
        if :: DEATHS > 0 -> run Killer() :: else fi
    }
}
