/*
 * The waits of streams and kernels, for a notify or a cell, and every way in which such a wait ends.
 *
 * Follows native-comm/src/main/cpp/device/cores/interruption.cpp, support/futex.cpp, backends/sim/stream/notify_cells.cpp and
 * device/cores/cells.cpp step by step: each statement here is one access to shared memory or one step of the system.
 *
 *   N         threads that wait
 *   CELL      0: for a notify, and each post ends one wait; 1: for a cell, and one signal ends all
 *   POSTS     posts or signals
 *   ABORT     1: the communicator is aborted, at any moment; 2: it is registered only then
 *   STOP      1: the device is interrupted, at any moment
 */
#ifndef N
#define N 2
#endif
#ifndef CELL
#define CELL 0
#endif
#ifndef POSTS
#define POSTS N
#endif
#ifndef ABORT
#define ABORT 0
#endif
#ifndef STOP
#define STOP 0
#endif
#define bit(thread) (1 << (thread))

byte word;                /* the flag of the notify, or the cell */
bool aborted;             /* BootstrapHeader::abort_winner */
bool interrupted;         /* Interruption::interrupted_ */
byte changes;             /* Sources::changes */
bool registered = (ABORT != 2);

/* What the kernel knows: the threads, a bit each, that are queued at each word */
byte at_word;
byte at_aborted;
byte at_interrupted;
byte at_changes;
#define is_asleep(thread) (asleep & bit(thread))
byte asleep;              /* threads that nothing has woken since they called futex_waitv */

byte posted;              /* what the model alone knows */
byte passed;
byte live;                /* processes that have not ended */

/* FUTEX_WAKE of all, and of one. A thread that another word has woken may still be queued, and count as the one. */
inline wake_all(queue) {
    atomic { asleep = asleep & ~queue; queue = 0 }
}
inline wake_one(queue) {
    atomic {
        if
        :: queue == 0
        :: queue & bit(0) -> asleep = asleep & ~bit(0); queue = queue & ~bit(0)
        :: queue & bit(1) -> asleep = asleep & ~bit(1); queue = queue & ~bit(1)
        :: queue & bit(2) -> asleep = asleep & ~bit(2); queue = queue & ~bit(2)
        fi
    }
}

/* futex_waitv, for one word: goes to sleep on it only if it has the value */
inline queue_at(queue, has_value) {
    atomic {
        if
        :: has_value -> queue = queue | bit(me)
        :: else -> asleep = asleep & ~bit(me)
        fi
    }
}

proctype Waiter(byte me) {
    bool listens, was_aborted;
    byte seen;
look:
    atomic {                                           /* SimNotify::take, first_unsatisfied */
        if
        :: word != 0 -> word = (CELL -> word : 0); passed++; goto done
        :: else
        fi
    }
    /* Interruption::sleep_on: under the mutex of the sources */
    atomic { seen = changes; listens = registered; was_aborted = aborted }
    asleep = asleep | bit(me);
    queue_at(at_word, word == 0);
    queue_at(at_interrupted, !interrupted);
    queue_at(at_changes, changes == seen);
#ifdef BUG_SLEEPS_ON_WHAT_IT_SEES
    if :: listens -> queue_at(at_aborted, aborted == was_aborted) :: else fi;
#elif !defined(BUG_DEAF_TO_ABORTS)
    if :: listens -> queue_at(at_aborted, !aborted) :: else fi;
#endif
    !is_asleep(me);
    at_word = at_word & ~bit(me);
    at_interrupted = at_interrupted & ~bit(me);
    at_changes = at_changes & ~bit(me);
    at_aborted = at_aborted & ~bit(me);
    /* Interruption::check */
    if
    :: interrupted -> goto done
    :: else
    fi;
    atomic {
        if
        :: registered && aborted -> goto done
        :: else -> listens = false; was_aborted = false; seen = 0; goto look
        fi
    }
done:
    live--
}

/* Posts of one stream. One that finds the notify set would change nothing, so that is left out. */
proctype Poster() {
    do
    :: posted == POSTS || live == 1 -> break
    :: posted < POSTS && (CELL || word == 0) ->
        posted++;
#ifdef BUG_WAKE_BEFORE_STORE
        if :: CELL -> wake_all(at_word) :: else -> wake_one(at_word) fi;
        word = word + 1
#else
        word = word + 1;                               /* SimNotify::post, signal_cell */
#ifdef BUG_WAKES_ONE
        wake_one(at_word)
#else
        if :: CELL -> wake_all(at_word) :: else -> wake_one(at_word) fi
#endif
#endif
    od;
    live--
}

/* Another process, or thread, for which nobody waits: record_abort */
proctype Aborter() {
#if ABORT == 2
#ifdef BUG_CHANGE_TOLD_BEFORE_IT_IS_MADE
    changes++;
    wake_all(at_changes);
    registered = true;
#else
    atomic { registered = true; changes++ }            /* AbortRegistration, under the mutex of the sources */
#ifndef BUG_REGISTERED_SILENTLY
    wake_all(at_changes);
#endif
#endif
#endif
#ifdef BUG_ABORT_WAKES_FIRST
    wake_all(at_aborted);
    aborted = true;
#else
    aborted = true;
    wake_all(at_aborted);
#endif
    live--
}

/* device_abort: Interruption::interrupt */
proctype Stopper() {
    interrupted = true;
#ifndef BUG_INTERRUPTS_SILENTLY
    wake_all(at_interrupted);
#endif
    live--
}

/* Without an abort or an interruption, each post has ended a wait, and a signal all of them. */
proctype Judge() {
    live == 0;
    assert(ABORT || STOP || passed == (CELL && POSTS > 0 -> N : POSTS));
    assert(passed <= (CELL -> N : posted))
}

init {
    byte thread;
    atomic {
        live = N + (POSTS > 0) + (ABORT > 0) + (STOP > 0);
        for (thread : 0 .. N - 1) { run Waiter(thread) }
        if :: POSTS > 0 -> run Poster() :: else fi;
        if :: ABORT > 0 -> run Aborter() :: else fi;
        if :: STOP > 0 -> run Stopper() :: else fi;
        run Judge()
    }
}
