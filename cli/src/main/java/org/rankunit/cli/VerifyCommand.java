package org.rankunit.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rankunit.cli.collective.Algorithms;
import org.rankunit.cli.collective.FileCalls;
import org.rankunit.cli.collective.Pictures;
import org.rankunit.cli.collective.SweepOptions;
import org.rankunit.cli.pool.UsageException;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.OrchestrationException;
import org.rankunit.collective.picture.CollectivePicture;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.verify.Verification;
import org.rankunit.collective.verify.finding.Promise;
import org.rankunit.collective.verify.sweep.Selection;
import org.rankunit.collective.verify.sweep.Sweep;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Verifies algorithms of collectives. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        versionProvider = RankUnitCommand.Version.class,
        description = {
            "Prove algorithms of collectives correct, without a device: results, races, deadlocks, notifies, resources.",
            "Each algorithm is verified for all numbers of ranks up to 64, and beyond for powers of two with their"
                    + " neighbours; with types of each size, all reductions, sizes at which algorithms go wrong, all roots of few"
                    + " ranks, 1 to 4 servers, in place and out of place. Every two of these values are in one call; which are"
                    + " covered, and which are not, is printed. Beyond 64 ranks, symmetry is used where an algorithm"
                    + " declares it. Findings are those of the smallest number of ranks."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:All algorithms meet the requirements.", "1:An algorithm does not.", ExitCodes.USAGE_TEXT},
        footerHeading = "%nExamples:%n",
        footer = {
            "  rankunit verify",
            "  rankunit verify RingAllReduce --ranks 2-512",
            "  rankunit verify MeshReduce --ranks 8 --root 3 --type float64 --count 1000000",
            "  rankunit verify --class-path target/classes org.example.MyAllGather --require safety",
            "  rankunit verify --class-path target/classes org.example.MyAllGather --picture wrong.svg",
            "  rankunit verify --class-path target/classes org.example.MyAllGather",
            "  rankunit verify theirs.xml"
        })
final class VerifyCommand implements Callable<Integer> {

    private static final String PICTURE = "--picture";
    private static final String RANKS_OPTION = "--ranks";
    private static final Pattern RANKS = Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?");

    @Option(
            names = RANKS_OPTION,
            paramLabel = "A-B",
            defaultValue = "2-16",
            description = "Numbers of ranks (default: ${DEFAULT-VALUE}; for a file, its own).")
    private String ranks = "2-16";

    @Option(
            names = "--class-path",
            paramLabel = "PATH",
            split = ":",
            description = "Folders and jars with algorithms of your own, separated by colons.")
    private List<Path> classPath = List.of();

    @Mixin
    private SweepOptions sweep = new SweepOptions();

    @Option(
            names = PICTURE,
            paramLabel = "FILE",
            description =
                    "Draw the smallest call with findings, with these in red. FILE ends in .svg or .html; it is not"
                            + " written if nothing is found.")
    private Optional<Path> picture = Optional.empty();

    @Option(names = PoolOptions.STACK_TRACE, description = "Print the stack trace of an error.")
    boolean stackTrace;

