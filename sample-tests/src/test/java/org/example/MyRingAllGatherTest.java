package org.example;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.Values;
import org.rankunit.coll.call.Collective;
import org.rankunit.coll.call.CollectiveCall;
import org.rankunit.coll.run.Collectives;

@Tag("downstream")
@DeviceCount(4)
@Platforms("a2a3sim")
class MyRingAllGatherTest {

    @Test
    void everyRankGetsTheDataOfAllRanks(RankContext rank) {
        CollectiveCall call = CollectiveCall.of(Collective.ALL_GATHER, rank.rankCount(), DType.INT32, 2);
        // Offsets in the windows, the same on all ranks: the output follows the input.
        long input = 0;
        long output = call.inputBytes(rank.rank());
        long window = rank.communicator().windowBase();
        byte[] own = Values.int32(10 * rank.rank(), 10 * rank.rank() + 1).encode();
        rank.device().copyIn(window + input, own, 0, own.length);

        try (Collectives collectives = new Collectives(rank.communicator())) {
            collectives.run("my ring", new MyRingAllGather(), call, input, output);
        }

        byte[] all = new byte[(int) call.outputBytes(rank.rank())];
        rank.device().copyOut(window + output, all, 0, all.length);
        assertThat(Values.decode(DType.INT32, all)).isEqualTo(Values.int32(0, 1, 10, 11, 20, 21, 30, 31));
    }
}
