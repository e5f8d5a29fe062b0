package org.rankunit.engine.cases;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.Placement;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.golden.model.GoldenModel;
import org.rankunit.golden.model.ModelData;
import org.rankunit.golden.model.ModelRank;
import org.rankunit.golden.model.RankModel;

/** One test each for what is kept in the user's cache. */
public final class CacheCases {

    private CacheCases() {}

    @DeviceCount(2)
    public static class Durations {

        @Test
        void test(RankContext rank) {
            rank.barrier();
        }
    }

    @DeviceCount(2)
    @Buffer(name = "y", type = DType.INT32, count = 1, role = Buffer.Role.OUTPUT)
    @GoldenModel(RankNumber.class)
    public static class Model {

        @Test
        void test(RankContext rank) {
            rank.buffer("y").write(rank.rank());
        }
    }

    public static class RankNumber implements RankModel {

        @Override
        public void compute(ModelRank rank, ModelData data) {
            data.output("y", rank.rank());
        }
    }

    @DeviceCount(2)
    @Platforms("a2a3sim")
    @Buffer(name = "x", type = DType.INT32, count = 4, placement = Placement.DEVICE)
    public static class Kernel {

        @Test
        void test(RankContext rank) {
            rank.kernel("fill").launch(rank.buffer("x").address(), 4, 7L + rank.rank());
            assertThat(rank.buffer("x").readInts()).containsOnly(7 + rank.rank());
        }
    }
}
