package org.rankunit.engine.cases;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.GoldenModel;
import org.rankunit.Placement;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.golden.model.ModelData;
import org.rankunit.golden.model.ModelRank;
import org.rankunit.golden.model.RankModel;

/** One test each for what is kept in the user's cache, of one rank: the process that starts it keeps these things. */
public final class CacheCases {

    private static final int ANSWER = 7;

    private CacheCases() {}

    @DeviceCount(1)
    public static class Durations {

        @Test
        void test(RankContext rank) {
            rank.barrier();
        }
    }

    @DeviceCount(1)
    @Buffer(name = "y", type = DType.INT32, count = 1, role = Buffer.Role.OUTPUT)
    @GoldenModel(Constant.class)
    public static class Model {

        @Test
        void test(RankContext rank) {
            rank.buffer("y").write(ANSWER);
        }
    }

    public static class Constant implements RankModel {

        @Override
        public void compute(ModelRank rank, ModelData data) {
            data.output("y", ANSWER);
        }
    }

    @DeviceCount(1)
    @Platforms("a2a3sim")
    @Buffer(name = "x", type = DType.INT32, count = 4, placement = Placement.DEVICE)
    public static class Kernel {

        @Test
        void test(RankContext rank) {
            rank.kernel("fill").launch(rank.buffer("x").address(), 4, ANSWER);
            assertThat(rank.buffer("x").readInts()).containsOnly(ANSWER);
        }
    }
}
