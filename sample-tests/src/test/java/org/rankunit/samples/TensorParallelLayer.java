package org.rankunit.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rankunit.DType;
import org.rankunit.RankBuffer;
import org.rankunit.RankContext;
import org.rankunit.Values;
import org.rankunit.device.Cores;
import org.rankunit.golden.Golden;
import org.rankunit.graph.TaskGraph;
import org.rankunit.samples.TensorParallelData.Shape;

/**
 * A layer that several chips share by tensor parallelism: Linear, all-reduce, FFN.
 *
 * <ol>
 *   <li>Each chip has a shard of X and W along K, the weights of the FFN, and a place in its window for the partial sum of
 *       each chip. {@link RankContext#peers()} is the table of remote addresses, {@link RankContext#semaphoreBase()} the
 *       place of the semaphores.
 *   <li>The orchestration function gets these addresses, the number of the round and the shape.
 *   <li>It starts on the control processor of each chip, and makes the tasks there.
 *   <li>The linear task multiplies the shards. A task for each other chip sends the product into its window, and signals.
 *       The task of the FFN waits for the signals of all other chips: it is dispatched when the semaphores have the number
 *       of the round. No host takes part.
 *   <li>The host reads the output back. Then the next round begins, with other data.
 * </ol>
 */
abstract class TensorParallelLayer {

    static final int ROWS = 64;
    static final int INNER = 128;
    static final int COLUMNS = 128;
    static final int HIDDEN = 256;
    static final int MAX_CHIPS = 4;
    static final int FEWEST_CHIPS = 2;

    private static final int ROUNDS = 3;

    private final double tolerance;

    TensorParallelLayer(double tolerance) {
        this.tolerance = tolerance;
    }

    @ParameterizedTest
    @CsvSource({ROWS + ", " + INNER + ", " + COLUMNS + ", " + HIDDEN, "5, 12, 7, 9"})
    void everyChipHasTheWholeResultInEveryRound(int rows, int inner, int columns, int hidden, RankContext rank) {
        Shape shape = new Shape(rows, inner, columns, hidden);
        try (TaskGraph graph = graphOf(rank)) {
            for (int round = 1; round <= ROUNDS; round++) {
                TensorParallelData data = new TensorParallelData(shape, round);
                load(rank, data);
                rank.barrier();

                graph.run(rank.device().waitTimeout(), arguments(rank, shape, round));
                rank.barrier();

                RankBuffer out = rank.buffer("out");
                Golden.of("out", values(out, data.result()))
                        .within(tolerance, tolerance)
                        .verify(out);
            }
            // linear, one step for each other chip, FFN
            assertThat(graph.counts().completed()).isEqualTo(rank.worldSize() + 1L);
        }
    }

    @Test
    void anInnerDimensionThatTheChipsCannotShareIsRefused(RankContext rank) {
        Shape odd = new Shape(ROWS, INNER - 1, COLUMNS, HIDDEN);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> arguments(rank, odd, 1))
                .withMessage("K = 127 is not divisible by " + rank.worldSize() + " chips");
    }

    @Test
    void theTableOfRemoteAddressesCanBeLookedAt(RankContext rank) {
        RankContext.Peer own = rank.peers().get(rank.rank());
        long partials = rank.buffer("partials").address();

        assertThat(own.deviceId()).isEqualTo(rank.deviceId());
        assertThat(rank.peers()).extracting(RankContext.Peer::deviceId).doesNotHaveDuplicates();
        assertThat(own.addressOf(own, partials)).isEqualTo(partials);
        assertThat(rank.peers().toString()).contains("rank 0 on device ", "rank 1 on device ", "window of ");
        assertThat(rank.semaphoreBase()).isEqualTo(own.windowBase());
    }

    private static TaskGraph graphOf(RankContext rank) {
        TaskGraph graph = rank.createGraph("tensor-parallel layer");
        graph.kernel(rank.kernel("linear"), Cores.CUBE, 7);
        graph.kernel(rank.kernel("send_partial"), Cores.VECTOR, 5);
        graph.kernel(rank.kernel("ffn"), Cores.CUBE, 9);
        graph.orchestration(rank.orchestration("tensor_parallel"));
        return graph;
    }

    private static void load(RankContext rank, TensorParallelData data) {
        write(rank.buffer("x"), data.shardOfX(rank.rank(), rank.worldSize()));
        write(rank.buffer("w"), data.shardOfW(rank.rank(), rank.worldSize()));
        write(rank.buffer("w1"), data.w1());
        write(rank.buffer("w2"), data.w2());
    }

    private static void write(RankBuffer buffer, float[] content) {
        buffer.write(values(buffer, content));
    }

    /** The values of a buffer that begins with {@code content} and is zero behind it. */
    private static Values values(RankBuffer buffer, float[] content) {
        float[] all = Arrays.copyOf(content, buffer.count());
        return buffer.type() == DType.FLOAT16 ? Values.float16(all) : Values.float32(all);
    }

    /** In the order of {@code tensor_parallel.h}. */
    private static long[] arguments(RankContext rank, Shape shape, int round) {
        return new long[] {
            rank.buffer("x").address(),
            rank.buffer("w").address(),
            rank.buffer("partials").address(),
            rank.buffer("w1").address(),
            rank.buffer("w2").address(),
            rank.buffer("out").address(),
            rank.semaphoreBase(),
            rank.communicator().deviceContext(),
            round,
            shape.rows(),
            shape.innerOf(rank.worldSize()),
            shape.columns(),
            shape.hidden(),
            rank.buffer("out").type() == DType.FLOAT16 ? 1 : 0
        };
    }
}
