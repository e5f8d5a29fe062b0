package org.rankunit.engine.protocol;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rankunit.golden.GoldenSummary;

/** A message from a rank to the parent. */
public sealed interface FromRank {

    /**
     * The first message of a rank.
     *
     * @param token proves that it belongs to this run
     * @param place where a task of a cluster's step runs; {@code null} on the parent's machine
     */
    record Hello(
            int protocol, int rank, String token, @Nullable RankPlace place) implements FromRank {

        /** The first message of a rank on the parent's machine. */
        public Hello(int protocol, int rank, String token) {
            this(protocol, rank, token, null);
        }

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.hello(this);
        }
    }

    /** Sent by rank 0 during the bring-up: where the other ranks find its communicator. */
    record RootInfo(String text) implements FromRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.rootInfo(this);
        }
    }

    /** Sent during the bring-up: the device is open. A rank that never says so hangs in its device. */
    record DeviceOpened() implements FromRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.deviceOpened(this);
        }
    }

    /**
     * The device is up, and the communicator if there is to be one; without it, the three numbers are 0.
     *
     * @param wakeable whether a wait in the communicator ends when that is aborted; also true without one, since no rank waits
     */
    record BroughtUp(long deviceContext, long windowBase, long windowSize, boolean wakeable) implements FromRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.broughtUp(this);
        }
    }

    /**
     * The device or the communicator could not be brought up.
     *
     * @param stage what the rank was doing
     * @param deviceError the vendor's error code if the device reported a fault; otherwise 0
     * @param failedRank the rank whose failure or death made the bring-up fail here; -1 if this rank failed by itself
     */
    record BringUpFailed(String stage, Failure cause, int deviceError, int failedRank) implements FromRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.bringUpFailed(this);
        }
    }

    /** Jupiter has discovered the tests of one {@link ToRank.RunTests} and begins to run them. */
    record Begun() implements FromRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.begun(this);
        }
    }

    /**
     * A test that has ended here has left threads running.
     *
     * @param test its name
     * @param threads the numbers that the kernel has for them
     */
    record ThreadsLeft(String test, List<Integer> threads) implements FromRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.threadsLeft(this);
        }
    }

    /** A test or container was registered during the run, for example one invocation of a parameterized test. */
    record Registered(
            String uniqueId,
            String parentId,
            String displayName,
            String legacyName,
            boolean test,
            @Nullable String className,
            @Nullable String methodName,
            @Nullable String parameterTypes,
            List<String> tags)
            implements FromRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.registered(this);
        }
    }

    /**
     * This test is about to run here and waits for {@link ToRank.Enter}, which comes when all ranks have said so. A test whose buffers
     * or cells are in windows says so twice: before they are filled, which ends what the test before did there, and after.
     *
     * @param buffers how many buffers are published, or are going to be
     */
    record Entering(String uniqueId, int buffers) implements FromRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.entering(this);
        }
    }

    /** This test runs here: it was entered, and no condition has skipped it. */
    record Started(String uniqueId) implements FromRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.started(this);
        }
    }

    /**
     * A test or container ended here, or was skipped.
     *
     * @param endedNanos {@link System#nanoTime()} of the end; all processes of a machine share this clock
     * @param verifyNanos time spent in golden checks
     * @param leftOut what was left out because it is too large, and how much that is; usually empty
     * @param phases the phases of the test on this rank, in the order in which they began; empty for a container
     * @param spans when parts of those phases were: the first of each phase, and some more; empty for a container
     * @param unverified the outputs that the test should have compared with goldens and has not, on this rank
     */
    record Ended(
            String uniqueId,
            RankOutcome outcome,
            List<GoldenSummary> goldens,
            long endedNanos,
            long verifyNanos,
            String leftOut,
            List<Phase.Time> phases,
            List<Phase.Span> spans,
            List<String> unverified)
            implements FromRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.ended(this);
        }

        public Ended(
                String uniqueId, RankOutcome outcome, List<GoldenSummary> goldens, long endedNanos, long verifyNanos) {
            this(uniqueId, outcome, goldens, endedNanos, verifyNanos, "", List.of(), List.of(), List.of());
        }

        /** Copy this message with another outcome. */
        public Ended as(RankOutcome other) {
            return new Ended(uniqueId, other, goldens, endedNanos, verifyNanos, leftOut, phases, spans, unverified);
        }
    }

    /**
     * What was decided while a test was shaken here. Sent before the test's {@link Ended}.
     *
     * @param hash the same for two runs that did the same
     * @param file the decisions, one a line; the next test overwrites it
     * @param ordersRanks whether the order between ranks was decided, too, where there are several
     */
    record Shaken(String uniqueId, long decisions, long hash, String file, boolean ordersRanks) implements FromRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.shaken(this);
        }
    }

    /**
     * The rounds of a test that has ended here. Sent before the test's {@link Ended}.
     *
     * @param measured how many rounds the test measures
     * @param warmUp how many it runs before these
     * @param done how many of all these have ended well here; the next one is the one that failed, if the test did
     * @param begins when each measured round began, by {@link System#nanoTime()}; all processes of a machine share this clock
     * @param ends when each of these ended
     * @param phases for each phase, how long it took in each of these, in nanoseconds
     */
    record Rounds(
            String uniqueId,
            int measured,
            int warmUp,
            int done,
            List<Long> begins,
            List<Long> ends,
            List<PhaseTimes> phases)
            implements FromRank {

        /** How long a phase took in each round, in nanoseconds. */
        public record PhaseTimes(Phase phase, List<Long> nanos) {}

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.rounds(this);
        }
    }

    /**
     * A test that has ended here has run this collective by a schedule. Sent before the test's {@link Ended}, once for each tag,
     * algorithm and call.
     *
     * @param tag under which its plan was kept; empty if it was under none
     * @param runs how many runs have begun here
     * @param tasks number of tasks of this rank in one run
     * @param measured its time here, if it was measured
     */
    record RanCollective(
            String uniqueId,
            String algorithm,
            String call,
            String tag,
            long runs,
            long tasks,
            Picture picture,
            @Nullable Measured measured)
            implements FromRank {

        /** Of a rank that draws nothing, or has drawn this before. */
        public static final Picture NO_PICTURE = new Picture("", "");

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.ranCollective(this);
        }
    }

    /**
     * How long a collective took on a rank.
     *
     * @param collective the operation, as in {@code all-reduce}
     * @param type of its elements
     * @param bytes its size as nccl-tests defines it
     * @param busFactor what the algorithm bandwidth is multiplied by
     * @param micros the shortest of the mean times of one run
     * @param wrong number of wrong elements here; -1 if the result was not checked
     */
    record Measured(String collective, String type, long bytes, double busFactor, double micros, long wrong) {}

    /**
     * A picture of a collective.
     *
     * @param svg without its style; empty if there is no picture
     * @param missing why there is none, if this rank knows; otherwise empty
     */
    record Picture(String svg, String missing) {

        public static Picture missing(String why) {
            return new Picture("", why);
        }
    }

    /** A test published report entries. */
    record Reported(String uniqueId, Map<String, String> entries) implements FromRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.reported(this);
        }
    }

    /**
     * This kernel has been running for longer than {@link ToRank.BringUp} allows; the rank cannot stop it.
     *
     * @param where it runs, for people; may be empty
     * @param code where its thread is, {@code /path/libscale.so+0x1130}, the innermost function first; may be empty
     */
    record KernelLate(String kernel, String where, List<String> code) implements FromRank {

        public KernelLate {
            code = List.copyOf(code);
        }

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.kernelLate(this);
        }
    }

    /**
     * This rank's communicator can no longer be used, and no test of the group can be identified as the cause. No rank should enter
     * another test. Sent before {@link Entering}, or before the first test.
     */
    record Unfit(String why) implements FromRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.unfit(this);
        }
    }

    /**
     * What this rank is running: the innermost test or container that has begun, or the test that is about to begin. Sent before
     * each {@link Evidence} that was requested.
     *
     * @param doing what RankUnit is doing for it if no user code is running: {@code filling ...}; otherwise empty
     */
    record Whereabouts(String uniqueId, String doing) implements FromRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.whereabouts(this);
        }
    }

    /** Everything requested by one {@link ToRank.RunTests} has ended here. */
    record RunEnded() implements FromRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.runEnded(this);
        }
    }

    /**
     * Where this rank is; the answer to {@link ToRank.Look}.
     *
     * @param round the round of the request
     * @param place the line of the test that the main thread is at; empty if it is in none
     * @param operations the last operations of its communicator, oldest first
     */
    record Seen(int round, String place, List<CommOperation> operations, DeviceWaits devices) implements FromRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.seen(this);
        }
    }

    /**
     * What the devices of this rank wait for.
     *
     * @param mayGoOn whether a device, or a thread of the test other than the main one, does something or may
     * @param hostWaits whether the main thread waits for a device
     * @param changes as in {@link org.rankunit.device.DeviceActivity}
     * @param texts the waits, for people
     */
    record DeviceWaits(boolean mayGoOn, boolean hostWaits, long changes, List<String> texts) {

        /** Of a rank that says nothing of its devices. */
        public static final DeviceWaits UNKNOWN = new DeviceWaits(true, false, 0, List.of());

        public DeviceWaits {
            texts = List.copyOf(texts);
        }
    }

    /**
     * What this rank can report about itself while it hangs; the stacks of all its threads are in its log. It is the answer to
     * {@link ToRank.ShowEvidence}, and is also sent without a request when a wait in the communicator has timed out.
     *
     * @param mainThread the stack of the thread that runs the tests, one line per frame
     * @param place the line of the test this thread is at, {@code AllReduceTest.java:42}; empty if it is in none
     * @param operations the last operations of its communicator, oldest first
     */
    record Evidence(String mainThread, String place, List<CommOperation> operations) implements FromRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.evidence(this);
        }
    }

    /** Pass this message to the visitor. */
    <X extends Exception> void accept(Visitor<X> visitor) throws X;

    /**
     * Handles every kind of message; a visitor that omits one does not compile.
     *
     * @param <X> what its methods may throw
     */
    interface Visitor<X extends Exception> {

        void hello(Hello message) throws X;

        void rootInfo(RootInfo message) throws X;

        void deviceOpened(DeviceOpened message) throws X;

        void broughtUp(BroughtUp message) throws X;

        void bringUpFailed(BringUpFailed message) throws X;

        void begun(Begun message) throws X;

        void threadsLeft(ThreadsLeft message) throws X;

        void registered(Registered message) throws X;

        void entering(Entering message) throws X;

        void started(Started message) throws X;

        void ended(Ended message) throws X;

        void shaken(Shaken message) throws X;

        void rounds(Rounds message) throws X;

        void ranCollective(RanCollective message) throws X;

        void reported(Reported message) throws X;

        void kernelLate(KernelLate message) throws X;

        void unfit(Unfit message) throws X;

        void whereabouts(Whereabouts message) throws X;

        void runEnded(RunEnded message) throws X;

        void seen(Seen message) throws X;

        void evidence(Evidence message) throws X;
    }
}
