package org.rankunit.engine.timeline.graphs;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import org.rankunit.engine.config.TimelineMode.Arguments;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.LoggedEvent.Use;
import org.rankunit.engine.timeline.TaskText;
import org.rankunit.engine.timeline.TestRange.Place;
import org.rankunit.engine.timeline.TestRange.Space;

/** Writes runs of graphs as JSON; {@code docs/timeline.md} describes it. Not thread-safe. */
final class GraphJson {

    private static final List<String> COMPARISONS = List.of("==", "!=", ">", ">=", "<", "<=");

    private final JsonGenerator out;
    private final Arguments arguments;
    private final GraphFiles.Sources sources;
    private final MemoryCopies copies;

    private GraphJson(JsonGenerator out, Arguments arguments, GraphFiles.Sources sources, MemoryCopies copies) {
        this.out = out;
        this.arguments = arguments;
        this.sources = sources;
        this.copies = copies;
    }

    static void write(
            Writer to,
            String title,
            List<GraphRun> runs,
            Arguments arguments,
            GraphFiles.Sources sources,
            MemoryCopies copies)
            throws IOException {
        try (JsonGenerator out = new JsonFactory().createGenerator(to).useDefaultPrettyPrinter()) {
            GraphJson json = new GraphJson(out, arguments, sources, copies);
            out.writeStartObject();
            out.writeStringField("test", title);
            if (!sources.without().isEmpty()) {
                out.writeStringField("withoutSignals", sources.without());
            }
            out.writeArrayFieldStart("runs");
            for (GraphRun run : runs) {
                json.writeRun(run);
            }
            out.writeEndArray();
            out.writeEndObject();
        }
    }

    private void writeRun(GraphRun run) throws IOException {
        out.writeStartObject();
        out.writeNumberField("rank", run.rank());
        out.writeNumberField("run", run.number());
        out.writeStringField("graph", run.name());
        out.writeStringField("what", run.what());
        if (run.nanos().isPresent()) {
            out.writeNumberField("nanoseconds", run.nanos().getAsLong());
        }
        out.writeArrayFieldStart("tasks");
        for (GraphRun.Task task : run.tasks()) {
            writeTask(run, task);
        }
        out.writeEndArray();
        out.writeArrayFieldStart("edges");
        for (GraphRun.Edge edge : run.edges()) {
            out.writeStartObject();
            out.writeStringField("from", edge.before().number());
            out.writeStringField("to", edge.after().number());
            out.writeStringField("kind", edge.derived() ? "derived" : "explicit");
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private void writeTask(GraphRun run, GraphRun.Task task) throws IOException {
        out.writeStartObject();
        out.writeStringField("task", task.number());
        out.writeStringField("name", run.range().text(task.made.text()));
        out.writeStringField("kernel", run.range().text(task.made.kernel()));
        out.writeStringField("cores", task.cores());
        out.writeNumberField("blocks", task.made.blocks());
        out.writeBooleanField("skipped", task.skipped);
        out.writeArrayFieldStart("arguments");
        for (LoggedEvent.Argument argument : task.arguments) {
            writeArgument(run, task, argument);
        }
        out.writeEndArray();
        out.writeArrayFieldStart("waits");
        for (LoggedEvent.Wait wait : task.waits) {
            writeWait(run, wait);
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private void writeArgument(GraphRun run, GraphRun.Task task, LoggedEvent.Argument argument) throws IOException {
        boolean scalar = argument.use() == Use.SCALAR;
        out.writeStartObject();
        out.writeNumberField("index", argument.index());
        out.writeStringField(
                "use", argument.use().name().toLowerCase(Locale.ROOT).replace('_', ' '));
        if (!scalar) {
            out.writeNumberField("bytes", argument.bytes());
        }
        if (arguments != Arguments.NONE) {
            // Not as a number: few readers have one with 64 bits.
            out.writeStringField("value", hex(argument.value()));
            if (!scalar) {
                out.writeStringField("at", text(run.range().placeOf(run.rank(), argument.value(), argument.at())));
            }
        }
        for (LoggedEvent.MemoryCopy copy : task.copies) {
            if (copy.argument() == argument.index()) {
                out.writeStringField(copy.after() ? "after" : "before", copies.nameOf(run, task, copy));
            }
        }
        out.writeEndObject();
    }

    private void writeWait(GraphRun run, LoggedEvent.Wait wait) throws IOException {
        out.writeStartObject();
        out.writeStringField("cell", text(run.range().placeOf(run.rank(), wait.cell(), wait.at())));
        out.writeStringField("until", COMPARISONS.get(wait.compare()) + " " + wait.value());
        out.writeNumberField("found", wait.found());
        out.writeArrayFieldStart("signals");
        for (SignalSources.Source source : sources.of(run.rank(), wait)) {
            writeSource(source);
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private void writeSource(SignalSources.Source source) throws IOException {
        out.writeStartObject();
        out.writeNumberField("rank", source.rank());
        if (source.task() == null) {
            out.writeStringField("by", source.text());
        } else {
            out.writeNumberField("run", source.task().run());
            out.writeStringField("task", TaskText.number(source.task()));
        }
        out.writeEndObject();
    }

    private static String text(Place place) {
        if (place.space() instanceof Space.Window window) {
            return window.name() + " + " + place.offset();
        }
        return hex(place.offset());
    }

    private static String hex(long number) {
        return "0x" + Long.toHexString(number);
    }
}
