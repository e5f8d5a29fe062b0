package org.rankunit.collective.exchange.msccl;

import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.Signal;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.exchange.msccl.program.Connection;

/**
 * The sending end of a connection. A message is written into a slot of the receiver, who has said that the slot is free, and goes on
 * from there; so a sender does not wait for the receive of its message, only for that of an earlier one.
 */
final class Outgoing {

    private final Connection connection;
    private final Layout layout;
    private final Orchestration self;
    private final TaskStream stream;
    private int sent;

    Outgoing(Connection connection, Layout layout, Orchestration self, TaskStream stream) {
        this.connection = connection;
        this.layout = layout;
        this.self = self;
        this.stream = stream;
    }

    private Link link(int slot) {
        return self.link(connection.to(), connection.firstLink() + slot);
    }

    /** Wait for a free slot. */
    void await() {
        int slot = sent % connection.slots();
        if (sent >= connection.slots()) {
            stream.rxDataAck(link(slot));
        }
        stream.rxAck(link(slot));
    }

    void send(Region source) {
        int slot = sent % connection.slots();
        Link link = link(slot);
        Region leaves = source;
        if (link.medium().has(Signal.DATA_ACK)) {
            leaves = layout.outbox(connection, slot, source.bytes());
            stream.copy(source, leaves);
        }
        stream.put(link, leaves, layout.inbox(connection, slot, source.bytes()));
        stream.txDataSignal(link);
        sent++;
    }

    /** Wait until all messages have arrived at other servers. */
    void end() {
        for (int message = Math.max(0, sent - connection.slots()); message < sent; message++) {
            stream.rxDataAck(link(message % connection.slots()));
        }
    }
}
