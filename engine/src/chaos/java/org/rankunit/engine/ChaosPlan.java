package org.rankunit.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.rankunit.engine.cases.ChaosCase;
import org.rankunit.engine.cases.Fault;
import org.rankunit.engine.cases.Moment;
import org.rankunit.engine.cases.Notes;
import org.rankunit.engine.cases.Strike;
import org.rankunit.engine.cases.StrikeAgent;

/** What happens in one run. Its number says it all. */
record ChaosPlan(long seed, Fault fault, Moment moment, int ranks, int rank, int micros) {

    /** Also faults that only a time-out ends, and larger groups. */
    static final boolean LONG = Boolean.getBoolean("chaos.long");

    private static final int PERCENT_ENDLESS = 12;
    private static final List<Integer> FEW = List.of(2, 3);
    private static final List<Integer> SOME = List.of(2, 2, 3, 4);
    private static final List<Integer> MANY = List.of(2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 6, 7, 8);

    static ChaosPlan of(long seed) {
        // The first numbers of neighbouring seeds are alike.
        Random random = new Random(seed * 0x9E3779B97F4A7C15L);
        boolean endless = LONG && random.nextInt(100) < PERCENT_ENDLESS;
        Fault fault = oneOf(
                random,
                Arrays.stream(Fault.values())
                        .filter(f -> (f.kind() == Fault.Kind.ENDLESS) == endless)
                        .toList());
        Moment moment = oneOf(
                random,
                Arrays.stream(Moment.values()).filter(fault::canStrikeAt).toList());
        int ranks = oneOf(random, !LONG ? FEW : endless ? SOME : MANY);
        return new ChaosPlan(seed, fault, moment, ranks, random.nextInt(ranks), random.nextInt(spread(moment)));
    }

    private static <T> T oneOf(Random random, List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** Within how many microseconds behind its moment the fault strikes; about as long as that moment takes. */
    private static int spread(Moment moment) {
        return switch (moment) {
            case ANYTIME -> 1_500_000;
            case BOOTSTRAP -> 60_000;
            default -> 20_000;
        };
    }

    Strike strike(Path folder) {
        return new Strike(fault, moment, rank, micros, folder);
    }

    Map<String, String> parameters(Path folder, int devices, Path pool) throws IOException {
        String agent = moment.isOfAgent() ? " -javaagent:" + StrikeAgent.jarIn(folder) : "";
        boolean endless = isEndless();
        return Map.of(
                "rankunit.sim.devices",
                Integer.toString(devices),
                "rankunit.pool-dir",
                pool.toString(),
                "rankunit.only-world-sizes",
                Integer.toString(ranks),
                "rankunit.jvm-args",
                "-Xmx64m -Djava.io.tmpdir=" + folder.resolve("temporary") + " -Duser.home=" + folder.resolve("home")
                        + " -D" + ChaosCase.DEVICES + "=" + pool + " "
                        + strike(folder).asArgument() + " " + Notes.asArgument(folder) + agent,
                "rankunit.bootstrap-timeout",
                endless ? "8s" : "60s",
                "rankunit.test-timeout",
                endless ? "4s" : "60s");
    }

    /** Whether only a time-out ends it. */
    boolean isEndless() {
        return fault.kind() == Fault.Kind.ENDLESS;
    }

    /** Whether nothing fails: the tests go on, or are over. */
    boolean isHarmless() {
        return fault.kind() == Fault.Kind.HARMLESS
                || moment == Moment.SHUTDOWN
                || (moment == Moment.START && isKilledFromOutside());
    }

    /** Whether it looks as if somebody had ended the rank. If that is before any test, its group comes up again. */
    private boolean isKilledFromOutside() {
        return fault.told().endsWith("SIGKILL") || fault.told().endsWith("SIGTERM");
    }

    /** Whether it is left to chance what the rank is doing when it is struck, or when that shows. */
    boolean isUnforeseen() {
        return moment == Moment.BOOTSTRAP || moment == Moment.ANYTIME || fault.kind() == Fault.Kind.LATE;
    }

    /** The results of the two tests, where they can be foreseen. */
    List<String> expectedResults() {
        if (isHarmless()) {
            return List.of("SUCCESSFUL first", "SUCCESSFUL second");
        }
        return switch (moment) {
            case START, BEFORE_ALL -> List.of("FAILED first", "FAILED second");
            case AFTER_ALL -> List.of("SUCCESSFUL first", "SUCCESSFUL second");
            default -> List.of("FAILED first", "SUCCESSFUL second");
        };
    }

    /** What every failure must say, as a pattern. */
    String expectedMessage() {
        String who = isEndless() || moment == Moment.START || isUnforeseen()
                ? "\\branks? (\\d, )*" + rank + "\\b"
                : "failed on rank " + rank + "\n";
        return "(?s).*" + who + ".*" + Pattern.quote(told()) + ".*";
    }

    private String told() {
        if (moment != Moment.START) {
            // Until it is up, a rank that does not move is told as late.
            return isUnforeseen() && isEndless() ? "" : fault.told();
        }
        return switch (fault.kind()) {
            // The JVM says what its agent threw, and aborts.
            case THROWN -> "processing of -javaagent failed";
            case ENDLESS -> "was starting its JVM";
            default -> fault.told();
        };
    }
}
