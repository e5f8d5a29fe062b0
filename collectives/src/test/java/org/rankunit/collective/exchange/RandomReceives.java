package org.rankunit.collective.exchange;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A program in which other ranks send to rank 0 one after the other, and rank 0 receives from given or from any ranks, of given tags or
 * any. The order in which messages arrive is known, and so is which receive takes which.
 */
final class RandomReceives {

    private static final int ANY = -1;
    private static final long NANOS_BETWEEN = 100_000;

    private record Message(int from, long tag) {}

    private final int ranks;
    private final List<Message> sent = new ArrayList<>();
    private final List<Message> taken = new ArrayList<>();

    RandomReceives(long seed) {
        Random random = new Random(seed);
        ranks = 2 + random.nextInt(3);
        int messages = 1 + random.nextInt(5);
        for (int i = 0; i < messages; i++) {
            int from = 1 + random.nextInt(ranks - 1);
            long tag = random.nextInt(3) == 0 ? 0xffff_fff0L : random.nextInt(2);
            sent.add(new Message(from, tag));
        }
        List<Message> shuffled = new ArrayList<>(sent);
        Collections.shuffle(shuffled, random);
        for (Message message : shuffled) {
            taken.add(new Message(
                    random.nextInt(3) == 0 ? ANY : message.from(), random.nextInt(3) == 0 ? ANY : message.tag()));
        }
    }

    int messages() {
        return sent.size();
    }

    /** Whether each message, in the order of arrival, finds a receive: all of them have started before. */
    boolean allTaken() {
        List<Message> open = new ArrayList<>(taken);
        return sent.stream().allMatch(message -> {
            for (Message receive : open) {
                if ((receive.from() == ANY || receive.from() == message.from())
                        && (receive.tag() == ANY || receive.tag() == message.tag())) {
                    return open.remove(receive);
                }
            }
            return false;
        });
    }

    /** Message i leaves i * 100 us after the start. */
    String text() {
        StringBuilder text = new StringBuilder("num_ranks " + ranks + "\nrank 0 {\n");
        for (Message receive : taken) {
            text.append("recv 8b from ")
                    .append(receive.from())
                    .append(" tag ")
                    .append(receive.tag())
                    .append('\n');
        }
        text.append("}\n");
        for (int rank = 1; rank < ranks; rank++) {
            text.append("rank ").append(rank).append(" {\n");
            for (int i = 0; i < sent.size(); i++) {
                if (sent.get(i).from() == rank) {
                    text.append("c").append(i).append(": calc ").append(i * NANOS_BETWEEN);
                    text.append(" cpu ").append(i).append("\ns").append(i).append(": send 8b to 0 tag ");
                    text.append(sent.get(i).tag())
                            .append("\ns")
                            .append(i)
                            .append(" requires c")
                            .append(i)
                            .append('\n');
                }
            }
            text.append("}\n");
        }
        return text.toString();
    }
}
