package org.rankunit.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.rankunit.pool.Pools.PLATFORM;
import static org.rankunit.pool.Pools.SOON;
import static org.rankunit.pool.Pools.await;
import static org.rankunit.pool.Pools.devices;
import static org.rankunit.pool.Pools.free;
import static org.rankunit.pool.Pools.pool;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.pool.health.DeviceHealth;
import org.rankunit.pool.lock.OwnerFile;
import org.rankunit.pool.lock.OwnerRecord;

/** What holds between processes, shown with real ones. */
@Tag("ranks")
@Timeout(120)
class DevicePoolProcessesTest {

    @TempDir
    Path folder;

    @Test
    void processesAndTheirThreadsNeverShareADevice() throws Exception {
        Path file = folder.resolve("claims");
        Claims claims = Claims.in(file);
        int processes = 4;
        int leasesPerThread = 150;
        List<ForeignProcess> churners = new ArrayList<>();
        try {
            for (int number = 0; number < processes; number++) {
                churners.add(ForeignProcess.start(
                        ForeignChurner.class,
                        folder.resolve("pool"),
                        file.toString(),
                        String.valueOf(number),
                        String.valueOf(leasesPerThread)));
            }
            for (ForeignProcess churner : churners) {
                churner.awaitLine("done");
            }
        } finally {
            churners.forEach(ForeignProcess::close);
        }
        assertThat(claims.leases()).isEqualTo(processes * ForeignChurner.THREADS * leasesPerThread);
        assertThat(claims.overlaps()).isZero();
    }

    @Test
    void devicesHeldByAProcessThatIsKilledAreFreeAtOnce() throws Exception {
        DevicePool pool = pool(folder, 4);
        try (ForeignProcess holder = ForeignProcess.leasing(folder, 4, 2, "KilledTest")) {
            assertThat(free(pool)).containsExactly(2, 3);

            holder.kill();

            try (DeviceLease lease = pool.lease(devices(4), SOON)) {
                assertThat(lease.devices()).containsExactly(0, 1, 2, 3);
            }
        }
    }

    @Test
    void theRecordOfAProcessThatIsGoneIsNotBelieved() throws Exception {
        DevicePool pool = pool(folder, 2);
        try (ForeignProcess holder = ForeignProcess.leasing(folder, 2, 1, "KilledTest")) {
            holder.kill();
            holder.awaitEnd();
            assertThat(record(0)).exists();

            assertThat(pool.status(PLATFORM).get(0))
                    .isEqualTo(new DeviceStatus(0, DeviceState.FREE, Optional.empty(), new DeviceHealth.Sound()));
        }
    }

    @Test
    void aRecordLeftByADeadProcessIsNotTakenForTheHolders() throws Exception {
        DevicePool pool = pool(folder, 1);
        ForeignProcess dead = ForeignProcess.leasing(folder, 1, 1, "KilledTest");
        dead.kill();
        dead.awaitEnd();
        byte[] left = Files.readAllBytes(record(0));
        try (ForeignProcess holder = ForeignProcess.leasing(folder, 1, 1, "HolderTest")) {
            Files.write(record(0), left);

            assertThat(holder.pid()).isNotEqualTo(dead.pid());
            assertThat(pool.status(PLATFORM))
                    .containsExactly(new DeviceStatus(0, DeviceState.HELD, Optional.empty(), new DeviceHealth.Sound()));
        }
    }

    @Test
    void aRecordOfAnEarlierProcessWithTheSameIdIsNotBelieved() throws Exception {
        DevicePool pool = pool(folder, 1);
        try (ForeignProcess holder = ForeignProcess.leasing(folder, 1, 1, "HolderTest")) {
            OwnerRecord now = pool.status(PLATFORM).get(0).owner().orElseThrow();
            assertThat(now.pid()).isEqualTo(holder.pid());
            Instant anHourEarlier = now.processStart().minus(1, ChronoUnit.HOURS);
            OwnerRecord earlier = new OwnerRecord(
                    now.pid(), anHourEarlier, now.user(), "EarlierTest", anHourEarlier, Optional.empty());
            Files.write(record(0), OwnerFile.encode(earlier));

            assertThat(pool.status(PLATFORM))
                    .containsExactly(new DeviceStatus(0, DeviceState.HELD, Optional.empty(), new DeviceHealth.Sound()));
        }
    }

