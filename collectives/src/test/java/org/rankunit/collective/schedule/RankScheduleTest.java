package org.rankunit.collective.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.call.BufferKind;

/** Tasks that were packed are as they were queued. */
@Tag("unit")
class RankScheduleTest {

    private static final int RANK = 3;
    private static final int TASKS = 500;
    private static final List<TaskKind> KINDS = List.of(TaskKind.values());
    private static final List<BufferKind> BUFFERS = List.of(BufferKind.values());

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 9, 40_000})
    void tasksAreAsTheyWereQueued(int subStreams) {
        Random random = new Random(subStreams);
        RankSchedule schedule = schedule(subStreams);
        List<Task> queued = new ArrayList<>();
        int[] places = new int[subStreams + 1];
        for (int number = 0; number < TASKS; number++) {
            // Some streams have all of their tasks in a row.
            int stream = number < TASKS / 2 ? number * subStreams / TASKS : random.nextInt(subStreams + 1);
            queued.add(queue(schedule, random, stream, places[stream]++));
        }
        schedule.built();

        assertThat(schedule.tasks()).isEqualTo(queued);
        assertThat(schedule.streams()).isEqualTo(subStreams + 1);
        for (int number = 0; number < TASKS; number++) {
            Task task = queued.get(number);
            assertThat(schedule.number(task.stream(), task.place())).isEqualTo(number);
            assertThat(schedule.size(task.stream())).isEqualTo(places[task.stream()]);
        }
        assertThat(schedule.hasSameTasks(schedule.withTasks(queued))).isTrue();
        Task last = queued.remove(random.nextInt(TASKS));
        assertThat(schedule.hasSameTasks(schedule.withTasks(queued))).isFalse();
        assertThat(last.rank()).isEqualTo(RANK);
    }

    private static RankSchedule schedule(int subStreams) {
        return new RankSchedule(
                RANK, new Resources(0, subStreams, 0, List.of()), new TaskBudget(Long.MAX_VALUE, "a test"), true, 0);
    }

    private static Task queue(RankSchedule schedule, Random random, int stream, int place) {
        TaskKind kind = KINDS.get(random.nextInt(KINDS.size()));
        boolean local = kind == TaskKind.COPY || kind == TaskKind.REDUCE || (!kind.movesData() && random.nextBoolean());
        int peer = local ? -1 : random.nextInt(1 << 20);
        int code = random.nextInt(1 << 24);
        String line = "Algorithm.java:" + random.nextInt(100);
        if (!kind.movesData()) {
            schedule.addSignal(kind, stream, peer, code, line);
            NotifyName name = kind == TaskKind.WAIT || local
                    ? new NotifyName(RANK, peer, code)
                    : new NotifyName(peer, RANK, code);
            return new Task(RANK, stream, place, kind, null, null, name, -1, line);
        }
        long bytes = random.nextLong(1L << 60);
        Region from = new Region(kind.readsThere() ? peer : RANK, buffer(random), random.nextLong(1L << 60), bytes);
        Region to = new Region(kind.writesThere() ? peer : RANK, buffer(random), random.nextLong(1L << 60), bytes);
        schedule.addTransfer(kind, stream, peer, local ? 0 : code, from, to, line);
        return new Task(RANK, stream, place, kind, from, to, null, local ? -1 : code, line);
    }

    private static BufferKind buffer(Random random) {
        return BUFFERS.get(random.nextInt(BUFFERS.size()));
    }
}
