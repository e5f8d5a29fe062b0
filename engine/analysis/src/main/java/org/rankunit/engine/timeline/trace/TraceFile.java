package org.rankunit.engine.timeline.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Writes a timeline in the JSON form of the Trace Event format: a rank is a process, a lane is a thread. Times are in
 * microseconds from the first event on, with nanoseconds as decimals. Not thread-safe.
 */
final class TraceFile {

    private static final int NANOS_DIGITS = 3;

    private final String title;
    private final List<Slice> slices = new ArrayList<>();
    private final Map<Integer, List<RankTrace.Sample>> samples = new TreeMap<>();
    private final Map<String, String> remarks = new LinkedHashMap<>();
    private final Arrows arrows;

    TraceFile(String title, Arrows arrows) {
        this.title = title;
        this.arrows = arrows;
    }

    void add(int rank, RankTrace trace) {
        add(trace.slices());
        samples.put(rank, trace.samples());
    }

    void add(List<Slice> more) {
        slices.addAll(more);
    }

    /** Show a phase on the lane of its host. */
    void addPhase(HostPhase phase) {
        slices.add(
                new Slice(Lane.host(phase.rank()), "phase", phase.name(), phase.beginNanos()).endAt(phase.endNanos()));
    }

    /** Tell for how much of the test the cores and streams of a rank were busy. */
    List<LaneUse> addUse(int rank, List<Slice> ofRank) {
        List<LaneUse> uses = LaneUse.of(rank, ofRank);
        if (!uses.isEmpty()) {
            remark("busy on rank " + rank, uses.stream().map(LaneUse::text).collect(Collectors.joining(", ")));
        }
        return uses;
    }

    /** Tell that a rank's log lacks events. */
    void addDropped(int rank, long events) {
        remark("rank " + rank, events + " events are missing because its log or the disk was full");
    }

    /** Tell something about the whole test. */
    void remark(String key, String text) {
        remarks.put(key, text);
    }

    /** One event of the file, for its order. */
    private record Entry(int rank, int thread, long nanos, Writer writer) {}

    private interface Writer {

        void write(JsonGenerator out) throws IOException;
    }

    void write(Path file) throws IOException {
        List<Slice> sorted = Rows.assign(slices);
        if (sorted.size() < slices.size()) {
            remark("left out", (slices.size() - sorted.size()) + " slices, for which their lanes had no row");
        }
        long zero = sorted.stream().mapToLong(Slice::begin).min().orElse(0);
        try (OutputStream bytes = new BufferedOutputStream(Files.newOutputStream(file));
                JsonGenerator out = new JsonFactory().createGenerator(bytes)) {
            out.writeStartObject();
            out.writeStringField("displayTimeUnit", "ns");
            writeOtherData(out);
            out.writeArrayFieldStart("traceEvents");
            writeNames(out, sorted);
            for (Entry entry : entries(sorted)) {
                out.writeStartObject();
                out.writeNumberField("pid", entry.rank());
                out.writeNumberField("tid", entry.thread());
                out.writeNumberField("ts", micros(entry.nanos() - zero));
                entry.writer().write(out);
                out.writeEndObject();
            }
            out.writeEndArray();
            out.writeEndObject();
        }
    }

    private void writeOtherData(JsonGenerator out) throws IOException {
        out.writeObjectFieldStart("otherData");
        out.writeStringField("test", title);
        for (Map.Entry<String, String> remark : remarks.entrySet()) {
            out.writeStringField(remark.getKey(), remark.getValue());
        }
        out.writeEndObject();
    }

    private static void writeNames(JsonGenerator out, List<Slice> sorted) throws IOException {
        record LaneRow(int rank, int number, String name) {}
        Map<Long, LaneRow> threads = new TreeMap<>();
        for (Slice slice : sorted) {
            int number = slice.lane().thread(slice.row());
            int rank = slice.lane().rank();
            threads.put(
                    ((long) rank << Integer.SIZE) + number,
                    new LaneRow(rank, number, slice.lane().name(slice.row())));
        }
        int last = -1;
        for (LaneRow thread : threads.values()) {
            if (thread.rank() != last) {
                last = thread.rank();
                writeName(out, last, 0, "process_name", "name", last == Lane.PATHS ? "critical path" : "rank " + last);
                writeSort(out, last, 0, "process_sort_index", last);
            }
            writeName(out, thread.rank(), thread.number(), "thread_name", "name", thread.name());
            writeSort(out, thread.rank(), thread.number(), "thread_sort_index", thread.number());
        }
    }

