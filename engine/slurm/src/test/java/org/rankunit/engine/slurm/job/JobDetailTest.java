package org.rankunit.engine.slurm.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads what Slurm 22.05 printed. Each file is the output of scontrol show job -d for one job. */
@Tag("unit")
class JobDetailTest {

    private static final GresName NPU = GresName.parse("npu");
    private static final GresName GPU = GresName.parse("gpu");
    private static final GresName ASCEND = GresName.parse("gpu:ascend910b");

    @Test
    void nodesWithEqualSharesAreListedOneByOne() {
        assertThat(read("running", NPU).nodes())
                .containsExactly(
                        new NodeShare("node1", 4, 4, List.of(0, 1, 2, 3)),
                        new NodeShare("node2", 4, 4, List.of(0, 1, 2, 3)));
    }

    @Test
    void nodesWithDifferentSharesHaveTheirOwnDevices() {
        assertThat(read("different-shares", NPU).nodes())
                .containsExactly(
                        new NodeShare("node1", 3, 1, List.of(2)),
                        new NodeShare("node2", 3, 1, List.of(3)),
                        new NodeShare("node3", 3, 1, List.of(0)));
    }

    @Test
    void theOrderOfNodesIsThatOfTheJob() {
        String reversed = text("different-shares").replace("NodeList=node[1-3]", "NodeList=node3,node1,node2");

        assertThat(JobDetail.parse(reversed, NPU).nodes())
                .extracting(NodeShare::node)
                .containsExactly("node3", "node1", "node2");
    }

    @Test
    void stateAndEndAreThoseOfTheJob() {
        JobDetail job = read("running", NPU);

        assertThat(job.id()).isEqualTo("1");
        assertThat(job.state()).isEqualTo("RUNNING");
        assertThat(job.reason()).isEqualTo("None");
        assertThat(job.end()).contains(LocalDateTime.of(2026, 11, 25, 13, 27, 41));
        assertThat(job.batchHost()).contains("node1");
        assertThat(job.restarts()).isZero();
    }

    @Test
    void aJobWithoutATimeLimitHasNoEnd() {
        assertThat(read("several-resources", NPU).end()).isEmpty();
    }

    @Test
    void aJobThatWaitsHasNoNodes() {
        JobDetail job = read("pending", NPU);

        assertThat(job.state()).isEqualTo("PENDING");
        assertThat(job.reason()).isEqualTo("Resources");
        assertThat(job.nodes()).isEmpty();
        assertThat(job.batchHost()).isEmpty();
    }

    @Test
    void aJobThatHasEndedKeepsItsNodes() {
        JobDetail job = read("timed-out", NPU);

        assertThat(job.state()).isEqualTo("TIMEOUT");
        assertThat(job.reason()).isEqualTo("TimeLimit");
        assertThat(job.nodes())
                .containsExactly(new NodeShare("node1", 1, 0, List.of()), new NodeShare("node2", 1, 0, List.of()));
    }

    @Test
    void devicesOfATypeAreCountedByNameOrByNameAndType() {
        assertThat(read("several-types", GPU).nodes()).containsExactly(new NodeShare("node1", 1, 3, List.of(1, 2, 3)));
        assertThat(read("several-types", ASCEND).nodes()).containsExactly(new NodeShare("node1", 1, 1, List.of(1)));
    }

    @Test
    void otherResourcesOfANodeAreNotCounted() {
        List<NodeShare> npus =
                List.of(new NodeShare("node1", 1, 2, List.of(0, 1)), new NodeShare("node2", 1, 2, List.of(0, 1)));

        assertThat(read("several-resources", NPU).nodes()).isEqualTo(npus);
        assertThat(read("several-resources", GresName.parse("pu")).nodes())
                .extracting(NodeShare::devices)
                .containsOnly(0);
    }

    @Test
    void devicesWithoutFilesAreCountedWithoutIds() {
        assertThat(read("several-resources", GresName.parse("cnt")).nodes())
                .containsExactly(new NodeShare("node1", 1, 3, List.of()), new NodeShare("node2", 1, 3, List.of()));
    }

    /** Forms that the files do not have. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gpu:ascend910b:2(IDX:0,2) | 2 | 0 2",
                "gpu:ascend910b(CNT:3)     | 3 |",
                "gpu:ascend910b:2          | 2 |",
                "gpu:ascend910b:2(IDX:N/A) | 2 |",
                "gpu:a310:4(IDX:0-3)       | 0 |",
                "shard:2(IDX:0-1),gpu:ascend910b:1(IDX:3) | 1 | 3",
                "''                        | 0 |",
            })
    void theListOfANodesResourcesIsRead(String resources, int count, String ids) {
        String job = text("several-types").replaceAll("(?m) GRES=gpu.*$", " GRES=" + resources);

        NodeShare share = JobDetail.parse(job, ASCEND).nodes().get(0);

        assertThat(share.devices()).isEqualTo(count);
        assertThat(share.deviceIds().stream().map(String::valueOf).toList())
                .isEqualTo(ids == null ? List.of() : List.of(ids.split(" ")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"npu:4(IDX:0-2)", "npu:4(IDX:x)", "npu:4(0-3)", "npu:4(IDX:0-3"})
    void resourcesThatContradictThemselvesAreRefused(String resources) {
        String job = text("running").replace("npu:4(IDX:0-3)", resources);

        assertThatIllegalArgumentException().isThrownBy(() -> JobDetail.parse(job, NPU));
    }

    @Test
    void theNameOfAJobMayLookLikeFields() {
        JobDetail job = read("name-with-fields", NPU);

        assertThat(job.state()).isEqualTo("RUNNING");
        assertThat(job.nodes())
                .containsExactly(
                        new NodeShare("node2", 6, 3, List.of(4, 5, 6)), new NodeShare("node3", 6, 3, List.of(0, 1, 2)));
    }

    @Test
    void aNameThatLooksLikeLinesIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("name-with-lines", NPU))
                .withMessageContaining("2 lines");
    }

    @Test
    void severalJobsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("heterogeneous", NPU))
                .withMessageContaining("2 lines");
    }

    @Test
    void theFormWithOneLineIsRefused() {
        String oneLine = text("running").replaceAll("\n *", " ");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobDetail.parse(oneLine, NPU))
                .withMessageContaining("no line has the form");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "slurm_load_jobs error: Invalid job id specified\n"})
    void whatIsNoJobIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobDetail.parse(text, NPU))
                .withMessageContaining("JobId=");
    }

    @Test
    void aRunningJobWithoutDetailsIsRefused() {
        String withoutDetails = text("running").replaceAll("(?m)^ {5}Nodes=.*\n", "");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobDetail.parse(withoutDetails, NPU))
                .withMessageContaining("node[1-2]");
    }

    @Test
    void timesInAnotherFormNameTheVariableThatChangesThem() {
        String job = text("running").replace("EndTime=2026-11-25T13:27:41", "EndTime=1795612646");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobDetail.parse(job, NPU))
                .withMessageContaining("SLURM_TIME_FORMAT");
    }

    private static JobDetail read(String file, GresName gres) {
        return JobDetail.parse(text(file), gres);
    }

    private static String text(String file) {
        try (InputStream in = JobDetailTest.class.getResourceAsStream(file + ".txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
