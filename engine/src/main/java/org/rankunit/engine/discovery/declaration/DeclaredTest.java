package org.rankunit.engine.discovery.declaration;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.rankunit.ShakeStrategy;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.config.SimulatorSettings;
import org.rankunit.engine.protocol.TestDeclaration;

/**
 * A device test as its author wrote it, before it is split into one variant for each number of ranks, each runtime and each
 * seed.
 *
 * @param declaration the declaration that all variants share; its number of ranks is 0, and its runtime empty
 * @param counts numbers of ranks, ascending
 * @param runtimes names of runtimes; the empty text alone if it names none
 * @param shakes the seeds with which it is shaken; empty if it is not
 * @param adjustable whether it may also run on other numbers of ranks
 * @param problem what is wrong with it, or {@code null}
 */
public record DeclaredTest(
        TestDeclaration declaration,
        List<Integer> counts,
        List<String> runtimes,
        List<TestDeclaration.Shake> shakes,
        boolean adjustable,
        @Nullable String problem) {

    /** The same test with the other number of ranks, if one is given; a mistake if its author does not allow it. */
    public DeclaredTest withCount(OptionalInt other) {
        if (other.isEmpty() || problem != null) {
            return this;
        }
        return new DeclaredTest(
                declaration,
                List.of(other.getAsInt()),
                runtimes,
                shakes,
                adjustable,
                mistakeWithCount(other.getAsInt()));
    }

    private @Nullable String mistakeWithCount(int other) {
        String given = ConfigKey.WORLD_SIZE.key() + " = " + other + ": " + declaration.place();
        if (!adjustable) {
            return given + " is written for "
                    + counts.stream().map(String::valueOf).collect(Collectors.joining(", "))
                    + (counts.equals(List.of(1)) ? " rank" : " ranks")
                    + ".\nLeave it out of this run, or allow other numbers: @DeviceCount(value = ..., adjustable ="
                    + " true).";
        }
        int nodes = declaration.nodes();
        return nodes == 0 || other % nodes == 0
                ? null
                : given + " runs on " + nodes + " nodes with @Nodes(" + nodes + "), which cannot divide " + other
                        + (other == 1 ? " rank" : " ranks") + " evenly.\nGive a multiple of " + nodes
                        + ", or leave the test out of this run.";
    }

    /** The same test with the seeds that the user gives, if any. */
    public DeclaredTest withShake(Optional<SimulatorSettings.Shake> given) {
        if (given.isEmpty()) {
            return this;
        }
        long seed = given.get().seed();
        List<TestDeclaration.Shake> seeds = given.get().isBase()
                ? shakes.stream()
                        .map(shake -> new TestDeclaration.Shake(
                                shake.strategy(), seed + shake.number() - 1, shake.number(), shake.seeds()))
                        .toList()
                : List.of(new TestDeclaration.Shake(strategyOf(given.get()), seed, 1, 1));
        return new DeclaredTest(declaration, counts, runtimes, seeds, adjustable, problem);
    }

    /** The same test with so many measured rounds, if the user gives a number. */
    public DeclaredTest withRounds(OptionalInt given) {
        if (given.isEmpty()) {
            return this;
        }
        TestDeclaration.Rounds declared = declaration.rounds();
        TestDeclaration.Rounds rounds =
                new TestDeclaration.Rounds(given.getAsInt(), declared.warmUp(), declared.sameBits());
        return new DeclaredTest(declaration.with(rounds), counts, runtimes, shakes, adjustable, problem);
    }

    private static ShakeStrategy strategyOf(SimulatorSettings.Shake given) {
        return ShakeStrategy.valueOf(given.strategy().toUpperCase(Locale.ROOT));
    }

    /** The same test as a mistake, because it is in a class template that is not a device test. */
    public DeclaredTest inTemplate() {
        return new DeclaredTest(
                declaration,
                counts,
                runtimes,
                shakes,
                adjustable,
                declaration.place()
                        + ": its class runs once for each of its arguments, each time as a whole, on ranks or not."
                        + " Put @DeviceCount or @Platforms on the class, or the method into a class of its own.");
    }
}
