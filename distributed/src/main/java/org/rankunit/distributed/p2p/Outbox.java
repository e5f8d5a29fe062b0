package org.rankunit.distributed.p2p;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The sender's end of a channel. A piece is in the peer's slot until the peer has answered it; then comes the next one. */
final class Outbox extends Channel {

    Outbox(Ends ends) {
        super(ends);
    }

    /** Send a message after those before it; done when the peer has taken it. */
    Transfer send(MessageBuffer message) {
        String what = "isend of " + message.text() + " to " + peer();
        return new Transfer(later(what, () -> deliver(what, message)));
    }

    private void deliver(String what, MessageBuffer message) {
        long done = 0;
        do {
            if (isClosed()) {
                throw leftUnreceived(what);
            }
            int part = (int) Math.min(message.bytes() - done, ends().kind().pieceBytes());
            Receipt receipt = pass(new Envelope(false, message.type(), message.count(), part), message, done);
            switch (receipt.answer()) {
                case TAKEN -> done += part;
                case MISMATCH ->
                    throw mismatch(
                            what,
                            "this member (" + ends().own() + ") sent " + message.text(),
                            peer() + " receives " + receipt.text());
                default -> {
                    closedByPeer();
                    throw leftUnreceived(what);
                }
            }
        } while (done < message.bytes());
    }

    private RuntimeException leftUnreceived(String what) {
        return peerLeft(what, peer() + " has closed the group without receiving it");
    }

    /** Pass a piece and wait for the answer. */
    private Receipt pass(Envelope envelope, MessageBuffer message, long offset) {
        Ends ends = ends();
        envelope.writeTo(envelope());
        stream().copyIn(ends.slots().envelope(ends.kind(), ends.own(), peer().member()), envelope());
        if (envelope.bytes() > 0) {
            message.copyTo(
                    ends.slots().piece(ends.kind(), ends.own(), peer().member()), stream(), offset, envelope.bytes());
        }
        stream().post(ends.signals().ready());
        stream().waitFor(ends.signals().taken());
        stream().copyOut(receipt(), ends.slots().receipt(ends.kind(), ends.own(), peer().member()));
        synchronize();
        return Receipt.readFrom(receipt());
    }

    /** Say after all messages that no more come. Completes with what the peer still wanted, for people. */
    CompletableFuture<Optional<String>> end() {
        List<String> wanted = new ArrayList<>();
        return later("the end of messages to " + peer(), () -> {
                    Receipt receipt = pass(Envelope.END, new MessageBuffer.OnDevice(Envelope.END.type(), 0, 0), 0);
                    if (receipt.answer() == Receipt.Answer.WANTED) {
                        wanted.add(receipt.text());
                    }
                })
                .thenApply(done -> wanted.stream().findFirst());
    }
}
