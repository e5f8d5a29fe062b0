package org.rankunit.engine.report.store;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.report.Pictures;
import org.rankunit.engine.report.RunReport;

/** Makes one report of those of several modules, shards or attempts. */
public final class ReportMerge {

    private ReportMerge() {}

    /** A report that was read, and its folder. */
    public record Part(Path folder, RunReport report) {}

    /**
     * Join reports in the order in which they were written. A test that several of them contain keeps each attempt, numbered from 1
     * in that order. The skipped tests of other shards are left out if any report has the test itself, and are otherwise in the
     * result once.
     *
     * @param target the folder of the result, to which the paths of logs become relative
     * @param parts at least one
     */
    public static RunReport of(List<Part> parts, Path target) {
        List<Part> ordered = parts.stream()
                .sorted(Comparator.comparing((Part part) -> part.report().written()))
                .toList();
        Set<String> present = new HashSet<>();
        ordered.forEach(part -> part.report().tests().stream()
                .filter(test -> !isOfOtherShard(test))
                .forEach(test -> present.add(test.uniqueId())));
        Map<String, Integer> attempts = new HashMap<>();
        List<RunReport.Execution> executions = new ArrayList<>();
        List<RunReport.TestEntry> tests = new ArrayList<>();
        Pictures pictures = new Pictures();
        for (Part part : ordered) {
            pictures.add(part.report().pictures());
            int before = executions.size();
            part.report().executions().forEach(each -> executions.add(each.numbered(before + each.number())));
            for (RunReport.TestEntry test : part.report().tests()) {
                if (!isOfOtherShard(test) || present.add(test.uniqueId())) {
                    int attempt = attempts.merge(test.uniqueId(), 1, Integer::sum);
                    tests.add(test.as(attempt, before + test.execution())
                            .withPaths(path -> moved(path, part.folder(), target)));
                }
            }
        }
        return new RunReport(
                RunReport.SCHEMA_VERSION,
                joined(ordered, RunReport::version),
                joined(ordered, RunReport::run),
                joined(ordered, RunReport::platform),
                joined(ordered, RunReport::java),
                ordered.get(ordered.size() - 1).report().written(),
                List.copyOf(executions),
                List.copyOf(tests),
                pictures.all());
    }

    /** Whether the test is only listed, as one that another shard runs. */
    private static boolean isOfOtherShard(RunReport.TestEntry test) {
        String reason = test.reason();
        return test.result().equals("skipped")
                && reason != null
                && reason.startsWith("in shard ")
                && reason.contains(ConfigKey.SHARD.key());
    }

    private static String moved(String path, Path from, Path to) {
        return absolute(to).relativize(absolute(from).resolve(path).normalize()).toString();
    }

    private static Path absolute(Path folder) {
        return folder.toAbsolutePath().normalize();
    }

    private static String joined(List<Part> parts, Function<RunReport, String> what) {
        return parts.stream().map(part -> what.apply(part.report())).distinct().collect(Collectors.joining(", "));
    }
}
