package org.rankunit.engine.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;
import org.rankunit.Values;
import org.rankunit.golden.Golden;

/** Two tests, and one fault that strikes one rank once, at a moment that a system property says. */
@DeviceCount({2, 3, 4, 5, 6, 7, 8})
@TestMethodOrder(MethodOrderer.MethodName.class)
public class ChaosCase {

    /** The folder in which processes prove that nobody else has their device. */
    public static final String DEVICES = "chaos.devices";

    private static final Strike STRIKE = Strike.ofThisJvm();

    /** Dropped by the kernel with this process, as the lease is that must never let two have one device. */
    private static @Nullable FileLock proof;

    ChaosCase(RankContext rank) throws IOException {
        STRIKE.reached(Moment.CONSTRUCTOR, rank.rank());
    }

    @BeforeAll
    static void open(RankContext rank) throws IOException {
        if (proof == null) {
            proof = FileChannel.open(
                            Path.of(System.getProperty(DEVICES), "device-" + rank.deviceId()),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE)
                    .tryLock();
        }
        assertThat(proof).as("device %d belongs to two ranks", rank.deviceId()).isNotNull();
        if (STRIKE.moment() == Moment.SHUTDOWN && STRIKE.rank() == rank.rank()) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> StrikeAgent.later(STRIKE)));
        }
        STRIKE.reached(Moment.BEFORE_ALL, rank.rank());
        rank.barrier();
    }

    @BeforeEach
    void prepare(RankContext rank) throws IOException {
        STRIKE.reached(Moment.BEFORE_EACH, rank.rank());
    }

    @Test
    void first(RankContext rank) throws IOException {
        work(rank);
    }

    @Test
    void second(RankContext rank) throws IOException {
        work(rank);
    }

    private static void work(RankContext rank) throws IOException {
        STRIKE.reached(Moment.BODY, rank.rank());
        boolean inBarrier = STRIKE.moment() == Moment.IN_BARRIER && !STRIKE.isDone();
        rank.barrier();
        STRIKE.reached(Moment.BETWEEN_BARRIERS, rank.rank());
        if (inBarrier) {
            strikeInBarrier(rank);
        }
        rank.barrier();
        Golden.of("sum", 1, 2, 3).verify(Values.int32(1, 2, 3));
        STRIKE.reached(Moment.VERIFY, rank.rank());
    }

    /** One rank comes to the barrier only when the struck one is no more, so that this one surely waits there. */
    private static void strikeInBarrier(RankContext rank) throws IOException {
        if (rank.rank() == STRIKE.rank()) {
            StrikeAgent.inBackground(() -> StrikeAgent.later(STRIKE));
        } else if (rank.rank() == (STRIKE.rank() + 1) % rank.worldSize()) {
            while (STRIKE.isStruckAlive()) {
                LockSupport.parkNanos(200_000);
            }
        }
    }

    @AfterEach
    void cleanUp(RankContext rank) throws IOException {
        STRIKE.reached(Moment.AFTER_EACH, rank.rank());
        rank.barrier();
    }

    @AfterAll
    static void close(RankContext rank) throws IOException {
        STRIKE.reached(Moment.AFTER_ALL, rank.rank());
        rank.barrier();
    }
}
