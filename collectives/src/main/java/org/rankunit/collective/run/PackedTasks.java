package org.rankunit.collective.run;

import java.util.LinkedHashMap;
import java.util.Map;
import org.rankunit.DType;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.call.Reduction;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.comm.TaskPlan;

/** What a plan is made of, in the words and numbers of {@code rankunit/coll.h}. */
final class PackedTasks {

    /** {@code COLL_BYTES}: of a type that is copied and not reduced. */
    private static final int BYTES = 12;

    /** {@code COLL_MAX_LINES}. */
    private static final int MAX_LINES = 65_535;

    private PackedTasks() {}

    /** Pack tasks with the lines that queued them, as many as can be numbered. */
    static TaskPlan.Tasks withLines(RankSchedule schedule) {
        long[] words = of(schedule);
        Map<String, Integer> numbers = new LinkedHashMap<>();
        for (int task = 0; task < schedule.size(); task++) {
            String line = schedule.line(task);
            if (line != null && numbers.size() < MAX_LINES) {
                numbers.putIfAbsent(line, numbers.size() + 1);
            }
            long number = line == null ? 0 : numbers.getOrDefault(line, 0);
            words[task * TaskPlan.WORDS] |= number << 48;
        }
        return new TaskPlan.Tasks(words, String.join("\n", numbers.keySet()));
    }

    static long[] of(RankSchedule schedule) {
        long[] words = new long[schedule.size() * TaskPlan.WORDS];
        for (int task = 0; task < schedule.size(); task++) {
            int first = task * TaskPlan.WORDS;
            words[first] = schedule.kind(task).number()
                    | ((long) schedule.fromBuffer(task).number() << 8)
                    | ((long) schedule.toBuffer(task).number() << 16)
                    | ((long) schedule.stream(task) << 32);
            // The code of a transfer is the number of its link, which makes no difference here.
            long notify = schedule.kind(task).movesData() ? 0 : schedule.code(task);
            words[first + 1] = (schedule.peer(task) & 0xffff_ffffL) | (notify << 32);
            words[first + 2] = schedule.from(task);
            words[first + 3] = schedule.to(task);
            words[first + 4] = schedule.bytes(task);
        }
        return words;
    }

    static TaskPlan.Setting setting(DType type, Reduction reduction, MemoryMode memory) {
        return new TaskPlan.Setting(numberOf(type), numberOf(reduction), memory == MemoryMode.WINDOWS ? 1 : 0);
    }

    /** Whether elements of a type can be reduced. */
    static boolean areReduced(DType type) {
        return numberOf(type) != BYTES;
    }

    private static int numberOf(DType type) {
        return switch (type) {
            case FLOAT32 -> 0;
            case FLOAT16 -> 1;
            case BFLOAT16 -> 2;
            case FLOAT64 -> 3;
            case INT8 -> 4;
            case INT16 -> 5;
            case INT32 -> 6;
            case INT64 -> 7;
            case UINT8 -> 8;
            case UINT16 -> 9;
            case UINT32 -> 10;
            case UINT64 -> 11;
            case FLOAT8_E4M3FN, FLOAT8_E5M2, HIFLOAT8, BOOL -> BYTES;
        };
    }

    private static int numberOf(Reduction reduction) {
        return switch (reduction) {
            case SUM -> 0;
            case PROD -> 1;
            case MAX -> 2;
            case MIN -> 3;
        };
    }
}
