package org.rankunit.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.rankunit.pool.Pools.PLATFORM;
import static org.rankunit.pool.Pools.SOON;
import static org.rankunit.pool.Pools.await;
import static org.rankunit.pool.Pools.devices;
import static org.rankunit.pool.Pools.free;
import static org.rankunit.pool.Pools.pool;
import static org.rankunit.pool.Pools.request;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.pool.health.DeviceHealth;
import org.rankunit.pool.lock.PoolException;

/** What holds within one JVM. */
@Tag("unit")
@Timeout(60)
class DevicePoolTest {

    @TempDir
    Path folder;

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void aLeaseTakesTheLowestNeighboursAndTheyAreFreeAfterwards() throws Exception {
        DevicePool pool = pool(folder, 8);
        try (DeviceLease first = pool.lease(devices(2), SOON);
                DeviceLease second = pool.lease(devices(3), SOON)) {
            assertThat(first.devices()).containsExactly(0, 1);
            assertThat(second.devices()).containsExactly(2, 3, 4);
            assertThat(second.platform()).isEqualTo(PLATFORM);
        }
        assertThat(free(pool)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    }

    @Test
    void whatIsHeldAgainstADeviceIsToldUntilALeaseOfItEndsWell() throws Exception {
        DevicePool pool = pool(folder, 2);
        try (DeviceLease lease = pool.lease(devices(2), SOON)) {
            lease.suspect(1, "rank 1 was killed by SIGSEGV");
            lease.suspect(1, "and once more");
            assertThat(pool.status(PLATFORM)).allMatch(DevicePoolTest::isSound);
            assertThatThrownBy(() -> lease.suspect(2, "no"))
                    .hasMessageContaining("device 2 does not belong to this lease");
        }

        assertThat(pool.status(PLATFORM).get(0)).matches(DevicePoolTest::isSound);
        assertThat(pool.status(PLATFORM).get(1).health())
                .isInstanceOfSatisfying(
                        DeviceHealth.Suspect.class,
                        suspect -> assertThat(suspect.reason()).isEqualTo("rank 1 was killed by SIGSEGV"));

        pool.lease(devices(2), SOON).close();

        assertThat(pool.status(PLATFORM)).allMatch(DevicePoolTest::isSound);
    }

    private static boolean isSound(DeviceStatus status) {
        return status.health() instanceof DeviceHealth.Sound;
    }

    @Test
    void twoPoolsOnOneFolderShareItsDevicesHoweverItIsSpelled() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), Files.createDirectory(folder.resolve("real")));
        DevicePool pool = pool(folder.resolve("real/pool"), 2);
        DevicePool same = pool(link.resolve("../link/pool"), 2);
        try (DeviceLease lease = pool.lease(devices(1), SOON);
                DeviceLease other = same.lease(devices(1), SOON)) {
            assertThat(lease.devices()).containsExactly(0);
            assertThat(other.devices()).containsExactly(1);
            assertThat(pool.tryLease(devices(1))).isEmpty();
            assertThat(free(same)).isEmpty();
        }
    }

    @Test
    void aRequestForMoreThanThereAreIsRefusedAtOnce() {
        assertThatThrownBy(() -> pool(folder, 4).lease(devices(8), Duration.ofDays(1)))
                .isInstanceOf(NeverFitsException.class)
                .hasMessage("needs 8 devices, a2a3sim has 4");
        assertThatThrownBy(() -> DevicePool.open(PoolConfig.defaults().in(folder))
                        .tryLease(new LeaseRequest("a2a3", 1, "HardwareTest")))
                .isInstanceOf(NeverFitsException.class)
                .hasMessage("needs 1 device, a2a3 has none");
    }

    @Test
    void anUnknownPlatformIsRefusedWithTheOnesThereAre() {
        DevicePool pool = DevicePool.open(PoolConfig.defaults().in(folder));
        assertThatThrownBy(() -> pool.inventory("a9"))
                .isInstanceOf(PoolException.class)
                .hasMessage("platform \"a9\" is not known to this pool.\nIt knows a2a3, a2a3sim, a5, a5sim.");
    }

    @Test
    void closingAgainDoesNotFreeTheNextHoldersDevices() throws Exception {
        DevicePool pool = pool(folder, 1);
        DeviceLease first = pool.lease(devices(1), SOON);
        first.close();
        try (DeviceLease second = pool.lease(devices(1), SOON)) {
            first.close();

            assertThat(second.devices()).containsExactly(0);
            assertThat(free(pool)).isEmpty();
            assertThat(pool.status(PLATFORM).get(0).owner()).isPresent();
        }
    }

    @Test
    void theStatusOfAHeldDeviceNamesItsOwnerUntilItIsGivenBack() throws Exception {
        DevicePool pool = pool(folder, 2);
        try (DeviceLease lease = pool.lease(request(1, "line\nbreak \\ é = 漢"), SOON)) {
            assertThat(pool.status(PLATFORM))
                    .containsExactly(
                            new DeviceStatus(0, DeviceState.HELD, Optional.of(lease.owner()), new DeviceHealth.Sound()),
                            new DeviceStatus(1, DeviceState.FREE, Optional.empty(), new DeviceHealth.Sound()));
            assertThat(lease.owner().pid()).isEqualTo(ProcessHandle.current().pid());
            assertThat(lease.owner().test()).isEqualTo("line\nbreak \\ é = 漢");
        }
        assertThat(folder.resolve(PLATFORM)).isDirectoryNotContaining("glob:**.owner*");
    }

    @Test
    void lookingCreatesNoDeviceFiles() {
        assertThat(free(pool(folder, 2))).containsExactly(0, 1);
        assertThat(folder.resolve(PLATFORM)).doesNotExist();
    }

    @Test
    void waitingThreadsAreServedInTheOrderTheyCame() throws Exception {
        DevicePool pool = pool(folder, 2);
        DeviceLease one = pool.lease(devices(1), SOON);
        DeviceLease other = pool.lease(devices(1), SOON);
        List<String> served = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> wantsTwo = serve(pool, request(2, "first"), served);
        awaitWaiting(1);
        CompletableFuture<Void> wantsOne = serve(pool, request(1, "second"), served);
        awaitWaiting(2);

        one.close();
        assertThat(pool.tryLease(devices(1))).as("would overtake").isEmpty();
        other.close();

        CompletableFuture.allOf(wantsTwo, wantsOne).get(SOON.toSeconds(), TimeUnit.SECONDS);
        assertThat(served).containsExactly("first", "second");
    }

    private static CompletableFuture<Void> serve(DevicePool pool, LeaseRequest request, List<String> served) {
        Runnable job = () -> {
            try (DeviceLease lease = pool.lease(request, SOON)) {
                served.add(lease.owner().test());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };
        // A thread each: the common pool of a machine with two cores may have only one.
        return CompletableFuture.runAsync(job, task -> new Thread(task).start());
    }

    @Test
    void whoStandsBehindOthersIsToldSo() throws Exception {
        DevicePool pool = pool(folder, 2);
        DeviceLease held = pool.lease(devices(1), SOON);
        CompletableFuture<Void> wantsTwo = serve(pool, devices(2), new CopyOnWriteArrayList<>());
        awaitWaiting(1);

        assertThatThrownBy(() -> pool.lease(devices(1), Duration.ofMillis(5)))
                .isInstanceOf(LeaseTimeoutException.class)
                .hasMessageEndingWith(", 1 free, behind 1 earlier request: pid "
                        + ProcessHandle.current().pid() + " (PoolTest) for 2 devices");
        held.close();
        wantsTwo.get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void anInterruptEndsAWaitAndLeavesNothingHeld() throws Exception {
        DevicePool pool = pool(folder, 2);
        DeviceLease held = pool.lease(devices(1), SOON);
        AtomicReference<Throwable> outcome = new AtomicReference<>();
        Thread waiter = new Thread(() -> {
            try {
                pool.lease(devices(2), SOON).close();
            } catch (InterruptedException e) {
                outcome.set(e);
            }
        });
        waiter.start();
        awaitWaiting(1);
        waiter.interrupt();
        waiter.join();
        held.close();

        assertThat(outcome.get()).isInstanceOf(InterruptedException.class);
        assertThat(free(pool)).containsExactly(0, 1);
        assertThat(Pools.waiting(folder)).isZero();
    }

    @Test
    void anInterruptedThreadCanStillTakeLookAndGiveBack() {
        DevicePool pool = pool(folder, 1);
        Thread.currentThread().interrupt();
        try (DeviceLease lease = pool.tryLease(devices(1)).orElseThrow()) {
            assertThat(pool.status(PLATFORM).get(0).owner()).contains(lease.owner());
        }
        assertThat(free(pool)).containsExactly(0);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(pool.tryLease(devices(1)).map(DeviceLease::devices)).contains(List.of(0));
    }

    @Test
    void anInterruptedThreadIsNotGivenALease() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> pool(folder, 1).lease(devices(1), SOON)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void aTimeoutOfZeroStillTakesWhatIsFree() throws Exception {
        try (DeviceLease lease = pool(folder, 1).lease(devices(1), Duration.ZERO)) {
            assertThat(lease.devices()).containsExactly(0);
        }
    }

    private void awaitWaiting(int threads) {
        await(threads + " threads wait", () -> {
            try {
                return Pools.waiting(folder) == threads;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }
}
