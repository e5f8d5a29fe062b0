/** Reads what ranks on a simulator have recorded. Analyses nothing; {@code timeline.trace} writes timelines from it. */
@NullMarked
package org.rankunit.engine.timeline;

import org.jspecify.annotations.NullMarked;
