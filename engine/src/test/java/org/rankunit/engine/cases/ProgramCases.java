package org.rankunit.engine.cases;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.DeviceRuntime;
import org.rankunit.Placement;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.ShakeSchedule;
import org.rankunit.ShakeStrategy;
import org.rankunit.Window;
import org.rankunit.engine.check.program.Generator;
import org.rankunit.engine.check.program.RankRun;

/** Random programs; the configuration parameter "programs.of.N" has the seeds of those for N ranks. */
public final class ProgramCases {

    /** How often a program runs that runs more than once. */
    public static final int RUNS = 20;

    private ProgramCases() {}

    /** The seeds of the programs for as many ranks as a class has. */
    static final class Seeds implements ArgumentsProvider {

        @Override
        public Stream<? extends Arguments> provideArguments(ExtensionContext context) {
            int ranks = context.getRequiredTestClass()
                    .getAnnotation(DeviceCount.class)
                    .value()[0];
            String seeds =
                    context.getConfigurationParameter("programs.of." + ranks).orElseThrow();
            return Arrays.stream(seeds.split(",")).map(Long::valueOf).map(Arguments::of);
        }
    }

    @Platforms("a2a3sim")
    @DeviceRuntime("host_build_graph")
    @Window(syncPrefix = 1024)
    @Buffer(name = RankRun.BUFFERS, type = DType.INT32, count = 64, placement = Placement.WINDOW)
    abstract static class Programs {

        static RankRun prepared(long seed, RankContext rank) {
            return new RankRun(rank, Generator.program(Generator.random(seed)));
        }
    }

    /** Runs each once. */
    abstract static class Once extends Programs {

        @ParameterizedTest
        @ArgumentsSource(Seeds.class)
        void program(long seed, RankContext rank) {
            try (RankRun run = prepared(seed, rank)) {
                run.run();
            }
        }
    }

    /** Prints the results of each. */
    abstract static class Often extends Programs {

        private static void print(String how, long seed, RankContext rank) {
            try (RankRun run = prepared(seed, rank)) {
                run.run();
                System.out.println(how + " program " + seed + " rank " + rank.rank() + " " + run.result());
            }
        }

        @ParameterizedTest
        @ArgumentsSource(Seeds.class)
        void asTheyCome(long seed, RankContext rank) {
            for (int i = 0; i < RUNS; i++) {
                print("as it comes", seed, rank);
            }
        }

        @ParameterizedTest
        @ArgumentsSource(Seeds.class)
        @ShakeSchedule(seeds = RUNS)
        void random(long seed, RankContext rank) {
            print("random", seed, rank);
        }

        @ParameterizedTest
        @ArgumentsSource(Seeds.class)
        @ShakeSchedule(seeds = RUNS, strategy = ShakeStrategy.PCT)
        void pct(long seed, RankContext rank) {
            print("pct", seed, rank);
        }
    }

    @DeviceCount(2)
    public static class OnceOnTwoRanks extends Once {}

    @DeviceCount(3)
    public static class OnceOnThreeRanks extends Once {}

    @DeviceCount(2)
    public static class OftenOnTwoRanks extends Often {}

    @DeviceCount(3)
    public static class OftenOnThreeRanks extends Often {}
}
