/*
 * The barrier of the simulator's communicator, and every way in which a wait in it ends.
 *
 * Follows native-comm/src/main/cpp/sim step by step: each statement here is one access to shared memory or one system
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
#define ALL ((1 << N) - 1)
#define bit(rank) (1 << (rank))

/* SegmentHeader */
byte winner;              /* abort_winner */
byte moved_on;            /* ranks, a bit each, since whose last look `events`, the futex, has moved on */
byte sleepers;
byte arrived;             /* barrier_arrived */
byte phase;               /* barrier_phase */

/* RankSlot; `arrivals` serves error texts only */
byte left;                /* state == kSlotLeft, a bit for each rank; all have attached before the first barrier */
bool claimed[N];          /* abort_claimed */
byte record_code[N];      /* abort_code, abort_rank and abort_reason: as long as one writer wrote both, */
byte record_text[N];      /* they are the same */

/* What the kernel knows */
byte dead;                /* processes that have ended, a bit each */
byte in_futex;            /* ranks in FUTEX_WAIT, a bit each */

/* What is private to a process, but shared by its threads */
bool abort_mutex[N];      /* Communicator::abort_mutex_ */

/* What the model alone knows */
byte came[BARRIERS + 1];  /* ranks that have arrived at barrier n, a bit each */
byte told;                /* the abort record as the first reader read it */
bool fault;               /* something happened that excuses a failed wait */
byte kills;

#define is_dead(rank) (dead & bit(rank))
#define is_asleep(rank) (in_futex & bit(rank))
#define wake_up(rank) in_futex = in_futex & ~bit(rank)

/* wait.cpp, wake_sleepers */
inline wake_sleepers() {
    if
    :: sleepers == 0
    :: else ->
#ifndef BUG_NO_EVENT
        moved_on = ALL;                                /* events.fetch_add */
#endif
        in_futex = 0                                   /* FUTEX_WAKE, all of them */
    fi
}

/* abort_record.cpp, record_abort; `what` tells the writer, thread by thread */
#ifdef BUG_ONE_CLAIM_FOR_ALL
#define claim claimed[0]
#else
#define claim claimed[me]
#endif
#ifdef BUG_ONE_RECORD_FOR_ALL
#define slot 0
#else
#define slot me
#endif

inline record_abort(what) {
    if
#ifndef BUG_NO_CLAIM
    :: atomic { claim -> skip }                        /* exchange */
#endif
    :: atomic { else -> claim = true };
#ifdef BUG_NAMED_BEFORE_WRITTEN
        become_winner();
#endif
        record_code[slot] = what;
        record_text[slot] = what;
#ifndef BUG_NAMED_BEFORE_WRITTEN
        become_winner();
#endif
#ifndef BUG_ABORT_WAKES_NOBODY
        wake_sleepers()
#endif
    fi
}

inline become_winner() {
#ifdef BUG_LAST_ABORT_WINS
    winner = slot + 1
#else
    winner = (winner == 0 -> slot + 1 : winner)        /* compare_exchange_strong */
#endif
}

/* Whoever aborts holds abort_mutex_: Communicator::abort and, since two threads may do it at once, PeerWait::fail. */
inline lock() {
#ifndef BUG_UNLOCKED_ABORT
    atomic { !abort_mutex[me] -> abort_mutex[me] = true }
#else
    skip
#endif
}

inline unlock() {
#ifndef BUG_UNLOCKED_ABORT
    abort_mutex[me] = false
#else
    skip
#endif
}

inline abort_as(what) {
    lock();
    record_abort(what);
    /* The promise of comm_abort, and of every wait that failed: from now on the communicator is aborted. */
    atomic { assert(winner != 0); unlock() }
}

/* read_abort: what is read is whole, and the same for everybody */
inline read_abort() {
    text = record_text[winner - 1];
    atomic {
        assert(text == record_code[winner - 1]);
        assert(told == 0 || told == text);
        told = text;
        text = 0
    }
}

/*
 * PeerWatch::find_dead. First the kernel is asked, with one poll for all, then their slots: who leaves says so before its
 * process ends. Both are only ever set, so to look at all slots at once finds what looking at one after the other finds.
 */
inline find_dead() {
#ifdef BUG_ASKS_FOR_LEAVERS_FIRST
    gone = ~left;
    gone = gone & dead & ~bit(me)
#else
    gone = dead & ~bit(me);
    gone = gone & ~left
#endif
}

#define completed (phase == number)                    /* Barrier::completed */

/* The thread that runs the tests. */
proctype Main(byte me) {
    byte number, text, gone, leavers;
    bool last, late, failed_before, looked_early;
    {
        skip;
call:
        if                                             /* Communicator::require_windows */
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
            arrived++;                                 /* Barrier::enter, barrier_arrived.fetch_add */
            last = (arrived == N);
            came[number] = came[number] | bit(me)
        }
        if
        :: last ->
#ifdef BUG_RESET_AFTER_PHASE
            phase = number;
            arrived = 0;
            wake_sleepers();
#elif defined(BUG_WAKE_BEFORE_STORE)
            arrived = 0;
            wake_sleepers();
            phase = number;
#else
            arrived = 0;
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
            left = left | bit(me);                     /* Communicator::~Communicator */
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

/* Another thread of the rank, on which the parent's release arrives: Communicator::abort. */
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
