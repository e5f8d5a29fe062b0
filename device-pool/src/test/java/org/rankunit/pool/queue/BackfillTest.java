package org.rankunit.pool.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.pool.inventory.DeviceChoice;
import org.rankunit.pool.inventory.DeviceList;
import org.rankunit.pool.inventory.Inventory;
import org.rankunit.pool.queue.Backfill.Plan;
import org.rankunit.pool.queue.Backfill.Running;
import org.rankunit.pool.queue.Backfill.Waiting;

@Tag("unit")
class BackfillTest {

    private static final long NOW = 1000;
    private final DeviceChoice eight = new DeviceChoice(Inventory.ofFirst(8, "a2a3"));

    @Test
    void whoComesFirstIsServedFirst() {
        Plan plan = plan("0-7", List.of(), waiting(4, 10), waiting(4, 10), waiting(1, 10));
        assertThat(plan.starts()).isEqualTo(Map.of(0, set("0-3"), 1, set("4-7")));
        assertThat(plan.promises()).isEqualTo(Map.of(2, NOW + 10));
    }

    @Test
    void aShortRequestOvertakesIfItEndsBeforeTheHeadsTurn() {
        Plan plan = plan("4-7", List.of(until(50, "0-3")), waiting(8, 10), waiting(4, 51), waiting(2, 50));
        assertThat(plan.starts()).isEqualTo(Map.of(2, set("4-5")));
        assertThat(plan.promises()).isEqualTo(Map.of(0, NOW + 50));
    }

    @Test
    void aLongRequestOvertakesOnDevicesThatTheHeadWillNotNeed() {
        Plan plan =
                plan("4-7", List.of(until(50, "0-3")), waiting(6, 10), waiting(2, Backfill.UNKNOWN), waiting(1, 999));
        assertThat(plan.starts().keySet()).containsExactly(1);
        assertThat(plan.starts().values()).allMatch(devices -> devices.cardinality() == 2);
    }

    @Test
    void theHeadIsPromisedItsTurnThoughNothingIsFree() {
        assertThat(plan("99", List.of(until(50, "0-3"), until(70, "4-7")), waiting(6, 1), waiting(1, 1)))
                .isEqualTo(new Plan(Map.of(), Map.of(0, NOW + 70)));
    }

    @Test
    void nobodyOvertakesWhereALeaseDoesNotSayWhenItEnds() {
        Plan plan = plan("4-7", List.of(new Running(set("0-3"), Backfill.UNKNOWN)), waiting(6, 10), waiting(1, 1));
        assertThat(plan.starts()).isEmpty();
        assertThat(plan.promises()).isEqualTo(Map.of(0, NOW));
    }

    @Test
    void nobodyOvertakesWhereALeaseTakesLongerThanItSaid() {
        assertThat(plan("4-7", List.of(until(-1, "0-3")), waiting(6, 10), waiting(1, 1))
                        .starts())
                .isEmpty();
    }

    @Test
    void requestsThatMayUseNoDeviceInCommonDoNotWaitForEachOther() {
        DeviceChoice low = new DeviceChoice(new Inventory("a2a3", List.of(0, 1, 2, 3)));
        DeviceChoice high = new DeviceChoice(new Inventory("a2a3", List.of(4, 5, 6, 7)));
        List<Waiting> queue = List.of(
                new Waiting(low, 4, 10), new Waiting(high, 4, 10), new Waiting(low, 1, 10), new Waiting(high, 1, 10));
        Plan plan = Backfill.plan(NOW, set("1-7"), List.of(new Running(set("0"), Backfill.UNKNOWN)), queue);
        assertThat(plan.starts()).isEqualTo(Map.of(1, set("4-7")));
        assertThat(plan.promises()).isEqualTo(Map.of(0, NOW, 3, NOW + 10));
    }

    @Test
    void aRequestThatTheDevicesThereAreCannotServeKeepsNothing() {
        // Devices 0 and 1 are neither free nor held: they are in quarantine.
        Plan plan = plan("2-6", List.of(until(50, "7")), waiting(8, 10), waiting(4, Backfill.UNKNOWN));
        assertThat(plan.starts()).isEqualTo(Map.of(1, set("2-5")));
        assertThat(plan.promises()).isEmpty();
    }

    private Plan plan(String free, List<Running> running, Waiting... queue) {
        return Backfill.plan(NOW, set(free), running, List.of(queue));
    }

    private Waiting waiting(int count, long expected) {
        return new Waiting(eight, count, expected);
    }

    private static Running until(long fromNow, String devices) {
        return new Running(set(devices), NOW + fromNow);
    }

    private static BitSet set(String devices) {
        BitSet bits = new BitSet();
        IntStream ids = DeviceList.parse(devices).stream().mapToInt(Integer::intValue);
        ids.forEach(bits::set);
        return bits;
    }
}
