package org.rankunit.engine.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Pointer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.GoldenFiles;
import org.rankunit.GoldenModel;
import org.rankunit.Nodes;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.Values;
import org.rankunit.golden.model.ModelData;
import org.rankunit.golden.model.ModelRank;
import org.rankunit.golden.model.RankModel;

/** Tests whose ranks need files, or leave some, and do not see those of the launcher. */
public final class NodeFileCases {

    private NodeFileCases() {}

    /** The output of each rank is twice its input. */
    public static final class Twice implements RankModel {

        @Override
        public void compute(ModelRank rank, ModelData data) {
            data.input("input", rank.rank() + 1, 10);
            data.output("output", 2 * rank.rank() + 2, 20);
        }
    }

    /** On two nodes. */
    @DeviceCount(2)
    @Nodes(2)
    @Platforms("a2a3")
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    public static class OnTwoNodes {

        @Test
        @Order(1)
        void classesAreCopies(RankContext rank) throws Exception {
            for (Class<?> type : List.of(NodeFileCases.class, RankContext.class, Test.class)) {
                Path place = Path.of(
                        type.getProtectionDomain().getCodeSource().getLocation().toURI());
                Notes.add("class " + place);
            }
            Notes.add("here " + Path.of("").toAbsolutePath());
            rank.barrier();
        }

        @Test
        @Order(2)
        void valuesAreGathered(RankContext rank) {
            List<Values> all = rank.allGather(Values.int32(rank.rank(), 7));

            assertThat(all).extracting(values -> values.toInts()[0]).containsExactly(0, 1);
        }

        @Test
        @Order(3)
        @Buffer(name = "input", type = DType.INT32, count = 2, role = Buffer.Role.INPUT)
        @Buffer(name = "output", type = DType.INT32, count = 2, role = Buffer.Role.OUTPUT)
        @GoldenModel(Twice.class)
        void outputsAreRight(RankContext rank) {
            twice(rank, 0);
        }

        @Test
        @Order(4)
        @Buffer(name = "input", type = DType.INT32, count = 2, role = Buffer.Role.INPUT)
        @Buffer(name = "output", type = DType.INT32, count = 2, role = Buffer.Role.OUTPUT)
        @GoldenFiles("golden")
        void anOutputIsWrong(RankContext rank) {
            twice(rank, rank.rank());
        }

        private static void twice(RankContext rank, int mistake) {
            int[] values = rank.buffer("input").readInts();
            rank.buffer("output").write(2 * values[0] + mistake, 2 * values[1]);
            rank.barrier();
        }

        @Test
        @Order(5)
        void oneCrashes(RankContext rank) {
            if (rank.rank() == 1) {
                new Pointer(8).setInt(0, 1);
            }
            rank.barrier();
        }
    }
}
