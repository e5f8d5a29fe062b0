package org.rankunit.distributed.pe.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.collective.call.Reduction;
import org.rankunit.distributed.pe.Direction;
import org.rankunit.distributed.pe.MemorySpace;
import org.rankunit.distributed.pe.PeAlgorithm;
import org.rankunit.distributed.pe.PeContext;
import org.rankunit.distributed.pe.PeTopology;
import org.rankunit.distributed.pe.PeValue;
import org.rankunit.distributed.pe.PendingReceive;
import org.rankunit.distributed.pe.machine.Costs;
import org.rankunit.distributed.pe.machine.MachineShape;
import org.rankunit.distributed.pe.machine.QueueSettings;
import org.rankunit.distributed.pe.machine.QueueSettings.Backpressure;
import org.rankunit.distributed.pe.machine.Speed;
import org.rankunit.distributed.pe.machine.WorldPlacement;
import org.rankunit.distributed.pe.tensor.DistributedTensor;

@Tag("unit")
class PeMachineTest {

    private static final MachineShape SHAPE = new MachineShape(1, 2, 2, 2, 4);

    /** Every time is a round number: TCM 1 ns + 1 byte/ns, HBM 10 ns, links 100 ns + 1 byte/ns. */
    private static final Costs ROUND = new Costs(
            new Speed(1, 1),
            new Speed(10, 1),
            new Speed(5, 1),
            new Speed(100, 1),
            new Speed(100, 1),
            new Speed(1000, 1),
            0,
            1,
            1000,
            7);

    private static PeMachine machine(int worldSize, QueueSettings settings) {
        return PeMachine.inOneProcess(WorldPlacement.of(SHAPE, worldSize), ROUND, settings);
    }

    private static QueueSettings slots(int slots, Backpressure backpressure) {
        return new QueueSettings(MemorySpace.TCM, backpressure, slots, 64, 4);
    }

    private static PeAlgorithm kernel(Consumer<PeContext> kernel) {
        return kernel::accept;
    }

    private static LaunchResult run(PeMachine machine, Consumer<PeContext> kernel, DistributedTensor... tensors) {
        return launch(machine, PeTopology.RING_1D, kernel, tensors);
    }

    private static LaunchResult launch(
            PeMachine machine, PeTopology topology, Consumer<PeContext> kernel, DistributedTensor... tensors) {
        try {
            return machine.launch(machine.install(kernel(kernel), topology), Reduction.SUM, 1, tensors)
                    .join();
        } catch (CompletionException e) {
            throw (RuntimeException) e.getCause();
        }
    }

    private static PeValue number(float value) {
        return new PeValue(Values.float32(value), MemorySpace.TCM, 1);
    }

    private static float recv(PeContext pe, Direction direction) {
        return pe.recv(direction, DType.FLOAT32, 1).values().toFloats()[0];
    }

    @Test
    void inARingOfTwoEastAndWestAreDifferentQueues() {
        try (PeMachine machine = machine(2, QueueSettings.standard())) {
            float[][] got = new float[2][2];
            run(machine, pe -> {
                pe.send(Direction.E, number(10 + pe.rank()));
                pe.send(Direction.W, number(20 + pe.rank()));
                got[pe.rank()][0] = recv(pe, Direction.W);
                got[pe.rank()][1] = recv(pe, Direction.E);
            });
            assertThat(got[0]).containsExactly(11, 21);
            assertThat(got[1]).containsExactly(10, 20);
        }
    }

    @Test
    void messagesAskedForComeInTheOrderInWhichTheyWereAskedFor() {
        try (PeMachine machine = machine(2, QueueSettings.standard())) {
            float[] got = new float[2];
            run(machine, pe -> {
                if (pe.rank() == 0) {
                    pe.send(Direction.E, number(1));
                    pe.send(Direction.E, number(2));
                } else {
                    PendingReceive first = pe.recvAsync(Direction.W, DType.FLOAT32, 1);
                    PendingReceive second = pe.recvAsync(Direction.W, DType.FLOAT32, 1);
                    got[1] = pe.await(second).values().toFloats()[0];
                    got[0] = pe.await(first).values().toFloats()[0];
                }
            });
            assertThat(got).containsExactly(1, 2);
        }
    }

    @Test
    void aMessageGoesIntoATensor() {
        try (PeMachine machine = machine(2, QueueSettings.standard())) {
            DistributedTensor tensor = machine.tensor(DType.FLOAT32, 1, 6);
            tensor.copyFrom(Values.float32(1, 2, 3, 4, 5, 6));
            run(
                    machine,
                    pe -> {
                        pe.send(Direction.E, pe.load(pe.shard(0), 1, 2));
                        pe.recvInto(Direction.W, pe.shard(0), 0, 2);
                    },
                    tensor);
            assertThat(tensor.read().toFloats()).containsExactly(5, 6, 3, 2, 3, 6);
        }
    }

