package org.rankunit.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.discovery.SharedResources;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.site.GroupKind;
import org.rankunit.engine.site.ReservationException;

@Tag("unit")
@Timeout(30)
class ParallelismTest {

    private static final Map<Platform, Integer> DEVICES = Map.of(Platform.A2A3, 8, Platform.A2A3SIM, 16);

    @Test
    void onASimulatorAsManyRanksWorkAsThereAreCores() {
        assertThat(auto(8).mostOf(List.of(sim(4), sim(4), sim(4)))).isEqualTo(2);
        assertThat(auto(8).mostOf(List.of(sim(2), sim(2), sim(4), sim(1)))).isEqualTo(3);
    }

    @Test
    void oneGroupMayAlwaysWork() {
        assertThat(auto(2).mostOf(List.of(sim(8), sim(8)))).isEqualTo(1);
    }

    @Test
    void onHardwareTheDevicesAreTheLimit() {
        assertThat(auto(2).mostOf(List.of(npu(2), npu(2), npu(2), npu(2), npu(2))))
                .isEqualTo(4);
    }

    @Test
    void hardwareAndSimulatorDoNotTakeEachOthersRoom() {
        assertThat(auto(2).mostOf(List.of(npu(8), sim(2)))).isEqualTo(2);
    }

    @Test
    void aNumberFromTheUserReplacesThatOfTheCores() {
        assertThat(fixed(3).mostOf(List.of(sim(4), sim(4), sim(4), sim(4)))).isEqualTo(3);
    }

    @Test
    void evenThenTheDevicesAreALimit() {
        assertThat(fixed(3).mostOf(List.of(npu(8), npu(8), npu(8)))).isEqualTo(1);
    }

    @Test
    void whoHasNoRoomWaitsUntilAnotherIsDone() throws Exception {
        Parallelism parallelism = auto(2);
        Parallelism.Slot first = parallelism.enter(sim(2), () -> SharedResources.NONE);
        CompletableFuture<Parallelism.Slot> second = entering(parallelism, sim(1));
        assertThat(second).isNotDone();

        first.close();

        second.get(10, TimeUnit.SECONDS).close();
    }

    @Test
    void nobodyOvertakesAGroupThatNeedsMore() throws Exception {
        Parallelism parallelism = auto(4);
        Parallelism.Slot first = parallelism.enter(sim(2), () -> SharedResources.NONE);
        CompletableFuture<Parallelism.Slot> large = entering(parallelism, sim(4));
        CompletableFuture<Parallelism.Slot> small = entering(parallelism, sim(2));
        assertThat(List.of(large.isDone(), small.isDone())).containsOnly(false);

        first.close();

        Parallelism.Slot working = large.get(10, TimeUnit.SECONDS);
        assertThat(small).isNotDone();
        working.close();
        small.get(10, TimeUnit.SECONDS).close();
    }

    @Test
    void aShortGroupOvertakesOneThatMustWaitForLonger() throws Exception {
        Parallelism parallelism = expecting(4, Map.of(2, 60, 4, 60, 1, 30));
        Parallelism.Slot first = parallelism.enter(sim(2), () -> SharedResources.NONE);
        CompletableFuture<Parallelism.Slot> large = entering(parallelism, sim(4));

        entering(parallelism, sim(1)).get(10, TimeUnit.SECONDS).close();

        assertThat(large).isNotDone();
        first.close();
        large.get(10, TimeUnit.SECONDS).close();
    }

    @Test
    void aLongGroupOvertakesOnWhatTheFirstWillNotNeed() throws Exception {
        Parallelism parallelism = expecting(5, Map.of(3, 60, 4, 60, 1, 600));
        Parallelism.Slot first = parallelism.enter(sim(3), () -> SharedResources.NONE);
        CompletableFuture<Parallelism.Slot> large = entering(parallelism, sim(4));

        Parallelism.Slot long1 = entering(parallelism, sim(1)).get(10, TimeUnit.SECONDS);
        CompletableFuture<Parallelism.Slot> another = entering(parallelism, sim(1));

        assertThat(List.of(large.isDone(), another.isDone())).containsOnly(false);
        first.close();
        Parallelism.Slot working = large.get(10, TimeUnit.SECONDS);
        assertThat(another).isNotDone();
        working.close();
        long1.close();
        another.get(10, TimeUnit.SECONDS).close();
    }

