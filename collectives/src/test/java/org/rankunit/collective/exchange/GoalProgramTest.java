package org.rankunit.collective.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DType;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Signal;
import org.rankunit.collective.algorithms.BuiltinAlgorithms;
import org.rankunit.collective.algorithms.halving.HalvingDoublingAllReduce;
import org.rankunit.collective.algorithms.mesh.AllGatherMeshOpbaseExecutor;
import org.rankunit.collective.algorithms.ring.RingAllReduce;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.call.Servers;
import org.rankunit.collective.exchange.GoalOperation.Kind;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.Task;
import org.rankunit.collective.schedule.TaskKind;
import org.rankunit.collective.simulate.LinkModel;
import org.rankunit.collective.simulate.Simulation;
import org.rankunit.collective.simulate.Topology;

/** Schedules that have become messages: what they keep. Elements have 4 bytes, so that signals are the messages of one byte. */
@Tag("unit")
class GoalProgramTest {

    private static final int MAX_RANKS = 9;
    private static final int SEEDS = 300;
    private static final double ROUNDING = 1e-12;

    /** Ports for everyone, and costs of whole nanoseconds for 4 bytes. */
    private static final Topology NOBODY_WAITS = new Topology(
            new LinkModel(2e-6, 4e9, 1000, true), new LinkModel(7e-6, 1e9, 1000, true), 1, 0, 2e9, 0.25e-9);

    static List<CollectiveAlgorithm> algorithms() {
        return BuiltinAlgorithms.all();
    }

