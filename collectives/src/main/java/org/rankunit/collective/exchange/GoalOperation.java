package org.rankunit.collective.exchange;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import org.apiguardian.api.API;

/**
 * One operation of a rank in a {@link GoalProgram}.
 *
 * @param amount bytes of a message; nanoseconds of {@link Kind#CALC}
 * @param peer the rank at the other end of a message; {@link #ANY} of a receive from any rank; -1 for {@link Kind#CALC}
 * @param tag an unsigned number: a receive takes a message of its own tag; {@link #ANY} fits all tags; 0 for {@link Kind#CALC}
 * @param cpu of the rank; computations of one cpu follow each other
 * @param nic of the rank; kept, and not used by {@link GoalProgram#simulate}
 * @param requires numbers of operations of the same rank that must have ended before this one starts, in ascending order
 * @param startsAfter numbers of operations of the same rank that must have started before this one does: "irequires"
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record GoalOperation(
        Kind kind,
        long amount,
        int peer,
        int tag,
        int cpu,
        int nic,
        List<Integer> requires,
        List<Integer> startsAfter) {

    /** What a file writes as {@code -1}: any rank, any tag. */
    public static final int ANY = -1;

    public GoalOperation {
        requires = List.copyOf(requires);
        startsAfter = List.copyOf(startsAfter);
    }

    /**
     * What an operation does.
     *
     * @since 0.1
     */
    @API(status = EXPERIMENTAL, since = "0.1")
    public enum Kind {
        /** Sends a message. */
        SEND(0),
        /** Receives a message. */
        RECV(1),
        /** Computes for a time. */
        CALC(2);

        private static final Kind[] ALL = values();

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }

        static Kind of(int number) {
            return ALL[number];
        }
    }

    static String tagText(int tag) {
        return tag == ANY ? "-1" : Integer.toUnsignedString(tag);
    }

    /** Returns {@code "send 64b to 3 tag 7"}, as a GOAL file has it. */
    @Override
    public String toString() {
        return text(kind, amount, peer, tag, cpu, nic);
    }

    static String text(Kind kind, long amount, int peer, int tag, int cpu, int nic) {
        String text = switch (kind) {
            case SEND -> "send " + amount + "b to " + peer + " tag " + tagText(tag);
            case RECV -> "recv " + amount + "b from " + peer + " tag " + tagText(tag);
            case CALC -> "calc " + amount;
        };
        return text + (cpu == 0 ? "" : " cpu " + cpu) + (nic == 0 ? "" : " nic " + nic);
    }
}
