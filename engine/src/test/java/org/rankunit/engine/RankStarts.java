package org.rankunit.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import org.rankunit.engine.report.RunReport;
import org.rankunit.engine.report.RunReport.GroupUse;
import org.rankunit.engine.report.json.JsonReport;

/**
 * Counts the ranks that runs in tests start, and how long their groups take until they are up, from the reports of these runs. A
 * line for each run is added to a file below {@code target/rank-starts}, which the summary of a build reads: class of the test,
 * groups, ranks, seconds.
 */
final class RankStarts {

    private static final Path FOLDER = Path.of("target", "rank-starts");

    private final Path report;
    private final int executionsBefore;

    private RankStarts(Path report) {
        this.report = report;
        this.executionsBefore = executions().size();
    }

    /** Begin to count for a run that writes its report into this folder. */
    static RankStarts of(Path output) {
        return new RankStarts(output.resolve("report.json"));
    }

    /** Write down what the run, which has ended, has started. */
    void add() {
        List<RunReport.Execution> executions = executions();
        List<GroupUse> groups = executions.stream()
                .skip(executionsBefore)
                .flatMap(execution -> execution.groups().stream())
                .toList();
        if (!groups.isEmpty()) {
            write(String.format(
                    Locale.ROOT,
                    "%s\t%d\t%d\t%.3f%n",
                    nameOfTest(),
                    groups.size(),
                    groups.stream().mapToInt(group -> group.devices().size()).sum(),
                    groups.stream().mapToDouble(RankStarts::milliseconds).sum() / 1000));
        }
    }

    private static double milliseconds(GroupUse group) {
        Double up = group.up();
        return up == null ? 0 : up - group.leased();
    }

    private List<RunReport.Execution> executions() {
        if (!Files.exists(report)) {
            return List.of();
        }
        try {
            return new JsonReport().read(report).executions();
        } catch (IOException e) {
            // Some tests break it on purpose.
            return List.of();
        }
    }

    /** The outermost class on the stack that is a test. */
    private static String nameOfTest() {
        return StackWalker.getInstance()
                .walk(frames -> frames.map(frame -> frame.getClassName().replaceFirst("\\$.*", ""))
                        .filter(name -> name.endsWith("Test"))
                        .reduce((inner, outer) -> outer))
                .orElse("other");
    }

    private static void write(String line) {
        try {
            Files.writeString(
                    Files.createDirectories(FOLDER)
                            .resolve(ProcessHandle.current().pid() + ".tsv"),
                    line,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
