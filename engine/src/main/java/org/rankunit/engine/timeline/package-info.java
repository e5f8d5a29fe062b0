/**
 * Reads what ranks on a simulator have recorded. {@code timeline.order} connects it, and {@code timeline.trace} writes
 * timelines from it.
 */
@NullMarked
package org.rankunit.engine.timeline;

import org.jspecify.annotations.NullMarked;
