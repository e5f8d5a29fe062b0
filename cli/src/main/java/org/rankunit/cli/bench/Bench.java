package org.rankunit.cli.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.rankunit.cli.bench.request.BenchRequest;
import org.rankunit.cli.bench.request.Sizes;
import org.rankunit.cli.bench.request.Types;
import org.rankunit.cli.collective.Algorithms;
import org.rankunit.cli.pool.PoolAccess;
import org.rankunit.cli.pool.UsageException;
import org.rankunit.engine.report.plot.Curve;
import org.rankunit.engine.report.plot.Plot;
import org.rankunit.pool.DeviceLease;
import org.rankunit.pool.DevicePool;
import org.rankunit.pool.LeaseRequest;

/** A whole measurement: leases devices, runs ranks on them, prints the table, and writes the files. */
public final class Bench {

    private static final Duration FOR_DEVICES = Duration.ofMinutes(10);

    private final BenchRequest request;
    private final Optional<Path> json;
    private final Optional<Path> plot;
    private final PrintWriter out;
    private final PrintWriter err;

    /**
     * @param json file for the results, if any
     * @param plot file for the drawing, if any: a page if its name ends in {@code .html}, or {@code .svg}
     * @throws UsageException if a file has another ending, or there is no such folder
     */
    public Bench(BenchRequest request, Optional<Path> json, Optional<Path> plot, PrintWriter out, PrintWriter err) {
        this.request = request;
        this.json = json;
        this.plot = plot;
        this.out = out;
        this.err = err;
        json.ifPresent(file -> requireFolder("--output_file", file));
        plot.ifPresent(file -> {
            requireFolder("--plot", file);
            if (!isPage(file) && !file.toString().endsWith(".svg")) {
                throw new UsageException("--plot = \"" + file + "\": expected a name that ends in .html or .svg.");
            }
        });
    }

    private static void requireFolder(String option, Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || Files.isDirectory(file)) {
            throw new UsageException(option + " = \"" + file + "\": give a file in a folder that exists.");
        }
    }

    private static boolean isPage(Path file) {
        return file.toString().endsWith(".html");
    }

    /**
     * Measure, and return whether all values were right.
     *
     * @throws UsageException if something of the request is not possible here
     * @throws RankFailure if a rank fails or dies
     */
    public boolean run(PoolAccess access) throws IOException, InterruptedException, RankFailure {
        List<BenchCase> cases;
        try (Algorithms algorithms = Algorithms.in(request.classPath())) {
            cases = BenchPlan.of(request, algorithms);
        }
        String platform = access.platform();
        int lent = access.lent(platform).size();
        if (request.ranks() > lent) {
            throw new UsageException("--ranks = " + request.ranks() + ": " + platform + " has " + lent
                    + " devices for this process. Use fewer ranks, or"
                    + (access.isSimulated(platform) ? " --simulator-devices " + request.ranks() : " another --platform")
                    + ".");
        }
        LeaseRequest wanted = new LeaseRequest(platform, request.ranks(), "rankunit bench " + request.collective());
        try (DeviceLease lease = DevicePool.open(access.setup().config()).lease(wanted, FOR_DEVICES, this::complain)) {
            return run(access, lease, cases);
        }
    }

    private void complain(String line) {
        err.println(line);
        err.flush();
    }

    private boolean run(PoolAccess access, DeviceLease lease, List<BenchCase> cases)
            throws IOException, InterruptedException, RankFailure {
        Instant start = Instant.now();
        List<BenchRow> rows = new ArrayList<>();
        try (BenchRanks ranks = BenchRanks.start(access, lease, request, cases)) {
            head(lease.platform(), access.isSimulated(lease.platform()), ranks.ranks())
                    .forEach(out::println);
            BenchTable.head().forEach(out::println);
            out.flush();
            ranks.run(row -> {
                rows.add(row);
                out.println(BenchTable.line(row));
                out.flush();
            });
            BenchTable.foot(rows).forEach(out::println);
            if (json.isPresent()) {
                write(json.get(), BenchJson.write(request, lease.platform(), ranks.ranks(), rows, start));
            }
        }
        if (plot.isPresent()) {
            Plot drawn = plot(lease.platform(), rows);
            write(plot.get(), isPage(plot.get()) ? drawn.page() : drawn.svg());
        }
        out.flush();
        return BenchRow.wrong(rows) == 0;
    }

    private List<String> head(String platform, boolean simulated, List<RankProcess> ranks) {
        Sizes sizes = request.sizes();
        List<String> lines = new ArrayList<>();
        lines.add("# rankunit bench " + request.collective());
        lines.add("# ranks " + request.ranks() + " minBytes " + sizes.min() + " maxBytes " + sizes.max() + " step: "
                + (sizes.grows() ? sizes.factor() + "(factor)" : sizes.step() + "(bytes)") + " warmup iters: "
                + request.warmups() + " iters: " + request.iterations() + " validation: " + (request.check() ? 1 : 0));
        if (simulated) {
            lines.add("# " + platform + " is simulated: bandwidths are those of this machine's memory");
        }
        lines.add("#");
        lines.add("# Using devices");
        ranks.forEach(rank -> lines.add(
                "#  Rank " + rank.rank() + " Pid " + rank.pid() + " device " + rank.device() + " of " + platform));
        return lines;
    }

    private Plot plot(String platform, List<BenchRow> rows) {
        Map<String, List<Curve.Point>> points = new LinkedHashMap<>();
        rows.forEach(row -> points.computeIfAbsent(curveOf(row), name -> new ArrayList<>())
                .add(new Curve.Point(row.what().size(), row.busBandwidth(row.plotted()))));
        List<Curve> curves = new ArrayList<>();
        points.forEach((name, all) -> curves.add(new Curve(name, all)));
        return new Plot(
                "Bus bandwidth of " + request.collective() + ", " + request.ranks() + " ranks of " + platform,
                "size in bytes",
                "bus bandwidth in GB/s, out of place",
                curves);
    }

    /** The algorithm, with what else differs between curves. */
    private String curveOf(BenchRow row) {
        StringBuilder name = new StringBuilder(row.what().shown());
        if (request.types().size() > 1) {
            name.append(", ").append(Types.nameOf(row.what().call().type()));
        }
        if (request.reductions().size() > 1) {
            name.append(", ").append(row.what().shownReduction());
        }
        if (request.roots().size() > 1) {
            name.append(", root ").append(row.what().shownRoot());
        }
        if (!row.what().places().contains(Place.OUT_OF_PLACE)) {
            name.append(", in place");
        }
        return name.toString();
    }

    private void write(Path file, String text) {
        try {
            Files.writeString(file, text, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UsageException("Cannot write " + file + ": " + e);
        }
        out.println("# written: " + file);
    }
}
