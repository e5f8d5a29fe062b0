/*
 * Lockstep: how the parent keeps the ranks of one group in the same test, with messages in flight and ranks that die.
 *
 * Follows org.rankunit.engine.lockstep.LockstepRun, which handles one message at a time on one thread: in the parent each
 * message is one step. In the ranks it follows ControlLine, RankSession and RankListener. README.md says what is assumed,
 * and runs.txt with which of the numbers and faults below the model is run.
 *
 *   N, TESTS    ranks, and tests that each is to run
 *   MEETS       inside each test all ranks meet in a barrier of the communicator
 *   FILLS       tests use windows: each rank fills its own once all have asked, and asks again
 *   FAILS       ranks, a bit each, on which a test may fail
 *   LEAVES      a rank may leave a test by an assumption, or pass over it by a condition before it asks to enter
 *   DEATHS      ranks that may be killed, between any two steps
 *   BREAKS      a rank may find its communicator broken before it asks for a test, and no test may have failed
 *   HANGS       a test may hang, and the deadline may pass at any moment
 */
#ifndef N
#define N 2
#endif
#ifndef TESTS
#define TESTS 2
#endif
#ifndef MEETS
#define MEETS 0
#endif
#ifndef FILLS
#define FILLS 0
#endif
#ifndef FAILS
#define FAILS 0
#endif
#ifndef LEAVES
#define LEAVES 0
#endif
#ifndef BREAKS
#define BREAKS 0
#endif
#ifndef DEATHS
#define DEATHS 0
#endif
#ifndef HANGS
#define HANGS 0
#endif
#define ALL ((1 << N) - 1)
#define NOBODY 255
#define bit(rank) (1 << (rank))

/* FromRank: Entering, Ended with its outcome (not run is as passed here, and released as failed), RunEnded; ToRank: the rest */
mtype = { Entering, Passed, Failed, Left, Unfit, RunEnded, Enter, Refuse, Release };

/* The control channel. What a rank has sent before its death is heard before its death is (RankLinks.hearTheRest). */
chan from_rank[N] = [(2 + BREAKS + FILLS) * TESTS + 2] of { mtype, byte };
chan to_rank[N] = [(2 + FILLS) * TESTS + 2] of { mtype, byte };
/* ControlLine.answers: from the thread that listens to the one that runs the tests */
chan answers[N] = [1] of { mtype, byte };

byte dead;               /* processes that have ended, a bit for each rank */
byte heard_gone;         /* those whose end the parent has heard of */
bool aborted;            /* the communicator; its own model is barrier.pml */
byte filled[TESTS + 1];  /* ranks that have filled their windows for test k */
byte met[TESTS + 1];     /* ranks that have arrived in the barrier of test k, from 1 */

/* GroupProgress as the parent knows it; tests count from 1, and 0 is none */
byte waits_for[N];
byte inside[N];
byte finished;
bool stopped;
byte heard_left[TESTS + 1];   /* EarlyExits */

/* What the model alone knows, in bits of ranks: who has asked for test k, come to its end, failed in it */
byte asked[TESTS + 1];
byte ended[TESTS + 1];
byte failed[TESTS + 1];
byte broken;             /* the first test before which a rank found its communicator broken */
bool fault;
byte kills;

#define is_dead(rank) (dead & bit(rank))
#define is_finished(rank) (finished & bit(rank))

/* ---------------------------------------------------- the parent ---------------------------------------------------- */

/* RankLinks.send: a rank that is gone cannot be reached */
inline say(rank, kind, test) {
    if
    :: !is_dead(rank) -> to_rank[rank] ! kind, test
    :: else
    fi
}

/* LockstepRun.answer, to all */
inline answer_all(kind) {
    for (r : 0 .. N - 1) {
        if
        :: waits_for[r] != 0 ->
            if :: kind == Enter -> inside[r] = waits_for[r] :: else fi;
            say(r, kind, waits_for[r]);
            waits_for[r] = 0
        :: else
        fi
    }
}

/* LockstepRun.stop, with the meet() at its end */
inline stop() {
    if
    :: !stopped ->
        assert(fault);
        stopped = true;
#ifndef BUG_NOBODY_IS_RELEASED
        for (r : 0 .. N - 1) {
            if :: !is_finished(r) -> say(r, Release, 0) :: else fi
        }
#endif
        answer_all(Refuse)
    :: else
    fi
}

