package org.rankunit.distributed.pe.run;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What a process says when none of its lanes can go on.
 *
 * @param ended whether all of them have ended
 * @param failures of kernels, a line each
 * @param waits what lanes wait for, a line each
 * @param packets for lanes of other processes
 */
record RoundReport(boolean ended, List<String> failures, List<String> waits, List<Packet> packets) {

    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeBoolean(ended);
            writeLines(out, failures);
            writeLines(out, waits);
            out.write(Packet.encode(packets));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static RoundReport decode(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            return new RoundReport(in.readBoolean(), readLines(in), readLines(in), Packet.decode(in.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void writeLines(DataOutputStream out, List<String> lines) throws IOException {
        out.writeInt(lines.size());
        for (String line : lines) {
            byte[] text = line.getBytes(StandardCharsets.UTF_8);
            out.writeInt(text.length);
            out.write(text);
        }
    }

    private static List<String> readLines(DataInputStream in) throws IOException {
        List<String> lines = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            lines.add(new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8));
        }
        return lines;
    }
}
