package org.rankunit.cli.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.rankunit.engine.report.RunReport;
import org.rankunit.engine.report.json.JsonReport;
import org.rankunit.engine.report.store.ReportMerge;

/**
 * The reports that a user has named.
 *
 * @param parts those that could be read, each once
 * @param errors a sentence for each place without a report, and each file that cannot be read
 */
public record ReportFiles(List<ReportMerge.Part> parts, List<String> errors) {

    private static final String NAME = "report.json";

    /** How far below a folder reports are looked for: {@code group/module/target/rankunit/report.json}. */
    private static final int DEPTH = 6;

    public ReportFiles {
        parts = List.copyOf(parts);
        errors = List.copyOf(errors);
    }

    /**
     * Read the reports in these places.
     *
     * @param places files, and folders that have a report: directly, in a folder directly below, or in a folder {@code rankunit}
     *     anywhere below
     * @param except a folder whose report is no source, unless it is named as a file
     */
    public static ReportFiles read(Collection<Path> places, Collection<Path> except) {
        List<String> errors = new ArrayList<>();
        Map<Path, Path> files = new LinkedHashMap<>();
        List<Path> results = except.stream().map(ReportFiles::normal).toList();
        for (Path place : places) {
            if (!Files.isDirectory(place)) {
                files.putIfAbsent(normal(place), place);
                continue;
            }
            List<Path> found = below(place).stream()
                    .filter(file -> !results.contains(normal(file).getParent()))
                    .toList();
            found.forEach(file -> files.putIfAbsent(normal(file), file));
            if (found.isEmpty()) {
                errors.add(place + ": there is no " + NAME + " in this folder or a folder rankunit below it. Run the"
                        + " tests first, or name the folder of rankunit.output-dir.");
            }
        }
        List<ReportMerge.Part> parts = new ArrayList<>();
        files.forEach((normal, file) -> {
            try {
                Path folder = normal.getParent();
                RunReport report = new JsonReport().read(file);
                requirePaths(report);
                parts.add(new ReportMerge.Part(folder == null ? normal : folder, report));
            } catch (NoSuchFileException e) {
                errors.add(file + ": there is no such file.");
            } catch (JsonReport.OtherVersionException e) {
                errors.add(e.getMessage() + " Read it with the version that wrote it.");
            } catch (IOException e) {
                errors.add(file + ": is not a complete report: " + e.getMessage());
            }
        });
        return new ReportFiles(parts, errors);
    }

    private static void requirePaths(RunReport report) throws IOException {
        try {
            report.tests().forEach(test -> test.withPaths(path -> Path.of(path).toString()));
        } catch (InvalidPathException e) {
            throw new IOException("it names a file with an invalid path: " + e.getReason(), e);
        }
    }

    private static Path normal(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException e) {
            return file.toAbsolutePath().normalize();
        }
    }

    private static List<Path> below(Path folder) {
        try (Stream<Path> found = Files.find(folder, DEPTH, (file, attributes) -> isReport(folder, file))) {
            return found.sorted().toList();
        } catch (IOException | UncheckedIOException e) {
            // A folder that may not be read has no report for this user.
            return List.of();
        }
    }

    private static boolean isReport(Path folder, Path file) {
        if (!file.endsWith(NAME)) {
            return false;
        }
        Path parent = file.getParent();
        return parent != null && (folder.relativize(file).getNameCount() <= 2 || parent.endsWith("rankunit"));
    }
}
