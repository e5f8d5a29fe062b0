package org.rankunit.engine.merge;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.rankunit.engine.group.GroupPhases;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.shake.ShakenTest;
import org.rankunit.engine.timeline.trace.HostPhase;
import org.rankunit.engine.timeline.trace.TestTimeline;

/**
 * What a merge needs to know about the group that runs the tests.
 *
 * @param freshOutput what each rank has printed since the last call
 * @param timelines writes the timelines of its tests
 * @param checks checks its tests when they have ended
 * @param shakings keeps or compares what was decided in shaken tests; returns lines for their failures
 * @param outputs keeps or removes the outputs of tests that have ended
 */
public record GroupHooks(
        int number,
        List<DeviceRef> devices,
        List<Path> logs,
        GroupPhases phases,
        Supplier<List<String>> freshOutput,
        Timelines timelines,
        Checks checks,
        Function<ShakenTest, List<String>> shakings,
        Outputs outputs) {

    /** Keeps or removes what a test has put out, where the engine verifies that. */
    @FunctionalInterface
    public interface Outputs {

        /**
         * Take the end of a test.
         *
         * @param uniqueId the test's id in the ranks
         * @return lines for its failure, or to print about a test that has passed
         */
        List<String> ended(String uniqueId, boolean failed);
    }

    /** Checks what happened on the devices of a group during a test. */
    @FunctionalInterface
    public interface Checks {

        /**
         * Check a test that has ended.
         *
         * @param uniqueId the test's id in the ranks
         * @param title its name and variant
         * @return a text for each mistake
         */
        List<String> findings(String uniqueId, String title, boolean passed);
    }

    /** Writes what happened on the devices of a group during a test. */
    @FunctionalInterface
    public interface Timelines {

        /**
         * Write the timeline of a test that has ended, if there is to be one.
         *
         * @param uniqueId the test's id in the ranks
         * @param title its name and variant
         * @param phases those of ranks that have reported them
         * @return what was written, or empty if nothing was
         */
        Optional<TestTimeline> write(String uniqueId, String title, boolean failed, List<HostPhase> phases);
    }

    /** A group that records nothing. */
    public GroupHooks(
            int number,
            List<DeviceRef> devices,
            List<Path> logs,
            GroupPhases phases,
            Supplier<List<String>> freshOutput) {
        this(
                number,
                devices,
                logs,
                phases,
                freshOutput,
                (uniqueId, title, failed, ended) -> Optional.empty(),
                (uniqueId, title, passed) -> List.of(),
                test -> List.of(),
                (uniqueId, failed) -> List.of());
    }
}
