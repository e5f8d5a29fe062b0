package org.rankunit.engine.cases;

import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.rankunit.DeviceCount;
import org.rankunit.DeviceRuntime;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.RankTimeout;
import org.rankunit.Window;
import org.rankunit.device.Comparison;
import org.rankunit.device.Cores;
import org.rankunit.device.Notify;
import org.rankunit.device.SignalOperation;
import org.rankunit.device.Stream;
import org.rankunit.graph.GraphTask;
import org.rankunit.graph.TaskArgument;
import org.rankunit.graph.TaskGraph;

/** Ranks whose devices wait for what nobody will do, and for what is only late. Time-outs are far away. */
@DeviceCount(2)
@Platforms("a2a3sim")
@Window(syncPrefix = 64)
@RankTimeout(100)
@TestMethodOrder(MethodOrderer.MethodName.class)
public class DeviceWaitCases {

    @Test
    void aNotifyThatNobodyPosts(RankContext rank) {
        try (Notify notify = rank.device().createNotify();
                Stream stream = rank.device().createStream()) {
            stream.waitFor(notify);
            stream.synchronize();
        }
    }

    @Test
    void bSignalThatWasForgotten(RankContext rank) {
        if (rank.rank() == 0) {
            waitForSignal(rank);
        }
    }

    @Test
    void cBarrierInsteadOfTheSignal(RankContext rank) {
        if (rank.rank() == 0) {
            waitForSignal(rank);
        }
        rank.barrier();
    }

    @Test
    @DeviceRuntime("host_build_graph")
    void eTaskThatNobodyReleases(RankContext rank) {
        try (TaskGraph graph = rank.createGraph("waiting")) {
            GraphTask task =
                    graph.task(graph.kernel(rank.kernel("nothing"), Cores.VECTOR), TaskArgument.scalar(rank.rank()));
            task.waitUntil(rank.semaphoreBase(), Comparison.GE, 1);
            graph.run();
        }
    }

    @Test
    void dSignalOfAThreadThatTakesItsTime(RankContext rank) throws InterruptedException {
        Thread late = new Thread(() -> {
            try {
                // Long enough for a look or two.
                Thread.sleep(1500);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            try (Stream stream = rank.device().createStream()) {
                stream.signal(rank.semaphoreBase(), SignalOperation.SET, 1);
                stream.synchronize();
            }
        });
        late.start();
        waitForSignal(rank);
        late.join();
    }

    private static void waitForSignal(RankContext rank) {
        try (Stream stream = rank.device().createStream()) {
            stream.waitUntil(rank.semaphoreBase(), Comparison.GE, 1);
            stream.synchronize();
        }
    }
}
