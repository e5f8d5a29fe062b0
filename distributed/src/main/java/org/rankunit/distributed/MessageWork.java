package org.rankunit.distributed;

import java.time.Duration;
import java.util.OptionalDouble;
import org.rankunit.distributed.p2p.Transfer;

/** A message on its way. Once it has been waited for, closing the group does not tell how it ended. */
final class MessageWork implements Work {

    private final Transfer transfer;
    private final Work work;

    MessageWork(Transfer transfer) {
        this.transfer = transfer;
        this.work = new FutureWork<>(transfer.done(), done -> OptionalDouble.empty());
    }

    @Override
    public boolean isCompleted() {
        return work.isCompleted();
    }

    @Override
    public void await() {
        transfer.seen();
        work.await();
    }

    @Override
    public boolean await(Duration limit) {
        boolean ended = false;
        try {
            ended = work.await(limit);
            return ended;
        } finally {
            if (ended || work.isCompleted()) {
                transfer.seen();
            }
        }
    }

    @Override
    public OptionalDouble modelledNanoseconds() {
        await();
        return OptionalDouble.empty();
    }
}
