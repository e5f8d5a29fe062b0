package org.rankunit.engine.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;
import org.rankunit.DeviceCount;
import org.rankunit.engine.compile.BuiltKernels;
import org.rankunit.engine.compile.ClassPathKernels;
import org.rankunit.engine.compile.CompiledKernels;
import org.rankunit.engine.config.KernelSettings;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.SessionTime;
import org.rankunit.engine.config.Settings;
import org.rankunit.engine.discovery.DiscoveredTests;
import org.rankunit.engine.group.GroupPhases;
import org.rankunit.engine.group.GroupSpec;
import org.rankunit.engine.group.RankGroup;
import org.rankunit.engine.launch.PlayedLauncher;
import org.rankunit.engine.launch.PlayedLauncher.Script;
import org.rankunit.engine.launch.PlayedLauncher.Voice;
import org.rankunit.engine.launch.PlayedProcess.News;
import org.rankunit.engine.launch.SessionFolder;
import org.rankunit.engine.lockstep.TimeLimits;
import org.rankunit.engine.merge.outcome.TestResult;
import org.rankunit.engine.merge.outcome.Verdict;
import org.rankunit.engine.plan.ClassPlan;
import org.rankunit.engine.plan.Planner;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.Failure;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.RankOutcome;
import org.rankunit.engine.protocol.TestSelection;
import org.rankunit.engine.protocol.ToRank;
import org.rankunit.engine.schedule.Leases;
import org.rankunit.pool.DevicePool;
import org.rankunit.pool.LeaseRequest;
import org.rankunit.pool.PoolConfig;
import org.rankunit.pool.inventory.Inventory;

