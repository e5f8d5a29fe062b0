package org.rankunit.engine.protocol;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.rankunit.ShakeStrategy;

/**
 * Everything that the author of a device test declared about one variant of it.
 *
 * <p>{@code DeclarationReader} reads it from the annotations, and it is passed unchanged from there to the ranks. All code that
 * needs the declaration uses this record. Immutable.
 *
 * @param place where the test is declared, for messages: {@code package.Class.method}
 * @param ranks number of ranks; 0 if it is unknown because the declaration is invalid
 * @param nodes on how many nodes of a cluster its ranks run, the same number on each; 0 for any
 * @param communicator whether its ranks get a communicator
 * @param platforms names of the platforms it may run on; empty for any
 * @param arguments arguments of its kernel or graph, in order; empty if it declares none
 * @param syncPrefix bytes at the start of the window that are kept free of buffers and are filled with zeros before the test
 * @param runtime name of the runtime it loads, which never shares a process with another runtime; empty for none
 * @param freshFor the class or method that requests ranks of its own, or {@code null} for any ranks
 * @param timeoutMillis how long each of its tests may take on all its ranks; 0 for the general limit
 * @param rounds how often the body of each of its tests runs
 * @param shake how simulators shake its schedule, or {@code null} if they do not
 * @param goldens where its inputs and expected outputs come from, or {@code null} if it makes them itself
 * @param minBusBandwidth what each algorithm that it measures must reach on hardware, in GB/s; 0 if it asks for nothing
 */
public record TestDeclaration(
        String place,
        int ranks,
        int nodes,
        boolean communicator,
        List<String> platforms,
        List<BufferDeclaration> buffers,
        List<ArgumentDeclaration> arguments,
        int syncPrefix,
        String runtime,
        @Nullable String freshFor,
        long timeoutMillis,
        Rounds rounds,
        @Nullable Shake shake,
        @Nullable GoldenSource goldens,
        double minBusBandwidth) {

    /**
     * Where inputs and expected outputs come from: a model or files.
     *
     * @param place where that is declared
     * @param model the class of the model; empty for files
     * @param folder the folder of the files as declared; empty for a model
     * @param check the class that chooses the checks of the outputs
     * @param perInvocation whether each rank computes the model for each invocation, with its arguments
     */
    public record GoldenSource(String place, String model, String folder, String check, boolean perInvocation) {

        /** Whether these are files. */
        public boolean isFiles() {
            return model.isEmpty();
        }

        /** Say that a model gives an output for some ranks only, where it would be verified. */
        public String onlyForSome(String output, List<Integer> with, int ranks) {
            return place + ": the golden model " + model + " gives the output '" + output + "' only for ranks " + with
                    + ". Give it for each of the " + ranks + " ranks.";
        }
    }

    /**
     * How often the body of a test runs.
     *
     * @param measured rounds that are measured, at least 1
     * @param warmUp rounds before these
     * @param sameBits whether every round must leave the same bits in the outputs
     */
    public record Rounds(int measured, int warmUp, boolean sameBits) {

        /** A test without rounds. */
        public static final Rounds ONCE = new Rounds(1, 0, false);

        public int total() {
            return measured + warmUp;
        }
    }

    /**
     * One seed of a shaken test.
     *
     * @param number its place among the seeds of the test, from 1; with the first, the test also runs on hardware
     * @param seeds how many the test has
     */
    public record Shake(ShakeStrategy strategy, long seed, int number, int seeds) {

        /** The seed as the user gives it: {@code random:7}. */
        public String key() {
            return strategy.name().toLowerCase(Locale.ROOT) + ":" + seed;
        }

        /** The seed as names of variants have it. */
        public String text() {
            return "seed " + seed;
        }
    }

    /** Declare a test that specifies only its number of ranks. */
    public static TestDeclaration plain(String place, int ranks) {
        return new TestDeclaration(
                place, ranks, 0, true, List.of(), List.of(), List.of(), 0, "", null, 0, Rounds.ONCE, null, null, 0);
    }

    /** Copy this declaration for one variant. */
    public TestDeclaration variant(int ranksOfVariant, String runtimeOfVariant, @Nullable Shake shakeOfVariant) {
        return new TestDeclaration(
                place,
                ranksOfVariant,
                nodes,
                communicator,
                platforms,
                buffers,
                arguments,
                syncPrefix,
                runtimeOfVariant,
                freshFor,
                timeoutMillis,
                rounds,
                shakeOfVariant,
                goldens,
                minBusBandwidth);
    }

    /** Copy this declaration with other rounds. */
    public TestDeclaration with(Rounds otherRounds) {
        return new TestDeclaration(
                place,
                ranks,
                nodes,
                communicator,
                platforms,
                buffers,
                arguments,
                syncPrefix,
                runtime,
                freshFor,
                timeoutMillis,
                otherRounds,
                shake,
                goldens,
                minBusBandwidth);
    }
}
