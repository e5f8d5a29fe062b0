package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.cases.YieldCases;
import org.rankunit.pool.DeviceLease;
import org.rankunit.pool.DevicePool;
import org.rankunit.pool.Inventory;
import org.rankunit.pool.LeaseRequest;
import org.rankunit.pool.PoolConfig;

/** A run does not sit on devices that others wait for. */
@Timeout(120)
class YieldRunsTest {

    @TempDir
    Path folder;

    @Test
    void aGroupThatDoesNothingGivesItsDevicesToWhoeverWaits() throws Exception {
        DevicePool pool =
                DevicePool.open(new PoolConfig(folder.resolve("pool"), Map.of()).with(Inventory.ofFirst(3, "a2a3sim")));
        CompletableFuture<List<Integer>> other = new CompletableFuture<>();
        Thread waiting = new Thread(() -> leaseWhenWorking(pool, other));
        waiting.start();

        EngineRun run = EngineRun.of(
                folder,
                Map.of("rankunit.simulator-devices", "3", "rankunit.jvm-args", "-Dyield.folder=" + folder),
                YieldCases.Kept.class,
                YieldCases.Working.class);

        assertThat(other.get(30, TimeUnit.SECONDS)).hasSize(2);
        waiting.join();
        assertThat(run.messages()).isEmpty();
    }

    private void leaseWhenWorking(DevicePool pool, CompletableFuture<List<Integer>> devices) {
        try {
            while (!Files.exists(folder.resolve("working"))) {
                Thread.sleep(5);
            }
            try (DeviceLease lease = pool.lease(new LeaseRequest("a2a3sim", 2, "OtherTest"), Duration.ofSeconds(30))) {
                Files.createFile(folder.resolve("taken"));
                devices.complete(lease.devices());
            }
        } catch (Exception e) {
            devices.completeExceptionally(e);
        }
    }
}
