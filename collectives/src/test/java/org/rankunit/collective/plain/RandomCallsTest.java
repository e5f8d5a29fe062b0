package org.rankunit.collective.plain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DType;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.algorithms.BuiltinAlgorithms;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.call.Reduction;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.verify.Verifier;

/** What is verified also runs: random calls of all algorithms on real data, streams in random order. */
@Tag("unit")
class RandomCallsTest {

    /** {@code -Dcollectives.cases=20000} in the long form. */
    private static final int CASES = Integer.getInteger("collectives.cases", 1000);

    private static CollectiveCall random(CollectiveAlgorithm algorithm, Random random) {
        int ranks = 1 + random.nextInt(16);
        CollectiveCall call = CollectiveCall.of(algorithm.collective(), ranks, DType.INT32, random.nextInt(40));
        if (call.collective().hasRoot()) {
            call = call.withRoot(random.nextInt(ranks));
        }
        if (call.collective().reduces()) {
            call = call.withReduction(List.of(Reduction.values()).get(random.nextInt(4)));
        }
        if (call.collective().hasCounts() && random.nextInt(3) == 0) {
            call = call.withCounts(Stream.generate(() -> (long) random.nextInt(6))
                    .limit(counts(call))
                    .toList());
        }
        call = call.withMemory(random.nextBoolean() ? MemoryMode.SINGLE_OPERATOR : MemoryMode.WINDOWS, 1 << 14);
        return random.nextInt(4) == 0 ? call.withRanksPerServer(1 + random.nextInt(ranks)) : call;
    }

    private static int counts(CollectiveCall call) {
        return switch (call.collective()) {
            case ALL_TO_ALL, SEND_RECV -> call.ranks() * call.ranks();
            default -> call.ranks();
        };
    }

    @Test
    void executionAndVerifierAgree() {
        List<CollectiveAlgorithm> algorithms = BuiltinAlgorithms.all();
        Random random = new Random(42);
        int run = 0;
        while (run < CASES) {
            CollectiveAlgorithm algorithm = algorithms.get(random.nextInt(algorithms.size()));
            CollectiveCall call = random(algorithm, random);
            if (algorithm.unsupportedReason(call).isPresent()) {
                continue;
            }
            Schedule schedule = Schedule.of(algorithm, call);
            String name = algorithm.name() + ", " + call;

            assertThat(Verifier.verify(schedule).findings()).as(name).isEmpty();
            assertThat(PlainRun.problemOf(schedule, run)).as(name).isNull();
            run++;
        }
    }
}
