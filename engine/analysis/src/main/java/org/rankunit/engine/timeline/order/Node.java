package org.rankunit.engine.timeline.order;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.timeline.LoggedEvent;

/** Something that happened: an event of a rank, or an access of a kernel that has no event of its own. */
public final class Node {

    public final int number;
    public final int rank;

    /** {@code null} for an access of a kernel. */
    public final @Nullable LoggedEvent event;

    /** What happened before it. */
    public final List<Node> before = new ArrayList<>(2);

    Node(int number, int rank, @Nullable LoggedEvent event) {
        this.number = number;
        this.rank = rank;
        this.event = event;
    }
}
