package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectUniqueId;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;

/** Running parts of a class again by their unique ids, as build tools and IDEs do; and trees of dynamic tests. */
@Tag("ranks")
@Timeout(120)
class RealRerunTest {

    private static EngineRun run;

    @DeviceCount({1, 2})
    @Platforms("a2a3sim")
    static class Rerun {

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 3})
        void p(int value, RankContext rank) {
            rank.barrier();
        }

        @TestFactory
        Stream<DynamicNode> tree(RankContext rank) {
            return Stream.of(
                    DynamicContainer.dynamicContainer(
                            "inner",
                            IntStream.of(1, 2, 3)
                                    .mapToObj(i -> DynamicTest.dynamicTest("number " + i, () -> {
                                        rank.barrier();
                                        if (i == 2) {
                                            Runtime.getRuntime().halt(9);
                                        }
                                    }))),
                    DynamicTest.dynamicTest("last", rank::barrier));
        }
    }

    @BeforeAll
    static void runSomeAgain(@TempDir Path temp) {
        String type = "[engine:rankunit]/[class:" + Rerun.class.getName() + "]";
        run = EngineRun.filtered(
                List.of(
                        selectUniqueId(type + "/[test-template:p(int, org.rankunit.RankContext)]/[ranks:2]"
                                + "/[test-template-invocation:#3]"),
                        selectUniqueId(type + "/[test-factory:tree(org.rankunit.RankContext)]/[ranks:2]")),
                Map.of(
                        "rankunit.pool-dir", temp.resolve("pool").toString(),
                        "rankunit.output-dir", temp.resolve("out").toString()));
    }

    @Test
    void oneInvocationOfOneVariantRunsAlone() {
        assertThat(run.results(Rerun.class).stream().filter(result -> result.contains(" p(")))
                .containsExactly("SUCCESSFUL p(int, RankContext)[3] [2 ranks]");
    }

    @Test
    void everyTestInATreeOfDynamicTestsHasOneResultThoughAllRanksDiedInOne() {
        assertThat(run.results(Rerun.class).stream().filter(result -> result.contains(" tree(")))
                .containsExactly(
                        "SUCCESSFUL tree(RankContext)[1][1] [2 ranks]",
                        "FAILED tree(RankContext)[1][2] [2 ranks]",
                        "SUCCESSFUL tree(RankContext)[1][3] [2 ranks]",
                        "SUCCESSFUL tree(RankContext)[2] [2 ranks]");
    }

    @Test
    void everyContainerIsFinished() {
        assertThat(run.imbalance()).isEmpty();
    }
}
