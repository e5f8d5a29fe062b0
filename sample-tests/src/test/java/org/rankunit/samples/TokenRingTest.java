package org.rankunit.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.DType.INT32;
import static org.rankunit.Placement.WINDOW;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.Buffer;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.Window;
import org.rankunit.comm.WindowView;
import org.rankunit.device.Comparison;
import org.rankunit.device.Notify;
import org.rankunit.device.SignalOperation;
import org.rankunit.device.Stream;

/**
 * A token goes around the ranks: each rank copies it from its own window to that of the next rank, on a stream, and tells
 * that rank. No host takes part between the start and the end of a test.
 */
@Tag("downstream")
@DeviceCount({2, 4, 8})
@Platforms({"a2a3sim", "a5sim"})
@Window(syncPrefix = 256)
@Buffer(name = "token", type = INT32, count = 1, placement = WINDOW)
class TokenRingTest {

    private static final int ROUNDS = 5;

    private static final int TOKEN = 4711;

    /**
     * The cell at the start of each window holds the round in which the token has come. Waiting for the number of the
     * round keeps the signal of one round from letting the next one through.
     */
    @Test
    void aTokenGoesAroundBySignals(RankContext rank) {
        long ownCell = rank.communicator().windowBase();
        long nextCell = windowOfNext(rank).address();
        long ownToken = rank.buffer("token").address();
        if (rank.rank() == 0) {
            rank.buffer("token").write(new int[] {TOKEN});
        }
        rank.barrier();

        try (Stream stream = rank.device().createStream()) {
            for (int round = 1; round <= ROUNDS; round++) {
                int beforeThis = rank.rank() == 0 ? round - 1 : round;
                stream.waitUntil(ownCell, Comparison.EQ, beforeThis);
                stream.copy(nextCell + (ownToken - ownCell), ownToken, Integer.BYTES);
                stream.signal(nextCell, SignalOperation.SET, round);
            }
            stream.synchronize();
        }
        rank.barrier();

        assertThat(rank.buffer("token").readInts()).containsExactly(TOKEN);
        assertThat(rank.communicator().window(rank.rank()).getInt(0)).isEqualTo(ROUNDS);
    }

    @Test
    void aTokenGoesAroundByNotifies(RankContext rank) {
        try (Notify own = rank.device().createNotify();
                Stream stream = rank.device().createStream()) {
            Notify next = rank.device().importNotify(exchangeKeys(rank, own.exportKey()));
            for (int round = 1; round <= ROUNDS; round++) {
                if (rank.rank() != 0) {
                    stream.waitFor(own);
                }
                stream.post(next);
                if (rank.rank() == 0) {
                    stream.waitFor(own);
                }
            }
            stream.synchronize();
            rank.barrier();
            next.close();
        }
    }

    /** Puts this rank's key into its window, and returns that of the next rank. */
    private static String exchangeKeys(RankContext rank, String key) {
        WindowView own = rank.communicator().window(rank.rank());
        own.put(0, (key + '\n').getBytes(StandardCharsets.US_ASCII));
        rank.barrier();
        byte[] text = new byte[128];
        windowOfNext(rank).get(0, text);
        return new String(text, StandardCharsets.US_ASCII).lines().findFirst().orElseThrow();
    }

    private static WindowView windowOfNext(RankContext rank) {
        return rank.communicator().window((rank.rank() + 1) % rank.worldSize());
    }
}
