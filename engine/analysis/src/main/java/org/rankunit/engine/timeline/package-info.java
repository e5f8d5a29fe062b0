/**
 * Reads what ranks on a simulator have recorded. {@code timeline.order} connects it, {@code timeline.trace} writes
 * timelines from it, and {@code timeline.graphs} task graphs.
 */
@NullMarked
package org.rankunit.engine.timeline;

import org.jspecify.annotations.NullMarked;
