package org.rankunit.distributed.pe.run;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.distributed.pe.Direction;

/** What goes from one processing element to another. */
sealed interface Packet {

    /** The processing element that gets it. */
    int to();

    /** The queue pair of {@link #to} that it is for. */
    Direction end();

    /** Messages of a queue are numbered from 0. */
    long number();

    /** Modelled time of its arrival in nanoseconds. */
    double arrival();

    /** Data for a slot. */
    record Message(int to, Direction end, long number, double arrival, Values values) implements Packet {}

    /** The slot of a message is free again. */
    record Credit(int to, Direction end, long number, double arrival) implements Packet {}

    /** Encode packets for another process. */
    static byte[] encode(List<Packet> packets) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(packets.size());
            for (Packet packet : packets) {
                out.writeInt(packet.to());
                out.writeUTF(packet.end().name());
                out.writeLong(packet.number());
                out.writeDouble(packet.arrival());
                out.writeBoolean(packet instanceof Message);
                if (packet instanceof Message message) {
                    byte[] data = message.values().encode();
                    out.writeUTF(message.values().type().name());
                    out.writeInt(data.length);
                    out.write(data);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static List<Packet> decode(byte[] bytes) {
        List<Packet> packets = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            for (int left = in.readInt(); left > 0; left--) {
                int to = in.readInt();
                Direction end = Direction.valueOf(in.readUTF());
                long number = in.readLong();
                double arrival = in.readDouble();
                if (in.readBoolean()) {
                    DType type = DType.valueOf(in.readUTF());
                    Values values = Values.decode(type, in.readNBytes(in.readInt()));
                    packets.add(new Message(to, end, number, arrival, values));
                } else {
                    packets.add(new Credit(to, end, number, arrival));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packets;
    }
}
