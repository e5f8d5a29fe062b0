package org.rankunit.distributed.pe.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.collective.call.Reduction;
import org.rankunit.distributed.pe.Direction;
import org.rankunit.distributed.pe.PeContext;
import org.rankunit.distributed.pe.PeTopology;
import org.rankunit.distributed.pe.algorithms.RingAllReduce;
import org.rankunit.distributed.pe.machine.Costs;
import org.rankunit.distributed.pe.machine.MachineShape;
import org.rankunit.distributed.pe.machine.QueueSettings;
import org.rankunit.distributed.pe.machine.WorldPlacement;
import org.rankunit.distributed.pe.tensor.DistributedTensor;

/** Each SIP has a process of its own; here they are threads. */
@Tag("unit")
class SeveralProcessesTest {

    private static final MachineShape SHAPE = new MachineShape(2, 2, 1, 2, 2);

    /** What all processes share. */
    private static final class Meeting {

        private final CyclicBarrier barrier = new CyclicBarrier(SHAPE.sips());
        private final List<byte[]> given = new ArrayList<>(Collections.nCopies(SHAPE.sips(), new byte[0]));

        private void meet() {
            try {
                barrier.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                throw new IllegalStateException(e);
            }
        }

        private synchronized void give(int sip, byte[] bytes) {
            given.set(sip, bytes);
        }

        private synchronized List<byte[]> all() {
            return List.copyOf(given);
        }
    }

    private record Exchange(Meeting meeting, int sip) implements SipExchange {

        @Override
        public List<byte[]> allGather(byte[] own) {
            meeting.give(sip, own);
            meeting.meet();
            List<byte[]> all = meeting.all();
            meeting.meet();
            return all;
        }

        @Override
        public void close() {}
    }

    /** Do the same in a process of each SIP. */
    private static <T> List<T> inEach(QueueSettings settings, Function<PeMachine, T> work) throws Exception {
        Meeting meeting = new Meeting();
        ExecutorService processes = Executors.newFixedThreadPool(SHAPE.sips());
        try {
            List<Callable<T>> calls = new ArrayList<>();
            for (int sip = 0; sip < SHAPE.sips(); sip++) {
                Exchange exchange = new Exchange(meeting, sip);
                calls.add(() -> {
                    WorldPlacement placement = WorldPlacement.of(SHAPE, SHAPE.pes());
                    try (PeMachine machine = PeMachine.ofOneSip(placement, Costs.assumed(), settings, exchange)) {
                        return work.apply(machine);
                    }
                });
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : processes.invokeAll(calls)) {
                results.add(future.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            processes.shutdownNow();
        }
    }

    private record Outcome(Values tensor, LaunchResult result) {}

    private static Outcome allReduce(PeMachine machine, int nElem) {
        int count = SHAPE.pes() * nElem;
        float[] data = new float[count];
        for (int i = 0; i < count; i++) {
            data[i] = 1 + (i % 97) * 0.37f;
        }
        DistributedTensor tensor = machine.tensor(DType.FLOAT32, 1, count);
        tensor.copyFrom(Values.float32(data));
        InstalledKernel kernel = machine.install(new RingAllReduce(), PeTopology.RING_1D);
        LaunchResult result =
                machine.launch(kernel, Reduction.SUM, nElem, tensor).join();
        return new Outcome(tensor.read(), result);
    }

    /** The same bits, and the same modelled time, wherever lanes run. */
    @ParameterizedTest
    @ValueSource(ints = {1, 32, 5000})
    void severalProcessesComputeWhatOneDoes(int nElem) throws Exception {
        QueueSettings settings = QueueSettings.standard();
        Outcome expected;
        try (PeMachine machine =
                PeMachine.inOneProcess(WorldPlacement.of(SHAPE, SHAPE.pes()), Costs.assumed(), settings)) {
            expected = allReduce(machine, nElem);
        }
        assertThat(inEach(settings, machine -> allReduce(machine, nElem))).containsExactly(expected, expected);
    }

    private static String failure(PeMachine machine, Consumer<PeContext> kernel) {
        try {
            machine.launch(machine.install(kernel::accept, PeTopology.RING_1D), Reduction.SUM, 1)
                    .join();
            return "";
        } catch (CompletionException e) {
            return String.valueOf(Objects.requireNonNull(e.getCause()).getMessage());
        }
    }

    @Test
    void aDeadlockOfAllProcessesIsToldInEachOfThem() throws Exception {
        List<String> messages = inEach(
                QueueSettings.standard(),
                machine -> failure(machine, pe -> {
                    if (pe.rank() == 0 || pe.rank() == 8) {
                        pe.recv(Direction.W, DType.FLOAT32, 1);
                    }
                }));
        assertThat(messages).containsOnly("""
                        deadlock of PEs; none can continue:
                          PE 0 (PE 0 of cube (0, 0) of SIP 0) waits at the W for message 0 of PE 15
                          PE 8 (PE 0 of cube (0, 0) of SIP 1) waits at the W for message 0 of PE 7""");
    }

    @Test
    void aFailureInOneProcessIsToldInEachOfThem() throws Exception {
        List<String> messages = inEach(
                QueueSettings.standard(),
                machine -> failure(machine, pe -> {
                    if (pe.rank() == 9) {
                        throw new IllegalStateException("broken");
                    }
                }));
        assertThat(messages)
                .containsOnly("1 of 16 PEs failed:\n  PE 9 (PE 1 of cube (0, 0) of SIP 1):"
                        + " java.lang.IllegalStateException: broken");
    }

    @Test
    void aSipHasOnlyItsOwnParts() throws Exception {
        assertThat(inEach(QueueSettings.standard(), PeMachine::ranks))
                .containsExactly(List.of(0, 1, 2, 3, 4, 5, 6, 7), List.of(8, 9, 10, 11, 12, 13, 14, 15));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> inEach(
                        QueueSettings.standard(),
                        machine -> machine.tensor(DType.INT8, 1, 16)
                                .readPart(machine.ranks().contains(0) ? 8 : 0)))
                .withMessageContaining("does not belong to this process, which has");
    }
}
