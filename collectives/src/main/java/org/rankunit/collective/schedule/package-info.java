/** What an algorithm has queued, as data: the same tasks are run, verified and timed. */
@NullMarked
package org.rankunit.collective.schedule;

import org.jspecify.annotations.NullMarked;
