package org.rankunit.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.pool.ForeignStormer.DEVICES;
import static org.rankunit.pool.ForeignStormer.THREADS;
import static org.rankunit.pool.Pools.PLATFORM;
import static org.rankunit.pool.Pools.SOON;
import static org.rankunit.pool.Pools.devices;
import static org.rankunit.pool.Pools.pool;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes lease at random and are killed at random, whether they hold devices, wait, or hold the pool's mutex. */
@Tag("ranks")
@Timeout(240)
class PoolStormTest {

    private static final int PROCESSES = 4;
    private static final int KILLS = 10;
    private static final int PARENT = 900;

    @TempDir
    Path folder;

    private final List<ForeignProcess> processes = new ArrayList<>();
    private final List<Integer> numbers = new ArrayList<>();
    private Claims claims;
    private int started;

    @BeforeEach
    void begin() throws Exception {
        claims = Claims.in(folder.resolve("claims"));
        for (int i = 0; i < PROCESSES; i++) {
            numbers.add(started);
            processes.add(start());
        }
        for (ForeignProcess process : processes) {
            process.awaitLine("storming");
        }
    }

    private ForeignProcess start() throws Exception {
        return ForeignProcess.start(
                ForeignStormer.class,
                folder.resolve("pool"),
                folder.resolve("claims").toString(),
                String.valueOf(started++));
    }

    @AfterEach
    void end() {
        processes.forEach(ForeignProcess::close);
    }

    @RepeatedTest(2)
    void nobodySharesADeviceNoneIsLostAndAWideRequestIsServedInItsTurn(RepetitionInfo repetition) throws Exception {
        Random random = new Random(repetition.getCurrentRepetition());
        DevicePool pool = pool(folder.resolve("pool"), DEVICES);
        for (int kill = 0; kill < KILLS; kill++) {
            int before = claims.leases();
            // Any moment will do: it decides what the victim is doing when it dies.
            Thread.sleep(random.nextInt(30));
            killAndReplace(random.nextInt(PROCESSES));
            try (DeviceLease all = pool.lease(devices(DEVICES), SOON.multipliedBy(3))) {
                assertThat(all.devices()).hasSize(DEVICES);
                claims.fill(all, PARENT);
                claims.empty(all, PARENT);
            }
            assertThat(claims.leases()).as("somebody leases at all").isGreaterThan(before);
        }
        processes.forEach(ForeignProcess::close);

        assertThat(claims.overlaps()).isZero();
        assertThat(Pools.free(pool)).hasSize(DEVICES);
        assertThat(pool.queue(PLATFORM)).isEmpty();
        assertThat(Files.size(folder.resolve("pool").resolve(PLATFORM).resolve("queue")))
                .isZero();
    }

    private void killAndReplace(int which) throws Exception {
        ForeignProcess victim = processes.get(which);
        for (int thread = 0; thread < THREADS; thread++) {
            claims.doom(ForeignStormer.holder(numbers.get(which), thread));
        }
        victim.kill();
        victim.awaitEnd();
        numbers.set(which, started);
        processes.set(which, start());
    }
}
