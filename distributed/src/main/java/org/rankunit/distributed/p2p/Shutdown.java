package org.rankunit.distributed.p2p;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.rankunit.comm.CommError;
import org.rankunit.comm.CommException;

/** The end of the messages of this member. Used by one thread. */
final class Shutdown {

    private final int own;

    /** Each completes with what this member did wrong, for people. */
    private final List<CompletableFuture<List<String>>> faults = new ArrayList<>();

    private final List<RuntimeException> failures = new ArrayList<>();

    /** @param own the number of this member */
    Shutdown(int own) {
        this.own = own;
    }

    void end(Outbox outbox) {
        String sender = "this member (" + own + "), which closes the group without sending it";
        faults.add(outbox.end()
                .thenApply(wanted -> wanted.stream()
                        .map(text -> outbox.peer() + " waits in irecv of " + text + " from " + sender)
                        .toList()));
    }

    void end(Inbox inbox) {
        String receiver = "this member (" + own + ") has not received before it closes the group";
        faults.add(inbox.drain()
                .thenApply(refused -> refused.isEmpty()
                        ? List.of()
                        : List.of(inbox.peer() + " sent " + String.join(", ", refused) + ", which " + receiver)));
    }

    /** Do something whose failure must not keep the rest from being done. */
    void attempt(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            failures.add(e);
        }
    }

    /** Wait for the end of all channels. */
    void await() {
        List<String> texts = new ArrayList<>();
        faults.forEach(
                each -> Transfer.failureOf(each).ifPresentOrElse(failures::add, () -> texts.addAll(each.join())));
        if (!texts.isEmpty()) {
            failures.add(0, new CommException(CommError.MISMATCH, String.join("\n", texts)));
        }
    }

    void unseen(List<Transfer> transfers) {
        transfers.forEach(each -> each.unseenFailure().ifPresent(failures::add));
    }

    /** What this member did wrong leads, since failures of its messages may follow from what others did. */
    void throwFirst() {
        if (failures.isEmpty()) {
            return;
        }
        RuntimeException first = failures.get(0);
        failures.stream().skip(1).filter(each -> each != first).forEach(first::addSuppressed);
        throw first;
    }
}
