package org.example;

import java.util.List;
import java.util.Optional;
import org.rankunit.coll.CollectiveAlgorithm;
import org.rankunit.coll.Link;
import org.rankunit.coll.Orchestration;
import org.rankunit.coll.Resources;
import org.rankunit.coll.TaskStream;
import org.rankunit.coll.call.BufferKind;
import org.rankunit.coll.call.Collective;
import org.rankunit.coll.call.CollectiveCall;
import org.rankunit.coll.call.MemoryMode;
import org.rankunit.coll.call.Slice;

/** Every rank writes its slice to the next one, and forwards what it gets. */
public final class MyRingAllGather implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.ALL_GATHER;
    }

    @Override
    public Optional<String> whyNot(CollectiveCall call) {
        return call.memory() == MemoryMode.WINDOWS && call.ranks() > 2
                ? Optional.empty()
                : Optional.of("needs buffers in windows and three ranks");
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        int n = call.ranks();
        return Resources.onMainStream(List.of((rank + n - 1) % n, (rank + 1) % n));
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        int n = call.ranks();
        TaskStream main = self.main();
        Link left = self.link((self.rank() + n - 1) % n);
        Link right = self.link((self.rank() + 1) % n);
        main.copy(self.input(), self.output().part(call.partOf(self.rank())));
        for (int step = 0; step < n - 1; step++) {
            Slice slice = call.partOf(Math.floorMod(self.rank() - step, n));
            main.txAck(left); // my output may be written
            main.rxAck(right); // so may that of the next rank
            main.put(
                    right,
                    self.output().part(slice),
                    self.buffer(BufferKind.OUTPUT, right.peer()).part(slice));
            main.txDataSignal(right); // it has been written
            main.rxDataSignal(left); // so has mine
            main.txDataAck(left); // between servers: it has arrived
            main.rxDataAck(right);
        }
    }
}
