package org.rankunit.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.Values;
import org.rankunit.collective.call.Reduction;
import org.rankunit.distributed.Distributed;
import org.rankunit.distributed.GroupTensor;
import org.rankunit.distributed.ProcessGroup;
import org.rankunit.distributed.Verdict;
import org.rankunit.distributed.pe.config.CclConfig;
import org.rankunit.distributed.pe.config.MachineConfig;

/**
 * All-reduce on processing elements: one entry, driven by {@code ccl.yaml} and {@code topology.yaml}. A device is a package (SIP) of the
 * machine; its processing elements are lanes of the rank.
 */
@Tag("downstream")
@Platforms({"a2a3sim", "a5sim"})
class AllReduceBenchTest {

    private static final MachineConfig MACHINE = MachineConfig.read(resource("/topology.yaml"));
    private static final CclConfig CCL = CclConfig.read(resource("/ccl.yaml"));

    private static Path resource(String name) {
        try {
            return Path.of(Objects.requireNonNull(AllReduceBenchTest.class.getResource(name))
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What every process does: member r has r + 1 everywhere, and so the sum is that of 1 to n. */
    private static void worker(ProcessGroup dist, String algorithm, DType type, int nElem, double tolerance) {
        int n = dist.worldSize();
        GroupTensor tensor = dist.zeros(type, nElem);
        tensor.copyFrom(shards(type, n, nElem));
        dist.allReduce(tensor);
        dist.barrier();
        Verdict verdict = Verdict.of(algorithm, tensor, n * (n + 1) / 2.0, tolerance);
        if (dist.getRank() == 0) {
            System.out.println(verdict.line());
        }
        verdict.requireAllOk();
    }

    private static Values shards(DType type, int worldSize, int nElem) {
        float[] data = new float[worldSize * nElem];
        for (int i = 0; i < data.length; i++) {
            data[i] = 1f + Math.floorDiv(i, nElem);
        }
        return Values.rounded(type, data);
    }

    @Nested
    @DeviceCount(1)
    class OnOnePackage {

        @ParameterizedTest
        @CsvSource({
            "ring_allreduce_tcm, 8",
            "ring_allreduce_hbm, 8",
            "ring_allreduce_sram, 8",
            "ring_allreduce_tcm, 16",
            "ring_allreduce_sram, 16",
            "mesh_allreduce_4, 4",
            "tree_allreduce_7, 7"
        })
        void everyShardIsTheSum(String algorithm, int worldSize, RankContext rank) {
            CclConfig.Entry entry = CCL.named(algorithm);
            try (ProcessGroup dist = Distributed.initProcessGroup(rank, MACHINE, entry, worldSize)) {
                worker(dist, algorithm, DType.FLOAT16, entry.nElem(), 1e-1);
                worker(dist, algorithm, DType.FLOAT32, entry.nElem(), 0);
            }
        }
    }

    @Nested
    @DeviceCount(2)
    class OnTwoPackages {

        @ParameterizedTest
        @CsvSource({"ring_allreduce_tcm, 256", "mesh_allreduce_4, 256", "tree_allreduce_7, 160"})
        void everyShardIsTheSum(String algorithm, int worldSize, RankContext rank) {
            CclConfig.Entry entry = CCL.named(algorithm);
            try (ProcessGroup dist = Distributed.initProcessGroup(rank, MACHINE, entry, worldSize)) {
                int ofOne = worldSize / 2;
                assertThat(dist.getRank()).isEqualTo(rank.rank() * ofOne);
                assertThat(dist.localRanks()).hasSizeLessThanOrEqualTo(ofOne).contains(dist.getRank());
                // Two members of the second package.
                ProcessGroup second = dist.newGroup(List.of(ofOne + 1, ofOne));
                assertThat(second.getRank()).isEqualTo(rank.rank() == 0 ? -1 : 0);
                assertThat(second.localRanks()).isEqualTo(rank.rank() == 0 ? List.of() : List.of(0, 1));
                worker(dist, algorithm, DType.FLOAT32, entry.nElem(), 0);
            }
        }

        /** The modelled time is that of one process with both packages. */
        @Test
        void theModelledTimeDoesNotDependOnWhereLanesRun(RankContext rank) {
            CclConfig.Entry entry = CCL.named("ring_allreduce_tcm");
            double expected;
            try (ProcessGroup dist = Distributed.initProcessGroup(MACHINE, entry, 256)) {
                expected = modelled(dist);
            }
            try (ProcessGroup dist = Distributed.initProcessGroup(rank, MACHINE, entry, 256)) {
                assertThat(modelled(dist)).isEqualTo(expected);
            }
        }

        private double modelled(ProcessGroup dist) {
            GroupTensor tensor = dist.zeros(DType.FLOAT32, 32);
            return dist.allReduceAsync(tensor, Reduction.SUM)
                    .modelledNanoseconds()
                    .orElseThrow();
        }
    }
}
