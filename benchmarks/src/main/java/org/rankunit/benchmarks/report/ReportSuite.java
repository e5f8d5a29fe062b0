package org.rankunit.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.rankunit.benchmarks.measure.Figure;
import org.rankunit.benchmarks.measure.OtherJvm;
import org.rankunit.benchmarks.measure.Quantile;

/** The report of 2,000 tests on 8 ranks: what it takes to write it, and for a browser to show it. */
public final class ReportSuite {

    private static final int TESTS = 2_000;
    private static final int RANKS = 8;
    private static final double WRITTEN_GOAL = 1_000;
    private static final double OPEN_GOAL = 2_000;
    private static final double SIZE_GOAL = 20;
    private static final double BYTES_PER_MEGABYTE = 1e6;
    private static final long BROWSER_SECONDS = 60;

    /** Those of a JVM that runs tests, which has no options. */
    private static final List<String> COMPILERS = List.of("-XX:TieredStopAtLevel=4");

    /** What the page says when it has shown everything: the milliseconds since it was asked for. */
    private static final Pattern READY = Pattern.compile("<html[^>]* data-ready=\"(\\d+)\"");

    private final int rounds;
    private final Path output;

    public ReportSuite(boolean quick, Path output) {
        this.rounds = quick ? 3 : 10;
        this.output = output;
    }

    public List<Figure> run() throws Exception {
        Path folder = Files.createTempDirectory(Files.createDirectories(output), "report");
        try {
            List<Double> json = new ArrayList<>();
            List<Double> page = new ArrayList<>();
            List<Double> opened = new ArrayList<>();
            double megabytes = 0;
            for (int i = 0; i < rounds; i++) {
                try (OtherJvm jvm = new OtherJvm(
                        COMPILERS,
                        ReportWriting.class,
                        folder.toString(),
                        String.valueOf(TESTS),
                        String.valueOf(RANKS))) {
                    json.add(Double.valueOf(said(jvm)[0]));
                    String[] ofPage = said(jvm);
                    page.add(Double.valueOf(ofPage[0]));
                    megabytes = Double.parseDouble(ofPage[1]) / BYTES_PER_MEGABYTE;
                }
                open(folder).ifPresent(opened::add);
            }
            List<Figure> figures = new ArrayList<>(List.of(
                    median("write index.html, cold JVM", page, WRITTEN_GOAL).spreadOf(page, List.of()),
                    median("write report.json, cold JVM", json, Double.NaN).spreadOf(json, List.of()),
                    new Figure("index.html", megabytes, "MB", SIZE_GOAL, null, null)));
            if (!opened.isEmpty()) {
                figures.add(
                        median("open index.html in Chromium", opened, OPEN_GOAL).spreadOf(opened, List.of()));
            }
            return figures;
        } finally {
            delete(folder);
        }
    }

    private static Figure median(String name, List<Double> values, double goal) {
        return new Figure(name, Quantile.of(values, 0.5), "ms", goal, null, null);
    }

    private static String[] said(OtherJvm jvm) throws IOException {
        String line = jvm.hear();
        if (line == null) {
            throw new IllegalStateException("the report was not written");
        }
        return line.split(" ", 2);
    }

    /** The milliseconds until the page is shown, in a browser that has just started; empty if there is none. */
    private static Optional<Double> open(Path folder) throws IOException, InterruptedException {
        Path shown = folder.resolve("shown.html");
        Process browser;
        try {
            browser = new ProcessBuilder(
                            "chromium",
                            "--headless",
                            "--no-sandbox",
                            "--disable-gpu",
                            "--window-size=1440,900",
                            "--user-data-dir=" + folder.resolve("profile"),
                            "--dump-dom",
                            folder.resolve("index.html").toUri().toString())
                    .redirectOutput(shown.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            System.err.println("Chromium is absent; install chromium");
            return Optional.empty();
        }
        if (!browser.waitFor(BROWSER_SECONDS, TimeUnit.SECONDS)) {
            browser.descendants().forEach(ProcessHandle::destroyForcibly);
            browser.destroyForcibly();
            throw new IllegalStateException("Chromium has not shown the page within " + BROWSER_SECONDS + " s");
        }
        Matcher ready = READY.matcher(Files.readString(shown));
        if (!ready.find()) {
            throw new IllegalStateException("the page has not become ready");
        }
        return Optional.of(Double.valueOf(ready.group(1)));
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
