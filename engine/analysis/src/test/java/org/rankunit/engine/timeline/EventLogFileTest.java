package org.rankunit.engine.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.timeline.LoggedEvent.Moment;

@Tag("unit")
class EventLogFileTest {

    private static final Path FORMAT = Path.of(System.getProperty("basedir", ""))
            .toAbsolutePath()
            .resolve("../../native-comm/src/main/cpp/record/format.h");

    @TempDir
    Path folder;

    private static List<LoggedEvent> all(EventLogFile log) {
        List<LoggedEvent> events = new ArrayList<>();
        log.forEach(0, events::add);
        return events;
    }

    @Test
    void eventsAreReadInTheirOrderWithTheirTexts() throws IOException {
        LogWriter writer = new LogWriter();
        int longText = writer.text("a kernel whose name is longer than one event can hold");
        writer.event(12, 7, 100, 200, 3, 0x1000, 0x2000, 64)
                .event(31, 7, 100, 300, 0x30, 3, 0xffff_fffeL, 5, LogWriter.halves(-1, 2))
                .event(21, 9, 400, 400, 11, 1, longText);

        EventLogFile log = EventLogFile.open(writer.write(folder.resolve("log")));

        assertThat(all(log))
                .containsExactly(
                        new LoggedEvent.Copy(new Moment(2, 100, 200, 7), LoggedEvent.Way.ACROSS, 0x1000, 0x2000, 64, 0),
                        new LoggedEvent.Wait(new Moment(3, 100, 300, 7), 0x30, 3, -2, 5, -1, LoggedEvent.Look.TASK),
                        new LoggedEvent.WorkBegin(
                                new Moment(4, 400, 400, 9), 11, LoggedEvent.WorkKind.LAUNCH, longText, 0));
        assertThat(log.text(longText)).isEqualTo("a kernel whose name is longer than one event can hold");
        assertThat(log.text(0)).isEmpty();
        assertThat(log.dropped()).isZero();
    }

    @Test
    void anEventThatIsBeingWrittenAndAKindOfALaterVersionAreLeftOut() throws IOException {
        Path file = new LogWriter()
                .event(0, 1, 2, 3, 4)
                .event(63, 1, 2, 3, 4)
                .event(11, 1, 2, 3, 4)
                .write(folder.resolve("log"));

        assertThat(all(EventLogFile.open(file))).containsExactly(new LoggedEvent.Free(new Moment(2, 2, 3, 1), 4, 0));
    }

    @Test
    void aFullLogTellsHowMuchIsMissing() throws IOException {
        Path file = new LogWriter().event(11, 0, 1, 1, 4).drop(12).write(folder.resolve("log"));

        assertThat(EventLogFile.open(file).dropped()).isEqualTo(12);
        assertThat(all(EventLogFile.open(file))).hasSize(1);
    }

    /** A rank may write anywhere in its memory, and its log is part of that. */
    @Test
    void aLogWithRandomNumbersInItIsReadAsFarAsItIsOne() throws IOException {
        Random random = new Random(20_261_128);
        LogWriter writer = new LogWriter();
        writer.text("a kernel whose name is longer than one event can hold");
        for (EventKind kind : EventKind.values()) {
            writer.event(kind.number(), 7, 100, 200, 1, 1, 1, 1, 1);
        }
        byte[] whole = Files.readAllBytes(writer.write(folder.resolve("log")));
        int most = all(EventLogFile.open(folder.resolve("log"))).size();
        int fewer = 0;
        for (int round = 0; round < 2_000; round++) {
            byte[] damaged = whole.clone();
            for (int change = random.nextInt(8); change >= 0; change--) {
                // Not the magic number and the version; the rest of the header, or an event.
                int at = random.nextInt(4) == 0
                        ? 16 + random.nextInt(40)
                        : EventLogFile.HEADER_BYTES + random.nextInt(whole.length - EventLogFile.HEADER_BYTES);
                damaged[at] = (byte) random.nextInt();
            }
            Path file = Files.write(folder.resolve("damaged"), damaged);
            EventLogFile log = EventLogFile.open(file);
            log.refresh();
            int read = all(log).size();
            assertThat(read).isLessThanOrEqualTo(whole.length / EventLogFile.EVENT_BYTES);
            assertThat(log.text(1)).isNotNull();
            fewer += read < most ? 1 : 0;
        }
        assertThat(fewer).isPositive();
    }

    @Test
    void anotherFileIsRefused() throws IOException {
        Path small = Files.writeString(folder.resolve("small"), "no log");
        Path other = Files.write(folder.resolve("other"), new byte[EventLogFile.HEADER_BYTES]);

        assertThatThrownBy(() -> EventLogFile.open(small)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> EventLogFile.open(other))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not a log of events of version 2");
    }

    /** The header is the only description of the format; a number that differs would be read as something else. */
    @Test
    void theNumbersAreThoseOfTheNativeHeader() throws IOException {
        String header = Files.readString(FORMAT);
        Map<String, Integer> kinds = new TreeMap<>();
        String list = header.substring(header.indexOf("enum Kind"), header.indexOf("enum Mark"));
        Matcher kind =
                Pattern.compile("^    k(\\w+) = (\\d+),", Pattern.MULTILINE).matcher(list);
        while (kind.find()) {
            kinds.put(snakeCase(kind.group(1)), Integer.valueOf(kind.group(2)));
        }
        Map<String, Integer> known = new TreeMap<>(Map.of("NONE", 0, "TEXT", 1));
        for (EventKind each : EventKind.values()) {
            known.put(each.name(), each.number());
        }

        assertThat(known).isEqualTo(kinds);
        assertThat(constant(header, "kLogMagic")).isEqualTo(EventLogFile.MAGIC);
        assertThat(constant(header, "kLogVersion")).isEqualTo(EventLogFile.VERSION);
        assertThat(constant(header, "kHeaderBytes")).isEqualTo(EventLogFile.HEADER_BYTES);
        assertThat(constant(header, "kEventBytes")).isEqualTo(EventLogFile.EVENT_BYTES);
        assertThat(constant(header, "kTextChunkBytes")).isEqualTo(EventLogFile.TEXT_CHUNK_BYTES);
        assertThat(valuesOf(header, "Way")).isEqualTo(LoggedEvent.Way.values().length);
        assertThat(valuesOf(header, "WorkKind")).isEqualTo(LoggedEvent.WorkKind.values().length);
        assertThat(valuesOf(header, "Look")).isEqualTo(LoggedEvent.Look.values().length);
        assertThat(valuesOf(header, "ArgumentKind")).isEqualTo(LoggedEvent.Use.values().length);
    }

    private static String snakeCase(String name) {
        return name.replaceAll("(?<=.)([A-Z])", "_$1").toUpperCase(java.util.Locale.ROOT);
    }

    private static long constant(String header, String name) {
        Matcher found = Pattern.compile(name + " = (0x[0-9a-f']+|\\d+);").matcher(header);
        assertThat(found.find()).as(name).isTrue();
        return Long.decode(found.group(1).replace("'", ""));
    }

    private static int valuesOf(String header, String type) {
        int begin = header.indexOf("enum " + type + " ");
        String list = header.substring(begin, header.indexOf("}", begin));
        return list.split(" = \\d+", -1).length - 1;
    }
}