    private static Stream<CollectiveCall> calls(CollectiveAlgorithm algorithm) {
        List<CollectiveCall> calls = new ArrayList<>();
        for (int ranks = 1; ranks <= MAX_RANKS; ranks++) {
            for (long count : new long[] {1, 5, 2L * ranks, 100}) {
                CollectiveCall call = CollectiveCall.of(
                        algorithm.collective(),
                        ranks,
                        DType.FLOAT32,
                        algorithm.collective() == Collective.BARRIER ? 0 : count);
                calls.add(call);
                calls.add(call.withMemory(MemoryMode.SINGLE_OPERATOR, 1 << 20));
                calls.add(call.withMemory(MemoryMode.SINGLE_OPERATOR, 12L * ranks));
                calls.add(call.withRanksPerServer(2));
                if (algorithm.collective().hasRoot()) {
                    calls.add(call.withRoot(ranks - 1));
                }
            }
        }
        return calls.stream().filter(call -> algorithm.unsupportedReason(call).isEmpty());
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void programsMoveWhatTheirSchedulesMove(CollectiveAlgorithm algorithm) {
        calls(algorithm).forEach(call -> {
            Schedule schedule = Schedule.of(algorithm, call);
            GoalProgram program = GoalProgram.of(schedule, LocalCost.FREE);
            long bytes = 0;
            for (int rank = 0; rank < program.ranks(); rank++) {
                bytes += program.operations(rank).stream()
                        .filter(each -> each.kind() == Kind.SEND && each.amount() > GoalFile.SIGNAL_BYTES)
                        .mapToLong(GoalOperation::amount)
                        .sum();
            }

            assertThat(bytes)
                    .as(call.toString())
                    .isEqualTo(schedule.ranks().stream()
                            .mapToLong(GoalProgramTest::moved)
                            .sum());
            assertThat(program.simulate(NOBODY_WAITS, call.servers(), GoalFile.SIGNAL_BYTES)
                            .bytes())
                    .isEqualTo(bytes);
        });
    }

    private static long moved(RankSchedule rank) {
        long bytes = 0;
        for (int task = 0; task < rank.size(); task++) {
            bytes += rank.kind(task).isTransfer() ? rank.bytes(task) : 0;
        }
        return bytes;
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void eachSendHasItsReceiveAndNothingDependsOnWhatComesLater(CollectiveAlgorithm algorithm) {
        calls(algorithm).forEach(call -> {
            GoalProgram program = GoalProgram.of(Schedule.of(algorithm, call), LocalCost.FREE);
            Set<Message> messages = new HashSet<>();
            for (int rank = 0; rank < program.ranks(); rank++) {
                List<GoalOperation> operations = program.operations(rank);
                for (int number = 0; number < operations.size(); number++) {
                    GoalOperation operation = operations.get(number);
                    int place = number;
                    check(operation.requires().stream().allMatch(required -> required < place), operation);
                    check(operation.startsAfter().isEmpty(), operation);
                    if (operation.kind() == Kind.SEND) {
                        check(messages.add(new Message(rank, operation.peer(), operation)), operation);
                    }
                }
            }
            for (int rank = 0; rank < program.ranks(); rank++) {
                for (GoalOperation operation : program.operations(rank)) {
                    if (operation.kind() == Kind.RECV) {
                        check(messages.remove(new Message(operation.peer(), rank, operation)), operation);
                    }
                }
            }
            assertThat(messages).isEmpty();
        });
    }

    private record Message(int from, int to, int tag, long amount) {

        Message(int from, int to, GoalOperation operation) {
            this(from, to, operation.tag(), operation.amount());
        }
    }

    /** AssertJ takes longer than all the rest, for so many operations. */
    private static void check(boolean holds, GoalOperation operation) {
        if (!holds) {
            throw new AssertionError(operation.toString());
        }
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void aFileSaysAllOfAProgram(CollectiveAlgorithm algorithm) {
        calls(algorithm).forEach(call -> {
            GoalProgram program = GoalProgram.of(Schedule.of(algorithm, call), LocalCost.of(NOBODY_WAITS));
            String text = written(program);
            GoalProgram again = read(text);

            assertThat(again).isEqualTo(program);
            assertThat(written(again)).isEqualTo(text);
        });
    }

    private static String written(GoalProgram program) {
        StringWriter writer = new StringWriter();
        try {
            GoalFile.write(program, writer);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return writer.toString();
    }

    private static GoalProgram read(String text) {
        try {
            return GoalFile.read(new StringReader(text));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** So no order between tasks is lost or added: each of these schedules would take another time. */
    @ParameterizedTest
    @MethodSource("algorithms")
    void whereNobodyWaitsForAPortAllRanksEndWhenTheScheduleEnds(CollectiveAlgorithm algorithm) {
        calls(algorithm).forEach(call -> {
            Schedule schedule = Schedule.of(algorithm, call);
            Simulation simulation = Simulation.of(schedule, NOBODY_WAITS);

            GoalTimes times = GoalProgram.of(schedule, LocalCost.of(NOBODY_WAITS))
                    .simulate(NOBODY_WAITS, call.servers(), GoalFile.SIGNAL_BYTES);

            assertThat(times.seconds()).as(call.toString()).isCloseTo(simulation.seconds(), within(ROUNDING));
            for (int rank = 0; rank < call.ranks(); rank++) {
                assertThat(times.ends().get(rank))
                        .as("rank " + rank + " of " + call)
                        .isCloseTo(simulation.ends().get(rank), within(ROUNDING));
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"2, 12, 0", "2, 40, 2", "3, 40, 0", "4, 60, 1", "5, 120, 3"})
    void tasksInAnyOrderTakeAsLongAsTheirSchedule(int ranks, int steps, int subStreams) {
        CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, ranks, DType.FLOAT32, 5000);
        for (int seed = 0; seed < SEEDS; seed++) {
            CollectiveCall onServers = call.withRanksPerServer(1 + seed % ranks);
            Schedule schedule = Schedule.of(new RandomTasks(seed, steps, subStreams), onServers);

            GoalProgram program = GoalProgram.of(schedule, LocalCost.of(NOBODY_WAITS));

            assertThat(program.simulate(NOBODY_WAITS, onServers.servers(), GoalFile.SIGNAL_BYTES)
                            .seconds())
                    .as("seed " + seed)
                    .isCloseTo(Simulation.of(schedule, NOBODY_WAITS).seconds(), within(ROUNDING));
            assertThat(read(written(program))).isEqualTo(program);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 8, 31})
    void aRingWithOnePortTakesAsLongAsItsSchedule(int ranks) {
        CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, ranks, DType.FLOAT32, 1000L * ranks);
        sameTime(
                Schedule.of(new RingAllReduce(), call),
                Topology.uniform(new LinkModel(2e-6, 1e9, 1, true)).withReduction(0.25e-9));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 8, 31})
    void aMeshWithAPortForEachPeerTakesAsLongAsItsSchedule(int ranks) {
        CollectiveCall call = CollectiveCall.of(Collective.ALL_GATHER, ranks, DType.FLOAT32, 1000)
                .withMemory(MemoryMode.SINGLE_OPERATOR, 1 << 20);
        sameTime(
                Schedule.of(new AllGatherMeshOpbaseExecutor(), call),
                Topology.uniform(new LinkModel(2e-6, 1e9, ranks - 1, true)));
    }

    @Test
    void halvingAndDoublingTakesAsLongAsItsSchedule() {
        CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 64, DType.FLOAT32, 6400);
        sameTime(
                Schedule.of(new HalvingDoublingAllReduce(), call), Topology.uniform(new LinkModel(2e-6, 1e9, 1, true)));
    }

    private static void sameTime(Schedule schedule, Topology topology) {
        GoalTimes times = GoalProgram.of(schedule, LocalCost.of(topology))
                .simulate(topology, schedule.call().servers(), GoalFile.SIGNAL_BYTES);

        assertThat(times.seconds())
                .isCloseTo(
                        Simulation.of(schedule, topology).seconds(),
                        within(ROUNDING * schedule.call().ranks()));
    }

    @Test
    void signalsThatTakeTimeMakeARingSlower() {
        CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 4, DType.FLOAT32, 4000);
        Topology topology = Topology.uniform(new LinkModel(2e-6, 1e9, 2, true));
        Schedule ring = Schedule.of(new RingAllReduce(), call);

        // Before each of 6 steps, a message of one byte says that the next rank may be written.
        assertThat(GoalProgram.of(ring, LocalCost.FREE).simulate(topology).seconds())
                .isCloseTo(Simulation.of(ring, topology).seconds() + 6 * 2.001e-6, within(ROUNDING));
    }

    /** As LogGOPSim has it: one send after the other, each ends when its message begins to leave. */
    @Test
    void anEagerSendEndsWhenItsMessageBeginsToLeave() {
        GoalProgram program = read("""
                num_ranks 2
                rank 0 {
                a: send 1000b to 1 tag 1
                b: send 1000b to 1 tag 2
                c: send 1000b to 1 tag 3
                b requires a
                c requires b
                }
                rank 1 {
                a: recv 1000b from 0 tag 1
                b: recv 1000b from 0 tag 2
                c: recv 1000b from 0 tag 3
                }
                """);
        Topology topology = Topology.uniform(new LinkModel(2e-6, 1e9, 1, true));

        assertThat(program.simulate(topology, Servers.one(2), GoalProgram.NO_SIGNALS)
                        .seconds())
                .isCloseTo(3 * 3e-6, within(ROUNDING));
        GoalTimes eager = program.simulate(topology, Servers.one(2), GoalProgram.NO_SIGNALS, 1000);
        assertThat(eager.seconds()).isCloseTo(2e-6 + 3 * 1e-6, within(ROUNDING));
        assertThat(eager.ends().get(0)).isCloseTo(2 * 1e-6, within(ROUNDING));
        assertThat(eager.messages()).isEqualTo(3);
        assertThat(program.simulate(topology, Servers.one(2), GoalProgram.NO_SIGNALS, 999)
                        .seconds())
                .isCloseTo(3 * 3e-6, within(ROUNDING));
    }

    /** Of random programs: rank 0 has receives for all messages of the others, each with the ranks and tags that it takes. */
    @Test
    void receivesFromAnyRankAndOfAnyTagTakeTheFirstMessageThatFits() {
        int waiting = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            RandomReceives random = new RandomReceives(seed);
            GoalProgram program = read(random.text());
            boolean allTaken = random.allTaken();
            waiting += allTaken ? 0 : 1;

            if (allTaken) {
                assertThat(program.simulate(Topology.uniform(new LinkModel(2e-6, 1e9, 1, true)))
                                .messages())
                        .as(random.text())
                        .isEqualTo(random.messages());
            } else {
                assertThatThrownBy(() -> program.simulate(Topology.uniform(new LinkModel(2e-6, 1e9, 1, true))))
                        .as(random.text())
                        .hasMessageContaining("forever");
            }
        }
        assertThat(waiting).isBetween(SEEDS / 10, SEEDS * 9 / 10);
    }

    @Test
    void twoRunsAreEqual() {
        CollectiveCall call =
                CollectiveCall.of(Collective.ALL_REDUCE, 9, DType.FLOAT32, 1000).withRanksPerServer(2);
        Topology busy = new Topology(
                new LinkModel(2e-6, 1e9, 1, false), new LinkModel(2e-6, 1e8, 1, true), 2, 1e-7, 1e10, 1e-10);
        for (CollectiveAlgorithm algorithm : BuiltinAlgorithms.all()) {
            if (algorithm.collective() == Collective.ALL_REDUCE
                    && algorithm.unsupportedReason(call).isEmpty()) {
                GoalProgram program = GoalProgram.of(Schedule.of(algorithm, call), LocalCost.of(busy));

                assertThat(program.simulate(busy, call.servers(), 1))
                        .isEqualTo(program.simulate(busy, call.servers(), 1));
                assertThat(GoalProgram.of(Schedule.of(algorithm, call), LocalCost.of(busy)))
                        .isEqualTo(program);
            }
        }
    }

    @Test
    void aScheduleThatWaitsForEverIsRefused() {
        Schedule broken = withoutSignals(TaskKind.POST);

        assertThatThrownBy(() -> GoalProgram.of(broken, LocalCost.FREE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("3 streams wait forever:\n  WAIT for ACK from rank 1 to rank 0");
    }

    @Test
    void aNotifyThatNobodyAwaitsIsRefused() {
        Schedule broken = withoutSignals(TaskKind.WAIT);

        assertThatThrownBy(() -> GoalProgram.of(broken, LocalCost.FREE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("POST of ACK from rank 2 to rank 1")
                .hasMessageContaining("it is already set, so one of the two posts would be lost");
    }

    private static Schedule withoutSignals(TaskKind kind) {
        CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 3, DType.FLOAT32, 12);
        Schedule ring = Schedule.of(new RingAllReduce(), call);
        List<Task> tasks = new ArrayList<>(ring.rank(1).tasks());
        tasks.removeIf(task -> task.kind() == kind
                && task.signalled() != null
                && task.signalled().signal() == Signal.ACK);
        return ring.with(ring.rank(1).withTasks(tasks));
    }
}
