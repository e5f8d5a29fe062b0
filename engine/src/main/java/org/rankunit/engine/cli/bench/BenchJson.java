package org.rankunit.engine.cli.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.rankunit.engine.cli.bench.BenchRow.Measured;
import org.rankunit.engine.cli.bench.request.BenchRequest;
import org.rankunit.engine.cli.bench.request.Sizes;
import org.rankunit.engine.cli.bench.request.Types;

/**
 * Results for programs: the fields of nccl-tests' file, version 2, as far as they mean something here, and {@code algorithm}. As
 * there, {@code okay} and {@code root} are strings.
 */
final class BenchJson {

    private static final int VERSION = 2;

    private BenchJson() {}

    /**
     * Write the file's text.
     *
     * @param ranks one for each rank, in their order
     */
    static String write(
            BenchRequest request, String platform, List<RankProcess> ranks, List<BenchRow> rows, Instant start)
            throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = new JsonFactory().createGenerator(text)) {
            out.useDefaultPrettyPrinter();
            out.writeStartObject();
            out.writeNumberField("version", VERSION);
            out.writeStringField("start_time", start.toString());
            config(out, request);
            devices(out, platform, ranks);
            out.writeArrayFieldStart("results");
            for (BenchRow row : rows) {
                row(out, request, row);
            }
            out.writeEndArray();
            foot(out, rows);
            out.writeStringField("end_time", Instant.now().toString());
            out.writeEndObject();
        }
        return text + "\n";
    }

    private static void config(JsonGenerator out, BenchRequest request) throws IOException {
        Sizes sizes = request.sizes();
        out.writeObjectFieldStart("config");
        out.writeStringField("collective", request.collective().toString());
        out.writeNumberField("ranks", request.ranks());
        out.writeNumberField("minimum_bytes", sizes.min());
        out.writeNumberField("maximum_bytes", sizes.max());
        out.writeNumberField(
                sizes.grows() ? "step_factor" : "step_bytes", sizes.grows() ? sizes.factor() : sizes.step());
        out.writeNumberField("warmup_iters", request.warmups());
        out.writeNumberField("iterations", request.iterations());
        out.writeNumberField("validation", request.check() ? 1 : 0);
        out.writeEndObject();
    }

    private static void devices(JsonGenerator out, String platform, List<RankProcess> ranks) throws IOException {
        out.writeArrayFieldStart("devices");
        for (RankProcess rank : ranks) {
            out.writeStartObject();
            out.writeNumberField("rank", rank.rank());
            out.writeNumberField("pid", rank.pid());
            out.writeNumberField("device", rank.device());
            out.writeStringField("device_info", platform);
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void row(JsonGenerator out, BenchRequest request, BenchRow row) throws IOException {
        out.writeStartObject();
        out.writeNumberField("size", row.what().size());
        out.writeNumberField("count", row.what().call().count());
        out.writeStringField("type", Types.nameOf(row.what().call().type()));
        out.writeStringField("redop", row.what().shownReduction());
        out.writeStringField("root", String.valueOf(row.what().shownRoot()));
        out.writeStringField("algorithm", row.what().shown());
        half(out, "out_of_place", row, row.measured(Place.OUT_OF_PLACE));
        half(out, "in_place", row, row.measured(Place.IN_PLACE));
        out.writeNumberField("actual_iterations", request.iterations());
        out.writeEndObject();
    }

    private static void half(JsonGenerator out, String name, BenchRow row, Optional<Measured> measured)
            throws IOException {
        if (measured.isEmpty()) {
            out.writeNullField(name);
            return;
        }
        out.writeObjectFieldStart(name);
        out.writeNumberField("time", measured.get().micros());
        out.writeNumberField("alg_bw", row.algorithmBandwidth(measured.get()));
        out.writeNumberField("bus_bw", row.busBandwidth(measured.get()));
        if (measured.get().wrong().isPresent()) {
            out.writeNumberField("nwrong", measured.get().wrong().getAsLong());
        } else {
            out.writeNullField("nwrong");
        }
        out.writeEndObject();
    }

    private static void foot(JsonGenerator out, List<BenchRow> rows) throws IOException {
        out.writeObjectFieldStart("out_of_bounds");
        out.writeNumberField("count", BenchRow.wrong(rows));
        out.writeStringField("okay", String.valueOf(BenchRow.wrong(rows) == 0));
        out.writeEndObject();
        out.writeObjectFieldStart("average_bus_bandwidth");
        out.writeNumberField("bandwidth", BenchRow.meanBusBandwidth(rows));
        out.writeStringField("okay", "unchecked");
        out.writeEndObject();
    }
}
