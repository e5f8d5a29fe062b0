/*
 * The bring-up: rank 0 makes the segment and publishes where it is, the others find and map it, and all wait for all.
 *
 * Follows comm/communicator.cpp and bootstrap/root_info.cpp in native-comm/src/main/cpp as barrier.pml follows the barrier.
 *
 *   N           ranks
 *   STALE       a file of a dead owner lies where the ranks are to meet
 *   MISMATCH    ranks, a bit each, that were started with other settings than rank 0
 *   ABORTS      ranks, a bit each, whose control thread calls comm_abort, at any moment if they live on till then
 *   DEATHS      ranks, a bit each, one of which may be killed, between any two steps
 *   DEADLINE    deadlines may pass; whoever looks for the segment of a rank 0 that has ended has no other way out
 *   SLICES      as in barrier.pml
 */
#ifndef N
#define N 2
#endif
#ifndef STALE
#define STALE 0
#endif
#ifndef MISMATCH
#define MISMATCH 0
#endif
#ifndef ABORTS
#define ABORTS 0
#endif
#ifndef DEATHS
#define DEATHS 0
#endif
#ifndef DEADLINE
#define DEADLINE 0
#endif
#ifndef SLICES
#define SLICES 0
#endif
#include "bootstrap.pml"

byte said;                /* ranks that say what they ask for: the first gather, seen as one count */
byte taken;               /* slots that are not kSlotFree, a bit for each rank */

/* The file where the ranks meet, and rank 0's descriptor that it names */
#define NO_FILE 0
#define STALE_FILE 1
#define OUR_FILE 2
byte file;
bool descriptor;

/* What is private to a process, but shared by its threads: segment_ != nullptr, early_abort_; and for the model alone, that
   comm_abort has returned there */
byte has_segment;
byte early;
byte has_aborted;

#define can_be_opened (descriptor && !is_dead(0))
#define all_said (said == N)

/* Bootstrap::adopt */
inline adopt() {
    lock();
    has_segment = has_segment | bit(me);
    if
#ifndef BUG_EARLY_ABORT_IS_FORGOTTEN
    :: early & bit(me) -> record_abort(2 * me + 2)
#endif
    :: else
    fi;
    unlock()
}

/* Bootstrap::take_slot; the pid is only read behind the state */
inline take_slot() {
    taken = taken | bit(me)
}

proctype Main(byte me) {
    byte text, gone, leavers, seen;
    bool last, late, looked_early;
    {
        if
        :: me == 0 ->
            if
            :: file == STALE_FILE ->                   /* Bootstrap::Bootstrap, remove_stale_root_info */
#ifndef BUG_STALE_FILE_STAYS
                file = NO_FILE
#endif
            :: else
            fi;
            descriptor = true;                         /* Segment::create */
            adopt();
#ifdef BUG_PUBLISHED_BEFORE_SLOT
            assert(file == NO_FILE);
            file = OUR_FILE;
            take_slot()
#else
            take_slot();
            atomic { assert(file == NO_FILE); file = OUR_FILE }    /* PublishedRootInfo, renameat2: finds its place free */
#endif
        :: else ->
find:       if                                         /* Bootstrap::find_by_file */
            :: atomic { early & bit(me) && !abort_mutex[me] -> goto failed }
            :: atomic { file == OUR_FILE && can_be_opened -> seen = file }     /* RootInfo::read */
#ifdef BUG_STALE_FILE_IS_BELIEVED
            :: atomic { file == STALE_FILE -> seen = file }
#endif
            :: atomic { DEADLINE || is_dead(0) -> fault = true; goto failed }   /* the deadline */
            fi;
            if                                         /* RootInfo::open_segment */
            :: atomic { seen == OUR_FILE && !can_be_opened -> seen = 0; goto find }
            :: atomic { else -> assert(seen == OUR_FILE); seen = 0 }
            fi;
            adopt();
            if
            :: MISMATCH & bit(me) -> abort_as(2 * me + 1); goto failed         /* Bootstrap::require_same */
            :: else
            fi;
            take_slot()
        fi;

        /* Bootstrap::gather of what all ask for, until all have said it; its other half is in gather.pml */
        atomic { said++; last = all_said };
        if
#ifndef BUG_LAST_WAKES_NOBODY
        :: last -> wake_sleepers()
#endif
        :: else
        fi;
        if
        :: all_said -> goto up                     /* wait_awake */
        :: true
        fi;
look:
        sleepers++;                                    /* wait_asleep, as in barrier.pml */
        moved_on = moved_on & ~bit(me);
        if :: all_said -> sleepers--; goto up :: else fi;
        if :: winner != 0 -> read_abort(); sleepers--; goto failed :: else fi;
        find_dead();
        gone = gone & taken;                           /* PeerWatch::watch: only who has taken a slot is known */
        atomic {
            leavers = (gone == 0 -> left & ~bit(me) : 0);
            if :: DEADLINE -> late = true :: true fi
        };
        if
        :: gone != 0 || leavers != 0 || late ->
            if :: all_said -> sleepers--; goto up :: else fi;
            if :: winner != 0 -> read_abort(); sleepers--; goto failed :: else fi;
            fault = fault || (gone == 0 && leavers == 0);
            abort_as(2 * me + 1);
            sleepers--;
            goto failed
        :: else
        fi;
        in_futex = (moved_on & bit(me) -> in_futex : in_futex | bit(me));
        if
        :: !is_asleep(me)
        :: SLICES && is_asleep(me) && ((dead & taken) != 0 || !looked_early) ->
            atomic { looked_early = ((dead & taken) == 0 || looked_early); wake_up(me) }
        :: DEADLINE && is_asleep(me) -> atomic { wake_up(me); late = true }
        fi;
        sleepers--;
        goto look;

up:
        atomic {
            /* The promises of comm_alloc_windows: all are there, with the same settings; and of comm_abort before it. */
            assert(taken == ALL && MISMATCH == 0);
            assert(!(has_aborted & bit(me)) || winner != 0);
            if
            :: goto leave
            :: goto work                               /* its work may take as long as it likes: nobody may depend on it */
            fi
        };
failed:
        assert(fault);
leave:
        if
        :: me == 0 -> file = NO_FILE; descriptor = false           /* ~PublishedRootInfo, and of the descriptor */
        :: else
        fi;
        if                                             /* Bootstrap::~Bootstrap */
        :: taken & bit(me) -> left = left | bit(me); wake_sleepers()
        :: else
        fi;
        dead = dead | bit(me);
        goto done;
work:
        if
        :: me == 0 -> file = NO_FILE; descriptor = false
        :: else
        fi;
end_work:
        false;
done:
        skip
    } unless { is_dead(me) }
}

/* Bootstrap::abort, on another thread */
proctype Control(byte me) {
    {
        lock();
        if
        :: has_segment & bit(me) -> record_abort(2 * me + 2)
        :: else -> early = early | bit(me)
        fi;
        has_aborted = has_aborted | bit(me);
        unlock()
    } unless { is_dead(me) }
}

proctype Killer() {
    byte victim;
    select (victim : 0 .. N - 1);
    atomic {
        if
        :: (DEATHS & bit(victim)) && !is_dead(victim) -> fault = true; dead = dead | bit(victim)
        :: else
        fi
    }
}

init {
    byte rank;
    atomic {
        fault = (ABORTS != 0 || MISMATCH != 0);
        file = (STALE -> STALE_FILE : NO_FILE);
        for (rank : 0 .. N - 1) {
            run Main(rank);
            if :: ABORTS & bit(rank) -> run Control(rank) :: else fi
        }
        if :: DEATHS != 0 -> run Killer() :: else fi
    }
}
