package org.rankunit.engine.protocol.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.rankunit.engine.config.ConfigurationException;
import org.rankunit.engine.config.Settings;
import org.rankunit.engine.protocol.FileRequest;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.ToRank;
import org.rankunit.rules.FuzzTarget;
import org.rankunit.rules.FuzzedReaders;

/** What ranks and people say to the engine. */
class ReaderFuzzTest extends FuzzedReaders {

    private static final RecordCodec CODEC = new RecordCodec();

    @Override
    protected List<FuzzTarget<?>> targets() throws IOException {
        return List.of(
                frames("frames-from-rank", FromRank.class),
                frames("frames-to-rank", ToRank.class),
                fileRequests(),
                settings());
    }

    /** All messages of a connection, which end with the first one that is none. */
    private static <T> FuzzTarget<?> frames(String name, Class<T> declared) throws IOException {
        FuzzTarget<?> target = FuzzTarget.ofBytes(name, input -> received(input, declared))
                .refusesWith(IOException.class)
                .then(messages -> {
                    for (T message : messages) {
                        byte[] again = CODEC.encode((Record) message, declared);
                        assertThat(CODEC.decode(again, declared)).isEqualTo(message);
                    }
                });
        Messages messages = new Messages(7);
        for (int seed = 0; seed < 40; seed++) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (int i = 0; i < 2; i++) {
                byte[] frame = Frames.wrap(CODEC.encode(messages.next(declared), declared))
                        .array();
                if (frame.length < 4_000) {
                    bytes.writeBytes(frame);
                }
            }
            target.from(bytes.toByteArray());
        }
        return target.from(new byte[] {-1, -1, -1, -1}).from(new byte[] {0, 0, 0, 2, '[', '['});
    }

    private static <T> List<T> received(byte[] input, Class<T> declared) throws IOException {
        Frames frames = new Frames();
        frames.add(ByteBuffer.wrap(input));
        List<T> messages = new ArrayList<>();
        for (byte[] next = frames.next(); next != null; next = frames.next()) {
            // An empty one is a sign of life.
            if (next.length > 0) {
                messages.add(CODEC.decode(next, declared));
            }
        }
        return messages;
    }

    private static FuzzTarget<?> fileRequests() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        FileRequest.send(new FileRequest.Read(Path.of("/a/b")), out);
        FileRequest.send(new FileRequest.List(Path.of("c")), out);
        FileRequest.send(new FileRequest.Write(Path.of("d"), 100, 10, 20), out);
        FileRequest.send(new FileRequest.Remove(Path.of("e")), out);
        return FuzzTarget.ofBytes("file-requests", input -> {
                    DataInputStream in = new DataInputStream(new ByteArrayInputStream(input));
                    List<FileRequest> requests = new ArrayList<>();
                    while (true) {
                        try {
                            requests.add(FileRequest.receive(in));
                        } catch (EOFException e) {
                            return requests;
                        }
                    }
                })
                .refusesWith(IOException.class)
                .then(requests -> {
                    ByteArrayOutputStream again = new ByteArrayOutputStream();
                    for (FileRequest request : requests) {
                        FileRequest.send(request, new DataOutputStream(again));
                    }
                    DataInputStream in = new DataInputStream(new ByteArrayInputStream(again.toByteArray()));
                    for (FileRequest request : requests) {
                        assertThat(FileRequest.receive(in)).isEqualTo(request);
                    }
                })
                .from(bytes.toByteArray());
    }

    /** A line for each key. */
    private static FuzzTarget<?> settings() {
        return FuzzTarget.ofBytes("settings", "rankunit", input -> {
                    Map<String, String> keys = new TreeMap<>();
                    for (String line : new String(input, UTF_8).lines().toList()) {
                        int equals = line.indexOf('=');
                        if (equals > 0 && line.startsWith("rankunit.")) {
                            keys.put(line.substring(0, equals), line.substring(equals + 1));
                        }
                    }
                    return Settings.read(key -> Optional.ofNullable(keys.get(key)), keys.keySet());
                })
                .rounds(1_000)
                .refusesWith(ConfigurationException.class)
                .from("""
                        rankunit.test-timeout=90s
                        rankunit.session-timeout=50m
                        rankunit.window-size=200MiB
                        rankunit.lease-timeout=1h
                        rankunit.only-world-sizes=2,4
                        rankunit.shard=2/5
                        rankunit.manual-ranks=0,1
                        rankunit.debug=0:5005,1
                        rankunit.sim.faults=3:507015,5:hang
                        rankunit.sim.record-size=64KiB
                        rankunit.sim.shake=random:7
                        rankunit.jvm-args=-Xmx1g -ea
                        rankunit.devices=0-3
                        """, """
                        rankunit.world-size=4
                        rankunit.rounds=10
                        rankunit.max-parallel=3
                        rankunit.durations=target/durations.json
                        rankunit.timeline=all
                        rankunit.sim.shake=from:1001
                        rankunit.test-timeout=1500ms
                        rankunit.platform=a2a3sim
                        """, "rankunit.durations=/\0", "rankunit.test-timeout=\u0661\u0662s");
    }
}
