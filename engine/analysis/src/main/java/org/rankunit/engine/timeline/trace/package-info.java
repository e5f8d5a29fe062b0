/** Timelines of tests, in the Trace Event format that Perfetto and chrome://tracing show. */
@NullMarked
package org.rankunit.engine.timeline.trace;

import org.jspecify.annotations.NullMarked;
