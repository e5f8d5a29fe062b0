package org.rankunit.collective.plain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.Region;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.schedule.NotifyName;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.Task;

/**
 * Runs the tasks of all ranks on 32-bit integers. Which of the streams that can go on does so next is decided by a seed, so that
 * different seeds are different schedules of a machine.
 */
public final class PlainRun {

    private final CollectiveCall call;
    private final Random random;
    private final int[][][] buffers;
    private final Set<NotifyName> set = new HashSet<>();
    private final List<Progress> streams = new ArrayList<>();

    private PlainRun(Schedule schedule, long seed) {
        this.call = schedule.call();
        this.random = new Random(seed);
        BufferKind[] kinds = BufferKind.values();
        this.buffers = new int[call.ranks()][kinds.length][];
        for (RankSchedule rank : schedule.ranks()) {
            for (BufferKind kind : kinds) {
                int[] buffer = new int[Math.toIntExact((schedule.bufferBytes(kind, rank.rank()) + 3) / Integer.BYTES)];
                Arrays.fill(buffer, 0xABABABAB);
                buffers[rank.rank()][kind.number()] = buffer;
            }
            writeInput(rank.rank());
            List<Task> tasks = rank.tasks();
            for (int stream = 0; stream < rank.streams(); stream++) {
                int number = stream;
                streams.add(new Progress(
                        tasks.stream().filter(task -> task.stream() == number).toList()));
            }
        }
    }

    /** How far a stream is. */
    private static final class Progress {

        private final List<Task> tasks;
        private int next;

        Progress(List<Task> tasks) {
            this.tasks = tasks;
        }
    }

    private void writeInput(int rank) {
        int[] input = PlainData.input(call, rank);
        boolean inOutput = call.inPlace() && call.inputLiesInOutput(rank);
        int[] buffer = buffers[rank][(inOutput ? BufferKind.OUTPUT : BufferKind.INPUT).number()];
        int from = inOutput ? Math.toIntExact(call.inPlaceOffset(rank) / Integer.BYTES) : 0;
        System.arraycopy(input, 0, buffer, from, input.length);
    }

    /** Run all, and say what is wrong; null if outputs are right and inputs unchanged. */
    public static @Nullable String problemOf(Schedule schedule, long seed) {
        return new PlainRun(schedule, seed).problem();
    }

    private @Nullable String problem() {
        List<Progress> left = new ArrayList<>(streams);
        left.removeIf(stream -> stream.tasks.isEmpty());
        while (!left.isEmpty()) {
            List<Progress> ready = left.stream().filter(this::canGoOn).toList();
            if (ready.isEmpty()) {
                return "deadlock: " + left.get(0).tasks.get(left.get(0).next);
            }
            Progress stream = ready.get(random.nextInt(ready.size()));
            String problem = run(stream.tasks.get(stream.next++));
            if (problem != null) {
                return problem;
            }
            if (stream.next == stream.tasks.size()) {
                left.remove(stream);
            }
        }
        return set.isEmpty() ? wrongData() : "left set: " + set;
    }

    private boolean canGoOn(Progress stream) {
        Task task = stream.tasks.get(stream.next);
        return switch (task.kind()) {
            case WAIT -> set.contains(task.signalled());
            default -> true;
        };
    }

    private @Nullable String run(Task task) {
        NotifyName name = task.signalled();
        if (name != null) {
            boolean changed = switch (task.kind()) {
                case POST -> set.add(name);
                default -> set.remove(name);
            };
            return changed ? null : "posted twice: " + task;
        }
        Region from = task.from();
        Region to = task.to();
        if (from == null || to == null) {
            return "no data: " + task;
        }
        int[] source = buffers[from.rank()][from.buffer().number()];
        int[] target = buffers[to.rank()][to.buffer().number()];
        int read = Math.toIntExact(from.from() / Integer.BYTES);
        int written = Math.toIntExact(to.from() / Integer.BYTES);
        int count = Math.toIntExact(from.bytes() / Integer.BYTES);
        if (read + count > source.length || written + count > target.length) {
            return "out of bounds: " + task;
        }
        if (!task.kind().reduces()) {
            System.arraycopy(source, read, target, written, count);
            return null;
        }
        for (int i = 0; i < count; i++) {
            target[written + i] = PlainData.reduced(call.reduction(), target[written + i], source[read + i]);
        }
        return null;
    }

    private @Nullable String wrongData() {
        for (int rank = 0; rank < call.ranks(); rank++) {
            int[] expected = PlainData.expected(call, rank);
            if (!Arrays.equals(output(rank, expected.length), expected)) {
                return "wrong output of rank " + rank;
            }
            int[] input = buffers[rank][BufferKind.INPUT.number()];
            if (!call.inPlace() && !Arrays.equals(input, PlainData.input(call, rank))) {
                return "input of rank " + rank + " was changed";
            }
        }
        return null;
    }

    private int[] output(int rank, int length) {
        boolean inInput = call.inPlace() && !call.inputLiesInOutput(rank);
        int from = inInput ? Math.toIntExact(call.inPlaceOffset(rank) / Integer.BYTES) : 0;
        int[] buffer = buffers[rank][(inInput ? BufferKind.INPUT : BufferKind.OUTPUT).number()];
        return Arrays.copyOfRange(buffer, from, from + length);
    }
}
