package org.rankunit.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Not a sample: leaves out the edges, waits, posts and signals of the samples, one at a time, and demands that each is reported.
 * By default the first of each kind on rank 0; with {@code -Dleftout.all=true} every one on every rank, which takes minutes.
 */
@Tag("ranks")
class LeftOutStepsTest {

    /** What orders each sample. */
    private static final Map<Class<?>, List<String>> STEPS = Map.of(
            TokenRingTest.class, List.of("signal", "cell-wait", "notify-post", "notify-wait", "synchronize"),
            TreduceOnRuntimesTest.class, List.of("publish", "tensor"),
            TensorParallelFloat32Test.class, List.of("edge", "task-wait", "signal", "publish", "tensor"));

    /** Steps whose absence changes nothing, each with a part of the message of the test. */
    private static final Map<String, String> EQUIVALENT = Map.of(
            // the cell is 0 before the first round, which a barrier has made sure of
            "0:cell-wait:1", "aTokenGoesAroundBySignals",
            // no memory that its stream writes is read afterwards, and the stream was done when it was closed
            "0:synchronize:1", "aTokenGoesAroundBy",
            // the same
            "1:synchronize:1", "aTokenGoesAroundByNotifies");

    private static final List<String> FINDINGS =
            List.of("race: ", "lost signal: ", "stale signal: ", "lost post: ", "left post: ");

    private static final List<String> MISSES =
            List.of("where the host waits for ", "never published", "synchronize the stream before it is destroyed");

    private static final boolean ALL = Boolean.getBoolean("leftout.all");

    /** How a test ended of which a step was left out. */
    private enum End {
        /** The simulator's checks found it, and name both places. */
        FOUND,
        /** Nobody would have ended a wait, or the runtime missed the step. */
        MISSED,
        /** Only the result of the test shows it. */
        WRONG_RESULT,
        /** Nothing shows it, and nothing is wrong. */
        EQUIVALENT,
        UNNOTICED
    }

    @TempDir
    private Path folder;

    private final Map<End, Integer> counts = new EnumMap<>(End.class);
    private final List<String> unreported = new ArrayList<>();

    @Test
    void whateverIsLeftOutIsReported() {
        STEPS.forEach((sample, steps) -> {
            for (String step : steps) {
                for (int rank = 0; rank < (ALL ? SampleRun.RANKS : 1); rank++) {
                    leaveOut(sample, rank, step);
                }
            }
        });

        int all = counts.values().stream().mapToInt(Integer::intValue).sum();
        int equivalent = counts.getOrDefault(End.EQUIVALENT, 0);
        int reported = all - equivalent - unreported.size();
        System.out.printf(
                "%d steps left out, one at a time: %d change nothing, %d of %d (%.1f %%) were reported %s%n",
                all, equivalent, reported, all - equivalent, 100.0 * reported / (all - equivalent), counts);
        assertThat(reported).isPositive();
        assertThat(unreported).isEmpty();
    }

    private void leaveOut(Class<?> sample, int rank, String step) {
        int number = 1;
        List<String> messages;
        do {
            String left = rank + ":" + step + ":" + number++;
            messages = run(sample, left);
            messages.forEach(message -> count(left, message));
        } while (ALL && !messages.isEmpty());
    }

    /** The messages of the tests of which the step was left out: others do not have so many. */
    private List<String> run(Class<?> sample, String left) {
        List<String> messages = SampleRun.of(sample, folder, Map.of("rankunit.sim.mutate", left)).failures;
        assertThat(messages).as(left).allMatch(message -> message.contains("left out on purpose: "));
        return messages;
    }

    private void count(String left, String message) {
        End end = endOf(left, message);
        counts.merge(end, 1, Integer::sum);
        if (end == End.WRONG_RESULT) {
            System.out.println("only the result shows " + left + ": " + message);
        } else if (end == End.UNNOTICED) {
            unreported.add(left + ": " + message);
        }
    }

    private static boolean isEquivalent(String left, String message) {
        return message.contains("; other steps impose the same order")
                || (EQUIVALENT.containsKey(left) && message.contains(EQUIVALENT.get(left)));
    }

    private static End endOf(String left, String message) {
        if (FINDINGS.stream().anyMatch(message::contains)) {
            return End.FOUND;
        } else if (MISSES.stream().anyMatch(message::contains)) {
            return End.MISSED;
        } else if (isEquivalent(left, message)) {
            return End.EQUIVALENT;
        }
        return message.contains("all ranks passed") ? End.UNNOTICED : End.WRONG_RESULT;
    }
}
