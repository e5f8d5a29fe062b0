package org.rankunit.engine.timeline.order;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.timeline.LoggedEvent;

/** Something that happened: an event of a rank, or an access of a task or a launch that has no event of its own. */
public final class Node {

    public final int number;
    public final int rank;

    /** {@code null} for an access of a task or a launch. */
    public final @Nullable LoggedEvent event;

    /** What happened before it. */
    public final List<Node> before = new ArrayList<>(2);

    Node(int number, int rank, @Nullable LoggedEvent event) {
        this.number = number;
        this.rank = rank;
        this.event = event;
    }

    /** Whether only the access itself, and not what happened before it, happens before what follows. */
    public boolean isAccessAlone() {
        return event == null;
    }
}
