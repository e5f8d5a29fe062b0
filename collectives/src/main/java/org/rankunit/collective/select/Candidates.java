package org.rankunit.collective.select;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.DeadlockException;
import org.rankunit.collective.OrchestrationException;
import org.rankunit.collective.algorithms.BuiltinAlgorithms;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.TooManyTasksException;
import org.rankunit.collective.simulate.Simulation;
import org.rankunit.collective.simulate.Topology;
import org.rankunit.collective.simulate.lockstep.Lockstep;

/**
 * All algorithms for a call, with the time that each takes on a modelled machine; the fastest one first, those that do not apply last.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Candidates(CollectiveCall call, List<Candidate> all) {

    public Candidates {
        all = List.copyOf(all);
    }

    /** Simulate every algorithm of the repertoire that applies. */
    public static Candidates of(CollectiveCall call, Topology topology) {
        return of(call, topology, List.of());
    }

    /**
     * Simulate every algorithm of the repertoire that applies, and others.
     *
     * @param others those for other collectives are left out
     */
    public static Candidates of(CollectiveCall call, Topology topology, List<CollectiveAlgorithm> others) {
        return new Candidates(
                call,
                Stream.concat(BuiltinAlgorithms.all().stream(), others.stream())
                        .filter(algorithm -> algorithm.collective() == call.collective())
                        .map(algorithm -> candidate(algorithm, call, topology))
                        .sorted(Comparator.comparingDouble(
                                each -> each.seconds().orElse(Double.POSITIVE_INFINITY)))
                        .toList());
    }

    private static Candidate candidate(CollectiveAlgorithm algorithm, CollectiveCall call, Topology topology) {
        Optional<String> unsupportedReason = algorithm.unsupportedReason(call);
        if (unsupportedReason.isPresent()) {
            return new Candidate(algorithm, OptionalDouble.empty(), unsupportedReason);
        }
        try {
            Simulation simulation = Lockstep.simulate(algorithm, call, topology)
                    .orElseGet(() -> Simulation.of(Schedule.of(algorithm, call), topology));
            return new Candidate(algorithm, OptionalDouble.of(simulation.seconds()), unsupportedReason);
        } catch (DeadlockException e) {
            return new Candidate(algorithm, OptionalDouble.empty(), Optional.of("waits forever"));
        } catch (TooManyTasksException e) {
            return new Candidate(algorithm, OptionalDouble.empty(), Optional.of("has too many tasks"));
        } catch (OrchestrationException e) {
            return new Candidate(algorithm, OptionalDouble.empty(), Optional.ofNullable(e.getMessage()));
        }
    }

    /** Choose the fastest one; empty if none applies. */
    public Optional<Selection> fastest() {
        return all.stream()
                .filter(each -> each.seconds().isPresent())
                .findFirst()
                .map(each -> Selection.of(
                        each.algorithm(),
                        String.format(Locale.ROOT, "%.3f us by the model, the least of all", micros(each))));
    }

    private static double micros(Candidate candidate) {
        return candidate.seconds().orElse(Double.NaN) * 1e6;
    }

    /** Describe all for people, a line each. */
    public String report() {
        StringBuilder text = new StringBuilder(call.toString());
        for (Candidate each : all) {
            text.append("\n  ").append(each.algorithm().name()).append(": ");
            text.append(each.unsupportedReason().orElseGet(() -> String.format(Locale.ROOT, "%.3f us", micros(each))));
        }
        return text.toString();
    }
}
