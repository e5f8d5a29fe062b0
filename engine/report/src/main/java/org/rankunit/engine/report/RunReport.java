package org.rankunit.engine.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.Phase;
import org.rankunit.engine.protocol.RankOutcome.RankWait;
import org.rankunit.golden.GoldenSummary;

/**
 * The content of {@code report.json}; its schema is {@code docs/report.schema.json}. What other formats show comes from here alone.
 *
 * <p>Moments are milliseconds since the start of an execution, which is known by the clock of the day. Code that compares tests of two
 * executions adds the difference of their starts.
 *
 * @param schemaVersion {@link #SCHEMA_VERSION}
 * @param version version of RankUnit
 * @param run identifies the run of the build tool; the processes of one run write one report
 * @param platform the configured platform, or {@code auto}
 * @param written when the report was written, in ISO-8601
 * @param executions the executions of the engine in this run, in the order in which they ended
 * @param pictures of collectives that tests ran, each once and not too many; see {@link Pictures}
 */
public record RunReport(
        int schemaVersion,
        String version,
        String run,
        String platform,
        String java,
        String written,
        List<Execution> executions,
        List<TestEntry> tests,
        List<Picture> pictures) {

    /** Raised whenever an existing reader would misread the file. */
    public static final int SCHEMA_VERSION = 3;

    /** The nodes of these devices, as entries have them: none if all devices are of this machine. */
    public static List<String> nodesOf(List<DeviceRef> devices) {
        return devices.stream().allMatch(DeviceRef::isHere)
                ? List.of()
                : devices.stream().map(DeviceRef::node).toList();
    }

    /**
     * One execution of the engine: a run of a build tool has one for each process that it starts, or several.
     *
     * @param number counts the executions of the run, from 1
     * @param started when it began, in ISO-8601
     * @param milliseconds how long it took
     * @param groups who held which devices when
     * @param refusals tests that got no devices
     */
    public record Execution(
            int number, long pid, String started, double milliseconds, List<GroupUse> groups, List<Refusal> refusals) {

        /** Copy this execution with this number. */
        public Execution numbered(int other) {
            return new Execution(other, pid, started, milliseconds, groups, refusals);
        }
    }

    /**
     * One group of ranks, and how long it held its devices.
     *
     * @param number as {@link TestEntry#group()}
     * @param className the class for whose tests it was made
     * @param asked when its devices were asked for
     * @param leased when it got them
     * @param up when all of its ranks were up, or {@code null} if they never were
     * @param released when it had given the devices back, or {@code null} if it held them until the end
     * @param uses when it worked for which class; in between it was kept for the next one
     * @param nodes the node of each device; empty if all are of the machine of the run
     */
    public record GroupUse(
            int number,
            String platform,
            List<Integer> devices,
            String className,
            double asked,
            double leased,
            @Nullable Double up,
            @Nullable Double released,
            List<ClassUse> uses,
            List<String> nodes) {}

    /**
     * The time in which a group worked for a class.
     *
     * @param end {@code null} if that was the end of the execution
     */
    public record ClassUse(
            String className, double start, @Nullable Double end) {}

    /** Tests of a class that waited for devices, and got none. */
    public record Refusal(String className, String platform, int ranks, double asked, double end, String reason) {}

    /**
     * One result of one test.
     *
     * @param attempt 1, or more if the test was rerun
     * @param execution number of the execution it belongs to
     * @param start when the ranks entered it, or if they did not, when it was reported to have started; {@code null} if it was not
     * @param result {@code passed}, {@code failed}, {@code aborted} or {@code skipped}
     * @param reason why it did not pass
     * @param hang what the ranks waited for, if it hung
     * @param retry for a test that failed because of a device: where and why, and that it was rerun on others, or why it was not
     * @param timeline the file with its timeline, relative to the folder of the report, if one was written
     * @param rounds what its rounds have shown, if it has any
     * @param collectives those that it ran by schedules
     * @param bandwidth whether it reached the bus bandwidth that it asks for, or why that was not judged; {@code null} if it asks
     *     for none or failed otherwise
     * @param group number of its rank group within the execution, 0 if it did not run
     * @param nodes the node of each rank; empty if all ran on the machine of the run
     */
    public record TestEntry(
            String uniqueId,
            String name,
            String displayName,
            int attempt,
            int execution,
            Variant variant,
            List<Integer> devices,
            int group,
            @Nullable Double start,
            String result,
            @Nullable String reason,
            @Nullable Hang hang,
            @Nullable String retry,
            @Nullable String timeline,
            @Nullable Rounds rounds,
            List<CollectiveRuns> collectives,
            @Nullable String bandwidth,
            Durations milliseconds,
            List<RankEntry> ranks,
            List<String> nodes) {

        /** The device of each rank. */
        public List<DeviceRef> places() {
            return IntStream.range(0, devices.size())
                    .mapToObj(rank ->
                            new DeviceRef(rank < nodes.size() ? nodes.get(rank) : DeviceRef.HERE, devices.get(rank)))
                    .toList();
        }

        /** Copy this entry with this number among the entries of the same test, as a result of this execution. */
        public TestEntry as(int newAttempt, int newExecution) {
            return new TestEntry(
                    uniqueId,
                    name,
                    displayName,
                    newAttempt,
                    newExecution,
                    variant,
                    devices,
                    group,
                    start,
                    result,
                    reason,
                    hang,
                    retry,
                    timeline,
                    rounds,
                    collectives,
                    bandwidth,
                    milliseconds,
                    ranks,
                    nodes);
        }

        /** Copy this entry with its paths, which are relative to the folder of the report, changed by a function. */
        public TestEntry withPaths(UnaryOperator<String> change) {
            return new TestEntry(
                    uniqueId,
                    name,
                    displayName,
                    attempt,
                    execution,
                    variant,
                    devices,
                    group,
                    start,
                    result,
                    reason,
                    hang,
                    retry,
                    timeline == null ? null : change.apply(timeline),
                    rounds,
                    collectives,
                    bandwidth,
                    milliseconds,
                    ranks.stream().map(rank -> rank.withLog(change)).toList(),
                    nodes);
        }

        public TestEntry withTearDown(double begin, double took) {
            Durations d = milliseconds;
            Durations all = new Durations(
                    d.goldens, d.compile, d.waitForDevices, d.bringUp, d.run, d.collectOutputs, d.verify, took);
            PhaseTime last = new PhaseTime(Phase.TEAR_DOWN.text(), begin, took);
            return new TestEntry(
                    uniqueId,
                    name,
                    displayName,
                    attempt,
                    execution,
                    variant,
                    devices,
                    group,
                    start,
                    result,
                    reason,
                    hang,
                    retry,
                    timeline,
                    rounds,
                    collectives,
                    bandwidth,
                    all,
                    ranks.stream().map(rank -> rank.with(last)).toList(),
                    nodes);
        }
    }

    /** The variant of a test; the platform is {@code none} if it did not run on any. */
    public record Variant(String platform, int ranks) {}

    /**
     * What the ranks of a test waited for when it hung.
     *
     * @param text one sentence
     * @param waits who waited for whom, as far as it is known
     */
    public record Hang(String text, List<RankWait> waits) {}

    /**
     * The rounds of a test that repeats its body.
     *
     * @param measured number of rounds that it measures
     * @param warmUp number of rounds before these
     * @param dropped number of measured rounds that did not end on every rank, and are left out
     * @param text the essence, for people
     * @param phases for each rank and phase, how long it took in the rounds that count
     */
    public record Rounds(int measured, int warmUp, int dropped, String text, List<RoundPhase> phases) {}

    /** The shortest, the median and the 99th percentile of one phase on one rank, in milliseconds. */
    public record RoundPhase(int rank, String name, double min, double median, double p99) {}

    /**
     * A collective that a test ran by a schedule. Its picture, if there is one, is that of the same algorithm and call.
     *
     * @param call what was to be done, in one line
     * @param tag under which its plan was kept; empty if it was under none
     * @param runs how many runs have begun, on the rank with most
     * @param tasks number of tasks of all ranks in one run
     * @param noPicture why it cannot have a picture, or {@code null} if it can
     * @param measured how fast it was, if the test measured that
     */
    public record CollectiveRuns(
            String algorithm,
            String call,
            String tag,
            long runs,
            long tasks,
            @Nullable String noPicture,
            @Nullable Measured measured) {}

    /**
     * How fast a collective was, in the terms of nccl-tests.
     *
     * @param bytes the size of the call
     * @param micros the mean over the ranks of one run, each with the shortest that it measured
     * @param algbw bandwidth of the algorithm in GB/s
     * @param busbw bus bandwidth in GB/s
     * @param wrong number of wrong elements of all ranks; -1 if results were not checked
     */
    public record Measured(long bytes, String type, double micros, double algbw, double busbw, long wrong) {}

    /** An algorithm and a call as SVG, without its style; that is in {@link org.rankunit.collective.picture.CollectivePicture#rules}. */
    public record Picture(String algorithm, String call, String svg) {}

    /**
     * How long each phase took, in milliseconds. The start of a group counts towards the first test it ran, its end towards the last.
     *
     * @param goldens how long the tests of the group waited for golden models; {@code null} if they did not
     * @param bringUp from the start of the processes until all ranks were up
     * @param run from the entry on all ranks to the last end, without the two phases after it
     * @param collectOutputs on the slowest rank
     * @param verify on the slowest rank
     */
    public record Durations(
            @Nullable Double goldens,
            double compile,
            double waitForDevices,
            double bringUp,
            double run,
            double collectOutputs,
            double verify,
            double tearDown) {

        /** All phases together. */
        public double sum() {
            return (goldens == null ? 0 : goldens)
                    + compile
                    + waitForDevices
                    + bringUp
                    + run
                    + collectOutputs
                    + verify
                    + tearDown;
        }
    }

    /**
     * The outcome of the test on one rank.
     *
     * @param knownAfter milliseconds from the test's end on this rank until the parent learned of it; 0 if the parent
     *     determined the end itself, or if there was none
     * @param goldens the golden checks made on the rank
     * @param leftOut what the rank did not report because it was too much
     * @param failedIn name of the phase in which the rank failed, if it reported a failure of its own
     * @param phases the phases that happened, in the order in which they began. Those of the start of a group count towards the
     *     first test it ran, those of its end towards the last
     * @param busy the cores and streams that did something, if a timeline was written
     * @param end when the test ended on the rank, or {@code null} if that is not known
     * @param spans when parts of its phases were, in the order in which they ended: the first part of each, and of phases with several
     *     parts some more
     * @param stack the stack of a failure of its own, as Java prints it
     * @param output what the rank printed last, if the test did not pass
     * @param node the node on which it ran, or {@code null} for the machine of the run
     */
    public record RankEntry(
            int rank,
            int device,
            String outcome,
            double knownAfter,
            @Nullable String message,
            String log,
            List<GoldenSummary> goldens,
            @Nullable String leftOut,
            @Nullable String failedIn,
            List<PhaseTime> phases,
            List<Busy> busy,
            @Nullable Double end,
            List<PhaseTime> spans,
            List<String> stack,
            @Nullable String output,
            @Nullable String node) {

        private RankEntry withLog(UnaryOperator<String> change) {
            return new RankEntry(
                    rank,
                    device,
                    outcome,
                    knownAfter,
                    message,
                    change.apply(log),
                    goldens,
                    leftOut,
                    failedIn,
                    phases,
                    busy,
                    end,
                    spans,
                    stack,
                    output,
                    node);
        }

        private RankEntry with(PhaseTime last) {
            List<PhaseTime> all = new ArrayList<>(phases);
            all.add(last);
            return new RankEntry(
                    rank,
                    device,
                    outcome,
                    knownAfter,
                    message,
                    log,
                    goldens,
                    leftOut,
                    failedIn,
                    List.copyOf(all),
                    busy,
                    end,
                    spans,
                    stack,
                    output,
                    node);
        }
    }

    /** For which share of the test a core or stream of a rank was busy, from 0 to 1. */
    public record Busy(String lane, double share) {}

    /**
     * How long one {@link Phase}, or a part of it, took on one rank.
     *
     * @param start when it, or the first part of it, began; {@code null} if that is not known, as for ranks on other nodes
     */
    public record PhaseTime(String name, @Nullable Double start, double milliseconds) {}
}
