package org.rankunit.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.rankunit.pool.Pools.PLATFORM;
import static org.rankunit.pool.Pools.SOON;
import static org.rankunit.pool.Pools.await;
import static org.rankunit.pool.Pools.devices;
import static org.rankunit.pool.Pools.pool;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.pool.inventory.Inventory;
import org.rankunit.pool.lock.OwnerRecord;
import org.rankunit.pool.lock.PoolException;
import org.rankunit.pool.queue.Ticket;

/** Requests of several processes stand in one queue. */
@Tag("ranks")
@Timeout(120)
class SharedQueueTest {

    @TempDir
    Path folder;

    @Test
    void aRequestThatWaitsInAnotherProcessIsNotOvertaken() throws Exception {
        DevicePool pool = pool(folder, 2);
        DeviceLease held = pool.lease(devices(1), SOON);
        try (ForeignProcess wide = waitingFor(2, pool)) {
            assertThat(pool.tryLease(devices(1))).isEmpty();
            assertThatThrownBy(() -> pool.lease(devices(1), Duration.ofMillis(50)))
                    .isInstanceOf(LeaseTimeoutException.class)
                    .hasMessageEndingWith(
                            ", 1 free, behind 1 earlier request: pid " + wide.pid() + " (WideTest) for 2 devices");

            held.close();
            wide.awaitLine("leased");
        }
        pool.lease(devices(2), SOON).close();
    }

    @Test
    void aShortRequestOvertakesWhereAllSayHowLongTheyTake() throws Exception {
        DevicePool pool = pool(folder, 2);
        DeviceLease held = pool.lease(devices(1).expecting(Duration.ofMinutes(10)), SOON);
        try (ForeignProcess wide = waitingFor(2, pool)) {
            assertThat(pool.tryLease(devices(1).expecting(Duration.ofMinutes(11))))
                    .isEmpty();
            try (DeviceLease overtaking =
                    pool.tryLease(devices(1).expecting(Duration.ofMinutes(9))).orElseThrow()) {
                assertThat(overtaking.devices()).containsExactly(1);
            }
            Instant end = held.owner().until().orElseThrow();
            assertThat(pool.queue(PLATFORM))
                    .singleElement()
                    .satisfies(waiting -> assertThat(waiting.promised()).contains(end))
                    .satisfies(waiting -> assertThat(waiting.who().pid()).isEqualTo(wide.pid()))
                    .satisfies(waiting -> assertThat(waiting.count()).isEqualTo(2));

            held.renew("NextTest", Optional.of(Duration.ofMinutes(20)));
            assertThat(pool.queue(PLATFORM).get(0).promised().orElseThrow())
                    .isEqualTo(held.owner().until().orElseThrow())
                    .isAfter(end);
            assertThat(pool.status(PLATFORM).get(0).owner().map(OwnerRecord::test))
                    .contains("NextTest");
            held.renew("NextTest", Optional.empty());
            assertThat(pool.queue(PLATFORM).get(0).promised()).isEmpty();
            held.close();
        }
    }

    @Test
    void theTicketOfAProcessThatIsKilledWhileItWaitsIsGoneWithIt() throws Exception {
        DevicePool pool = pool(folder, 2);
        try (DeviceLease held = pool.lease(devices(1), SOON)) {
            ForeignProcess wide = waitingFor(2, pool);
            wide.kill();
            wide.awaitEnd();

            assertThat(pool.queue(PLATFORM)).as("beside %s", held).isEmpty();
            assertThat(pool.tryLease(devices(1)).map(DeviceLease::devices)).contains(List.of(1));
        }
    }

    @Test
    void aProcessThatIsStoppedWhileItWaitsHoldsUpNobodyForLong() throws Exception {
        DevicePool pool = pool(folder, 2);
        DeviceLease held = pool.lease(devices(1), SOON);
        try (ForeignProcess wide = waitingFor(2, pool)) {
            wide.stopWithoutTheMutex(folder);
            try (DeviceLease behind = pool.lease(devices(1), SOON)) {
                assertThat(behind.devices()).containsExactly(1);
            }
            wide.signal("CONT");
            held.close();
            wide.awaitLine("leased");
        }
    }

