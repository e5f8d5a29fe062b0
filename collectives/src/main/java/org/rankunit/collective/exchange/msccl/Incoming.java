package org.rankunit.collective.exchange.msccl;

import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.exchange.msccl.program.Connection;

/** The receiving end of a connection. */
final class Incoming {

    private final Connection connection;
    private final Layout layout;
    private final Orchestration self;
    private final TaskStream stream;
    private int received;

    Incoming(Connection connection, Layout layout, Orchestration self, TaskStream stream) {
        this.connection = connection;
        this.layout = layout;
        this.self = self;
        this.stream = stream;
    }

    private Link link(int slot) {
        return self.link(connection.from(), connection.firstLink() + slot);
    }

    /** Say that all slots are free. */
    void begin() {
        for (int slot = 0; slot < connection.slots(); slot++) {
            stream.txAck(link(slot));
        }
    }

    /** Wait for the next message, and get its slot. */
    Region receive(long bytes) {
        int slot = received % connection.slots();
        stream.rxDataSignal(link(slot));
        return layout.inbox(connection, slot, bytes);
    }

    /** The slot of the message is free again. */
    void release() {
        Link link = link(received % connection.slots());
        stream.txDataAck(link);
        if (received + connection.slots() < connection.messages()) {
            stream.txAck(link);
        }
        received++;
    }
}
