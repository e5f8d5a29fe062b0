package org.rankunit.engine.rank;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;
import org.rankunit.Values;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.Phase;
import org.rankunit.engine.protocol.TestDeclaration;
import org.rankunit.engine.rank.buffers.LiveRankContext;
import org.rankunit.engine.rank.evidence.PhaseClock;
import org.rankunit.engine.rank.failure.GoldenChecks;
import org.rankunit.golden.Golden;

/** The rounds of the running test on this rank: resets the buffers between them, and measures each. */
final class RankRounds {

    private final LiveRankContext context;
    private final PhaseClock phases;
    private final GoldenChecks goldens;
    private final Runnable reset;
    private TestDeclaration.Rounds declared = TestDeclaration.Rounds.ONCE;
    private final List<Long> begins = new ArrayList<>();
    private final List<Long> ends = new ArrayList<>();
    private final Map<Phase, List<Long>> times = new EnumMap<>(Phase.class);
    private final Map<String, Values> firstOutputs = new LinkedHashMap<>();
    private Map<Phase, Long> before = Map.of();
    private int begun;
    private int done;
    private long began;

    /** @param reset makes the buffers what they were before the first round */
    RankRounds(LiveRankContext context, PhaseClock phases, GoldenChecks goldens, Runnable reset) {
        this.context = context;
        this.phases = phases;
        this.goldens = goldens;
        this.reset = reset;
    }

    /** A test is entered; {@code null} if it has no declaration. */
    void enter(TestDeclaration.@Nullable Rounds rounds) {
        declared = rounds == null ? TestDeclaration.Rounds.ONCE : rounds;
        begins.clear();
        ends.clear();
        times.clear();
        firstOutputs.clear();
        begun = 0;
        done = 0;
    }

    int total() {
        return declared.total();
    }

    /**
     * Begin the next round. The first barrier lets no rank reset what another still reads; after the second one, all begin.
     */
    void begin() {
        if (begun > 0) {
            meet();
            reset.run();
            goldens.restart();
        }
        begun++;
        meet();
        before = phases.totals();
        began = System.nanoTime();
    }

    private void meet() {
        if (context.hasCommunicator()) {
            context.barrier();
        }
    }

    /** A round has ended. */
    void end() {
        long ended = System.nanoTime();
        if (begun > declared.warmUp()) {
            measure(ended);
        }
        List<String> overruns = context.overruns();
        if (!overruns.isEmpty()) {
            throw new AssertionFailedError(String.join("\n", overruns));
        }
        if (declared.sameBits()) {
            compare();
        }
        done++;
    }

    private void measure(long ended) {
        begins.add(began);
        ends.add(ended);
        long run = ended - began;
        for (Map.Entry<Phase, Long> each : phases.totals().entrySet()) {
            long nanos = each.getValue() - before.getOrDefault(each.getKey(), 0L);
            if (nanos > 0) {
                keep(each.getKey(), nanos);
                run -= nanos;
            }
        }
        keep(Phase.RUN, Math.max(0, run));
    }

    /** A phase that did not happen in a round takes no time in it. */
    private void keep(Phase phase, long nanos) {
        List<Long> all = times.computeIfAbsent(phase, p -> new ArrayList<>());
        while (all.size() < begins.size() - 1) {
            all.add(0L);
        }
        all.add(nanos);
    }

    private void compare() {
        context.writtenBuffers().forEach(buffer -> {
            Values found = buffer.read();
            Values first = firstOutputs.putIfAbsent(buffer.name(), found);
            if (first != null) {
                Golden.of(buffer.name() + " after round " + begun + ", compared with round 1", first)
                        .exactBits()
                        .allowEmpty()
                        .verify(found);
            }
        });
    }

    /** What is known of the rounds of the test that has ended here; empty if it has none, or was not entered. */
    Optional<FromRank.Rounds> taken(String uniqueId) {
        if (begun == 0) {
            return Optional.empty();
        }
        List<FromRank.Rounds.PhaseTimes> all = new ArrayList<>();
        times.forEach((phase, nanos) -> {
            while (nanos.size() < begins.size()) {
                nanos.add(0L);
            }
            all.add(new FromRank.Rounds.PhaseTimes(phase, List.copyOf(nanos)));
        });
        return Optional.of(new FromRank.Rounds(
                uniqueId, declared.measured(), declared.warmUp(), done, List.copyOf(begins), List.copyOf(ends), all));
    }
}
