package org.rankunit.collective.run;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.OrchestrationException;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.comm.TaskPlan;

/**
 * The tasks of one rank, and a digest of those of all ranks, by which plans are told apart: names of classes are not unique, and an
 * algorithm can have parameters.
 */
final class ScheduleDigest {

    private final TaskPlan.Tasks own;
    private final long digest;

    private ScheduleDigest(TaskPlan.Tasks own, long digest) {
        this.own = own;
        this.digest = digest;
    }

    /** The packed tasks of one rank, with their lines. */
    TaskPlan.Tasks own() {
        return own;
    }

    /** A digest of the packed tasks and resources of all ranks. */
    long digest() {
        return digest;
    }

    /**
     * Let an algorithm queue the tasks of all ranks.
     *
     * @throws OrchestrationException if it does not apply to the call, queues a task that cannot be, or queues other tasks when it is asked
     *     again
     */
    static ScheduleDigest of(CollectiveAlgorithm algorithm, CollectiveCall call, int rank) {
        MessageDigest sha = sha256();
        Schedule schedule = Schedule.of(algorithm, call);
        RankSchedule own = Schedule.againWithLines(algorithm, call, schedule.rank(rank));
        for (RankSchedule each : schedule.ranks()) {
            long[] tasks = PackedTasks.of(each);
            sha.update(bytes(tasks.length, each.resources().scratchBytes()));
            sha.update(bytes(tasks));
        }
        return new ScheduleDigest(
                PackedTasks.withLines(own), ByteBuffer.wrap(sha.digest()).getLong());
    }

    private static byte[] bytes(long... words) {
        ByteBuffer bytes = ByteBuffer.allocate(words.length * Long.BYTES);
        bytes.asLongBuffer().put(words);
        return bytes.array();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
