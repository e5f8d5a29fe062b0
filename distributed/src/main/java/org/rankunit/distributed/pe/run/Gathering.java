package org.rankunit.distributed.pe.run;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** Exchanges byte arrays of all ranks, each of which is in one process. */
final class Gathering {

    private Gathering() {}

    /** @param own by rank; those of {@code local} are given */
    static List<byte[]> of(SipExchange exchange, List<Integer> local, byte[][] own) {
        int bytes = local.stream()
                .mapToInt(rank -> 2 * Integer.BYTES + own[rank].length)
                .sum();
        ByteBuffer packed = ByteBuffer.allocate(bytes);
        for (int rank : local) {
            packed.putInt(rank).putInt(own[rank].length).put(own[rank]);
        }
        byte[][] all = new byte[own.length][];
        for (byte[] part : exchange.allGather(packed.array())) {
            ByteBuffer unpacked = ByteBuffer.wrap(part);
            while (unpacked.hasRemaining()) {
                int rank = unpacked.getInt();
                all[rank] = new byte[unpacked.getInt()];
                unpacked.get(all[rank]);
            }
        }
        return Arrays.asList(all);
    }
}
