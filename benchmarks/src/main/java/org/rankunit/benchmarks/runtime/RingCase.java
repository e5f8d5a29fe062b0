package org.rankunit.benchmarks.runtime;

import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.DeviceRuntime;
import org.rankunit.RankContext;
import org.rankunit.device.Cores;
import org.rankunit.graph.TaskArgument;
import org.rankunit.graph.TaskGraph;

/** As many empty tasks as the parameter "tasks" says, in 16 chains, through a ring of 64 slots. */
@DeviceCount(1)
@DeviceRuntime("tensormap_and_ringbuffer")
@Buffer(name = "words", type = DType.INT64, count = RingCase.WORDS)
class RingCase {

    static final int TESTS = 5;
    static final int WORDS = 16;
    private static final int SLOTS = 64;

    @RepeatedTest(TESTS)
    void emptyTasks(RankContext rank) {
        try (TaskGraph graph = rank.createGraph("ring")) {
            graph.setRingSlots(SLOTS);
            graph.kernel(rank.kernel("do_nothing"), Cores.VECTOR, 1);
            graph.orchestration(rank.orchestration("empty_tasks"));
            graph.run(List.of(
                    TaskArgument.inout(rank.buffer("words").address(), WORDS * Long.BYTES),
                    TaskArgument.scalar(WORDS),
                    TaskArgument.scalar(rank.intParameter("tasks", 0)),
                    TaskArgument.scalar(SLOTS / 2)));
        }
    }
}