/* LockstepRun.meet, with GroupProgress.allHaveMet and awaited */
inline meet() {
    if
#ifndef BUG_ENTERS_ONCE_STOPPED
    :: stopped -> answer_all(Refuse)
#endif
    :: else ->
        all_have_met = true; next = NOBODY; differ = false;
        for (r : 0 .. N - 1) {
            if
#ifndef BUG_ENTERS_BEFORE_ALL_HAVE_ASKED
            :: waits_for[r] == 0 && !is_finished(r) -> all_have_met = false
#else
            :: waits_for[r] == 0 && !is_finished(r)
#endif
#ifdef BUG_THE_FINISHED_DO_NOT_COUNT
            :: is_finished(r)
#endif
            :: else ->
                differ = differ || (next != NOBODY && next != waits_for[r]);
                next = waits_for[r]
            fi
        }
        if
        :: all_have_met && differ -> fault = true; stop()          /* disagreed */
        :: all_have_met && !differ && next != 0 && next != NOBODY -> answer_all(Enter)
        :: else
        fi
    fi
}

/* LockstepRun.heard, and lost for a rank that is gone */
inline handle(rank) {
    if
    :: from_rank[rank] ? kind, test ->
        if
        :: kind == Entering -> waits_for[rank] = test; meet()
        :: kind == Passed || kind == Left || kind == Failed ->
            inside[rank] = 0;
            if
            :: kind == Left -> heard_left[test] = heard_left[test] | bit(rank)
            :: kind == Failed -> stop()
            :: else
            fi
#ifndef BUG_THE_UNFIT_GO_UNHEARD
        :: kind == Unfit -> stop()
#else
        :: kind == Unfit
#endif
        :: kind == RunEnded ->
            finished = finished | bit(rank);
#ifndef BUG_WHO_HAS_ENDED_MEETS_NOBODY
            meet()
#endif

        fi
    :: empty(from_rank[rank]) && is_dead(rank) && !(heard_gone & bit(rank)) ->
        heard_gone = heard_gone | bit(rank);
        if
#ifdef BUG_DEATHS_GO_UNHEARD
        :: !is_finished(rank) && false ->
#else
        :: !is_finished(rank) ->
#endif
            finished = finished | bit(rank); waits_for[rank] = 0; inside[rank] = 0;
            stop();
            meet()
        :: else
        fi
    fi
}

#define says(rank) (nempty(from_rank[rank]) || (is_dead(rank) && !(heard_gone & bit(rank))))

/* GroupProgress.heldBy: a rank that lives on in a test that another has left */
#define held_by(test, rank) (heard_left[test] != 0 && inside[rank] == test && !is_finished(rank))
#if N == 2
#define is_held(test) (held_by(test, 0) || held_by(test, 1))
#else
#define is_held(test) (held_by(test, 0) || held_by(test, 1) || held_by(test, 2))
#endif

inline forget() {
    r = 0; kind = 0; test = 0; next = 0; all_have_met = false; differ = false
}

proctype Parent() {
    byte r, test, next;
    mtype kind;
    bool all_have_met, differ;
    do
    :: finished == ALL -> break                                    /* isUnfinished */
    :: atomic { says(0) -> handle(0); forget() }
    :: atomic { says(1) -> handle(1); forget() }
#if N > 2
    :: atomic { says(2) -> handle(2); forget() }
#endif
#ifndef BUG_THE_PARTED_ARE_NOT_RELEASED
    /* endOfGrace, part: whoever is still in what another one has left is released a while later */
    :: atomic { LEAVES && !stopped && (is_held(1) || is_held(2)) -> fault = true; stop(); r = 0 }
#endif
    /* giveUp: the deadline has passed, and whoever has not come to the end is killed */
    :: atomic { HANGS && finished != ALL -> fault = true; stopped = true; dead = dead | (ALL & ~finished); finished = ALL }
    od
}

/* ---------------------------------------------------- the ranks ----------------------------------------------------- */

/* ControlLine.listen: the thread that hears the parent */
proctype Listener(byte me) {
    mtype kind;
    byte test;
    {
end:    do
        :: to_rank[me] ? kind, test ->
            if
            :: kind == Release -> aborted = true
            :: else -> assert(nfull(answers[me])); answers[me] ! kind, test
            fi;
            kind = 0; test = 0
        od
    } unless { is_dead(me) }
}