    /** Load 10 + 4 ns. On the way 100 + 4, into the slot 1 + 4, out of it 1 + 4, store 10 + 4. */
    @Test
    void theTimeOfAMessageIsThatOfItsParts() {
        try (PeMachine machine = machine(2, QueueSettings.standard())) {
            DistributedTensor tensor = machine.tensor(DType.FLOAT32, 1, 2);
            LaunchResult result = run(
                    machine,
                    pe -> {
                        if (pe.rank() == 0) {
                            pe.send(Direction.E, pe.load(pe.shard(0)));
                        } else {
                            pe.store(pe.shard(0), pe.recv(Direction.W, DType.FLOAT32, 1));
                        }
                    },
                    tensor);
            assertThat(result.ends()).containsExactly(14.0, 14.0 + 104 + 5 + 5 + 14);
            assertThat(result.nanoseconds()).isEqualTo(142);
            assertThat(result.messages()).isEqualTo(1);
            assertThat(result.bytes()).isEqualTo(4);
            assertThat(result.waits()).isZero();
        }
    }

    /** The place of the slots decides what they cost: TCM 5 ns for 4 bytes, twice; SRAM 9, HBM 14. */
    @Test
    void slotsCostWhatTheirMemoryCosts() {
        for (MemorySpace space : MemorySpace.values()) {
            QueueSettings settings = new QueueSettings(space, Backpressure.SLEEP, 4, 64, 4);
            try (PeMachine machine = machine(2, settings)) {
                LaunchResult result = run(machine, pe -> {
                    if (pe.rank() == 0) {
                        pe.send(Direction.E, number(1));
                    } else {
                        recv(pe, Direction.W);
                    }
                });
                double slot = ROUND.of(space).time(4);
                assertThat(result.nanoseconds()).isEqualTo(104 + (2 * slot));
            }
        }
    }

    /** One slot: the second message waits for the credit of the first, which the receiver sends when it has taken it. */
    @Test
    void aSenderWithoutCreditWaitsForIt() {
        double firstTaken = 104 + 5 + 5;
        double credit = firstTaken + 104;
        for (Backpressure backpressure : Backpressure.values()) {
            try (PeMachine machine = machine(2, slots(1, backpressure))) {
                LaunchResult result = run(machine, pe -> {
                    if (pe.rank() == 0) {
                        pe.send(Direction.E, number(1));
                        pe.send(Direction.E, number(2));
                    } else {
                        recv(pe, Direction.W);
                        recv(pe, Direction.W);
                    }
                });
                double begins = backpressure == Backpressure.SLEEP ? credit + 7 : 1000;
                assertThat(result.ends()).containsExactly(begins, begins + 104 + 5 + 5);
                assertThat(result.waits()).isEqualTo(1);
            }
        }
    }

    @Test
    void theSameLaunchTakesTheSameModelledTimeInEveryRun() {
        try (PeMachine machine =
                PeMachine.inOneProcess(WorldPlacement.of(SHAPE, 32), Costs.assumed(), slots(2, Backpressure.SLEEP))) {
            Consumer<PeContext> kernel = pe -> {
                for (int i = 0; i < 20; i++) {
                    pe.send(i % 3 == 0 ? Direction.W : Direction.E, number(i));
                    recv(pe, i % 3 == 0 ? Direction.E : Direction.W);
                }
            };
            LaunchResult first = run(machine, kernel);
            for (int repetition = 0; repetition < 20; repetition++) {
                assertThat(run(machine, kernel)).isEqualTo(first);
            }
        }
    }

    @Test
    void whatWaitsForEverIsADeadlockWithNames() {
        try (PeMachine machine = machine(3, QueueSettings.standard())) {
            assertThatExceptionOfType(KernelException.class)
                    .isThrownBy(() -> run(machine, pe -> {
                        if (pe.rank() < 2) {
                            recv(pe, Direction.W);
                        }
                    }))
                    .withMessage("""
                            deadlock of PEs; none can continue:
                              PE 0 (PE 0 of cube (0, 0) of SIP 0) waits at the W for message 0 of PE 2
                              PE 1 (PE 1 of cube (0, 0) of SIP 0) waits at the W for message 0 of PE 0""");
        }
    }

    @Test
    void fullQueuesThatNobodyEmptiesAreADeadlock() {
        try (PeMachine machine = machine(2, slots(2, Backpressure.SLEEP))) {
            assertThatExceptionOfType(KernelException.class)
                    .isThrownBy(() -> run(machine, pe -> {
                        for (int i = 0; i < 3; i++) {
                            pe.send(Direction.E, number(i));
                        }
                    }))
                    .withMessage("deadlock of PEs; none can continue:\n"
                            + "  PE 0 (PE 0 of cube (0, 0) of SIP 0) waits at the E for a free slot of PE 1, whose 2 are"
                            + " in use\n"
                            + "  PE 1 (PE 1 of cube (0, 0) of SIP 0) waits at the E for a free slot of PE 0, whose 2 are"
                            + " in use");
        }
    }

