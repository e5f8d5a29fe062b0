package org.rankunit.engine.control.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.rankunit.engine.config.ConfigurationException;
import org.rankunit.engine.config.Settings;
import org.rankunit.engine.control.FromRank;
import org.rankunit.engine.control.ToRank;
import org.rankunit.engine.control.files.FileRequest;
import org.rankunit.engine.launch.ExitStatus;
import org.rankunit.engine.launch.crash.CrashReport;
import org.rankunit.engine.launch.crash.ProcessEnd;
import org.rankunit.engine.plan.Durations;
import org.rankunit.engine.plan.Recorded;
import org.rankunit.engine.report.RunReport;
import org.rankunit.engine.report.html.SampleReports;
import org.rankunit.engine.report.json.JsonReport;
import org.rankunit.engine.report.store.DurationsFile;
import org.rankunit.engine.timeline.EventLogFile;
import org.rankunit.engine.timeline.LogWriter;
import org.rankunit.rules.FuzzTarget;
import org.rankunit.rules.FuzzedReaders;

/** What ranks, other runs and people say to the engine. */
class ReaderFuzzTest extends FuzzedReaders {

    private static final RecordCodec CODEC = new RecordCodec();

    @Override
    protected List<FuzzTarget<?>> targets() throws IOException {
        return List.of(
                frames("frames-from-rank", FromRank.class),
                frames("frames-to-rank", ToRank.class),
                fileRequests(),
                report(),
                durations(),
                eventLog(),
                crashReport(),
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

    private static FuzzTarget<?> report() throws IOException {
        return SampleReports.addTo(FuzzTarget.ofFile("report", "report.json", new JsonReport()::read)
                // Who reads several of them tells which one it was.
                .naming("")
                .rounds(1_000)
                .refusesWith(IOException.class)
                .then(ReaderFuzzTest::requireRoundTrip));
    }

    /** It can be written and read again. */
    private static void requireRoundTrip(RunReport report) throws IOException {
        Path file = Files.createTempFile("report", ".json");
        new JsonReport().write(report, file);
        assertThat(new JsonReport().read(file)).isEqualTo(report);
        Files.delete(file);
    }

    /** No run fails because of its file; what is wrong with one that a user named is printed. */
    private static FuzzTarget<?> durations() throws IOException {
        Recorded recorded = Recorded.first("a2a3sim", 4, LocalDate.of(2026, 11, 28), 1_500_000);
        Durations durations =
                Durations.of(Map.of("SomeTest", Map.of("sums [4 ranks]", recorded)), Map.of("4 ranks", recorded));
        return FuzzTarget.ofFile("durations", "durations.json", file -> {
                    List<String> printed = new ArrayList<>();
                    Durations read = new DurationsFile(file, true, printed::add).read();
                    assertThat(printed).allMatch(line -> line.contains("durations.json"));
                    return read;
                })
                .then(read -> assertThat(CODEC.decode(CODEC.encode(read, Durations.class), Durations.class))
                        .isEqualTo(read))
                .then(read -> assertThat(DurationsFile.fingerprint(read.with(durations, Durations.NONE)))
                        .hasSize(8))
                .from(CODEC.encodePretty(durations));
    }

    private static FuzzTarget<?> eventLog() throws IOException {
        LogWriter writer = new LogWriter();
        int name = writer.text("a name that is longer than one part of a text in a log");
        writer.event(2, 1, 5, 5, 1, name);
        for (int kind = 3; kind < 64; kind++) {
            writer.event(kind, 1, kind, kind + 1, 1, 2, 3, 4, 5);
        }
        Path file = writer.write(Files.createTempFile("events", ".log"));
        byte[] log = Files.readAllBytes(file);
        LogWriter many = new LogWriter();
        for (int text = 1; text < 6_000; text++) {
            // Each says that it is as long as the whole log.
            many.event(1, 6_000 * 32, 0, 0, LogWriter.halves(text, 0));
        }
        byte[] longTexts = Files.readAllBytes(many.write(file));
        Files.delete(file);
        return FuzzTarget.ofFile("event-log", "events.log", EventLogFile::open)
                .rounds(1_000)
                .refusesWith(IOException.class)
                .then(events -> events.forEach(0, event -> Objects.requireNonNull(event.toString())))
                .from(log)
                .fromLarge(longTexts);
    }

    /** What a JVM has written that native code has crashed, and in which rank it may have written anywhere. */
    private static FuzzTarget<?> crashReport() {
        return FuzzTarget.ofFile(
                        "crash-report",
                        "hs_err.log",
                        file -> ProcessEnd.describe(new ExitStatus(134), file, file.resolveSibling("kernels"))
                                + CrashReport.head(file).orElseThrow())
                .rounds(300)
                .then(text -> assertThat(text).contains("hs_err.log"))
                .from("""
                        #
                        #  SIGSEGV (0xb) at pc=0x00007f94199c4105, pid=31726, tid=31729
                        #
                        # Problematic frame:
                        # C  [libscale.so+0x1105]  deep(int volatile*)+0xc
                        #
                        Native frames: (J=compiled Java code, j=interpreted, Vv=VM code, C=native code)
                        C  [libscale.so+0x1105]  deep(int volatile*)+0xc
                        C  [libc.so.6+0x2a1ca]
                        C  [librankunit_sim.so+0x9044]  rankunit_launch+0x20
                        j  com.sun.jna.Native.invokeInt(Lcom/sun/jna/Function;JI[Ljava/lang/Object;)I+0
                        J 120 c1 org.rankunit.device.Device.launch(JI)V (52 bytes) @ 0x00007f9e1 [0x00007f9e0+0x40]
                        v  ~StubRoutines::call_stub

                        7f9400000000-7f9400001000 r-xp 00000000 00:2f 1234 /tmp/libscale.so
                        """, "#  SIGSEGV (0xb) at pc=0, pid=1, tid=99999999999\n");
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
                        rankunit.ranks=2,4
                        rankunit.shard=2/5
                        rankunit.start-by-hand=0,1
                        rankunit.debug=0:5005,1
                        rankunit.simulator-faults=3:507015,5:hang
                        rankunit.sim.record-size=64KiB
                        rankunit.sim.shake=random:7
                        rankunit.jvm-args=-Xmx1g -ea
                        rankunit.devices=0-3
                        """, """
                        rankunit.nranks=4
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
