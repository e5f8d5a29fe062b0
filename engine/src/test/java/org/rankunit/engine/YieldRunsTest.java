package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.cases.YieldCases;
import org.rankunit.pool.DeviceLease;
import org.rankunit.pool.DevicePool;
import org.rankunit.pool.LeaseRequest;
import org.rankunit.pool.PoolConfig;
import org.rankunit.pool.inventory.Inventory;

/** A run does not sit on devices that others wait for. */
@Tag("ranks")
@Timeout(180)
class YieldRunsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** How long a run may go on with its devices while others wait; see docs/configuration.md. */
    private static final Duration TURN = Duration.ofSeconds(10);

    /** A class that has said that it works, and waits to be told to go on. */
    private record Working(String name, Socket socket) {

        void goOn() throws IOException {
            socket.getOutputStream().write('\n');
            socket.close();
        }
    }

    @TempDir
    Path folder;

    private ServerSocket classes;
    private ScheduledExecutorService threads;

    @BeforeEach
    void listen() throws IOException {
        classes = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        classes.setSoTimeout((int) PATIENCE.toMillis());
        threads = Executors.newScheduledThreadPool(3);
    }

    @AfterEach
    void end() throws IOException {
        threads.shutdownNow();
        classes.close();
    }

    @Test
    void aGroupThatDoesNothingGivesItsDevicesToWhoeverWaits() throws Exception {
        CompletableFuture<EngineRun> run = run(3, YieldCases.Kept.class, YieldCases.Working.class);
        Working working = next();
        try (DeviceLease lease = pool(3).lease(request(2), PATIENCE)) {
            assertThat(lease.devices()).hasSize(2);
            working.goOn();
            assertThat(run.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).messages())
                    .isEmpty();
        }
    }

    @Test
    void aRunThatHasHadItsTurnGivesItsDevicesToWhoeverWaitsBeforeItGoesOn() throws Exception {
        DevicePool pool = pool(2);
        CompletableFuture<EngineRun> run = run(2, YieldCases.First.class, YieldCases.Second.class);
        Working first = next();
        Instant since = pool.status("a2a3sim").get(0).owner().orElseThrow().since();
        CompletableFuture<DeviceLease> other = leasing(pool);

        // What is waited for here is the time itself.
        long left = Duration.between(Instant.now(), since.plus(TURN).plusMillis(200))
                .toMillis();
        threads.schedule(() -> {}, left, TimeUnit.MILLISECONDS).get();
        first.goOn();
        // Had the group been kept, the second class would now wait for us, and we for it.
        other.get(PATIENCE.toSeconds() / 2, TimeUnit.SECONDS).close();

        Working second = next();
        assertThat(second.name()).isEqualTo("second");
        second.goOn();
        assertThat(run.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).messages()).isEmpty();
    }

    @Test
    void aRunThatHasJustBegunGoesOnWithItsDevices() throws Exception {
        DevicePool pool = pool(2);
        CompletableFuture<EngineRun> run = run(2, YieldCases.First.class, YieldCases.Second.class);
        Working first = next();
        CompletableFuture<DeviceLease> other = leasing(pool);
        first.goOn();

        Working second = next();
        assertThat(other).isNotDone();
        second.goOn();
        assertThat(run.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).messages()).isEmpty();
        other.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).close();
    }

    private CompletableFuture<EngineRun> run(int devices, Class<?>... types) {
        Map<String, String> parameters = Map.of(
                "rankunit.sim.devices",
                String.valueOf(devices),
                "rankunit.jvm-args",
                "-Dyield.port=" + classes.getLocalPort());
        return CompletableFuture.supplyAsync(() -> EngineRun.of(folder, parameters, types), threads);
    }

    private Working next() throws IOException {
        Socket socket = classes.accept();
        socket.setSoTimeout((int) PATIENCE.toMillis());
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        return new Working(String.valueOf(lines.readLine()), socket);
    }

    /** A lease of two devices that is on its way; when this returns it stands in the queue. */
    private CompletableFuture<DeviceLease> leasing(DevicePool pool) throws Exception {
        CompletableFuture<DeviceLease> lease = new CompletableFuture<>();
        threads.execute(() -> {
            try {
                lease.complete(pool.lease(request(2), PATIENCE.multipliedBy(2)));
            } catch (InterruptedException | RuntimeException e) {
                lease.completeExceptionally(e);
            }
        });
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!pool.isAwaited("a2a3sim") && System.nanoTime() - deadline < 0) {
            Thread.onSpinWait();
        }
        assertThat(pool.isAwaited("a2a3sim")).isTrue();
        return lease;
    }

    private DevicePool pool(int devices) {
        return DevicePool.open(
                new PoolConfig(folder.resolve("pool"), Map.of()).with(Inventory.ofFirst(devices, "a2a3sim")));
    }

    private static LeaseRequest request(int count) {
        return new LeaseRequest("a2a3sim", count, "OtherTest");
    }
}
