package org.rankunit.cli.bench;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.rankunit.cli.bench.BenchRow.Measured;
import org.rankunit.cli.bench.request.BenchRequest;
import org.rankunit.cli.bench.request.Sizes;
import org.rankunit.cli.bench.request.Types;
import org.rankunit.engine.protocol.wire.RecordCodec;

/**
 * Results for programs: the fields of nccl-tests' file, version 2, as far as they mean something here, and {@code algorithm}. As
 * there, {@code okay} and {@code root} are strings. The records below have the names of these fields.
 */
final class BenchJson {

    private static final int VERSION = 2;

    private BenchJson() {}

    private record Results(
            int version,
            String start_time,
            Config config,
            List<Device> devices,
            List<Row> results,
            OutOfBounds out_of_bounds,
            AverageBusBandwidth average_bus_bandwidth,
            String end_time) {}

    /** Sizes grow by a factor or by bytes. */
    private record Config(
            String collective,
            int ranks,
            long minimum_bytes,
            long maximum_bytes,
            @Nullable Long step_factor,
            @Nullable Long step_bytes,
            int warmup_iters,
            int iterations,
            int validation) {}

    private record Device(int rank, long pid, int device, String device_info) {}

    /** A half is {@code null} if it was not measured. */
    private record Row(
            long size,
            long count,
            String type,
            String redop,
            String root,
            String algorithm,
            @Nullable Half out_of_place,
            @Nullable Half in_place,
            int actual_iterations) {}

    private record Half(
            double time,
            double alg_bw,
            double bus_bw,
            @Nullable Long nwrong) {}

    private record OutOfBounds(long count, String okay) {}

    private record AverageBusBandwidth(double bandwidth, String okay) {}

    /**
     * Write the file's text.
     *
     * @param ranks one for each rank, in their order
     */
    static String write(
            BenchRequest request, String platform, List<RankProcess> ranks, List<BenchRow> rows, Instant start)
            throws IOException {
        Results results = new Results(
                VERSION,
                start.toString(),
                config(request),
                ranks.stream()
                        .map(rank -> new Device(rank.rank(), rank.pid(), rank.device(), platform))
                        .toList(),
                rows.stream().map(row -> row(request, row)).toList(),
                new OutOfBounds(BenchRow.wrong(rows), String.valueOf(BenchRow.wrong(rows) == 0)),
                new AverageBusBandwidth(BenchRow.meanBusBandwidth(rows), "unchecked"),
                Instant.now().toString());
        return new RecordCodec(Map.of(), Map.of(Config.class, List.of("step_factor", "step_bytes")))
                        .encodePretty(results)
                + "\n";
    }

    private static Config config(BenchRequest request) {
        Sizes sizes = request.sizes();
        return new Config(
                request.collective().toString(),
                request.ranks(),
                sizes.min(),
                sizes.max(),
                sizes.grows() ? (Long) sizes.factor() : null,
                sizes.grows() ? null : (Long) sizes.step(),
                request.warmups(),
                request.iterations(),
                request.check() ? 1 : 0);
    }

    private static Row row(BenchRequest request, BenchRow row) {
        return new Row(
                row.what().size(),
                row.what().call().count(),
                Types.nameOf(row.what().call().type()),
                row.what().shownReduction(),
                String.valueOf(row.what().shownRoot()),
                row.what().shown(),
                half(row, Place.OUT_OF_PLACE),
                half(row, Place.IN_PLACE),
                request.iterations());
    }

    private static @Nullable Half half(BenchRow row, Place place) {
        if (row.measured(place).isEmpty()) {
            return null;
        }
        Measured measured = row.measured(place).get();
        OptionalLong wrong = measured.wrong();
        return new Half(
                measured.micros(),
                row.algorithmBandwidth(measured),
                row.busBandwidth(measured),
                wrong.isPresent() ? (Long) wrong.getAsLong() : null);
    }
}