/* TestBuffers.open: nobody uses this rank's window any more */
inline fill() {
    atomic { assert(ended[test - 1] == ALL); filled[test] = filled[test] | bit(me) }
}

/* ControlLine.enter */
inline enter() {
    answers[me] ? kind, answered;
    assert(answered == test);
    if
    :: kind == Refuse -> atomic { ended[test] = ended[test] | bit(me); kind = Passed; goto say_end }
    :: else
    fi
}

/* The thread that runs the tests. */
proctype Main(byte me) {
    byte test = 1, answered;
    mtype kind;
    {
        do
        :: test > TESTS -> break
        :: test <= TESTS ->
            if
            :: true
            :: LEAVES ->                                           /* a condition: Jupiter passes over it and nobody is asked */
                atomic { ended[test] = ended[test] | bit(me); kind = Left; goto say_end }
            :: BREAKS ->                                           /* RankSession.tellIfUnfit: it passes over the test */
                atomic {
                    fault = true;
                    broken = (broken == 0 || test < broken -> test : broken);
                    from_rank[me] ! Unfit, 0
                };
                atomic { ended[test] = ended[test] | bit(me); kind = Passed; goto say_end }
            fi;
#ifdef BUG_FILLS_BEFORE_ALL_HAVE_ENDED
            fill();
#endif
            atomic { asked[test] = asked[test] | bit(me); from_rank[me] ! Entering, test };
            enter();
#if FILLS
#ifndef BUG_FILLS_BEFORE_ALL_HAVE_ENDED
            fill();
#endif
            if
            :: true
            :: FAILS & bit(me) -> goto fail                        /* its inputs cannot be loaded */
            fi;
#ifndef BUG_ENTERS_BEFORE_ALL_HAVE_FILLED
            from_rank[me] ! Entering, test;
            enter();
#endif
            assert(filled[test] == ALL);
#endif
            atomic {
                /* The promises of lockstep: nobody is inside of a test before all have asked for it, */
                assert(asked[test] == ALL);
                /* which they do only after the one before has ended everywhere, and that failed nowhere. */
                assert(ended[test - 1] == ALL && failed[test - 1] == 0);
                assert(broken == 0 || test < broken);
                kind = 0
            };
            if                                                     /* the body of the test */
            :: kind = Passed
            :: FAILS & bit(me) -> goto fail
            :: LEAVES -> kind = Left
            :: HANGS -> goto hang
            fi;
            if
            :: MEETS && kind == Passed ->
                met[test] = met[test] | bit(me);
                if
                :: met[test] == ALL
                :: aborted || dead != 0 -> kind = Failed           /* released; RankOutcome.Released is a failure too */
                fi
            :: else
            fi;
            atomic { ended[test] = ended[test] | bit(me); goto say_end };
fail:
            atomic { fault = true; failed[test] = failed[test] | bit(me); ended[test] = ended[test] | bit(me) };
#ifndef BUG_NOBODY_IS_RELEASED
            aborted = true;                                        /* RankSession.failed, before any clean-up runs */
#endif
            kind = Failed;
say_end:
#ifdef BUG_ASKS_BEFORE_IT_SAYS_THE_END
            if
            :: test < TESTS -> from_rank[me] ! Entering, test + 1
            :: else
            fi;
#endif
            from_rank[me] ! kind, test;
            atomic { test++; kind = 0; answered = 0 }
        od;
        from_rank[me] ! RunEnded, 0;
        goto done;
hang:   false;
done:   skip
    } unless { is_dead(me) }
}

/* SIGKILL, between any two steps. */
proctype Killer() {
    byte victim;
    do
    :: kills < DEATHS ->
        select (victim : 0 .. N - 1);
        atomic { kills++; dead = dead | bit(victim); fault = true }
    :: true -> break
    od
}

init {
    byte rank;
    atomic {
        asked[0] = ALL; ended[0] = ALL;
        for (rank : 0 .. N - 1) {
            run Main(rank);
            run Listener(rank)
        }
        run Parent();
        if :: DEATHS > 0 -> run Killer() :: else fi
    }
}
