package org.rankunit.engine.rank.evidence;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.bench.BusBandwidth;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.picture.CollectivePicture;
import org.rankunit.collective.run.CollectiveLog;
import org.rankunit.collective.run.CollectiveUse;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.wire.Limits;

/**
 * The collectives that each test runs here by schedules. Rank 0 also draws them, since it has the classes of the algorithms: the
 * first ones of its process, each once, and not before the test has ended. Threads: that of the tests.
 */
public final class RankCollectives {

    private final int rank;
    private final Set<String> drawn = new HashSet<>();
    private CollectiveLog log = CollectiveLog.open(0);

    public RankCollectives(int rank) {
        this.rank = rank;
    }

    /** A test is entered: what runs from now on belongs to it. */
    public void enter() {
        log = CollectiveLog.open(Limits.COLLECTIVES);
    }

    /** Number of plans that the test ran and that are not reported. */
    public long leftOut() {
        return log.leftOut();
    }

    /** The test has ended here: say what it ran. */
    public void tell(String uniqueId, Consumer<FromRank.RanCollective> parent) {
        log.close();
        for (CollectiveUse use : log.uses()) {
            String algorithm = Limits.cut(use.algorithm().name(), Limits.NAME_CHARS);
            String call = Limits.cut(use.call().toString(), Limits.NAME_CHARS);
            boolean isNew = rank == 0 && drawn.size() < Limits.PICTURES && drawn.add(algorithm + " " + call);
            parent.accept(new FromRank.RanCollective(
                    uniqueId,
                    algorithm,
                    call,
                    Limits.cut(use.tag(), Limits.NAME_CHARS),
                    use.runs(),
                    use.tasks(),
                    isNew ? picture(use) : FromRank.RanCollective.NO_PICTURE,
                    measured(use)));
        }
    }

    private static FromRank.@Nullable Measured measured(CollectiveUse use) {
        CollectiveCall call = use.call();
        return Double.isInfinite(use.micros())
                ? null
                : new FromRank.Measured(
                        call.collective().toString(),
                        call.type().toString(),
                        BusBandwidth.size(call),
                        BusBandwidth.factor(call.collective(), call.ranks()),
                        use.micros(),
                        use.wrong());
    }

    /** Tasks of one rank tell enough of most schedules that are too large, before they are made for all ranks. */
    private static FromRank.Picture picture(CollectiveUse use) {
        String algorithm = use.algorithm().name();
        int ranks = use.call().ranks();
        if (CollectivePicture.unsupportedReason(algorithm, ranks, use.tasks()).isPresent()) {
            return FromRank.RanCollective.NO_PICTURE;
        }
        try {
            Schedule schedule = Schedule.of(use.algorithm(), use.call());
            CollectivePicture picture = CollectivePicture.of(schedule);
            return picture.unsupportedReason()
                    .map(FromRank.Picture::missing)
                    .orElseGet(() -> bounded(algorithm, picture.plainSvg()));
        } catch (RuntimeException e) {
            return FromRank.Picture.missing(
                    Limits.cut(algorithm + " could not be drawn after the test: " + e, Limits.NAME_CHARS));
        }
    }

    private static FromRank.Picture bounded(String algorithm, String svg) {
        return svg.length() <= Limits.PICTURE_CHARS
                ? new FromRank.Picture(svg, "")
                : FromRank.Picture.missing(algorithm + " needs a picture of " + svg.length()
                        + " characters: a report shows those of at most " + Limits.PICTURE_CHARS);
    }
}
