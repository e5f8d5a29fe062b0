package org.rankunit.distributed.p2p;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The receiver's end of a channel. */
final class Inbox extends Channel {

    Inbox(Ends ends) {
        super(ends);
    }

    /** Receive the next message; done when it is there. */
    Transfer receive(MessageBuffer message) {
        String what = "irecv of " + message.text() + " from " + peer();
        return new Transfer(later(what, () -> take(what, message)));
    }

    private void take(String what, MessageBuffer message) {
        long done = 0;
        do {
            if (isClosed()) {
                throw neverSent(what);
            }
            Envelope envelope = next();
            if (envelope.isEnd()) {
                closedByPeer();
                answer(Receipt.of(Receipt.Answer.WANTED, message));
                throw neverSent(what);
            }
            if (!envelope.matches(message)) {
                answer(Receipt.of(Receipt.Answer.MISMATCH, message));
                throw mismatch(
                        what,
                        peer() + " sent " + envelope.text(),
                        "this member (" + ends().own() + ") receives " + message.text());
            }
            if (envelope.bytes() > 0) {
                message.copyFrom(
                        ends().slots().piece(ends().kind(), peer().member(), ends().own()),
                        stream(),
                        done,
                        envelope.bytes());
            }
            answer(Receipt.of(Receipt.Answer.TAKEN));
            done += envelope.bytes();
        } while (done < message.bytes());
    }

    private RuntimeException neverSent(String what) {
        return peerLeft(what, peer() + " has closed the group without sending it");
    }

    private Envelope next() {
        stream().waitFor(ends().signals().ready());
        stream().copyOut(envelope(), ends().slots().envelope(ends().kind(), peer().member(), ends().own()));
        synchronize();
        return Envelope.readFrom(envelope());
    }

    private void answer(Receipt receipt) {
        receipt.writeTo(receipt());
        stream().copyIn(ends().slots().receipt(ends().kind(), peer().member(), ends().own()), receipt());
        stream().post(ends().signals().taken());
        synchronize();
    }

    /** Refuse all further messages, until the peer says that no more come. Completes with those messages, for people. */
    CompletableFuture<List<String>> drain() {
        List<String> refused = new ArrayList<>();
        return later("the end of messages from " + peer(), () -> {
                    while (!isClosed()) {
                        Envelope envelope = next();
                        if (envelope.isEnd()) {
                            closedByPeer();
                            answer(Receipt.of(Receipt.Answer.TAKEN));
                        } else {
                            refused.add(envelope.text());
                            answer(Receipt.of(Receipt.Answer.CLOSED));
                        }
                    }
                })
                .thenApply(done -> refused);
    }
}
