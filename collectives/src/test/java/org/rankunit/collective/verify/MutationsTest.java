package org.rankunit.collective.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rankunit.DType;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Region;
import org.rankunit.collective.algorithms.BuiltinAlgorithms;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.plain.PlainRun;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.Task;
import org.rankunit.collective.verify.finding.Finding;

/**
 * Proves the verifier: each task of each algorithm is left out, doubled, exchanged with the next one, moved and shortened. What the
 * verifier does not report must be right on data, however the streams are interleaved.
 */
@Tag("unit")
class MutationsTest {

    private static final int RANKS = Integer.getInteger("collectives.mutated-ranks", 4);
    private static final int SEEDS = 5;

    private enum Mutation {
        LEFT_OUT,
        DOUBLED,
        EXCHANGED,
        MOVED,
        SHORTENED
    }

    static List<CollectiveAlgorithm> algorithms() {
        return BuiltinAlgorithms.all();
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void whatIsNotReportedIsRight(CollectiveAlgorithm algorithm) {
        for (MemoryMode mode : MemoryMode.values()) {
            CollectiveCall call = CollectiveCall.of(algorithm.collective(), RANKS, DType.INT32, 2L * RANKS)
                    .withMemory(mode, 4096);
            if (algorithm.unsupportedReason(call).isEmpty()) {
                mutate(algorithm, Schedule.of(algorithm, call));
            }
        }
    }

    private static void mutate(CollectiveAlgorithm algorithm, Schedule schedule) {
        Map<Mutation, int[]> counts = new TreeMap<>();
        for (RankSchedule rank : schedule.ranks()) {
            for (int task = 0; task < rank.size(); task++) {
                for (Mutation mutation : Mutation.values()) {
                    List<Task> tasks = mutated(rank, task, mutation);
                    if (tasks.isEmpty()) {
                        continue;
                    }
                    Schedule mutant = schedule.with(rank.withTasks(tasks));
                    boolean reported = isReported(mutant);
                    int[] count = counts.computeIfAbsent(mutation, each -> new int[2]);
                    count[0]++;
                    count[1] += reported ? 1 : 0;
                    if (!reported) {
                        String what = algorithm.name() + ": " + mutation + " " + rank.task(task);
                        for (int seed = 0; seed < SEEDS; seed++) {
                            assertThat(PlainRun.problemOf(mutant, seed))
                                    .as(what)
                                    .isNull();
                        }
                    }
                }
            }
        }
        counts.forEach((mutation, count) -> System.out.println(
                algorithm.name() + " " + mutation + ": " + count[1] + " of " + count[0] + " reported"));
        // A copy of the same bytes can be made twice, and some neighbours can change places; nothing else is for free.
        assertThat(counts).containsKey(Mutation.LEFT_OUT);
        counts.forEach((mutation, count) -> {
            if (mutation != Mutation.DOUBLED && mutation != Mutation.EXCHANGED) {
                assertThat(count[1]).as(algorithm.name() + " " + mutation).isEqualTo(count[0]);
            }
        });
    }

    /** Costs and resources are no reason: a mutant always has others. */
    private static boolean isReported(Schedule mutant) {
        return Verifier.verify(mutant).findings().stream().map(Finding::kind).anyMatch(kind -> switch (kind) {
            case UNUSED_RESOURCES, OTHER_COST -> false;
            default -> true;
        });
    }

    /** The tasks with one change; empty if there is none of this kind. */
    private static List<Task> mutated(RankSchedule rank, int number, Mutation mutation) {
        List<Task> tasks = new ArrayList<>(rank.tasks());
        Task task = tasks.get(number);
        Region from = task.from();
        Region to = task.to();
        switch (mutation) {
            case LEFT_OUT -> tasks.remove(number);
            case DOUBLED -> tasks.add(number, task);
            case EXCHANGED -> {
                if (number + 1 == tasks.size()) {
                    return List.of();
                }
                Collections.swap(tasks, number, number + 1);
            }
            case MOVED -> {
                if (to == null || to.from() < Integer.BYTES) {
                    return List.of();
                }
                Region moved = new Region(to.rank(), to.buffer(), to.from() - Integer.BYTES, to.bytes());
                tasks.set(number, changed(task, from, moved));
            }
            case SHORTENED -> {
                if (from == null || to == null || to.bytes() <= Integer.BYTES) {
                    return List.of();
                }
                long bytes = to.bytes() - Integer.BYTES;
                tasks.set(number, changed(task, from.part(0, bytes), to.part(0, bytes)));
            }
        }
        return tasks;
    }

    private static Task changed(Task task, @Nullable Region from, Region to) {
        return new Task(
                task.rank(), task.stream(), task.place(), task.kind(), from, to, null, task.link(), task.line());
    }
}