    @Test
    void whoWaitsInVainIsToldWhoHoldsWhatSinceWhen() throws Exception {
        DevicePool pool = pool(folder, 3);
        try (ForeignProcess holder = ForeignProcess.leasing(folder, 3, 2, "AllReduceTest")) {
            Instant since = pool.status(PLATFORM).get(0).owner().orElseThrow().since();

            assertThatThrownBy(() -> pool.lease(devices(2), Duration.ofMillis(50)))
                    .isInstanceOf(LeaseTimeoutException.class)
                    .hasMessage("waited 50 ms for 2 devices of a2a3sim: 0-1 held by pid " + holder.pid()
                            + " (AllReduceTest) since " + since.truncatedTo(ChronoUnit.SECONDS) + ", 2 free");
        }
    }

    @Test
    void aRequestThatIsNotGrantedHoldsNothing() throws Exception {
        DevicePool pool = pool(folder, 3);
        try (ForeignProcess holder = ForeignProcess.leasing(folder, 3, 1, "HolderTest")) {
            assertThat(pool.tryLease(devices(3)))
                    .as("while %d holds one", holder.pid())
                    .isEmpty();

            try (ForeignProcess other = ForeignProcess.leasing(folder, 3, 2, "OtherTest")) {
                assertThat(free(pool))
                        .as("while %d holds the rest", other.pid())
                        .isEmpty();
            }
        }
    }

    /** Closing a second descriptor of a lock file anywhere in the JVM would free the device. */
    @Test
    void lookingAndTryingDoesNotLoosenWhatThisProcessHolds() throws Exception {
        DevicePool pool = pool(folder, 2);
        try (DeviceLease lease = pool.lease(devices(1), SOON)) {
            assertThat(free(pool(folder, 2))).containsExactly(1);
            assertThat(pool(folder, 2).tryLease(devices(2))).isEmpty();

            try (ForeignProcess other = ForeignProcess.leasing(folder, 2, 1, "OtherTest")) {
                assertThat(pool.status(PLATFORM))
                        .extracting(status -> status.owner().map(OwnerRecord::pid))
                        .containsExactly(Optional.of(lease.owner().pid()), Optional.of(other.pid()));
            }
        }
    }

    @Test
    void aWaitEndsWhenTheHolderGivesTheDevicesBack() throws Exception {
        DevicePool pool = pool(folder, 1);
        ForeignProcess holder = ForeignProcess.leasing(folder, 1, 1, "HolderTest");
        Thread closer = new Thread(() -> {
            await("a thread waits", () -> waiting() == 1);
            holder.close();
        });
        closer.start();

        try (DeviceLease lease = pool.lease(devices(1), SOON)) {
            assertThat(lease.devices()).containsExactly(0);
        }
        closer.join();
        assertThat(waiting()).isZero();
    }

    @Test
    void aLockFileWhoseNameWasRemovedExcludesNobody() throws Exception {
        DevicePool pool = pool(folder, 1);
        pool.lease(devices(1), SOON).close();
        deleteLockFiles();

        try (ForeignProcess holder = ForeignProcess.leasing(folder, 1, 1, "HolderTest")) {
            assertThat(pool.tryLease(devices(1)))
                    .as("while %d holds it", holder.pid())
                    .isEmpty();
            assertThat(free(pool)).isEmpty();
        }
        assertThat(free(pool)).containsExactly(0);
    }

    @Test
    void whoWaitsInVainForTheMutexIsToldWhatToLookFor() throws Exception {
        DevicePool pool = pool(folder, 1);
        pool.lease(devices(1), SOON).close();
        try (ForeignProcess blocker = ForeignProcess.holdingTheMutex(folder)) {
            assertThatThrownBy(() -> pool.lease(devices(1), Duration.ofMillis(20)))
                    .as("while %d is inside", blocker.pid())
                    .isInstanceOf(LeaseTimeoutException.class)
                    .hasMessage("waited 20 ms for the pool's lock, "
                            + folder.toRealPath().resolve("gate.lock")
                            + ", which a process holds for far longer than the instant it takes to choose devices.\n"
                            + "That process is stopped or hangs: find it with lslocks, and resume or end it.");
        }
        pool.lease(devices(1), SOON).close();
    }

    private Path record(int device) {
        return folder.resolve(PLATFORM).resolve(device + ".owner");
    }

    private int waiting() {
        try {
            return Pools.waiting(folder);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void deleteLockFiles() throws IOException {
        Files.delete(folder.resolve("gate.lock"));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder.resolve(PLATFORM), "*.lock")) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
    }
}
