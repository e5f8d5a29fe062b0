package org.rankunit.collective.simulate;

import java.util.List;
import java.util.stream.IntStream;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.Signal;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/** All ranks write to rank 0, each after it has copied a number of bytes of its own. */
record LateWrites(List<Long> copied) implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.GATHER;
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        return Resources.onMainStream(
                        rank == 0 ? IntStream.range(1, call.ranks()).boxed().toList() : List.of(0))
                .withScratch(call.inputBytes(rank));
    }

    @Override
    public void orchestrate(Orchestration self) {
        if (self.rank() == 0) {
            for (int rank = 1; rank < self.call().ranks(); rank++) {
                self.main().waitFor(self.link(rank), Signal.DATA_SIGNAL);
            }
            return;
        }
        long late = copied.get(self.rank());
        self.main()
                .copy(
                        self.input().part(0, late),
                        self.buffer(BufferKind.SCRATCH).part(0, late));
        Region slot = self.buffer(BufferKind.OUTPUT, 0).part(self.call().partOf(self.rank()));
        self.main().put(self.link(0), self.input(), slot);
        self.main().post(self.link(0), Signal.DATA_SIGNAL);
    }
}
