package org.rankunit.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.rankunit.cli.pool.UsageException;
import org.rankunit.cli.report.ReportFiles;
import org.rankunit.cli.report.SummaryJson;
import org.rankunit.engine.report.RunReport;
import org.rankunit.engine.report.store.ReportMerge;
import org.rankunit.engine.report.store.ReportStore;
import org.rankunit.engine.report.summary.ConsoleSummary;
import org.rankunit.engine.report.summary.GitHubAnnotations;
import org.rankunit.engine.report.summary.MarkdownSummary;
import org.rankunit.engine.report.summary.ReportSummary;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what came of tests, and merges the reports of modules and shards. */
@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        versionProvider = RankUnitCommand.Version.class,
        description = {
            "Show the results of device tests, from the report.json of one or several modules, shards or attempts.",
            "A test that several reports have keeps each attempt, and its last one counts."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:No test failed.",
            "1:A test failed.",
            "2:The command line is invalid, or a report cannot be read. The others are shown."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  rankunit report",
            "  rankunit report module-a/target/rankunit module-b/target/rankunit",
            "  rankunit report --merge merged shard-*/report.json",
            "  rankunit report --github"
        })
final class ReportCommand implements Callable<Integer> {

    private static final String STEP_SUMMARY = "GITHUB_STEP_SUMMARY";
    private static final String WORKSPACE = "GITHUB_WORKSPACE";
    private static final String HEADING = "Device tests";

    /** At most one of these is given. */
    static final class Form {

        @Option(names = "--json", description = "Print one JSON object, for programs.")
        private boolean json;

        @Option(names = "--markdown", description = "Print a page of Markdown.")
        private boolean markdown;

        @Option(
                names = "--github",
                description =
                        "In a step of GitHub Actions: print an annotation for each failed test, and add the page of"
                                + " Markdown to the job's summary ($" + STEP_SUMMARY + ").")
        private boolean github;
    }

    @ArgGroup
    private Form form = new Form();

    @Option(names = "--merge", paramLabel = "DIR", description = "Also write one report of all tests to this folder.")
    private Optional<Path> merge = Optional.empty();

    @Option(names = PoolOptions.STACK_TRACE, description = "Print the stack trace of an error.")
    boolean stackTrace;

    @Parameters(
            arity = "0..*",
            paramLabel = "REPORT",
            description = "Files, or folders with reports: report.json in the folder or a folder directly below, and"
                    + " rankunit/report.json anywhere below. Without any, the working folder.")
    private List<Path> places = List.of();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        ReportFiles files = ReportFiles.read(
                places.isEmpty() ? List.of(Path.of(".")) : places,
                merge.stream().toList());
        PrintWriter err = spec.commandLine().getErr();
        files.errors().forEach(err::println);
        err.flush();
        if (files.parts().isEmpty()) {
            return ExitCodes.USAGE;
        }
        RunReport report = ReportMerge.of(files.parts(), merge.orElse(Path.of("")));
        ReportSummary summary = ReportSummary.of(report.tests());
        PrintWriter out = spec.commandLine().getOut();
        print(summary, files, out);
        out.flush();
        if (merge.isPresent()) {
            write(report, merge.get());
        }
        if (!files.errors().isEmpty()) {
            return ExitCodes.USAGE;
        }
        return summary.failed().isEmpty() ? ExitCodes.FINE : ExitCodes.NOT_WELL;
    }

    private void print(ReportSummary summary, ReportFiles files, PrintWriter out) throws IOException {
        if (form.json) {
            out.println(SummaryJson.write(summary, files.errors()));
        } else if (form.markdown) {
            out.print(MarkdownSummary.of(summary, HEADING));
        } else if (form.github) {
            Path folder = files.parts().get(0).folder();
            Path root = Path.of(Optional.ofNullable(System.getenv(WORKSPACE)).orElse(""));
            GitHubAnnotations.lines(summary, folder, root).forEach(out::println);
            out.println(summary.counts());
            addToJob(MarkdownSummary.of(summary, HEADING));
        } else {
            ConsoleSummary.lines(summary).forEach(out::println);
        }
    }

    private static void addToJob(String page) {
        String file = System.getenv(STEP_SUMMARY);
        if (file == null || file.isBlank()) {
            throw new UsageException("--github: " + STEP_SUMMARY + " is not set, so there is no summary of a job to add"
                    + " to. Use --github in a step of GitHub Actions, or --markdown.");
        }
        try {
            Files.writeString(Path.of(file), page, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UsageException(
                    "--github: " + file + " (" + STEP_SUMMARY + ") cannot be written: " + e.getMessage() + ".");
        }
    }

    private static void write(RunReport report, Path folder) {
        try {
            new ReportStore(folder).replace(report);
        } catch (IOException e) {
            throw new UsageException("--merge " + folder + ": " + e.getMessage());
        }
    }
}