    @Test
    void whoWaitsFindsItsPlaceAgainAfterTheQueueWasRemoved() throws Exception {
        DevicePool pool = pool(folder, 2);
        DeviceLease held = pool.lease(devices(1), SOON);
        try (ForeignProcess first = waitingFor(2, pool)) {
            Path queue = folder.resolve(PLATFORM).resolve("queue");
            Files.delete(queue);
            await("it stands there again", () -> !pool.queue(PLATFORM).isEmpty());
            assertThat(pool.queue(PLATFORM))
                    .extracting(waiting -> waiting.who().pid())
                    .containsExactly(first.pid());
            held.close();
            first.awaitLine("leased");
        }
    }

    @Test
    void whatIsNoTicketIsNobodysTurn() throws Exception {
        DevicePool pool = pool(folder, 2);
        pool.lease(devices(1), SOON).close();
        Files.writeString(folder.resolve(PLATFORM).resolve("queue"), "no ticket, ".repeat(500));

        assertThat(pool.queue(PLATFORM)).isEmpty();
        pool.lease(devices(2), SOON).close();
    }

    @Test
    void whereThereIsNoRoomForATicketARequestWaitsWithoutOne() throws Exception {
        DevicePool pool = pool(folder, 1);
        DeviceLease held = pool.lease(devices(1), SOON);
        // A folder in its place cannot be written, as a full disk cannot.
        Path queue = Files.createDirectory(folder.resolve(PLATFORM).resolve("queue"));
        assertThatThrownBy(() -> pool.lease(devices(1), Duration.ofMillis(60)))
                .isInstanceOf(PoolException.class)
                .hasMessageContaining(queue + " is not a plain file");
        Files.delete(queue);
        held.close();
        pool.lease(devices(1), SOON).close();
    }

    @Test
    void slicesThatShareNoDeviceDoNotWaitForEachOther() throws Exception {
        DevicePool all = pool(folder, 4);
        DevicePool low = slice(0, 1);
        DevicePool high = slice(2, 3);
        DeviceLease held = low.lease(devices(1), SOON);
        try (ForeignProcess wide = ForeignProcess.start(ForeignHolder.class, folder, "2", "2", "WideTest")) {
            await("it waits for 0 and 1", () -> all.queue(PLATFORM).size() == 1);
            assertThat(low.tryLease(devices(1))).isEmpty();
            try (DeviceLease lease = high.tryLease(devices(2)).orElseThrow()) {
                assertThat(lease.devices()).containsExactly(2, 3);
            }
            held.close();
            wide.awaitLine("leased");
        }
    }

    @Test
    void whoWaitsForLongIsToldForWhat() throws Exception {
        DevicePool pool = pool(folder, 1);
        List<String> told = new ArrayList<>();
        try (ForeignProcess holder = ForeignProcess.leasing(folder, 1, 1, "AllReduceTest")) {
            assertThatThrownBy(() -> pool.lease(devices(1), Duration.ofSeconds(9), told::add))
                    .isInstanceOf(LeaseTimeoutException.class);
            assertThat(told)
                    .singleElement()
                    .asString()
                    .matches("waiting [5-8](\\.\\d)? s for 1 device of a2a3sim: 0 held by pid " + holder.pid()
                            + " \\(AllReduceTest\\) since .*");
        }
    }

    @Test
    void aTicketIsReadBackAsWrittenAndHalfOfItIsNone() {
        OwnerRecord owner = OwnerRecord.ofThisProcess("x".repeat(3000) + "漢", Instant.now(), Optional.empty());
        Ticket ticket = new Ticket(7, 8, 3, List.of(0, 2, 3, 9), 12, owner);
        byte[] encoded = ticket.encode();

        assertThat(Ticket.decode(encoded)).hasValueSatisfying(read -> {
            assertThat(read.devices()).isEqualTo(ticket.devices());
            assertThat(read.owner().test()).isEqualTo("x".repeat(250));
            assertThat(read.owner().pid()).isEqualTo(owner.pid());
            assertThat(List.of(read.order(), read.seen(), read.expectedMillis()))
                    .containsExactly(7L, 8L, 12L);
        });
        encoded[300]++;
        assertThat(Ticket.decode(encoded)).isEmpty();
    }

    private ForeignProcess waitingFor(int count, DevicePool pool) throws Exception {
        ForeignProcess process =
                ForeignProcess.start(ForeignHolder.class, folder, "2", String.valueOf(count), "WideTest");
        await("it waits", () -> pool.queue(PLATFORM).size() == 1);
        return process;
    }

    private DevicePool slice(Integer... ids) {
        return DevicePool.open(new PoolConfig(folder, Map.of()).with(new Inventory(PLATFORM, List.of(ids))));
    }
}
