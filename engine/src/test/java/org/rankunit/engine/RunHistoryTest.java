package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;
import org.rankunit.DeviceCount;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.Settings;
import org.rankunit.engine.discovery.DiscoveredTests;
import org.rankunit.engine.plan.Durations;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.plan.Planner;

@Tag("unit")
class RunHistoryTest {

    @TempDir
    Path folder;

    private final List<String> told = new ArrayList<>();
    private Path file;

    @BeforeEach
    void nameAFile() {
        file = folder.resolve("durations.json");
    }

    @DeviceCount(2)
    static class Case {

        @Test
        void test() {}
    }

    @Test
    void aRunLeavesItsDurationsForTheNext() throws IOException {
        assertThat(durationsAfter(Map.of(), true).classes()).containsOnlyKeys(Case.class.getName());
    }

    @Test
    void aRunThatWasCancelledLeavesNone() throws IOException {
        assertThat(durationsAfter(Map.of(), false)).isEqualTo(Durations.NONE);
    }

    @Test
    void aRunThatWaitedForADebuggerLeavesNone() throws IOException {
        assertThat(durationsAfter(Map.of("rankunit.debug", "0"), true)).isEqualTo(Durations.NONE);
    }

    @Test
    void aShardLeavesTheFileAloneAndKeepsItsOwn() throws IOException {
        assertThat(durationsAfter(Map.of("rankunit.shard", "1/2"), true)).isEqualTo(Durations.NONE);

        assertThat(folder.resolve("out/durations.json")).exists();
        assertThat(file).doesNotExist();
    }

    @Test
    void whatOnlyThisMachineKnowsSplitsNothing() throws IOException {
        durationsAfter(Map.of(), true);
        Settings shared = settings(Map.of());
        Settings own = settings(Map.of("rankunit.durations", "auto"));

        assertThat(new RunHistory(shared, told::add).forShards()).isNotEqualTo(Durations.NONE);
        assertThat(new RunHistory(own, told::add).forShards()).isEqualTo(Durations.NONE);
    }

    @Test
    void aShardSaysOnceWhatSplitsIt() throws IOException {
        durationsAfter(Map.of(), true);
        Map<String, String> shard = Map.of("rankunit.shard", "2/7");
        for (int i = 0; i < 2; i++) {
            assertThat(new RunHistory(settings(shard), told::add).durations()).isNotEqualTo(Durations.NONE);
        }

        assertThat(told)
                .singleElement()
                .asString()
                .startsWith("rankunit: shard 2 of 7: classes are split by " + file + ", checksum ");
    }

    /** What a next run knows after one with these parameters. */
    private Durations durationsAfter(Map<String, String> parameters, boolean complete) throws IOException {
        RunHistory history = new RunHistory(settings(parameters), text -> {});
        history.groupWorked(group(), 1_000_000);
        history.write("1.0", complete);
        return new RunHistory(settings(Map.of()), told::add).durations();
    }

    private Settings settings(Map<String, String> parameters) {
        Map<String, String> all = new HashMap<>(Map.of(
                "rankunit.durations",
                file.toString(),
                "rankunit.output-dir",
                folder.resolve("out").toString()));
        all.putAll(parameters);
        return Settings.read(key -> Optional.ofNullable(all.get(key)), all.keySet());
    }

    private GroupPlan group() {
        EngineDescriptor root = new EngineDescriptor(UniqueId.forEngine("rankunit"), "RankUnit");
        DiscoveredTests.addTo(root, Case.class);
        return new Planner(settings(Map.of()), Map.of(Platform.A2A3SIM, 2))
                .plan(root)
                .get(0)
                .groups()
                .get(0);
    }
}
