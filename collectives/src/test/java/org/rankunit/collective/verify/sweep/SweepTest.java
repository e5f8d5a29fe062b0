package org.rankunit.collective.verify.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.rankunit.collective.assertions.CollectiveAssertions.assertThatCollective;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.opentest4j.AssertionFailedError;
import org.rankunit.DType;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.algorithms.BuiltinAlgorithms;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.call.Reduction;
import org.rankunit.collective.call.Servers;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.TooManyTasksException;
import org.rankunit.collective.verify.Verifier;
import org.rankunit.collective.verify.finding.Promise;

/** Algorithms that are wrong for some calls alone, and what is said of calls. */
@Tag("unit")
class SweepTest {

    private static final List<Integer> RANKS = Sweep.ranks(2, 16);

    /** An algorithm that forgets all its tasks for some calls. */
    private record WrongFor(CollectiveAlgorithm right, Predicate<CollectiveCall> calls) implements CollectiveAlgorithm {

        @Override
        public Collective collective() {
            return right.collective();
        }

        @Override
        public Optional<String> unsupportedReason(CollectiveCall call) {
            return right.unsupportedReason(call);
        }

        @Override
        public Resources resources(CollectiveCall call, int rank) {
            return right.resources(call, rank);
        }

        @Override
        public void orchestrate(Orchestration rank) {
            if (!calls.test(rank.call())) {
                right.orchestrate(rank);
            }
        }
    }

    private static CollectiveAlgorithm named(String name) {
        return BuiltinAlgorithms.all().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static long bytes(CollectiveCall call) {
        return Math.max(call.inputBytes(0), call.outputBytes(0));
    }

    private static int servers(CollectiveCall call) {
        return call.servers().count();
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                mistake("float64", "RingAllReduce", call -> call.type() == DType.FLOAT64 && call.count() > 0),
                mistake("one byte", "RingAllReduce", call -> call.elementBytes() == 1 && call.count() > 0),
                mistake("bool", "RingAllGather", call -> call.type() == DType.BOOL && call.count() > 0),
                mistake("max", "RingAllReduce", call -> call.reduction() == Reduction.MAX && call.count() > 0),
                mistake("above 4 KiB", "RingAllReduce", call -> bytes(call) > 4096),
                mistake(
                        "from 64 KiB to 512 KiB",
                        "RingAllReduce",
                        call -> bytes(call) >= 64 << 10 && bytes(call) <= 512 << 10),
                mistake("above 1 MiB", "RingAllReduce", call -> bytes(call) > 1 << 20),
                mistake("beyond int", "RingAllReduce", call -> bytes(call) > Integer.MAX_VALUE),
                mistake(
                        "three servers of several ranks",
                        "RingAllReduce",
                        call -> servers(call) == 3 && call.servers().size(0) > 1 && call.count() > 0),
                mistake(
                        "servers of different size",
                        "RingAllReduce",
                        call -> !call.servers().areEqual() && call.count() > 0),
                mistake("four servers, above 4 KiB", "RingAllReduce", call -> servers(call) == 4 && bytes(call) > 4096),
                mistake(
                        "root in the middle",
                        "MeshReduce",
                        call -> call.root() > 0 && call.root() < call.ranks() - 1 && call.count() > 0),
                mistake("root 5 of 8", "MeshReduce", call -> call.ranks() == 8 && call.root() == 5 && call.count() > 0),
                mistake(
                        "last root in place",
                        "MeshReduce",
                        call -> call.root() == call.ranks() - 1 && call.inPlace() && call.count() > 0),
                mistake(
                        "unequal parts in place",
                        "RingAllGather",
                        call -> !call.counts().isEmpty() && call.inPlace() && bytes(call) > 0),
                mistake(
                        "CCL buffers on several servers",
                        "StagedMeshAllToAll",
                        call -> call.memory() == MemoryMode.SINGLE_OPERATOR && servers(call) > 1 && bytes(call) > 0));
    }

