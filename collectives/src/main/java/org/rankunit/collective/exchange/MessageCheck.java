package org.rankunit.collective.exchange;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * Finds messages that are sent and not received, or the other way round. A message is known by its two ranks, its tag and its size; who
 * adds it says where it is, by a number of the caller's own.
 */
@API(status = INTERNAL, since = "0.1")
public final class MessageCheck {

    private final Map<Channel, Traffic> channels = new LinkedHashMap<>();

    private record Channel(int from, int to, int tag) {}

    /**
     * Messages that do not match.
     *
     * @param place of the first one of them
     * @param what is there
     * @param expected in place of it
     */
    public record Problem(long place, String what, String expected) {}

    /** What goes through a channel, and where it is seen first. */
    private static final class Traffic {

        private final long place;
        private int sends;
        private int receives;
        /** 0 if all sizes that are sent are received, however they are ordered. */
        private long sizes;

        Traffic(long place) {
            this.place = place;
        }

        Traffic with(Traffic other) {
            sends += other.sends;
            receives += other.receives;
            return this;
        }

        void add(boolean send, long bytes) {
            long mixed = (bytes + 1) * 0x9E3779B97F4A7C15L;
            mixed ^= mixed >>> 29;
            mixed *= 0xBF58476D1CE4E5B9L;
            sends += send ? 1 : 0;
            receives += send ? 0 : 1;
            sizes += send ? mixed : -mixed;
        }
    }

    /**
     * Add one end of a message.
     *
     * @param send whether it is the sender's
     * @param from {@link GoalOperation#ANY} of a receive from any rank
     * @param tag {@link GoalOperation#ANY} fits all
     */
    public void add(boolean send, int from, int to, int tag, long bytes, long place) {
        channels.computeIfAbsent(new Channel(from, to, tag), channel -> new Traffic(place))
                .add(send, bytes);
    }

    /** Get the first messages that do not match; empty if all do. */
    public Optional<Problem> problem() {
        return toRanks().entrySet().stream()
                .map(each -> problem(each.getKey(), each.getValue()))
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** Where a receive takes from any rank or of any tag, or a send fits any tag, only the numbers of messages to a rank can be compared. */
    private Map<Channel, Traffic> toRanks() {
        Set<Integer> any = new HashSet<>();
        channels.keySet().stream()
                .filter(channel -> channel.from() == GoalOperation.ANY || channel.tag() == GoalOperation.ANY)
                .forEach(channel -> any.add(channel.to()));
        Map<Channel, Traffic> matched = new LinkedHashMap<>();
        channels.forEach((channel, traffic) -> matched.merge(
                any.contains(channel.to()) ? new Channel(GoalOperation.ANY, channel.to(), GoalOperation.ANY) : channel,
                traffic,
                Traffic::with));
        return matched;
    }

    private static Optional<Problem> problem(Channel channel, Traffic traffic) {
        if (channel.from() == GoalOperation.ANY) {
            return traffic.sends == traffic.receives
                    ? Optional.empty()
                    : Optional.of(new Problem(
                            traffic.place,
                            "rank " + channel.to() + " has " + count(traffic.receives, "receive") + " for "
                                    + count(traffic.sends, "send") + " to it",
                            "a receive for each send"));
        }
        if (traffic.sends == traffic.receives && traffic.sizes == 0) {
            return Optional.empty();
        }
        String tag = " with tag " + GoalOperation.tagText(channel.tag());
        String what = traffic.sends == traffic.receives
                ? "messages from rank " + channel.from() + " to rank " + channel.to() + tag
                        + " are received with other sizes than they are sent"
                : "rank " + channel.from() + " has " + count(traffic.sends, "send") + " to rank " + channel.to() + tag
                        + ", and rank " + channel.to() + " has " + count(traffic.receives, "receive");
        return Optional.of(new Problem(traffic.place, what, "a receive of the same size for each send"));
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
