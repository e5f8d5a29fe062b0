package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.rankunit.engine.collect.DurationsFile;
import org.rankunit.engine.launch.ExitStatus;
import org.rankunit.engine.launch.crash.CrashReport;
import org.rankunit.engine.launch.crash.ProcessEnd;
import org.rankunit.engine.plan.Durations;
import org.rankunit.engine.plan.Recorded;
import org.rankunit.engine.protocol.wire.RecordCodec;
import org.rankunit.engine.report.RunReport;
import org.rankunit.engine.report.html.SampleReports;
import org.rankunit.engine.report.json.JsonReport;
import org.rankunit.engine.timeline.EventLogFile;
import org.rankunit.engine.timeline.LogWriter;
import org.rankunit.rules.FuzzTarget;
import org.rankunit.rules.FuzzedReaders;

/** What other runs, ranks and the JVM leave for the engine. */
class ReaderFuzzTest extends FuzzedReaders {

    private static final RecordCodec CODEC = new RecordCodec();

    @Override
    protected List<FuzzTarget<?>> targets() throws IOException {
        return List.of(report(), durations(), eventLog(), crashReport());
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
}