    @Parameters(
            arity = "0..*",
            paramLabel = "ALGORITHM",
            description = "Names of algorithms, of your classes, or of files of MSCCL (NAME.xml). Without any, all that"
                    + " RankUnit brings.")
    private List<String> names = List.of();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        List<Integer> numbers = numbers();
        Selection selection = sweep.selection();
        Set<Promise> required = sweep.required();
        picture.ifPresent(Pictures::requireFormat);
        if (picture.isPresent() && names.size() != 1) {
            throw new UsageException(PICTURE + " needs one algorithm.");
        }
        PrintWriter out = spec.commandLine().getOut();
        boolean asked = spec.commandLine().getParseResult().hasMatchedOption(RANKS_OPTION);
        int wrong = 0;
        try (Algorithms algorithms = Algorithms.in(classPath)) {
            List<CollectiveAlgorithm> found = algorithms.named(names);
            for (CollectiveAlgorithm algorithm : found) {
                List<Integer> chosen = FileCalls.ranks(algorithm, numbers, asked);
                wrong += verify(algorithm, chosen, FileCalls.selection(algorithm, selection), required, out) ? 0 : 1;
                out.flush();
            }
            String fine = required.size() == Promise.values().length ? " correct, " : " as required, ";
            out.println(found.size() - wrong + fine + wrong + " with findings");
        }
        out.flush();
        return wrong == 0 ? ExitCodes.FINE : ExitCodes.NOT_WELL;
    }

    private List<Integer> numbers() {
        Matcher matcher = RANKS.matcher(ranks);
        if (matcher.matches()) {
            int smallest = Integer.parseInt(matcher.group(1));
            int largest = matcher.group(2) == null ? smallest : Integer.parseInt(matcher.group(2));
            if (smallest >= 1 && largest >= smallest) {
                return Sweep.ranks(smallest, largest);
            }
        }
        throw new UsageException("--ranks = \"" + ranks + "\": expected a number such as 8, or a range such as 2-64.");
    }

    private boolean verify(
            CollectiveAlgorithm algorithm,
            List<Integer> numbers,
            Selection selection,
            Set<Promise> required,
            PrintWriter out) {
        Sweep.Result result;
        try {
            result = Sweep.verify(algorithm, numbers, selection);
        } catch (OrchestrationException e) {
            out.println(algorithm.name() + ": cannot be verified: " + e.getMessage());
            return false;
        } catch (IllegalArgumentException e) {
            throw new UsageException("Nothing to verify: " + e.getMessage());
        }
        Optional<Verification> first = result.first(required);
        if (first.isPresent()) {
            out.println(first.get().report());
            out.println("  " + result.failed() + " of " + result.verified()
                    + " calls have findings; these are those of the smallest number of ranks");
            picture.ifPresent(file -> out.println("  " + Pictures.write(drawn(algorithm, first.get()), file)));
        } else {
            out.println(String.format(
                    Locale.ROOT,
                    "%s: %s; %,d calls, %,d tasks%s",
                    algorithm.name(),
                    verdict(result),
                    result.verified(),
                    result.tasks(),
                    bits(algorithm, result)));
            proofs(result).forEach(out::println);
        }
        result.coverage().lines().forEach(line -> out.println("  " + line));
        return first.isEmpty();
    }

    /** What was found although it is not required is named. */
    private static String verdict(Sweep.Result result) {
        return result.first(EnumSet.allOf(Promise.class))
                .map(Verification::verdict)
                .orElse("correct");
    }

    private static CollectivePicture drawn(CollectiveAlgorithm algorithm, Verification found) {
        return CollectivePicture.of(Schedule.withLines(algorithm, found.call())).withFindings(found.findings());
    }

    /** Says of which calls not all ranks were run. */
    private static List<String> proofs(Sweep.Result result) {
        List<String> lines = new ArrayList<>();
        if (result.bySymmetry() > 0) {
            lines.add(String.format(
                    Locale.ROOT,
                    "  %,d calls by symmetry: rank 0 was verified, and all other ranks compared with it",
                    result.bySymmetry()));
        }
        if (result.sampled() > 0) {
            lines.add(String.format(
                    Locale.ROOT,
                    "  %,d calls by symmetry: rank 0 was verified, and only ranks at powers of two and the last one"
                            + " compared with it",
                    result.sampled()));
        }
        if (result.tooLarge() > 0) {
            lines.add(String.format(
                    Locale.ROOT, "  %,d calls were not verified: they have too many tasks", result.tooLarge()));
        }
        return lines;
    }

    private static String bits(CollectiveAlgorithm algorithm, Sweep.Result result) {
        if (!algorithm.collective().reduces()) {
            return "";
        }
        String text = result.sameEveryRun() ? "; same bits in every run" : "; bits depend on timing";
        if (result.sameOnAllRanks()) {
            text += " and on all ranks";
        }
        return text + (result.inRankOrder() ? ", in rank order" : "");
    }
}
