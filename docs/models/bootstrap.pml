/* What the models of the bootstrap segment share: its header, wake-ups, aborts, and the watch on peers. */
#define ALL ((1 << N) - 1)
#define bit(rank) (1 << (rank))

/* BootstrapHeader */
byte winner;              /* abort_winner */
byte moved_on;            /* ranks, a bit each, since whose last look `events`, the futex, has moved on */
byte sleepers;
byte phase;               /* barrier_phase */

/* RankSlot */
byte arrivals[N];
byte left;                /* state == kSlotLeft, a bit for each rank; all have attached before the first barrier */
bool claimed[N];          /* abort_claimed */
byte record_code[N];      /* abort_code, abort_rank and abort_reason: as long as one writer wrote both, */
byte record_text[N];      /* they are the same */

/* What the kernel knows */
byte dead;                /* processes that have ended, a bit each */
byte in_futex;            /* ranks in FUTEX_WAIT, a bit each */

/* What is private to a process, but shared by its threads */
bool abort_mutex[N];      /* Bootstrap::abort_mutex_ */

/* What the model alone knows */
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

/* Whoever aborts holds abort_mutex_: Bootstrap::abort and, since two threads may do it at once, PeerWait::fail. */
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
