package org.rankunit.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.distributed.pe.config.CclConfig;
import org.rankunit.distributed.pe.config.MachineConfig;
import org.rankunit.distributed.pe.machine.Costs;

/** The examples of docs/process-groups.md are read, compile and work. */
@Tag("unit")
class DocumentedKernelTest {

    private static String page() throws IOException {
        return Files.readString(Path.of("../docs/process-groups.md"));
    }

    /** The n-th block of YAML. */
    private static String yaml(int number) throws IOException {
        return List.of(page().split("```yaml\n", -1)).get(number + 1).split("```", -1)[0];
    }

    @Test
    void theKernelIsTheDocumentedOne() throws IOException {
        String source = code(Files.readString(Path.of("src/test/java/org/rankunit/distributed/PassEast.java")));
        assertThat(code(page())).contains(source.substring(source.indexOf("publicfinalclass")));
    }

    private static String code(String text) {
        return text.lines()
                .map(line -> line.replaceAll("//.*", "").replaceAll("\\s", ""))
                .collect(Collectors.joining());
    }

    @Test
    void theMachineHasTheDocumentedDefaults() throws IOException {
        MachineConfig machine = MachineConfig.parse("topology.yaml", yaml(0));
        assertThat(machine.costs()).isEqualTo(Costs.assumed());
        assertThat(machine.shape().pes()).isEqualTo(256);
    }

    @Test
    void theKernelRunsOnTheDocumentedMachine() throws IOException {
        String ccl = yaml(1).replace("org.rankunit.distributed.pe.algorithms.RingAllReduce", PassEast.class.getName());
        CclConfig config = CclConfig.parse("ccl.yaml", ccl);
        MachineConfig machine = MachineConfig.parse("topology.yaml", yaml(0));
        try (ProcessGroup dist = Distributed.initProcessGroup(machine, config, "ring_allreduce_tcm")) {
            GroupTensor tensor = dist.zeros(DType.INT32, 1);
            tensor.copyFrom(Values.int32(1, 2, 3, 4, 5, 6, 7, 8));
            dist.allReduce(tensor);
            assertThat(tensor.read()).isEqualTo(Values.int32(9, 3, 5, 7, 9, 11, 13, 15));
        }
    }
}