    @Test
    void asManyRanksHaveRoomAsCanWorkTogether() {
        assertThat(auto(4).room(List.of(sim(2)))).isEqualTo(4);
        assertThat(auto(64).room(List.of(sim(2)))).isEqualTo(16);
        assertThat(auto(4).room(List.of(sim(2), npu(2)))).isEqualTo(8);
        assertThat(fixed(3).room(List.of(sim(2)))).isEqualTo(16);
    }

    @Test
    void classesThatShareWhatTheyChangeTakeTurns() throws Exception {
        Parallelism parallelism = auto(8);
        Parallelism.Slot first = parallelism.enter(sim(1), () -> changing("port"));
        CompletableFuture<Parallelism.Slot> second = entering(parallelism, sim(1), changing("port"));
        assertThat(second).isNotDone();

        first.close();

        second.get(10, TimeUnit.SECONDS).close();
    }

    @Test
    void classesThatShareNothingDoNot() throws Exception {
        Parallelism parallelism = auto(8);
        Parallelism.Slot first = parallelism.enter(sim(1), () -> changing("port"));

        entering(parallelism, sim(1), changing("file"))
                .get(10, TimeUnit.SECONDS)
                .close();
        first.close();
    }

    @Test
    void whatAClassSharesIsNotLookedForWhereItWorksAlone() {
        auto(8).enter(sim(1), () -> {
                    throw new AssertionError("looked for");
                })
                .close();
    }

    private static SharedResources changing(String key) {
        return new SharedResources(false, Set.of(key), Set.of());
    }

    @Test
    void whoIsInterruptedLeavesTheLine() throws Exception {
        Parallelism parallelism = auto(1);
        Parallelism.Slot first = parallelism.enter(sim(1), () -> SharedResources.NONE);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> parallelism.enter(sim(1), () -> SharedResources.NONE))
                .isInstanceOf(ReservationException.class);
        assertThat(Thread.interrupted()).isTrue();
        CompletableFuture<Parallelism.Slot> next = entering(parallelism, sim(1));

        first.close();

        next.get(10, TimeUnit.SECONDS).close();
    }

    /** Enter on a thread of its own; when this returns that thread has entered, or stands in the line. */
    private static CompletableFuture<Parallelism.Slot> entering(Parallelism parallelism, GroupPlan plan)
            throws InterruptedException {
        return entering(parallelism, plan, SharedResources.NONE);
    }

    private static CompletableFuture<Parallelism.Slot> entering(
            Parallelism parallelism, GroupPlan plan, SharedResources shared) throws InterruptedException {
        CompletableFuture<Parallelism.Slot> entered = new CompletableFuture<>();
        CountDownLatch begun = new CountDownLatch(1);
        Thread asking = new Thread(() -> {
            begun.countDown();
            entered.complete(parallelism.enter(plan, () -> shared));
        });
        asking.setDaemon(true);
        asking.start();
        begun.await();
        while (!entered.isDone() && asking.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        return entered;
    }

    private static Parallelism auto(int cores) {
        return expecting(cores, Map.of());
    }

    /** One that knows how many seconds groups of certain numbers of ranks are at work; its clock stands still. */
    private static Parallelism expecting(int cores, Map<Integer, Integer> seconds) {
        return new Parallelism(
                OptionalInt.empty(),
                cores,
                DEVICES,
                plan -> Optional.ofNullable(seconds.get(plan.ranks())).map(Duration::ofSeconds),
                () -> 0);
    }

    private static Parallelism fixed(int groups) {
        return new Parallelism(OptionalInt.of(groups), 2, DEVICES, plan -> Optional.empty(), () -> 0);
    }

    private static GroupPlan sim(int ranks) {
        return plan(Platform.A2A3SIM, ranks);
    }

    private static GroupPlan npu(int ranks) {
        return plan(Platform.A2A3, ranks);
    }

    private static GroupPlan plan(Platform platform, int ranks) {
        return new GroupPlan("Some", new GroupKind(platform, ranks, 0, true, ""), false, List.of());
    }
}
