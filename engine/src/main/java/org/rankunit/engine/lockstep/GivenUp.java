package org.rankunit.engine.lockstep;

import java.time.Duration;
import java.util.List;
import org.rankunit.engine.control.Failure;
import org.rankunit.engine.control.RankOutcome;
import org.rankunit.engine.group.GroupSpec;
import org.rankunit.engine.link.RankLink;
import org.rankunit.engine.link.RankLinks;

/** How long ranks of a group may take once they are released, and how those end that are given up. */
final class GivenUp {

    /** How long ranks that were released may take to come to the end of what they were doing. */
    private static final Duration RELEASE_GRACE = Duration.ofSeconds(10);

    /** The same where a communicator cannot be aborted: who waits in it will not come out, and the others have had time. */
    private static final Duration UNWAKEABLE_GRACE = Duration.ofSeconds(1);

    private final RankLinks links;
    private final GroupSpec spec;

    GivenUp(RankLinks links, GroupSpec spec) {
        this.links = links;
        this.spec = spec;
    }

    Duration releaseGrace() {
        return links.all().stream().allMatch(RankLink::wakeable) ? RELEASE_GRACE : UNWAKEABLE_GRACE;
    }

    /** Why a rank is given up that has not come to the end. */
    String why(Progress progress, boolean wasReleased, TestsToRun.Limit limit) {
        if (wasReleased) {
            return "was still running " + releaseGrace().toSeconds() + " s after it was released, and was ended";
        }
        if (progress.waitsFor != null) {
            return "waited for the other ranks before " + progress.waitsFor;
        }
        if (spec.session().isOver()) {
            return "had not ended when " + spec.session().describe() + ", and was ended";
        }
        String doing = progress.doing().isEmpty() ? "" : " while it was " + progress.doing();
        return "had not ended after " + limit.describe() + doing + ", and was ended";
    }

    /** The end of a rank because another one left it alone: it is no more to blame than one that the communicator released. */
    static RankOutcome released(int awaited, String why) {
        return new RankOutcome.Released(
                awaited, new Failure("rankunit", why, false, null, null, List.of(), null, List.of()));
    }
}
