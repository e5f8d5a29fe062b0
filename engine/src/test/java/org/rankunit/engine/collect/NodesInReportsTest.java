package org.rankunit.engine.collect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;
import org.rankunit.DeviceCount;
import org.rankunit.engine.ReportSchema;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.Settings;
import org.rankunit.engine.discovery.DiscoveredTests;
import org.rankunit.engine.group.GroupPhases;
import org.rankunit.engine.merge.outcome.TestResult;
import org.rankunit.engine.merge.outcome.Verdict;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.plan.Planner;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.report.RunClock;
import org.rankunit.engine.report.RunReport;
import org.rankunit.engine.report.html.HtmlReport;
import org.rankunit.engine.report.json.JsonReport;

/** What a report says of nodes, from what happened to what is in the file. */
@Tag("unit")
class NodesInReportsTest {

    private static final List<DeviceRef> HERE = List.of(DeviceRef.here(0), DeviceRef.here(1));
    private static final List<DeviceRef> THERE = List.of(new DeviceRef("node1", 0), new DeviceRef("node2", 0));

    @TempDir
    private Path folder = Path.of("");

    private final RunClock clock = RunClock.start();
    private final OccupancyCollector occupancy = new OccupancyCollector(clock, (group, nanos) -> {});
    private GroupPlan plan;

    @DeviceCount(2)
    static class Case {

        @Test
        void m() {}
    }

    @BeforeEach
    void plan() {
        EngineDescriptor root = new EngineDescriptor(UniqueId.forEngine("rankunit"), "RankUnit");
        DiscoveredTests.addTo(root, Case.class);
        plan = new Planner(Settings.read(key -> Optional.empty(), Set.of()), Map.of(Platform.A2A3SIM, 2))
                .plan(root)
                .get(0)
                .groups()
                .get(0);
    }

    @Test
    void ranksTestsAndGroupsSayOnWhichNodesTheyWere() throws IOException {
        JsonNode report = new ObjectMapper().readTree(Files.readString(reportOf(THERE)));

        JsonNode test = report.path("tests").path(0);
        assertThat(test.path("nodes").toString()).isEqualTo("[\"node1\",\"node2\"]");
        assertThat(test.path("devices").toString()).isEqualTo("[0,0]");
        assertThat(test.path("ranks").findValuesAsText("node")).containsExactly("node1", "node2");
        JsonNode group = report.path("executions").path(0).path("groups").path(0);
        assertThat(group.path("nodes").toString()).isEqualTo("[\"node1\",\"node2\"]");
        assertThat(group.path("devices").toString()).isEqualTo("[0,0]");
    }

    @Test
    void onOneMachineNothingIsSaidOfNodes() throws IOException {
        assertThat(reportOf(HERE)).content().doesNotContain("\"node");
    }

    @Test
    void reportsWithAndWithoutNodesFollowTheSchema() throws IOException {
        assertThat(ReportSchema.violations(reportOf(THERE))).isEmpty();
        assertThat(ReportSchema.violations(reportOf(HERE))).isEmpty();
    }

    @Test
    void nodesAreReadBackAndKeptInCopies() throws IOException {
        RunReport read = new JsonReport().read(reportOf(THERE));

        RunReport.TestEntry copy = read.tests().get(0).as(2, 3).withPaths(path -> "moved/" + path);
        assertThat(copy.places()).isEqualTo(THERE);
        assertThat(copy.ranks()).extracting(RunReport.RankEntry::node).containsExactly("node1", "node2");
        assertThat(read.executions().get(0).groups().get(0).nodes()).containsExactly("node1", "node2");
    }

    @Test
    void reportsFromBeforeThereWereNodesCanBeRead() throws IOException {
        RunReport read = new JsonReport().read(reportOf(HERE));

        assertThat(read.tests().get(0).places()).isEqualTo(HERE);
        assertThat(read.tests().get(0).ranks())
                .extracting(RunReport.RankEntry::node)
                .containsOnlyNulls();
        assertThat(read.executions().get(0).groups().get(0).nodes()).isEmpty();
    }

    @Test
    void aGroupHasTheDevicesThatItsRanksFound() {
        List<DeviceRef> found = List.of(new DeviceRef("node1", 6), new DeviceRef("node2", 7));
        occupancy.leased(1, plan, THERE, System.nanoTime());
        occupancy.leased(2, plan, THERE, System.nanoTime());

        occupancy.up(1, found);

        assertThat(occupancy.execution().groups())
                .extracting(RunReport.GroupUse::devices)
                .containsExactly(List.of(6, 7), List.of(0, 0));
    }

    @Test
    void thePageHasTheNamesOfTheNodes() throws IOException {
        Path page = folder.resolve("index.html");
        new HtmlReport().write(report(THERE), page);

        assertThat(page).content().contains("\"node1\"", "\"node2\"");
    }

    private Path reportOf(List<DeviceRef> devices) throws IOException {
        Path file = folder.resolve("report-of-" + devices.get(0).node() + ".json");
        new JsonReport().write(report(devices), file);
        return file;
    }

    /** A report of one test that passed on a group with these devices. */
    private RunReport report(List<DeviceRef> devices) {
        ReportCollector results = new ReportCollector(folder, clock);
        results.add(new TestResult(
                plan.tests().get(0).node(),
                2,
                "a2a3sim",
                devices,
                1,
                new Verdict.Passed(),
                new TreeMap<>(),
                List.of(folder.resolve("0.log"), folder.resolve("1.log")),
                GroupPhases.KEPT,
                1_000,
                0,
                "",
                Optional.empty(),
                Optional.empty(),
                List.of(),
                "",
                OptionalLong.empty(),
                List.of()));
        results.groupEnded(1, 1_000);
        occupancy.leased(1, plan, devices, System.nanoTime());
        occupancy.up(1, devices);
        return new RunReport(
                RunReport.SCHEMA_VERSION,
                "1.0",
                "a run",
                "auto",
                "a JVM",
                "2026-11-23T10:00:09Z",
                List.of(occupancy.execution()),
                results.entries(),
                List.of());
    }
}
