package org.rankunit.engine.merge.outcome;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import org.rankunit.engine.discovery.DeviceTestDescriptor;
import org.rankunit.engine.group.GroupPhases;
import org.rankunit.engine.merge.collectives.RanCollective;
import org.rankunit.engine.merge.rounds.RoundStatistics;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.timeline.trace.TestTimeline;

/**
 * Everything about one test that has its result.
 *
 * @param ranks number of ranks it was declared for
 * @param platform the platform it ran on; an empty string if it did not run
 * @param devices the device of each rank; empty if it did not run
 * @param group number of its group, or 0 if it did not run
 * @param runNanos from its entry on all ranks to its last end, without golden checks
 * @param verifyNanos time in golden checks on the slowest rank
 * @param retry for a test that failed because of a device: where and why, and that it was rerun, or why it was not; otherwise empty
 * @param timeline its timeline, if one was written
 * @param rounds what its rounds have shown, if it has any
 * @param collectives those that it ran by schedules
 * @param bandwidth whether it reached the bus bandwidth that it asks for; empty if it asks for none, or has failed otherwise
 * @param startedNanos when the ranks entered it, or if they did not, when its start was reported to JUnit; empty if it was not
 * @param output what each rank has printed since the result before this one, by rank; empty if it did not run
 */
public record TestResult(
        DeviceTestDescriptor test,
        int ranks,
        String platform,
        List<DeviceRef> devices,
        int group,
        Verdict verdict,
        SortedMap<Integer, RankEnd> ends,
        List<Path> logs,
        GroupPhases phases,
        long runNanos,
        long verifyNanos,
        String retry,
        Optional<TestTimeline> timeline,
        Optional<RoundStatistics> rounds,
        List<RanCollective> collectives,
        String bandwidth,
        OptionalLong startedNanos,
        List<String> output) {}