    @Test
    void messagesThatNobodyReceivesAreAnError() {
        try (PeMachine machine = machine(2, QueueSettings.standard())) {
            assertThatExceptionOfType(KernelException.class)
                    .isThrownBy(() -> run(machine, pe -> {
                        if (pe.rank() == 0) {
                            pe.send(Direction.E, number(1));
                        }
                    }))
                    .withMessage("messages were sent but never received:\n"
                            + "  PE 1 (PE 1 of cube (0, 0) of SIP 0) has ended, and left 1 message of PE 0 at the W");
        }
    }

    @Test
    void aKernelThatFailsIsNamedBeforeThoseThatWaitForIt() {
        try (PeMachine machine = machine(3, QueueSettings.standard())) {
            assertThatExceptionOfType(KernelException.class)
                    .isThrownBy(() -> run(machine, pe -> {
                        if (pe.rank() == 1) {
                            throw new IllegalStateException("broken");
                        }
                        if (pe.rank() == 2) {
                            recv(pe, Direction.W);
                        }
                    }))
                    .withMessage("""
                            1 of 3 PEs failed:
                              PE 1 (PE 1 of cube (0, 0) of SIP 0): java.lang.IllegalStateException: broken
                            because of that:
                              PE 2 (PE 2 of cube (0, 0) of SIP 0) waits at the W for message 0 of PE 1""")
                    .withCauseInstanceOf(IllegalStateException.class);
            // And the machine can be used afterwards.
            assertThat(run(machine, pe -> {}).messages()).isZero();
        }
    }

    @Test
    void aKernelThatDoesNotEndIsNamedAtTheDeadline() {
        try (PeMachine machine = machine(2, QueueSettings.standard())) {
            machine.setTimeout(Duration.ofMillis(200));
            assertThatExceptionOfType(KernelException.class)
                    .isThrownBy(() -> run(machine, pe -> {
                        while (pe.rank() == 1 && !Thread.currentThread().isInterrupted()) {
                            Thread.onSpinWait();
                        }
                    }))
                    .withMessageStartingWith("1 of 2 PEs still run after 200 ms:\n  PE 1 runs at ");
        }
    }

    private static void refused(Consumer<PeContext> kernel, String message) {
        try (PeMachine machine = machine(2, slots(4, Backpressure.SLEEP))) {
            DistributedTensor tensor = machine.tensor(DType.FLOAT32, 1, 4);
            assertThatExceptionOfType(KernelException.class)
                    .isThrownBy(() -> run(machine, kernel, tensor))
                    .withStackTraceContaining(message);
        }
    }

    @Test
    void whatAKernelCannotDoIsRefused() {
        refused(pe -> pe.send(Direction.N, number(1)), "PE 0 has no neighbour to the N; it has [E, W]");
        refused(
                pe -> pe.send(Direction.E, new PeValue(Values.float32(new float[17]), MemorySpace.TCM, 17)),
                "PE 0 sends float32 (17) of 68 bytes to the E, but a slot has 64; send parts, or make slot_size larger");
        refused(
                pe -> {
                    pe.send(Direction.E, number(1));
                    pe.recv(Direction.W, DType.FLOAT16, 1);
                },
                "PE 0 expects float16 (1) from the W, and PE 1 sent float32 (1)");
        refused(pe -> pe.shard(1), "there is no tensor 1; the launch has 1");
        refused(pe -> pe.argument("root"), "there is no argument \"root\"; there are [n_elem]");
        refused(pe -> pe.load(pe.shard(0), 1, 2), "Range [1, 1 + 2) out of bounds for length 2");
        refused(
                pe -> pe.store(pe.shard(0), new PeValue(Values.float16(1), MemorySpace.TCM, 1)),
                "float16 (1) cannot be stored in a tensor of float32");
        refused(
                pe -> {
                    pe.send(Direction.E, number(1));
                    PendingReceive pending = pe.recvAsync(Direction.W, DType.FLOAT32, 1);
                    pe.await(pending);
                    pe.await(pending);
                },
                "PE 0 has already taken this message from the W");
    }

    @Test
    void neighboursThatDoNotKnowEachOtherAreRefused() {
        PeAlgorithm oneWay = new PeAlgorithm() {
            @Override
            public Map<Direction, Integer> neighbours(PeTopology topology, int rank, int worldSize) {
                return rank == 0 ? Map.of(Direction.E, 1) : Map.of();
            }

            @Override
            public void kernel(PeContext pe) {}
        };
        PeAlgorithm outside = new PeAlgorithm() {
            @Override
            public Map<Direction, Integer> neighbours(PeTopology topology, int rank, int worldSize) {
                return Map.of(Direction.E, rank + 1);
            }

            @Override
            public void kernel(PeContext pe) {}
        };
        try (PeMachine machine = machine(2, QueueSettings.standard())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> machine.install(oneWay, PeTopology.RING_1D))
                    .withMessage("PE 0 has the neighbour 1 at the E, which has it at []: one end is needed, or the one"
                            + " at the W");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> machine.install(outside, PeTopology.RING_1D))
                    .withMessage("PE 0 has the neighbour 1 at the E, which has it at []: one end is needed, or the one"
                            + " at the W");
        }
    }
}