/** A group on two nodes, whose clocks have nothing to do with each other. Ranks 0 and 1 are on node a, 2 and 3 on node b. */
@Tag("ranks")
@Timeout(60)
class AcrossNodesTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final long CLOCK_OF_B = -TimeUnit.DAYS.toNanos(3);

    @DeviceCount(4)
    static class OnFour {

        @Test
        void m() {}
    }

    @TempDir
    private Path folder = Path.of("");

    private final Told told = new Told();
    private final List<TestResult> results = new ArrayList<>();
    private final List<String> order = new CopyOnWriteArrayList<>();
    private final Map<Integer, Script> scripts = new HashMap<>();
    private GroupMerge merge;
    private ClassPlan plan;
    private String test = "";

    @BeforeEach
    void plan() {
        EngineDescriptor root = new EngineDescriptor(UniqueId.forEngine("rankunit"), "RankUnit");
        DiscoveredTests.addTo(root, OnFour.class);
        plan = new Planner(Settings.read(key -> Optional.empty(), Set.of()), Map.of(Platform.A2A3SIM, 16))
                .plan(root)
                .get(0);
        merge = new GroupMerge(
                plan.groups().get(0),
                new ClassTree(plan, told),
                new Results(told, results::add, output -> {}),
                () -> false,
                avoided -> Optional.empty());
        test = merge.remaining().get(0).uniqueId();
    }

    @Test
    void theFailureThatWasHeardFirstLeadsThoughTheClockOfAnotherNodeSaysOtherwise() throws Exception {
        scripts.put(0, this::isReleased);
        scripts.put(1, voice -> {
            enter(voice);
            fails(voice, "first", 0);
            end(voice);
        });
        // By the clock of b this was three days before.
        scripts.put(2, voice -> {
            enter(voice);
            voice.hear(ToRank.Release.class);
            fails(voice, "second", CLOCK_OF_B);
            end(voice);
        });
        scripts.put(3, this::isReleased);

        assertThat(messageOf(News.AT_ONCE))
                .contains("failed on ranks 1, 2 (a, b)\n\n  rank 1: first\n  rank 2: second\n")
                .contains("log of rank 1");
    }

    @Test
    void onOneNodeItsOwnClockSaysWhichFailureLeads() throws Exception {
        scripts.put(0, this::isReleased);
        scripts.put(1, this::isReleased);
        scripts.put(2, voice -> {
            enter(voice);
            fails(voice, "heard first", CLOCK_OF_B);
            end(voice);
        });
        scripts.put(3, voice -> {
            enter(voice);
            voice.hear(ToRank.Release.class);
            fails(voice, "was first", CLOCK_OF_B - LONG.toNanos());
            end(voice);
        });

        assertThat(messageOf(News.AT_ONCE)).contains("\n\n  rank 3: was first\n  rank 2: heard first\n");
    }

    @Test
    void aResultHasTheNodeOfEachDevice() throws Exception {
        allPass();

        assertThat(run(News.AT_ONCE)).isTrue();
        assertThat(results)
                .singleElement()
                .satisfies(result -> assertThat(result.devices())
                        .containsExactly(
                                new DeviceRef("a", 0),
                                new DeviceRef("a", 1),
                                new DeviceRef("b", 2),
                                new DeviceRef("b", 3)));
    }

    @Test
    void howLongATestTookIsNotReckonedFromTheClockOfAnotherNode() throws Exception {
        allPass();

        assertThat(run(News.AT_ONCE)).isTrue();
        assertThat(results).singleElement().satisfies(result -> {
            assertThat(result.verdict()).isEqualTo(new Verdict.Passed());
            assertThat(result.ends().values())
                    .allSatisfy(end ->
                            assertThat(end.heardNanos() - end.endedNanos()).isBetween(0L, LONG.toNanos()));
        });
    }

    @Test
    void aRankIsDeadOnceItsChannelHasEndedAndTheOthersAreServedMeanwhile() throws Exception {
        for (int rank = 0; rank < 3; rank++) {
            scripts.put(rank, this::isReleased);
        }
        scripts.put(3, this::dies);

        assertThat(messageOf(News.NEVER))
                .contains(
                        "failed on rank 3 (b)\n\n  its process on device 3 of node b closed its control channel and was ended");
        // The end of the process was never confirmed: had anybody waited for that, the others would have come later.
        assertThat(order).hasSize(4).last().isEqualTo("3 Died");
    }

    @Test
    void howTheProcessEndedIsToldByALauncherThatHasToBeAsked() throws Exception {
        for (int rank = 0; rank < 3; rank++) {
            scripts.put(rank, this::isReleased);
        }
        scripts.put(3, this::dies);

        assertThat(messageOf(News.WHEN_ASKED))
                .contains("its process on device 3 of node b was killed by SIGKILL (exit code 137)");
    }

    private void allPass() {
        for (int rank = 0; rank < 4; rank++) {
            long clock = rank < 2 ? 0 : -CLOCK_OF_B;
            scripts.put(rank, voice -> {
                enter(voice);
                voice.say(new FromRank.Ended(test, new RankOutcome.Passed(), List.of(), System.nanoTime() + clock, 0));
                voice.say(new FromRank.RunEnded());
            });
        }
    }

    private void enter(Voice voice) throws IOException {
        voice.say(new FromRank.Entering(test, 0));
        assertThat(voice.hear(ToRank.Enter.class).run()).isTrue();
        voice.say(new FromRank.Started(test));
    }

    private void fails(Voice voice, String message, long clock) throws IOException {
        voice.say(new FromRank.Ended(
                test, new RankOutcome.Failed(failure(message)), List.of(), System.nanoTime() + clock, 0));
    }

    private static void end(Voice voice) throws IOException {
        voice.say(new FromRank.RunEnded());
    }

    private void isReleased(Voice voice) throws IOException {
        enter(voice);
        int because = voice.hear(ToRank.Release.class).failedRank();
        voice.say(new FromRank.Ended(
                test, new RankOutcome.Released(because, failure("aborted")), List.of(), System.nanoTime(), 0));
        end(voice);
    }

    private void dies(Voice voice) throws IOException {
        enter(voice);
        voice.die();
    }

    private static Failure failure(String message) {
        return new Failure("java.lang.AssertionError", message, true, null, null, List.of(), null, List.of());
    }

    private String messageOf(News news) throws Exception {
        assertThat(run(news)).isFalse();
        assertThat(results).hasSize(1);
        assertThat(results.get(0).verdict()).isInstanceOf(Verdict.Failed.class);
        return String.valueOf(
                ((Verdict.Failed) results.get(0).verdict()).cause().getMessage());
    }

    /** Run the test on a group of played ranks, and merge what they say. */
    private boolean run(News news) throws Exception {
        PlayedLauncher launcher = new PlayedLauncher(folder, rank -> rank < 2 ? "a" : "b", news, scripts);
        DevicePool pool =
                DevicePool.open(PoolConfig.defaults().in(folder.resolve("pool")).with(Inventory.ofFirst(4, "a2a3sim")));
        boolean clean;
        try (SessionFolder session = SessionFolder.create();
                RankGroup group = RankGroup.start(
                        Leases.of(pool.lease(new LeaseRequest("a2a3sim", 4, "AcrossNodesTest"), LONG)),
                        spec(launcher, session),
                        plan.groups().get(0).kind(),
                        BuiltKernels.NONE,
                        1,
                        GroupPhases.KEPT)) {
            assertThat(group.devices()).extracting("node").containsExactly("a", "a", "b", "b");
            merge.begin(new GroupHooks(
                    1, group.devices(), group.logFiles(), group.takePhases(), () -> List.of("", "", "", "")));
            List<TestSelection> tests = merge.remaining();
            clean = group.run(tests, new Ordered(merge, order));
            merge.end();
        }
        assertThat(launcher.broken()).isEmpty();
        return clean;
    }

    private static GroupSpec spec(PlayedLauncher launcher, SessionFolder session) {
        return new GroupSpec(
                launcher,
                session,
                "none",
                Map.of(),
                new CompiledKernels(
                        new KernelSettings(Path.of("/"), List.of(), List.of("none"), List.of(), false, LONG),
                        new ClassPathKernels(List.of(), AcrossNodesTest.class.getClassLoader()),
                        Path.of("/none"),
                        SessionTime.begin(Optional.empty()),
                        line -> {}),
                Optional.empty(),
                0,
                new TimeLimits(LONG, LONG, LONG, LONG, SessionTime.begin(Optional.empty()), false),
                new TreeMap<>(),
                Set.of(),
                LONG,
                Map.of(),
                Map.of(),
                false,
                0,
                false,
                false,
                Optional.empty(),
                false);
    }
}