    private static void writeName(JsonGenerator out, int rank, int thread, String what, String key, String value)
            throws IOException {
        writeMetadata(out, rank, thread, what);
        out.writeStringField(key, value);
        out.writeEndObject();
        out.writeEndObject();
    }

    private static void writeSort(JsonGenerator out, int rank, int thread, String what, int index) throws IOException {
        writeMetadata(out, rank, thread, what);
        out.writeNumberField("sort_index", index);
        out.writeEndObject();
        out.writeEndObject();
    }

    private static void writeMetadata(JsonGenerator out, int rank, int thread, String what) throws IOException {
        out.writeStartObject();
        out.writeStringField("ph", "M");
        out.writeNumberField("pid", rank);
        out.writeNumberField("tid", thread);
        out.writeStringField("name", what);
        out.writeObjectFieldStart("args");
    }

    /** All events, in the order of time within each lane; the slice that an arrow leads to comes before the arrow's end. */
    private List<Entry> entries(List<Slice> sorted) {
        List<Entry> entries = new ArrayList<>();
        for (Slice slice : sorted) {
            entries.add(entry(slice, slice.begin(), out -> writeSlice(out, slice)));
        }
        int id = 0;
        for (Arrows.Arrow arrow : arrows.all()) {
            int number = ++id;
            entries.add(entry(arrow.from(), out -> writeArrow(out, "s", arrow.category(), number)));
            entries.add(entry(arrow.to(), out -> writeArrow(out, "f", arrow.category(), number)));
        }
        samples.forEach((rank, all) -> all.forEach(
                sample -> entries.add(new Entry(rank, 0, sample.nanos(), out -> writeSample(out, sample)))));
        // Stable, so that of two events at the same time the outer slice comes first.
        entries.sort(Comparator.comparingInt(Entry::rank)
                .thenComparingInt(Entry::thread)
                .thenComparingLong(Entry::nanos));
        return entries;
    }

    private static Entry entry(Arrows.End end, Writer writer) {
        return entry(end.slice(), end.slice().within(end.nanos()), writer);
    }

    private static Entry entry(Slice slice, long nanos, Writer writer) {
        return new Entry(slice.lane().rank(), slice.lane().thread(slice.row()), nanos, writer);
    }

    private static void writeSlice(JsonGenerator out, Slice slice) throws IOException {
        out.writeStringField("ph", "X");
        out.writeNumberField("dur", micros(slice.end() - slice.begin()));
        out.writeStringField("name", slice.name());
        out.writeStringField("cat", slice.category());
        out.writeObjectFieldStart("args");
        for (Map.Entry<String, String> detail : slice.details().entrySet()) {
            out.writeStringField(detail.getKey(), detail.getValue());
        }
        out.writeEndObject();
    }

    private static void writeArrow(JsonGenerator out, String phase, String category, int id) throws IOException {
        out.writeStringField("ph", phase);
        out.writeNumberField("id", id);
        out.writeStringField("name", category);
        out.writeStringField("cat", category);
        if (phase.equals("f")) {
            // It leads to the slice around its end, not to the next one.
            out.writeStringField("bp", "e");
        }
    }

    private static void writeSample(JsonGenerator out, RankTrace.Sample sample) throws IOException {
        out.writeStringField("ph", "C");
        out.writeStringField("name", sample.name());
        out.writeObjectFieldStart("args");
        out.writeNumberField(sample.unit(), sample.value());
        out.writeEndObject();
    }

    private static BigDecimal micros(long nanos) {
        return BigDecimal.valueOf(nanos, NANOS_DIGITS);
    }
}
