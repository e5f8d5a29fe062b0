package org.rankunit.engine.rank.evidence;

import java.util.Optional;
import org.rankunit.comm.jna.FileDescriptors;

/** The file descriptors of this rank: whether tests have left so many open that the next one would fail for lack of them. */
public final class OpenFiles {

    /** Enough to load what says that no descriptor is free, and to begin the end of this process. */
    private static final int SPARE = 32;

    private final FileDescriptors descriptors = FileDescriptors.withSpare(SPARE);
    private long open = descriptors.lowestFree();
    private long mostLeft;
    private String leftMost = "";

    /** Something has ended here that may have left descriptors open. */
    public void ended(String title) {
        long now = descriptors.lowestFree();
        if (now - open > mostLeft) {
            mostLeft = now - open;
            leftMost = title;
        }
        open = now;
    }

    /** Why another test might fail here, as a clause; empty if at least a tenth of the descriptors is free. */
    public Optional<String> whyUnfit() {
        long limit = descriptors.limit();
        return leftMost.isEmpty() || open <= limit - limit / 10
                ? Optional.empty()
                : Optional.of("has " + open + " of " + limit + " file descriptors open, of which " + leftMost
                        + " has left " + mostLeft + " open, more than any other");
    }
}
