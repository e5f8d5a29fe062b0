package org.rankunit.engine.watch;

import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.pool.inventory.DeviceList;

/** The words for what a group is doing. */
final class StatusText {

    private static final long MINUTE = 60;

    private StatusText() {}

    /** One line for a group. */
    static String line(GroupStatus status) {
        String time = time(status.nanos());
        return status.title()
                + switch (status.stage()) {
                    case TURN -> " waits for its turn, " + time;
                    case DEVICES -> status.what().isEmpty() ? " needs devices, " + time : ": " + status.what();
                    case START -> on(status) + ": ranks come up, " + time;
                    case RUN ->
                        on(status) + ": " + (status.what().isEmpty() ? "begins" : status.what()) + ", " + time
                                + usual(status) + missing(status)
                                + (isShort(status.leftNanos())
                                        ? ""
                                        : "; about " + time(status.leftNanos().getAsLong()) + " left");
                };
    }

    /** A sentence for a test that takes long, or for ranks that do. */
    static String late(GroupStatus status) {
        String title = status.title() + on(status);
        return status.stage() == GroupStatus.Stage.START
                ? title + ": its ranks have been coming up for " + time(status.nanos())
                : title + ": " + status.what() + " has run for " + time(status.nanos()) + usual(status)
                        + missing(status);
    }

    private static String on(GroupStatus status) {
        return " on " + DeviceRef.describe(status.devices());
    }

    private static String usual(GroupStatus status) {
        return isShort(status.usualNanos())
                ? ""
                : ", usually " + time(status.usualNanos().getAsLong());
    }

    /** Whether a time is unknown or less than a second, which need not be shown. */
    private static boolean isShort(OptionalLong nanos) {
        return nanos.isEmpty() || nanos.getAsLong() < TimeUnit.SECONDS.toNanos(1);
    }

    private static String missing(GroupStatus status) {
        List<Integer> missing = IntStream.range(0, status.ranks())
                .filter(rank -> !status.ended().contains(rank))
                .boxed()
                .toList();
        if (status.ended().isEmpty() || missing.isEmpty()) {
            return "";
        }
        return "; " + ranks(status.ended()) + (status.ended().size() == 1 ? " waits for " : " wait for ")
                + ranks(missing);
    }

    private static String ranks(List<Integer> ranks) {
        return (ranks.size() == 1 ? "rank " : "ranks ") + DeviceList.format(ranks);
    }

    /** A time in whole seconds: {@code "75 s"} is {@code "1 min 15 s"}. */
    static String time(long nanos) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(nanos);
        return seconds < MINUTE ? seconds + " s" : seconds / MINUTE + " min " + seconds % MINUTE + " s";
    }
}