    private static Arguments mistake(String what, String algorithm, Predicate<CollectiveCall> calls) {
        return arguments(what, algorithm, calls);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mistakes")
    void anAlgorithmThatIsWrongForSomeCallsIsFound(String what, String algorithm, Predicate<CollectiveCall> calls) {
        CollectiveAlgorithm wrong = new WrongFor(named(algorithm), calls);

        assertThat(RANKS.stream()
                        .flatMap(n -> Sweep.calls(wrong, n).stream())
                        .filter(calls)
                        .findFirst())
                .as(what)
                .hasValueSatisfying(
                        call -> assertThat(Verifier.verify(wrong, call).keeps(Promise.SAFETY))
                                .isFalse());
    }

    @Test
    void everyTypeIsInACall() {
        assertThat(RANKS.stream()
                        .flatMap(n -> Sweep.calls(named("RingAllReduce"), n).stream())
                        .map(CollectiveCall::type))
                .contains(DType.values());
    }

    @Test
    void whatIsCoveredAndWhatIsNotIsSaid() {
        Coverage coverage =
                Sweep.verify(named("MeshReduce"), List.of(2, 3, 4, 6)).coverage();

        assertThat(coverage.ranks()).containsExactly(2, 3, 4, 6);
        assertThat(coverage.covered().get(Parameter.REDUCTION)).containsExactlyInAnyOrder("sum", "prod", "max", "min");
        assertThat(coverage.lines()).hasSize(2);
        assertThat(coverage.lines().get(0))
                .startsWith("covered: 2-4, 6 ranks; types float32, ")
                .contains("more than 2 GiB", "roots first", "middle", "in place", "buffers in windows;");
        assertThat(coverage.lines().get(1))
                .isEqualTo(
                        "not covered: buffers in CCL buffers that take one chunk, CCL buffers that take five chunks, CCL"
                                + " buffers of 200 MiB, CCL buffers that take many chunks (needs buffers in windows); types bfloat16,"
                                + " float8_e5m2, bool; other numbers of elements; all combinations of three values");
    }

    @Test
    void givenValuesTakeThePlaceOfThoseThatAreChosen() {
        Selection selection = Selection.ALL
                .withTypes(DType.FLOAT64)
                .withReductions(Reduction.PROD)
                .withCounts(1000L, 5_000_000L)
                .withRoots(3)
                .withRanksPerServer(2, 4);

        List<CollectiveCall> calls = new SweptCalls(named("MeshReduce"), 8, selection)
                .chosen().stream().map(SweptCall::call).toList();

        assertThat(calls).isNotEmpty().allSatisfy(call -> {
            assertThat(call.type()).isEqualTo(DType.FLOAT64);
            assertThat(call.reduction()).isEqualTo(Reduction.PROD);
            assertThat(call.root()).isEqualTo(3);
        });
        assertThat(calls).extracting(CollectiveCall::count).contains(1000L, 5_000_000L);
        assertThat(calls).extracting(CollectiveCall::servers).contains(Servers.of(8, 2), Servers.of(8, 4));
    }

    @Test
    void aRootThatNoGroupHasLeavesNothingToVerify() {
        Selection selection = Selection.ALL.withRoots(9);

        assertThatThrownBy(() -> Sweep.verify(named("MeshReduce"), List.of(2, 4), selection))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("MeshReduce applies to no reduce of [2, 4] ranks with roots [9]");
    }

    @Test
    void serversOfAnotherNumberOfRanksLeaveNothingToVerify() {
        Selection selection =
                Selection.ALL.withServers(Servers.ofSizes(List.of(3, 1, 2))).withCounts(5L);

        assertThatThrownBy(() -> Sweep.verify(named("MeshReduce"), List.of(8), selection))
                .hasMessage(
                        "MeshReduce applies to no reduce of [8] ranks with counts [5], [servers of 3, 1 and 2 ranks]");
    }

    /** Of one rank, with a task for each element. */
    private static final class ElementByElement implements CollectiveAlgorithm {

        @Override
        public Collective collective() {
            return Collective.ALL_REDUCE;
        }

        @Override
        public Optional<String> unsupportedReason(CollectiveCall call) {
            return call.ranks() > 1 || call.inPlace() ? Optional.of("needs one rank, out of place") : Optional.empty();
        }

        @Override
        public Resources resources(CollectiveCall call, int rank) {
            return Resources.onMainStream(List.of());
        }

        @Override
        public void orchestrate(Orchestration rank) {
            int bytes = rank.call().elementBytes();
            for (long i = 0; i < rank.call().count(); i++) {
                rank.main()
                        .copy(rank.input().part(i * bytes, bytes), rank.output().part(i * bytes, bytes));
            }
        }
    }

    @Test
    void callsWithTooManyTasksAreCountedAndNamedBeforeMemoryRunsOut() {
        Sweep.Result result = Sweep.verify(new ElementByElement(), List.of(1));

        assertThat(result.tooLarge()).isPositive();
        assertThat(result.failed()).isZero();
        assertThat(result.coverage().covered().get(Parameter.COUNT))
                .contains("4099")
                .doesNotContain("1048583");
        assertThat(result.coverage().missing().get(Parameter.COUNT))
                .containsEntry("1048583", "too many tasks")
                .containsEntry("more than 2 GiB", "too many tasks");
        CollectiveCall large = CollectiveCall.of(Collective.ALL_REDUCE, 1, DType.INT8, 1L << 40);
        assertThatThrownBy(() -> Schedule.ofRank(new ElementByElement(), large, 0, 1000))
                .isInstanceOf(TooManyTasksException.class)
                .hasMessage(
                        "ElementByElement, all-reduce of 1 rank, 1099511627776 int8, sum, has more than 1,000 tasks:"
                                + " too many to hold in memory");
    }

    @Test
    void anAssertionPrintsTheCoverageOfWhatItFinds() {
        CollectiveAlgorithm wrong = new WrongFor(named("RingAllReduce"), call -> bytes(call) > 4096);

        assertThatThrownBy(() -> assertThatCollective(wrong).isSafeFor(List.of(4)))
                .isInstanceOf(AssertionFailedError.class)
                .hasMessageContaining("not safe")
                .hasMessageContaining("covered: 4 ranks");
        assertThatCollective(wrong)
                .with(Selection.ALL.withTypes(DType.INT8).withCounts(7L))
                .isCorrectFor(List.of(4));
    }
}
