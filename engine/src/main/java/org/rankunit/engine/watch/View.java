package org.rankunit.engine.watch;

import java.time.Duration;
import java.util.List;

/** Shows what groups are doing. Used by one thread. */
interface View extends AutoCloseable {

    /** How often it wants to show something. */
    Duration period();

    /** Show what all groups are doing now, in the order in which they began. */
    void show(List<GroupStatus> groups);

    /** Remove what must not stay. */
    @Override
    void close();
}
